"""Group files: what may stand in them, in short and at length, and every mistake with its place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.content.people.groups import in_short, read_group
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.errors import InputError
from sheetgen.model.cast import Group, Member
from sheetgen.model.system import System
from tests.reading import ROOT, SHIPPED, read_pack


def read(system: System, text: str) -> tuple[Group, list[str]]:
    """The group of a text, and what is wrong with it, line by line."""
    problems = Problems()
    group = read_group(parse(text.encode(), "gang.yaml"), "gang", system.creation, system.cast, problems)
    return group, [str(problem) for problem in problems.found]


def test_a_group_has_a_line_for_each_kind_of_people(gamers: System) -> None:
    group, wrong = read(
        gamers,
        """
title: The toll house
say: pay up
method: points
options: {tech: 9}
members:
- {archetype: guard, count: 5}
- {archetype: officer, part: captain, name: Marta Holt, method: random, options: {tech: 6}}
""",
    )
    assert wrong == []
    assert (group.title, group.say, group.method, group.options) == (
        "The toll house",
        "pay up",
        "points",
        {"tech": "9"},
    )
    assert group.members[0] == Member("guard", 5)
    assert group.members[1] == Member("officer", 1, "captain", "Marta Holt", "random", {"tech": "6"})
    assert group.size == 6


def test_in_short_a_line_is_a_number_and_a_word(gamers: System) -> None:
    group, wrong = read(gamers, "members: [5 guards, 1 officer, 2 thieves, 3 spies, 2 bosses, villager]")
    assert wrong == []
    told = [(member.count, member.archetype) for member in group.members]
    assert told == [(5, "guard"), (1, "officer"), (2, "thief"), (3, "spy"), (2, "boss"), (1, "villager")]
    assert group.title == "gang"


@pytest.mark.parametrize(
    ("count", "level", "archetype", "said"),
    [
        (2, "able", "guard", "2 able guards"),
        (1, "", "guard", "1 guard"),
        (3, "", "thief", "3 thieves"),
        (2, "weak", "spy", "2 weak spies"),
        (4, "", "boss", "4 bosses"),
        (2, "", "lawman", "2 lawmen"),
        (2, "", "deep-sea chief", "2 deep-sea chiefs"),
    ],
)
def test_so_many_of_somebody_are_told_in_the_plural(count: int, level: str, archetype: str, said: str) -> None:
    assert in_short(count, level, archetype) == said


@pytest.mark.parametrize("name", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix"])
def test_what_is_told_in_short_is_read_as_the_same(library: Library, name: str) -> None:
    system = read_pack(ROOT / "content" / name, library)
    for word in system.cast.archetypes:
        group, wrong = read(system, f"members: [{in_short(3, '', word)}]")
        assert (wrong, [(each.count, each.archetype) for each in group.members]) == ([], [(3, word)])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("members: [5 gards]", 'gang.yaml:1:11: nobody here is called "gards" (did you mean "guard"?)'),
        ("members: [0 guards]", '"0 guards": from 1 to 999 on a line'),
        ("members: [-1 guards]", '"-1 guards": from 1 to 999 on a line'),
        ("members: [1000 guards]", '"1000 guards": from 1 to 999 on a line'),
        ("members: [{archetype: gaurd}]", 'unknown archetype "gaurd" (did you mean "guard"?)'),
        ("members: [{archetype: guard, count: many}]", 'count is "many", not a plain whole number'),
        ("members: [{archetype: guard, count: 2, name: Bo}]", '2 people cannot all be "Bo" (give each a line)'),
        ("members: [{archetype: guard, options: {tec: 6}}]", 'unknown option "tec" (did you mean "tech"?)'),
        ("members: [{archetype: guard, method: buy}]", 'unknown method "buy"'),
        ("members: [{count: 3}]", 'member lacks "archetype"'),
        ("members: []", "group has no members"),
        ("members: guard", 'members is "guard", not a list'),
        ("memebrs: []", 'unknown key "memebrs" in group (did you mean "members"?)'),
        ("members: [{archetype: &a guard}]", "anchor"),
    ],
)
def test_a_mistake_is_told_with_its_place(gamers: System, text: str, said: str) -> None:
    try:
        _, wrong = read(gamers, text)
    except InputError as error:
        wrong = [str(problem) for problem in error.problems]
    assert len(wrong) == 1
    assert said in wrong[0]


def a_variant(folder: Path, groups: str, of: str = "gamers") -> System:
    """A game that varies another, with these ready groups."""
    (folder / "mist").mkdir()
    (folder / "mist" / "system.yaml").write_text(f"id: mist\nextends: {of}\n")
    (folder / "mist" / "groups.yaml").write_text(groups)
    library = Library({**SHIPPED.packs, "mist": folder / "mist"}, SHIPPED.shown)
    return read_pack(folder / "mist", replace(library, shown=lambda path: path.name))


def test_groups_of_a_variant_take_the_place_of_those_above(tmp_path: Path) -> None:
    """They once joined them: what the game above has was on every list of the variant."""
    system = a_variant(tmp_path, "the ferry:\n  stands_for: [the road gang]\n  members: [2 guards]\n")
    assert [*system.ready_groups] == ["the ferry"]
    assert system.known_groups["the road gang"] is system.ready_groups["the ferry"]
    assert system.known_groups["the caravan"].title == "the caravan"


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        (
            "a: {stands_for: [the rode gang], members: [2 guards]}",
            'unknown group "the rode gang" (did you mean "the road',
        ),
        (
            "a: {stands_for: [the court], members: [1 spy]}\nb: {stands_for: [the court], members: [1 spy]}",
            '"the court" cannot be both "a" and "b"',
        ),
        (
            "a: {stands_for: [the court], members: [1 spy]}\nthe court: {members: [1 spy]}",
            '"the court" cannot be both "the court" and "a"',
        ),
    ],
)
def test_a_group_stands_for_one_that_is_there_and_for_nobody_elses(tmp_path: Path, groups: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        a_variant(tmp_path, groups + "\n")
    (problem,) = caught.value.problems
    assert problem.message.startswith(said)
