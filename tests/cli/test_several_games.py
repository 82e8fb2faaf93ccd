"""`sheet` with files of several games: one PDF, one index that leads to everybody, bookmarks under each game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pypdf
import pytest

Sheetgen = Callable[..., Any]


@pytest.fixture
def files(sheetgen: Sheetgen) -> tuple[str, str, str]:
    """Two of GAMERS, three of TSGS, one more of GAMERS."""
    for system, count, seed, name in (("gamers", 2, 4, "a"), ("tsgs", 3, 4, "b"), ("gamers", 1, 9, "c")):
        assert sheetgen("npc", system, "-n", str(count), "--seed", str(seed), "-o", f"{name}.yaml").code == 0
    return "a.yaml", "b.yaml", "c.yaml"


def bookmarks(path: Path) -> dict[str, list[int]]:
    """The pages that the bookmarks of each game lead to, from 1."""
    with pikepdf.open(path) as made, made.open_outline() as outline:
        numbers = {page.objgen: page.index + 1 for page in (pikepdf.Page(each.obj) for each in made.pages)}
        return {item.title: [numbers[child.destination[0].objgen] for child in item.children] for item in outline.root}


def test_pages_stand_game_by_game_with_bookmarks(sheetgen: Sheetgen, tmp_path: Path, files: tuple[str, ...]) -> None:
    ran = sheetgen("sheet", *files, "-o", "party.pdf")
    assert (ran.code, ran.err) == (0, "")
    assert "party.pdf: 6 of 6 characters of 2 games" in ran.out
    assert bookmarks(tmp_path / "party.pdf") == {"GAMERS": [1, 2, 3], "TSGS": [4, 5, 6]}


def test_another_game_begins_on_a_new_sheet_of_paper(sheetgen: Sheetgen, tmp_path: Path) -> None:
    """It once began on the back of somebody's fifth page."""
    notes = "Limps on the left, and will not say which of the two brothers did it. " * 55
    (tmp_path / "a.yaml").write_text(f"system: gamers\nformat: 1\ncharacters:\n- {{name: Ada, notes: {notes!r}}}\n")
    (tmp_path / "b.yaml").write_text("system: genesix\nformat: 1\ncharacters:\n- name: Bo\n")
    assert sheetgen("sheet", "a.yaml", "b.yaml", "--as", "sheet", "--paper", "a5", "-o", "two.pdf").code == 0
    games = bookmarks(tmp_path / "two.pdf")
    assert (games["GAMERS"], [page % 2 for page in games["GeneSix"]]) == ([1], [1])
    with pikepdf.open(tmp_path / "two.pdf") as made:
        assert made.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"


def test_one_index_leads_to_everybody(sheetgen: Sheetgen, tmp_path: Path, files: tuple[str, ...]) -> None:
    assert sheetgen("sheet", *files, "--contents", "--back", "-o", "party.pdf").code == 0
    assert bookmarks(tmp_path / "party.pdf") == {"Index": [], "GAMERS": [3, 5, 7], "TSGS": [9, 11, 13]}
    read = pypdf.PdfReader(tmp_path / "party.pdf")
    said = read.pages[0].extract_text()
    assert [word in said for word in ("GAMERS", "TSGS", "6 people")] == [True] * 3
    assert "You may copy these rules" in said  # each game with its licence
    assert "Creative Commons Attribution-Share Alike" in said
    assert "page 13 of 14" in read.pages[12].extract_text()
    leads = {read.get_page_number(link.get_object()["/Dest"][0].get_object()) for link in read.pages[0]["/Annots"]}
    assert leads == {2, 4, 6, 8, 10, 12}


def test_cards_of_several_games_share_a_file_and_the_same_bytes(
    sheetgen: Sheetgen, tmp_path: Path, files: tuple[str, ...]
) -> None:
    for name in ("one.pdf", "two.pdf"):
        assert sheetgen("sheet", *files, "--as", "card", "-o", name).code == 0
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()
    assert bookmarks(tmp_path / "one.pdf") == {"GAMERS": [1, 1, 1], "TSGS": [2, 2, 2]}
    margins = [page.extract_text() for page in pypdf.PdfReader(tmp_path / "one.pdf").pages]
    assert "GAMERS, the generic Six-Letter System" in margins[0]
    assert "TSGS · The Simple Game System" in margins[1]


def test_numbers_run_on_from_file_to_file(sheetgen: Sheetgen, tmp_path: Path, files: tuple[str, ...]) -> None:
    assert sheetgen("sheet", *files, "--only", "2", "--only", "5", "-o", "two.pdf").code == 0
    assert bookmarks(tmp_path / "two.pdf") == {"GAMERS": [1], "TSGS": [2]}


@pytest.mark.parametrize(
    "words", [["-o", "x.html"], ["-o", "x.yaml"], ["--each"], ["--as", "roster", "-o", "x.pdf"], ["-o", "x.zip"]]
)
def test_nothing_but_sheets_and_cards_mixes(sheetgen: Sheetgen, files: tuple[str, ...], words: list[str]) -> None:
    ran = sheetgen("sheet", *files, *words)
    assert ran.code == 2
    assert (
        "several games (GAMERS, TSGS) share only a PDF of sheets or cards, or a table (.csv, .tsv, .xlsx, .ods): "
        "print anything else game by game" in ran.err
    )
