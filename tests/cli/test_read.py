"""`sheetgen read` as a person uses it: forms filled in by four programs, back into character files."""

from __future__ import annotations

import ctypes
import io
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pymupdf
import pypdf
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from pikepdf import Name

import sheetgen as library
from sheetgen.people.character_files import read_party
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import slug

Sheetgen = Callable[..., Any]
Filler = Callable[[Path, Path, Mapping[str, str]], None]
ADA = {
    "name": "Ada Vane",
    "about": "she, thirty",
    "attributes.Grit": "7",
    "skills.Fire": "3",
    "note.Fire": "torches",
    "arms.1.name": "Rapier",
    "notes": "Owes Moe a boat",
}


def by_pypdf(blank: Path, filled: Path, values: Mapping[str, str]) -> None:
    writer = pypdf.PdfWriter(clone_from=pypdf.PdfReader(blank))
    for page in writer.pages:
        writer.update_page_form_field_values(page, dict(values), auto_regenerate=False)
    writer.write(filled)


def by_mupdf(blank: Path, filled: Path, values: Mapping[str, str]) -> None:
    with pymupdf.open(blank) as source:
        for page in source:
            for widget in page.widgets():
                if widget.field_name in values:
                    widget.field_value = values[widget.field_name]
                    widget.update()
        source.save(filled)


def by_pikepdf(blank: Path, filled: Path, values: Mapping[str, str]) -> None:
    """As poppler's viewers save: the value alone, with appearances left to whoever opens it next."""
    with pikepdf.open(blank) as source:
        for each in source.Root.AcroForm.Fields:
            if str(each.T) in values:
                each.V = pikepdf.String(values[str(each.T)])
        source.Root.AcroForm.NeedAppearances = True
        source.save(filled)


def by_pdfium(blank: Path, filled: Path, values: Mapping[str, str]) -> None:
    """As Chromium's viewer does: typed in, field by field."""
    places: dict[str, tuple[int, list[float]]] = {}
    with pikepdf.open(blank) as source:
        for number, page in enumerate(source.pages):
            for widget in page.get("/Annots", ()):
                name = str(widget.get("/T", widget.get("/Parent", widget).get("/T", "")))
                places.setdefault(name, (number, [float(each) for each in widget.Rect]))
    source = pypdfium2.PdfDocument(blank)
    source.init_forms()
    for name, text in values.items():
        number, box = places[name]
        page, middle = source[number], ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        pdfium.FORM_OnLButtonDown(source.formenv.raw, page.raw, 0, *middle)
        pdfium.FORM_OnLButtonUp(source.formenv.raw, page.raw, 0, *middle)
        pdfium.FORM_SelectAllText(source.formenv.raw, page.raw)
        letters = ctypes.create_string_buffer((text + "\0").encode("utf-16-le"))
        typed = ctypes.cast(letters, ctypes.POINTER(ctypes.c_ushort))
        pdfium.FORM_ReplaceSelection(source.formenv.raw, page.raw, typed)
        pdfium.FORM_ForceToKillFocus(source.formenv.raw)
    source.save(filled)


@pytest.fixture(scope="module")
def made() -> list[bytes]:
    """The empty sheet, once it is made."""
    return []


@pytest.fixture(name="blank")
def an_empty_sheet(tmp_path: Path, sheetgen: Sheetgen, made: list[bytes]) -> Path:
    path = tmp_path / "blank.pdf"
    if made:
        path.write_bytes(made[0])
        return path
    assert sheetgen("blank", "gamers", "--fillable", "-o", "blank.pdf").code == 0
    made.append(path.read_bytes())
    return path


@pytest.mark.parametrize("fill", [by_pypdf, by_mupdf, by_pikepdf, by_pdfium])
def test_a_sheet_filled_in_by_any_program_is_read(
    fill: Filler, blank: Path, tmp_path: Path, project: Project, sheetgen: Sheetgen
) -> None:
    fill(blank, tmp_path / "ada.pdf", ADA)
    ran = sheetgen("read", "ada.pdf")
    assert (ran.code, ran.out, ran.err) == (0, "output/ada.yaml: Ada Vane\n", "")
    (ada,) = read_party(project, tmp_path / "output" / "ada.yaml").characters
    assert dict(ada.values) == {
        "name": "Ada Vane",
        "pronouns": "she",
        "age": "thirty",
        "attributes": {"Grit": 7},
        "skills": {"Fire": 3},
        "specialties": {"Fire": "torches"},
        "gear": ("Rapier",),
        "notes": "Owes Moe a boat",
    }


def test_a_hand_of_cards_filled_in_by_poppler_is_read(tmp_path: Path, project: Project, sheetgen: Sheetgen) -> None:
    """The file is what poppler-glib 22.12 saved of our empty sheet, without what the pages show."""
    shutil.copy(Path(__file__).parent / "filled" / "kit-by-poppler.pdf", tmp_path / "kit.pdf")
    ran = sheetgen("read", "kit.pdf", "-o", "kit.yaml")
    assert (ran.code, ran.err) == (0, "")
    (kit,) = read_party(project, tmp_path / "kit.yaml").characters
    assert dict(kit.values) == {
        "name": "Kit Żółw",
        "descriptor": "Dangerous",
        "luck": {"Lucky Number": 4},
        "hand": ("KS up", "10H down", "gone", "gone", "gone", "gone"),
    }


def test_a_sheet_filled_in_with_chromiums_viewer_is_read(tmp_path: Path, project: Project, sheetgen: Sheetgen) -> None:
    """The file is what the viewer's own "save with your changes" made, typed in by keys, without what pages show."""
    shutil.copy(Path(__file__).parent / "filled" / "ada-by-chromium.pdf", tmp_path / "ada.pdf")
    ran = sheetgen("read", "ada.pdf", "-o", "ada.yaml")
    assert (ran.code, ran.err) == (0, "")
    (ada,) = read_party(project, tmp_path / "ada.yaml").characters
    assert dict(ada.values) == {
        "name": "Ada Vane",
        "attributes": {"Grit": 7},
        "skills": {"Climbing": 3},
        "specialties": {"Climbing": "torches"},
        "gear": ("Rapier",),
        "notes": "Owes Moe a boat",
    }


def test_thirty_forms_of_a_class_become_thirty_files_and_the_library_reads_them_too(
    blank: Path, tmp_path: Path, project: Project, sheetgen: Sheetgen
) -> None:
    (tmp_path / "forms").mkdir()
    for number in range(1, 31):
        by_pikepdf(blank, tmp_path / "forms" / f"{number:02}.pdf", {**ADA, "name": f"Pupil {number}"})
    by_pikepdf(blank, tmp_path / "forms" / "31.pdf", {**ADA, "attributes.Grit": "99"})
    ran = sheetgen("read", "forms")
    grit = '"Grit": Grit is 99 (write 0 to F, which is 0 to 15)'
    assert (ran.code, ran.err) == (1, f"forms/31.pdf: {grit}\n")
    assert len(list((tmp_path / "output").glob("*.yaml"))) == 31
    assert read_party(project, tmp_path / "output" / "17.yaml").characters[0].text("name") == "Pupil 17"
    found = library.read_forms(tmp_path / "forms" / "31.pdf", tmp_path / "forms" / "02.pdf")
    assert [(each.character.text("name"), each.odd) for each in found] == [("Ada Vane", (grit,)), ("Pupil 2", ())]
    assert library.read(tmp_path / "forms" / "02.pdf").characters[0].text("name") == "Pupil 2"


def test_what_is_odd_is_told_and_stands_in_the_file(blank: Path, tmp_path: Path, sheetgen: Sheetgen) -> None:
    by_pypdf(blank, tmp_path / "ada.pdf", {**ADA, "attributes.Mind": "Z", "player": "Kim", "pencil.now.Grit.1": "5"})
    ran = sheetgen("read", "ada.pdf", "-o", "ada.yaml")
    why = '"Mind": Mind is "Z" (write 0 to F, which is 0 to 15)'
    assert (ran.code, ran.err) == (1, f"ada.pdf: {why}\n")
    assert "  2 marks by hand are no part of a character: they stand as comments in the YAML\n" in ran.out
    head = (tmp_path / "ada.yaml").read_text().splitlines()[:4]
    assert head == [
        "# ada.pdf, read back; what is not among the values below:",
        f"#   {why}",
        "#   by hand: Grit now, box 1: 5",
        "#   by hand: Player: Kim",
    ]
    assert sheetgen("check", "ada.yaml").code == 0


def test_many_forms_become_one_table_and_those_that_cannot_be_read_are_told(
    blank: Path, tmp_path: Path, project: Project, sheetgen: Sheetgen
) -> None:
    for name in ("Ada", "Eve", "Moe"):
        by_pypdf(blank, tmp_path / f"{name}.pdf", {**ADA, "name": name})
    (tmp_path / "torn.pdf").write_bytes(b"%PDF-1.7 torn")
    ran = sheetgen("read", "Ada.pdf", "torn.pdf", "Eve.pdf", "Moe.pdf", "-o", "class.csv")
    assert (ran.code, ran.out) == (1, "class.csv: 3 people\n")
    assert ran.err.startswith("torn.pdf: ")
    assert [each.text("name") for each in read_party(project, tmp_path / "class.csv").characters] == [
        "Ada",
        "Eve",
        "Moe",
    ]


def test_a_sheet_printed_by_us_changes_only_what_was_changed_on_it(tmp_path: Path, sheetgen: Sheetgen) -> None:
    sheetgen("npc", "gamers", "-n", "2", "--seed", "3", "--as", "form", "-o", "forms")
    sheetgen("npc", "gamers", "-n", "2", "--seed", "3", "-o", "heroes.yaml")
    text = (tmp_path / "heroes.yaml").read_text()
    first = sorted((tmp_path / "forms").glob("*.pdf"))[0]
    changed = {"attributes.Grit": "9", "gear.2": "Lute without strings"}  # the first is a weapon, and in two places
    by_pypdf(first, tmp_path / "changed.pdf", changed)
    ran = sheetgen("read", "changed.pdf", "--onto", "heroes.yaml", "-o", "after.yaml")
    assert (ran.code, ran.err) == (0, "")
    assert ": attributes, gear\n" in ran.out
    after = (tmp_path / "after.yaml").read_text()
    lines = list(zip(after.splitlines(), text.splitlines(), strict=True))
    assert sum(after != before for after, before in lines) == 2


def test_what_goes_on_behind_a_sheet_is_read_with_it(tmp_path: Path, sheetgen: Sheetgen) -> None:
    folder = tmp_path / "content" / "mine"
    folder.mkdir(parents=True)
    (folder / "system.yaml").write_text("id: mine\ntitle: Mine\nextends: tsgs\n")
    (folder / "sheet.yaml").write_text("character: {motto: {is: text, title: Motto}}\n")
    people = library.roll("mine", 1, seed=1)
    gear = tuple(f"Thing {letter}{number}" for letter in "ABCD" for number in range(10))
    somebody = replace(people[0], values={**people[0].values, "gear": gear, "motto": "Never twice"})
    library.write("mine", [somebody], tmp_path / "many.yaml")
    assert sheetgen("sheet", "many.yaml", "--as", "form", "-o", "many.pdf").code == 0
    ran = sheetgen("read", "many.pdf", "--system", "mine", "-o", "again.yaml")
    assert (ran.code, ran.err) == (0, "")
    (again,) = library.read(tmp_path / "again.yaml").characters
    assert (again.lines("gear"), again.text("motto")) == (gear, "Never twice")


def test_a_form_of_anybodys_is_read_by_a_map(
    tmp_path: Path, strange_form: Callable[..., bytes], sheetgen: Sheetgen
) -> None:
    fields = {"Held by": "Ada", "Hot stuff": "3", "Guild": "Spies"}
    form = strange_form(*({"T": name, "FT": Name.Tx, "V": text} for name, text in fields.items()))
    (tmp_path / "form.pdf").write_bytes(form)
    (tmp_path / "map.yaml").write_text("Held by: name\nHot stuff: skills.Fire\n")
    ran = sheetgen("read", "form.pdf", "--system", "gamers", "--map", "map.yaml", "--json", "-o", "ada.json")
    assert ran.code == 1
    facts = json.loads(ran.out)
    assert facts["forms"][0]["odd"] == ['"Guild": no value is known for "Spies": say which by --map']
    (ada,) = json.loads((tmp_path / "ada.json").read_text())["characters"]
    assert (ada["name"], ada["skills"]) == ("Ada", {"Fire": 3})


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ((), "by its fields it could be of no game that is known here (say which by --system NAME)"),
        (("--system", "gamer"), "gamer"),
        (("--system", "gamers", "-o", "form.pdf"), "the format must be .yaml, .json, .csv"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    tmp_path: Path, strange_form: Callable[..., bytes], sheetgen: Sheetgen, words: tuple[str, ...], line: str
) -> None:
    (tmp_path / "form.pdf").write_bytes(strange_form({"T": "Foo", "FT": Name.Tx}, {"T": "Bar", "FT": Name.Tx}))
    ran = sheetgen("read", "form.pdf", *words)
    assert (ran.code, len(ran.err.splitlines()), line in ran.err) == (2, 1, True)


def test_what_is_ambiguous_is_asked_and_not_odd_any_more(
    tmp_path: Path,
    project: Project,
    sheetgen: Sheetgen,
    strange_form: Callable[..., bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fields = {"Held by": "Ada", "Signed": "Eve", "Kit": "salt, pepper and mill"}
    form = strange_form(*({"T": name, "FT": Name.Tx, "V": text} for name, text in fields.items()))
    (tmp_path / "form.pdf").write_bytes(form)
    (tmp_path / "map.yaml").write_text("Held by: name\nSigned: name\nKit: gear\n")
    words = ("read", "form.pdf", "--system", "gamers", "--map", "map.yaml", "-o", "ada.yaml")
    odd = '"Signed": says "Eve", and "Held by" says "Ada": the latter was taken'
    things = '"Kit": was read as 2 things, separated by commas or semicolons'
    ran = sheetgen(*words)
    assert (ran.code, ran.err) == (1, f"form.pdf: {odd}\nform.pdf: {things}\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("7\n2\n2\n"))
    ran = sheetgen(*words, "--ask")
    assert ran.code == 0
    assert ran.err.splitlines()[:5] == [
        'form.pdf: "Signed" says "Eve", and "Held by" says "Ada"',
        "  1  Ada",
        "  2  Eve",
        "Which? [1] 7",
        "  ! a number from 1 to 2, or Enter",
    ]
    (eve,) = read_party(project, tmp_path / "ada.yaml").characters
    assert (eve.text("name"), eve.lines("gear")) == ("Eve", ("salt, pepper and mill",))


def test_whose_form_it_is_is_asked_where_the_name_was_changed(
    tmp_path: Path, project: Project, sheetgen: Sheetgen, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheetgen("npc", "gamers", "-n", "2", "--seed", "3", "--as", "form", "-o", "forms")
    sheetgen("npc", "gamers", "-n", "2", "--seed", "3", "-o", "heroes.yaml")
    second = [each.text("name") for each in read_party(project, tmp_path / "heroes.yaml").characters][1]
    by_pypdf(tmp_path / "forms" / f"{slug(second)}.pdf", tmp_path / "changed.pdf", {"name": "Zora the Quick"})
    words = ("read", "changed.pdf", "--onto", "heroes.yaml", "-o", "after.yaml")
    assert "is none of them in the file that --onto names" in sheetgen(*words).err
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n"))
    ran = sheetgen(*words, "--ask")
    assert ran.code == 0, ran.err
    names = [each.text("name") for each in read_party(project, tmp_path / "after.yaml").characters]
    assert names[1] == "Zora the Quick"
    assert names[0] != names[1]
