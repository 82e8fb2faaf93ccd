"""People on paper of A5 and on tarot cards."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
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
    assert ran.code == 0
    told = [line.partition(": ")[2] for line in ran.err.splitlines()]  # an age that a long trade leaves no room for
    assert all(re.match("no room on the card for Pronouns and age \\((she|he|they), ", line) for line in told)
    (page,) = pypdf.PdfReader(tmp_path / "four.pdf").pages
    text = page.extract_text()
    assert text.count("Wants:") == text.count("NOTES") == 4


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


@pytest.mark.parametrize(("shape", "places"), [("card", (0, 1, 2)), ("tarot", (0, 1))])
def test_a_back_faces_the_players_behind_its_own_card(
    sheetgen: Run, tmp_path: Path, shape: str, places: tuple[int, ...]
) -> None:
    ran = sheetgen("npc", "gamers", "-n", "5", "--seed", "11", "--as", shape, "--backs", "-o", "b.pdf", "-o", "b.json")
    assert ran.code == 0
    assert all(": no room on the card for " in line for line in ran.err.splitlines())
    front, back, *_ = pymupdf.open(tmp_path / "b.pdf")
    people = json.loads((tmp_path / "b.json").read_text())["characters"]
    across = front.rect.width
    for at in places:
        name = people[at]["name"]
        apart = middle(front, name) + middle(back, name) - across
        assert abs(apart) < 62, "the paper is turned over its long edge"  # a name may be shorter than its card
        assert people[at]["hook"][:20] not in back.get_text()


def middle(page: pymupdf.Page, name: str) -> float:
    """Where on the paper the card of a name is, from the left."""
    (found, *_) = page.search_for(name)
    return float(found.x0 + found.x1) / 2


def test_a_card_that_goes_on_has_the_same_back_again(sheetgen: Run, tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text(
        f"system: gamers\nformat: 1\ncharacters:\n- name: Ada\n  notes: {'long ' * 300}\n- name: Bo\n"
    )
    assert sheetgen("sheet", "two.yaml", "--as", "card", "--backs", "-o", "two.pdf").code == 0
    back = pypdf.PdfReader(tmp_path / "two.pdf").pages[1].extract_text()
    assert (back.count("Ada"), back.count("Bo")) == (
        pypdf.PdfReader(tmp_path / "two.pdf").pages[0].extract_text().count("Ada"),
        1,
    )


@pytest.mark.parametrize("words", [("--as", "npc"), ("--as", "card", "-o", "x.html"), ("--as", "card", "--contents")])
def test_backs_are_for_cards(sheetgen: Run, words: tuple[str, ...]) -> None:
    ran = sheetgen("npc", "gamers", "--seed", "7", "--backs", *words)
    assert ran.code == 2
    assert "--backs are for" in ran.err


def test_a_sheet_of_a5_is_two_leaves_and_the_next_begins_on_a_leaf_of_its_own(sheetgen: Run, tmp_path: Path) -> None:
    ran = sheetgen(
        "npc", "gamers", "-n", "2", "--seed", "11", "--as", "sheet", "--paper", "a5", "-o", "two.pdf", "-o", "p.yaml"
    )
    assert (ran.code, ran.err) == (0, "")
    pages = pypdf.PdfReader(tmp_path / "two.pdf").pages
    assert [tuple(map(float, page.mediabox[2:])) for page in pages] == [pytest.approx(A5[::-1], abs=0.1)] * 8
    ran = sheetgen("sheet", "p.yaml", "--as", "form", "--paper", "a5", "--each", "-o", "forms")
    assert (ran.code, ran.err) == (0, "")
    forms = sorted((tmp_path / "forms").iterdir())
    assert [len(pypdf.PdfReader(form).pages) for form in forms] == [4, 4]


@pytest.mark.parametrize(("words", "why"), [(("--paper", "a5"), "A5"), (("--as", "card", "--backs"), "--backs")])
def test_where_the_page_of_a_group_is_left_out_the_run_says_so(sheetgen: Run, words: tuple[str, ...], why: str) -> None:
    ran = sheetgen("npc", "tsgs", "--group", "the expedition", "--seed", "7", *words, "-o", "group.pdf")
    assert ran.code == 0
    assert f"with {why} there is no page of the group in front: --as roster makes it on its own" in ran.out


def test_the_notes_of_a_group_stand_on_the_page_of_its_people(sheetgen: Run, tmp_path: Path) -> None:
    """Columns of many short lines were taken for lower than they are, and the notes stood alone on a second page."""
    ran = sheetgen("npc", "genesix", "--group", "the changed", "--seed", "1", "--as", "roster", "-o", "group.pdf")
    assert (ran.code, ran.err) == (0, "")
    assert len(pypdf.PdfReader(tmp_path / "group.pdf").pages) == 1


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_seven_people_of_genesix_are_a_group_of_one_page(sheetgen: Run, tmp_path: Path, paper: str) -> None:
    words = ("--group", "the expedition", "--seed", "3", "--as", "roster", "--paper", paper)
    ran = sheetgen("npc", "genesix", *words, "-o", "group.pdf")
    assert (ran.code, ran.err) == (0, "")
    assert len(pypdf.PdfReader(tmp_path / "group.pdf").pages) == 1
