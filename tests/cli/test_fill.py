"""`sheetgen fill` as a person uses it: somebody's form in, a filled one for each character out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pikepdf
import pymupdf
import pytest
from pikepdf import Name

from sheetgen.people.character_files import read_party
from sheetgen.products.finished.filled_form import people_of
from sheetgen.workspace.project import Project

Sheetgen = Callable[..., Any]

HEROES = """
system: gamers
format: 1
characters:
- name: Malik Odell
  occupation: carter
  attributes: {Grit: 8, Awareness: 9, Mind: 7, Endurance: A, Reflexes: 2, Strength: 6}
  skills: {Swimming: 1, Stealth: 2}
  gear: [cork float, saddle blanket, flat prising bar]
- name: Ada Finch
  attributes: {Grit: 5, Awareness: 5, Mind: 5, Endurance: 5, Reflexes: 5, Strength: 5}
"""
FIELDS = (
    {"T": "Character Name", "FT": Name.Tx},
    {"T": "txtGrit", "FT": Name.Tx},
    {"T": "Stealth", "FT": Name.Btn},
    {"T": "Item 1", "FT": Name.Tx},
    {"T": "Item 2", "FT": Name.Tx},
    {"T": "Faction", "FT": Name.Tx},
)


@pytest.fixture(autouse=True)
def _form_and_heroes(tmp_path: Path, strange_form: Callable[..., bytes]) -> None:
    (tmp_path / "form.pdf").write_bytes(strange_form(*FIELDS))
    (tmp_path / "heroes.yaml").write_text(HEROES)
    (tmp_path / "ada.yaml").write_text(
        HEROES.partition("- name: Malik")[0] + "- name: Ada" + HEROES.partition("- name: Ada")[2]
    )


def held(path: Path) -> dict[str, str]:
    """What the fields of a form hold that hold anything."""
    with pikepdf.open(path) as pdf:
        found = {str(each.T): str(each.get("/V", "")) for each in pdf.Root.AcroForm.Fields}
    return {name: value for name, value in found.items() if value not in ("", "/Off")}


def test_each_person_gets_a_form(sheetgen: Sheetgen, tmp_path: Path) -> None:
    ran = sheetgen("fill", "form.pdf", "heroes.yaml", "-o", "filled")
    assert held(tmp_path / "filled" / "Malik-Odell.pdf") == {
        "Character Name": "Malik Odell",
        "txtGrit": "8",
        "Stealth": "/On",
        "Item 1": "Cork float",
        "Item 2": "Saddle blanket",
    }
    assert held(tmp_path / "filled" / "Ada-Finch.pdf") == {"Character Name": "Ada Finch", "txtGrit": "5"}
    assert ran.code == 1
    assert ran.err.splitlines() == [
        "form.pdf: Malik Odell: gear has 3 lines, and 1 has no field: Flat prising bar",
    ]
    told = ran.out.splitlines()
    assert told[0] == "filled/Malik-Odell.pdf: Malik Odell, 5 of 6 fields"
    assert told[2] == "  fields that stay as they are: Faction"
    assert told[3].startswith("  values without a field: ")


def test_one_person_and_names_of_our_own(sheetgen: Sheetgen, tmp_path: Path) -> None:
    ran = sheetgen("fill", "form.pdf", "ada.yaml", "--json")
    assert ran.code == 0
    told = json.loads(ran.out)
    assert told["written"] == ["output/form-Ada-Finch.pdf"]
    assert told["unmatched"] == ["Faction"]
    assert "attributes.Mind" in told["unplaced"]
    assert held(tmp_path / "output" / "form-Ada-Finch.pdf")["txtGrit"] == "5"


def test_flat_pages_come_in_one_file(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("fill", "form.pdf", "heroes.yaml", "--flat", "-o", "all.pdf").code == 1
    pages = [page.get_text() for page in pymupdf.open(tmp_path / "all.pdf")]
    assert ["Malik Odell" in pages[0], "Ada Finch" in pages[1], len(pages)] == [True, True, 2]


def test_a_map_begins_with_what_is_known_and_then_rules(sheetgen: Sheetgen, tmp_path: Path) -> None:
    ran = sheetgen("fill", "form.pdf", "ada.yaml", "--map-out", "map.yaml")
    assert ran.out == "map.yaml: a map of form.pdf: edit it, then say --map map.yaml\n"
    text = (tmp_path / "map.yaml").read_text()
    assert "\nCharacter Name: name " in text
    assert "\nStealth: {on: skills.Stealth} " in text
    assert "\n# Faction: " in text
    assert "\n#   attributes.Mind              5\n" in text
    by_names = sheetgen("fill", "form.pdf", "ada.yaml", "-o", "one.pdf")
    by_map = sheetgen("fill", "form.pdf", "ada.yaml", "--map", "map.yaml", "-o", "two.pdf")
    assert by_names.code == by_map.code == 0
    assert held(tmp_path / "one.pdf") == held(tmp_path / "two.pdf")
    (tmp_path / "map.yaml").write_text('Faction: "{name} of Harrow"\nStealth: {on: attributes.Grit, from: 5}\n')
    assert sheetgen("fill", "form.pdf", "ada.yaml", "--map", "map.yaml", "-o", "two.pdf").code == 0
    assert held(tmp_path / "two.pdf") == {"Faction": "Ada Finch of Harrow", "Stealth": "/On"}


def test_each_field_can_say_how_it_is_called(sheetgen: Sheetgen, tmp_path: Path) -> None:
    ran = sheetgen("fill", "form.pdf", "--names", "-o", "names.pdf")
    assert ran.out == "names.pdf: 6 fields by name; of boxes to tick the end of it, in red\n"
    text = pymupdf.open(tmp_path / "names.pdf")[0].get_text()
    assert all(str(field["T"]) in text for field in FIELDS)


@pytest.mark.parametrize("system", ["gamers", "tsgs"])
def test_our_own_forms_are_filled_whole_without_a_map(
    sheetgen: Sheetgen, tmp_path: Path, project: Project, system: str
) -> None:
    assert sheetgen("npc", system, "--seed", "7", "-o", "one.yaml").code == 0
    assert sheetgen("blank", system, "--fillable", "-o", "ours.pdf").code == 0
    ran = sheetgen("fill", "ours.pdf", "one.yaml", "-o", "filled.pdf")
    assert (ran.code, ran.err) == (0, "")
    (person,) = people_of(read_party(project, tmp_path / "one.yaml"))
    assert held(tmp_path / "filled.pdf") == expected(tmp_path / "ours.pdf", person.values)


def expected(form: Path, values: Mapping[str, str]) -> dict[str, str]:
    """What a form of ours holds that has the values of a sheet, blanks tidied."""
    with pikepdf.open(form) as pdf:
        kinds = {str(each.T): each.FT for each in pdf.Root.AcroForm.Fields}
    said = {name: values.get(name, "") for name in kinds}
    tidied = {
        name: ("/On" if text else "") if kinds[name] == Name.Btn else " ".join(text.split(" "))
        for name, text in said.items()
    }
    return {name: text for name, text in tidied.items() if text}


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["form.pdf"], 2, "sheetgen fill: which CHARACTERS?"),
        (["nowhere.pdf", "ada.yaml"], 2, "nowhere.pdf: no such file or directory"),
        (["broken.pdf", "ada.yaml"], 2, "broken.pdf: is not a PDF that can be read"),
        (["plain.pdf", "ada.yaml"], 2, "plain.pdf: has no fields to fill in"),
        (["form.pdf", "nobody.yaml"], 2, "nobody.yaml: no such file"),
        (["form.pdf", "heroes.yaml", "-o", "x.pdf"], 2, "x.pdf takes one form, and 2 are one file each"),
        (["form.pdf", "heroes.yaml", "-o", "-"], 2, "standard output takes one form, and 2 are one file each"),
        (["form.pdf", "ada.yaml", "-o", "form.pdf"], 2, "form.pdf is also an input"),
        (["form.pdf", "ada.yaml", "-o", "x.html"], 2, '"x.html": the format must be .pdf'),
        (["form.pdf", "ada.yaml", "--map-out", "heroes.yaml"], 2, "heroes.yaml is there already"),
        (["form.pdf", "ada.yaml", "--map", "nomap.yaml"], 2, "nomap.yaml: no such file"),
        (["form.pdf", "ada.yaml", "--map", "."], 2, "is a directory"),
        (["form.pdf", "ada.yaml", "--names"], 2, "--names fills fields with their names"),
        (["form.pdf", "ada.yaml", "--list", "-o", "x.pdf"], 2, "--list and --map-out tell of a form"),
    ],
)
def test_what_cannot_be_filled_is_told_in_one_line(
    sheetgen: Sheetgen, tmp_path: Path, words: list[str], code: int, line: str
) -> None:
    (tmp_path / "broken.pdf").write_bytes((tmp_path / "form.pdf").read_bytes()[:300])
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save(tmp_path / "plain.pdf")
    ran = sheetgen("fill", *words)
    assert ran.code == code
    assert line in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not (tmp_path / "output").exists()
