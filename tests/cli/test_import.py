"""`sheetgen import`: characters of other programs, tables and JSON, by the names of their columns and fields."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sheetgen.content.people.records import short_name
from sheetgen.documents.export.tables import Listed
from sheetgen.model.cast import GroupTitle
from sheetgen.people.character_files import read_party
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.people.printing import file_pieces
from sheetgen.services.read_forms import read_forms, text_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

Sheetgen = Callable[..., Any]
CLUB = """Character name,Player,Profession,Grit,Melee,Equipment
Ada Vane,Ines,scout,7,3,rope; lamp
Bo Quill,Jo,,99,,
"""
ACTORS = {
    "actors": [
        {
            "name": "Cy",
            "npc": True,
            "system": {"abilities": {"grit": {"value": 8}}, "details": {"biography": "Owes Moe"}, "dead": None},
            "items": [{"name": "Rapier"}, {"name": "Lute"}],
        }
    ]
}


def test_a_table_of_anybodys_becomes_characters_and_nothing_of_it_is_lost(
    sheetgen: Sheetgen, project: Project, tmp_path: Path
) -> None:
    (tmp_path / "club.csv").write_text(CLUB)
    ran = sheetgen("import", "club.csv", "--system", "gamers")
    assert (ran.code, ran.out) == (1, "output/club.yaml: 2 people\n")
    grit = '"Grit": Grit is 99 (write 0 to F, which is 0 to 15)'
    assert ran.err.splitlines() == [
        'club.csv:2: "Equipment": was read as 2 things, separated by commas or semicolons',
        f"club.csv:3: {grit}",
    ]
    ada, bo = read_party(project, tmp_path / "output" / "club.yaml").characters
    assert dict(ada.values) == {
        "name": "Ada Vane",
        "occupation": "scout",
        "attributes": {"Grit": 7},
        "skills": {"Melee": 3},
        "gear": ("rope", "lamp"),
    }
    assert (bo.text("name"), bo.own) == ("Bo Quill", {"x-Player": "Jo"})
    assert f"#   {grit}\n" in (tmp_path / "output" / "club.yaml").read_text()


def test_json_of_another_program_is_read_by_the_last_names_in_it(
    sheetgen: Sheetgen, project: Project, tmp_path: Path
) -> None:
    (tmp_path / "actors.json").write_text(json.dumps(ACTORS))
    ran = sheetgen("import", "actors.json", "--system", "gamers", "-o", "cy.yaml")
    assert (ran.code, ran.err) == (0, "")
    (cy,) = read_party(project, tmp_path / "cy.yaml").characters
    assert dict(cy.values) == {
        "name": "Cy",
        "attributes": {"Grit": 8},
        "gear": ("Rapier", "Lute"),
        "hook": "Owes Moe",
    }
    assert cy.own == {"x-npc": "yes"}


@pytest.mark.parametrize("heads", [("Name", "Name"), ("Character name", "Character name"), ("name", "")])
def test_a_workbook_of_anybodys_gives_its_sheets_of_people(
    sheetgen: Sheetgen, project: Project, tmp_path: Path, heads: tuple[str, str]
) -> None:
    """A sheet with notes is left out and told, as long as another has names; empty rows and columns do not count."""
    book = openpyxl.Workbook()
    for title, head, who in zip(("Friday", "Sunday"), heads, ("Ada", "Bo"), strict=True):
        sheet = book.create_sheet(title)
        for row in (
            ([head, "Profession", "Grit"], [], [who, "scout", 7]) if head else (["bring", "snacks"], ["dice", ""])
        ):
            sheet.append(row)
    book.save(tmp_path / "club.xlsx")
    ran = sheetgen("import", "club.xlsx", "--system", "gamers", "-o", "a.yaml")
    told = 'club.xlsx:Sunday: left out, as its first row has no column "name" (add one if it holds people)\n'
    assert (ran.code, ran.err) == (0, "" if heads[1] else told)
    people = read_party(project, tmp_path / "a.yaml").characters
    assert [each.text("name") for each in people] == (["Ada", "Bo"] if heads[1] else ["Ada"])
    assert {each.text("occupation") for each in people} == {"scout"}


def test_a_sheet_with_the_games_of_its_people_goes_before_others(sheetgen: Sheetgen, tmp_path: Path) -> None:
    """A list of players beside the heroes made heroes of the players, and the heroes a stranger's."""
    book = openpyxl.Workbook()
    for title, rows in {
        "Heroes": [["system", "name", "attributes.Grit"], ["gamers", "Ada", 7]],
        "Players": [["name", "phone"], ["Zoe", "555"]],
    }.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(tmp_path / "ours.xlsx")
    ran = sheetgen("import", "ours.xlsx", "-o", "a.yaml")
    told = 'ours.xlsx:Players: left out, as its first row has no column "system" (add one if it holds people)\n'
    assert (ran.code, ran.err) == (0, told)
    said = (tmp_path / "a.yaml").read_text()
    assert "name: Ada" in said
    assert "Zoe" not in said
    assert "x-system" not in said


@pytest.mark.parametrize("heads", ["name,Grit,Class,occupation", "name,Grit,occupation,Class"])
def test_a_column_called_as_ours_goes_before_one_that_means_the_same(
    sheetgen: Sheetgen, project: Project, tmp_path: Path, heads: str
) -> None:
    cells = {"name": "Ada", "Grit": "7", "Class": "rogue", "occupation": "scout"}
    (tmp_path / "club.csv").write_text(f"{heads}\n{','.join(cells[head] for head in heads.split(','))}\n")
    assert sheetgen("import", "club.csv", "--system", "gamers", "-o", "a.yaml").code == 0
    (ada,) = read_party(project, tmp_path / "a.yaml").characters
    assert (ada.text("occupation"), ada.own) == ("scout", {"x-Class": "rogue"})


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("name,Grit,Grit\nAda,7,3\n", 'club.csv:1:3: a second column is called "Grit" (rename it)'),
        ("name,,Grit\nAda,secret,7\n", "club.csv:2:2: no name stands above this cell in row 1"),
    ],
)
def test_no_cell_is_lost_to_another_or_for_want_of_a_name(
    sheetgen: Sheetgen, tmp_path: Path, text: str, line: str
) -> None:
    (tmp_path / "club.csv").write_text(text)
    ran = sheetgen("import", "club.csv", "--system", "gamers")
    assert (ran.code, ran.err) == (2, f"{line}\n")


def test_what_is_odd_in_a_workbook_is_told_with_its_cell(sheetgen: Sheetgen, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Club"
    for row in (["name", "Grit"], ["Ada", 99], ["Bo", 5, "late"]):
        book.active.append(row)
    book.save(tmp_path / "club.xlsx")
    ran = sheetgen("import", "club.xlsx", "--system", "gamers")
    assert (ran.code, ran.err) == (
        2,
        "club.xlsx:Club!C3: no name stands above this cell in row 1 (name the column C)\n",
    )
    book.active["C3"] = None
    book.save(tmp_path / "club.xlsx")
    ran = sheetgen("import", "club.xlsx", "--system", "gamers")
    assert (ran.code, ran.err.partition(": ")[0]) == (1, "club.xlsx:Club!A2")


def test_a_column_called_as_ours_does_not_keep_the_others_from_being_matched(
    sheetgen: Sheetgen, project: Project, tmp_path: Path
) -> None:
    (tmp_path / "club.csv").write_text("name,Grit score\nAda,7\n")
    assert sheetgen("import", "club.csv", "--system", "gamers", "-o", "a.yaml").code == 0
    (ada,) = read_party(project, tmp_path / "a.yaml").characters
    assert dict(ada.values) == {"name": "Ada", "attributes": {"Grit": 7}}


@pytest.mark.parametrize("suffix", [".xlsx", ".ods"])
def test_a_workbook_of_ours_comes_through_as_it_is(project: Project, tmp_path: Path, suffix: str) -> None:
    pack = open_pack(project, "gamers")
    people = list(roll(pack, RollOptions(count=2, seed=3)))
    (tmp_path / f"a{suffix}").write_bytes(b"".join(file_pieces(suffix, Listed(pack.system, people))))
    assert [form.character for form in read_forms(project, [tmp_path / f"a{suffix}"])] == people


def test_a_map_says_what_names_do_not(sheetgen: Sheetgen, project: Project, tmp_path: Path) -> None:
    (tmp_path / "club.csv").write_text("Who,STR\nAda,7\n")
    (tmp_path / "map.yaml").write_text("Who: name\nSTR: attributes.Grit\n")
    assert sheetgen("import", "club.csv", "--system", "gamers", "--map", "map.yaml", "-o", "a.yaml").code == 0
    (ada,) = read_party(project, tmp_path / "a.yaml").characters
    assert dict(ada.values) == {"name": "Ada", "attributes": {"Grit": 7}}


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.csv", CLUB, "by its fields it could be of no game that is known here (say which by --system NAME)"),
        ("a.csv", "", "this CSV file is empty"),
        ("a.json", "[1, 2]", "nobody is in this file"),
        ("a.json", "{", "a.json:1:"),
    ],
)
def test_what_cannot_be_taken_in_is_one_line(
    sheetgen: Sheetgen, tmp_path: Path, name: str, text: str, line: str
) -> None:
    (tmp_path / name).write_text(text)
    ran = sheetgen("import", name)
    assert (ran.code, len(ran.err.splitlines()), line in ran.err) == (2, 1, True)


@pytest.mark.parametrize(
    ("name", "short"),
    [("Grit", "Grit"), ("name", "name"), ("a.grit.value", "grit"), ("items.2.name", "items 2"), ("a.b.c", "c")],
)
def test_the_part_of_a_name_that_says_most(name: str, short: str) -> None:
    assert short_name(name) == short


NAMES = st.text(st.sampled_from("ab |\\:'\"=;,-#é’ж中"), min_size=1, max_size=12).filter(str.strip)
TEXTS = st.lists(NAMES, min_size=1, max_size=3)


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), name=NAMES, notes=TEXTS, gear=TEXTS, form=st.sampled_from((".csv", ".tsv", ".json")))
@pytest.mark.parametrize("system", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix"])
def test_what_we_wrote_ourselves_comes_back_as_it_was(
    *, project: Project, tmp_path: Path, system: str, seed: int, name: str, notes: list[str], gear: list[str], form: str
) -> None:
    pack = open_pack(project, system)
    rolled = roll(pack, RollOptions(count=2, seed=seed))
    written_by_hand = {"name": name, "notes": "\n".join(notes), "gear": tuple(gear)}
    people = [replace(each, values={**each.values, **written_by_hand}, own={"x-Player": "Jo"}) for each in rolled]
    file = tmp_path / f"people{form}"
    file.write_bytes(b"".join(file_pieces(form, Listed(pack.system, people, GroupTitle("the watch", "at night")))))
    forms = list(read_forms(project, [file]))
    assert [(form.character, form.odd, form.by_hand) for form in forms] == [(each, (), ()) for each in people]
    assert text_of(project, form, forms) == file.read_bytes()


def test_a_table_of_ours_is_held_to_the_rules_of_its_game(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "ours.csv").write_text("system,name,attributes.Grit,x-Player\ngamers,Ada,99,Jo\n")
    ran = sheetgen("import", "ours.csv")
    assert (ran.code, ran.err.splitlines()) == (
        2,
        ["ours.csv:2:3: Grit is 99 (write 0 to F, which is 0 to 15) [GAM-016]"],
    )


def test_a_table_of_ours_is_anybodys_where_another_game_or_a_map_is_asked_for(
    sheetgen: Sheetgen, project: Project, tmp_path: Path
) -> None:
    (tmp_path / "ours.csv").write_text("system,name,occupation\ngamers,Ada,scout\n")
    assert sheetgen("import", "ours.csv", "--system", "tsgs", "-o", "a.yaml").code == 0
    (ada,) = read_party(project, tmp_path / "a.yaml").characters
    assert (ada.system, ada.text("name")) == ("tsgs", "Ada")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("club.csv", "name,system,Profession\nAda,gamers,soldier\n"),
        ("club.csv", "name,system,occupation,date\nAda,gamers,soldier,May\n"),
        ("club.json", '{"system": "gamers", "characters": [{"name": "Ada", "Profession": "soldier", "Table": 3}]}'),
        ("club.json", '{"system": "gamers", "characters": [{"name": "Ada", "player": "Jo", "occupation": "soldier"}]}'),
        ("club.json", '{"system": "gamers", "version": 3, "characters": [{"name": "Ada", "occupation": "soldier"}]}'),
        ("club.json", '{"system": "elsewhere", "characters": [{"name": "Ada", "Profession": "soldier", "Table": 3}]}'),
    ],
)
def test_a_file_with_names_that_we_do_not_write_is_another_programs_though_it_says_a_system(
    sheetgen: Sheetgen, project: Project, tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    assert sheetgen("import", name, "--system", "gamers", "-o", "a.yaml").code == 0
    (ada,) = read_party(project, tmp_path / "a.yaml").characters
    assert (ada.text("name"), ada.text("occupation")) == ("Ada", "soldier")


@pytest.mark.parametrize(
    ("file", "text", "value"),
    [
        ("a.csv", "name,system,Profession\nAda,gamers,soldier\n", "occupation: soldier"),
        ("a.json", '{"system": "gamers", "characters": [{"name": "Ada", "Hook": "Owes", "Hue": 1}]}', "hook: Owes"),
    ],
)
def test_another_programs_file_is_of_the_game_that_it_names(
    sheetgen: Sheetgen, tmp_path: Path, file: str, text: str, value: str
) -> None:
    (tmp_path / file).write_text(text)
    assert sheetgen("import", file, "-o", "a.yaml").code == 0
    said = (tmp_path / "a.yaml").read_text()
    assert "system: gamers\n" in said
    assert f"  {value}\n" in said


def test_a_club_of_several_games_is_read_for_the_one_that_is_asked_for(
    sheetgen: Sheetgen, project: Project, tmp_path: Path
) -> None:
    (tmp_path / "club.csv").write_text("name,system,occupation\nAda,gamers,soldier\nBo,tsgs,pilot\n")
    assert sheetgen("import", "club.csv", "--system", "gamers", "-o", "a.yaml").code == 0
    people = read_party(project, tmp_path / "a.yaml").characters
    assert [each.text("occupation") for each in people] == ["soldier", "pilot"]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "system,name\ngamerz,Ada\n", 'a.csv:2:1: unknown system "gamerz" (did you mean "gamers"?'),
        ("a.csv", "system,name,hue,rolled\ngone/pack,Ada,red,{method: made}\n", 'a.csv:2:1: system "gone/pack": '),
        ("a.json", '{"system": "nowhere/pack", "characters": [{"skills": {}}]}', 'a.json:1:12: system "nowhere/pack"'),
        ("a.json", '{"system": "gone", "format": 1, "characters": [{"hue": 7}]}', 'a.json:1:12: unknown system "gone"'),
    ],
)
def test_a_file_of_ours_whose_game_is_not_to_be_found_says_so(
    sheetgen: Sheetgen, tmp_path: Path, name: str, text: str, told: str
) -> None:
    (tmp_path / name).write_text(text)
    ran = sheetgen("import", name)
    assert (ran.code, ran.err[: len(told)], len(ran.err.splitlines())) == (2, told, 1)


def test_a_table_that_tells_how_we_rolled_somebody_is_ours_whatever_columns_were_kept_in_it(
    project: Project, tmp_path: Path
) -> None:
    pack = open_pack(project, "gamers")
    people = [replace(each, own={"Player": "Jo"}) for each in roll(pack, RollOptions(count=2, seed=3))]
    (tmp_path / "a.csv").write_bytes(b"".join(file_pieces(".csv", Listed(pack.system, people))))
    assert [form.character for form in read_forms(project, [tmp_path / "a.csv"])] == people
