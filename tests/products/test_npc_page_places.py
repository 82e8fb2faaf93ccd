"""What has a place of its own on half a page, and on the cards and rosters beside it: nothing is lost between them."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from sheetgen.documents.people.npc_page import npc_page_values
from sheetgen.geometry import mm
from sheetgen.model.character import Character
from sheetgen.pdf.form.compile import compile_form
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.form_cache import sheet_html, use_bundled_fonts
from sheetgen.products.people.printing import write_people
from sheetgen.products.shapes import NPC_PAGE, PrintOptions
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, open_pack, template_root
from sheetgen.workspace.project import Project

Sheetgen = Callable[..., Any]
ABILITIES = ("Arm", "Hand", "Eye", "Heart")


def opened(project: Project, pack: Pack, people: list[Character], shape: str = "npc") -> pymupdf.Document:
    """These people as they are printed."""
    parts: list[bytes] = []
    write_people(project, pack, people, parts.append, PrintOptions("a4", shape), form=".pdf")
    return pymupdf.open("pdf", io.BytesIO(b"".join(parts)))


def said(page: pymupdf.Page, clip: pymupdf.Rect | None = None) -> str:
    return " ".join(page.get_text(clip=clip).replace("\u00a0", " ").split())


def rolled(pack: Pack, seed: int, archetype: str = "") -> Character:
    (person,) = roll(pack, RollOptions(seed=seed, count=1, archetype=archetype))
    return person


def test_hits_are_none_of_a_weapon_and_there_are_as_many_boxes_as_wounds(project: Project) -> None:
    pack = open_pack(project, "chalkdown")
    with opened(project, pack, [rolled(pack, 1)]) as document:
        page = document[0]
        squares = [item[1] for each in page.get_drawings() for item in each["items"] if item[0] == "re"]
        squares = [rect for rect in squares if abs(rect.width - rect.height) < 0.1 and rect.width > mm(3)]
        assert len(squares) == 10
        assert min(rect.width for rect in squares) > mm(4.4)
        assert min(right.x0 - left.x1 for left, right in itertools.pairwise(squares)) > mm(1.4)
        (wounds,), (fight,), (down,) = (page.search_for(word) for word in ("WOUNDS", "In a fight", "down at 10"))
        assert wounds.y1 < fight.y0 + mm(1)
        assert wounds.y1 < down.y1 < fight.y0
        assert "Guard 0" in said(page)


@pytest.mark.parametrize("shape", ["npc", "card", "index"])
def test_a_box_to_tick_says_so_wherever_it_stands(project: Project, shape: str) -> None:
    """And it is as large as what it is for, not as room to write in."""
    pack = open_pack(project, "chalkdown")
    with opened(project, pack, [rolled(pack, 1)], shape) as document:
        page = document[0]
        assert page.get_text().split().count("tick") == len(ABILITIES)
        for tick in (pymupdf.Rect(word[:4]) for word in page.get_text("words") if word[4] == "tick"):
            drawn = [each["rect"] for each in page.get_drawings() if each["rect"].height > mm(2)]
            level = [rect for rect in drawn if rect.y0 < tick.y1 and rect.y1 > tick.y0]
            under = [rect for rect in drawn if rect.x0 < tick.x1 and rect.x1 > tick.x0]
            beside = [rect for rect in level if 0 < tick.x0 - rect.x1 < mm(2)]
            boxes = beside or [rect for rect in under if 0 < rect.y0 - tick.y1 < mm(2)]
            assert boxes
            assert all(mm(3) < rect.width < mm(5) for rect in boxes), boxes


def test_a_box_to_tick_says_so_on_a_roster(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("npc", "chalkdown", "-n", "2", "--seed", "1", "--as", "roster", "-o", "r.pdf").code == 0
    with pymupdf.open(tmp_path / "r.pdf") as document:
        assert document[0].get_text().partition("\n1 ")[0].split().count("tick") == len(ABILITIES)  # above each column


@pytest.mark.parametrize("shape", ["npc", "card", "index"])
def test_money_is_told_and_powers_only_of_whom_has_one(project: Project, shape: str) -> None:
    pack = open_pack(project, "genesix")
    for archetype, has in (("mentalist", True), ("soldier", False)):
        person = rolled(pack, 12, archetype)
        assert bool(person.text("power")) == has
        told = replace(person, values={**person.values, "attributes": {**person.numbers("attributes"), "Monetary": 2}})
        with opened(project, pack, [told], shape) as document:
            page = document[0]
            (money,) = page.search_for("Monetary")
            row = pymupdf.Rect(money.x0, money.y0, money.x1 + mm(30 if shape == "npc" else 15), money.y1)
            assert "+2" in said(page, row).split()
            assert ("Unnaturally" in page.get_text()) == has


def test_a_specialty_outside_the_skills_is_told_below_the_attacks(project: Project) -> None:
    pack = open_pack(project, "gamers")
    person = rolled(pack, 3)
    given = {
        "attributes": {**person.numbers("attributes"), "Strength": 9},
        "specialties": {"Strength": "lifting weights"},
    }
    told = npc_page_values(pack.system, (who := replace(person, values={**person.values, **given})), {})
    below = next(told[f"{name}.text"] for name, kind in told.items() if kind == "besides")
    assert "Strength 9 (lifting weights)" in below.replace("\u00a0", " ")
    with opened(project, pack, [who]) as document:
        assert "Strength 9 (lifting weights)" in said(document[0])


def test_a_level_that_is_told_already_is_told_once_with_its_specialty(project: Project) -> None:
    pack = open_pack(project, "gamers")
    person = rolled(pack, 3)
    given = {"features": {**person.numbers("features"), "Wealth": 10}, "specialties": {"Wealth": "owed"}}
    told = npc_page_values(pack.system, replace(person, values={**person.values, **given}), {})
    below = next(told[f"{name}.text"] for name, kind in told.items() if kind == "besides").replace("\u00a0", " ")
    assert below.count("Wealth") == 1
    assert ", Wealth A (owed)" in below
    block = npc_page_values(pack.system, replace(person, values={**person.values, **given}), {}, whole=False)
    assert not any("(owed)" in text for text in block.values())  # which has no room for it


@pytest.mark.parametrize("game", ["tsgs", "genesix"])
def test_no_rule_runs_along_the_boxes_to_mark(project: Project, game: str) -> None:
    pack = open_pack(project, game)
    with opened(project, pack, [rolled(pack, 7)]) as document:
        page = document[0]
        label = page.search_for("WOUNDS")[0]
        grey = [each["rect"] for each in page.get_drawings() if each["fill"] and each["fill"][0] > 0.5]
        near = [rect for rect in grey if label.y0 - mm(1) < rect.y0 < label.y1 + mm(4)]
        assert [rect for rect in near if mm(20) < rect.width < mm(100)] == []  # a box is 5 mm wide, the page 186


def test_which_strike_a_box_is_for(project: Project) -> None:
    pack = open_pack(project, "sixshooter")
    with opened(project, pack, [rolled(pack, 7)]) as document:
        strikes = document[0].search_for("STRIKES")[0]
        below = pymupdf.Rect(strikes.x0 - mm(2), strikes.y1, strikes.x1 + mm(8), strikes.y1 + mm(8))
        assert said(document[0], below).split()[:3] == ["+1", "+2", "out"]


def test_halves_of_one_person_are_counted_and_a_sheet_has_one_number(project: Project) -> None:
    pack = open_pack(project, "gamers")
    many = {"gear": tuple(f"a lantern with {number} wicks of the old kind" for number in range(45))}
    who = Character("gamers", {"name": "Gear Forty", **many})
    with opened(project, pack, [who, Character("gamers", {"name": "Ada"})]) as document:
        first, last = (said(page) for page in document)
        assert (first.count("1 of 2"), first.count("2 of 2"), first.count("page 1 of 2")) == (2, 1, 1)
        assert (last.count("of 2"), last.count("page 2 of 2")) == (1, 1)


def test_lines_for_belongings_stand_under_their_title(project: Project) -> None:
    """Nobody who is rolled has it, though: they have nothing."""
    pack = open_pack(project, "gamers")
    system, bare = pack.system, Character("gamers", {"name": "Bare Minimum"})
    titles = [text for name, text in npc_page_values(system, bare, {}).items() if name.startswith("stack.ties.")]
    assert titles == ["told", "Belongings"]
    with opened(project, pack, [bare]) as document:
        (title,), (room, *_) = document[0].search_for("Belongings"), document[0].search_for("NOTES")
        assert title.x0 > room.x0 + mm(100)
    beast = replace(rolled(pack, 3), values={"name": "A goat"})
    assert not [name for name in npc_page_values(system, beast, {}) if name.startswith("stack.ties.")]


def test_two_skills_in_a_row_have_a_comma_between_them(project: Project) -> None:
    system = open_pack(project, "gamers").system
    names = ["Acting", "Deceit", "Fire", "Hunting", "Melee", "Search", "Stealth", "Swimming", "Tracking"]
    who = Character("gamers", {"name": "Ada", "skills": dict.fromkeys(names, 1)})
    told = npc_page_values(system, who, engine_of(system).figures(system, who))
    rows = [text for name, text in told.items() if name.startswith("stack.skills.") and name.endswith(".name")]
    assert sorted(name for row in rows for name in row.split(", ")) == names
    assert len(rows) < len(names)


def test_a_roster_says_how_far_a_weapon_reaches_and_what_is_special_about_it(
    sheetgen: Sheetgen, tmp_path: Path
) -> None:
    gear = "[ 'service rifle (Medium, Far, Agility, Automatic, Armor piercing)' ]"
    (tmp_path / "a.yaml").write_text(f"system: genesix\nname: Ada\nattributes: {{Agility: 1}}\ngear: {gear}\n")
    assert sheetgen("sheet", "a.yaml", "--as", "roster", "-o", "r.pdf").code == 0
    with pymupdf.open(tmp_path / "r.pdf") as document:
        page = said(document[0])
        assert "Service rifle, Automatic, Armor piercing" in page
        assert all(word in page for word in ("CLOSE", "NEAR", "FAR"))
        assert "DISTANT" not in page
        assert "AGAINST" not in page


def test_who_shoots_does_so_under_another_ability_and_worse_in_the_dark(project: Project) -> None:
    """A d20 at or under the level hits in level times 5 of 100, and in the dark both of two have to."""
    pack = open_pack(project, "chalkdown")
    person = rolled(pack, 1)
    given = {**person.values, "abilities": {"Arm": 9, "Hand": 10, "Eye": 15, "Heart": 8}}
    for attack, (light, dark) in (("bow d6", ("75%", "56%")), ("crook d6", ("45%", "20%"))):
        told = npc_page_values(pack.system, replace(person, values={**given, "attack": attack}), {})
        chances = [told[f"stack.fight.1.{name}"].replace("\u00a0", " ") for name in ("chance.1", "chance.2")]
        assert (told["stack.fight.1.name"], chances) == (attack.capitalize(), [light, dark])


def test_what_hits_is_not_among_the_belongings_again(project: Project) -> None:
    pack = open_pack(project, "chalkdown")
    person = rolled(pack, 1)
    who = replace(person, values={**person.values, "attack": "crook d6", "gear": ("crook (d6)", "goose on a string")})
    told = npc_page_values(pack.system, who, {})
    assert next(told[f"{name}.text"] for name, kind in told.items() if kind == "told").casefold() == "goose on a string"


@pytest.mark.parametrize("game", ["gamers", "fright", "tsgs", "sixshooter", "slackwater", "chalkdown"])
def test_the_last_line_for_notes_keeps_off_the_foot(project: Project, game: str) -> None:
    """And where belongings leave room the lines are as wide as the page, with one label for all."""
    pack = open_pack(project, game)
    with opened(project, pack, list(roll(pack, RollOptions(seed=77, count=2)))) as document:
        page = document[0]
        assert len(page.search_for("NOTES")) == 2
        for label in page.search_for("NOTES"):
            rules = [each["rect"] for each in page.get_drawings() if mm(110) < each["rect"].width < mm(124)]
            below = [rect.y0 for rect in rules if label.y0 < rect.y0 < label.y0 + mm(60)]
            half = mm(148.5) * (1 if label.y0 < mm(148.5) else 2)
            foot = min(word[1] for word in page.get_text("words") if half - mm(13.5) < word[1] < half)
            assert foot - max(y for y in below if y < foot) > mm(3)


@pytest.mark.parametrize("skin", ["gamers", "agents", "fright", "heroic", "spacer", "waster"])
def test_the_box_for_what_is_left_of_an_attribute_is_large_and_clear_of_the_ornament(
    project: Project, skin: str
) -> None:
    pack = open_pack(project, skin)
    use_bundled_fonts(project)
    card = NPC_PAGE.cards["a4"]
    html = sheet_html(project, pack, paper="a4", template=NPC_PAGE.template, card=card)
    form = compile_form(html, root=template_root(project, pack), name=skin)
    boxes = [field for field in form.fields if field.name.startswith("pencil.now.")]
    assert len(boxes) == 6
    assert all(field.border.width >= mm(9.9) and field.border.height >= mm(7.9) for field in boxes)
    lead = next(field for field in form.fields if field.name == "stack.lead")
    assert lead.border.y - boxes[0].border.top > mm(4 if skin == "gamers" else 2) - mm(1)


def test_a_weapon_that_reaches_has_a_column_for_it(project: Project) -> None:
    pack = open_pack(project, "spacer")
    person = rolled(pack, 77)
    armed = replace(person, values={**person.values, "gear": ("needle pistol", "small gavel")})
    told = npc_page_values(pack.system, armed, engine_of(pack.system).figures(pack.system, armed))
    assert (told["stack.fight.1"], told["stack.fight.1.head.3"]) == ("best.three.worded", "range")
    reaches = {told[f"stack.fight.{at}.name"]: told.get(f"stack.fight.{at}.shown.3", "") for at in (1, 2)}
    assert reaches.keys() == {"Needle pistol", "Bare hands"}
    assert reaches["Needle pistol"].endswith(" m")
    assert not reaches["Bare hands"]
    assert "reaches" not in "".join(told.values())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gamers", ("defence", "0", "defence 0", "1")),
        ("sixshooter", ("", "", "the die alone", "after a Strike")),
    ],
)
def test_a_word_that_all_odds_share_stands_once_before_them(project: Project, name: str, said: tuple[str, ...]) -> None:
    pack = open_pack(project, name)
    person = rolled(pack, 8)
    told = npc_page_values(pack.system, person, engine_of(pack.system).figures(pack.system, person))
    assert tuple(told.get(f"stack.fight.1.{part}", "") for part in ("word", "bare", "against.1", "against.2")) == said


def test_one_success_beats_whoever_needs_no_more(project: Project) -> None:
    pack = open_pack(project, "sixshooter")
    with opened(project, pack, [rolled(pack, 7)]) as document:
        assert "One success beats them" in said(document[0])
