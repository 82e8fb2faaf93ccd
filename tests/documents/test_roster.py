"""A roster as plain data: which way the paper lies, how wide the columns are, what stands in the cells."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, cast

import pytest

from sheetgen.documents.people.roster import heights, laid_out, roster_of
from sheetgen.documents.people.roster_rows import Person
from sheetgen.geometry import PAPERS
from sheetgen.model.character import Character, Origin
from sheetgen.model.people_pages import Roster, RosterColumn
from sheetgen.model.system import System

A4, LETTER = PAPERS["a4"], PAPERS["letter"]


def measure(text: str, size: float, bold: bool) -> float:
    """Every character is half an em wide."""
    return len(text) * size / 2


def person(name: str = "Ada", heading: str = "", **values: str) -> Person:
    """Somebody with these fields on the sheet."""
    return Person(Character("gamers", {"name": name, "skills": {"Fire": 2, "Melee": 3, "Search": 1}}), values, heading)


ATTRIBUTES = ("Grit", "Awareness", "Mind", "Endurance", "Reflexes", "Strength")
ARMED = {"arms.1.name": "Bow", "arms.1.roll": "2d6", "arms.1.injury": "1d6", "arms.1.range": "225 m"}


def fighter(name: str = "Ada", **values: str) -> Person:
    """Somebody who has something in every column but that of armour."""
    return person(name, **{**ARMED, **{f"attributes.{trait}": "7" for trait in ATTRIBUTES}, **values})


def listed(system: System, roster: Roster, *people: Person, paper: str = "a4") -> Mapping[str, Any]:
    """What the template is told."""
    return laid_out(system, roster, people, PAPERS[paper], measure)


def test_few_columns_stand_and_many_lie(gamers: System) -> None:
    few, many = Roster((RosterColumn("Weapon", shows=("{arms}",)),)), roster_of(gamers)
    assert listed(gamers, few, person())["paper"]["width"] == A4.width
    assert listed(gamers, many, fighter())["paper"]["width"] == A4.height
    assert listed(gamers, many, fighter(), paper="letter")["paper"]["width"] == LETTER.height


def test_the_columns_fill_the_page_whatever_stands_in_them(gamers: System) -> None:
    for text in ("", "x", "two words", "W" * 500):
        values = {"arms.1.name": text, "occupation": text, "attributes.Grit": text}
        for paper in ("a4", "letter"):
            data = listed(gamers, roster_of(gamers), person(text, **values), paper=paper)
            assert abs(sum(data["widths"]) - (data["paper"]["width"] - 20)) < 0.01
            assert min(data["widths"]) > 5


def test_boxes_stand_below_their_levels_where_there_is_no_room_beside(gamers: System) -> None:
    levels = tuple(RosterColumn(f"T{at}", shows=(f"{{t{at}}}",), pencil=True) for at in range(22))
    assert not listed(gamers, roster_of(gamers), fighter())["stacked"]
    assert listed(gamers, Roster(levels), person())["stacked"]


def test_a_code_that_stands_alone_is_a_figure_and_a_text_is_none(gamers: System) -> None:
    columns = (RosterColumn("Dodge", shows=("{dodge}",)), RosterColumn("From", shows=("{from}",)))
    told = listed(gamers, Roster(columns), person(dodge="4d+1", **{"from": "the toll bridge"}), person(dodge="3d"))
    assert [column["figure"] for column in told["columns"]] == [True, False]
    assert listed(gamers, Roster(columns), person())["columns"] == []  # nobody has anything there


def test_a_cell_has_the_lines_that_say_something(gamers: System) -> None:
    columns = (
        RosterColumn("Weapon", shows=("{arms.1.name} {arms.1.roll}", "{arms.2.name}")),
        RosterColumn("Best", best="skills", most=2),
        RosterColumn("Hits", ticks="{figure.hits}"),
        RosterColumn("Six", ticks="6"),
        RosterColumn("Notes"),
    )
    values = {"arms.1.name": "Bow", "arms.1.roll": "2d6", "figure.hits": "14"}
    (section,) = listed(gamers, Roster(columns), person(**values))["sections"]
    assert section["rows"][0]["cells"] == [["Bow 2d6"], ["Melee\u00a03\u00a0· Fire\u00a02"], ["14"], ["6"], []]
    (section,) = listed(gamers, Roster(columns), person())["sections"]
    assert section["rows"][0]["cells"] == [["Melee\u00a03\u00a0· Fire\u00a02"], [], ["6"], []]


def test_what_belongs_to_a_row_stands_in_it_and_more_rows_are_counted(gamers: System) -> None:
    acts = tuple(
        RosterColumn(title, shows=tuple(f"{{act.{at}.{title}}}" for at in (1, 2))) for title in ("name", "code", "less")
    )
    roster = Roster((RosterColumn("Dodge", shows=("{dodge}",)), *acts))
    two = {"act.1.name": "Brawling", "act.1.code": "4d", "act.2.name": "Dodge", "act.2.code": "3d", "act.2.less": "2d"}
    two["dodge"] = "3d"
    for values, rows in (
        (two, [("Brawling", "4d", "—"), ("Dodge", "3d", "2d")]),
        (
            {**two, "act.3.name": "Parry", "act.4.name": "Shout"},
            [("Brawling", "4d", "—"), ("Dodge\u00a0· and 2 more", "3d", "2d")],
        ),
    ):
        data = listed(gamers, roster, person(**values))
        (section,) = data["sections"]
        assert data["blocks"] == ((0,), (1, 2, 3))
        assert list(zip(*section["rows"][0]["cells"][1:], strict=True)) == rows


def test_later_rows_stand_beside_the_first_and_what_is_left_is_counted_there(gamers: System) -> None:
    acts = tuple(
        RosterColumn(title, shows=tuple(f"{{act.{at}.{title}}}" for at in rows))
        for rows in ((1, 2), (3, 4))
        for title in ("name", "code")
    )
    values = {f"act.{at}.{title}": f"{title} {at}" for at in range(1, 6) for title in ("name", "code")}
    data = listed(gamers, Roster(acts), person(**values))
    (section,) = data["sections"]
    assert data["blocks"] == ((0, 1), (2, 3))
    assert section["rows"][0]["cells"] == [
        ["name 1", "name 2"],
        ["code 1", "code 2"],
        ["name 3", "name 4\u00a0· and 1 more"],
        ["code 3", "code 4"],
    ]


def test_rosters_of_our_games_leave_no_attack_out(gamers: System) -> None:
    arms = {f"arms.{at}.{name}": f"{name} {at}" for at in range(1, 6) for name in ("name", "roll", "injury")}
    data = listed(gamers, roster_of(gamers), person(**arms))
    shown = data["sections"][0]["rows"][0]["cells"][6]
    assert shown == [f"name {at}" for at in range(1, 6)]
    assert data["dense_from"] < 5


def test_a_row_tells_the_number_in_the_run_where_it_is_another(gamers: System) -> None:
    people = [dataclasses.replace(person(), character=rolled(at)) for at in (1, 2, 3)]
    for order, told in (((0, 1, 2), [0, 0, 0]), ((2, 0, 1), [3, 1, 2])):
        (section,) = listed(gamers, roster_of(gamers), *(people[at] for at in order))["sections"]
        assert [row["index"] for row in section["rows"]] == told


def rolled(index: int) -> Character:
    """Somebody of that number of a run."""
    return Character("gamers", {"name": "Ada"}, Origin(method="random", seed=7, index=index))


def test_people_stand_under_their_headings(gamers: System) -> None:
    people = [person("Ada", "Spy"), person("Bo", "Spy"), person("Cy", "Cook")]
    sections = listed(gamers, roster_of(gamers), *people)["sections"]
    assert [(each["title"], [row["name"] for row in each["rows"]]) for each in sections] == [
        ("Spy", ["Ada", "Bo"]),
        ("Cook", ["Cy"]),
    ]


def asked(data: Mapping[str, Any]) -> tuple[str, int | None, str]:
    """Where wants stand, in which column, and what stands over it."""
    told = data["asked"]
    return told["where"], told["at"], told["head"]


def test_wants_stand_at_the_head_of_room_to_write_and_fill_it_where_people_are_many(gamers: System) -> None:
    """Rosters of eight games left wants out, as room to write below each would have taken a further page."""
    roster = roster_of(gamers)
    last = len(roster.columns) - 3  # attributes and attacks, without armour that nobody wears
    for count, head in ((4, "Wants\u00a0· Notes"), (14, "Wants")):
        people = [fighter(f"Ada {at}", want="Take one of the two off my hands. " * 2) for at in range(count)]
        told = listed(gamers, roster, *people)
        assert (asked(told), begins(told)) == (("room", last + 1, head), [])


def test_wants_stand_below_their_rows_where_there_is_no_room_to_write(gamers: System) -> None:
    """A roster of figures alone told of no want; its row then left a hole between somebody and what they want."""
    figures = RosterColumn("Grit", shows=("{attributes.Grit}",))
    asking, silent = person(want="Find the dog."), person()
    told = listed(gamers, Roster((figures,)), asking, silent)
    assert asked(told) == ("below", None, "")
    first, second = told["sections"][0]["rows"]
    assert (first["want"], second["want"]) == ("Find the dog.", "")
    assert first["asked"] == round(told["height"] - 10.2, 2)  # all of the row but its least height
    beside = listed(gamers, Roster((figures, RosterColumn("Notes"))), asking, silent)
    assert asked(beside)[:2] == ("room", 0)
    assert asked(listed(gamers, Roster((figures,)), silent))[0] == ""


def test_wants_stand_under_figures_beside_what_somebody_is(gamers: System) -> None:
    figures = tuple(RosterColumn(f"Figure {at}", shows=("{attributes.Grit}",)) for at in range(8))
    values = {"attributes.Grit": "7", "want": "Find the dog."}
    told = listed(
        gamers, Roster((*figures, RosterColumn("Story", shows=("{story}",)))), person(**values, story="Long ago.")
    )
    assert asked(told) == ("under", None, "")
    assert told["asked"]["width"] == round(sum(told["widths"][2:10]) - 3, 2)


def test_a_number_stands_nearer_to_its_box_than_the_box_to_the_next_number(gamers: System) -> None:
    told = listed(gamers, roster_of(gamers), fighter())
    assert told["apart"] >= 3 * told["gap"]
    digit = measure("7", 13, True) / 72 * 25.4
    assert min(told["widths"][2:8]) >= digit + told["gap"] + 8 + told["apart"]


def test_heads_say_which_traits_initials_stand_for_and_the_foot_says_of_which_kind(gamers: System) -> None:
    told = listed(gamers, roster_of(gamers), person(**{f"attributes.{name}": "7" for name in ATTRIBUTES}))
    assert tuple(column["below"] for column in told["columns"][:6]) == ATTRIBUTES
    assert told["reminder"].startswith("mental G A M, physical E R S:")
    assert "A is 10, B 11, C 12" in told["reminder"]


def test_what_is_folded_stands_below_the_rows_in_front_and_what_nobody_has_in_no_column(gamers: System) -> None:
    """One cuirass among twelve took a column of 27 mm."""
    armour = {"armour.1.name": "Cuirass", "armour.1.coverage": "9", "armour.1.rating": "5"}
    told = listed(gamers, roster_of(gamers), person(**ARMED), person(**ARMED, **armour))
    assert [column["title"] for column in told["columns"][6:]] == ["Weapon", "Attack", "Injury", "Range", "Notes"]
    first, second = told["sections"][0]["rows"]
    assert (first["folded"], second["folded"]) == ({}, {6: ("Cuirass", "under 9, stops 5")})


def begins(data: Mapping[str, Any]) -> list[int]:
    """The numbers of the rows that begin a page."""
    return [row["number"] for section in data["sections"] for row in section["rows"] if row["begins"]]


def test_few_people_have_high_rows_and_room_for_notes(gamers: System) -> None:
    roster = roster_of(gamers)
    assert listed(gamers, roster, fighter())["notes"] > 100
    eight = listed(gamers, roster, *[fighter()] * 8)
    assert (eight["height"], eight["notes"] > 30, begins(eight)) == (14.0, True, [])
    fifteen = listed(gamers, roster, *[fighter()] * 15)
    assert (fifteen["height"], fifteen["notes"], begins(fifteen)) == (10.8, 0, [])


def test_many_people_share_their_pages_evenly(gamers: System) -> None:
    roster = roster_of(gamers)
    assert begins(listed(gamers, roster, *[fighter()] * 20)) == [11]
    assert begins(listed(gamers, roster, *[fighter()] * 45)) == [15, 31]
    assert begins(listed(gamers, roster, *[fighter(want="Find the dog. " * 4)] * 30)) == [16]


def test_later_pages_hold_more_since_they_have_no_title() -> None:
    """Each page once took as many rows as the first, with a hole below them."""
    height, _, begin = heights([10.0] * 31, 150, later=10, spread=True)
    assert (height, [*begin]) == (10.0, [16])


def test_the_page_of_a_group_tells_the_part_below_the_name_and_not_its_number(gamers: System) -> None:
    """Guard 3 had number 4 before the name."""
    origin = Origin("gamers", 7, 1, group="The watch")
    values = {"name": "Ilse Marr, guard 3", "occupation": "gate keeper"}
    ilse = Person(Character("gamers", values, origin=origin), {"occupation": "Gate keeper"})
    both = [cast(Any, laid_out(gamers, roster_of(gamers), [ilse], A4, measure, group=group)) for group in (True, False)]
    rows = [told["sections"][0]["rows"][0] for told in both]
    assert [(row["name"], row["under"]) for row in rows] == [
        ("Ilse Marr", "Guard\u00a0· gate keeper"),
        ("Ilse Marr, guard 3", "Gate keeper"),
    ]


@pytest.mark.parametrize(
    ("name", "given", "own", "part"),
    [
        ("Abe King, Jr.", "", "Abe King, Jr.", ""),
        ("Abe King, Jr., guard 2", "", "Abe King, Jr.", "guard"),
        ("Rosa, the red", "Rosa, the red", "Rosa, the red", ""),
        ("Rosa, the red, guard", "Rosa, the red", "Rosa, the red", "guard"),
    ],
)
def test_a_comma_in_a_name_is_no_part_in_a_group(name: str, given: str, own: str, part: str) -> None:
    origin = Origin("gamers", 7, 1, name=given, group="The watch")
    assert Character("gamers", {"name": name}, origin=origin).name_and_part == (own, part)


def test_rows_of_different_heights_take_as_few_pages_as_hold_them() -> None:
    """Each page once fell a little short of its share, and what was left over began one page more."""
    wanted = [12.0, 12.0, 12.0, 12.0, 12.0, 18.0, 14.0, 12.0] * 5
    height, _, begin = heights(wanted, 140, spread=True)
    assert len(begin) == 3
    edges = [1, *sorted(begin), len(wanted) + 1]
    filled = [sum(max(height, each) for each in wanted[start - 1 : end - 1]) for start, end in pairwise(edges)]
    assert max(filled) <= 140
    assert min(filled) > 110


def test_a_page_begins_earlier_where_rows_are_high(gamers: System) -> None:
    high = person("word " * 60)
    (first, *_) = begins(listed(gamers, roster_of(gamers), *[high] * 4, *[person()] * 16))
    assert first < 11


def test_a_pack_that_says_nothing_has_a_roster_all_the_same(gamers: System) -> None:
    roster = roster_of(dataclasses.replace(gamers, roster=None))
    titles = [column.title for column in roster.columns]
    assert titles == ["Grit", "Awareness", "Mind", "Endurance", "Reflexes", "Strength", "Features", "Skills", "Notes"]
    assert roster.under == "occupation"
    assert [column.title for column in roster.keys] == ["Grit", "Awareness", "Mind"]
    assert listed(gamers, roster, person())["columns"][-1]["kind"] == "room"


def test_the_first_page_of_a_group_is_filled_and_nobody_stands_alone_on_the_last(gamers: System) -> None:
    def pages(count: int) -> list[int]:
        everybody = [person()] * count
        found = begins(laid_out(gamers, roster_of(gamers), everybody, A4, measure, group=True))
        return [end - start for start, end in zip([1, *found], [*found, count + 1], strict=True)]

    most = max(count for count in range(1, 20) if len(pages(count)) == 1)
    assert pages(most + 1) == [most - 1, 2]
    assert pages(most + 3) == [most, 3]
