"""The line at the foot of a sheet: all that is needed to roll the same person again, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sheetgen.documents.people.sheet import LONGEST_PROVENANCE, provenance_line
from sheetgen.model.character import Character, Origin
from sheetgen.model.system import System
from sheetgen.rules.rolling import Roller, plan_of


def rolled(system: System, **asked: object) -> str:
    """The line of somebody rolled by these words."""
    origin = Roller(system, plan_of(system, **asked), 7).roll(3).origin  # type: ignore[arg-type]
    assert origin is not None
    return provenance_line(system, origin).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({}, "seed 7 · no. 3"),
        ({"archetype": "guard"}, "guard · seed 7 · no. 3"),
        ({"archetype": "guard", "method": "random"}, "guard, random · seed 7 · no. 3"),
        ({"method": "points"}, "points · seed 7 · no. 3"),
        ({"archetype": "spy", "options": {"tech": "9"}}, "spy, tech 9 · seed 7 · no. 3"),
        ({"options": {"skills": "bought"}}, "skills bought · seed 7 · no. 3"),
        ({"options": {"culture": "slavic"}}, "slavic culture · seed 7 · no. 3"),
        ({"archetype": "spy", "options": {"level": "boss"}}, "spy, boss · seed 7 · no. 3"),
    ],
)
def test_only_what_is_not_taken_by_itself_is_named(gamers: System, asked: dict[str, object], line: str) -> None:
    assert rolled(gamers, **asked) == line


def test_what_the_foot_cannot_hold_is_left_to_the_file(gamers: System) -> None:
    options = {"features": "Licence,People,Psyche,Status,Tech,Wealth", "tech": "9"}
    assert provenance_line(gamers, Origin("random", 7, 3, "guard", options)) == "guard …\u00a0· seed 7\u00a0· no. 3"
    assert provenance_line(gamers, Origin("random", 7, 3, "", options)) == "…\u00a0· seed 7\u00a0· no. 3"
    longest = provenance_line(gamers, Origin("x" * 60, 2**63 - 1, 10**9, "y" * 60, options))
    assert longest.startswith("…")
    assert len(longest) <= LONGEST_PROVENANCE


def test_words_that_the_pack_does_not_know_any_more_are_told(gamers: System) -> None:
    assert provenance_line(gamers, Origin("old way", 7, 3, "wizard")) == "wizard, old way\u00a0· seed 7\u00a0· no. 3"


def test_whoever_was_rolled_again_in_part_is_told_as_such(gamers: System) -> None:
    origin = Origin("random", 7, 3, rerolled={"hook": 12})
    assert provenance_line(gamers, origin) == "rolled again in part\u00a0· seed 7\u00a0· no. 3"


def test_somebody_who_was_edited_is_told_as_such(gamers: System) -> None:
    origin = Origin("arrange", 7, 3, "guard", edited=True)
    assert provenance_line(gamers, origin) == "guard\u00a0· seed 7\u00a0· no. 3\u00a0· edited since"


def test_the_sheet_says_it(gamers: System) -> None:
    from sheetgen.documents.people.sheet import sheet_values

    person = Character("gamers", {"name": "Ada"}, Origin("arrange", 7, 3, "guard"))
    assert sheet_values(gamers, person, {})["seed"] == "guard\u00a0· seed 7\u00a0· no. 3"


def test_who_was_rolled_with_a_group_is_told_by_its_title_and_their_place(gamers: System) -> None:
    one = Origin("arrange", 5, 1003, "guard", {"skills": "bought", "culture": "one"}, {"occupation": 7})
    watch = replace(one, group="The night watch")
    said = [provenance_line(gamers, each) for each in (watch, replace(watch, place=3), replace(watch, edited=True))]
    assert [line.replace("\u00a0", " ") for line in said] == [
        "The night watch · seed 5",
        "The night watch · seed 5 · no. 3",
        "The night watch · seed 5 · edited since",
    ]
