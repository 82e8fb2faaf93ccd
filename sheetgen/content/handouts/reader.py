"""Handouts read: Markdown with its fields on top, or YAML; the catalogue of styles says which fields there are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sheetgen.content.packs.folders import read_file
from sheetgen.content.yaml.decode import Problems, choice, fields, items, pairs, text
from sheetgen.content.yaml.encoding import decoded
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.errors import InputError, Place, Problem
from sheetgen.model.handout import Catalogue, Entry, Handout, Kind, Style

READABLE = (".md", ".yaml")
FOLDER = "handouts"
LONGEST_LINE, LONGEST_ITEM, LONGEST_SEAL, MOST_ITEMS = 300, 500, 40, 60
PICTURES = (".png", ".jpg", ".jpeg", ".svg")

_FENCE = re.compile(r"---[ \t]*\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE)
_PICTURE = re.compile(r"!\[[^\]\n]*\]\(")


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a handout: its bytes, its name without suffix, its suffix, and how messages call it."""

    data: bytes
    name: str
    suffix: str
    shown: str


def handout_files(folders: Iterable[Path]) -> tuple[Path, ...]:
    """The files of the first folder that has handouts, by name; a skin has those of the pack that it extends."""
    for folder in folders:
        inside = folder / FOLDER
        found = sorted(each for each in inside.iterdir() if each.suffix in READABLE) if inside.is_dir() else []
        if found:
            return tuple(found)
    return ()


def source_at(path: Path, shown: str, *, inside: Path | None = None) -> Source:
    """The file, read; InputError if it cannot be."""
    return Source(read_file(path, shown, inside=inside), path.stem, path.suffix.lower(), shown)


def read_handout(source: Source, catalogue: Catalogue, *, style: str = "") -> Handout:
    """The handout in a file; InputError with every problem found. `style` is meant where the file names none."""
    node, body = _parts(source)
    return _Reader(catalogue, Problems()).handout(source, node, body, style)


def _parts(source: Source) -> tuple[Node, Scalar | None]:
    """The fields of a file, and the text below them if it is Markdown."""
    if source.suffix != ".md":
        return parse(source.data, source.shown), None
    whole = decoded(source.data, source.shown)
    opening = _FENCE.match(whole)
    if opening is None:
        return MappingNode((), Place(source.shown, 1, 1)), _body(whole, source.shown, 0)
    closing = _CLOSE.search(whole, opening.end())
    if closing is None:
        message = 'the fields that begin with "---" have no end (add a line "---" below them)'
        raise InputError([Problem(Place(source.shown, 1, 1), message)])
    head = whole[opening.end() : closing.start()]
    body = _body(whole, source.shown, closing.end())
    if not head.strip():
        return MappingNode((), Place(source.shown, 1, 1)), body
    return parse(f"\n{head}".encode(), source.shown), body  # an empty line for the fence: places stay true


def _body(whole: str, shown: str, start: int) -> Scalar:
    words = whole[start:]
    first = start + len(words) - len(words.lstrip("\n")) if words.strip() else start
    return Scalar(words.strip("\n"), Place(shown, whole.count("\n", 0, first) + 1, 1), True)


class _Reader:
    """Reads one handout, and collects what is wrong with it."""

    def __init__(self, catalogue: Catalogue, problems: Problems) -> None:
        self.catalogue, self.problems = catalogue, problems

    def handout(self, source: Source, node: Node, body: Scalar | None, meant: str) -> Handout:
        style, place = self._style(node, source, meant)
        if style is None:
            self.problems.raise_if_any()
            raise InputError([])
        needs, may = tuple(style.needs), tuple(style.may)
        text_keys = ("text",) if style.text != "no" and body is None else ()
        if style.text == "needs" and body is None:
            needs += text_keys
        found = fields(
            node, self.problems, what=f"a {style.name}", needs=needs, may=(*may, "style", "look", *text_keys)
        )
        entries = {
            name: self._entry(style.fields[name], name, each) for name, each in found.items() if name in style.fields
        }
        entries = {
            **{name: said for name, said in style.defaults.items() if not entries.get(name)},
            **{name: each for name, each in entries.items() if each},
        }
        words = self._text(style, found.get("text") if body is None else body)
        look = choice(found["look"], self.problems, self.catalogue.looks, what="look") if "look" in found else ""
        self.problems.raise_if_any()
        places = {name: each.place for name, each in found.items()}
        return Handout(source.name, style, look, entries, words, place, places)

    def _style(self, node: Node, source: Source, meant: str) -> tuple[Style | None, Place]:
        """The style that a file names, or that is meant."""
        entries = node.entries if isinstance(node, MappingNode) else ()
        named = next((each for key, each in entries if key.text == "style"), None)
        if named is None and meant:
            return self.catalogue.styles[meant], node.place
        if named is None:
            known = ", ".join(self.catalogue.styles)
            where = "between two lines --- at the top" if source.suffix == ".md" else "at the top"
            self.problems.add(
                node.place, f'which style? (write "style: letter" {where}, or say --style; there are {known})'
            )
            return None, node.place
        before = len(self.problems.found)
        name = choice(named, self.problems, self.catalogue.styles, what="style")
        return (self.catalogue.styles[name] if len(self.problems.found) == before else None), named.place

    def _entry(self, kind: Kind, name: str, node: Node) -> Entry:
        problems = self.problems
        if kind in ("line", "seal"):
            most = LONGEST_LINE if kind == "line" else LONGEST_SEAL
            return text(node, problems, what=name, longest=most, empty=True).strip()
        if kind == "picture":
            return self._picture(node)
        if kind == "list":
            read = lambda each: text(each, problems, what=name, longest=LONGEST_ITEM)  # noqa: E731
            return items(node, problems, read, what=name, most=MOST_ITEMS)
        allowed = self.catalogue.symbols if kind == "symbols" else None

        def pair(key: Scalar, each: Node) -> str:
            if allowed is not None:
                choice(key, problems, allowed, what="symbol")
            return text(each, problems, what=f"{name}: {key.text}", longest=LONGEST_ITEM, empty=allowed is None)

        return tuple(pairs(node, problems, pair, what=name, most=MOST_ITEMS).items())

    def _picture(self, node: Node) -> str:
        path = text(node, self.problems, what="picture", longest=LONGEST_LINE)
        if path and Path(path).suffix.lower() not in PICTURES:
            self.problems.add(node.place, f"a picture is a file {', '.join(PICTURES)}, not {path}")
        return path

    def _text(self, style: Style, node: Node | None) -> str:
        if node is None:
            return ""
        if isinstance(node, Scalar) and not node.text.strip():
            if style.text == "needs":
                self.problems.add(node.place, f"a {style.name} needs a text, and there is none (write it)")
            return ""
        if style.text == "no":
            self.problems.add(node.place, f"a {style.name} has no text, only fields (delete it)")
            return ""
        words = text(node, self.problems, what="text", longest=style.longest)
        for found in _PICTURE.finditer(words):
            place = Place(node.place.file, node.place.line + words.count("\n", 0, found.start()))
            self.problems.add(place, "a picture stands in a field, not in the text (write `picture: FILE`)")
        return words.strip("\n")


def title_of(handout: Handout, names: Iterable[str] = ("title", "headline", "name", "to", "from")) -> str:
    """What a list calls a handout: the first of these fields that it has, else the name of its file."""
    for name in names:
        said = handout.entries.get(name)
        if isinstance(said, str) and said:
            return said
    return handout.name
