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


Block = tuple[int, int]  # 2 for a triumph, 1 for a plain result, 0 for a balls-up; and the total


def quickie(
    *, skill: int, attribute: int, dm: int = 0, helpers: tuple[int, ...] = (), rungs: tuple[int, ...] = ()
) -> Any:
    """One side's roll with its help (attributes, then skills by their rungs) and its confirm roll, as a die."""

    def helps(*rolls: int) -> int:
        passed = [roll <= level for roll, level in zip(rolls, helpers, strict=False)]
        ladder = zip(rolls[len(helpers) :], rungs, (8, 10, 12), strict=False)
        passed += [roll + level >= rung for roll, level, rung in ladder]
        return (*passed, False).index(False)

    def block(help_: int, dice: int, again: int) -> Block:
        total = dice + skill + dm + help_
        if dice == 12:
            return (2 if again <= attribute + skill else 1), total
        if dice == 2 or total <= 0:
            return (1 if again <= attribute + skill else 0), total
        return 1, total

    rolls = [2 @ d6 for _ in (*helpers, *rungs)]
    return map(block, map(helps, *rolls) if rolls else Die([0]), 2 @ d6, 2 @ d6)


HELPED = {
    "skill": 1,
    "attribute": 7,
    "specialty_applies": True,
    "dm": [-3],
    "complements": [{"attribute": 8}, {"skill": 2}, {"skill": 3, "specialty_applies": True}],
}


def helped() -> Any:
    """The same for icepool: a specialty is a level more, in the confirm roll too (GAM-100, GAM-Q28)."""
    return quickie(skill=2, attribute=7, dm=-3, helpers=(8,), rungs=(2, 4))


@pytest.mark.parametrize("difficulty", [4, 8, 11])
def test_a_gamers_quickie_with_all_its_trimmings(difficulty: int) -> None:
    def made(block: Block) -> bool:
        rank, total = block
        return rank == 2 or (rank == 1 and total >= difficulty)

    assert chance("gamers", "check", of="success", difficulty=difficulty, **HELPED) == share(
        helped().map(made, star=False)
    )


@pytest.mark.parametrize("result", ["triumph", "balls_up"])
def test_how_often_a_gamers_quickie_is_special(result: str) -> None:
    rank = {"triumph": 2, "balls_up": 0}[result]
    die = helped().map(lambda block: block[0] == rank, star=False)
    assert chance("gamers", "check", of=result, difficulty=8, **HELPED) == share(die)


def test_a_gamers_contest_with_confirm_rolls_and_an_attack_with_the_same_rolls() -> None:
    """A tie goes to the active side of a contest, and to the defender of an attack (GAM-Q26, GAM-170)."""
    plain = {"skill": 3, "attribute": 6}
    mine, theirs = helped(), quickie(skill=3, attribute=6)
    wins = map(lambda one, other: one >= other, mine, theirs, star=False)
    assert chance("gamers", "opposed", of="active_wins", active=HELPED, opposing=plain) == share(wins)
    levels = {"Endurance": 7, "Strength": 7, "Reflexes": 7}
    hits = map(lambda one, other: one > other, mine, theirs, star=False)
    got = chance("gamers", "attack", of="hit", kind="physical", attacker=HELPED, defender=plain, levels=levels)
    assert got == share(hits)


BONUS = Die({-1: 1, 0: 2, 1: 3})  # what one bonus die brings


@pytest.mark.parametrize(("pool", "difficulty"), [(1, 1), (3, 2), (5, 3), (5, 6)])
def test_a_tsgs_pool_with_every_bonus_die(pool: int, difficulty: int) -> None:
    """Each six adds a die, and a six on that adds none (TSG-035, TSG-037)."""
    each = map(lambda face: (-1 if face == 1 else int(face > 3)) + (BONUS if face == 6 else 0), d6)
    got = chance("tsgs", "static", of="success", policy="all", pool=pool, difficulty=difficulty)
    assert got == share((pool @ each) >= difficulty)


@pytest.mark.parametrize(("pool", "difficulty"), [(2, 1), (3, 2), (4, 5)])
def test_a_tsgs_pool_with_bonus_dice_until_it_succeeds(pool: int, difficulty: int) -> None:
    """The wise take one bonus die after another while the roll falls short."""

    def climbed(result: int, left: int) -> Any:
        if result >= difficulty or not left:
            return result >= difficulty
        return BONUS.map(lambda brought: climbed(result + brought, left - 1))

    each = Die({(-1, 0): 1, (0, 0): 2, (1, 0): 2, (1, 1): 1})
    rolled = each
    for _ in range(pool - 1):
        rolled = map(lambda one, other: (one[0] + other[0], one[1] + other[1]), rolled, each, star=False)
    got = chance("tsgs", "static", of="success", policy="wise", pool=pool, difficulty=difficulty)
    assert got == share(rolled.map(climbed, star=True))


@pytest.mark.parametrize(("a", "b"), [(2, 2), (4, 3), (6, 5), (9, 9)])
def test_a_tsgs_contest_without_bonus_dice(a: int, b: int) -> None:
    """Equal results go to more dice, and with equal dice to nobody (TSG-042, TSG-043)."""
    die = (a @ BONUS) - (b @ BONUS)
    got = {
        side: chance("tsgs", "opposed", of="winner", value=side, a={"pool": a}, b={"pool": b}) for side in ("a", "b")
    }
    assert got["a"] == share(die >= 0 if a > b else die > 0)
    assert got["b"] == share(die < 0)


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


@pytest.mark.parametrize(("code", "number"), [("2d", 60), ("4d+2", 90)])
def test_the_tail_of_a_wild_die_is_closed(code: str, number: int) -> None:
    """However far away a number is, what the wild die may come to is followed until it no longer matters."""
    dice, _, plus = code.partition("d")
    die = (d6.explode(depth=number // 6 + 1) + (int(dice) - 1) @ d6 + int(plus or 0)) >= number
    for wild in ("table", "chat"):
        found = sheetgen.odds(sheetgen.load("diecodes"), "test", of="success", code=code, number=number, wild=wild)
        assert found.chance(True) == share(die)
        assert found.bound == 0


@pytest.mark.parametrize(("a", "b"), [("2d", "2d"), ("3d+1", "2d+2")])
def test_die_codes_in_a_contest_are_right_within_the_bound(a: str, b: str) -> None:
    def rolled(code: str) -> Any:
        dice, _, plus = code.partition("d")
        return d6.explode(depth=12) + (int(dice) - 1) @ d6 + int(plus or 0)

    found = sheetgen.odds(sheetgen.load("diecodes"), "opposed", of="winner", a=a, b=b)
    assert 0 < found.bound < Fraction(1, 10**8)
    for winner, die in (("a", rolled(a) > rolled(b)), ("none", rolled(a) == rolled(b)), ("b", rolled(a) < rolled(b))):
        assert abs(found.chance(winner) - share(die)) <= found.bound


HAND = ["KS up", "7C down", "5D down", "2H down", "QS up", "gone"]


@pytest.mark.parametrize(("use", "off"), [(None, 0), (1, 4)])
@pytest.mark.parametrize(("cn", "strikes"), [(3, 0), (4, 1), (6, 0)])
def test_a_six_shooter_die_with_a_card_and_the_hand_after_it(cn: int, strikes: int, use: int | None, off: int) -> None:
    """The die must exceed the number, at it the hand is rolled all the same, and an empty place is a Strike."""
    critical = min(cn + strikes, 6) - off
    rolled = d6 if critical > 0 else Die([7])
    empty = HAND.count("gone") + (use is not None)

    def after(die: int, place: int) -> int:
        return strikes + (critical > 0 and die <= critical and place <= empty)

    actor = {"descriptor": "Sharp", "hand": HAND, "strikes": strikes}
    given = {"actor": actor, "method": "Slyness", "cn": cn, "use": use}
    assert chance("sixshooter", "attempt", of="overcome", **given) == share(rolled >= max(critical, 0))
    assert chance("sixshooter", "attempt", of="strikes", value=strikes + 1, **given) == share(
        map(after, rolled, d6) == strikes + 1
    )


@pytest.mark.parametrize(("cn", "strikes"), [(3, 0), (5, 1), (7, 0)])
def test_a_six_shooter_die_must_reach_the_critical_number(cn: int, strikes: int) -> None:
    odds = sheetgen.odds(sheetgen.load("sixshooter"), "critical", of="effective", cn=cn, strikes=strikes)
    ((effective, certain),) = odds.odds
    assert certain == 1
    assert isinstance(effective, int)
    assert effective >= cn
