"""How pages and cards are signed: on one line, on fronts, backs and pages behind, and clear of what they say."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from sheetgen.geometry import PAPERS, millimetres
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.press.marks import MarginRoom, beside_rule, check_rule
from sheetgen.press.plan import side_by_side
from sheetgen.products.people.printing import write_people
from sheetgen.products.shapes import PrintOptions, margin_words, shape_named
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

GAMES = ("gamers", "heroic", "tsgs", "sixshooter", "diecodes", "genesix", "chalkdown")
A_HAIR = 0.1  # mm


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("shape", ["card", "index", "tarot"])
@pytest.mark.parametrize("game", GAMES)
def test_no_word_of_a_credit_stands_alone_behind_the_ruler(project: Project, game: str, shape: str, paper: str) -> None:
    asked = shape_named(shape)
    layout = side_by_side(PAPERS[paper], asked.cards[paper], margin=asked.apart)
    room = beside_rule(layout.cells, layout.paper, check_rule(layout.cells, layout.paper))
    lines = [words.text for words in margin_words(room, open_pack(project, game).system)[0]]
    assert lines
    assert all(" " in line for line in lines), lines
    assert not lines[-1].endswith("but …"), lines


def test_what_would_stand_alone_takes_along_what_is_behind_the_comma_before_it(project: Project) -> None:
    system = open_pack(project, "gamers").system
    told = replace(system, title="Dusk", credit="Dusk was made by many hands, with care", licence="Freely.")
    room = MarginRoom(0.0, 20.0, 120.0, 1, turned=False), MarginRoom(200.0, 20.0, 120.0, 2, turned=False)
    said = [words.text for words in margin_words(room, told)[0]]
    assert said == ["Dusk was made by many hands,", "with care. Freely."]


@pytest.mark.parametrize("game", ["gamers", "heroic", "tsgs", "sixshooter", "diecodes", "chalkdown", "slackwater"])
def test_a_ruler_parts_no_sentence_of_a_credit(project: Project, game: str) -> None:
    """On A4 a licence once went on behind the ruler in the middle of a sentence."""
    asked = shape_named("card")
    layout = side_by_side(PAPERS["a4"], asked.cards["a4"], margin=asked.apart)
    room = beside_rule(layout.cells, layout.paper, check_rule(layout.cells, layout.paper))
    words = margin_words(room, open_pack(project, game).system)[0]
    lines = [[each.text for each in words if part.x <= each.x < part.x + part.length] for part in room]
    assert [len(each) <= part.lines for each, part in zip(lines, room, strict=True)] == [True, True]
    assert lines[0][-1].endswith("."), lines


@pytest.mark.parametrize("game", GAMES)
def test_what_signs_a_page_stands_on_one_line(project: Project, game: str) -> None:
    pack, parts = open_pack(project, game), list[bytes]()
    person = next(iter(roll(pack, RollOptions(seed=11, count=1))))
    write_people(project, pack, [person], parts.append, PrintOptions("a4", "sheet", back=True), form=".pdf")
    with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as pdf:
        for number, page in enumerate(pdf, 1):
            spans = [
                span
                for block in page.get_text("dict")["blocks"]
                for line in block.get("lines", [])
                for span in line["spans"]
            ]
            # In front the game stands beside the number of the page; behind, above it, and whose it is beside it.
            signs = {f"page {number} of {len(pdf)}", person.text("name") if number > 1 else pack.system.title}
            found = {span["text"]: span["origin"][1] for span in reversed(spans) if span["text"] in signs}
            assert found.keys() == signs
            assert millimetres(max(found.values()) - min(found.values())) < A_HAIR, (number, found)


@pytest.mark.parametrize("game", GAMES)
def test_what_one_sees_of_somebody_keeps_clear_of_the_credit_on_the_back_of_a_card(
    sheetgen: Callable[..., Any], tmp_path: Path, game: str
) -> None:
    """However long the credit is, no line of the text comes down to the title above it."""
    run = ("npc", game, "-n", "9", "--seed", "11", "--as", "card", "--backs", "-o", "cards.pdf")
    assert sheetgen(*run).code == 0
    with pymupdf.open(tmp_path / "cards.pdf") as pdf:
        lines = [line for block in pdf[1].get_text("dict")["blocks"] for line in block.get("lines", [])]
    said = [pymupdf.Rect(line["bbox"]) for line in lines if "Sheetgen" in line["spans"][0]["font"]]
    is_title = ("Source-Serif-Pro-Bold", 9)
    titles = [line for line in lines if (line["spans"][0]["font"], round(line["spans"][0]["size"], 1)) == is_title]
    assert len(titles) == 9
    for title in titles:
        left, top, right, low = title["bbox"]
        card = pymupdf.Rect(left - 40, top - 60, right + 40, low)
        assert [box for box in said if box.intersects(card) and box.y1 > top] == []
