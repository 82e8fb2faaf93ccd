"""Pieces of different sizes share a sheet: inside its margins, apart from each other, with marks at their corners."""

from __future__ import annotations

import pytest

from sheetgen.geometry import PAPERS, Size, mm
from sheetgen.press.marks import corner_marks
from sheetgen.press.plan import GUTTER, packed

SIZES = [Size(190, 110), Size(130, 170), Size(132, 62), Size(132, 62), Size(92, 66), Size(100, 132)]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_piece_lies_on_one_sheet_inside_the_margin(paper: str) -> None:
    sheets = packed(SIZES, PAPERS[paper], margin=5)
    assert sorted(number for sheet in sheets for number in sheet.pieces) == list(range(len(SIZES)))
    for sheet in sheets:
        for number, cell in zip(sheet.pieces, sheet.cells, strict=True):
            assert (cell.width, cell.height) == pytest.approx((mm(SIZES[number].width), mm(SIZES[number].height)))
            assert min(cell.x, cell.y) >= mm(5) - 0.01
            assert cell.right <= mm(sheet.paper.width - 5) + 0.01
            assert cell.top <= mm(sheet.paper.height - 5) + 0.01


def test_pieces_keep_apart_and_marks_touch_none_of_them() -> None:
    for sheet in packed(SIZES, PAPERS["a4"], margin=5):
        cells = sheet.cells
        for at, one in enumerate(cells):
            for other in cells[at + 1 :]:
                across = max(one.x - other.right, other.x - one.right)
                along = max(one.y - other.top, other.y - one.top)
                assert max(across, along) >= mm(GUTTER) - 0.01
        for mark in corner_marks(cells, sheet.paper):
            middle = ((mark.x1 + mark.x2) / 2, (mark.y1 + mark.y2) / 2)
            assert not any(c.x <= middle[0] <= c.right and c.y <= middle[1] <= c.top for c in cells)


def test_two_tickets_share_a_sheet() -> None:
    assert len(packed([Size(132, 62)] * 4, PAPERS["a4"], margin=5)) == 1


def test_paper_is_turned_for_what_fits_only_so() -> None:
    (sheet,) = packed([Size(190, 125)], PAPERS["a5"], margin=5)
    assert sheet.paper == PAPERS["a5"].turned


def test_a_piece_too_large_is_told_by_its_number() -> None:
    with pytest.raises(ValueError, match="1"):
        packed([Size(90, 60), Size(130, 190)], PAPERS["a6"], margin=5)


@pytest.mark.parametrize("margin", [6.0, 10.0, 14.0])
def test_corner_marks_keep_clear_of_what_the_printer_leaves_white(margin: float) -> None:
    """To a tenth of a millimetre, and at least 1.5 mm of each can be seen; without room they lie on the cut itself."""
    for piece in (Size(180, 87), Size(182, 120), Size(60, 40)):
        (sheet,) = packed([piece], PAPERS["a4"], margin=margin)
        for line in corner_marks(sheet.cells, sheet.paper, margin=margin):
            xs, ys = sorted((line.x1, line.x2)), sorted((line.y1, line.y2))
            assert min(xs[0], ys[0]) >= mm(margin - 0.1)
            assert xs[1] <= mm(sheet.paper.width - margin + 0.1)
            assert ys[1] <= mm(sheet.paper.height - margin + 0.1)
            assert xs[1] - xs[0] + ys[1] - ys[0] >= mm(1.5)
