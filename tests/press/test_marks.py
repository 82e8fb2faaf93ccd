"""Marks in the margin: at every cut, outside every cell, on the paper; and a rule of 50 mm between them."""

from __future__ import annotations

import pytest

from sheetgen.geometry import CARDS, PAPERS, Box, Line, mm
from sheetgen.press.layouts import Layout, side_by_side
from sheetgen.press.marks import RULER, bounding_box, check_rule, crop_marks, ruler

ON = [
    ("a4", "poker"),
    ("letter", "trading"),
    ("letter", "poker"),
    ("a4", "index"),
    ("letter", "index"),
    ("a5", "poker"),
]


def meets(line: Line, box: Box) -> bool:
    """Whether an upright or level line touches a box."""
    across = min(line.x1, line.x2) <= box.right and max(line.x1, line.x2) >= box.x
    return across and min(line.y1, line.y2) <= box.top and max(line.y1, line.y2) >= box.y


@pytest.fixture(params=ON, ids="-".join)
def layout(request: pytest.FixtureRequest) -> Layout:
    paper, card = request.param
    return side_by_side(PAPERS[paper], CARDS[card])


def test_every_cut_is_marked_at_both_ends(layout: Layout) -> None:
    marks = crop_marks(layout.cells, layout.paper)
    upright = sorted({round(mark.x1, 1) for mark in marks if mark.x1 == mark.x2})
    level = sorted({round(mark.y1, 1) for mark in marks if mark.y1 == mark.y2})
    assert upright == sorted({round(edge, 1) for cell in layout.cells for edge in (cell.x, cell.right)})
    assert level == sorted({round(edge, 1) for cell in layout.cells for edge in (cell.y, cell.top)})
    assert len(marks) == 2 * (len(upright) + len(level))


def test_no_mark_touches_a_card_or_leaves_the_paper(layout: Layout) -> None:
    page = Box(0, 0, mm(layout.paper.width), mm(layout.paper.height)).inset(mm(0.9))
    for mark in crop_marks(layout.cells, layout.paper):
        assert not any(meets(mark, cell) for cell in layout.cells)
        assert page.x <= min(mark.x1, mark.x2)
        assert max(mark.x1, mark.x2) <= page.right
        assert page.y <= min(mark.y1, mark.y2)
        assert max(mark.y1, mark.y2) <= page.top


def test_a_sheet_that_is_not_full_has_marks_for_its_cards_only() -> None:
    layout = side_by_side(PAPERS["a4"], CARDS["poker"])
    for filled in range(1, 10):
        cells = layout.cells[:filled]
        marks = crop_marks(cells, layout.paper)
        assert len(marks) == 2 * (min(filled, 3) + 1 + (filled + 2) // 3 + 1)
        assert not any(meets(mark, cell) for mark in marks for cell in cells)
    assert crop_marks((), layout.paper) == ()


def test_the_rule_is_as_long_as_it_says_and_keeps_clear(layout: Layout) -> None:
    rule = check_rule(layout.cells, layout.paper)
    if rule is None:
        assert min(layout.cells[0].x, layout.cells[0].y) < mm(15)  # no margin has room
        return
    assert max(rule.x2 - rule.x1, rule.y2 - rule.y1) == pytest.approx(mm(RULER))
    assert not meets(rule, bounding_box(layout.cells))
    assert not any(
        meets(mark, Box(rule.x1, rule.y1, rule.x2 - rule.x1, rule.y2 - rule.y1))
        for mark in crop_marks(layout.cells, layout.paper)
    )
    assert min(rule.x1, rule.y1) > mm(6.4)


def test_poker_cards_on_a4_and_trading_cards_on_letter_have_a_rule() -> None:
    for paper, card in ON[:2] + ON[3:5]:
        layout = side_by_side(PAPERS[paper], CARDS[card])
        assert check_rule(layout.cells, layout.paper) is not None


def test_the_words_of_the_rule_have_room_between_the_cuts() -> None:
    for paper, card in (("a4", "poker"), ("a4", "trading")):
        layout = side_by_side(PAPERS[paper], CARDS[card])
        rule = check_rule(layout.cells, layout.paper, bleed=3)
        assert rule is not None
        cell = next(cell for cell in layout.cells if cell.x <= rule.x1 <= cell.right)
        assert min(stroke.x1 for stroke in ruler(rule)) - cell.x > mm(1.2)
        assert cell.right - max(max(stroke.x1, stroke.x2) for stroke in ruler(rule)) > mm(1.2)
