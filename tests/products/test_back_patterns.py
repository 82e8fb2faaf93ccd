"""Patterns of backs run on from card to card: what lies beyond one edge is what begins at the opposite one."""

from __future__ import annotations

import os
from pathlib import Path

import pymupdf
import pytest

from sheetgen.geometry import BLEED, CARDS, DRAWN_BLEED, Box, mm
from sheetgen.pdf.pdfium import edges_inked
from sheetgen.press.pages import cut_to_bleed, normalize_origin
from sheetgen.press.preflight import white_bleed
from sheetgen.products.cards.sheets import CardSetter, card_data
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

DOTS = 10  # to a millimetre


@pytest.mark.parametrize("size", ["poker", "tarot"])
@pytest.mark.parametrize(
    "game", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix", "chalkdown", "slackwater", "agents"]
)
def test_the_pattern_of_a_back_runs_on_beyond_the_cut(tmp_path: Path, game: str, size: str) -> None:
    project = project_at(tmp_path, {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)})
    pack, card, bleed = open_pack(project, game), CARDS[size], round(DRAWN_BLEED * DOTS)
    setter = CardSetter(project, pack, size, name="back", about=card_data(pack, size), remedy="")
    with pymupdf.open(stream=setter.pdf([], [], back=True)) as made:
        seen = made[0].get_pixmap(dpi=round(25.4 * DOTS), colorspace=pymupdf.csGRAY)
    wide, high = round(card.width * DOTS), round(card.height * DOTS)
    rows = [seen.samples[y * seen.stride : y * seen.stride + seen.width] for y in range(seen.height)]
    across = [abs(row[x] - row[x + wide]) for row in rows[: bleed + high] for x in range(bleed)]
    down = [abs(rows[y][x] - rows[y + high][x]) for y in range(bleed) for x in range(bleed + wide)]
    assert sum(across) / len(across) < 8, "of 255: softened edges fall elsewhere"
    assert sum(down) / len(down) < 8


@pytest.mark.parametrize("size", ["poker", "tarot"])
@pytest.mark.parametrize("game", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix", "chalkdown", "slackwater"])
def test_the_colour_of_a_back_reaches_into_the_bleed_on_every_edge(tmp_path: Path, game: str, size: str) -> None:
    project = project_at(tmp_path, {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)})
    pack, card, file = open_pack(project, game), CARDS[size], tmp_path / "back.pdf"
    setter = CardSetter(project, pack, size, name="back", about=card_data(pack, size), remedy="")
    file.write_bytes(normalize_origin(cut_to_bleed(setter.pdf([], [], back=True), mm(BLEED))))
    trim = Box(mm(BLEED), mm(BLEED), mm(card.width), mm(card.height))
    assert white_bleed(edges_inked(file, [trim])) == ()
