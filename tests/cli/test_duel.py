"""Characters as parameters, and duels: the numbers a GM weighs an encounter by."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from sheetgen.table import play as table_play

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
PACKS = Path(__file__).parents[2] / "content"


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
    assert ran.code == 0  # on a slow machine the progress is told, too
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


def test_a_parameter_given_twice_is_refused(sheetgen: Sheetgen) -> None:
    ran = sheetgen("duel", "gamers", "guard", "thief", "--given", "kind=physical", "--given", "kind=mental")
    assert (ran.code, ran.err) == (2, '--given kind is given twice: "physical" and "mental"\n')


@pytest.mark.parametrize(
    "words",
    [
        ["odds", "gamers", "check", "skill=2", "difficulty=8", "--of", "success"],
        ["odds", "gamers", "attack", "attacker=@people.svg:Ada", "defender=@people.svg:Bo", "with=Melee"],
        ["duel", "gamers", "@people.svg:Ada", "guard", "-n", "1"],
    ],
)
def test_a_chart_never_lands_on_what_it_is_made_from(
    words: list[str], people: str, sheetgen: Sheetgen, tmp_path: Path
) -> None:
    named = (tmp_path / people).rename(tmp_path / "people.svg") if "people.svg" in " ".join(words) else None
    target = named or PACKS / "gamers" / "chart.svg"
    ran = sheetgen(*words, "-o", str(target))
    assert ran.code == 2
    assert "is also an input" in ran.err if named else "lies among the files it is made from" in ran.err
    assert ran.err.count("\n") == 1
    assert target.exists() == (named is not None)


def test_a_duel_that_would_take_minutes_says_how_many_fights_take_less(
    sheetgen: Sheetgen, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = count()
    monkeypatch.setattr(table_play, "computing", lambda: next(looks))  # a second for every hundred fights
    ran = sheetgen("duel", "gamers", "guard", "thief", "-n", "7000")
    message = "7,000 fights take some 70 s of computing, more than 60 s: -n 3000 takes half a minute\n"
    assert (ran.code, ran.out, ran.err) == (3, "", message)
    assert sheetgen("duel", "gamers", "guard", "thief", "-n", "300", "--quiet").code == 0


def test_samples_that_would_take_minutes_are_refused_after_a_look(
    sheetgen: Sheetgen, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = count()
    monkeypatch.setattr(table_play, "computing", lambda: next(looks))  # a second for every hundred plays
    words = ("odds", "gamers", "check", "skill=2", "difficulty=8", "--of", "success", "--samples")
    ran = sheetgen(*words, "7000")
    message = "7,000 plays take some 70 s of computing, more than 60 s: --samples 3000 takes half a minute\n"
    assert (ran.code, ran.out, ran.err) == (3, "", message)
    assert sheetgen(*words, "300", "--quiet").code == 0


@pytest.mark.parametrize("name", ["Boss, Bo Marsh", "Bo Marsh", "Bo"])
def test_somebody_with_a_part_in_a_group_is_found_without_it(name: str, people: str, sheetgen: Sheetgen) -> None:
    text = Path(people).read_text(encoding="utf-8")
    Path(people).write_text(text.replace("Bo Marsh", "Boss, Bo Marsh"), encoding="utf-8")
    assert sheetgen("duel", "gamers", f"@{people}:{name}", "guard", "-n", "1", "--quiet").code == 0


def test_a_chart_needs_a_file(sheetgen: Sheetgen) -> None:
    for words in (["odds", "gamers", "check", "skill=2", "difficulty=8"], ["duel", "gamers", "guard", "thief"]):
        ran = sheetgen(*words, "-o", "-")
        assert (ran.code, ran.err) == (2, "a chart needs a file: -o chart.svg\n")


def test_odds_as_json_name_everything_that_was_asked(sheetgen: Sheetgen) -> None:
    words = ["odds", "gamers", "check", "skill=2", "difficulty=8", "--json"]
    told = json.loads(sheetgen(*words, "--of", "success").out)
    assert told == {
        "system": "gamers",
        "procedure": "check",
        "given": {"skill": 2, "difficulty": 8},
        "policy": "wise",
        "of": "success",
        "odds": [{"value": False, "p": "5/18"}, {"value": True, "p": "13/18"}],
        "bound": "0",
    }
    whole = json.loads(sheetgen(*words).out)["odds"]
    assert {entry["p"] for entry in whole if entry["value"]["total"] == 9} == {"1/6"}


def test_a_result_within_a_result_that_may_not_apply_is_none_then(sheetgen: Sheetgen) -> None:
    words = ["attacker={roll: strength, level: Very}", "defender={level: Normal}", "--of", "toughness.condition"]
    ran = sheetgen("odds", "tsgs", "attack", *words)
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == ["none", "unconscious", "wounded"]


def test_odds_that_would_take_too_long_say_what_to_ask_instead(sheetgen: Sheetgen) -> None:
    ran = sheetgen("odds", "gamers", "roll_attributes")
    assert ran.code == 3
    assert "; --of asks for one result: attributes, code; " in ran.err
    assert ran.err.endswith("; --samples 100000 estimates it from that many plays\n")


@pytest.mark.parametrize("many", ["2 outlaws", "outlaw + boss", "the night watch"])
def test_several_are_shown_the_way_to_an_encounter(sheetgen: Sheetgen, many: str) -> None:
    ended = sheetgen("duel", "gamers", many, "guard")
    assert ended.code == 2
    assert f'"{many}" is more than one' in ended.err
    assert "sheetgen encounter" in ended.err
