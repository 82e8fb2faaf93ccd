"""Handouts read: Markdown with its fields on top, or YAML; the catalogue of styles says which fields there are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sheetgen.content.packs.folders import read_file
from sheetgen.content.yaml.containers import NEEDED, Entries, Key, Later, ListOf, MapOf, RecordOf, Then
from sheetgen.content.yaml.decoder import Decoder, Problems, Scope
from sheetgen.content.yaml.encoding import decoded
from sheetgen.content.yaml.levels import FreeMapping
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.content.yaml.scalars import ChoiceOf, FreeText, NameOf
from sheetgen.errors import InputError, Place, Problem
from sheetgen.model.handout import Catalogue, Handout, Kind, Style

READABLE = (".md", ".yaml")
FOLDER = "handouts"
LONGEST_LINE, LONGEST_ITEM, LONGEST_SEAL, MOST_ITEMS = 300, 500, 40, 60
PICTURES = (".png", ".jpg", ".jpeg", ".svg")

_FENCE = re.compile(r"---[ \t]*\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE)
_FOCUS = re.compile(r" at (\d{1,3}) (\d{1,3})$", re.ASCII)
_PICTURE = re.compile(r"!\[[^\]\n]*\]\(")


@dataclass(frozen=True, slots=True)
class HandoutSource:
    """A file of a handout: its bytes, its name without suffix, its suffix, and how messages call it."""

    data: bytes
    name: str
    suffix: str
    shown: str


def handout_files(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Return the files of the first folder that has handouts, by name; a skin has those of the pack that it extends."""
    for folder in folders:
        inside = folder / FOLDER
        found = sorted(each for each in inside.iterdir() if each.suffix in READABLE) if inside.is_dir() else []
        if found:
            return tuple(found)
    return ()


def source_at(path: Path, shown: str, *, inside: Path | None = None) -> HandoutSource:
    """Return the file, read; InputError if it cannot be."""
    return HandoutSource(read_file(path, shown, inside=inside), path.stem, path.suffix.lower(), shown)


def handout_parts(source: HandoutSource) -> tuple[Node, Scalar | None]:
    """Return the fields of a file, and the text below them if it is Markdown; InputError for what is no YAML."""
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


def _kinds(catalogue: Catalogue) -> dict[Kind, Decoder[Any]]:
    """What a field of each kind takes."""
    item = FreeText(LONGEST_ITEM)
    symbol = NameOf("symbol")
    return {
        "line": Then(FreeText(LONGEST_LINE, empty=True), lambda written, node, scope: written.strip()),
        "seal": Then(FreeText(LONGEST_SEAL, empty=True), lambda written, node, scope: written.strip()),
        "list": ListOf(item, most=MOST_ITEMS),
        "pairs": Then(MapOf(FreeText(LONGEST_ITEM, empty=True), most=MOST_ITEMS), _pairs),
        "symbols": Then(MapOf(item, key=symbol, most=MOST_ITEMS), _pairs),
        "picture": Then(FreeText(LONGEST_LINE), _picture),
        "map": FreeMapping(),
    }


def _pairs(found: dict[str, str], node: Node, scope: Scope) -> tuple[tuple[str, str], ...]:
    return tuple(found.items())


def _picture(entry: str, node: Node, scope: Scope) -> str:
    path, focus = pictured(entry)
    if path and Path(path).suffix.lower() not in PICTURES:
        scope.add(node.place, f"a picture is a file {', '.join(PICTURES)}, not {path}")
    if focus and max(focus) > 100:
        scope.add(node.place, "the focus of a picture is in per cent from the left and the top: `face.png at 50 30`")
    return entry


def pictured(entry: str) -> tuple[str, tuple[int, int] | None]:
    """Return the file that a picture is in, and what must be seen of it: per cent from the left and the top."""
    focus = _FOCUS.search(entry)
    return _FOCUS.sub("", entry), (int(focus[1]), int(focus[2])) if focus else None


HELP: dict[Kind, str] = {
    "line": "a line",
    "seal": "a few letters",
    "list": "a list of lines",
    "pairs": "lines with a name each: `Ale: 2d`",
    "symbols": "symbols of the map and what they mean: `well: fresh water`",
    "map": "a map, as a figure of a book has it: places, ways, areas, scale, grid; `secret: yes` is for the GM alone",
    "picture": "a picture file beside the handout or in the pack; `face.png at 50 30` keeps that spot in sight",
}


def handout_record(style: Style, catalogue: Catalogue, *, with_text: bool = True) -> RecordOf[dict[str, Any]]:
    """Return what a handout of a style may hold, the text as its node; in Markdown the text stands below the fields."""
    kinds = _kinds(catalogue)
    keys = [Key(name, kinds[kind], HELP[kind]) for name, kind in style.needs.items()]
    keys += [Key(name, kinds[kind], HELP[kind], None) for name, kind in style.may.items()]
    keys += [
        Key("style", Later(ChoiceOf((style.name,))), style.say, None),
        Key("look", ChoiceOf(tuple(catalogue.looks)), "how it is dressed; as the pack says if absent", ""),
        Key("hand", ChoiceOf(tuple(catalogue.hands)), "who writes it; as style and look say if absent", ""),
    ]
    if with_text and style.text != "no":
        needed = NEEDED if style.text == "needs" else None
        keys.append(Key("text", Later(FreeText(style.longest)), "the text, in Markdown", needed))
    return RecordOf(f"a {style.name}", lambda **values: values, *keys, check=_with_places, name=style.name)


def _with_places(entries: Entries) -> None:
    entries.values["places"] = {name: node.place for name, node in entries.nodes.items()}


def _style_named(
    node: Node, source: HandoutSource, catalogue: Catalogue, meant: str, scope: Scope
) -> tuple[Style, Place]:
    """The style that a file names, or that is meant; InputError if there is none."""
    entries = node.entries if isinstance(node, MappingNode) else ()
    named = next((each for key, each in entries if key.text == "style"), None)
    if named is None and meant:
        return catalogue.styles[meant], node.place
    if named is None:
        known = ", ".join(catalogue.styles)
        where = "between two lines --- at the top" if source.suffix == ".md" else "at the top"
        scope.add(node.place, f'which style? (write "style: letter" {where}, or say --style; there are {known})')
    else:
        name = NameOf("style").read(named, scope, "style")
    scope.problems.raise_if_any()
    return catalogue.styles[name], named.place if named else node.place


def read_handout(source: HandoutSource, catalogue: Catalogue, *, style: str = "") -> Handout:
    """Return the handout in a file; InputError with every problem. `style` is meant where the file names none."""
    node, body = handout_parts(source)
    scope = Scope(Problems(), {"style": catalogue.styles, "symbol": catalogue.symbols})
    kind, place = _style_named(node, source, catalogue, style, scope)
    found = handout_record(kind, catalogue, with_text=body is None).read(node, scope, "")
    text, places = found.pop("text", None), found.pop("places")
    look, hand = found.pop("look"), found.pop("hand")
    entries = {name: each for name, each in found.items() if name in kind.fields and each}
    words = _text(kind, text if body is None else body, scope)
    places = {**places, "text": body.place} if body is not None else places
    scope.problems.raise_if_any()
    defaults = {name: said for name, said in kind.defaults.items() if name not in entries}
    return Handout(source.name, kind, look, {**defaults, **entries}, words, place, places, hand)


def _text(style: Style, node: Node | None, scope: Scope) -> str:
    if node is None:
        return ""
    if isinstance(node, Scalar) and not node.text.strip():
        if style.text == "needs":
            scope.add(node.place, f"a {style.name} needs a text, and there is none (write it)")
        return ""
    if style.text == "no":
        scope.add(node.place, f"a {style.name} has no text, only fields (delete it)")
        return ""
    words = FreeText(style.longest).read(node, scope, "text")
    for found in _PICTURE.finditer(words):
        place = Place(node.place.file, node.place.line + words.count("\n", 0, found.start()))
        scope.add(place, "a picture stands in a field, not in the text (write `picture: FILE`)")
    return words.strip("\n")


def title_of(handout: Handout) -> str:
    """What a list calls a handout: whom or what it is about, else the name of its file."""
    for name in ("subject", "name", "title", "event", "headline", "shop", "house", "to", "from"):
        said = handout.entries.get(name)
        if isinstance(said, str) and said:
            return said
    return handout.name
