"""Chalkdown, a game of YAML alone: what its book promises of lines, chalk and people holds of its data."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from sheetgen import load
from sheetgen import odds as odds_of
from sheetgen.errors import Place
from sheetgen.model.book import Featured
from sheetgen.model.system import System
from sheetgen.people.parameter_binding import parameters_from
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.book_people import kept_characters, shown_people
from sheetgen.products.chapters import open_book
from sheetgen.products.form_cache import PENCIL, STAMPED, sheet_html
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

BEASTS = {"chalk moth", "pale goose"}


@pytest.fixture
def chalkdown(project: Project) -> System:
    return open_pack(project, "chalkdown").system


def lines_of(system: System) -> dict[str, str]:
    """What is written on each thing that has a line."""
    return {name: str(each.gives["line"]) for name, each in system.cast.archetypes.items() if "line" in each.gives}


def test_it_is_yaml_alone_and_check_has_nothing_to_say(chalkdown: System, sheetgen: Callable[..., Any]) -> None:
    ran = sheetgen("check", "chalkdown")
    assert (chalkdown.engine, ran.code, ran.err) == ("", 0, "")


@pytest.mark.parametrize(
    ("procedure", "of", "given", "chance"),
    [
        ("test", "success", {"target": 12}, Fraction(12, 20)),
        ("test", "success", {"target": 12, "advantage": -1}, Fraction(12, 20) ** 2),
        ("test", "success", {"target": 25}, Fraction(19, 20)),  # a 20 never
        ("chalk", "face>=3", {"die": "d8"}, Fraction(6, 8)),
        ("lamp", "used_up", {"die": "d4"}, Fraction(2, 4)),
        ("strike", "wounds>=1", {"level": 12, "die": "d4", "guard": 4}, Fraction(12, 20)),  # never less than one
        ("strike", "wounds>=3", {"level": 10, "die": "d6", "guard": 1}, Fraction(1, 2) * Fraction(3, 6)),
        ("meet", "band=kind", {"bonus": 0}, Fraction(6, 36)),
    ],
)
def test_its_odds_are_those_of_the_book(procedure: str, of: str, given: dict[str, Any], chance: Fraction) -> None:
    assert odds_of(load("chalkdown"), procedure, of=of, **given).chance(True) == chance


def test_each_word_that_the_book_leaves_out_stands_in_the_line(project: Project, chalkdown: System) -> None:
    lines, pack = lines_of(chalkdown), open_pack(project, "chalkdown")
    rule = open_book(project, pack).book.rules["written"]
    told = {who.archetype: who.want for who in rule.people}
    assert set(told) == set(lines)
    for name, want in told.items():
        (word,) = re.findall(r"Without “(\w+)”", want)
        assert word.casefold() in lines[name].casefold().split(), name


def test_a_sleeve_has_lamp_and_chalk_and_room_for_wounds(project: Project) -> None:
    people = roll(open_pack(project, "chalkdown"), RollOptions(seed=3, count=20, method="sleeve"))
    for person in people:
        assert (person.text("lamp"), person.text("chalk"), person.numbers("body")["Hits"]) == ("d8", "d8", 10)
        assert len(person.lines("gear")) <= 7
        assert all(6 <= level <= 16 for level in person.numbers("abilities").values())


def test_everybody_below_owns_what_they_hit_with_and_nothing_else(project: Project, chalkdown: System) -> None:
    pack = open_pack(project, "chalkdown")
    for name in [*lines_of(chalkdown), *BEASTS]:
        (person,) = roll(pack, RollOptions(seed=5, archetype=name))
        assert person.lines("gear") == (person.text("attack").rpartition(" ")[0],), name
        assert person.text("occupation") == name


def test_an_attack_is_the_largest_die_that_somebody_carries_or_bare_hands(project: Project) -> None:
    pack = open_pack(project, "chalkdown")
    people = [each for method in ("folk", "able", "sleeve") for each in roll(pack, RollOptions(9, 60, method=method))]
    for archetype in ("rival", "townsfolk", "robber", "scholar"):
        people += roll(pack, RollOptions(9, 20, archetype=archetype))
    for person in people:
        armed = [re.fullmatch(r"(.+) \((d(\d+))\)", thing) for thing in person.lines("gear")]
        best = max((each for each in armed if each), key=lambda each: int(each[3]), default=None)
        assert person.text("attack") == (f"{best[1]} {best[2]}" if best else "bare hands d4")
    assert {"bare hands d4", "spade d6", "bow d6", "sword d8"} <= {each.text("attack") for each in people}


def test_what_a_field_says_fills_in_a_parameter(project: Project, chalkdown: System) -> None:
    """The die of a lamp or of a chalk is a choice on the sheet; who has none fills in nothing."""
    pack = open_pack(project, "chalkdown")
    (sleeve,) = roll(pack, RollOptions(3, method="sleeve"))
    (goose,) = roll(pack, RollOptions(3, archetype="pale goose"))
    assert parameters_from(chalkdown, "chalk", "who", sleeve, "") == {"die": "d8"}
    assert parameters_from(chalkdown, "chalk", "who", goose, "") == {}


def test_a_block_says_levels_once_and_an_attack_without_a_number_in_a_row(project: Project) -> None:
    pack = open_pack(project, "chalkdown")
    (shown,) = shown_people(pack, [Featured(Place("x.yaml", 1, 1), archetype="doorward")], {})
    (block,) = shown["people"]
    assert [level["name"] for level in block["levels"]] == ["Arm", "Hand", "Eye", "Heart"]
    assert (block["skills"], block["below"], block["attacks"]) == (
        "",
        "",
        [{"name": "slam d8\u00a0·", "shown": ["Guard\u00a02\u00a0· Hits\u00a08"], "note": ""}],
    )


def test_the_map_of_a_storey_has_dots_to_draw_on(sheetgen: Callable[..., Any], tmp_path: Path) -> None:
    assert sheetgen("blank", "chalkdown", "-o", "blank.pdf").code == 0
    with pymupdf.open(tmp_path / "blank.pdf") as pdf:
        drawn = pdf[1].get_drawings()
    dots = {
        (round(item[1].x, 1), round(item[1].y, 1))
        for path in drawn
        for item in path["items"]
        if item[0] == "l" and abs(item[1].x - item[2].x) < 0.1 and abs(item[1].y - item[2].y) < 0.1
    }
    across = sorted({x for x, _ in dots})
    assert len(dots) > 200
    assert {round(after - before) for before, after in pairwise(across)} == {14}  # points: 5 mm


def test_what_the_two_who_go_along_carry_is_told_as_it_stands_in_their_file(project: Project) -> None:
    pack = open_pack(project, "chalkdown")
    kept = {who.text("name"): who for who in kept_characters(project, pack, "cast.yaml")}
    told = {who.only: who.special for who in open_book(project, pack).book.rules["ready-two"].people}
    assert set(told) == {("Jory Pellow",), ("Wilfrid Stote",)}
    for (name,), special in told.items():
        carried = special.removeprefix("Carries a ").removesuffix(".").split(", ")
        owned = kept[name].lines("gear")
        assert [re.sub(r" \(.*?\)", "", each) for each in carried] == [re.sub(r" \(.*?\)", "", each) for each in owned]


def test_the_word_to_rub_out_of_the_coat_of_a_clerk_stands_in_its_line(project: Project) -> None:
    pack = open_pack(project, "chalkdown")
    (pip,) = (who for who in open_book(project, pack).book.rules["who-is-who"].people if who.only == ("Pip Inkpen",))
    kept = {who.text("name"): who for who in kept_characters(project, pack, "people/back.yaml")}
    (word,) = re.findall(r"Without “(\w+)”", pip.special)
    assert word in kept["Pip Inkpen"].text("line").split()


def test_the_plan_of_the_porch_is_the_map_without_the_wax_room_and_what_leads_in_by_night(project: Project) -> None:
    """All of it may be seen by players; the GM has the map."""
    folder, drawn = (
        open_pack(project, "chalkdown").folder,
        re.compile(r"^ +(?:- )?(\w+: \{is: .*|\{from: .*)$", re.MULTILINE),
    )
    plan = drawn.findall((folder / "handouts" / "plan-of-the-front-office.yaml").read_text("utf-8"))
    shown = drawn.findall((folder / "rules" / "06-back.yaml").read_text("utf-8"))
    left = [each for each in shown if "Wax" not in each and "path" not in each]
    assert plan == [each.replace(", say: Ajar", "") for each in left]


def test_an_empty_sheet_has_no_places_for_what_only_people_met_have(project: Project) -> None:
    """A player once found “Wants from you” and “Says” there; a sheet with somebody on it has both.

    What the rules ask a player to write has its places all the same.
    """
    pack = open_pack(project, "chalkdown")
    told = {mode: sheet_html(project, pack, paper="a4", back=True, mode=mode) for mode in (PENCIL, STAMPED)}
    assert [title for title in ("Wants from you", "Says", "Written on it") if title in told[PENCIL]] == []
    assert [name for name in ("want", "voice", "line") if f'name="{name}"' not in told[STAMPED]] == []
    assert [name for name in ("coins", "sleeves", "hook") if f'name="{name}"' not in told[PENCIL]] == []
    assert "why you go down, what you want from another sleeve, what you always say" in told[PENCIL]
    assert (
        '<span class="label">Name</span><input type="text" name="name" title="Name" class="field line owner"'
        in (told[PENCIL])
    )


def test_the_fines_of_marling_are_that_of_each_of_its_heads(chalkdown: System) -> None:
    of = dict(chalkdown.values.flat())
    fines = int(of["fine"]) * int(of["marling.heads"])
    assert (int(of["marling.fines"]), int(of["marling.doubled"])) == (fines, 2 * fines)


def test_the_notice_in_the_players_hands_names_the_fine_of_the_rules(project: Project, chalkdown: System) -> None:
    """A party wanted to pay, and no page that it held said how much."""
    fine, words = int(dict(chalkdown.values.flat())["fine"]), {6: "Six", 12: "twelve"}
    notice = (open_pack(project, "chalkdown").folder / "handouts" / "notice-of-arrears.yaml").read_text("utf-8")
    assert f"{words[fine]} coins a head, and {words[2 * fine]} from the fifth bell" in notice


def test_the_storey_that_is_ready_has_rooms_of_the_table_and_a_line_as_the_book_asks_for(
    project: Project, chalkdown: System
) -> None:
    told = open_book(project, open_pack(project, "chalkdown")).book.rules["lost-property"].text.text
    signs = {row.columns["line"] for row in chalkdown.tables["rooms"].rows}
    rooms = re.findall(r"^\*\*\{\d\}\. The [a-z]+\.\*\* ([A-Z ]+)\.", told, re.MULTILINE)
    assert len(rooms) == 6
    assert set(rooms) <= signs
    (line,) = re.findall(r"trunk:\s+([A-Z ]+), in ink", told)
    assert 5 <= len(line.split()) <= 8
    rubbed = re.findall(r"[Ww]ithout \*(\w+)\*", told)
    assert len(rubbed) == 2
    assert {word.upper() for word in rubbed} <= set(line.split())
