"""`sheetgen cards`: decks on sheets, one by one, or as pictures."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from sheetgen.geometry import mm

Sheetgen = Callable[..., Any]

PACK = "id: mist\ntitle: Mist\ncredit: by us\nlicence: free\nextends: gamers\n"
CHAPTER = """title: Mist
opening: About mist.
rules:
  fog: {title: Fog, text: You see nothing., card: Fog is everywhere.}
  rain:
    title: Rain
    text: You are wet.
    card: Roll {2d6}.
"""


@pytest.fixture
def mist(tmp_path: Path) -> str:
    """A pack of a stranger with two cards: the word that opens it."""
    (tmp_path / "mist" / "rules").mkdir(parents=True)
    (tmp_path / "mist" / "system.yaml").write_text(PACK)
    (tmp_path / "mist" / "rules" / "01-mist.yaml").write_text(CHAPTER)
    return "./mist"


def test_a_deck_goes_to_the_output_folder_with_a_word_on_printing(
    sheetgen: Sheetgen, mist: str, tmp_path: Path
) -> None:
    ran = sheetgen("cards", mist, "--paper", "letter", "--json")
    said = json.loads(ran.out)
    assert (ran.code, said["written"]) == (0, ["output/mist-cards-letter.pdf"])
    assert (
        said["print"][0]
        == "1 sheet of Letter, printed on both sides, turned over the long edge, at actual size (100 %)"
    )
    with pymupdf.open(tmp_path / "output" / "mist-cards-letter.pdf") as document:
        assert [page.rect.width for page in document] == pytest.approx([mm(215.9)] * 2, abs=mm(0.1))
        assert document[0].get_text().count("Fog") == 2  # title and text
        assert document[1].get_text().split() == ["Mist"] * 3


def test_single_cards_and_pictures_of_them(sheetgen: Sheetgen, mist: str, tmp_path: Path) -> None:
    assert sheetgen("cards", mist, "--single", "--backs", "none", "-o", "shop.pdf", "-o", "table.zip").code == 0
    with pymupdf.open(tmp_path / "shop.pdf") as document:
        assert len(document) == 3
    with zipfile.ZipFile(io.BytesIO((tmp_path / "table.zip").read_bytes())) as packed:
        assert packed.namelist() == ["01-Fog.png", "02-Rain.png", "03-What-is-in-this-deck.png"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gamers", "-o", "x.png"), '"x.png": the format must be .pdf, .zip'),
        (("gamers", "--deck", "playing"), 'GAMERS has no deck "playing"; it has rules'),
        (("gamers", "--single", "--plan"), "--plan shows how sheets are printed and cut: leave out --single"),
        (("gamers", "-n", "3"), "are for decks of people; rules is none"),
        (("gamers", "--size", "pokr"), "invalid choice: 'pokr'"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(sheetgen: Sheetgen, words: tuple[str, ...], said: str) -> None:
    ran = sheetgen("cards", *words)
    assert ran.code == 2
    assert said in ran.err


THINGS = """title,text,icon,tags,back,count,weight
Rope,Twenty metres.,hook,Gear,,2,5
Rumour,It is wrong.,scroll,Talk,It is true.,1,
"""


def test_a_deck_out_of_a_table_has_its_copies_its_backs_and_a_note_for_what_has_no_place(
    sheetgen: Sheetgen, mist: str, tmp_path: Path
) -> None:
    (tmp_path / "things.csv").write_text(THINGS)
    ran = sheetgen("cards", mist, "--from", "things.csv", "--single", "-o", "things.pdf")
    assert ran.code == 0
    assert 'things.csv:1:7: column "weight" has no place on a card' in ran.out
    with pymupdf.open(tmp_path / "things.pdf") as document:
        assert ["Rope" in page.get_text() for page in document][::2] == [True, True, False]
        assert ["true" in page.get_text() for page in document] == [False] * 5 + [True]


@pytest.mark.parametrize(
    "case",
    [
        (THINGS.replace("hook", "hok"), [], 'things.csv:2:3: no icon "hok" (did you mean "hook"?)'),
        (THINGS.replace("Twenty", "Twenty " * 300), [], 'things.csv:2:2: "poker card 1, Rope" has '),
        (THINGS, ["--deck", "rules2"], "--from is a deck of its own: leave out --deck"),
    ],
)
def test_a_table_that_cannot_be_printed_is_told_at_its_cell(
    sheetgen: Sheetgen, mist: str, tmp_path: Path, case: tuple[str, list[str], str]
) -> None:
    table, words, said = case
    (tmp_path / "things.csv").write_text(table)
    ran = sheetgen("cards", mist, "--from", "things.csv", *words)
    assert ran.code == 2
    assert said in ran.err
    assert "rules2" in words or "larger --size" in ran.err or "hok" in ran.err
