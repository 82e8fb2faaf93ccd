"""The catalogue of handouts: which styles there are and which fields each has, read from styles.yaml."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from sheetgen.content.yaml.containers import Entries, Key, ListOf, MapOf, RecordOf, Then
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import Node, parse
from sheetgen.content.yaml.scalars import ChoiceOf, DecimalNumber, FreeText, WholeNumber, YesNo
from sheetgen.errors import quoted, suggestion
from sheetgen.geometry import Size
from sheetgen.model.handout import KINDS, Catalogue, Hand, Lettering, Look, Room, Style, TypedText

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


def _numbers(count: int, low: Decimal | int, high: Decimal | int, make: Callable[..., Any] | None = None) -> Then[Any]:
    """A list of so many numbers, made into something or else a tuple."""

    def made(found: tuple[Decimal, ...], node: Node, scope: Scope) -> Any:
        numbers = tuple(map(float, found))
        return make(*numbers) if make else numbers

    return Then(ListOf(DecimalNumber(low, high), exactly=count, meaning=f"{count} numbers"), made)


def _as_room(width: float, height: float, lines: float) -> Room:
    return Room(width, height, int(lines))


FACTOR = Then(DecimalNumber(Decimal("0.5"), 3), lambda value, node, scope: float(value))
SLIGHT = Then(DecimalNumber(0, 3), lambda value, node, scope: float(value))
PART = Then(DecimalNumber(Decimal("0.05"), 1), lambda value, node, scope: float(value))


def _look(name: str, say: str, hand: str, **lettering: Any) -> Look:
    return Look(name, say, Lettering(**lettering | {"family": FAMILIES.get(lettering["family"], "")}), hand)


LOOK = RecordOf(
    "look {key}",
    _look,
    Key("say", FreeText(), "what the look is, in a line"),
    Key("family", ChoiceOf(tuple(FAMILIES)), "the face of large letters"),
    Key("weight", WholeNumber(200, 900), "their weight"),
    Key("stretch", _numbers(2, Decimal("0.4"), 2), "how far a letter may be pressed, and how far stretched"),
    Key("spacing", PART, "the most that may stand between letters, in em", 0.0),
    Key("capitals", YesNo(), "they are capitals", True),
    Key("even", YesNo(), "all lines have letters of one size", True),
    Key("hand", FreeText(40), "the hand that people write", "neat"),
    key="name",
)
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


def _check_style(entries: Entries) -> None:
    for part in ("needs", "may"):
        for key, _ in getattr(entries.nodes.get(part), "entries", ()):
            if key.text in NEVER:
                entries.scope.add(key.place, f"no field of a style can be called {key.text}")


KINDS_OF_FIELDS = MapOf(ChoiceOf(KINDS, "kind of field"))
STYLE = RecordOf(
    "style {key}",
    Style,
    Key("say", FreeText(120), "what the style is, in a line"),
    Key("example", FreeText(4000), "a handout of this style, as somebody would write it"),
    Key("needs", KINDS_OF_FIELDS, "the fields that it needs", dict, what="fields"),
    Key("may", KINDS_OF_FIELDS, "the fields that it may have", dict, what="fields"),
    Key("text", ChoiceOf(("needs", "may", "no")), "whether it has a text", "needs"),
    Key("longest", WholeNumber(1, LONGEST_TEXT), "the most characters of the text", LONGEST_TEXT),
    Key("sizes", ListOf(_numbers(2, 30, 400, Size), each="size"), "trim sizes in mm, the smallest first", ()),
    Key("continues", YesNo(), "a long text goes on to a further page", False),
    Key("largest", FACTOR, "how large a few lines may be made to fill the paper, as a multiple of their size", 1.0),
    Key("smallest", PART, "how small a long text may be made, as a part of its size", 1.0),
    Key(
        "large",
        MapOf(_numbers(3, Decimal("0.01"), 8, _as_room), each="large"),
        "field → the place for its large letters: [width, height, most lines]",
        dict,
    ),
    Key("typed", TYPED, "the text is set as by a machine", None),
    Key("margins", _numbers(4, 0, 80), "above, right, below and left, in mm", (15.0,) * 4),
    Key("picture", _numbers(2, Decimal("0.05"), 2), "its frame: width and height as parts of the width", ()),
    Key("focus", _numbers(2, 0, 100), "what is seen of a picture, in per cent from the left and the top", (50.0, 50.0)),
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
