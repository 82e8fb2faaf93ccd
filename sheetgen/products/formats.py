"""The shapes in which people are printed: a sheet each, or cards, several to a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from sheetgen.documents.card import CARD, CARD_MORE, INDEX, card_values
from sheetgen.documents.sheet import MORE, TEMPLATE, sheet_values
from sheetgen.geometry import CARDS, PAPERS, Size, mm
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.pdf.fonts.bundled import label_font
from sheetgen.pdf.form.stamp import Plate
from sheetgen.people.roll_code import roll_code
from sheetgen.press.drawn_marks import drawn_marks
from sheetgen.press.layouts import side_by_side
from sheetgen.press.marks import RULER_LABEL, Marks, check_rule, crop_marks

SHEET = "sheet"

Values = Callable[[System, Character, Mapping[str, str]], dict[str, str]]


@dataclass(frozen=True, slots=True)
class Shape:
    """How a person is printed: the templates, the values for their fields, and for each paper the card, if it is one.

    `one` is what a page of it is called, `named` what a file of many is.
    """

    template: str
    more: str
    values: Values
    one: str
    named: str
    cards: Mapping[str, str] = field(default_factory=dict)
    code: bool = False

    def coded(self) -> Shape:
        """Return the shape with a QR code from which `npc` makes the person again."""
        return replace(self, code=True, values=partial(_with_code, self.values))

    def card(self, paper: str) -> Size | None:
        """Return the size of the card on this paper; None for a sheet, which is as large as the paper."""
        return CARDS[self.cards[paper]] if self.cards else None

    def plate(self, paper: str) -> Plate | None:
        """Return the page that the cards are placed on, with its marks; None for sheets, each a page."""
        card = self.card(paper)
        if card is None:
            return None
        layout = side_by_side(PAPERS[paper], card)
        cells, rule = layout.cells, check_rule(layout.cells, layout.paper)
        marks = (Marks(crop_marks(cells[:filled], layout.paper), rule=rule) for filled in range(1, len(cells) + 1))
        return Plate(
            mm(layout.paper.width),
            mm(layout.paper.height),
            cells,
            drawn_marks(layout.paper, marks, label_font(RULER_LABEL)),
        )


# Nine poker cards leave Letter a margin that many printers cannot print on; trading cards are a millimetre smaller.
SHAPES = MappingProxyType(
    {
        SHEET: Shape(TEMPLATE, MORE, sheet_values, "page", "npcs"),
        "card": Shape(CARD, CARD_MORE, card_values, "card", "npc-cards", {"a4": "poker", "letter": "trading"}),
        "index": Shape(INDEX, CARD_MORE, card_values, "card", "npc-index-cards", {"a4": "index", "letter": "index"}),
    }
)


def _with_code(values: Values, system: System, character: Character, figures: Mapping[str, str]) -> dict[str, str]:
    return {**values(system, character, figures), "code": roll_code(system, character)}
