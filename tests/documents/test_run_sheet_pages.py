"""Blocks of a scene on pages: what is used up goes beside the text where that saves a page."""

from __future__ import annotations

import pytest

from sheetgen.documents.session.run_sheet import BELOW, LEFT, PEOPLE, RIGHT
from sheetgen.documents.session.run_sheet_pages import Block, placed_on_pages
from sheetgen.errors import Place
from sheetgen.geometry import PAPERS

HEIGHTS = {"map": 130.0, "clock": 60.0, "head": 10.0, "ada": 60.0, "dice": 25.0, "odds": 20.0, "one": 20.0, "two": 20.0}


def block(name: str, where: str) -> Block:
    return {"id": name, "kind": name, "where": where}


def pages(**heights: float) -> list[dict[str, tuple[float, float]]]:
    """Where each block lies, by page: its left and upper edge in mm."""
    blocks = [block("map", LEFT), block("clock", RIGHT), block("head", PEOPLE), block("ada", PEOPLE)]
    blocks += [block(each, BELOW) for each in ("odds", "dice", "one", "two")]
    laid = placed_on_pages(blocks, {**HEIGHTS, **heights}, PAPERS["a4"], Place("x.yaml"))
    return [{each.block["kind"]: (each.x, each.y) for each in page.placed} for page in laid]


def test_dice_stand_below_the_clock_where_all_of_a_scene_is_then_on_one_page() -> None:
    (page,) = pages()
    assert page["dice"][0] == page["clock"][0]
    assert page["dice"][1] >= page["clock"][1] + HEIGHTS["clock"]
    assert page["dice"][1] + HEIGHTS["dice"] <= page["head"][1]


@pytest.mark.parametrize("heights", [{"clock": 120.0}, {"one": 90.0}])
def test_nothing_is_moved_there_where_it_saves_no_page(heights: dict[str, float]) -> None:
    first, second = pages(**heights)
    assert set(first) - {"happened"} == {"map", "clock", "head", "ada"}
    assert set(second) - {"happened"} == {"odds", "dice", "one", "two"}
