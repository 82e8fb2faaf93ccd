"""What `play` and `odds` say of procedures and of words that do not fit."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.rules.registry import BUILT_IN, engine_of
from sheetgen.table.examples import command_of
from sheetgen.table.play import RandomSource, play, read_words
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at


@pytest.mark.parametrize("name", [*BUILT_IN, "agents", "slackwater"])
def test_every_example_in_the_help_of_a_procedure_can_be_played(name: str) -> None:
    project = project_at(Path.cwd(), os.environ)
    pack = open_pack(project, name)
    for procedure in engine_of(pack.system).procedures.values():
        words = shlex.split(command_of(project, pack, procedure))
        assert words or not any(each.needed for each in procedure.parameters), procedure.name
        given = [word for word in words if "=" in word]
        options = dict(zip(words[len(given) :: 2], words[len(given) + 1 :: 2], strict=True))
        dice = tuple(map(int, options["--dice"].split(","))) if "--dice" in options else None
        cards = tuple(options["--cards"].split(",")) if "--cards" in options else None
        play(pack, procedure, read_words(project, pack, procedure, given), RandomSource(1, dice=dice, cards=cards))


def test_help_says_what_the_fields_of_a_record_take(sheetgen: Callable[..., Any]) -> None:
    lines = sheetgen("play", "genesix", "challenge", "--help").out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("in {attribute, "))
    assert "  opposing         true or false (default false)" in lines[at:]
    assert "`most` checks are made at most; without it, as many as it takes." in " ".join(map(str.strip, lines))


def test_odds_list_and_explain_procedures_as_play_does(sheetgen: Callable[..., Any]) -> None:
    assert sheetgen("odds", "tsgs").out == sheetgen("play", "tsgs").out
    said = sheetgen("odds", "tsgs", "tend", "--help").out.splitlines()
    assert said[0].startswith("sheetgen odds tsgs tend: ")
    assert any(line.startswith("  victim_wounds ") for line in said)
    example = shlex.split(said[-1])
    assert example[:2] == ["sheetgen", "odds"]
    assert "--dice" not in example
    assert sheetgen(*example[1:]).code == 0
    assert sheetgen(*shlex.split(sheetgen("odds", "tsgs", "count", "--help").out.splitlines()[-1])[1:]).code == 0


def test_a_text_that_is_empty_unless_given_is_nothing(sheetgen: Callable[..., Any]) -> None:
    lines = sheetgen("play", "tsgs", "fight", "--help").out.splitlines()
    assert "  side             a word (default nothing)" in lines


def test_help_begins_with_what_the_procedure_alone_takes(sheetgen: Callable[..., Any]) -> None:
    lines = sheetgen("play", "gamers", "recuperate", "--help").out.splitlines()
    names = [line.split()[0] for line in lines if " (default " in line or " a whole number" in line]
    assert names.index("worst_state") < names.index("dm")


def test_help_says_what_a_procedure_leaves_out(sheetgen: Callable[..., Any]) -> None:
    said = sheetgen("play", "gamers", "recuperate", "--help").out
    assert "helps where it is listed among the complements" in said


def test_the_nearest_name_stands_outside_the_wrong_word(sheetgen: Callable[..., Any]) -> None:
    words = ("recuperate", "level=7", "surroundings=sparse", "worst_state=dead or permanently disabled")
    said = sheetgen("play", "gamers", *words).err
    assert 'not "dead or permanently disabled" (did you mean "permanently disabled"?)' in said


def test_a_word_that_another_parameter_takes_leads_there(sheetgen: Callable[..., Any]) -> None:
    said = sheetgen("play", "genesix", "check", "difficulty=7", "range=7").err
    assert "range: takes Close, Near, Far or Distant" in said
    said = sheetgen("play", "tsgs", "static", "level=tough", "difficulty=1").err
    assert 'not "tough" (did you mean "Ability"?)' in said


@pytest.mark.parametrize("verb", ["play", "odds"])
@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("a" + ".b" * 10_000 + "=1", ": nested deeper than 64"),
        ("....=1", '"....": a name is missing beside a dot'),
        ("skill=" + "[" * 5000, "skill: nested deeper than 64"),
        ("skill=" + "[{a: " * 60 + "1", "skill: "),
        ("skill=" + "x" * 100_000, "check: skill: takes a whole number from 0 to 15, not "),
        ("x" * 100_000 + "=1", "is not a parameter"),
        ("x" * 100_000, "is not NAME=VALUE"),
        ("difficulty=" + "x" * 100_000, "difficulty"),
    ],
)
def test_endless_and_deep_words_are_refused_in_one_line(
    sheetgen: Callable[..., Any], verb: str, word: str, said: str
) -> None:
    ran = sheetgen(verb, "gamers", "check", word)
    assert ran.code == 2
    assert said in ran.err
    assert len(ran.err) < 400


def test_endless_dice_are_told_by_their_beginning_and_end(sheetgen: Callable[..., Any]) -> None:
    faces = ",".join(["1"] * 20_000)
    said = sheetgen("play", "gamers", "check", "skill=1", "difficulty=8", "--dice", faces).err
    assert said.startswith("dice left over: 1, 1")
    assert len(said) < 100
    said = sheetgen("play", "diecodes", "roll", "code=" + "1" * 20_000 + "x").err
    assert len(said) < 300


def test_a_range_that_makes_no_difference_is_noted(sheetgen: Callable[..., Any]) -> None:
    words = ("diecodes", "exchange", "a={code: 1d}", "b={code: 1d}", "number=31", "rounds=1")
    assert "note: number: nobody shoots or throws" in sheetgen("odds", *words, "--of", "winner").out


def test_bonus_dice_are_taken_as_far_as_each_roll_allows(sheetgen: Callable[..., Any]) -> None:
    assert sheetgen("odds", "tsgs", "static", "pool=3", "difficulty=1", "bonus_taken=1", "--of", "success").code == 0


@pytest.mark.parametrize(
    ("system", "procedure"),
    [
        ("sixshooter", "multi_stage"),
        ("sixshooter", "deal"),
        ("sixshooter", "standoff"),
        ("diecodes", "random_skills"),
        ("diecodes", "melee"),
        ("gamers", "roll_attributes"),
        ("gamers", "roll_features"),
        ("agents", "hex"),
        ("agents", "roll_attributes"),
    ],
)
def test_the_example_for_odds_holds_whatever_falls(sheetgen: Callable[..., Any], system: str, procedure: str) -> None:
    example = shlex.split(sheetgen("odds", system, procedure, "--help").out.splitlines()[-1])
    assert example[:4] == ["sheetgen", "odds", system, procedure]
    assert sheetgen(*example[1:]).code == 0


@pytest.mark.parametrize("verb", ["play", "odds"])
def test_a_game_without_worked_examples_has_an_example_made_up(
    sheetgen: Callable[..., Any], tmp_path: Path, verb: str
) -> None:
    pack = tmp_path / "plain"
    pack.mkdir()
    (pack / "system.yaml").write_text(
        "id: plain\ntitle: Plain\ncredit: Plain, by us\nlicence: as you like it\n"
        "traits: {virtues: {title: Virtues, range: 0-5, members: {Hope: {}}}}\n"
        "play: {attempt: {family: sum against a target, dice: 2d6, say: an attempt}}\n"
    )
    (pack / "creation.yaml").write_text(
        "steps: {virtues: {do: roll each, group: virtues, dice: 1d4}}\nmethods: {random: {steps: [virtues]}}\n"
    )
    (pack / "sheet.yaml").write_text("character: {name: {is: text, title: Name}, virtues: {is: levels, title: V}}\n")
    example = shlex.split(sheetgen(verb, str(pack), "attempt", "--help").out.splitlines()[-1])
    assert example[4:] == ["target=7"]
    assert sheetgen(verb, str(pack), *example[3:]).code == 0
