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

from sheetgen.documents.roster import csv_text, json_text, scalar, yaml_text
from sheetgen.model.character import Character, Value
from sheetgen.model.system import System
from sheetgen.recipes.characters import read_party
from sheetgen.recipes.project import Project
from sheetgen.rules.creation import Roller, plan_of

WRITERS = {".yaml": yaml_text, ".json": json_text, ".csv": csv_text}


def there_and_back(project: Project, system: System, people: Sequence[Character], form: str) -> tuple[Character, ...]:
    """The people after a trip through a file."""
    path = Path(project.where / f"people{form}")
    path.write_text("".join(WRITERS[form](system, people)), encoding="utf-8", newline="")
    return read_party(project, path).characters


@pytest.mark.parametrize("form", WRITERS)
def test_rolled_people_come_back_the_same(project: Project, gamers: System, form: str) -> None:
    options = {"tech": "9", "psi": "yes"}
    people = [
        Roller(gamers, plan_of(gamers, archetype="spy", options=options), 7).roll(index) for index in range(1, 60)
    ]
    assert there_and_back(project, gamers, people, form) == tuple(people)


# What `text` accepts: nothing invisible, no lone marks, no spaces at the ends; line breaks only where they are kept.
LETTERS = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"))
WORDS = st.text(LETTERS, min_size=1, max_size=40).map(str.strip).filter(lambda text: text and text.isprintable())


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(WORDS, min_size=1, max_size=5, unique=True))
@pytest.mark.parametrize("form", [".yaml", ".json"])
def test_any_name_travels_unharmed(project: Project, gamers: System, form: str, words: list[str]) -> None:
    name, *others = dict.fromkeys(unicodedata.normalize("NFC", word) for word in words)
    people = dict.fromkeys(others, 2)
    values: dict[str, Value] = {"name": name, "features": {"People": 12}, "people": people, "gear": tuple(others)}
    person = Character("gamers", {key: value for key, value in values.items() if value})
    (back,) = there_and_back(project, gamers, [person], form)
    assert back.text("name") == person.text("name")
    assert back.lines("gear") == person.lines("gear")
    assert back.numbers("people") == people


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
