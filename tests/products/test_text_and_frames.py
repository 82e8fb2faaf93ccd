"""Nothing that is printed by default crosses the frame of something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pymupdf
import pytest


class Ran(Protocol):
    """How a run of the command line ended."""

    code: int


Sheetgen = Callable[..., Ran]


def letters(page: pymupdf.Page) -> Iterator[tuple[str, pymupdf.Rect]]:
    """The word or run of words and the part of each of its letters that every letter fills."""
    for block in page.get_text("rawdict")["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                said = "".join(char["c"] for char in span["chars"])
                for char in span["chars"]:
                    (x0, _, x1, _), base = char["bbox"], char["origin"][1]
                    if char["c"].isalnum():
                        yield said, pymupdf.Rect(x0 + 0.4, base - 0.45 * span["size"], x1 - 0.4, base)


def edges(page: pymupdf.Page) -> Iterator[pymupdf.Rect]:
    """Each straight edge that is drawn: of a frame, a rule, or a box; a frame is what lies between two outlines."""
    for drawing in page.get_drawings():
        if drawing["fill"] == (1, 1, 1):
            continue
        for item in drawing["items"]:
            if item[0] == "l" and min(abs(item[1].x - item[2].x), abs(item[1].y - item[2].y)) < 0.01:
                x0, y0, x1, y1 = pymupdf.Rect(item[1], item[2]).normalize()
                yield pymupdf.Rect(x0 - 0.1, y0 - 0.1, x1 + 0.1, y1 + 0.1)
        boxes = [item[1] for item in drawing["items"] if item[0] == "re"]
        if len(boxes) == 2:
            (a, b, c, d), (e, f, g, h) = boxes
            sides = ((a, b, e, d), (a, b, c, f), (c, b, g, d), (a, d, c, h))
            drawn = (pymupdf.Rect(each).normalize() for each in sides)
            yield from (side for side in drawn if min(side.width, side.height) > 0.05)
        elif boxes:
            yield from (box for box in boxes if min(box.width, box.height) < 3)


@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
@pytest.mark.parametrize("system", ["tsgs", "gamers", "sixshooter", "diecodes", "genesix"])
def test_no_text_of_a_filled_sheet_crosses_a_frame(sheetgen: Sheetgen, tmp_path: Path, system: str, paper: str) -> None:
    ran = sheetgen("npc", system, "-n", "1", "--seed", "5", "--as", "sheet", "--paper", paper, "-o", "x.pdf")
    assert ran.code == 0
    crossed, met = set(), [0, 0]
    with pymupdf.open(tmp_path / "x.pdf") as pdf:
        for page in pdf:
            drawn, written = list(edges(page)), list(letters(page))
            met = [met[0] + len(drawn), met[1] + len(written)]
            crossed |= {said for said, letter in written if any(letter.intersects(edge) for edge in drawn)}
    assert min(met) > 100
    assert crossed == set()


@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
def test_a_page_that_goes_on_keeps_within_its_margins(sheetgen: Sheetgen, tmp_path: Path, paper: str) -> None:
    """Lines of 150 mm ran off the edge of A5."""
    notes = "Limps on the left, and will not say which of the two brothers did it. " * 55
    (tmp_path / "ada.yaml").write_text(f"system: gamers\nformat: 1\ncharacters:\n- {{name: Ada, notes: {notes!r}}}\n")
    assert sheetgen("sheet", "ada.yaml", "--as", "sheet", "--paper", paper, "-o", "x.pdf").code == 0
    with pymupdf.open(tmp_path / "x.pdf") as pdf:
        pages = [page for page in pdf if page.search_for("CONTINUED")]
        assert pages
        for page in pages:
            blocks = page.get_text("blocks")
            assert page.rect.x0 + 14 < min(block[0] for block in blocks)
            assert max(block[2] for block in blocks) < page.rect.x1 - 14
