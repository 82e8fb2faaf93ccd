"""`roster:` of sheet.yaml: which columns a line has, and what is said of those that no sheet could fill."""

from __future__ import annotations

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.content.packs.sheet import ROSTER
from sheetgen.content.packs.traits import know_traits
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import parse
from sheetgen.model.people_pages import Roster, RosterColumn, filled
from sheetgen.model.system import System
from tests.reading import read_pack


def read(system: System, text: str) -> tuple[Roster, list[str]]:
    """The roster that a text states for a game, and what is wrong with it, line by line."""
    problems = Problems()
    scope = Scope(problems, {"field": {spec.name: spec for spec in system.fields}}, system.values)
    know_traits(scope, system.groups)
    roster = ROSTER.read(parse(text.encode(), "sheet.yaml"), scope, "roster")
    return roster, [str(problem) for problem in problems.found]


def test_a_column_shows_traits_fields_and_figures(gamers: System) -> None:
    roster, wrong = read(
        gamers,
        """
under: occupation
reminder: drink water
columns:
  - {title: Nerve, shows: Grit, pencil: yes, key: yes}
  - {title: Weapon, shows: ['{arms.1.name}, {arms.1.roll}', gear.2], key: arms.1.roll}
  - {title: Best, best: skills, most: 2}
  - {title: Hits, ticks: 6}
  - {title: Notes}
""",
    )
    assert wrong == []
    assert (roster.under, roster.reminder) == ("occupation", "drink water")
    nerve, weapon, best, hits, notes = roster.columns
    assert nerve == RosterColumn("Nerve", shows=("{attributes.Grit}",), pencil=True, key="{attributes.Grit}")
    assert weapon.shows == ("{arms.1.name}, {arms.1.roll}", "{gear.2}")
    assert weapon.key == "{arms.1.roll}"
    assert (best.best, best.most, hits.ticks) == ("skills", 2, "6")
    assert notes == RosterColumn("Notes")
    assert [column.title for column in roster.keys] == ["Nerve", "Weapon"]


def test_each_is_a_column_for_every_trait_in_the_order_of_the_game(library: Library) -> None:
    agents = read_pack(library.folder("agents"), library)
    roster, wrong = read(agents, "columns: [{each: attributes, heads: initials, pencil: yes}]")
    assert wrong == []
    assert "".join(column.title for column in roster.columns) == "AGENTS"
    assert roster.columns[0].shows == ("{attributes.Agility}",)


def test_boxes_may_be_as_many_as_a_value_of_the_pack_or_a_figure_says(gamers: System) -> None:
    roster, wrong = read(gamers, "columns: [{title: A, ticks: creation.specialties}, {title: B, ticks: figure.hits}]")
    assert wrong == []
    assert [column.ticks for column in roster.columns] == [gamers.values.text("creation.specialties"), "{figure.hits}"]


def test_a_skin_shows_a_role_under_its_own_name(library: Library) -> None:
    agents = read_pack(library.folder("agents"), library)
    roster, _ = read(agents, "columns: [{title: Speed, shows: '{Reflexes} {note.Reflexes}'}]")
    assert roster.columns[0].shows == ("{attributes.Agility} {note.Agility}",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("columns: [{title: A, shows: Girt}]", 'sheet.yaml:1:29: unknown field "Girt" (did you mean "Grit"?)'),
        ("columns: [{title: A, shows: attributes.Fire}]", 'unknown field "attributes.Fire"'),
        ("columns: [{title: A, shows: '{name'}]", "a field stands in braces, such as {name}"),
        ("columns: [{shows: name}]", 'column lacks "title"'),
        (
            "columns: [{title: A, shows: name, best: skills}]",
            "only one of shows, each, best, ticks, slots, not shows and best",
        ),
        ("columns: [{title: A, best: skils}]", 'unknown trait group "skils" (did you mean "skills"?)'),
        ("columns: [{title: A, key: yes}]", "a key must show something"),
        ("columns: [{title: A, ticks: 400}]", "ticks is 400 (write a whole number from 1 to 30)"),
        ("columns: [{each: skills}]", "a roster of 36 columns fits no paper (leave 24 at most)"),
        ("{under: occupaton, columns: []}", 'unknown field "occupaton" (did you mean "occupation"?)'),
        (
            "columns: [{title: A, shows: name, key: yes}, {title: B, shows: name, key: yes}, "
            "{title: C, shows: name, key: yes}, {title: D, shows: name, key: yes}]",
            "4 columns have a key; an index takes 3",
        ),
    ],
)
def test_what_no_sheet_could_show_is_told_with_its_place(gamers: System, text: str, said: str) -> None:
    _, wrong = read(gamers, text)
    assert len(wrong) == 1
    assert said in wrong[0]


def test_a_line_with_a_field_that_says_nothing_is_left_out() -> None:
    assert filled("{a} and {b}", {"a": "1", "b": "2"}) == "1 and 2"
    assert filled("{a} and {b}", {"a": "1", "b": ""}) == filled("{a} and {b}", {"a": "1"}) == ""
