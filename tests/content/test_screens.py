"""What a pack's screen.yaml may say, and one line for each mistake in it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from sheetgen.content.book.chapters import read_book
from sheetgen.content.book.screens import chapters_as_moments, read_screen, screen_file
from sheetgen.content.packs.folders import Library
from sheetgen.errors import InputError
from sheetgen.model.book import Book, Screen
from sheetgen.model.system import System

CHAPTER = """
title: The roll
opening: How anything is tried.
rules:
  quickie: {title: A quickie, text: Roll., card: Reach it., screen: Reach the difficulty.}
  resisted: {title: Resisted, text: Roll., card: Ties go to you.}
  borders: {title: Borders, text: Roll., screen: Comfort or convince.}
  silent: {title: Silent, text: Nobody looks this up.}
"""
LIBRARY = Library({}, lambda path: path.name)


@pytest.fixture
def book(tmp_path: Path, gamers: System) -> Book:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "01-roll.yaml").write_text(CHAPTER.lstrip())
    return read_book([tmp_path / "rules" / "01-roll.yaml"], LIBRARY, gamers)


def read(folder: Path, book: Book, text: str) -> Screen:
    (folder / "screen.yaml").write_text(dedent(text).lstrip())
    return read_screen(folder / "screen.yaml", LIBRARY, book)


def complaints(folder: Path, book: Book, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(folder, book, text)
    return [str(problem) for problem in caught.value.problems]


def test_moments_show_rules_in_order(tmp_path: Path, book: Book) -> None:
    screen = read(
        tmp_path,
        book,
        """
        panels: 4
        moments:
          - {title: Before the roll, rules: [borders, quickie, resisted], panel: 4}
          - {title: Somebody, people: 6}
        reference: [{title: All, rules: [quickie, {rule: quickie, show: screen}, borders]}]
        """,
    )
    first, second = screen.moments
    assert (screen.panels, first.title, first.panel, second.people) == (4, "Before the roll", 4, 6)
    assert [(each.rule, each.part) for each in first.parts] == [
        ("borders", "screen"),
        ("quickie", "screen"),
        ("resisted", "card"),  # which says nothing for a screen
    ]
    assert [(each.rule, each.part) for each in screen.reference[0].parts] == [
        ("quickie", "card"),
        ("quickie", "screen"),
        ("borders", "screen"),
    ]
    assert screen.pocket == screen.reference


def test_without_the_file_chapters_are_the_moments(book: Book) -> None:
    screen = chapters_as_moments(book)
    assert [(each.title, [shown.rule for shown in each.parts]) for each in screen.moments] == [
        ("The roll", ["quickie", "resisted", "borders"])
    ]
    assert [shown.part for shown in screen.reference[0].parts] == ["card", "card", "screen"]


def test_a_skin_has_the_screen_of_the_pack_whose_chapters_it_has(tmp_path: Path) -> None:
    skin, parent = tmp_path / "agents", tmp_path / "gamers"
    skin.mkdir()
    parent.mkdir()
    assert screen_file([skin, parent]) is None
    (parent / "screen.yaml").write_text("moments: []")
    assert screen_file([skin, parent]) == parent / "screen.yaml"
    (skin / "screen.yaml").write_text("moments: []")
    assert screen_file([skin, parent]) == skin / "screen.yaml"


def test_every_mistake_is_told_with_its_place(tmp_path: Path, book: Book) -> None:
    assert complaints(
        tmp_path,
        book,
        """
        panels: 5
        moments:
          - {title: The roll, rules: [quickly, silent, quickie]}
          - {title: Again, rules: [quickie], panel: 9}
          - {title: Nothing}
          - {title: Parts, rules: [{rule: resisted, show: screen}, {rule: quickie, show: back}]}
        """,
    ) == [
        "screen.yaml:1:9: panels is 5 (write a whole number from 3 to 4)",
        'screen.yaml:3:31: unknown rule "quickly" (did you mean "quickie"?)',
        'screen.yaml:3:40: rule "silent" has nothing to show here (add "screen: ..." to the rule in 01-roll.yaml:7)',
        "screen.yaml:4:45: panel is 9 (write a whole number from 1 to 4)",
        'screen.yaml:5:5: a moment needs "rules" or "people" (add a line "rules: [...]")',
        'screen.yaml:6:35: rule "resisted" has nothing to show here (add "screen: ..." to the rule in 01-roll.yaml:5)',
        'screen.yaml:6:82: unknown part of a rule "back" (one of: card, screen)',
        'screen.yaml:4:28: rule "quickie" stands here twice, first in line 3 (keep one)',
    ]


def test_numbers_lines_and_the_parts_of_play_are_read(tmp_path: Path, book: Book) -> None:
    """Moments stand in the order of play, whatever their order in the file; those without a part behind the last."""
    screen = read(
        tmp_path,
        book,
        """
        moments:
          - {title: A fight, at: fighting, rules: [borders]}
          - {title: Its end, people: 4}
          - {title: The roll, at: roll, rules: [quickie]}
        numbers:
          title: Somebody tries something
          of: [{number: '{2}', says: easy}, {number: '{4}', says: fair}, {number: '{6}', says: hard}]
        lines: ['Roll **{2d6}**.']
        """,
    )
    assert [each.title for each in screen.moments] == ["The roll", "A fight", "Its end"]
    assert screen.numbers is not None
    assert [each.text for each in screen.prose] == ["{2}", "easy", "{4}", "fair", "{6}", "hard", "Roll **{2d6}**."]


def test_wrong_numbers_are_told_with_their_place(tmp_path: Path, book: Book) -> None:
    assert complaints(
        tmp_path,
        book,
        """
        moments: [{title: The roll, at: rolling, rules: [quickie]}]
        numbers: {title: Tried, of: [{number: '2', says: easy}], odds: quickly}
        lines: some
        """,
    ) == [
        'screen.yaml:1:33: unknown part of play "rolling" (did you mean "roll"?)',
        "screen.yaml:2:29: of takes 3 numbers, each with what it says",
        'screen.yaml:2:64: unknown rule "quickly" (did you mean "quickie"?)',
        'screen.yaml:3:8: lines is "some", not a list (write one "- " line for each, or [a, b])',
    ]
