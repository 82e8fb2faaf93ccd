"""QR codes on sheets, cards and rosters, read back from the printed page by another library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest
import zxingcpp
from PIL import Image

from sheetgen.pdf.pictures import QUIET, dark_runs

SYSTEMS = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix", "waster")
DOTS = 300
Sheetgen = Callable[..., object]


def codes_on(path: Path) -> list[list[str]]:
    """The texts of the codes on each page, as a camera would see them."""
    with pymupdf.open(path) as document:
        pages = [page.get_pixmap(dpi=DOTS) for page in document]
    seen = [Image.frombytes("RGB", (each.width, each.height), each.samples) for each in pages]
    return [sorted(found.text for found in zxingcpp.read_barcodes(page)) for page in seen]


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_sheet_and_each_card_carries_its_person(sheetgen: Sheetgen, tmp_path: Path, system: str) -> None:
    sheetgen("npc", system, "-n", "2", "--seed", "7", "--code", "-o", "sheets.pdf")
    sheetgen("npc", system, "-n", "2", "--seed", "7", "--code", "--as", "card", "-o", "cards.pdf")
    wanted = [f"SG1/{system.upper()}/7/{number}" for number in (1, 2)]
    assert [found for page in codes_on(tmp_path / "sheets.pdf") for found in page] == wanted
    assert codes_on(tmp_path / "cards.pdf")[0] == wanted


def test_a_roster_carries_its_run(sheetgen: Sheetgen, tmp_path: Path) -> None:
    words = ("npc", "gamers", "-n", "6", "--seed", "7", "--archetype", "guard", "--code", "--as", "roster")
    sheetgen(*words, "-o", "roster.pdf")
    assert codes_on(tmp_path / "roster.pdf") == [["SG1/GAMERS/7/1-6/GUARD"]]


def test_nobody_has_a_code_who_did_not_ask_for_one(sheetgen: Sheetgen, tmp_path: Path) -> None:
    sheetgen("npc", "gamers", "--seed", "7", "-o", "plain.pdf")
    assert codes_on(tmp_path / "plain.pdf") == [[]]


def test_a_code_is_large_enough_to_print_and_has_its_quiet_zone() -> None:
    """On a card, 13 mm wide: four modules free on every side (ISO/IEC 18004), and none too small to print."""
    usual, _ = dark_runs("SG1/GAMERS/330480/12/OUTLAW//TECH:9")
    side, runs = dark_runs("SG1/SIXSHOOTER/9223372036854775807/1000000/ARCHETYPE//GENRE:NOIR")
    assert 13 / usual >= 0.35
    assert 13 / side >= 0.3
    assert min(row for row, _, _ in runs) == min(column for _, column, _ in runs) == QUIET
    assert max(column + length for _, column, length in runs) == side - QUIET


def test_a_form_that_stays_open_has_none(sheetgen: Callable[..., Any]) -> None:
    ran = sheetgen("npc", "gamers", "--seed", "7", "--code", "--as", "form")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
