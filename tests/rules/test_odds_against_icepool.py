"""The engine's exact odds against an independent library that knows nothing of our rules: icepool."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from icepool import Die, d6, highest, lowest, map

import sheetgen


def chance(system: str, procedure: str, *, of: str, value: object = True, policy: str = "", **given: Any) -> Fraction:
    """What the engine says of one value of one result."""
    return sheetgen.odds(sheetgen.load(system), procedure, of=of, policy=policy, **given).chance(value)


def share(die: Any) -> Fraction:
    """How often a yes-or-no die of icepool says yes."""
    return Fraction(die.quantity(True), die.denominator())


@pytest.mark.parametrize("difficulty", [6, 8, 10])
@pytest.mark.parametrize("skill", [0, 1, 2, 3])
def test_a_gamers_quickie_without_a_confirm_roll(skill: int, difficulty: int) -> None:
    assert chance("gamers", "check", of="success", skill=skill, difficulty=difficulty) == share(
        (2 @ d6 + skill) >= difficulty
    )


def confirmed(first: int, second: int, again: int, skill: int, attribute: int) -> bool:
    """A quickie of difficulty 8 with its confirm roll: ones or a total of 0 may undo it, sixes may not miss."""
    made = again <= attribute + skill
    if first == second == 6:
        return made or first + second + skill >= 8
    if first == second == 1:
        return made and first + second + skill >= 8
    return first + second + skill >= 8


@pytest.mark.parametrize("attribute", [2, 7, 12])
@pytest.mark.parametrize("skill", [0, 2, 6])
def test_a_gamers_quickie_with_its_confirm_roll(skill: int, attribute: int) -> None:
    die = map(lambda a, b, c: confirmed(a, b, c, skill, attribute), d6, d6, 2 @ d6)
    assert chance("gamers", "check", of="success", skill=skill, difficulty=8, attribute=attribute) == share(die)


@pytest.mark.parametrize("traits", [[7], [7, 9], [2, 12]])
def test_gamers_helpers_stop_at_the_first_failure(traits: list[int]) -> None:
    def helped(total: int, *rolls: int) -> bool:
        helps = 0
        for roll, level in zip(rolls, traits, strict=True):
            if roll > level:
                break
            helps += 1
        return total + 1 + helps >= 8

    die = map(helped, 2 @ d6, *[2 @ d6 for _ in traits])
    complements = [{"attribute": level} for level in traits]
    assert chance("gamers", "check", of="success", skill=1, difficulty=8, complements=complements) == share(die)


@pytest.mark.parametrize(("active", "opposing"), [(0, 0), (2, 1), (1, 3)])
def test_a_gamers_contest_goes_to_the_active_side_on_a_tie(active: int, opposing: int) -> None:
    """GAM-Q26, without confirm rolls."""
    die = (2 @ d6 + active) >= (2 @ d6 + opposing)
    sides = {"active": {"skill": active}, "opposing": {"skill": opposing}}
    assert chance("gamers", "opposed", of="active_wins", **sides) == share(die)


@pytest.mark.parametrize("pool", [1, 3, 5, 8])
@pytest.mark.parametrize("difficulty", [1, 2, 4])
def test_a_tsgs_pool_without_bonus_dice(pool: int, difficulty: int) -> None:
    """Four and up succeed, ones take away; bonus dice are left lying."""
    die = (pool @ Die({-1: 1, 0: 2, 1: 3})) >= difficulty
    got = chance("tsgs", "static", of="success", policy="none", pool=pool, difficulty=difficulty)
    assert got == share(die)


@pytest.mark.parametrize("difficulty", [5, 7, 9])
@pytest.mark.parametrize(
    ("given", "rolled"),
    [
        ({}, 2 @ d6),
        ({"advantage": 1}, highest(d6, d6, d6, keep=2)),
        ({"disadvantage": 1}, lowest(d6, d6, d6, keep=2)),
        ({"advantage": 2, "disadvantage": 1}, highest(d6, d6, d6, keep=2)),
    ],
)
def test_a_genesix_check_keeps_two_of_three(given: dict[str, int], rolled: Any, difficulty: int) -> None:
    got = chance("genesix", "check", of="success", attribute=1, approach=1, difficulty=difficulty, **given)
    assert got == share((rolled + 2) >= difficulty)


@pytest.mark.parametrize(("code", "number"), [("1d", 7), ("2d", 13), ("3d+1", 12), ("3d", 25)])
def test_a_die_code_with_its_wild_die_succeeds_exactly(code: str, number: int) -> None:
    """Deep enough an explosion is beyond every number asked for here, so that cutting it changes nothing."""
    dice, _, plus = code.partition("d")
    wild: Callable[..., Any] = d6.explode
    die = (wild(depth=6) + (int(dice) - 1) @ d6 + int(plus or 0)) >= number
    assert chance("diecodes", "test", of="success", code=code, number=number) == share(die)


@pytest.mark.parametrize(("cn", "strikes"), [(3, 0), (5, 1), (7, 0)])
def test_a_six_shooter_die_must_reach_the_critical_number(cn: int, strikes: int) -> None:
    odds = sheetgen.odds(sheetgen.load("sixshooter"), "critical", of="effective", cn=cn, strikes=strikes)
    ((effective, certain),) = odds.odds
    assert certain == 1
    assert isinstance(effective, int)
    assert effective >= cn
