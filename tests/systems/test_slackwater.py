"""Slackwater, a game of playbooks in YAML alone: six people and a town, each with a sheet of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pymupdf
import pypdf
import pytest
import yaml

from sheetgen import load
from sheetgen import odds as odds_of
from sheetgen.documents.people.card import trade_of
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.form_cache import PENCIL, sheet_html
from sheetgen.products.sheet_pages import for_word
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

ROOT = Path(__file__).resolve().parents[2]
SIX = ("Pilot", "Widow", "Wrecker", "Ringer", "Wader", "Found")


@pytest.fixture
def slackwater(project: Project) -> System:
    return open_pack(project, "slackwater").system


def players(project: Project, **options: Any) -> tuple[Character, ...]:
    return tuple(roll(open_pack(project, "slackwater"), RollOptions(seed=5, **options)))


def said_on(pdf: Path) -> list[str]:
    """The words of each page."""
    return [page.extract_text() for page in pypdf.PdfReader(pdf).pages]


@pytest.mark.parametrize("word", ["she", "he", "they"])
def test_everybody_has_the_pronouns_that_are_asked_for(project: Project, word: str) -> None:
    assert {each.text("pronouns") for each in players(project, count=6, options={"pronouns": word})} == {word}


def test_it_is_yaml_alone_and_check_has_nothing_to_say(slackwater: System, sheetgen: Callable[..., Any]) -> None:
    ran = sheetgen("check", "slackwater")
    assert (slackwater.engine, ran.code, ran.err) == ("", 0, "")


@pytest.mark.parametrize(
    ("procedure", "of", "given", "chance"),
    [
        ("move", "band=dry", {"bonus": 0}, Fraction(6, 36)),
        ("move", "band=wet", {"bonus": 0}, Fraction(15, 36)),
        ("move", "band=dry", {"bonus": 2, "advantage": 1}, Fraction(147, 216)),
        ("out", "band=under", {"eyes": 1}, Fraction(10, 36)),
        ("supper", "mood=warm", {"quarrel": 2, "cooks": 2}, Fraction(15, 36)),
        ("chill", "left", {"cold": 5, "by": 2}, 6),
        ("chill", "lies_down", {"cold": 4, "by": 2, "dry_clothes": True}, False),
        ("supper", "quarrel_now", {"stores": 0, "quarrel": 6}, 6),
        ("supper", "mood=warm", {"stores": 0, "quarrel": 1, "cooks": 1}, Fraction(10, 36)),  # hunger counts at once
        ("chill", "left", {"cold": 2, "by": 3}, 5),
    ],
)
def test_its_odds_are_those_of_the_book(procedure: str, of: str, given: dict[str, Any], chance: Any) -> None:
    found = odds_of(load("slackwater"), procedure, of=of, **given)
    assert found.chance(True if isinstance(chance, Fraction) else chance) == (
        chance if isinstance(chance, Fraction) else 1
    )


def test_a_playbook_and_a_trade_are_two_words_for_somebody(slackwater: System, project: Project) -> None:
    """“Pilot harbour pilot” stood on cards and half pages."""
    one = next(each for each in players(project, count=6, archetype="pilot"))
    assert trade_of(slackwater, one) == f"Pilot, {one.text('occupation')}"


@pytest.mark.parametrize("word", SIX)
def test_each_of_the_six_has_five_moves_and_lists_of_their_own(slackwater: System, word: str) -> None:
    number = slackwater.creation.options["playbook"].among.index(word)
    own = {
        name: [each.say for each in listed if ("playbook", frozenset((number,))) in each.fits]
        for name, listed in slackwater.cast.phrases.items()
        if name != "does"
    }
    assert len(slackwater.group("moves").sections[word]) == 5
    assert {name: len(listed) for name, listed in own.items()} == {
        "callings": 3,
        "looks": 6,
        "bonds": 4,
        "taken": 4,
        "things": 5,
    }
    assert all(trait.hint for trait in slackwater.group("moves").sections[word])


def test_whoever_is_rolled_has_what_their_playbook_lists(project: Project, slackwater: System) -> None:
    """Two moves of their own section; looks, bonds and things of their own lists, whichever playbook the dice say."""
    books = set()
    for person in players(project, count=60, method="player"):
        word = person.text("playbook")
        number = slackwater.creation.options["playbook"].among.index(word)
        books.add(word)
        moves = person.numbers("moves")
        assert len(moves) == 2
        assert {slackwater.traits[name].section for name in moves} == {word}
        for field, name in (("look", "looks"), ("taken", "taken"), ("bonds", "bonds"), ("gear", "things")):
            listed = {each.say for each in slackwater.cast.phrases[name] if number in dict(each.fits)["playbook"]}
            held = person.lines(field) or (person.text(field),)
            assert set(held) <= listed
            assert len(set(held)) == {"bonds": 2, "gear": 3}.get(field, 1)
        assert sorted(person.numbers("traits").values()) == [-1, 0, 1, 2]
    assert books == set(SIX)


def test_a_kind_of_person_is_made_by_its_own_method_and_goes_by_its_word(project: Project) -> None:
    for person in players(project, count=4, archetype="widow"):
        assert (person.text("playbook"), person.numbers("traits")["Salt"]) == ("Widow", 2)
    (gull,) = players(project, archetype="gull")
    assert (gull.text("playbook"), gull.lines("bonds"), gull.numbers("grip")) == ("", (), {"Grip": 1})


def test_blank_prints_a_sheet_for_each_and_only_one_if_asked(tmp_path: Path, sheetgen: Callable[..., Any]) -> None:
    assert sheetgen("blank", "slackwater", "-o", "all.pdf").code == 0
    fronts = said_on(tmp_path / "all.pdf")[::2]
    moves = {"Pilot": "Dead Reckoning", "Widow": "Plain Words", "Wader": "Light Feet", "Town": "Quarrel"}
    assert len(fronts) == 7
    for word, move in moves.items():
        (front,) = [each for each in fronts if word in each.split() and move in each]
        assert [each for each in moves.values() if each in front] == [move]
    assert sheetgen("blank", "slackwater", "--only", "Ringer", "--fillable", "-o", "one.pdf").code == 0
    one = pypdf.PdfReader(tmp_path / "one.pdf")
    assert len(one.pages) == 2
    assert (one.get_fields() or {})["playbook"]["/V"] == "Ringer"
    wrong = sheetgen("blank", "slackwater", "--only", "Pirate")
    assert (wrong.code, wrong.err.strip()) == (
        2,
        'Slackwater has no sheet for "Pirate" (there are Pilot, Widow, Wrecker, Ringer, Wader, Found, Town)',
    )


def test_a_sheet_says_what_its_playbook_leans_on_and_lists_its_callings(
    slackwater: System, tmp_path: Path, sheetgen: Callable[..., Any]
) -> None:
    """Both are chosen from in the first steps of making somebody, with the book shut."""
    assert sheetgen("blank", "slackwater", "-o", "all.pdf").code == 0
    said = [" ".join(page.split()) for page in said_on(tmp_path / "all.pdf")]
    for number, word in enumerate(SIX):
        front, back = said[2 * number : 2 * number + 2]
        callings = [each.say for each in slackwater.cast.phrases["callings"] if number in dict(each.fits)["playbook"]]
        assert slackwater.values.text(f"first.{word}") in front
        assert [calling in back for calling in callings] == [True] * 3


def test_the_sheet_of_the_town_says_what_the_turn_does_and_prints_no_marks(
    tmp_path: Path, sheetgen: Callable[..., Any]
) -> None:
    assert sheetgen("blank", "slackwater", "--only", "Town", "-o", "town.pdf").code == 0
    front = " ".join(said_on(tmp_path / "town.pdf")[0].split())
    assert "*" not in front
    assert "4: the weed is wet. 8: the boats move. 12: the sea comes home." in front
    assert "cooked, carried or washed up" in front
    assert "2 for somebody who is lost Out; 6 if they went to stay" in front
    back = " ".join(said_on(tmp_path / "town.pdf")[1].split())
    assert "THE TOWN OF" in back.upper()
    assert "What is said at Supper" in back
    assert "The spoons are very loud" in back


def test_all_six_playbooks_have_everything_at_the_same_height(tmp_path: Path, sheetgen: Callable[..., Any]) -> None:
    """Bonds once stood where the texts of the moves ended, so that no two leaves lined up."""
    assert sheetgen("blank", "slackwater", "-o", "all.pdf").code == 0
    fronts = list(pymupdf.open(tmp_path / "all.pdf"))[:12:2]
    for heading in ("Traits", "Bonds", "What you carry"):
        assert len({round(page.search_for(heading)[-1].y0, 1) for page in fronts}) == 1, heading


def test_what_is_chosen_has_a_box_to_tick_and_names_have_room(tmp_path: Path, sheetgen: Callable[..., Any]) -> None:
    assert sheetgen("blank", "slackwater", "--only", "Pilot", "--fillable", "-o", "one.pdf").code == 0
    names = pypdf.PdfReader(tmp_path / "one.pdf").get_fields() or {}
    for chosen, count in {"looks": 6, "callings": 3, "bonds": 4, "things": 5, "taken": 4}.items():
        assert [f"pencil.{chosen}.{at}" in names for at in range(1, count + 2)] == [True] * count + [False], chosen
    assert "_" not in said_on(tmp_path / "one.pdf")[1]


def test_the_page_of_a_neighbour_says_what_it_is_and_how_firm_the_grip(
    tmp_path: Path, sheetgen: Callable[..., Any]
) -> None:
    """It once had boxes of which two were ticked: held, or loosened?"""
    assert sheetgen("npc", "slackwater", "--seed", "81", "--as", "sheet", "--paper", "letter", "-o", "x.pdf").code == 0
    (page,) = [" ".join(each.split()) for each in said_on(tmp_path / "x.pdf")]
    assert "A neighbour. A dry roll loosens 2 of the Grip" in page
    assert "What they do" in page
    assert sheetgen("npc", "slackwater", "--method", "player", "--as", "sheet", "-o", "y.pdf").code == 0
    assert "Your moves" in said_on(tmp_path / "y.pdf")[0]


def test_two_who_tell_edwin_may_free_the_bride(project: Project) -> None:
    """Each may tell him once, and the smallest table has two players."""
    pack = open_pack(project, "slackwater")
    people = yaml.safe_load((pack.folder / "people" / "just-cause.yaml").read_text("utf-8"))["characters"]
    (edwin,) = [each for each in people if each["name"] == "Edwin Fenn"]
    assert edwin["grip"]["Grip"] <= 2 * int(pack.system.values.text("loosen.dry"))


def adventure(project: Project, rule: str) -> dict[str, Any]:
    """A rule of the adventure, as it is written."""
    chapter = open_pack(project, "slackwater").folder / "rules" / "06-just-cause.yaml"
    found: dict[str, Any] = yaml.safe_load(chapter.read_text("utf-8"))["rules"][rule]
    return found


def test_each_place_on_the_way_to_church_has_its_line_and_is_told_of(project: Project) -> None:
    """What a place would like, what a wet roll costs and who is there stood in running prose, or nowhere."""
    rows = re.findall(r"^\| \*\*\{(\d)\}.*", adventure(project, "the-way")["text"], re.MULTILINE)
    lines = [line for line in adventure(project, "the-way")["text"].splitlines() if line.startswith("| **{")]
    assert rows == ["1", "2", "3", "4", "5", "6", "7"]
    assert [line.split("|")[2:-1] for line in lines if not all(cell.strip() for cell in line.split("|")[2:-1])] == []
    told = re.findall(r"^\*\*\{(\d)\}\.", adventure(project, "places")["text"], re.MULTILINE)
    assert told == rows


def test_clocks_are_explained_before_they_are_marked(project: Project) -> None:
    """The clock was marked five times before the page that said what it is."""
    chapter = (open_pack(project, "slackwater").folder / "rules" / "06-just-cause.yaml").read_text("utf-8")
    explained = chapter.index("**Ten past six** is marked")
    assert [chapter.find(word) > explained for word in ("mark *ten past six*", "marks *ten past six*")] == [True, True]
    assert chapter.index("*they breathe out*") > chapter.index("**They breathe out** is marked")


def test_the_people_of_any_evening_are_not_those_of_the_adventure_again(project: Project) -> None:
    """Six of eleven did the work of somebody at the wedding, who then had to stay away."""
    rules = open_pack(project, "slackwater").folder / "rules"
    any_evening = yaml.safe_load((rules / "05-who-is-out-there.yaml").read_text("utf-8"))["rules"]

    def kinds(people: list[Any]) -> set[str]:
        return {each if isinstance(each, str) else each["archetype"] for each in people if "archetype" in each}

    here = kinds([*any_evening["in-town"]["people"], *any_evening["from-out"]["people"]])
    assert len(here) == 4
    assert here.isdisjoint(kinds(adventure(project, "who-is-who")["people"]))


@pytest.mark.parametrize("file", ["just-cause", "neighbours"])
def test_whoever_is_met_wants_something_and_has_a_grip(project: Project, file: str) -> None:
    people = yaml.safe_load((open_pack(project, "slackwater").folder / "people" / f"{file}.yaml").read_text("utf-8"))
    assert [each["name"] for each in people["characters"] if not (each["want"] and each["does"] and each["grip"])] == []


def test_the_plan_has_the_mud_on_the_side_where_the_map_has_it(project: Project) -> None:
    """The plan shows the way upwards, the map of the GM to the right: its top is the left of the plan."""
    folder = open_pack(project, "slackwater").folder
    plan = yaml.safe_load((folder / "handouts" / "plan.yaml").read_text("utf-8"))["map"]
    (drawn,) = adventure(project, "the-way")["figure"]
    across, down = plan["places"]["Toll"]["at"][0], drawn["places"]["Toll"]["at"][1]
    assert (plan["areas"][0]["at"][0] < across, drawn["areas"][0]["at"][1] < down) == (True, True)


def test_the_plan_of_the_bridesmaids_has_no_page_for_the_gm(tmp_path: Path, sheetgen: Callable[..., Any]) -> None:
    """It lies on the table: what only the GM may know stands in the adventure, not on its back."""
    assert sheetgen("handouts", "slackwater", "--only", "plan", "-o", "plan.pdf").code == 0
    (page,) = said_on(tmp_path / "plan.pdf")
    assert ("Orchard" in page, "Soft Spot" in page) == (True, False)


def test_people_of_several_playbooks_and_none_share_a_file_in_their_order(
    tmp_path: Path, sheetgen: Callable[..., Any]
) -> None:
    people = [
        {"name": "Ann", "playbook": "Wader", "moves": {"Light Feet": 1, "Plain Words": 1}},
        {"name": "Bo", "playbook": "Town", "town": {"Turn": 5, "Stores": 1}},
        {"name": "Cy", "occupation": "gull", "grip": {"Grip": 2}, "does": "take it"},
        {"name": "Di", "playbook": "Wader", "moves": {"Two Fingers": 1}},
    ]
    text = yaml.safe_dump({"system": "slackwater", "format": 1, "characters": people})
    (tmp_path / "four.yaml").write_text(text, "utf-8")
    ran = sheetgen("sheet", "four.yaml", "-o", "four.pdf")
    said = said_on(tmp_path / "four.pdf")
    starts = [next(at for at, page in enumerate(said) if who in page.split()) for who in ("Ann", "Bo", "Cy", "Di")]
    assert starts == sorted(starts)
    assert "Ann: Moves on a page of its own (no place on the sheet)" in ran.err  # a move that the Widow has taught
    assert "Plain Words" in said[starts[0] + 1] or "Plain Words" in said[starts[0] + 2]
    assert "Small Places" in said[starts[0]]
    assert "Small Places" in said[starts[3]]
    assert "Small Places" not in said[starts[1]] + said[starts[2]]
    assert ran.err.count("page of its own") == 1


def test_a_filled_sheet_is_read_back_with_its_playbook(tmp_path: Path, sheetgen: Callable[..., Any]) -> None:
    assert sheetgen("npc", "slackwater", "--archetype", "ringer", "--seed", "3", "-o", "ringer.yaml").code == 0
    assert sheetgen("sheet", "ringer.yaml", "--as", "form", "-o", "ringer.pdf").code == 0
    ran = sheetgen("read", "ringer.pdf", "-o", "again.yaml")
    assert (ran.code, ran.err) == (0, "")
    first, again = (yaml.safe_load((tmp_path / name).read_text("utf-8")) for name in ("ringer.yaml", "again.yaml"))
    for key in ("name", "playbook", "traits", "moves", "bonds", "gear", "taken"):
        one, other = (each.get("characters", [each])[0][key] for each in (first, again))
        assert one == other, key


def test_each_sheet_is_one_leaf_of_a4_and_letter(sheetgen: Callable[..., Any], tmp_path: Path) -> None:
    for paper in ("a4", "letter"):
        assert sheetgen("blank", "slackwater", "--paper", paper, "-o", "x.pdf").code == 0
        assert len(said_on(tmp_path / "x.pdf")) == 14


@pytest.mark.parametrize("shape", ["card", "tarot", "index"])
def test_a_card_of_any_size_tells_what_somebody_does_has_wants_and_says(
    sheetgen: Callable[..., Any], project: Project, tmp_path: Path, shape: str
) -> None:
    """A game without a card of its own has that of any game, which keeps nothing of them back."""
    assert sheetgen("npc", "slackwater", "--seed", "5", "--as", shape, "-o", "card.pdf").code == 0
    (person,) = players(project, count=1)
    said = " ".join(" ".join(said_on(tmp_path / "card.pdf")).replace("\u00a0", " ").split())
    for field in ("does", "manner", "hook", "want", "voice"):
        assert said.lower().count(person.text(field).lower()) == 1, field
    assert all(said.lower().count(thing) == 1 for thing in person.lines("gear"))


def test_the_clock_counts_and_the_age_stands_beside_the_pronouns(project: Project) -> None:
    """Segments of the Turn once had no numbers, and an age was asked for on the back."""
    pack = open_pack(project, "slackwater")
    town = sheet_html(project, for_word(pack, "Town"), paper="a4", mode=PENCIL)
    assert [int(found) for found in re.findall(r">(\d+)</text>", town)] == list(range(1, 13))
    front = sheet_html(project, for_word(pack, "Pilot"), paper="a4", mode=PENCIL)
    assert 'name="age"' in front
