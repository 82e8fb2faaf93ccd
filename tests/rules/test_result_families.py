"""The families by which small games are played, held against plain counting of every way the dice can fall."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from math import perm
from pathlib import Path
from typing import Any

import pytest

Mist = Callable[[str], None]

PACK = """
id: mist
title: Mist
credit: Mist, by somebody
licence: CC0
traits: {{virtues: {{title: Virtues, range: 0-5, members: {{Hope: {{}}}}}}}}
play:
  roll: {{{play}}}
"""
PBTA = "{strong: 10, weak: 7, miss: 2}"
BLADES = "{full: 6, part: 4, bad: 1}"
LADDER = "[d4, d6, d8, d10, d12]"


@pytest.fixture
def mist(tmp_path: Path) -> Mist:
    """A pack in the folder mist/ with one roll called `roll`."""

    def write(play: str) -> None:
        (tmp_path / "mist").mkdir(exist_ok=True)
        (tmp_path / "mist" / "system.yaml").write_text(PACK.format(play=play).lstrip())

    return write


def faces(count: int, sides: int) -> Iterable[tuple[int, ...]]:
    """Every way in which dice can fall."""
    return product(range(1, sides + 1), repeat=count)


def counted(results: Iterable[object]) -> dict[object, Fraction]:
    """How likely each result is, all of them being as likely as the others."""
    found = Counter(results)
    return {value: Fraction(count, found.total()) for value, count in found.items()}


def band(total: int, **least: int) -> str:
    return next((name for name, floor in least.items() if total >= floor), [*least][-1])


def pbta(total: int) -> str:
    return band(total, strong=10, weak=7, miss=2)


def blades(*pool: int) -> str:
    return band(max(pool), full=6, part=4, bad=1)


def degree(total: int, level: int) -> str:
    if total in (1, 100):
        return "critical" if total == 1 else "fumble"
    return next(
        (word for word, part in (("extreme", 5), ("hard", 2), ("regular", 1)) if total * part <= level), "failure"
    )


def hundred(tens: int, units: int) -> int:
    return 10 * (tens % 10) + units % 10 or 100


CASES: dict[str, tuple[str, list[str], str, Iterable[object]]] = {
    "d20 at or under": ("family: roll under, dice: 1d20", ["target=13"], "success", [f <= 13 for (f,) in faces(1, 20)]),
    "always and never": (
        "family: roll under, dice: 1d20, always: 1, never: 20",
        ["target=25"],
        "degree",
        ["critical" if f == 1 else "fumble" if f == 20 else "success" for (f,) in faces(1, 20)],
    ),
    "advantage under": (
        "family: roll under, dice: 1d20",
        ["target=8", "advantage=1"],
        "success",
        [min(pair) <= 8 for pair in faces(2, 20)],
    ),
    "doubles on a hundred": (
        "family: roll under, dice: 1d100, doubles: yes",
        ["target=45"],
        "degree",
        [
            ("critical" if f <= 45 else "fumble") if f % 11 == 0 or f == 100 else "success" if f <= 45 else "failure"
            for (f,) in faces(1, 100)
        ],
    ),
    "doubles on two dice": (
        "family: roll under, dice: 2d6, doubles: yes",
        ["target=7"],
        "degree",
        [
            ("critical" if a + b <= 7 else "fumble") if a == b else "success" if a + b <= 7 else "failure"
            for a, b in faces(2, 6)
        ],
    ),
    "blackjack": (
        "family: roll under, dice: 1d20, blackjack: yes",
        ["target=12", "advantage=1"],
        "margin",
        [max([f for f in pair if f <= 12], default=12 - min(pair)) for pair in faces(2, 20)],
    ),
    "three bands": (
        f"family: bands of results, dice: 2d6, bands: {PBTA}",
        ["bonus=1"],
        "band",
        [pbta(sum(f) + 1) for f in faces(2, 6)],
    ),
    "bands with advantage": (
        f"family: bands of results, dice: 2d6, bands: {PBTA}",
        ["advantage=1"],
        "band",
        [pbta(sum(sorted(f)[1:])) for f in faces(3, 6)],
    ),
    "bands with drawback": (
        f"family: bands of results, dice: 2d6, bands: {PBTA}",
        ["advantage=-2", "bonus=2"],
        "total",
        [sum(sorted(f)[:2]) + 2 for f in faces(4, 6)],
    ),
    "highest of three": (
        f"family: highest face, bands: {BLADES}, twice: critical",
        ["dice=3"],
        "band",
        ["critical" if f.count(6) > 1 else blades(*f) for f in faces(3, 6)],
    ),
    "no dice at all": (
        f"family: highest face, bands: {BLADES}, twice: critical",
        ["dice=0"],
        "band",
        [blades(min(f)) for f in faces(2, 6)],
    ),
    "a die of a ladder": (
        f"family: step dice, ladder: {LADDER}",
        ["die=d8", "target=5", "bonus=1"],
        "success",
        [f >= 4 for (f,) in faces(1, 8)],
    ),
    "a wild die beside it": (
        f"family: step dice, ladder: {LADDER}, beside: d6",
        ["die=d8", "target=4"],
        "success",
        [a >= 4 or b >= 4 for a in range(1, 9) for b in range(1, 7)],
    ),
    "a die of a ladder in bands": (
        f"family: step dice, ladder: {LADDER}, bands: {{good: 5, cost: 3, bad: 1}}",
        ["die=d8"],
        "band",
        [band(f, good=5, cost=3, bad=1) for (f,) in faces(1, 8)],
    ),
    "a die of a ladder, with help": (
        f"family: step dice, ladder: {LADDER}, bands: {{good: 5, cost: 3, bad: 1}}",
        ["die=d4", "help=d6"],
        "band",
        [band(max(a, b), good=5, cost=3, bad=1) for a in range(1, 5) for b in range(1, 7)],
    ),
    "a usage die": (
        f"family: usage die, ladder: {LADDER}",
        ["die=d6"],
        "left",
        ["d4" if f < 3 else "d6" for (f,) in faces(1, 6)],
    ),
    "the last usage die": (
        f"family: usage die, ladder: {LADDER}",
        ["die=d4"],
        "used_up",
        [f < 3 for (f,) in faces(1, 4)],
    ),
    "degrees of a hundred": (
        "family: percentile, degrees: {regular: 1, hard: 2, extreme: 5}, critical: 1, fumble: 100",
        ["target=60"],
        "degree",
        [degree(f, 60) for (f,) in faces(1, 100)],
    ),
    "bonus tens": (
        "family: percentile, degrees: {regular: 1, hard: 2, extreme: 5}, critical: 1, fumble: 100",
        ["target=45", "advantage=1"],
        "degree",
        [degree(min(hundred(a, u), hundred(b, u)), 45) for a, b, u in faces(3, 10)],
    ),
    "doubles with a bonus die of tens": (
        "family: percentile, doubles: yes",
        ["target=45", "advantage=1"],
        "degree",
        [
            ("critical" if low <= 45 else "fumble")
            if low % 11 == 0 or low == 100
            else "success"
            if low <= 45
            else "failure"
            for a, b, u in faces(3, 10)
            for low in [min(hundred(a, u), hundred(b, u))]
        ],
    ),
    "matching faces": (
        "family: matching faces, sides: 10",
        ["dice=4"],
        "width",
        [max(Counter(f).values()) for f in faces(4, 10)],
    ),
    "matching faces, many": (
        "family: matching faces, sides: 6",
        ["dice=7"],
        "width",
        [max(Counter(f).values()) for f in faces(7, 6)],
    ),
    "opposed": (
        "family: opposed rolls, dice: 2d6, ties: b",
        ["a=1"],
        "winner",
        ["a" if sum(f[:2]) + 1 > sum(f[2:]) else "b" for f in faces(4, 6)],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_odds_are_those_of_plain_counting(mist: Mist, sheetgen: Callable[..., Any], case: str) -> None:
    play, given, of, results = CASES[case]
    mist(play)
    ran = sheetgen("odds", "./mist", "roll", *given, "--of", of, "--json")
    assert ran.err == ""
    found = {entry["value"]: Fraction(entry["p"]) for entry in json.loads(ran.out)["odds"]}
    assert {value: chance for value, chance in found.items() if chance} == counted(results)


@pytest.mark.parametrize(("dice", "sides"), [(11, 10), (15, 100)])
def test_the_largest_pools_that_match_have_exact_odds(
    mist: Mist, sheetgen: Callable[..., Any], dice: int, sides: int
) -> None:
    mist(f"family: matching faces, sides: {sides}")
    ran = sheetgen("odds", "./mist", "roll", f"dice={dice}", "--of", "width", "--json")
    found = {entry["value"]: Fraction(entry["p"]) for entry in json.loads(ran.out)["odds"]}
    assert ran.err == ""
    assert sum(found.values()) == 1
    assert found[dice] == Fraction(sides, sides**dice)
    assert found[dice - 1] == Fraction(sides * dice * (sides - 1), sides**dice)
    assert found.get(1, 0) == Fraction(perm(sides, dice), sides**dice)


def test_exploding_dice_go_on_after_their_highest_face(mist: Mist, sheetgen: Callable[..., Any]) -> None:
    mist("family: exploding dice, dice: 1d6")
    ran = sheetgen("odds", "./mist", "roll", "target=13", "--of", "success", "--json")
    found = {entry["value"]: entry["p"] for entry in json.loads(ran.out)["odds"]}
    assert abs(Fraction(found[True]) - Fraction(1, 36)) < Fraction(1, 10**6)  # the rest of an open tail
    played = sheetgen("play", "./mist", "roll", "target=8", "--dice", "6,6,1")
    assert "1d6: 13 = 13, against 8: success by 5" in played.out


@pytest.mark.parametrize(
    ("play", "line"),
    [
        (
            "family: roll under, dice: 3d6, doubles: yes",
            "play roll: doubles need two dice, or a d100 whose digits are read",
        ),
        ("family: roll under, dice: 1d20, doubles: maybe", 'play roll: doubles is yes or no, not "maybe"'),
        ("family: bands of results, dice: 2d6", "play roll: needs bands, each with its least total: {hit: 7, miss: 2}"),
        ("family: bands of results, dice: 2d6, bands: {a: x}", 'play roll: a begins at a whole number, not "x"'),
        ("family: bands of results, dice: 2d6, bands: {a: 7, b: 7}", "play roll: two bands begin at the same total"),
        ("family: step dice, ladder: [d8, d6]", "play roll: needs ladder, rising dice of 2 to 100 sides: [d4, d6, d8]"),
        ("family: step dice, ladder: [d6], beside: 6", 'play roll: beside is a die such as d6, not "6"'),
        ("family: opposed rolls, dice: 2d6, ties: c", 'play roll: ties go to nobody, a or b, not to "c"'),
    ],
)
def test_wrong_words_are_told_in_one_line(mist: Mist, sheetgen: Callable[..., Any], play: str, line: str) -> None:
    mist(play)
    ran = sheetgen("check", "./mist")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert line in ran.err


FORMULAS = """
id: mist
title: Mist
credit: Mist, by somebody
licence: CC0
traits: {virtues: {title: Virtues, range: 0-5, members: {Hope: {}}}}
play:
  strike:
    family: reckoning
    say: hit somebody, and how hard
    takes: {skill: 1 to 20, armour: {is: 0 to 6, default: 0}, edge: {is: -2 to 2, default: 0}}
    first:
      face: {roll: 1d20, more: {times: [edge, -1]}}
      hit: {at least: [skill, face]}
      blow: {if: hit, then: {roll: 1d6}, else: 0}
    results:
      harm: {most: [0, {difference: [blow, armour]}]}
      how: {band: harm, of: {killed: 6, hurt: 1, unhurt: 0}}
    tells: ['{face} against {skill}: {harm}']
  pool:
    family: reckoning
    say: how many dice show the same
    takes: {dice: 1 to 6}
    first: {fell: {faces: dice, sides: 6}}
    results: {sixes: {count: {each: fell, where: {is: [each, 6]}}}, best: {most: fell}}
"""


def test_formulas_roll_compare_and_band(tmp_path: Path, sheetgen: Callable[..., Any]) -> None:
    (tmp_path / "mist").mkdir()
    (tmp_path / "mist" / "system.yaml").write_text(FORMULAS.lstrip())
    assert sheetgen("check", "./mist").err == ""
    ran = sheetgen("odds", "./mist", "strike", "skill=12", "armour=2", "--of", "how", "--json")
    found = {entry["value"]: Fraction(entry["p"]) for entry in json.loads(ran.out)["odds"]}
    assert found["hurt"] == Fraction(12, 20) * Fraction(4, 6)
    edge = sheetgen("odds", "./mist", "strike", "skill=12", "edge=1", "--of", "harm", "--json")
    zero = {entry["value"]: Fraction(entry["p"]) for entry in json.loads(edge.out)["odds"]}[0]
    assert zero == Fraction(8 * 8, 400)
    assert "7 against 12: 3\n" in sheetgen("play", "./mist", "strike", "skill=12", "armour=1", "--dice", "7,4").out
    pool = sheetgen("odds", "./mist", "pool", "dice=4", "--of", "sixes", "--json")
    sixes = {entry["value"]: Fraction(entry["p"]) for entry in json.loads(pool.out)["odds"]}
    assert sixes == counted(f.count(6) for f in faces(4, 6))


@pytest.mark.parametrize(
    ("formula", "line"),
    [
        ("{roll: 2d}", '"2d" does not say how many sides: write 2d6'),
        ("{faces: 3}", '"faces" needs "sides"'),
        ("{band: dice}", '"band" needs "of"'),
        ("{roll: 2d6, sides: 6}", '"sides" does not go with "roll"'),
    ],
)
def test_what_no_formula_rolls_is_told(tmp_path: Path, sheetgen: Callable[..., Any], formula: str, line: str) -> None:
    (tmp_path / "mist").mkdir()
    text = FORMULAS.replace("first: {fell: {faces: dice, sides: 6}}", f"first: {{fell: {{list: [{formula}]}}}}")
    (tmp_path / "mist" / "system.yaml").write_text(text.lstrip())
    ran = sheetgen("check", "./mist")
    assert ran.code == 1
    assert line in ran.err
