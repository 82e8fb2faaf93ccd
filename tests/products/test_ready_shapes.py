"""People on paper of A5 and on tarot cards."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdf
import pytest

from sheetgen.products.form_cache import field_names, sheet_html
from sheetgen.products.shapes import CARD_EACH, NPC_PAGE, TAROT_CARD
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

Run = Callable[..., Any]
A5 = (210 * 72 / 25.4, 148 * 72 / 25.4)
GAMES = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix")


@pytest.mark.parametrize("system", GAMES)
def test_an_npc_page_is_a_sheet_of_a5_on_its_side(sheetgen: Run, tmp_path: Path, system: str) -> None:
    ran = sheetgen("npc", system, "-n", "2", "--seed", "11", "--paper", "a5", "-o", "two.pdf")
    assert (ran.code, ran.err) == (0, "")
    pages = pypdf.PdfReader(tmp_path / "two.pdf").pages
    assert [tuple(map(float, page.mediabox[2:])) for page in pages] == [pytest.approx(A5, abs=0.1)] * 2
    assert "page 2 of 2" in pages[1].extract_text()


def test_two_pages_of_a5_go_on_one_sheet_of_a4(sheetgen: Run, tmp_path: Path) -> None:
    sheetgen("npc", "tsgs", "-n", "2", "--seed", "11", "--paper", "a5", "-o", "two.pdf")
    ran = sheetgen("booklet", "two.pdf", "--fold", "2up", "-o", "a4.pdf")
    assert ran.code == 0, ran.err
    (page,) = pypdf.PdfReader(tmp_path / "a4.pdf").pages
    assert float(page.mediabox.height) == pytest.approx(297 * 72 / 25.4, abs=0.1)


@pytest.mark.parametrize("system", GAMES)
def test_a_tarot_card_has_room_for_what_somebody_wants_and_says(sheetgen: Run, tmp_path: Path, system: str) -> None:
    ran = sheetgen("npc", system, "-n", "4", "--seed", "11", "--as", "tarot", "-o", "four.pdf", "-o", "four.json")
    assert (ran.code, ran.err) == (0, "")
    (page,) = pypdf.PdfReader(tmp_path / "four.pdf").pages
    text = page.extract_text()
    assert text.count("Wants from you:") == text.count("NOTES") == 4


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--as", "card", "--paper", "a5"), "--as card is made for a4 and letter, not for a5"),
        (("--paper", "a5", "--contents"), "--contents is made for a4 and letter"),
    ],
)
def test_what_has_no_place_on_a5_is_refused(sheetgen: Run, words: tuple[str, ...], told: str) -> None:
    ran = sheetgen("npc", "gamers", "--seed", "7", *words)
    assert ran.code == 2
    assert told in ran.err


PLACES = {"agents": "cover", "fright": "dread", "heroic": "oath", "spacer": "air", "waster": "ration"}


@pytest.mark.parametrize(("skin", "place"), PLACES.items())
def test_a_skin_has_its_place_and_its_mark_on_npc_pages_and_tarot_cards(
    project: Project, skin: str, place: str
) -> None:
    pack = open_pack(project, skin)
    marks = set()
    for shape, small in ((NPC_PAGE, False), (TAROT_CARD, False), (CARD_EACH, True)):
        html = sheet_html(project, pack, paper="a4", template=shape.template, card=shape.card("a4"))
        names = field_names(html)
        assert any(name.startswith(f"pencil.{place}.") for name in names) is not small
        assert html.count('class="ornament"') == 1
        marks |= set(re.findall(r'class="mark">(<svg.*?</svg>)', html, re.DOTALL))
    assert len(marks) == 1
