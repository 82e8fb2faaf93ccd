"""Chapters of a rulebook: shapes, and one line for each mistake."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from sheetgen.content.book.chapters import chapter_files, read_book
from sheetgen.content.packs.folders import Library
from sheetgen.errors import InputError
from sheetgen.model.book import Book
from sheetgen.model.system import System

CHAPTER = """
    title: The roll
    opening: How anything is tried.
    rules:
      quickie:
        title: A quickie
        covers: [GAM-130, GAM-133]
        text: Roll {2} dice.
        table: wealth
        examples: [{case: gamers-ex-006, told: Ada tries a lock.}]
        odds: {do: check, of: success, rows: {skill: [0, 1]}, columns: {difficulty: [6, 8]}}
        figure: {is: dice, faces: [1, 6], title: Doubles, below: Two faces.}
        hero: {seed: 7, index: 3, method: points, name: Ann Orrery}
        card: Reach the difficulty.
        screen: {title: Rolls, table: [wealth, tech]}
    summary: [Reach the difficulty.]
    glossary: {quickie: An attempt soon over.}
"""


def read(folder: Path, gamers: System, text: str, name: str = "02-roll.yaml") -> Book:
    (folder / "rules").mkdir(exist_ok=True)
    (folder / "rules" / name).write_text(dedent(text).lstrip())
    return read_book(chapter_files([folder]), Library({}, lambda path: path.name), gamers)


def test_a_chapter_is_read_whole(tmp_path: Path, gamers: System) -> None:
    book = read(tmp_path, gamers, CHAPTER)
    (chapter,) = book.chapters
    (rule,) = chapter.rules
    assert (chapter.id, chapter.title, rule.id, rule.covers) == ("roll", "The roll", "quickie", ("GAM-130", "GAM-133"))
    assert (rule.tables, rule.scenes[0].case, rule.charts[0].rows) == (
        ("wealth",),
        "gamers-ex-006",
        ("skill", ("0", "1")),
    )
    assert (rule.figures[0].kind, rule.figures[0].title, rule.figures[0].below) == ("dice", "Doubles", "Two faces.")
    assert list(rule.figures[0].params) == ["faces"]
    assert rule.hero is not None
    assert (rule.hero.seed, rule.hero.index, rule.hero.name) == (7, 3, "Ann Orrery")
    assert rule.card is not None
    assert (rule.card.heading, rule.card.text and rule.card.text.text) == ("A quickie", "Reach the difficulty.")
    assert rule.screen is not None
    assert (rule.screen.heading, rule.screen.tables) == ("Rolls", ("wealth", "tech"))
    assert book.covered == {"GAM-130", "GAM-133"}
    assert list(book.glossary) == ["quickie"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("    title: A quickie\n", "", '02-roll.yaml:5:5: rule quickie lacks "title" (add a line "title: ...")'),
        ("table: wealth", "table: welth", '02-roll.yaml:8:12: unknown table "welth" (did you mean "wealth"?)'),
        ("rows: {skill: [0, 1]}", "rows: [0, 1]", "rows must be one parameter with a list of values"),
        ("quickie:\n    title", "Quickie:\n    title", 'rule "Quickie": write small letters'),
        ("opening: How anything is tried.\n", "", "a chapter needs an opening: what it is for"),
        ("covers:", "covres:", 'unknown key "covres" in rule quickie (did you mean "covers"?)'),
    ],
)
def test_a_mistake_gets_its_line(tmp_path: Path, gamers: System, old: str, new: str, problem: str) -> None:
    text = dedent(CHAPTER).lstrip()
    assert old in text
    with pytest.raises(InputError) as caught:
        read(tmp_path, gamers, text.replace(old, new, 1))
    assert problem in str(caught.value)


def test_a_rule_stands_in_one_chapter_only(tmp_path: Path, gamers: System) -> None:
    read(tmp_path, gamers, CHAPTER)
    with pytest.raises(InputError, match=r'rule "quickie" stands in 02-roll\.yaml too'):
        read(tmp_path, gamers, CHAPTER, "03-again.yaml")


def test_a_skin_has_the_chapters_of_the_game_it_extends(tmp_path: Path) -> None:
    for name in ("skin", "game"):
        (tmp_path / name).mkdir()
    (tmp_path / "game" / "rules").mkdir()
    (tmp_path / "game" / "rules" / "01-a.yaml").touch()
    assert [path.name for path in chapter_files([tmp_path / "skin", tmp_path / "game"])] == ["01-a.yaml"]


@pytest.mark.parametrize("several", ["of: success, value: [true, false]", "of: [success, total]"])
def test_odds_take_their_columns_from_one_place(tmp_path: Path, gamers: System, several: str) -> None:
    with pytest.raises(InputError, match=r"several values or results are columns already: leave out `columns`"):
        read(tmp_path, gamers, CHAPTER.replace("of: success", several))


def test_odds_are_bars_or_curves(tmp_path: Path, gamers: System) -> None:
    charts = [
        read(tmp_path, gamers, CHAPTER.replace("odds: {do: check", f"odds: {{{shape}do: check"))
        .rules["quickie"]
        .charts[0]
        .shape
        for shape in ("", "as: curve, ", "as: bars, ")
    ]
    assert charts == ["bars", "curve", "bars"]


def test_a_rule_may_have_several_cards(tmp_path: Path, gamers: System) -> None:
    cards = "    card:\n      - Roll.\n      - {title: The odds, with: odds}\n"
    text = re.sub(r"    card: .*\n(?:      .*\n)*", cards, dedent(CHAPTER).lstrip())
    assert cards in text
    rule = read(tmp_path, gamers, text).rules["quickie"]
    assert [(card.heading, card.with_odds) for card in rule.cards] == [("A quickie", False), ("The odds", True)]
    assert rule.card == rule.cards[0]
