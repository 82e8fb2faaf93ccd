"""Round trips: whatever a character holds comes back from every format, and a second writing gives the same bytes."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sheetgen.content.packs.folders import Library
from sheetgen.content.people.characters import SEVERAL_LINES, read_characters
from sheetgen.content.people.spreadsheet import characters_of, read_csv
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.documents.export.characters import json_text, yaml_text
from sheetgen.model.character import Character, Origin, Value
from sheetgen.model.scale import Scale
from sheetgen.model.system import System
from tests.reading import csv_text, read_pack

CONTENT = Path(__file__).resolve().parents[2] / "content"
WRITERS = {"yaml": yaml_text, "json": json_text, "csv": csv_text}

# Signs that mean something to YAML, JSON, CSV, a cell or a spreadsheet, and letters of several scripts.
SIGNS = st.sampled_from("ab |\\:'\"=;,~#-[]{}&*!%@`?>\t1é’–Ωж中")
LINE = st.text(SIGNS.filter(lambda sign: sign != "\t"), min_size=1, max_size=12).filter(str.strip)
LINES = st.lists(LINE, min_size=1, max_size=4).map("\n".join) | st.text(SIGNS | st.just("\n"), min_size=1).filter(
    str.strip
)
ORIGINS = st.builds(
    Origin,
    method=st.just("random"),
    seed=st.integers(0, 2**63 - 1),
    index=st.integers(1, 10**9),
    archetype=st.sampled_from(("", "guard", "a, b: c")),
    options=st.dictionaries(st.sampled_from(("tech", "features")), LINE, max_size=2),
    rerolled=st.dictionaries(st.sampled_from(("skills", "gear")), st.integers(0, 2**63 - 1), max_size=2),
)


def people_of(system: System) -> st.SearchStrategy[Character]:
    """Characters with anything in any field, legal as far as each field can tell by itself."""
    values = st.fixed_dictionaries({"name": LINE}, optional=_fields(system))
    kept = values.map(lambda made: {name: value for name, value in made.items() if value})
    return st.builds(Character, st.just(system.id), kept, st.none() | ORIGINS)


def _fields(system: System) -> dict[str, st.SearchStrategy[Value]]:
    found: dict[str, st.SearchStrategy[Value]] = {}
    for spec in system.fields:
        names = [trait.name for group in system.groups if group.name in spec.groups for trait in group.members]
        traits, text = st.sampled_from(names or [""]), _cut(LINES, spec.longest)
        if spec.kind == "text" and spec.name != "name":
            found[spec.name] = text if spec.longest >= SEVERAL_LINES else _cut(LINE, spec.longest)
        elif spec.kind == "choice":
            found[spec.name] = st.sampled_from(spec.among)
        elif spec.kind == "list":
            found[spec.name] = st.lists(text, max_size=4).map(tuple)
        elif spec.kind == "levels":
            members = system.group(spec.name).members
            levels = {trait.name: st.integers(trait.range.low, trait.range.high) for trait in members}
            found[spec.name] = st.fixed_dictionaries({}, optional=levels)
        elif spec.kind == "ratings" and not spec.within:
            rating = st.integers(max(spec.least_level, 1), 15)
            found[spec.name] = st.dictionaries(_cut(LINE, spec.longest), rating, max_size=4)
        elif spec.kind == "text per trait" and not spec.least_level:
            found[spec.name] = st.dictionaries(traits, text, max_size=3)
        elif spec.kind == "list per trait":
            found[spec.name] = st.dictionaries(traits, st.lists(text, min_size=1, max_size=3).map(tuple), max_size=3)
    return found


def _cut(texts: st.SearchStrategy[str], longest: int) -> st.SearchStrategy[str]:
    return texts.map(lambda text: text[:longest]).filter(str.strip)


def written(system: System, people: Sequence[Character], form: str) -> bytes:
    return "".join(WRITERS[form](system, people)).encode()


def read(system: System, data: bytes, form: str) -> tuple[Character, ...]:
    problems = Problems()
    if form == "csv":
        (grid,) = read_csv(data, "people.csv", problems)
        node = characters_of(grid, system, problems)
    else:
        node = parse(data, f"people.{form}")
    people = read_characters(node, system, problems, judge=lambda system, character: ())
    assert problems.found == ()
    return people


@pytest.mark.parametrize("form", WRITERS)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_what_is_written_reads_back_the_same_and_is_written_again_the_same(
    gamers: System, form: str, data: st.DataObject
) -> None:
    people = tuple(data.draw(st.lists(people_of(gamers), min_size=1, max_size=3)))
    first = written(gamers, people, form)
    assert read(gamers, first, form) == people
    assert written(gamers, read(gamers, first, form), form) == first


@pytest.mark.parametrize("name", ["agents", "tsgs", "sixshooter", "diecodes", "genesix"])
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow], phases=[Phase.generate])
@given(data=st.data())
def test_the_fields_of_every_game_come_back_from_every_format(library: Library, name: str, data: st.DataObject) -> None:
    system = read_pack(CONTENT / name, library)
    people = (data.draw(people_of(system)),)
    for form in WRITERS:
        first = written(system, people, form)
        assert read(system, first, form) == people
        assert written(system, read(system, first, form), form) == first


@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_a_journey_through_every_format_ends_where_it_began(gamers: System, data: st.DataObject) -> None:
    people = (data.draw(people_of(gamers)),)
    at_home = written(gamers, people, "yaml")
    for form in ("csv", "json", "yaml", "json", "csv"):
        people = read(gamers, written(gamers, people, form), form)
    assert written(gamers, people, "yaml") == at_home


SCALES = {
    "signed": Scale("signed"),
    "code": Scale("code", pips=3),
    "words": Scale("words", words=tuple(f"Level No. {number}, yes" for number in range(16))),
}


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("kind", SCALES)
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_levels_travel_in_every_notation(gamers: System, kind: str, form: str, data: st.DataObject) -> None:
    groups = tuple(replace(group, scale=SCALES[kind]) for group in gamers.groups)
    system = replace(gamers, groups=groups)
    people = (data.draw(people_of(system)),)
    assert read(system, written(system, people, form), form) == people


def test_a_note_of_several_lines_stands_in_the_file_line_by_line(gamers: System) -> None:
    person = Character("gamers", {"name": "Ada", "notes": "Owes Ines money.\n\n- a: b # no comment"})
    text = written(gamers, [person], "yaml").decode()
    assert "  notes: |-\n    Owes Ines money.\n\n    - a: b # no comment\n" in text


def test_the_comments_at_the_head_stand_once_and_tell_limits_rules_and_what_to_type(gamers: System) -> None:
    people = [Character("gamers", {"name": name}, Origin("random", 7, 1)) for name in ("Ada", "Bo")]
    head = [line for line in written(gamers, people, "yaml").decode().splitlines() if line.startswith("#")]
    assert head[0] == "# GAMERS: 2 characters. Change what you like, then:"
    assert any("sheetgen sheet FILE" in line for line in head)
    assert any("sheetgen npc --reroll skills FILE" in line for line in head)
    assert any("specialties" in line and "[GAM-101]" in line for line in head)
    assert max(map(len, head)) <= 112
    assert len(head) <= 12


def resaved(data: bytes, **habits: object) -> bytes:
    """The file as a spreadsheet saves it again: every cell quoted, parted otherwise, with other line ends."""
    out = io.StringIO(newline="")
    csv.writer(out, **habits).writerows(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))  # type: ignore[call-overload]
    return out.getvalue().encode()


HABITS: dict[str, Callable[[bytes], bytes]] = {
    "semicolons and a mark in front": lambda data: b"\xef\xbb\xbf" + resaved(data, delimiter=";"),
    "every cell quoted, ends of Windows": lambda data: resaved(data, quoting=csv.QUOTE_ALL, lineterminator="\r\n"),
    "tabs, ends of Windows": lambda data: resaved(data, delimiter="\t", lineterminator="\r\n"),
    "a line that tells the separator": lambda data: b"sep=;\r\n" + resaved(data, delimiter=";"),
    "empty rows and columns to the right and below": lambda data: resaved(data) + b",,,\r\n,,,\r\n",
}


@pytest.mark.parametrize("habit", HABITS)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_a_spreadsheet_may_save_the_file_its_own_way(gamers: System, habit: str, data: st.DataObject) -> None:
    people = tuple(data.draw(st.lists(people_of(gamers), min_size=1, max_size=3)))
    assert read(gamers, HABITS[habit](written(gamers, people, "csv")), "csv") == people
