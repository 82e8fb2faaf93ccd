"""A pack without Python says how two of its characters fight: odds held against plain counting, and duels."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

PACK = """
id: mist
title: Mist
credit: Mist, by somebody
licence: CC0
traits: {{virtues: {{title: Virtues, range: 1-20, start: 3-9, members: {{Hope: {{}}, Hits: {{}}}}}}}}
play:
  fight: {{family: fight, {fight}}}
  attack: {{family: roll under, dice: 1d6}}
  strike:
    family: reckoning
    say: hit somebody
    takes: {{level: 1 to 6, guard: {{is: 0 to 4, default: 0}}}}
    first: {{face: {{roll: 1d6}}}}
    results: {{wounds: {{if: {{at least: [level, face]}}, then: {{most: [0, {{difference: [2, guard]}}]}}, else: 0}}}}
uses:
  fight:
    a: {{a.hits: virtues.Hits, a.target: virtues.Hope}}
    b: {{b.hits: virtues.Hits, b.target: virtues.Hope}}
"""
DOCS = Path(__file__).parents[2] / "docs" / "mechanics.md"
ROLLED = "roll: attack, own: [target], hit: success"
READ = "roll: strike, own: [level], other: [guard], takes: wounds"
SIDES = ("a={hits: 2, target: 3, weapon: 1d2}", "b={hits: 2, target: 2, armour: 1, weapon: 1d3}")
SHEET = "character: {name: {is: text, title: Name}, virtues: {is: levels, title: Virtues}}\n"
PERSON = "system: ./mist\ncharacters:\n- name: Ada\n  virtues: {Hope: 4, Hits: 5}\n"

Sheetgen = Callable[..., Any]
Mist = Callable[[str], None]


@pytest.fixture
def mist(tmp_path: Path) -> Mist:
    """A pack in the folder mist/ with a fight."""

    def write(fight: str) -> None:
        (tmp_path / "mist").mkdir(exist_ok=True)
        (tmp_path / "mist" / "system.yaml").write_text(PACK.format(fight=fight).lstrip())

    return write


def counted(order: str, most: int) -> dict[str, Fraction]:
    """How likely each winner is, over every way all dice of all rounds can fall: hit and damage of each side."""
    found, rounds = Counter[str](), list(product(range(1, 7), (1, 2), range(1, 7), (1, 2, 3), (1, 2)))
    for faces in product(rounds, repeat=most):
        hits = {"a": 2, "b": 2}
        for a_face, a_damage, b_face, b_damage, lot in faces:
            harm = {"b": a_damage - 1 if a_face <= 3 else 0, "a": b_damage if b_face <= 2 else 0}
            for other in ("b", "a") if order != "by lot" or lot == 1 else ("a", "b"):
                if order == "at once" or all(left > 0 for left in hits.values()):
                    hits[other] -= harm[other]
            if min(hits.values()) <= 0:
                break
        standing = [side for side, left in hits.items() if left > 0]
        found[standing[0] if len(standing) == 1 else "nobody"] += 1
    return {winner: Fraction(count, found.total()) for winner, count in found.items()}


@pytest.mark.parametrize("order", ["by turns", "by lot", "at once"])
def test_odds_of_a_fight_are_those_of_plain_counting(mist: Mist, sheetgen: Sheetgen, order: str) -> None:
    mist(f"{ROLLED}, order: {order}, most: 2")
    ran = sheetgen("odds", "./mist", "fight", *SIDES, "--of", "winner", "--json")
    assert ran.err == ""
    assert {each["value"]: Fraction(each["p"]) for each in json.loads(ran.out)["odds"]} == counted(order, 2)


def test_a_fight_is_told_blow_by_blow(mist: Mist, sheetgen: Sheetgen) -> None:
    mist(READ)
    ran = sheetgen("play", "./mist", "fight", "a={hits: 2, level: 3}", "b={hits: 2, level: 3}", "--dice", "5,3")
    assert "a takes 2" in ran.out
    assert "b wins: a has 0 hits left, b 2" in ran.out


def test_people_of_the_pack_fight_duels(mist: Mist, sheetgen: Sheetgen, tmp_path: Path) -> None:
    mist(ROLLED)
    (tmp_path / "mist" / "sheet.yaml").write_text(SHEET)
    (tmp_path / "mist.yaml").write_text(PERSON)
    weak = "{hits: 1, target: 0}"
    ran = sheetgen("duel", "./mist", "@mist.yaml:Ada", weak, "-n", "40")
    assert ran.err == ""
    assert "Ada         wins 100.0%" in ran.out
    assert "cost in hits: Ada" in ran.out


def test_the_fight_of_the_docs_is_a_duel(tmp_path: Path, sheetgen: Sheetgen) -> None:
    chapter = DOCS.read_text().partition("## A fight, and duels")[2]
    (tmp_path / "mist").mkdir()
    (tmp_path / "mist" / "system.yaml").write_text(
        PACK.partition("play:")[0].format().lstrip() + chapter.split("```")[1].removeprefix("yaml\n")
    )
    lines = [line for line in chapter.split("```")[3].splitlines() if line.startswith("$ sheetgen ")]
    for line in lines:
        ran = sheetgen(*shlex.split(line)[2:])
        assert (ran.code, ran.err) == (0, "")
    assert {"duel", "odds"} == {line.split()[2] for line in lines}


@pytest.mark.parametrize(
    ("fight", "line"),
    [
        ("roll: attak, own: [target], hit: success", 'play fight: unknown roll "attak" (did you mean "attack"?)'),
        ("roll: fight, own: [target], hit: success", 'play fight: unknown roll "fight" (one of: attack, strike)'),
        ("roll: attack, hit: success", "play fight: attack needs target: name it under own or other"),
        ("roll: attack, own: [targe], hit: success", 'attack takes no "targe" (did you mean "target"?)'),
        ("roll: attack, own: [target]", "say either takes (a result that is a number) or hit"),
        (
            "roll: attack, own: [target], hit: margin",
            'attack has no result "margin" that is yes or no (there are success)',
        ),
        (f"{READ}, weapon: 1d6", "weapon goes with hit, not with takes"),
        (f"{ROLLED}, weapon: 1d", 'play fight: weapon: "1d" does not say how many sides'),
        (f"{ROLLED}, order: at one", 'not "at one" (did you mean "at once"?)'),
        (f"{ROLLED}, most: 0", "most is at least 1 round"),
    ],
)
def test_a_fight_that_does_not_hold_is_told_at_its_place(mist: Mist, sheetgen: Sheetgen, fight: str, line: str) -> None:
    mist(fight)
    ran = sheetgen("play", "./mist", "fight")
    assert line in ran.err
    assert "mist/system.yaml:7:" in ran.err
