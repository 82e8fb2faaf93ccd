"""Where cards stand on paper: how many, centred, and never over the edge."""

from __future__ import annotations

import pytest

from sheetgen.errors import UsageError
from sheetgen.geometry import CARDS, PAPERS, Size, millimetres
from sheetgen.press.plan import PRINTER_MARGIN, Layout, side_by_side


def edges(layout: Layout) -> list[float]:
    """The margins left, right, below and above the block of cells, in mm."""
    right, top = max(cell.right for cell in layout.cells), max(cell.top for cell in layout.cells)
    left, below = min(cell.x for cell in layout.cells), min(cell.y for cell in layout.cells)
    found = millimetres(left), layout.paper.width - millimetres(right)
    return [*found, millimetres(below), layout.paper.height - millimetres(top)]


@pytest.mark.parametrize(
    ("paper", "card", "grid", "margins"),
    [
        ("a4", "poker", (3, 3), [9.75, 9.75, 15.15, 15.15]),
        ("letter", "trading", (3, 3), [13.45, 13.45, 7.7, 7.7]),
        ("a4", "index", (2, 2), [21.5, 21.5, 28.8, 28.8]),
        ("letter", "index", (2, 2), [12.7, 12.7, 31.75, 31.75]),
    ],
)
def test_cards_fill_the_paper_and_stand_in_its_middle(
    paper: str, card: str, grid: tuple[int, int], margins: list[float]
) -> None:
    layout = side_by_side(PAPERS[paper], CARDS[card])
    assert (layout.columns, layout.rows) == grid
    assert edges(layout) == pytest.approx(margins, abs=0.01)


def test_index_cards_lie_on_paper_that_lies_on_its_side() -> None:
    assert side_by_side(PAPERS["a4"], CARDS["index"]).paper == PAPERS["a4"].turned
    assert side_by_side(PAPERS["a4"], CARDS["poker"]).paper == PAPERS["a4"]


def test_cells_go_in_reading_order_and_share_their_cuts() -> None:
    first, second, *_, below = side_by_side(PAPERS["a4"], CARDS["poker"]).cells[:4]
    assert second.x == pytest.approx(first.right)
    assert second.y == first.y
    assert below.x == first.x
    assert below.top == pytest.approx(first.y)


def test_a_gutter_keeps_cards_apart() -> None:
    layout = side_by_side(PAPERS["a4"], CARDS["poker"], gutter=3)
    first, second = layout.cells[:2]
    assert millimetres(second.x - first.right) == pytest.approx(3)
    left, right, below, above = edges(layout)
    assert (left, below) == pytest.approx((right, above))


@pytest.mark.parametrize(
    ("paper", "card"), [(paper, card) for paper in PAPERS for card in CARDS if (paper, card) != ("a6", "a6")]
)
def test_nothing_comes_nearer_to_the_edge_than_a_printer_prints(paper: str, card: str) -> None:
    assert min(edges(side_by_side(PAPERS[paper], CARDS[card]))) >= PRINTER_MARGIN


def test_a_card_that_fits_nowhere_is_refused() -> None:
    with pytest.raises(UsageError, match="a card of 210 × 297 mm does not fit on paper of 105 × 148 mm"):
        side_by_side(PAPERS["a6"], Size(210, 297))
