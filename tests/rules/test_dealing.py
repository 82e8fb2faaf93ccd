"""Dealing over a run: neighbours never share a line, whatever fits them, and nobody depends on anybody else."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.content.packs.folders import Library
from sheetgen.dice.source import Seeded
from sheetgen.model.cast import Condition
from sheetgen.model.system import System
from sheetgen.rules.creation.dealing import APART, OF_ONE_MOTIF, Dealer
from sheetgen.rules.rolling import Roller, plan_of
from tests.reading import read_pack

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


def test_lines_for_some_are_dealt_among_those_for_everybody_from_the_beginning() -> None:
    lines: Lines = [(f"common {number}", ()) for number in range(80)]
    lines += [(f"of space {number}", (("genre", frozenset({2})),)) for number in range(40)]
    dealer = Dealer(lines, b"a run")
    first = [dealt(dealer, index, genre=2) for index in range(1, 41)]
    assert 6 < sum(str(line).startswith("of space") for line in first) < 34


def test_neighbours_hold_no_lines_of_one_motif() -> None:
    about = {line: ("debt", "map", "twin", *[""] * 7)[at % 10] for at, (line, _) in enumerate(LINES)}
    dealer = Dealer(LINES, b"a run", motif=lambda line: about[line])
    run = [about[str(dealt(dealer, index))] for index in range(1, 61)]
    assert not [at for at, motif in enumerate(run) if motif and motif in run[max(at - OF_ONE_MOTIF, 0) : at]]


def test_who_may_not_have_a_line_for_few_takes_the_line_of_nobody() -> None:
    lines: Lines = [(f"line {number}", ()) for number in range(100)]
    few = {line for line, _ in lines[::5]}
    dealer = Dealer(lines, b"a run", few=few)
    run = [dealer.deal(index, {}, Seeded(b"x"), usable=lambda line: line not in few) for index in range(1, 81)]
    assert len(set(run)) == 80


def test_the_first_of_a_run_is_no_likelier_to_have_a_motif_than_others() -> None:
    about = {line: ("debt", "map", "twin", *[""] * 7)[at % 10] for at, (line, _) in enumerate(LINES)}
    dealers = (Dealer(LINES, b"run %d" % run, motif=lambda line: about[line]) for run in range(200))
    assert 30 <= sum(bool(about[str(dealt(dealer, 1))]) for dealer in dealers) <= 90


@pytest.mark.parametrize("name", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix"])
def test_stories_of_one_motif_stand_apart(name: str, library: Library) -> None:
    system = read_pack(library.packs[name], library)
    about = [(re.compile(re.escape(hook.say).replace(r"\{friend\}", ".+")), hook.motif) for hook in system.cast.hooks]
    run = [each.text("hook") for each in Roller(system, plan_of(system), 5).roll_all(range(1, 301))]
    motifs = [next(motif for say, motif in about if say.fullmatch(hook)) for hook in run]
    near = [at for at, motif in enumerate(motifs) if motif and motif in motifs[max(at - OF_ONE_MOTIF, 0) : at]]
    assert len(near) <= 12, near  # by chance some fifty; whom no story of their own hand fits takes one of all others


def test_two_lists_of_one_length_do_not_come_round_together() -> None:
    one, other = (Dealer(LINES, b"a run", wider=wider) for wider in (3, 7))
    run = [(dealt(one, index), dealt(other, index)) for index in range(1, 301)]
    assert len(set(run)) == 300


def test_who_is_dealt_several_lines_shares_none_with_the_next_who_holds_the_hand() -> None:
    dealer, held = Dealer([(str(at), ()) for at in range(100)], b"a run", each=2), list[set[str | None]]()
    for index in (1, 1 + APART):
        first = dealer.deal(index, {}, Seeded(b"x"))
        second = dealer.deal(index, {}, Seeded(b"x"), taken={str(first)}, turn=1)
        held.append({first, second})
    assert not held[0] & held[1]


def test_taken_lines_are_not_dealt_again_and_an_empty_list_deals_nothing() -> None:
    dealer, taken = Dealer(LINES[:3], b"a run"), set[str]()
    for _ in range(3):
        line = dealer.deal(1, {}, Seeded(b"x"), taken=taken)
        assert line is not None
        taken.add(line)
    assert len(taken) == 3
    assert dealer.deal(1, {}, Seeded(b"x"), taken=taken) is None
    assert Dealer[str]((), b"a run").deal(1, {}, Seeded(b"x")) is None


def test_nobody_among_three_hundred_has_the_look_and_the_home_of_another(library: Library) -> None:
    diecodes = read_pack(library.packs["diecodes"], library)
    people = Roller(diecodes, plan_of(diecodes), 5).roll_all(range(1, 301))
    told = [(each.text("look"), each.text("home")) for each in people]
    assert len(set(told)) == 300


@pytest.mark.parametrize("field", ["manner", "hook"])
def test_twenty_people_in_a_row_differ(gamers: System, field: str) -> None:
    said = [each.text(field) for each in Roller(gamers, plan_of(gamers), 5).roll_all(range(1, 101))]
    assert all(len(set(said[at : at + APART])) == APART for at in range(81))


def test_neighbours_have_different_trades(gamers: System) -> None:
    trades = [each.text("occupation") for each in Roller(gamers, plan_of(gamers), 5).roll_all(range(1, 101))]
    assert all(one != other for one, other in pairwise(trades))
