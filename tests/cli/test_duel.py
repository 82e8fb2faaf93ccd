"""Characters as parameters, and duels: the numbers a GM weighs an encounter by."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PEOPLE = """
system: gamers
characters:
- name: Ada Teague
  attributes: {Grit: 7, Awareness: 8, Mind: 7, Endurance: 8, Reflexes: 9, Strength: B}
  skills: {Melee: 3, Fire: 1}
  gear: [sabre, longbow]
- name: Bo Marsh
  attributes: {Grit: 7, Awareness: 6, Mind: 7, Endurance: 6, Reflexes: 6, Strength: 6}
  skills: {Melee: 1}
  gear: [leather jerkin]
- name: Nobody
"""
Sheetgen = Callable[..., Any]


@pytest.fixture
def people(tmp_path: Path) -> str:
    """A file of three: a fighter, somebody else, and somebody without levels."""
    (tmp_path / "people.yaml").write_text(PEOPLE.lstrip())
    return "people.yaml"


def test_a_character_fills_in_what_the_pack_says(people: str, sheetgen: Sheetgen) -> None:
    words = ["attacker=@people.yaml:Ada", "defender=@people.yaml:Bo", "with=Melee"]
    told = json.loads(sheetgen("play", "gamers", "attack", *words, "--seed", "3", "--json").out)["outcome"]
    assert told["attack_total"] - told["defence_total"] >= 3 - 1 - 10
    by_hand = [
        "kind=physical",
        "attacker={skill: 3, attribute: 9, name: Ada Teague}",
        "defender={skill: 1, attribute: 6, name: Bo Marsh}",
        "size=medium",
        "injury_attributes=[11]",
        "armour=[{coverage: 8, rating: 2}]",
        "levels={Endurance: 6, Strength: 6, Reflexes: 6}",
    ]
    again = json.loads(sheetgen("play", "gamers", "attack", *by_hand, "--seed", "3", "--json").out)["outcome"]
    assert again == told


def test_a_bow_adds_both_attributes_and_a_word_overrides(people: str, sheetgen: Sheetgen) -> None:
    words = ["attacker=@people.yaml:Ada", "defender=@people.yaml:Bo", "with=longbow", "attacker.skill=0", "--json"]
    told = json.loads(sheetgen("play", "gamers", "attack", *words, "--dice", "6,4,2,3,1,1,6,6,1").out)["outcome"]
    assert (told["attack_total"], told["defence_total"]) == (10, 5)
    assert told["damage"] == 1 + 1 + 2 + 0


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["attacker=@people.yaml:Eve"], 'people.yaml has no "Eve"'),
        (["attacker=@people.yaml:Bo Mash", "with=Melee"], 'people.yaml has no "Bo Mash" (did you mean "Bo Marsh"?)'),
        (["attacker=@people.yaml:Ada"], "attacker: say with which skill or weapon, such as with=Melee"),
        (
            ["attacker=@people.yaml:Ada", "with=Mele"],
            'attacker: no skill or weapon is called "Mele" (did you mean "Melee"?)',
        ),
        (["attacker=@people.yaml:Nobody", "with=Melee"], "attacker: Nobody has no Reflexes"),
        (["attacker=@nowhere.yaml:Ada", "with=Melee"], "nowhere.yaml: no such file"),
        (["target=@people.yaml:Ada"], "target: GAMERS does not say what a character fills in here"),
    ],
)
def test_what_cannot_be_filled_in_is_told_in_one_line(
    people: str, sheetgen: Sheetgen, words: list[str], line: str
) -> None:
    ran = sheetgen("play", "gamers", "attack", *words)
    assert ran.code == 2
    assert ran.err.startswith(line)
    assert ran.err.count("\n") == 1


def test_a_duel_is_weighed_and_the_same_twice(people: str, sheetgen: Sheetgen, tmp_path: Path) -> None:
    words = ["duel", "gamers", "@people.yaml:Ada", "@people.yaml:Bo", "-n", "200", "-o", "duel.svg"]
    first = json.loads(sheetgen(*words, "--json").out)
    assert json.loads(sheetgen(*words, "--json").out) == first
    assert sum(first["wins"].values()) == 200
    assert first["wins"]["Ada"] > 150
    assert first["costs"]["Bo"] > first["costs"]["Ada"]
    assert sum(first["rounds"].values()) == 200
    assert (tmp_path / "duel.svg").read_text().startswith("<svg")


def test_archetypes_fight_as_somebody_new_each_time(sheetgen: Sheetgen) -> None:
    told = sheetgen("duel", "gamers", "guard", "guard", "-n", "100").out
    assert told.startswith("first guard against second guard, 100 times\n")
    assert "cost in levels" in told


@pytest.mark.parametrize(
    ("system", "strong", "weak"),
    [
        ("tsgs", "{traits: [Very Strong, Very Tough, Dexterous]}", "{traits: [Weak, Clumsy]}"),
        ("genesix", "{attribute: 2, approach: 2, toughness: 1}", "{attribute: -1}"),
    ],
)
def test_records_fight_where_there_are_no_characters_yet(
    sheetgen: Sheetgen, system: str, strong: str, weak: str
) -> None:
    ran = sheetgen("duel", system, strong, weak, "-n", "60", "--json")
    assert ran.err == ""
    told = json.loads(ran.out)
    assert told["wins"]["the first"] > told["wins"]["the second"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["gamers", "gaurd", "thief"], '"gaurd" is no archetype of GAMERS (did you mean "guard"?)'),
        (["gamers", "guard", "thief", "-n", "0"], "sheetgen duel: -n/--count: takes a whole number from 1"),
        (["gamers", "guard", "thief", "--given", "kind=verbal"], "conflict: kind: takes physical or mental"),
    ],
)
def test_a_duel_that_cannot_be_fought_is_refused(sheetgen: Sheetgen, words: list[str], line: str) -> None:
    ran = sheetgen("duel", *words)
    assert ran.code == 2
    assert ran.err.startswith(line)
