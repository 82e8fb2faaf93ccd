"""A roster as plain data: which way the paper lies, how wide the columns are, what stands in the cells."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from sheetgen.documents.roster import Person, laid_out, roster_of
from sheetgen.documents.roster_pages import with_wants
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


def listed(system: System, roster: Roster, *people: Person, paper: str = "a4") -> Mapping[str, Any]:
    """What the template is told."""
    return laid_out(system, roster, people, PAPERS[paper], measure)


def test_few_columns_stand_and_many_lie(gamers: System) -> None:
    few, many = Roster((RosterColumn("Weapon", shows=("{arms}",)),)), roster_of(gamers)
    assert listed(gamers, few, person())["paper"]["width"] == A4.width
    assert listed(gamers, many, person())["paper"]["width"] == A4.height
    assert listed(gamers, many, person(), paper="letter")["paper"]["width"] == LETTER.height


def test_the_columns_fill_the_page_whatever_stands_in_them(gamers: System) -> None:
    for text in ("", "x", "two words", "W" * 500):
        values = {"arms.1.name": text, "occupation": text, "attributes.Grit": text}
        for paper in ("a4", "letter"):
            data = listed(gamers, roster_of(gamers), person(text, **values), paper=paper)
            assert abs(sum(data["widths"]) - (data["paper"]["width"] - 20)) < 0.01
            assert min(data["widths"]) > 5


def test_boxes_stand_below_their_levels_where_there_is_no_room_beside(gamers: System) -> None:
    levels = tuple(RosterColumn(f"T{at}", shows=(f"{{t{at}}}",), pencil=True) for at in range(18))
    assert not listed(gamers, roster_of(gamers), person())["stacked"]
    assert listed(gamers, Roster(levels), person())["stacked"]


def test_a_code_that_stands_alone_is_a_figure_and_a_text_is_none(gamers: System) -> None:
    columns = (RosterColumn("Dodge", shows=("{dodge}",)), RosterColumn("From", shows=("{from}",)))
    told = listed(gamers, Roster(columns), person(dodge="4d+1", **{"from": "the toll bridge"}), person(dodge="3d"))
    assert [column["figure"] for column in told["columns"]] == [True, False]
    assert not listed(gamers, Roster(columns), person())["columns"][0]["figure"]


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
    assert section["rows"][0]["cells"] == [[], ["Melee\u00a03\u00a0· Fire\u00a02"], [], ["6"], []]


def test_what_belongs_to_a_row_stands_in_it_and_more_rows_are_counted(gamers: System) -> None:
    acts = tuple(
        RosterColumn(title, shows=tuple(f"{{act.{at}.{title}}}" for at in (1, 2))) for title in ("name", "code", "less")
    )
    roster = Roster((RosterColumn("Dodge", shows=("{dodge}",)), *acts))
    two = {"act.1.name": "Brawling", "act.1.code": "4d", "act.2.name": "Dodge", "act.2.code": "3d", "act.2.less": "2d"}
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


def test_wants_stand_below_their_rows_where_the_room_to_write_would_take_a_further_page(gamers: System) -> None:
    """Twenty people of GAMERS wanted nothing: the column for notes was wide enough, and too high."""
    roster = roster_of(gamers)
    for count, column in ((4, len(roster.columns) - 1), (20, None)):
        people = [person(f"Ada {at}", want="Take one of the two off my hands. " * 4) for at in range(count)]
        told = listed(gamers, roster, *people)
        assert told["asked"]
        assert (told["asked_in"], bool(told["asked_line"])) == (column, column is None)


def test_wants_stand_below_their_rows_where_there_is_no_room_to_write(gamers: System) -> None:
    """A roster of figures alone, such as that of GeneSix, told of no want."""
    figures = RosterColumn("Grit", shows=("{attributes.Grit}",))
    asking, silent = person(want="Find the dog."), person()
    told = listed(gamers, Roster((figures,)), asking, silent)
    assert (told["asked"], told["asked_in"], told["asked_line"]) == (True, None, 3.7)
    assert [row["want"] for row in told["sections"][0]["rows"]] == ["Find the dog.", ""]
    beside = listed(gamers, Roster((figures, RosterColumn("Notes"))), asking, silent)
    assert (beside["asked"], beside["asked_in"], beside["asked_line"]) == (True, 1, 0)
    assert listed(gamers, Roster((figures,)), silent)["asked"] is False


def begins(data: Mapping[str, Any]) -> list[int]:
    """The numbers of the rows that begin a page."""
    return [row["number"] for section in data["sections"] for row in section["rows"] if row["begins"]]


def test_few_people_have_high_rows_and_room_for_notes(gamers: System) -> None:
    roster = roster_of(gamers)
    assert listed(gamers, roster, person())["notes"] > 100
    eight = listed(gamers, roster, *[person()] * 8)
    assert (eight["height"], eight["notes"] > 30, begins(eight)) == (14, True, [])
    fifteen = listed(gamers, roster, *[person()] * 15)
    assert (fifteen["height"], fifteen["notes"], begins(fifteen)) == (10.53, 0, [])


def test_many_people_share_their_pages_evenly(gamers: System) -> None:
    roster = roster_of(gamers)
    assert begins(listed(gamers, roster, *[person()] * 20)) == [11]
    assert begins(listed(gamers, roster, *[person()] * 45)) == [16, 31]


def test_rows_of_different_heights_take_as_few_pages_as_hold_them() -> None:
    """Each page once fell a little short of its share, and what was left over began one page more."""
    wanted = [12.0, 12.0, 12.0, 12.0, 12.0, 18.0, 14.0, 12.0] * 5
    (height, _, begin), is_asked = with_wants(wanted, [0.0] * len(wanted), 140, spread=True)
    assert (len(begin), is_asked) == (3, False)
    edges = [1, *sorted(begin), len(wanted) + 1]
    filled = [sum(max(height, each) for each in wanted[start - 1 : end - 1]) for start, end in pairwise(edges)]
    assert max(filled) <= 140
    assert min(filled) > 110


def test_wants_are_worth_a_page_where_there_are_several_anyway() -> None:
    """Forty people of Six Shooter, and twenty of GeneSix, fitted their pages so well that nobody wanted anything."""
    for count, many, pages, asked in ((13, 3, 1, False), (26, 3, 2, False), (39, 3, 4, True), (26, 2, 3, True)):
        (_, _, begin), is_asked = with_wants([10.0] * count, [15.0] * count, 150, spread=True, many=many)
        assert (len(begin) + 1, is_asked) == (pages, asked)


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
