"""Marks in the margin: at every cut, outside every cell, on the paper; and a rule of 50 mm between them."""

from __future__ import annotations

import pymupdf
import pytest

from sheetgen.geometry import CARDS, PAPERS, Box, Line, millimetres, mm
from sheetgen.pdf.fonts.bundled import label_font
from sheetgen.press.drawn_marks import drawn_marks
from sheetgen.press.marks import RULER, RULER_LABEL, Marks, Words, beside_rule, bounding_box, check_rule, crop_marks
from sheetgen.press.plan import Layout, side_by_side

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


def test_words_in_the_margin_are_read_on_before_the_rule() -> None:
    """A licence broke off at the ruler, and went on behind it."""
    layout = side_by_side(PAPERS["a4"], CARDS["poker"])
    rule = check_rule(layout.cells, layout.paper)
    assert rule is not None
    assert all(room.x + room.length < rule.x1 for room in beside_rule(layout.cells, layout.paper, rule))


def test_the_words_of_the_rule_have_room_between_the_cuts() -> None:
    for paper, card in (("a4", "poker"), ("a4", "trading")):
        layout = side_by_side(PAPERS[paper], CARDS[card])
        rule = check_rule(layout.cells, layout.paper, bleed=3)
        assert rule is not None
        cell = next(cell for cell in layout.cells if cell.x <= rule.x1 <= cell.right)
        with pymupdf.open(stream=drawn_marks(layout.paper, [Marks(rule=rule)], label_font(RULER_LABEL))) as drawn:
            [label] = drawn[0].search_for(RULER_LABEL)
            strokes = [each["rect"] for each in drawn[0].get_drawings()]
        assert (label.y0 + label.y1) / 2 == pytest.approx(mm(layout.paper.height) - rule.y1, abs=4)
        assert min(stroke.x0 for stroke in strokes) - cell.x > mm(1.2)
        assert cell.right - label.x1 > mm(1.2)


@pytest.mark.parametrize("rule", [Line(mm(20), mm(10), mm(70), mm(10)), Line(mm(10), mm(20), mm(10), mm(70))])
def test_marks_and_rulers_are_drawn_to_a_hundredth_of_a_millimetre(rule: Line) -> None:
    lines = (Line(mm(1 / 3), mm(5), mm(1 / 3), mm(9)), Line(mm(4), mm(2 / 3), mm(8), mm(2 / 3)))
    marks = Marks(lines, dashed=(Line(mm(3), 0, mm(3), mm(2)),), rule=rule)
    data = drawn_marks(PAPERS["a4"], [marks], label_font(RULER_LABEL))
    assert data == drawn_marks(PAPERS["a4"], [marks], label_font(RULER_LABEL))
    with pymupdf.open(stream=data) as drawn:
        found = drawn[0].get_drawings()
        height = drawn[0].rect.height
    ends = {
        tuple(round(millimetres(each), 2) for each in (one.x, height - one.y, two.x, height - two.y))
        for path in found
        for _, one, two in path["items"]
    }
    wanted = (*lines, *marks.dashed, rule)
    assert ends >= {tuple(round(millimetres(each), 2) for each in (at.x1, at.y1, at.x2, at.y2)) for at in wanted}
    assert len(ends) == len(wanted) + 6, "with a tick every 10 mm"
    assert [path["dashes"] for path in found].count("[ 3 3 ] 0") == 1


def test_words_of_one_sheet_take_no_letters_from_another() -> None:
    for text in ("50 mm abc", "50 mm xyz"):
        marks = drawn_marks(PAPERS["a4"], [Marks(words=(Words(30, 30, text),))], label_font(text))
        with pymupdf.open(stream=marks) as pdf:
            assert pdf[0].get_text().strip() == text
