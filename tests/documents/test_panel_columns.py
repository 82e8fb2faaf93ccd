"""Pieces in columns: in order, evenly, moments whole where they can be, each on its panel."""

from __future__ import annotations

import pytest

from sheetgen.documents.session.screen import Board, Column, Gaps, Piece, arranged, overfull, placed, taken
from sheetgen.errors import Place

GAPS = Gaps(piece=2, moment=4, stretch=3)
BOARD = Board(297, 210, panels=2, columns=2, outer=10, top=10, bottom=100, gutter=7, fold=10)  # 100 mm of room


def pieces(*written: tuple[int, float], panel: int = 0) -> tuple[Piece, ...]:
    return tuple(
        Piece(f"{moment}.{at}", height, moment, 10.0, 5.0, Place("rules.yaml", at), panel)
        for at, (moment, height) in enumerate(written, 1)
    )


def keys(columns: tuple[tuple[Piece, ...], ...]) -> list[list[str]]:
    return [[piece.key for piece in column] for column in columns]


def test_panels_that_meet_keep_room_for_the_fold() -> None:
    three = Board(297, 210, panels=3, columns=3, outer=8.5, top=8, bottom=12, gutter=6.5, fold=8.5)
    assert [three.left(panel) for panel in range(3)] == [8.5, 12.75, 17.0]
    edge = three.x(8) + three.column  # the last column of the last panel
    assert edge == pytest.approx(297 - 8.5, abs=0.01)
    assert three.x(2) + three.column == pytest.approx(297 - 17, abs=0.01)


def test_a_column_counts_headings_and_gaps() -> None:
    some = pieces((0, 20), (0, 30), (1, 10))
    assert Column(some, runs_on=False).height(GAPS) == 10 + 20 + 2 + 30 + 4 + 10 + 10
    assert Column(some, runs_on=True).height(GAPS) == 5 + 20 + 2 + 30 + 4 + 10 + 10


def test_columns_are_filled_evenly_in_order() -> None:
    some = pieces((0, 40), (0, 40), (1, 80), (2, 40), (2, 40), (3, 80))
    assert keys(arranged(some, BOARD, GAPS)) == [["0.1", "0.2"], ["1.3"], ["2.4", "2.5"], ["3.6"]]


def test_a_moment_is_kept_whole_where_it_can_be() -> None:
    some = pieces((0, 30), (1, 30), (1, 30), (2, 60), (3, 60))
    assert keys(arranged(some, BOARD, GAPS)) == [["0.1"], ["1.2", "1.3"], ["2.4"], ["3.5"]]


def test_a_moment_stands_on_its_panel() -> None:
    some = (*pieces((0, 30), panel=1), *pieces((1, 30), (1, 30), panel=2))
    columns = keys(arranged(some, BOARD, GAPS))
    assert columns[0] == ["0.1"]
    assert columns[1] == []
    assert [key for column in columns[2:] for key in column] == ["1.1", "1.2"]


def test_what_runs_on_says_so_and_spare_room_widens_gaps() -> None:
    some = pieces((0, 60), (0, 20), (0, 20))
    spots = placed((some[:1], some[1:], (), ()), BOARD, GAPS)
    assert [(spot.piece.key, spot.kind, spot.column, spot.y) for spot in spots] == [
        ("0.1", "head", 0, 10),
        ("0.1", "piece", 0, 20),
        ("0.2", "again", 1, 10),
        ("0.2", "piece", 1, 15),
        ("0.3", "piece", 1, 15 + 20 + 2 + 3),  # three more, as far as gaps stretch
    ]
    assert [column.runs_on for column in taken((some[:1], some[1:], (), ()))] == [False, True, False, False]


def test_the_first_that_has_no_room_is_named() -> None:
    some = pieces((0, 80), (0, 80), (0, 80), (0, 80), (0, 30))
    assert arranged(some, BOARD, GAPS) == ()
    found = overfull(some, BOARD, GAPS)
    assert (found.piece.key, found.panel, found.over) == ("0.5", 2, 5 + 80 + 2 + 30 - 100)


def test_a_piece_higher_than_a_column_is_named_where_it_would_stand() -> None:
    found = overfull(pieces((0, 20), (0, 120)), BOARD, GAPS)
    assert (found.piece.key, found.panel, found.over) == ("0.2", 1, 5 + 120 - 100)


def test_too_much_for_the_panel_that_was_asked_for() -> None:
    some = pieces((0, 80), (0, 80), (0, 80), panel=1)
    assert arranged(some, BOARD, GAPS) == ()
    assert overfull(some, BOARD, GAPS).panel == 1


def test_panels_that_stay_empty_are_the_last() -> None:
    three = Board(297, 210, panels=3, columns=2, outer=10, top=10, bottom=100, gutter=7, fold=10)
    assert keys(arranged(pieces((0, 40), (1, 40)), three, GAPS)) == [["0.1"], [], ["1.2"], [], [], []]
