"""What every built-in game says of many people at once: a roster with its keys, and ready-made groups."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any, cast

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.documents.people.roster import laid_out, roster_of
from sheetgen.documents.people.roster_rows import Person, line_texts
from sheetgen.documents.people.sheet import sheet_values
from sheetgen.geometry import PAPERS
from sheetgen.model.system import System
from sheetgen.pdf.fonts.bundled import text_width
from sheetgen.rules.engine_check import check_groups
from sheetgen.rules.registry import engine_of
from sheetgen.rules.rolling import Roller, plan_of
from tests.reading import read_pack

GAMES = ("gamers", "agents", "tsgs", "sixshooter", "diecodes", "genesix")


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest, library: Library) -> System:
    """Each game in turn."""
    return read_pack(library.folder(request.param), library)


def somebody(system: System, archetype: str, index: int) -> Person:
    """Number `index` of an archetype, with the fields of the sheet."""
    return people(system, archetype, [index])[0]


def people(system: System, archetype: str, indices: Iterable[int]) -> list[Person]:
    """People of an archetype by their numbers."""
    rolled = Roller(system, plan_of(system, archetype=archetype), 7).roll_all(list(indices))
    figures = engine_of(system).figures
    return [Person(each, sheet_values(system, each, figures(system, each))) for each in rolled]


def test_every_column_says_something_of_somebody(game: System) -> None:
    roster = game.roster
    assert roster is not None
    said: dict[str, set[str]] = {}
    for person in chain.from_iterable(people(game, name, range(1, 41)) for name in game.cast.archetypes):
        for title, text in line_texts(game, roster, person):
            said.setdefault(title, set()).add(text)
    rooms = {column.title for column in roster.columns if not (column.shows or column.best or column.ticks)}
    of_bosses = {"Takes"} & said.keys()  # how many successes, where it is more than the usual one
    assert {title for title, texts in said.items() if texts == {""}} == rooms | of_bosses


def test_an_index_has_three_keys_and_everybody_has_the_first(game: System) -> None:
    from sheetgen.model.people_pages import filled

    assert game.roster is not None
    assert len(game.roster.keys) == 3
    some = [somebody(game, name, 1) for name in game.cast.archetypes]
    assert [each for each in some if not filled(game.roster.keys[0].key, each.values)] == []


def test_ready_made_groups_are_sound_and_each_has_a_line_to_say(game: System) -> None:
    assert len(game.ready_groups) >= 5
    assert check_groups(game) == ()
    assert [name for name, group in game.ready_groups.items() if not group.say or not 2 <= group.size <= 20] == []


def test_the_numbers_of_genesix_stand_in_columns_in_the_order_of_its_card(library: Library) -> None:
    system = read_pack(library.folder("genesix"), library)
    told = dict(line_texts(system, roster_of(system), somebody(system, "", 1)))
    approaches = ["Cautiously", "Flamboyantly", "Aggressively", "Covertly", "Unnaturally"]
    attributes = ["Strength", "Agility", "Mental", "Social", "Monetary"]
    assert list(told)[2:12] == attributes + approaches
    assert all(len(told[name]) <= 2 for name in attributes + approaches)


def test_a_column_about_what_nobody_has_is_left_out(library: Library) -> None:
    """Whoever lives in Penny Staithe has a Grip, and no traits; those who play have traits, and grow cold."""
    system = read_pack(library.folder("slackwater"), library)
    folk, player = somebody(system, "", 1), somebody(system, "pilot", 1)
    assert not folk.character.numbers("traits")
    assert player.character.numbers("traits")
    traits = ["Hands", "Eyes", "Tongue", "Salt"]
    assert heads(system, folk) == ["Grip", "What they do", "Story", "Notes"]
    assert heads(system, player) == [*traits, "Cold", "Notes"]
    told: Any = laid_out(system, roster_of(system), [folk, player], PAPERS["a4"], measure)
    first, second = told["sections"][0]["rows"]
    assert (first["cells"][:4], all(second["cells"][:4])) == ([[]] * 4, True)


def heads(system: System, *people: Person) -> list[str]:
    """The heads of the columns of a roster."""
    told: Any = laid_out(system, roster_of(system), people, PAPERS["a4"], measure)
    return [column["title"] for column in told["columns"]]


def as_set(text: str, size: float, bold: bool) -> float:
    """The width of a text in points in the serif that rosters are set in."""
    return text_width(text, size, weight=700 if bold else 400, serif=True)


def measure(text: str, size: float, bold: bool) -> float:
    """Every character is half an em wide."""
    return len(text) * size / 2


@pytest.mark.parametrize("name", ["gamers", "waster", "tsgs", "slackwater", "chalkdown"])
def test_a_want_stands_at_the_head_of_room_to_write(library: Library, name: str) -> None:
    system = read_pack(library.folder(name), library)
    folk = people(system, "", range(1, 9))
    told: Any = laid_out(system, roster_of(system), folk, PAPERS["a4"], measure)
    assert told["asked"]["where"] == "room"
    assert told["columns"][told["asked"]["at"]]["title"] == "Notes"
    assert [row["want"] for row in told["sections"][0]["rows"]] == [each.character.text("want") for each in folk]
    assert not cast(Any, laid_out(system, roster_of(system), folk, PAPERS["a4"], measure, group=True))["asked"]["where"]


def test_twelve_and_twenty_people_of_genesix_want_something(library: Library) -> None:
    """They once fitted two pages, with no room left to say it."""
    system = read_pack(library.folder("genesix"), library)
    told: Any = laid_out(system, roster_of(system), people(system, "", range(1, 21)), PAPERS["a4"], as_set)
    assert told["asked"]["where"] == "under"
    assert all(row["want"] for row in told["sections"][0]["rows"])
    twelve: Any = laid_out(system, roster_of(system), people(system, "", range(1, 13)), PAPERS["a4"], as_set)
    assert twelve["asked"]["where"] == "under"
    assert not any(row["begins"] for row in twelve["sections"][0]["rows"])  # guns with many tags once took two pages


def test_a_few_people_of_genesix_have_room_for_the_story_behind_what_they_want(library: Library) -> None:
    """A want alone was a riddle above an empty page."""
    system = read_pack(library.folder("genesix"), library)
    folk = people(system, "", range(1, 4))
    told: Any = laid_out(system, roster_of(system), folk, PAPERS["a4"], as_set)
    assert told["asked"]["where"] == "told"
    assert [row["story"] for row in told["sections"][0]["rows"]] == [each.character.text("hook") for each in folk]


@pytest.mark.parametrize(
    "name", ["gamers", "fright", "heroic", "waster", "tsgs", "sixshooter", "diecodes", "chalkdown"]
)
def test_twelve_people_and_what_they_want_stand_on_one_page(library: Library, name: str) -> None:
    """Wants were left out in five of these, and Die Codes took two pages."""
    system = read_pack(library.folder(name), library)
    for first in (1, 13):
        folk = people(system, "", range(first, first + 12))
        told: Any = laid_out(system, roster_of(system), folk, PAPERS["a4"], as_set)
        assert told["asked"]["where"] == "room"
        assert not any(row["begins"] for section in told["sections"] for row in section["rows"])


def test_the_page_of_the_six_of_slackwater_says_what_each_has(library: Library) -> None:
    """It had four numbers and a manner for each, and its foot told of the Grip, which none of them has."""
    system = read_pack(library.folder("slackwater"), library)
    folk = people(system, "pilot", range(1, 4))
    told: Any = laid_out(system, roster_of(system), folk, PAPERS["a4"], as_set, group=True)
    for person, row in zip(folk, told["sections"][0]["rows"], strict=True):
        moves, taken = row["wish"].split("\n")
        playbook, _, moves = moves.partition(": ")
        assert playbook == person.character.text("playbook")
        assert set(moves.split("\u00a0· ")) == set(person.character.numbers("moves"))
        assert taken == f"What the sea has: {person.character.text('taken')}"
    assert "add a trait" in told["reminder"]
    assert "Grip" not in told["reminder"]


@pytest.mark.parametrize("name", ["agents", "fright", "heroic", "spacer", "waster"])
def test_the_page_of_a_group_has_the_track_of_its_skin(library: Library, name: str) -> None:
    system = read_pack(library.folder(name), library)
    folk = people(system, "guard", range(1, 7))
    on_group, alone = (
        cast(Any, laid_out(system, roster_of(system), folk, PAPERS["a4"], as_set, group=group))
        for group in (True, False)
    )
    assert (on_group["columns"][-1]["kind"], on_group["stacked"]) == ("ticks", False)
    assert "ticks" not in {column["kind"] for column in alone["columns"]}


@pytest.mark.parametrize("group", [False, True])
def test_no_figure_of_genesix_is_parted_from_its_sign(library: Library, group: bool) -> None:
    """Where a page is full names and texts give way, not columns of figures, which are set in bold."""
    system = read_pack(library.folder("genesix"), library)
    long = "Kaspar Westergaard, soldier of the crown"
    folk = [
        replace(each, character=replace(each.character, values={**each.character.values, "name": long}))
        for each in people(system, "soldier", range(1, 9))
    ]
    told: Any = laid_out(system, roster_of(system), folk, PAPERS["a4"], as_set, group=group)
    rows = [row["cells"] for section in told["sections"] for row in section["rows"]]
    short = [
        column["title"]
        for at, (column, width) in enumerate(zip(told["columns"], told["widths"][2:], strict=True))
        if column["figure"] and width < max(as_set("".join(cells[at]), 11, True) for cells in rows) / 72 * 25.4 + 2
    ]
    assert short == []


def test_the_head_of_genesix_says_each_word_whole_and_no_row_tells_what_the_foot_says(library: Library) -> None:
    """Its head once read St, Ag, C, A, Co, and its rows said “their roll” for every attack without a number."""
    system = read_pack(library.folder("genesix"), library)
    folk = people(system, "", range(1, 41))
    told: Any = laid_out(system, roster_of(system), folk, PAPERS["a4"], as_set)
    ratings = [trait.name for name in ("attributes", "approaches") for trait in system.group(name).members]
    heads = [column["title"] for column in told["columns"] if column["upright"]]
    assert heads == [*(name for name in ratings if name != "Unnaturally"), "Close", "Near", "Far", "Takes off"]
    longest = as_set("Flamboyantly", 8, True) / 72 * 25.4
    assert told["heads"] >= longest * 0.9
    assert "their roll" not in str(told["sections"])
    assert "their roll" in roster_of(system).reminder
    assert sum(row["begins"] for row in told["sections"][0]["rows"]) <= 4


def test_a_roster_of_slackwater_tells_stories_and_of_no_traits(library: Library) -> None:
    """Its foot once spoke of traits, which nobody has whom players meet, and no line told a story."""
    system = read_pack(library.folder("slackwater"), library)
    met = somebody(system, "", 1)
    told = dict(line_texts(system, roster_of(system), met))
    assert told["Story"] == met.character.text("hook") != ""
    assert "trait" not in roster_of(system).reminder


# Words of a trade or a tie that say whether it is a woman or a man. A midwife, a cattle baron and a butler are either.
OF_ONE_SEX = re.compile(
    r"\b\w*(?:[rsv]man|woman|men|lady|lord|\bwife|widow|\bnun|monk|maid|\bboy|girl|mother|father|sister|brother|mistress|"
    r"abbot|abbess|friar|duke|duchess|dame|governess|hostess|uncle|aunt|husband|bride|valet)\b"
)
EITHER = frozenset(("warlord", "lord’s bodyguard"))


@pytest.mark.parametrize("name", [*GAMES, "fright", "heroic", "spacer", "waster", "slackwater", "chalkdown"])
def test_names_carry_a_gender_with_which_trades_and_ties_agree(library: Library, name: str) -> None:
    cast = read_pack(library.folder(name), library).cast
    trades = [trade for trade in cast.occupations if OF_ONE_SEX.search(trade) and trade not in EITHER]
    ties = [tie.say for tie in cast.relations if OF_ONE_SEX.search(tie.say) and not tie.who]
    assert [*trades, *ties] == []
