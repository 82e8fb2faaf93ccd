"""Characters in tables: CSV, TSV and workbooks, of several games, with columns of one's own; places, limits, schema."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import odfdo
import openpyxl
import pytest

from sheetgen.documents.export.tables import TABLES, Listed, table_bytes
from sheetgen.errors import InputError, LimitError, Place
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.people.character_files import read_parties
from sheetgen.workspace.project import Project

Sheetgen = Callable[..., Any]
FORMULA = '=HYPERLINK("http://x")'


def own_table(path: Path) -> None:
    """Two people of GAMERS and one of TSGS, with columns of the organiser's and a text that looks like a formula."""
    rows = [
        "system,name,x-player,Table,gear,attributes.Strength",
        f'gamers,Ada,Ines,3,"{FORMULA.replace(chr(34), chr(34) * 2)}",7',
        'gamers,Bo,,,"rope\nlamp  oil",',
        "tsgs,Cy,Jo,4,,",
    ]
    path.write_text("\n".join(rows), encoding="utf-8")


def workbook(path: Path, *rows: tuple[object, ...], sheet: str = "Heroes") -> Path:
    """A workbook as a spreadsheet saves it."""
    book = openpyxl.Workbook()
    book.active.title = sheet
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize("form", TABLES)
def test_people_of_two_games_travel_through_every_table_with_columns_of_ones_own(
    sheetgen: Sheetgen, project: Project, tmp_path: Path, form: str
) -> None:
    own_table(tmp_path / "own.csv")
    for name in ("one", "two"):
        ran = sheetgen("export", "own.csv", "--keep-columns", "-o", f"{name}{form}")
        assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / f"one{form}").read_bytes() == (tmp_path / f"two{form}").read_bytes()
    gamers, tsgs = read_parties(project, tmp_path / f"one{form}", keep_columns=True)
    ada, bo = gamers.characters
    assert (ada.own, bo.own) == ({"x-player": "Ines", "Table": "3"}, {})
    assert (ada.lines("gear"), bo.lines("gear")) == ((FORMULA,), ("rope", "lamp  oil"))
    assert tsgs.characters[0].own == {"x-player": "Jo", "Table": "4"}


@pytest.mark.parametrize("form", [".yaml", ".json"])
def test_columns_of_ones_own_stand_in_yaml_and_json_too(sheetgen: Sheetgen, tmp_path: Path, form: str) -> None:
    (tmp_path / "a.csv").write_text("system,name,x-player\ngamers,Ada,Ines: 3\n")
    for old, new in (("a.csv", f"b{form}"), (f"b{form}", "c.csv")):
        assert sheetgen("export", old, "-o", new).code == 0
    assert "x-player" in (tmp_path / "c.csv").read_text()
    assert "Ines: 3" in (tmp_path / "c.csv").read_text()


def test_other_programs_read_the_same_and_no_cell_is_a_formula(sheetgen: Sheetgen, tmp_path: Path) -> None:
    own_table(tmp_path / "own.csv")
    assert sheetgen("export", "own.csv", "--keep-columns", "-o", "a.xlsx", "-o", "a.ods").code == 0
    sheet = openpyxl.load_workbook(tmp_path / "a.xlsx").active
    rows = [dict(zip([each.value for each in sheet[1]], row, strict=True)) for row in sheet.iter_rows(min_row=2)]
    assert [(cell.value, cell.data_type) for row in rows for cell in [row["gear"]] if cell.value] == [
        (FORMULA, "s"),
        ("rope\nlamp  oil", "s"),
    ]
    assert rows[0]["attributes.Strength"].value == 7
    table = odfdo.Document(tmp_path / "a.ods").body.get_table(0)
    head = table.get_row_values(0)
    shown = dict(zip(head, table.get_row_values(1), strict=False))
    assert (shown["gear"], shown["attributes.Strength"]) == (FORMULA, 7)


def test_a_mistake_is_told_by_its_cell(sheetgen: Sheetgen, tmp_path: Path) -> None:
    header = ("system", "name", "attributes.Strength")
    workbook(tmp_path / "heroes.xlsx", (), header, ("gamers", "Ada", 7.0), ("gamers", "Bo", 19, None, "?"))
    assert sheetgen("check", "heroes.xlsx").err.splitlines() == [
        "heroes.xlsx:Heroes!C4: Strength is 19 (write 0 to F, which is 0 to 15) [GAM-016]",
        "heroes.xlsx:Heroes!E4: no name stands above this cell in row 2 (name the column E)",
    ]


def test_a_sheet_of_names_without_a_game_is_told_and_others_are_ones_own(sheetgen: Sheetgen, tmp_path: Path) -> None:
    book = openpyxl.load_workbook(workbook(tmp_path / "heroes.xlsx", ("system", "name"), ("gamers", "Ada")))
    book.create_sheet("Villains").append(("name", "attributes.Strength"))
    book.create_sheet("Snacks").append(("crisps", "figs"))
    book.save(tmp_path / "heroes.xlsx")
    ran = sheetgen("export", "heroes.xlsx", "-o", "a.yaml")
    told = 'heroes.xlsx:Villains: left out, as its first row has no column "system" (add one if it holds people)\n'
    assert (ran.code, ran.err) == (0, told)


def test_a_value_of_another_game_has_no_place_here(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("system,name,attributes.Strength,age\ngamers,Ada,7,\ntsgs,Cy,7,30\n")
    ran = sheetgen("check", "a.csv")
    assert "a.csv:3:3: TSGS" in ran.err
    assert 'has no "attributes.Strength", that is of GAMERS' in ran.err


def test_an_unknown_column_is_told_how_to_stay(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("system,name,Table\ngamers,Ada,3\n")
    ran = sheetgen("sheet", "a.csv")
    assert (ran.code, ran.err) == (
        2,
        'a.csv:1:3: unknown column "Table" (--keep-columns keeps it, as does the name x-Table)\n',
    )


def test_a_formula_shows_what_a_spreadsheet_worked_out_and_is_never_worked_out_here(
    sheetgen: Sheetgen, tmp_path: Path
) -> None:
    workbook(tmp_path / "a.xlsx", ("system", "name", "attributes.Strength"), ("gamers", "Ada", "=3+4"))
    ran = sheetgen("check", "a.xlsx")
    assert ran.err == ("a.xlsx:C2: a formula that was never worked out (open the file in a spreadsheet and save it)\n")


def test_a_formula_of_an_ods_that_was_never_worked_out_is_told_by_its_cell(sheetgen: Sheetgen, tmp_path: Path) -> None:
    book = odfdo.Document("spreadsheet")
    book.body.clear()
    table = odfdo.Table("Heroes")
    header = ["system", "name", "attributes.Strength", "x-sum"]
    table.set_values([header, ["gamers", "Ada", 7, 8], ["gamers", "Bo", 6, 9]])
    table.set_cell((3, 1), odfdo.Cell(8, formula="of:=[.C2]+1"))
    table.set_cell((2, 2), odfdo.Cell(formula="of:=[.C2]-1"))
    book.body.append(table)
    book.save(tmp_path / "a.ods")
    ran = sheetgen("check", "a.ods")
    why = "a formula that was never worked out (open the file in a spreadsheet and save it)"
    assert (ran.code, ran.err) == (1, f"a.ods:Heroes!C3: {why}\n")


def bomb(path: Path) -> None:
    """An archive of a few hundred kilobytes that unpacks to 400 MB."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("xl/workbook.xml", "w") as part:
        for _ in range(400):
            part.write(bytes(1_000_000))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.write_text("system,name"), "this is no workbook"),
        (lambda path: path.write_bytes(b"PK\x05\x06" + bytes(18)), "cannot be read"),
        (bomb, "too large"),
        (lambda path: workbook(path, ("name", "class"), ("Ada", "spy")), 'no sheet has a column "system"'),
    ],
)
def test_what_is_no_workbook_of_characters_is_refused_in_a_line(
    project: Project, tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    make(tmp_path / "a.xlsx")
    with pytest.raises((InputError, LimitError), match=said) as caught:
        read_parties(project, tmp_path / "a.xlsx")
    assert len(str(caught.value).splitlines()) == 1


def test_text_that_a_cell_of_an_xlsx_cannot_hold_is_refused_and_not_cut(gamers: System) -> None:
    ada = Character("gamers", {"name": "Ada", "gear": ("x" * 30_000, "y" * 3_000)})
    with pytest.raises(LimitError, match=r'gear of "Ada" has 33,001 characters; a cell of an \.xlsx holds 32,767'):
        list(table_bytes(".xlsx", [Listed(gamers, [ada])]))


@pytest.mark.parametrize(("column", "name"), [(1, "A"), (26, "Z"), (27, "AA"), (703, "AAA")])
def test_columns_are_called_as_spreadsheets_call_them(column: int, name: str) -> None:
    assert str(Place("a.ods:S!", 5, column)) == f"a.ods:S!{name}5"


def test_the_schema_of_a_game_judges_its_character_files(sheetgen: Sheetgen, tmp_path: Path) -> None:
    ran = sheetgen("export", "--schema", "gamers")
    assert sheetgen("npc", "gamers", "-n", "2", "--seed", "7", "-o", "a.json").code == 0
    schema, people = json.loads(ran.out), json.loads((tmp_path / "a.json").read_text())
    judge = jsonschema.Draft7Validator(schema)
    assert not list(judge.iter_errors(people))
    people["characters"][0]["atributes"] = {"Strength": 9}
    assert list(judge.iter_errors(people))


def test_a_reroll_keeps_columns_of_ones_own(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("npc", "gamers", "--seed", "7", "-o", "a.csv").code == 0
    text = (tmp_path / "a.csv").read_text(encoding="utf-8-sig").splitlines()
    (tmp_path / "a.csv").write_text(f"{text[0]},x-seat\n" + "\n".join(text[1:]) + ",12\n")
    assert sheetgen("npc", "a.csv", "--reroll", "gear", "--seed", "8", "-o", "b.yaml").code == 0
    assert 'columns:\n    x-seat: "12"' in (tmp_path / "b.yaml").read_text()
