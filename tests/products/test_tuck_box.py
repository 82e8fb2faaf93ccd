"""A box for a deck: as large inside as its cards need, its faces equal, on paper that holds it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from sheetgen.geometry import CARDS, mm
from sheetgen.products.cards.decks import inside, net_of

Run = Callable[..., Any]


def test_a_box_is_as_deep_as_its_cards_are_thick() -> None:
    assert inside(CARDS["poker"], 54) == (64.5, 90.4, 17.2)  # 54 cards of 0.3 mm and 1 mm of play
    assert inside(CARDS["poker"], 8)[2] == 6  # a box of less could not be folded


def test_faces_of_a_net_are_as_large_as_the_box_is_inside_and_stand_side_by_side() -> None:
    net = net_of(CARDS["tarot"], 30)
    wide, high, deep = inside(CARDS["tarot"], 30)
    front, back, (left, right) = net["front"], net["back"], net["sides"]  # type: ignore[misc, has-type]
    assert (front["width"], front["height"], left["width"]) == (wide, high, deep)
    edges = [each["x"] for each in (front, left, back, right)]
    assert [after - before for before, after in pairwise(edges)] == pytest.approx([wide, deep, wide])
    assert right["x"] + deep == pytest.approx(net["width"])


def test_a_box_is_a_page_of_its_own_and_told_where_the_paper_is_too_small(sheetgen: Run, tmp_path: Path) -> None:
    ran = sheetgen("cards", "sixshooter", "--deck", "playing", "--box", "-o", "box.pdf")
    assert (ran.code, ran.out) == (0, "box.pdf: a box for 54 poker cards\n")
    with pymupdf.open(tmp_path / "box.pdf") as document:
        (page,) = document
        assert page.rect.width == pytest.approx(mm(210), abs=mm(0.1))
        assert "Inside 64.5 × 90.4 × 17.2 mm" in page.get_text().replace("\n", " ")
    small = sheetgen("cards", "sixshooter", "--deck", "playing", "--box", "--paper", "a5", "-o", "small.pdf")
    assert small.code == 2
    assert "a box for 54 poker cards is 174 × 139 mm flat: too large for A5" in small.err
    both = sheetgen("cards", "sixshooter", "--box", "--single")
    assert "--box is one page to cut and fold" in both.err
