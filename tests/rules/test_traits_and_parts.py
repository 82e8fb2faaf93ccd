"""Traits with short names and defaults of their own, and steps that set some of a group, a section or a playbook."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.errors import InputError
from sheetgen.model.character import Character
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

DOCS = Path(__file__).parents[2] / "docs" / "packs.md"
HEAD = "id: mist\ntitle: Mist\ncredit: Mist, by somebody\nlicence: CC0\n"
NPCS = "names: {given: [Ada, Bo, Cy], family: [Vane, Reed]}\n"
SHEET = """character:
  name: {is: text, title: Name}
  abilities: {is: levels, title: Abilities}
  skills: {is: levels, title: Skills}
layout:
  columns: 6
  front:
    - {show: name, as: heading}
    - {show: abilities, columns: 2, span: 1, beside: [now, max]}
    - {show: skills, as: rows}
"""
SKILLED = """steps:
  abilities: {do: roll each, group: abilities, dice: 3d6}
  archives: {do: train, group: skills, points: 10, of: 1, by: 5}
  name: {do: name}
methods: {random: {steps: [abilities, archives, name]}}
"""

Written = Callable[..., None]


def blocks_after(words: str, count: int) -> list[str]:
    """The YAML of the manual after these words, so many blocks of it."""
    return re.findall(r"```yaml\n(.*?)```", DOCS.read_text().partition(words)[2], re.DOTALL)[:count]


@pytest.fixture
def write(project: Project) -> Written:
    """Writes the files of the pack mist/, each by its name."""

    def files(**texts: str) -> None:
        (project.where / "mist").mkdir(exist_ok=True)
        for name, text in {"npcs": NPCS, **texts}.items():
            (project.where / "mist" / f"{name}.yaml").write_text(text)

    return files


@pytest.fixture
def skilled(write: Written) -> Written:
    """The traits of the manual, with words exchanged, in a pack with a sheet."""

    def files(right: str = "", wrong: str = "") -> None:
        (traits,) = blocks_after("A trait may have a short name", 1)
        assert right in traits
        write(system=HEAD + (traits.replace(right, wrong) if right else traits), creation=SKILLED, sheet=SHEET)

    return files


def rolled(project: Project, count: int = 40) -> list[Character]:
    return list(roll(open_pack(project, "./mist"), RollOptions(seed=3, count=count)))


def test_a_trait_has_a_default_of_its_own(project: Project, skilled: Written) -> None:
    skilled()
    system = open_pack(project, "./mist").system
    assert [system.traits[name].default for name in ("Archives", "Locks", "Strength")] == [20, 5, None]
    found = [each.numbers("skills") for each in rolled(project)]
    assert {tuple(each.items()) for each in found} == {(("Archives", 30),), (("Locks", 15),)}  # what they began at


def test_a_sheet_shows_what_everybody_begins_with(sheetgen: Any, project: Project, skilled: Written) -> None:
    skilled()
    ran = sheetgen("npc", "./mist", "-n", "1", "--seed", "3", "-o", "one.html", "--as", "sheet")
    assert (ran.code, ran.err) == (0, "")
    page = (project.where / "one.html").read_text()
    assert {"20", "15"} <= set(re.findall(r">(\d+)<", page)) or {"30", "5"} <= set(re.findall(r">(\d+)<", page))


def test_a_short_name_stands_where_there_is_little_room(sheetgen: Any, project: Project, skilled: Written) -> None:
    skilled()
    pages = {}
    for shape in ("sheet", "card", "roster"):
        assert sheetgen("npc", "./mist", "-n", "2", "--seed", "3", "-o", f"{shape}.html", "--as", shape).code == 0
        pages[shape] = (project.where / f"{shape}.html").read_text()
    assert all("STR" in re.sub("<[^>]*>", "", page) for page in pages.values()), pages.keys()
    wide = SHEET.replace("columns: 2, span: 1, beside: [now, max]", "columns: 2")
    (project.where / "mist" / "sheet.yaml").write_text(wide)
    assert sheetgen("npc", "./mist", "-n", "1", "--seed", "3", "-o", "wide.html", "--as", "sheet").code == 0
    plain = re.sub("<[^>]*>", "", (project.where / "wide.html").read_text())
    assert "Strength" in plain
    assert "STR" not in plain


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("    default: 5\n", "", "default of Archives: the group needs a default, too"),
        ("default: 20", "default: 120", "default of Archives is 120 (write a whole number from 0 to 99)"),
        ("short: STR", "short: STRENGTHEN", "short is 10 characters"),
        ("{short: DEX}", "{hint: 'see {roll.high}'}", "hint: {roll.high} stays as it is in a hint (write the words)"),
    ],
)
def test_what_is_wrong_with_a_trait_is_told(
    project: Project, skilled: Written, right: str, wrong: str, told: str
) -> None:
    skilled(right, wrong)
    with pytest.raises(InputError) as caught:
        open_pack(project, "./mist")
    assert told in str(caught.value)


def test_steps_for_some_of_a_group_keep_what_others_set(project: Project, skilled: Written, write: Written) -> None:
    skilled()
    parts = SKILLED.replace(
        "  abilities: {do: roll each, group: abilities, dice: 3d6}\n",
        "  abilities: {do: roll each, group: abilities, dice: 3d6, only: [Dexterity]}\n"
        "  strong: {do: roll each, group: abilities, dice: 1d4, only: [Strength]}\n",
    ).replace("[abilities,", "[abilities, strong,")
    write(creation=parts)
    for each in rolled(project):
        assert tuple(each.numbers("abilities")) == ("Strength", "Dexterity")


PARTS = """character:
  name: {is: text, title: Name}
  playbook: {is: choice, title: Playbook, among: playbooks}
  actions: {is: levels, title: Actions}
  ratings: {is: levels, title: Ratings}
  stats: {is: levels, title: Stats}
"""


@pytest.fixture
def parted(write: Written) -> Written:
    """The pack of the manual with sections and playbooks, with words of its creation exchanged."""

    def files(right: str = "", wrong: str = "") -> None:
        system, creation = blocks_after("What takes the levels of a whole group", 2)
        assert right in creation
        write(system=HEAD + system, creation=creation.replace(right, wrong) if right else creation, sheet=PARTS)

    return files


def test_one_reckoning_serves_all_sections(project: Project, parted: Written) -> None:
    parted()
    for each in rolled(project):
        held, ratings = each.numbers("actions"), each.numbers("ratings")
        assert ratings["Insight"] == sum(name in held for name in ("Read", "Rig"))
        assert ratings["Prowess"] == sum(name in held for name in ("Climb", "Haul"))


def test_an_array_differs_from_playbook_to_playbook(project: Project, parted: Written) -> None:
    parted()
    arrays = {"Porter": [1, 2, -1], "Cook": [0, -1, 2]}
    people = rolled(project)
    assert all([*each.numbers("stats").values()] == arrays[each.text("playbook")] for each in people)
    assert {each.text("playbook") for each in people} == {"Porter", "Cook"}


def test_where_nobody_says_what_matters_the_dice_do(project: Project, parted: Written) -> None:
    parted()
    best = {max(each.numbers("actions").items(), key=lambda held: held[1])[0] for each in rolled(project)}
    assert best == {"Read", "Rig", "Climb", "Haul"}


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("{held: Wits}", "{held: Wit}", 'takes: no group or section of traits is called "Wit"'),
        (
            "takes: {held: Wits}",
            "result: points",
            "by: nothing fills in held: no group or section of traits is called so",
        ),
        ("by: playbook, ", "", "levels is one list; `by: FIELD` takes one for each word of a field"),
        ("Cook: [", "Cok: [", 'levels: playbook has no word "Cok" (did you mean "Cook"?)'),
        ("[0, -1, 2]", "[0, -1]", "levels must be 3, one for each of stats"),
        (
            "levels: {Porter: [1, 2, -1], Cook: [0, -1, 2]}",
            "levels: [1, 2, -1]",
            "levels must have a list for each word",
        ),
    ],
)
def test_what_is_wrong_with_parts_is_told(project: Project, parted: Written, right: str, wrong: str, told: str) -> None:
    parted(right, wrong)
    with pytest.raises(InputError) as caught:
        rolled(project, 1)
    assert told in str(caught.value)


def test_a_list_to_pick_from_is_told_at_the_step(project: Project, parted: Written) -> None:
    parted("name: {do: name}", "name: {do: pick, from: playbook, into: name}")
    with pytest.raises(InputError) as caught:
        rolled(project, 1)
    (problem,) = caught.value.problems
    assert problem.place.file.endswith("creation.yaml")
    assert 'not "playbook" (did you mean "playbooks"?)' in problem.message


def test_a_column_with_dice_and_numbers_is_text(project: Project, parted: Written, sheetgen: Any) -> None:
    parted()
    system = project.where / "mist" / "system.yaml"
    system.write_text(
        system.read_text()
        + "  bonus:\n    family: reckoning\n    say: what weight adds\n    takes: {weight: 1 to 3}\n"
        + "    results: {adds: {row: weights, at: weight, column: adds}}\n"
    )
    table = "tables: {weights: {title: Weights, over: 1-3, rows: {1: {adds: -2}, 2: {adds: 0}, 3: {adds: 1d4}}}}\n"
    (project.where / "mist" / "tables.yaml").write_text(table)
    told = [sheetgen("play", "./mist", "bonus", f"weight={weight}").out.split()[-1] for weight in (1, 2, 3)]
    assert told == ["-2", "0", "1d4"]
