"""The catalogue of handouts: which styles there are and which fields each has, read from styles.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import cast

from sheetgen.content.yaml.decode import Problems, choice, decimal, fields, items, number, pairs, switch, text
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.geometry import Size
from sheetgen.model.handout import KINDS, Catalogue, Kind, Lettering, Look, Room, Style, TypedText

FILE = "handout/styles.yaml"
FAMILIES = {"serif": "Source Serif Pro", "sans": "Source Sans Pro"}
NEVER = ("style", "look", "text")
LONGEST_TEXT = 60_000


def read_catalogue(files: Iterable[tuple[bytes, str]]) -> Catalogue:
    """What these files say, each as bytes and the name it is shown by; a later one adds to those before it.

    Raises InputError with every problem found.
    """
    problems = Problems()
    styles, looks, symbols = dict[str, Style](), dict[str, Look](), dict[str, str]()
    reader = _Reader(problems)
    for data, shown in files:
        found = fields(parse(data, shown), problems, what="catalogue", may=("styles", "looks", "symbols"))
        if "looks" in found:
            looks |= pairs(found["looks"], problems, reader.look, what="looks")
        if "symbols" in found:
            symbols |= pairs(found["symbols"], problems, reader.symbol, what="symbols")
        if "styles" in found:
            styles |= pairs(found["styles"], problems, reader.style, what="styles")
    problems.raise_if_any()
    return Catalogue(styles, looks, symbols)


class _Reader:
    def __init__(self, problems: Problems) -> None:
        self.problems = problems

    def symbol(self, key: Scalar, node: Node) -> str:
        return text(node, self.problems, what=f"symbol {key.text}", longest=4000)

    def look(self, key: Scalar, node: Node) -> Look:
        problems = self.problems
        found = fields(
            node,
            problems,
            what=f"look {key.text}",
            needs=("say", "family", "weight", "stretch"),
            may=("spacing", "capitals", "even"),
        )
        stretch = self._numbers(found.get("stretch"), "stretch", 2, Decimal("0.4"), Decimal("2"))
        lettering = Lettering(
            FAMILIES[choice(found["family"], problems, FAMILIES, what="family")] if "family" in found else "",
            number(found["weight"], problems, what="weight", low=200, high=900) if "weight" in found else 400,
            (stretch[0], stretch[1]),
            self._part(found["spacing"]) if "spacing" in found else 0.0,
            self._on(found, "capitals", True),
            self._on(found, "even", True),
        )
        return Look(key.text, text(found["say"], problems, what="say") if "say" in found else "", lettering)

    def style(self, key: Scalar, node: Node) -> Style:
        problems = self.problems
        may = (
            "needs",
            "may",
            "text",
            "longest",
            "sizes",
            "continues",
            "smallest",
            "large",
            "typed",
            "margins",
            "bars",
            "defaults",
        )
        found = fields(node, problems, what=f"style {key.text}", needs=("say", "example"), may=may)
        words = text(found["text"], problems, what="text") if "text" in found else "needs"
        return Style(
            name=key.text,
            say=text(found["say"], problems, what="say", longest=120) if "say" in found else "",
            needs=self._kinds(found.get("needs")),
            may=self._kinds(found.get("may")),
            text=words if words in ("needs", "may", "no") else "needs",  # type: ignore[arg-type]
            longest=self._whole(found, "longest", LONGEST_TEXT),
            example=text(found["example"], problems, what="example", longest=4000) if "example" in found else "",
            sizes=items(found["sizes"], problems, self._size, what="sizes") if "sizes" in found else (),
            margins=self._margins(found.get("margins")),
            continues=self._on(found, "continues", False),
            bars=self._on(found, "bars", False),
            defaults=pairs(
                found["defaults"], problems, lambda _, each: text(each, problems, what="default"), what="defaults"
            )
            if "defaults" in found
            else {},
            smallest=self._part(found.get("smallest")),
            large=pairs(found["large"], problems, lambda _, each: self._room(each), what="large")
            if "large" in found
            else {},
            typed=self._typed(found["typed"]) if "typed" in found else None,
        )

    def _on(self, found: Mapping[str, Node], name: str, otherwise: bool) -> bool:
        return switch(found[name], self.problems, what=name) if name in found else otherwise

    def _margins(self, node: Node | None) -> tuple[float, float, float, float]:
        if node is None:
            return (15.0,) * 4
        above, right, below, left = self._numbers(node, "margins", 4, Decimal(0), Decimal(80))
        return above, right, below, left

    def _whole(self, found: Mapping[str, Node], name: str, most: int) -> int:
        return number(found[name], self.problems, what=name, low=1, high=most) if name in found else most

    def _part(self, node: Node | None) -> float:
        return float(decimal(node, self.problems, what="part", low=Decimal("0.05"), high=1)) if node else 1.0

    def _numbers(self, node: Node | None, what: str, count: int, low: Decimal, high: Decimal) -> tuple[float, ...]:
        read = lambda each: float(decimal(each, self.problems, what=what, low=low, high=high))  # noqa: E731
        found = items(node, self.problems, read, what=what, most=count) if node else ()
        if node and len(found) != count:
            self.problems.add(node.place, f"{what} takes {count} numbers")
        return found if len(found) == count else (1.0,) * count

    def _kinds(self, node: Node | None) -> dict[str, Kind]:
        if node is None:
            return {}

        def kind(key: Scalar, each: Node) -> Kind:
            if key.text in NEVER:
                self.problems.add(key.place, f"no field of a style can be called {key.text}")
            return cast(Kind, choice(each, self.problems, KINDS, what="kind of field"))

        return pairs(node, self.problems, kind, what="fields")

    def _size(self, node: Node) -> Size:
        width, height = self._numbers(node, "size", 2, Decimal(30), Decimal(400))
        return Size(width, height)

    def _room(self, node: Node) -> Room:
        width, height, lines = self._numbers(node, "large", 3, Decimal("0.01"), Decimal(8))
        return Room(width, height, int(lines))

    def _typed(self, node: Node) -> TypedText:
        found = fields(node, self.problems, what="typed", needs=("columns",), may=("width", "capitals", "stops"))
        columns = (
            number(found["columns"], self.problems, what="columns", low=10, high=120) if "columns" in found else 60
        )
        capitals, stops = self._on(found, "capitals", False), self._on(found, "stops", False)
        return TypedText(columns, self._part(found.get("width")), capitals, stops)
