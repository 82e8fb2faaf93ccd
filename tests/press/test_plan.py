"""Imposition against tables written by hand, and against folding the paper."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.press.plan import (
    ImpositionPlan,
    creep,
    cut_stack,
    eight_fold,
    gutter_fold,
    mirrored,
    n_up,
    padded,
    saddle_stitch,
)


def places(plan: ImpositionPlan) -> list[tuple[int, ...]]:
    return [side.places for side in plan.sides]


BOOKLETS = {
    1: [(0, 1), (0, 0)],
    2: [(2, 1), (0, 0)],
    3: [(3, 1), (2, 0)],
    4: [(4, 1), (2, 3)],
    5: [(5, 1), (2, 0), (0, 3), (4, 0)],
    8: [(8, 1), (2, 7), (6, 3), (4, 5)],
    10: [(10, 1), (2, 0), (0, 3), (4, 9), (8, 5), (6, 7)],
    16: [(16, 1), (2, 15), (14, 3), (4, 13), (12, 5), (6, 11), (10, 7), (8, 9)],
}


@pytest.mark.parametrize("count", BOOKLETS)
def test_a_booklet_by_hand(count: int) -> None:
    assert places(saddle_stitch(count)) == BOOKLETS[count]


def folded(plan: ImpositionPlan) -> list[int]:
    """The pages as they are read: sheets nested, folded, and leafed through from the front."""
    front: list[int] = []
    behind: list[int] = []
    for at in range(0, len(plan.sides), 2):
        outer, inner = plan.sides[at].places, plan.sides[at + 1].places
        front += [outer[1], inner[0]]
        behind = [inner[1], outer[0], *behind]
    return front + behind


@pytest.mark.parametrize("count", range(1, 60))
def test_a_booklet_reads_from_first_to_last(count: int) -> None:
    read = folded(saddle_stitch(count))
    assert [page for page in read if page] == list(range(1, count + 1))
    assert len(read) % 4 == 0
    assert len(read) < count + 4
    if count > 1:
        assert (read[0], read[-1]) == (1, count)


def test_signatures_are_bound_one_behind_another() -> None:
    plan = saddle_stitch(20, signature=2)
    assert places(plan) == [(8, 1), (2, 7), (6, 3), (4, 5), (16, 9), (10, 15), (14, 11), (12, 13), (20, 17), (18, 19)]
    assert plan.sheets == 5


def test_empty_pages_go_before_the_back_cover() -> None:
    assert padded(6, 4) == (1, 2, 3, 4, 5, 0, 0, 6)
    assert padded(1, 4) == (1, 0, 0, 0)
    assert padded(8, 4) == (1, 2, 3, 4, 5, 6, 7, 8)


@given(st.integers(1, 80), st.integers(1, 4), st.integers(1, 4), st.booleans(), st.sampled_from(["long", "short"]))
def test_every_page_is_placed_once(count: int, columns: int, rows: int, two_sided: bool, flip: str) -> None:
    for make in (n_up, cut_stack):
        plan = make(count, columns, rows, two_sided=two_sided, flip=flip)  # type: ignore[arg-type]
        assert sorted(abs(page) for side in places(plan) for page in side if page) == list(range(1, count + 1))
        assert {len(side) for side in places(plan)} == {columns * rows}


@given(st.integers(2, 60), st.integers(1, 4), st.integers(1, 4), st.sampled_from(["long", "short"]))
def test_each_back_lies_behind_its_front(count: int, columns: int, rows: int, flip: str) -> None:
    """Turned over the long edge, column c of the back lies behind column C - 1 - c; over the short edge the rows do."""
    plan = n_up(count, columns, rows, two_sided=True, flip=flip)  # type: ignore[arg-type]
    for at in range(0, len(plan.sides), 2):
        front, back = plan.sides[at].places, plan.sides[at + 1].places
        for place, page in enumerate(front):
            row, column = divmod(place, columns)
            behind = row * columns + columns - 1 - column if flip == "long" else (rows - 1 - row) * columns + column
            expected = page + 1 if page and page + 1 <= count else 0
            assert back[behind] == (expected if flip == "long" else -expected)


def test_backs_by_hand() -> None:
    assert mirrored((1, 2, 3, 4, 5, 6), 3, flip="long") == (3, 2, 1, 6, 5, 4)
    assert mirrored((1, 2, 3, 4, 5, 6), 3, flip="short") == (-4, -5, -6, -1, -2, -3)


def test_a_cut_pile_reads_in_order() -> None:
    assert places(cut_stack(8, 2, 1)) == [(1, 5), (2, 6), (3, 7), (4, 8)]
    assert places(cut_stack(8, 2, 1, two_sided=True)) == [(1, 5), (6, 2), (3, 7), (8, 4)]
    plan = cut_stack(11, 2, 2)
    heaps = [[side[place] for side in places(plan)] for place in range(4)]
    assert [page for heap in heaps for page in heap if page] == list(range(1, 12))


def test_the_little_book_of_eight() -> None:
    assert places(eight_fold(8)) == [(-5, -4, -3, -2, 6, 7, 8, 1)]
    assert places(eight_fold(6)) == [(-5, -4, -3, -2, 0, 0, 6, 1)]
    assert len(eight_fold(9).sides) == 2
    assert places(eight_fold(9))[1] == (0, 0, 0, 0, 0, 0, 0, 9)


def test_cards_to_fold_have_front_and_back_side_by_side() -> None:
    assert places(gutter_fold(3)) == [(1, 2), (3, 0)]


def test_inner_sheets_creep() -> None:
    assert creep(saddle_stitch(16), 0.1) == (0, 0, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3)


@pytest.mark.parametrize("count", range(1, 41))
def test_empty_pages_of_any_booklet_stand_before_its_back_cover(count: int) -> None:
    for read in (folded(saddle_stitch(count)), folded(saddle_stitch(count, flip="long"))):
        inside = [page for page in read if page]
        assert inside == list(range(1, count + 1))
        if count > 1:
            assert read == [*inside[:-1], *[0] * (len(read) - count), count]


@pytest.mark.parametrize("count", range(1, 41))
def test_signatures_read_in_order_too(count: int) -> None:
    for signature in (1, 2, 5):
        plan = saddle_stitch(count, signature=signature)
        read: list[int] = []
        for at in range(0, len(plan.sides), 2 * signature):
            read += folded(ImpositionPlan(2, 1, plan.sides[at : at + 2 * signature], two_sided=True))
        assert [page for page in read if page] == list(range(1, count + 1))
        assert count == 1 or read[-1] == count


@pytest.mark.parametrize("count", range(1, 41))
def test_a_pile_printed_on_both_sides_reads_in_order(count: int) -> None:
    """Each heap from above: the front of a leaf, then what lies behind it when the paper was turned."""
    for columns, rows, flip in ((2, 2, "long"), (2, 2, "short"), (2, 1, "long"), (3, 3, "short")):
        plan = cut_stack(count, columns, rows, two_sided=True, flip=flip)  # type: ignore[arg-type]
        read = []
        for place in range(columns * rows):
            row, column = divmod(place, columns)
            behind = row * columns + columns - 1 - column if flip == "long" else (rows - 1 - row) * columns + column
            for at in range(0, len(plan.sides), 2):
                read += [plan.sides[at].places[place], abs(plan.sides[at + 1].places[behind])]
        assert [page for page in read if page] == list(range(1, count + 1))


@pytest.mark.parametrize("count", range(1, 41))
def test_little_books_read_in_order_with_their_cover_outside(count: int) -> None:
    """Folded and pushed together, the cover is the last place below, then come 2 to 5 above and 6 to 8 below."""
    read = []
    for side in eight_fold(count).sides:
        upper, lower = side.places[:4], side.places[4:]
        assert all(page <= 0 for page in upper)
        assert all(page >= 0 for page in lower)
        pages = [lower[3], *(-page for page in reversed(upper)), *lower[:3]]
        inside = [page for page in pages if page]
        assert len(inside) == 1 or pages == [*inside[:-1], *[0] * (8 - len(inside)), inside[-1]]
        read += inside
    assert read == list(range(1, count + 1))


@pytest.mark.parametrize("count", range(1, 41))
def test_pairs_to_be_folded_over_come_in_order(count: int) -> None:
    assert [page for side in places(gutter_fold(count)) for page in side if page] == list(range(1, count + 1))
