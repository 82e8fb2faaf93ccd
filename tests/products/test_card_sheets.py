"""Cards to cut out: what is told about them, and what stands around them; where they lie is in test_duplex."""

from __future__ import annotations

from io import BytesIO

import pikepdf
import pytest

from sheetgen.errors import UsageError
from sheetgen.geometry import CARDS, PAPERS, Size, mm
from sheetgen.press.layouts import side_by_side
from sheetgen.press.marks import check_rule
from sheetgen.products.card_sheets import BLEED, CardSheetOptions, lay_out_cards


def pages(count: int, card: Size) -> bytes:
    """Empty pages of cards with their bleed."""
    made = BytesIO()
    with pikepdf.new() as pdf:
        for _ in range(count):
            pdf.add_blank_page(page_size=(mm(card.width + 2 * BLEED), mm(card.height + 2 * BLEED)))
            width, height = mm(BLEED + card.width), mm(BLEED + card.height)
            pdf.pages[-1].trimbox = (mm(BLEED), mm(BLEED), width, height)
        pdf.save(made)
    return made.getvalue()


def test_the_ruler_keeps_off_the_bleed() -> None:
    layouts = [side_by_side(PAPERS[paper], card) for paper in ("a4", "letter") for card in CARDS.values()]
    rules = [(layout, check_rule(layout.cells, layout.paper, bleed=BLEED)) for layout in layouts]
    assert any(rule for _, rule in rules)
    for layout, rule in rules:
        if rule:
            left, below = min(cell.x for cell in layout.cells), min(cell.y for cell in layout.cells)
            level = rule.y1 == rule.y2
            assert (below if level else left) - (rule.y1 if level else rule.x1) >= mm(BLEED + 3)


def test_what_to_do_is_told_in_order() -> None:
    card = CARDS["poker"]
    made = lay_out_cards(pages(20, card), card, CardSheetOptions())
    assert (made.cards, made.sheets) == (10, 2)
    assert made.advice == (
        "2 sheets of A4, printed on both sides, turned over the long edge, at actual size (100 %)",
        "measure the ruler in the margin: it is 50 mm long, or the print has the wrong size",
        "cut along the marks, the long cuts through the whole sheet first",
    )
    made = lay_out_cards(pages(20, card), card, CardSheetOptions(bleed=True, flip="short"))
    assert made.advice[1] == "measure from mark to mark: 63.5 mm across a card, or the print has the wrong size"


def test_what_cannot_be_cut_is_told() -> None:
    with pytest.raises(UsageError, match="does not fit on paper of 105 × 148 mm"):
        lay_out_cards(pages(2, CARDS["tarot"]), CARDS["tarot"], CardSheetOptions(paper="a6", margin=20))
