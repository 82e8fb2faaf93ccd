"""Dealing over a run: neighbours never share a line, whatever fits them, and nobody depends on anybody else."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.dice.source import Seeded
from sheetgen.model.cast import Condition
from sheetgen.model.system import System
from sheetgen.rules.creation.dealing import APART, Dealer
from sheetgen.rules.rolling import Roller, plan_of

Lines = list[tuple[str, tuple[Condition, ...]]]
LINES: Lines = [(f"line {number}", ()) for number in range(60)]


def dealt(dealer: Dealer[str], index: int, **levels: int) -> str | None:
    return dealer.deal(index, levels, Seeded(str(index).encode()))


def test_neighbours_share_no_line_and_the_list_is_dealt_to_its_end() -> None:
    dealer = Dealer(LINES, b"a run")
    run = [dealt(dealer, index) for index in range(1, 61)]
    assert len(set(run)) == 60
    assert all(len(set(run[at : at + APART])) == APART for at in range(41))


@given(picky=st.lists(st.booleans(), min_size=40, max_size=40))
def test_neighbours_share_no_line_when_half_the_list_fits_some_of_them(picky: list[bool]) -> None:
    lines: Lines = [(f"common {number}", ()) for number in range(100)]
    lines += [(f"rare {number}", (("Wealth", frozenset({9})),)) for number in range(100)]
    dealer = Dealer(lines, b"another run")
    run = [dealt(dealer, index, Wealth=9 if rich else 3) for index, rich in enumerate(picky, 1)]
    assert all(len(set(run[at : at + APART])) == APART for at in range(21))


def test_a_line_depends_on_nobody_else() -> None:
    assert dealt(Dealer(LINES, b"a run"), 57) == [dealt(Dealer(LINES, b"a run"), index) for index in range(60)][57]


def test_taken_lines_are_not_dealt_again_and_an_empty_list_deals_nothing() -> None:
    dealer, taken = Dealer(LINES[:3], b"a run"), set[str]()
    for _ in range(3):
        line = dealer.deal(1, {}, Seeded(b"x"), taken=taken)
        assert line is not None
        taken.add(line)
    assert len(taken) == 3
    assert dealer.deal(1, {}, Seeded(b"x"), taken=taken) is None
    assert Dealer[str]((), b"a run").deal(1, {}, Seeded(b"x")) is None


@pytest.mark.parametrize("field", ["manner", "hook"])
def test_twenty_people_in_a_row_differ(gamers: System, field: str) -> None:
    said = [each.text(field) for each in Roller(gamers, plan_of(gamers), 5).roll_all(range(1, 101))]
    assert all(len(set(said[at : at + APART])) == APART for at in range(81))


def test_neighbours_have_different_trades(gamers: System) -> None:
    trades = [each.text("occupation") for each in Roller(gamers, plan_of(gamers), 5).roll_all(range(1, 101))]
    assert all(one != other for one, other in pairwise(trades))
