"""--ink-saver saves: at least a third of the ink of every page of people, and the run says how much."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from sheetgen.documents.ink_saving import with_ink
from sheetgen.model.printing import Tone
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.people.blank import ink_shares
from sheetgen.products.shapes import SHAPES, PrintOptions, shape_named
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

Sheetgen = Callable[..., Any]
GAMES = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix", "spacer")
PRINTED = [name for name in SHAPES if shape_named(name).filled is None]


@pytest.mark.parametrize("shape", PRINTED)
@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_people_saves_a_third(project: Project, game: str, shape: str) -> None:
    pack = open_pack(project, game)
    printing = PrintOptions(shape=shape, back=shape_named(shape).back)
    spared, usual = ink_shares(project, pack, printing, lambda: roll(pack, RollOptions(seed=3, count=8)))
    assert 0.2 < spared <= usual * 2 / 3


@pytest.mark.parametrize(
    ("words", "one"),
    [
        (["npc", "gamers", "-n", "2", "--seed", "1"], "half page"),
        (["npc", "tsgs", "-n", "2", "--seed", "1", "--as", "card"], "card"),
        (["npc", "tsgs", "-n", "2", "--seed", "1", "--as", "roster"], "page"),
        (["blank", "gamers"], "page"),
    ],
)
def test_the_run_says_how_much_ink_it_takes(sheetgen: Sheetgen, words: list[str], one: str) -> None:
    said = sheetgen(*words, "--ink-saver", "-o", "x.pdf")
    assert re.search(rf"ink: \d\.\d % of the {one}, \d\.\d % without --ink-saver", said.out + said.err)
    plain = sheetgen(*words, "-o", "y.pdf")
    assert "ink:" not in plain.out + plain.err


@pytest.mark.parametrize(
    ("page", "sparing"),
    [
        ("<style>h1 { border: 1.4pt solid #000; }</style>", "<style>h1 { border: 0.63pt solid #000; }</style>"),
        ("<style>td { border: 0.35pt solid #999; }</style>", "<style>td { border: 0.25pt solid #999; }</style>"),
        ("<style>p { color: #333; }</style>", "<style>p { color: #555; }</style>"),
        (
            "<style>.field { color: #000; } p { color: #000; }</style>",
            "<style>.field { color: #000; } p { color: #4d4d4d; }</style>",
        ),
        ('<path stroke-width="0.9"/>', '<path stroke-width="0.45"/>'),
        ("<p>1.4pt solid, color: #333</p>", "<p>1.4pt solid, color: #333</p>"),
        ('<input value="style=&#34;1.4pt solid&#34;">', '<input value="style=&#34;1.4pt solid&#34;">'),
    ],
)
def test_only_rules_and_quiet_words_change(page: str, sparing: str) -> None:
    assert with_ink(page, Tone(ink_saver=True)) == sparing
    assert with_ink(page, Tone()) == page
