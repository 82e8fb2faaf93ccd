"""Characters as text: what is written reads back as the very same character, whatever it is called."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sheetgen.documents.export.characters import json_text, scalar, yaml_text
from sheetgen.model.character import Character, Value
from sheetgen.model.system import System
from sheetgen.people.character_files import read_party
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.workspace.project import Project
from tests.reading import csv_text

WRITERS = {".yaml": yaml_text, ".json": json_text, ".csv": csv_text}


def there_and_back(project: Project, system: System, people: Sequence[Character], form: str) -> tuple[Character, ...]:
    """The people after a trip through a file."""
    path = Path(project.where / f"people{form}")
    path.write_text("".join(WRITERS[form](system, people)), encoding="utf-8", newline="")
    return read_party(project, path).characters


@pytest.mark.parametrize("form", WRITERS)
def test_rolled_people_come_back_the_same(project: Project, gamers: System, form: str) -> None:
    options = {"tech": "9", "psi": "yes"}
    people = list(Roller(gamers, plan_of(gamers, archetype="spy", options=options), 7).roll_all(range(1, 60)))
    assert there_and_back(project, gamers, people, form) == tuple(people)


# What `text` accepts: nothing invisible, no lone marks, no spaces at the ends; line breaks only where they are kept.
LETTERS = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"))
WORDS = st.text(LETTERS, min_size=1, max_size=40).map(str.strip).filter(lambda text: text and text.isprintable())


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(WORDS, min_size=1, max_size=5, unique=True))
@pytest.mark.parametrize("form", WRITERS)
def test_any_name_travels_unharmed(project: Project, gamers: System, form: str, words: list[str]) -> None:
    name, *others = dict.fromkeys(unicodedata.normalize("NFC", word) for word in words)
    people = dict.fromkeys(others, 2)
    values: dict[str, Value] = {"name": name, "features": {"People": 12}, "people": people, "gear": tuple(others)}
    person = Character("gamers", {key: value for key, value in values.items() if value})
    (back,) = there_and_back(project, gamers, [person], form)
    assert back.text("name") == person.text("name")
    assert back.lines("gear") == person.lines("gear")
    assert back.numbers("people") == people


# Every sign that means something in a cell, in a list or to a spreadsheet, and spaces at both ends.
AWKWARD = st.text(st.sampled_from(" ab|\\\\:'\"=;,\\tn~" + "\n"), min_size=1, max_size=12).filter(str.strip)
AWKWARD_NAME = AWKWARD.filter(lambda text: "\n" not in text)


@st.composite
def awkward_people(draw: st.DrawFn) -> Character:
    things = tuple(draw(st.lists(AWKWARD, min_size=1, max_size=4)))
    names = draw(st.lists(AWKWARD_NAME, min_size=1, max_size=4, unique=True))
    note = draw(AWKWARD)
    values: dict[str, Value] = {
        "name": names[0],
        "features": {"People": 12},
        "skills": {"Fire": 1, "Law & Society": 2},
        "specialties": {"Fire": note},
        "familiarities": {"Fire": things, "Law & Society": (note,)},
        "people": dict.fromkeys(names, 2),
        "gear": things,
        "notes": note,
    }
    return Character("gamers", values)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(people=st.lists(awkward_people(), min_size=10, max_size=30))
@pytest.mark.parametrize("form", WRITERS)
def test_no_sign_in_a_list_or_a_note_is_lost(
    project: Project, gamers: System, form: str, people: list[Character]
) -> None:
    assert there_and_back(project, gamers, people, form) == tuple(people)


def test_a_cell_says_plainly_what_belongs_together(gamers: System) -> None:
    values: dict[str, Value] = {
        "gear": ("rope", "a\nb", "C:\\n"),
        "familiarities": {"Fire": ("a | b", "sling"), "Climbing": ("masts",)},
        "people": {"Ser: Ines": 2},
    }
    row = next(csv.DictReader(io.StringIO("".join(csv_text(gamers, [Character("gamers", values)])), newline="")))
    assert row["gear"] == "rope\na\\nb\nC:\\\\n"
    assert row["familiarities"] == "Fire: a \\| b | sling\nClimbing: masts"
    assert row["people"] == "Ser\\: Ines: 2"


@pytest.mark.parametrize("name", ["NO", "yes", "null", "~", "1.10", "12:30", "- a", "# x", "a: b", '"q"', "@a", "{x}"])
def test_a_name_that_yaml_would_change_is_quoted(name: str) -> None:
    assert scalar(name) == json.dumps(name, ensure_ascii=False)


def test_levels_are_written_as_the_game_writes_them(gamers: System) -> None:
    person = Character("gamers", {"name": "Ada", "attributes": {"Grit": 10, "Mind": 7}})
    assert "attributes: {Grit: A, Mind: 7}" in "".join(yaml_text(gamers, [person]))


def test_a_spreadsheet_sees_text_and_not_a_formula(gamers: System) -> None:
    person = Character("gamers", {"name": '=HYPERLINK("x")', "gear": ("@rope",)})
    row = next(csv.DictReader(io.StringIO("".join(csv_text(gamers, [person])))))
    assert row["name"] == '\'=HYPERLINK("x")'
    assert row["gear"] == "'@rope"
