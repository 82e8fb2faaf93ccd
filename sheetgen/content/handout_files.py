"""Handouts read, Markdown with fields on top or YAML, and the catalogue of styles that says which fields there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from sheetgen.content.packs.folders import read_file
from sheetgen.content.yaml.containers import NEEDED, Entries, Key, Later, ListOf, MapOf, RecordOf, Then
from sheetgen.content.yaml.decoder import Decoder, Problems, Scope
from sheetgen.content.yaml.encoding import decoded
from sheetgen.content.yaml.levels import FreeMapping
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.content.yaml.scalars import ChoiceOf, DecimalNumber, FreeText, NameOf, WholeNumber, YesNo
from sheetgen.errors import InputError, Place, Problem, quoted, suggestion
from sheetgen.geometry import Size
from sheetgen.model.handout import KINDS, Catalogue, Hand, Handout, Kind, Lettering, Look, Room, Style, TypedText

FILE = "handout/styles.yaml"
FAMILIES = {"serif": "Source Serif Pro", "sans": "Source Sans Pro"}
HANDWRITING = (
    "La Belle Aurore",
    "Marck Script",
    "Caveat",
    "Special Elite",
    "Courier Prime",
    "PT Mono",
    "UnifrakturMaguntia",
    *FAMILIES.values(),
)
NEVER = ("style", "look", "hand", "text")
LONGEST_TEXT = 60_000
FACTOR = Then(DecimalNumber(Decimal("0.5"), 3), lambda value, node, scope: float(value))
SLIGHT = Then(DecimalNumber(0, 3), lambda value, node, scope: float(value))
PART = Then(DecimalNumber(Decimal("0.05"), 1), lambda value, node, scope: float(value))
HAND = RecordOf(
    "hand {key}",
    Hand,
    Key("say", FreeText(120), "what the hand is, in a line"),
    Key("families", ListOf(ChoiceOf(HANDWRITING), each="family"), "its faces: the first that has a letter", ()),
    Key("size", FACTOR, "how large its letters are against print", 1.0),
    Key("leading", FACTOR, "from line to line, in em", 1.38),
    Key("wander", SLIGHT, "how far words leave their line, in em", 0.0),
    Key("lean", SLIGHT, "how far words turn, in degrees", 0.0),
    Key("dips", YesNo(), "ink grows paler until the pen is dipped", False),
    Key("loose", MapOf(ChoiceOf(("high", "low")), each="letter"), "letters of a machine that sit badly", dict),
    key="name",
)
TYPED = RecordOf(
    "typed",
    TypedText,
    Key("columns", WholeNumber(10, 120), "letters to a line"),
    Key("width", PART, "the width of a line, as a part of the page inside its margins", 1.0),
    Key("capitals", YesNo(), "all letters are capitals", False),
    Key("stops", YesNo(), "sentences end in STOP", False),
)
KINDS_OF_FIELDS = MapOf(ChoiceOf(KINDS, "kind of field"))
READABLE = (".md", ".yaml")
FOLDER = "handouts"
LONGEST_LINE, LONGEST_ITEM, LONGEST_SEAL, MOST_ITEMS = 300, 500, 40, 60
PICTURES = (".png", ".jpg", ".jpeg", ".svg")
_FENCE = re.compile(r"---[ \t]*\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE)
_FOCUS = re.compile(r" at (\d{1,3}) (\d{1,3})$", re.ASCII)
_PICTURE = re.compile(r"!\[[^\]\n]*\]\(")
HELP: dict[Kind, str] = {
    "line": "a line",
    "seal": "a few letters",
    "list": "a list of lines",
    "pairs": "lines with a name each: `Ale: 2d`",
    "symbols": "symbols of the map and what they mean: `well: fresh water`",
    "map": "a map, as a figure of a book has it: places, ways, areas, scale, grid; `secret: yes` is for the GM alone",
    "picture": "a picture file beside the handout or in the pack; `face.png at 50 30` keeps that spot in sight",
}


def _number_list(
    count: int, low: Decimal | int, high: Decimal | int, make: Callable[..., Any] | None = None
) -> Then[Any]:
    """A list of so many numbers, made into something or else a tuple."""

    def made(found: tuple[Decimal, ...], node: Node, scope: Scope) -> Any:
        numbers = tuple(map(float, found))
        return make(*numbers) if make else numbers

    return Then(ListOf(DecimalNumber(low, high), exactly=count, meaning=f"{count} numbers"), made)


def _as_room(width: float, height: float, lines: float) -> Room:
    return Room(width, height, int(lines))


def _look(name: str, say: str, hand: str, **lettering: Any) -> Look:
    return Look(name, say, Lettering(**lettering | {"family": FAMILIES.get(lettering["family"], "")}), hand)


LOOK = RecordOf(
    "look {key}",
    _look,
    Key("say", FreeText(), "what the look is, in a line"),
    Key("family", ChoiceOf(tuple(FAMILIES)), "the face of large letters"),
    Key("weight", WholeNumber(200, 900), "their weight"),
    Key("stretch", _number_list(2, Decimal("0.4"), 2), "how far a letter may be pressed, and how far stretched"),
    Key("spacing", PART, "the most that may stand between letters, in em", 0.0),
    Key("capitals", YesNo(), "they are capitals", True),
    Key("even", YesNo(), "all lines have letters of one size", True),
    Key("hand", FreeText(40), "the hand that people write", "neat"),
    key="name",
)


def _check_style(entries: Entries) -> None:
    for part in ("needs", "may"):
        for key, _ in getattr(entries.nodes.get(part), "entries", ()):
            if key.text in NEVER:
                entries.scope.add(key.place, f"no field of a style can be called {key.text}")


STYLE = RecordOf(
    "style {key}",
    Style,
    Key("say", FreeText(120), "what the style is, in a line"),
    Key("example", FreeText(4000), "a handout of this style, as somebody would write it"),
    Key("needs", KINDS_OF_FIELDS, "the fields that it needs", dict, what="fields"),
    Key("may", KINDS_OF_FIELDS, "the fields that it may have", dict, what="fields"),
    Key("text", ChoiceOf(("needs", "may", "no")), "whether it has a text", "needs"),
    Key("longest", WholeNumber(1, LONGEST_TEXT), "the most characters of the text", LONGEST_TEXT),
    Key("sizes", ListOf(_number_list(2, 30, 400, Size), each="size"), "trim sizes in mm, the smallest first", ()),
    Key("continues", YesNo(), "a long text goes on to a further page", False),
    Key("largest", FACTOR, "how large a few lines may be made to fill the paper, as a multiple of their size", 1.0),
    Key("smallest", PART, "how small a long text may be made, as a part of its size", 1.0),
    Key(
        "large",
        MapOf(_number_list(3, Decimal("0.01"), 8, _as_room), each="large"),
        "field → the place for its large letters: [width, height, most lines]",
        dict,
    ),
    Key("typed", TYPED, "the text is set as by a machine", None),
    Key("margins", _number_list(4, 0, 80), "above, right, below and left, in mm", (15.0,) * 4),
    Key("picture", _number_list(2, Decimal("0.05"), 2), "its frame: width and height as parts of the width", ()),
    Key(
        "focus",
        _number_list(2, 0, 100),
        "what is seen of a picture, in per cent from the left and the top",
        (50.0, 50.0),
    ),
    Key("screen", WholeNumber(0, 150), "lines of dots an inch that photographs are printed in; none for grey", 0),
    Key("bars", YesNo(), "what is struck out becomes a bar", False),
    Key("made", ChoiceOf(("", "wheel", "grille", "halves", "map")), "what is made of its text or data", ""),
    Key("hand", FreeText(40), "the hand that writes it; that of the look if absent", ""),
    Key(
        "blackletter",
        MapOf(ListOf(FreeText(40)), each="blackletter"),
        "large field → the looks where it is blackletter",
        dict,
    ),
    Key("defaults", MapOf(FreeText(), each="default"), "what is said where a field is left out", dict),
    check=_check_style,
    key="name",
)
CATALOGUE = RecordOf[dict[str, Any]](
    "catalogue",
    dict,
    Key("looks", MapOf(LOOK), "looks by name", dict),
    Key("hands", MapOf(HAND), "hands by name", dict),
    Key("symbols", MapOf(FreeText(4000), each="symbol {key}"), "symbols of maps: SVG paths on 24 by 24", dict),
    Key("styles", MapOf(STYLE), "styles by name", dict),
)


def read_catalogue(files: Iterable[tuple[bytes, str]]) -> Catalogue:
    """Return what these files say, each as bytes and the name it is shown by; a later one adds to those before it.

    Raises InputError with every problem found.
    """
    scope = Scope(Problems())
    whole: dict[str, dict[str, Any]] = {"styles": {}, "looks": {}, "hands": {}, "symbols": {}}
    for data, shown in files:
        node = parse(data, shown)
        for part, found in CATALOGUE.read(node, scope, "").items():
            whole[part] |= found
        for kind in ("looks", "styles"):
            _check_hands(whole[kind], whole["hands"], node, scope)
    scope.problems.raise_if_any()
    return Catalogue(**whole)


def _check_hands(named: Mapping[str, Look | Style], hands: Mapping[str, Hand], node: Node, scope: Scope) -> None:
    for each in named.values():
        if each.hand and each.hand not in hands:
            near = suggestion(each.hand, hands) or f"; there are {', '.join(hands)}"
            scope.add(node.place, f"{each.name} is written by an unknown hand {quoted(each.hand)}{near}")


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
        "picture": Then(FreeText(LONGEST_LINE), _picture_path),
        "map": FreeMapping(),
    }


def _pairs(found: dict[str, str], node: Node, scope: Scope) -> tuple[tuple[str, str], ...]:
    return tuple(found.items())


def _picture_path(entry: str, node: Node, scope: Scope) -> str:
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
    words = _handout_text(kind, text if body is None else body, scope)
    places = {**places, "text": body.place} if body is not None else places
    scope.problems.raise_if_any()
    defaults = {name: said for name, said in kind.defaults.items() if name not in entries}
    return Handout(source.name, kind, look, {**defaults, **entries}, words, place, places, hand)


def _handout_text(style: Style, node: Node | None, scope: Scope) -> str:
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
