"""Odds that ask for one result stop rolling once it is settled, and come to the same as odds of the whole outcome."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from inspect import getsource
from itertools import islice
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import sheetgen
from sheetgen.dice.paths import AtLeast
from sheetgen.dice.source import Scripted, Seeded
from sheetgen.errors import LimitError, UsageError
from sheetgen.model.procedures import Example, Named, as_data
from sheetgen.model.system import System
from sheetgen.rules import odds as odds_module
from sheetgen.rules.odds import Odds, exact_odds
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import Procedure, procedure
from sheetgen.rules.registry import BUILT_IN, engine_of, rulings_of
from sheetgen.table.examples import EXAMPLES, examples_in
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import project_at

FEW = 100_000  # steps; most examples take fewer
ENOUGH, TRIED = 3, 8
PLAYS = 200
# Whose whole is beyond all counting, so that results are compared with so many plays:
LONG = (
    "conflict",
    "skirmish",
    "combat_round",
    "fight_round",
    "roll_attributes",
    "roll_features",
    "roll_skills",
    "round",
    "encounter",
    "deal",
    "start_adventure",
    "fight",
)


@dataclass(frozen=True, slots=True)
class Blow:
    """A roll, and how much it hurts."""

    total: int
    hurt: int
    where: Named[str, int] = Named({})  # noqa: RUF009  (it never changes)


@procedure(say="a roll within others")
def inner(play: Play) -> Blow:
    """Settles a total of its own."""
    total = play.dice.total(1, 6, "inner")
    play.settled(total=total, hurt=99)
    return Blow(total, 99)


@procedure(say="a roll that contains another")
def outer(play: Play, *, deep: bool = False) -> Blow:
    """Twice the inner total, and then a great many dice."""
    total = 2 * (play.part(within) if deep else inner(play)).total
    play.settled(total=total, where=Named({"head": total}))
    hurt = sum(play.dice.roll(30, 6, "hurt"))
    return Blow(total, hurt, Named({"head": total}))


def within(play: Play) -> Blow:
    """The inner roll as a part."""
    return inner(play)


def of(system: System, result: str, **given: object) -> Odds:
    """The odds of one result of the outer roll."""
    return exact_odds(system, outer.__procedure__, given, of=result)  # type: ignore[attr-defined]


@pytest.mark.parametrize("deep", [False, True])
def test_what_is_settled_is_of_the_procedure_that_is_played(gamers: System, deep: bool) -> None:
    sixth = Fraction(1, 6)
    assert of(gamers, "total", deep=deep).odds == tuple((2 * face, sixth) for face in range(1, 7))
    assert of(gamers, "where.head", deep=deep).odds == of(gamers, "total", deep=deep).odds


def test_what_is_not_settled_takes_all_the_dice(gamers: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds_module, "MOST_STEPS", FEW)
    for result in ("hurt", ""):
        with pytest.raises(LimitError):
            of(gamers, result)


def test_an_unknown_result_gets_the_nearest_name(gamers: System) -> None:
    with pytest.raises(UsageError, match=r'no result "totel" \(did you mean "total"\?\)'):
        of(gamers, "totel")
    with pytest.raises(UsageError, match=r'no result "where\.tail"'):
        of(gamers, "where.tail")


def settling(system: System) -> Iterator[Procedure]:
    """Every procedure in whose module anything is settled or asked for."""
    for each in engine_of(system).procedures.values():
        source = getsource(sys.modules[each.work.__module__])
        if ".settled(" in source or ".asked_for(" in source:
            yield each


def cases(pack: Pack, name: str) -> Iterator[Example]:
    """The pack's worked examples of a procedure that end well."""
    for each in examples_in(project_at(Path.cwd(), {}), pack.folder / EXAMPLES):
        if each.do == name and "error" not in each.expect:
            yield each


def picked(outcome: Any, result: str) -> object:
    """A result of an outcome by its plain name."""
    return getattr(outcome, result if hasattr(outcome, result) else f"{result}_")


def compared(system: System, found: Procedure, arguments: dict[str, Any], policy: str) -> bool:
    """Compares the odds of each result with those of the whole; False when the bonus dice are scripted."""
    try:
        whole = exact_odds(system, found, arguments, policy=policy)
    except Refused:
        return False
    for result in as_data(whole.odds[0][0]):  # type: ignore[attr-defined]
        long: dict[object, Fraction] = {}
        for outcome, weight in whole.odds:
            long[picked(outcome, result)] = long.get(picked(outcome, result), Fraction()) + weight
        short = exact_odds(system, found, arguments, of=result, policy=policy)
        open_ = sum((weight for value, weight in short.odds if isinstance(value, AtLeast)), Fraction())
        assert sum((weight for _, weight in short.odds), short.bound) - open_ == 1
        if short.bound == whole.bound:
            assert dict(short.odds) == long, result
        else:  # what is settled does not wait for the end of a loop: it has less of a tail
            assert 0 <= short.bound < whole.bound
            assert all(0 <= weight - long.get(value, 0) <= whole.bound for value, weight in short.odds), result
    return True


def compared_with_plays(system: System, found: Procedure, arguments: dict[str, Any]) -> None:
    """Compares the odds of each result that has some with what comes of many plays."""
    rulings = rulings_of(system)
    tables = [Play(system, Seeded(str(number).encode()), rulings=rulings) for number in range(PLAYS)]
    outcomes = [found.run(play, arguments) for play in tables]
    for result in as_data(outcomes[0]):  # type: ignore[attr-defined]
        with suppress(LimitError):
            for value, weight in exact_odds(system, found, arguments, of=result).odds:
                seen = sum(picked(outcome, result) == value for outcome in outcomes)
                if not isinstance(value, AtLeast):
                    assert abs(seen - PLAYS * weight) <= 1 + 5 * sqrt(PLAYS * weight * (1 - weight)), (result, value)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_settled_result_has_the_odds_it_has_in_the_whole(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(odds_module, "MOST_STEPS", FEW)
    pack = sheetgen.load(name)
    play = Play(pack.system, Scripted(()), rulings=rulings_of(pack.system))
    for found in settling(pack.system):
        done, policies = 0, found.policies or ("",)
        for each in islice(cases(pack, found.name), TRIED):
            with suppress(LimitError):
                arguments = found.arguments(each.given, play)
                done += sum(compared(pack.system, found, arguments, policy) for policy in policies)
            if done >= ENOUGH:
                break
        assert done or found.name in LONG, found.name
        if not done:
            example = next(cases(pack, found.name))
            compared_with_plays(pack.system, found, found.arguments(example.given, play))
