"""The drawing on the proof of a printer: frames at their distance, crosses that meet, scales with their noughts."""

from __future__ import annotations

import re

import pytest

from sheetgen.documents.press_pages import MARGINS, REACH, Drawing, crosses, proof
from sheetgen.geometry import PAPERS


def lines(drawn: Drawing) -> list[tuple[float, ...]]:
    """The straight strokes of a drawing: x1, y1, x2, y2."""
    found = [tuple(map(float, re.findall(r"[-.\d]+", d))) for strokes in drawn.strokes.values() for d in strokes]
    return [stroke for stroke in found if len(stroke) == 4]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_crosses_meet_whichever_way_the_paper_is_turned(paper: str) -> None:
    size = PAPERS[paper]
    places = {(round(x, 3), round(y, 3)) for x, y in crosses(size)}
    assert places == {(round(size.width - x, 3), y) for x, y in places}
    assert places == {(x, round(size.height - y, 3)) for x, y in places}
    assert len(places) == 5


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_frame_is_as_far_from_the_edge_as_it_says(paper: str, back: bool) -> None:
    size, drawn = PAPERS[paper], proof(PAPERS[paper], back=back)
    for margin in MARGINS:
        for x in (margin, size.width - margin):
            assert (round(x, 3), margin) in {line[:2] for line in lines(drawn)}
        assert [word["text"] for word in drawn.words].count(f"{margin:g}") >= 4


def test_the_scales_have_their_nought_on_the_strokes_of_the_front() -> None:
    size = PAPERS["a4"]
    front, back = proof(size, back=False), proof(size, back=True)
    x, y = size.width / 2, size.height / 2
    assert any(line[0] == line[2] == x for line in lines(front))
    words = {word["text"]: word for word in back.words if str(word["text"])[:1] in "+−0"}
    assert {"+5", "−5", "0"} <= set(words)
    beside = [word for word in back.words if word["text"] == f"+{REACH}"]
    # To the right is plus on the level scale, up is plus on the upright one; y grows downwards here.
    assert sorted((round(word["x"] - x, 3), round(word["y"] - y, 3)) for word in beside) == [(5, 10.8), (11.4, -5)]


def test_nothing_is_drawn_where_a_cross_shows_through() -> None:
    size = PAPERS["letter"]
    front = proof(size, back=False)
    x, y = size.width / 2, size.height / 2
    near = [
        line
        for line in lines(front)
        if abs(line[0] - x) < 16 and abs(line[1] - y) < 16 and abs(line[2] - x) < 16 and abs(line[3] - y) < 16
    ]
    assert len(near) == 2
