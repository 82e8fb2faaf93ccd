"""Steps for packs without Python: rows of a table, some of a list, an array, and what follows from levels."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.documents.book.book import step_titles
from sheetgen.model.character import Character
from sheetgen.people.character_files import read_party
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

SYSTEM = """id: mist
title: Mist
credit: Mist, by somebody
licence: as you like it
traits:
  abilities: {title: Abilities, range: 3-18, members: {Strength: {}, Will: {}}}
  stats: {title: Stats, range: '-1-3', members: {Cool: {}, Hard: {}, Sharp: {}}}
  moves: {title: Moves, range: 0-1, default: 0, members: {Ambush: {}, Bargain: {}, Charge: {}, Dodge: {}}}
  body: {title: Body, range: 0-20, members: {Hit Points: {}}}
values: {charms: [a feather, a bone, a bell]}
play:
  hit_points:
    family: reckoning
    say: how much somebody can take
    takes: {strength: 3 to 18}
    first: {die: {roll: 1d6}}
    results: {points: {sum: [die, {divide: {difference: [strength, 10]}, by: 2, round: down}, 3]}, fell: die}
"""
SHEET = """character:
  name: {is: text, title: Name}
  abilities: {is: levels, title: Abilities}
  stats: {is: levels, title: Stats}
  moves: {is: levels, title: Moves}
  body: {is: levels, title: Body}
  bonds: {is: list, title: Bonds}
  omen: {is: text, title: Omen}
"""
TABLES = """tables:
  bonds:
    title: Bonds
    dice: 1d6
    rows: {1-2: an oath, 3-4: a debt, 5-6: a name}
  omens:
    title: Omens
    over: 1-2
    rows: {1: {sign: a red star, means: war}, 2: {sign: a still well, means: drought}}
"""
NPCS = "names: {given: [Ada], family: [Vane]}\n"
STEPS = {
    "abilities": "{do: roll each, group: abilities, dice: 3d6}",
    "stats": "{do: array, group: stats, levels: [2, 0, -1]}",
    "moves": "{do: pick, group: moves, times: 2}",
    "bonds": "{do: table, table: bonds, into: bonds, times: 2}",
    "charm": "{do: pick, from: charms, into: bonds}",
    "omen": "{do: table, table: omens, column: sign, into: omen}",
    "points": "{do: derive, by: hit_points, into: Hit Points, result: points}",
    "name": "{do: name}",
}


@pytest.fixture
def mist(project: Project) -> Callable[..., Path]:
    """A pack in the folder mist/, with steps of its own in place of those of the same name."""

    def write(**steps: str) -> Path:
        folder = project.where / "mist"
        folder.mkdir(exist_ok=True)
        lines = "".join(f"  {name}: {text}\n" for name, text in {**STEPS, **steps}.items())
        creation = f"steps:\n{lines}methods: {{random: {{say: as it falls, steps: [{', '.join(STEPS)}]}}}}\n"
        texts = {"system": SYSTEM, "sheet": SHEET, "tables": TABLES, "npcs": NPCS, "creation": creation}
        for name, text in texts.items():
            (folder / f"{name}.yaml").write_text(text)
        return folder

    return write


def rolled(project: Project, count: int = 40) -> list[Character]:
    return list(roll(open_pack(project, "./mist"), RollOptions(seed=3, count=count)))


def test_people_are_made_without_python(project: Project, mist: Callable[..., Path]) -> None:
    mist()
    people = rolled(project)
    for each in people:
        assert sorted(each.numbers("stats").values()) == [-1, 0, 2]
        assert sum(each.numbers("moves").values()) == 2
        bonds = set(each.lines("bonds"))
        assert len(bonds) == len(each.lines("bonds")) == 3
        assert len(bonds & {"an oath", "a debt", "a name"}) == 2
        assert each.text("omen") in ("a red star", "a still well")
        bonus = (each.numbers("abilities")["Strength"] - 10) // 2
        assert each.numbers("body")["Hit Points"] - bonus - 3 in range(1, 7)
    assert len({each.text("omen") for each in people}) == 2
    assert len({tuple(each.numbers("stats").values()) for each in people}) == 6


@pytest.mark.parametrize(
    ("steps", "line"),
    [
        (
            {"bonds": "{do: table, table: bond, into: bonds}"},
            'step bonds: unknown table "bond" (did you mean "bonds"?)',
        ),
        ({"omen": "{do: table, table: omens, into: omen}"}, "step omen: needs column: one of sign, means"),
        (
            {"omen": "{do: table, table: omens, column: sing, into: omen}"},
            'step omen: the table has no column "sing" (did you mean "sign"?)',
        ),
        (
            {"omen": "{do: table, table: omens, column: sign, into: omen, times: 2}"},
            "step omen: into: omen takes one line, not 2: only a list takes several",
        ),
        (
            {"bonds": "{do: table, table: bonds, into: bonds, times: 4}"},
            "step bonds: times must be 1 to 3, as many as there are",
        ),
        ({"charm": "{do: pick, from: charm, into: bonds}"}, "charm"),
        ({"moves": "{do: pick, group: moves, times: 5}"}, "step moves: times must be 1 to 4, as many as moves has"),
        ({"stats": "{do: array, group: stats, levels: [2, 0]}"}, "step stats: levels must be 3, one for each of stats"),
        ({"stats": "{do: array, group: stats, levels: [2, 0, 7]}"}, "step stats: Cool cannot be at 7"),
        (
            {"points": "{do: derive, by: hit_point, into: Hit Points}"},
            'step points: by: unknown procedure "hit_point" (did you mean "hit_points"?)',
        ),
        (
            {"points": "{do: derive, by: hit_points, into: Hit Points, result: point}"},
            'step points: result: hit_points gives no "point" (did you mean "points"?)',
        ),
    ],
)
def test_what_is_wrong_is_told_at_its_word(
    mist: Callable[..., Path], sheetgen: Callable[..., Any], steps: dict[str, str], line: str
) -> None:
    mist(**steps)
    ran = sheetgen("check", "./mist")
    assert ran.code == 1
    assert line in ran.err
    assert ran.err.count("\n") == 1


def test_a_level_that_nothing_fills_in_is_told(mist: Callable[..., Path], sheetgen: Callable[..., Any]) -> None:
    folder = mist()
    path = folder / "system.yaml"
    path.write_text(path.read_text().replace("takes: {strength: 3 to 18}", "takes: {strength: 3 to 18, size: 1 to 3}"))
    ran = sheetgen("check", "./mist")
    assert "by: nothing fills in size: no trait, option or word of the sheet is called so" in ran.err


def test_somebody_is_made_step_by_step(
    mist: Callable[..., Path], sheetgen: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mist()
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 40))
    ran = sheetgen("make", "./mist", "--seed", "4", "-o", "ada.yaml")
    assert ran.code == 0
    assert sheetgen("check", "ada.yaml").code == 0


def test_one_step_is_rolled_again(mist: Callable[..., Path], project: Project, sheetgen: Callable[..., Any]) -> None:
    mist()
    sheetgen("npc", "./mist", "-n", "6", "--seed", "4", "-o", "some.yaml")
    ran = sheetgen("npc", "--reroll", "bonds", "--seed", "9", "some.yaml", "-o", "again.yaml")
    assert ran.code == 0
    before, after = (read_party(project, project.where / name).characters for name in ("some.yaml", "again.yaml"))
    assert [each.text("omen") for each in before] == [each.text("omen") for each in after]
    assert [each.lines("bonds") for each in before] != [each.lines("bonds") for each in after]


def test_levels_of_a_group_follow_from_another_and_words_of_the_sheet_count(
    mist: Callable[..., Path], project: Project, sheetgen: Callable[..., Any]
) -> None:
    """A bonus for each ability in one step, and hit points by the class that was rolled."""
    folder = mist()
    system, sheet, creation = (folder / f"{name}.yaml" for name in ("system", "sheet", "creation"))
    system.write_text(
        system.read_text().replace(
            "traits:\n", "traits:\n  bonuses: {title: B, range: '-3-9', members: {STR: {}, WIL: {}}}\n", 1
        )
        + """  bonus:
    family: reckoning
    say: what an ability adds
    takes: {score: 3 to 18}
    results: {bonus: {divide: {difference: [score, 10]}, by: 2, round: down}}
  vigour:
    family: reckoning
    say: how much a class can take
    takes: {calling: {one of: [witch, warden]}}
    results: {points: {case: calling, of: {witch: 4, warden: 8}}}
"""
    )
    sheet.write_text(sheet.read_text() + "  bonuses: {is: levels, title: B}\n  calling: {is: text, title: Class}\n")
    text = creation.read_text()
    text = text.replace(
        "steps:\n",
        "options:\n  calling: {is: word, among: [witch, warden], default: rolled}\nsteps:\n"
        "  calling: {do: note, field: calling, option: calling}\n"
        "  bonuses: {do: derive, by: bonus, takes: {score: abilities}, into: bonuses}\n"
        "  vigour: {do: derive, by: vigour, into: Hit Points}\n",
        1,
    )
    before, _, last = text.rpartition("]")
    creation.write_text(f"{before}, calling, bonuses, vigour]{last}")
    assert sheetgen("npc", "./mist", "-n", "12", "--seed", "4", "-o", "some.yaml").code == 0
    party = read_party(project, project.where / "some.yaml").characters
    for each in party:
        abilities, bonuses = each.numbers("abilities"), each.numbers("bonuses")
        assert [bonuses[name] for name in ("STR", "WIL")] == [
            (abilities[name] - 10) // 2 for name in ("Strength", "Will")
        ]
        assert each.numbers("body")["Hit Points"] == {"witch": 4, "warden": 8}[each.text("calling")]
    assert {each.text("calling") for each in party} == {"witch", "warden"}


def test_what_a_reckoning_refuses_is_told_where_the_step_stands(
    mist: Callable[..., Path], sheetgen: Callable[..., Any]
) -> None:
    folder = mist()
    path = folder / "system.yaml"
    path.write_text(path.read_text().replace("takes: {strength: 3 to 18}", "takes: {strength: 30 to 40}"))
    ran = sheetgen("npc", "./mist", "-o", "some.yaml")
    assert ran.code == 2
    assert "mist/creation.yaml:" in ran.err
    assert "step points: by: hit_points: strength: takes a whole number from 30 to 40" in ran.err


def test_dice_count_several_times_and_for_some_of_a_group(
    project: Project, mist: Callable[..., Path], sheetgen: Callable[..., Any]
) -> None:
    """What percentile games roll: 1d6 times three; and a step for one trait of its group."""
    mist(abilities="{do: roll each, group: abilities, dice: 1d6, times: 3, only: [Will]}")
    found = rolled(project)
    assert {each.numbers("abilities")["Will"] for each in found} == {3, 6, 9, 12, 15, 18}
    assert {tuple(each.numbers("abilities")) for each in found} == {("Will",)}
    mist(abilities="{do: roll each, group: abilities, dice: 3d6, times: 5}")
    assert "3d6 gives 15 to 90, but Strength runs from 3 to 18" in sheetgen("check", "./mist").err
    mist(abilities="{do: roll each, group: abilities, dice: 3d6, only: [Wil]}")
    assert 'only: abilities has no "Wil" (did you mean "Will"?)' in sheetgen("check", "./mist").err


def test_points_go_to_the_skills_of_the_trade_and_then_to_others(
    project: Project, mist: Callable[..., Path], sheetgen: Callable[..., Any]
) -> None:
    """Forty points in fives from the default of 15: on the trade's two skills, then twenty on one that is not of it."""
    folder = mist(
        name="{do: occupation}",
        moves="{do: train, group: skills, points: 40, of: trade, by: 5, most: 40}",
        charm="{do: train, group: skills, points: 20, of: 1}",
    )
    system, sheet, creation = (folder / f"{name}.yaml" for name in ("system", "sheet", "creation"))
    skills = "  skills: {title: Skills, range: 0-99, default: 15, members: {Boats: {}, Folklore: {}, Listening: {}}}\n"
    system.write_text(system.read_text().replace("traits:\n", f"traits:\n{skills}"))
    sheet.write_text(
        sheet.read_text() + "  skills: {is: levels, title: Skills}\n  occupation: {is: text, title: Trade}\n"
    )
    (folder / "npcs.yaml").write_text(f"{NPCS}occupations: {{eel-catcher: {{skills: [Boats, Listening]}}}}\n")
    order = "abilities, stats, name, moves, charm, bonds, omen, points"
    creation.write_text(creation.read_text().replace(", ".join(STEPS), order))
    for each in rolled(project):
        levels = each.numbers("skills")
        assert (levels["Folklore"], levels["Boats"] + levels["Listening"]) == (35, 70)
        assert max(levels["Boats"], levels["Listening"]) <= 40
        assert levels["Boats"] % 5 == 0
    creation.write_text(creation.read_text().replace("of: 1", "of: 9"))
    assert "step charm: of is trade, or how many of skills: 1 to 3" in sheetgen("check", "./mist").err


def test_a_book_calls_what_a_step_writes_as_the_sheet_does(project: Project, mist: Callable[..., Path]) -> None:
    mist()
    titles = step_titles(open_pack(project, "./mist").system)
    assert [titles[name] for name in ("Abilities", "Charm", "Points")] == ["Abilities", "Bonds", "Hit Points"]
