"""The rulebook of GAMERS: what it spells out agrees with the pack, under the names of every skin."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sheetgen.content.book.references import REFERENCE, References
from sheetgen.content.people.characters import read_characters
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.dice.source import Scripted
from sheetgen.documents.book.book import BookBuilder, BookResults, with_values
from sheetgen.documents.markdown import html_of
from sheetgen.model.cast import Item
from sheetgen.products.book_people import shown_people
from sheetgen.products.chapters import Rulebook, canvas_of, open_book, prose_in, prose_of
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.registry import engine_of
from sheetgen.systems.gamers.creation import weapon
from sheetgen.table.examples import played
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project

ROOT = Path(__file__).resolve().parents[2]
SKINS = ("agents", "fright", "heroic", "spacer", "waster")
Opened = tuple[Pack, Rulebook]


@pytest.fixture
def opened(book_of: Callable[[str], Opened]) -> Opened:
    return book_of("gamers")


def text_of(opened: Opened, rule: str) -> str:
    """The text of a rule as a reader sees it: references resolved, markup gone."""
    pack, rulebook = opened
    references = References(pack.system, rulebook.book)
    return re.sub(r"<[^>]+>", "|", html_of(rulebook.book.rules[rule].text.text, references.resolve))


def rows_of(opened: Opened, rule: str) -> list[list[str]]:
    """The cells of the tables that stand in a rule's text."""
    pack, rulebook = opened
    references = References(pack.system, rulebook.book)
    made = html_of(rulebook.book.rules[rule].text.text, references.resolve)
    rows = re.findall(r"<tr>(.*?)</tr>", made, re.DOTALL)
    return [[re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]


def outcome(pack: Pack, procedure: str, **given: object) -> Any:
    """What the engine says, without dice."""
    return engine_of(pack.system).procedures[procedure].run(Play(pack.system, Scripted(())), given)


@pytest.mark.parametrize("skin", SKINS)
def test_a_skin_prints_the_same_rules_under_its_own_names(project: Project, skin: str) -> None:
    pack = open_pack(project, skin)
    rulebook = open_book(project, pack)
    references = References(pack.system, rulebook.book)
    renamed = {trait.role: trait.name for trait in pack.system.groups[0].members if trait.name != trait.role}
    in_scenes = [each for rule in rulebook.book.rules.values() for scene in rule.scenes for each in prose_in(scene)]
    notes = [rule.settled for rule in rulebook.book.rules.values() if rule.settled]
    for prose in in_scenes:  # what a case gives is for `check`
        named = {role for role in renamed if re.search(rf"\b{role}\b", REFERENCE.sub("", prose.text))}
        assert named <= {"Strength"}, prose.place
    for prose in (each for each in prose_of(rulebook.book) if each not in in_scenes):
        printed = re.sub(r"<[^>]+>", "", html_of(prose.text, references.resolve))
        foreign = [role for role in renamed if role not in renamed.values() and re.search(rf"\b{role}\b", printed)]
        # A gun has a Strength of its own, and Mind heads a triad: words of the rules, not of the sheet.
        # A note on what the text of 2008 calls a trait has the old name, too.
        old = {"Awareness", "Endurance"} if prose in notes else set[str]()
        assert set(foreign) <= {"Strength", "Mind", *old}, (prose.place, foreign)


def test_headings_and_figures_print_the_names_of_the_skin_too(project: Project) -> None:
    pack = open_pack(project, "agents")
    rulebook = open_book(project, pack)
    builder = BookBuilder(pack.system, rulebook.book, BookResults({}, {}, {}), canvas_of(pack, 300))
    assert builder.table(pack.system.tables["native language"])["head"] == ["Education", "your own language"]
    assert builder.table(pack.system.tables["attributes"])["head"] == ["level", "you are"]  # the key is for the engine
    drawn = str(builder.figure(rulebook.book.rules["triads"].figures[0])["svg"])
    assert "Stamina" in drawn
    assert "Endurance" not in drawn


def test_tables_that_hold_the_same_things_have_the_same_columns(opened: Opened) -> None:
    """Two tables of weapons, one below the other, had other columns and other widths."""
    pack, rulebook = opened
    builder = BookBuilder(pack.system, rulebook.book, BookResults({}, {}, {}), canvas_of(pack, 343))
    alone = lambda name: replace(rulebook.book.rules[name], scenes=())  # noqa: E731
    weapons, prices, falls = (
        [each["html"] for each in builder.rule(alone(name))["blocks"] if each["kind"] == "table"]
        for name in ("some-weapons", "what-it-costs", "no-weapon")
    )
    for tables, columns in ((weapons, 5), (prices, 4)):
        assert len(tables) > 1
        (shares,) = {tuple(re.findall(r'<col style="width: ([\d.]+)%">', table)) for table in tables}
        assert len(shares) == columns
        assert sum(map(float, shares)) == pytest.approx(100, abs=0.3)
        assert all("data-outer" in table and "narrow" not in table for table in tables)
    assert not any("<col" in table for table in falls)


def test_every_skill_is_described(opened: Opened) -> None:
    pack = opened[0]
    told = "".join(text_of(opened, name) for name in ("moving-skills", "talking-skills", "learned-skills", "powers"))
    group = next(group for group in pack.system.groups if group.name == "skills")
    assert [trait.name for trait in group.members if f"|{trait.name.replace('&', '&amp;')}|:" not in told] == []


def test_the_months_of_training_are_those_of_the_engine(opened: Opened) -> None:
    pack = opened[0]
    goals = [("attribute", 9), *(("skill", level) for level in (1, 2, 3, 4)), ("specialty", None)]
    for (what, level), cells in zip(goals, rows_of(opened, "training")[1:], strict=True):
        for instructor, cell in zip((True, False), cells[1:], strict=True):
            time = outcome(pack, "training", what=what, to_level=level, instructor=instructor)
            trial = "–" if time.temporary_months is None else f"{Decimal(time.temporary_months).normalize():f}"
            assert cell == f"{trial} / {Decimal(time.permanent_months).normalize():f}", (what, level)


def test_the_prices_of_skills_are_those_of_the_engine(opened: Opened) -> None:
    told = " ".join(text_of(opened, "bought-skills").split())
    for level, before in (
        (2, "A skill at 2 has therefore cost "),
        (3, "a skill at 3 has cost "),
        (4, "one at 4 has cost "),
    ):
        assert before + str(outcome(opened[0], "skill_cost", level=level).points) in told


def test_the_loads_of_the_book_are_those_of_the_engine(opened: Opened) -> None:
    told = " ".join(text_of(opened, "load").split())
    full = "".join(re.findall(r"With Endurance (\d), Reflexes (\d) and Strength (\d) you carry up to 8 kg", told)[0])
    loads = [
        ("8", full),
        *((most, "".join(ers)) for most, *ers in re.findall(r"to (\d+) kg at (\d), (\d) and (\d)", told)),
    ]
    assert [most for most, _ in loads] == ["8", "16", "24"]
    for most, ers in loads:
        assert str(outcome(opened[0], "encumbrance", ers=full, kg=Decimal(most)).ers) == ers, most


@pytest.mark.parametrize("game", ["gamers", "waster"])
def test_the_arms_of_the_book_are_those_that_characters_carry(book_of: Callable[[str], Opened], game: str) -> None:
    pack, _ = opened = book_of(game)
    cast, write = pack.system.cast, pack.system.groups[0].write

    def age(thing: Item) -> str:
        levels = dict(thing.fits).get("Tech")
        if levels is None:
            return "any"
        low, high = min(levels), max(levels)
        return write(low) if low == high else f"{write(low)}–{write(high)}"

    def said_of(name: str) -> dict[str, str]:
        if name in cast.items["armours"]:
            worn = cast.items["armours"][name]
            figures = {"Coverage": worn.text("coverage"), "Rating": worn.text("rating")}
            return {"Tech": age(worn), "Weight": f"{worn.text('kg')} kg", **figures}
        arm = weapon(item := cast.items["weapons"][name])
        far = f"bow, × {arm.bow}" if arm.bow else f"Strength {arm.strength}" if arm.strength else ""
        heavy = f"{arm.kg} kg" + (", thrown" if arm.thrown else "")
        return {"Tech": age(item), "Skill": arm.skill, "Size": arm.size, "Weight": heavy, "Reach": far or heavy}

    kinds = ("Weapon", "Armour", "In the hand", "To throw", "To shoot")
    heads: list[str] = []
    for name, *cells in [*rows_of(opened, "some-weapons"), *rows_of(opened, "some-armour")]:
        if name in kinds:
            heads = cells
        elif name != "bare hands":
            said = said_of(name)
            told = dict(zip(heads, cells, strict=True))
            assert told == {head: said.get(head, told[head]) for head in heads}, name
            assert {"Weight", "Reach"} & set(heads), name


@pytest.mark.parametrize("game", ["gamers", "waster"])
def test_the_arms_of_everybody_in_the_book_stand_in_its_list(book_of: Callable[[str], Opened], game: str) -> None:
    pack, rulebook = opened = book_of(game)
    listed = {name for rule in ("some-weapons", "some-armour") for name, *_ in rows_of(opened, rule)}
    people = [shown_people(pack, rule.people, rulebook.people) for rule in rulebook.book.rules.values() if rule.people]
    shown = str(people).casefold()
    for kind in ("weapons", "armours"):
        for name in pack.system.cast.items[kind]:
            if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", shown):
                assert name in listed


def test_the_drawn_ranges_are_squares(opened: Opened) -> None:
    for figure in opened[1].book.rules["range-numbers"].figures:
        rungs: Any = next(value for name, value in figure.params.items() if name == "rungs")
        for number, metres in rungs.items():
            assert outcome(opened[0], "range_number", metres=int(str(metres))).range_number == int(str(number))


def test_the_chart_of_quickies_shows_the_difficulties_of_the_pack(opened: Opened) -> None:
    pack, rulebook = opened
    columns = with_values(rulebook.book.rules["quickie"].charts[0], pack.system).columns
    assert [int(str(value)) for value in columns[1]] == list(pack.system.values.numbers("quickie.difficulty").values())


def test_whoever_is_made_on_the_page_is_as_in_the_cast(opened: Opened) -> None:
    pack, rulebook = opened
    problems = Problems()
    node = parse((ROOT / "content/gamers/cast.yaml").read_bytes(), "cast.yaml")
    cast = {
        each.text("name").split()[0]: each
        for each in read_characters(node, pack.system, problems, judge=engine_of(pack.system).judge)
    }
    cases = rulebook.cases
    rolled = played(pack.system, cases["gamers-ex-052"]).outcome.attributes
    assert dict(rolled) == cast["Jo"].numbers("attributes")
    assert dict(played(pack.system, cases["gamers-ex-072"]).outcome.skills) == cast["Ishaan"].numbers("skills")
    bought = cases["gamers-b07"].given["skills"]  # type: ignore[call-overload]
    assert {name: int(level) for name, level in bought.items()} == cast["Bex"].numbers("skills")
