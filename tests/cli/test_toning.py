"""--greyscale and --ink-saver mean the same to every verb that prints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from sheetgen.documents.figures.icons import RED
from sheetgen.press.page_content import page_content

Sheetgen = Callable[..., Any]
GAMES = ("gamers", "sixshooter")  # of one colour, and of two


def is_coloured(path: Path) -> bool:
    """Whether anything on any page is drawn in a colour that is no grey."""
    with pikepdf.open(path) as made:
        return any(page_content(page).rgb for page in made.pages)


@pytest.mark.parametrize("system", GAMES)
def test_a_sheet_in_greys_has_no_colour(sheetgen: Sheetgen, tmp_path: Path, system: str) -> None:
    assert sheetgen("blank", system, "-o", "colour.pdf").code == 0
    assert sheetgen("blank", system, "--greyscale", "-o", "grey.pdf").code == 0
    assert is_coloured(tmp_path / "colour.pdf")
    assert not is_coloured(tmp_path / "grey.pdf")


@pytest.mark.parametrize("shape", ["card", "roster"])
def test_people_in_greys_have_no_colour(sheetgen: Sheetgen, tmp_path: Path, shape: str) -> None:
    words = ("npc", "sixshooter", "-n", "3", "--seed", "1", "--as", shape)
    assert sheetgen(*words, "--greyscale", "-o", "grey.pdf", "-o", "people.yaml").code == 0
    assert not is_coloured(tmp_path / "grey.pdf")
    assert sheetgen("sheet", "people.yaml", "--as", shape, "--greyscale", "-o", "again.pdf").code == 0
    assert not is_coloured(tmp_path / "again.pdf")


def test_a_book_in_greys_has_no_red_suits(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("book", "sixshooter", "-o", "colour.html").code == 0
    assert sheetgen("book", "sixshooter", "--greyscale", "-o", "grey.html").code == 0
    assert RED in (tmp_path / "colour.html").read_text("utf-8")
    assert RED not in (tmp_path / "grey.html").read_text("utf-8")


@pytest.mark.parametrize("verb", ["npc", "sheet", "blank", "make", "book", "cards", "screen", "reference", "handouts"])
def test_every_verb_that_prints_takes_them(sheetgen: Sheetgen, capfd: pytest.CaptureFixture[str], verb: str) -> None:
    with pytest.raises(SystemExit):
        sheetgen(verb, "--help")
    said = capfd.readouterr().out
    assert "--ink-saver" in said
    assert "--greyscale" in said


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["blank", "gamers", "--margin", "12"], "--margin 12 is more than the 10 mm that a sheet leaves free"),
        (["npc", "gamers", "--as", "card", "--margin", "6"], "--margin 6 is more than the 5 mm that --as card leaves"),
        (["book", "gamers", "--booklet", "--margin", "9"], "--margin 9 is more than the 7 mm that a booklet leaves"),
        (["book", "gamers", "--printer", "office"], "--plan, --printer, --flip and --marks go with --booklet"),
        (["book", "gamers", "--flip", "long"], "go with --booklet: the pages of a book are printed as they are"),
        (["reference", "gamers", "--pocket", "--flip", "short"], "the little book is printed on one"),
    ],
)
def test_a_margin_that_pages_do_not_leave_is_told(sheetgen: Sheetgen, words: list[str], line: str) -> None:
    ran = sheetgen(*words)
    assert ran.code == 2
    assert line in ran.err
