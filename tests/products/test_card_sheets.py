"""Cards to cut out: what is told about them, and what stands around them; where they lie is in test_duplex."""

from __future__ import annotations

from io import BytesIO

import pikepdf
import pymupdf
import pytest

from sheetgen.errors import UsageError
from sheetgen.geometry import CARDS, PAPERS, Size, mm
from sheetgen.press.marks import check_rule, cross_marks
from sheetgen.press.plan import side_by_side
from sheetgen.products.cards.sheets import BLEED, CardSheetOptions, lay_out_cards


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
    card = Size(95, 140)
    made = lay_out_cards(pages(8, card), card, CardSheetOptions(flip="short"))
    assert made.advice[1] == "measure from mark to mark: 95 mm across a card, or the print has the wrong size"


def test_what_cannot_be_cut_is_told() -> None:
    with pytest.raises(UsageError, match="does not fit on paper of 105 × 148 mm"):
        lay_out_cards(pages(2, CARDS["tarot"]), CARDS["tarot"], CardSheetOptions(paper="a6", margin=20))


@pytest.mark.parametrize(("paper", "margin"), [("a4", 8.0), ("letter", 6.35)])
def test_marks_that_the_printer_would_leave_out_become_crosses_on_the_cards(paper: str, margin: float) -> None:
    card = CARDS["poker"]
    made = lay_out_cards(pages(18, card), card, CardSheetOptions(paper=paper, margin=margin))
    assert made.cards == 9, "as many as without crosses"
    assert made.advice[1:] == (
        f"with {margin:g} mm left white, marks around the cards would be lost: "
        "small crosses at their corners show the cuts",
        "measure the ruler in the margin: it is 50 mm long, or the print has the wrong size",
        "cut along the crosses, the long cuts through the whole sheet first",
    )
    layout = side_by_side(PAPERS[paper], card, margin=margin)
    for line in cross_marks(layout.cells, layout.paper, margin=margin):
        edges = [(cell.x, cell.right, cell.y, cell.top) for cell in layout.cells]
        assert any(line.x1 == line.x2 in each[:2] or line.y1 == line.y2 in each[2:] for each in edges), "on a cut"
        assert abs(line.x2 - line.x1) + abs(line.y2 - line.y1) == pytest.approx(mm(4)), "short of any text"
    rule = check_rule(layout.cells, layout.paper, bleed=BLEED, margin=margin)
    assert rule is not None
    assert min(rule.x1, rule.y1) >= mm(margin + (1.6 if rule.x1 == rule.x2 else 0)), "with its ticks"


def test_the_usual_margin_needs_no_crosses() -> None:
    layout = side_by_side(PAPERS["a4"], CARDS["poker"])
    assert cross_marks(layout.cells, layout.paper, margin=5) == ()


def test_a_card_without_a_neighbour_has_its_bleed_on_that_side() -> None:
    card, coloured = Size(90, 60), BytesIO()
    with pikepdf.open(BytesIO(pages(2, card))) as pdf:
        for page in pdf.pages:
            page.obj.Contents = pdf.make_stream(b"0 0 1 rg 0 0 999 999 re f")
        pdf.save(coloured)
    made = lay_out_cards(coloured.getvalue(), card, CardSheetOptions(marks=False))
    with pymupdf.open(stream=made.data) as sheets:
        assert len(sheets) == 2
        for side, sheet in enumerate(sheets):
            dots = sheet.get_pixmap(dpi=254)  # ten to a millimetre
            rows = (300, dots.height - 300)
            inked = max(sum(dots.pixel(x, y) == (0, 0, 255) for x in range(dots.width)) for y in rows)
            assert inked == pytest.approx(10 * (card.width + 2 * BLEED), abs=2), f"side {side}"
