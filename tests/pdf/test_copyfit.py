"""Chapters whose last page would hold little are set closer where that saves the page, and as usual elsewhere."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pymupdf
import pytest

from sheetgen.pdf.flow.document import flow

STYLE = """@page { size: 100mm 100mm; margin: 10mm } * { margin: 0; padding: 0 }
html { font: 10pt/1.4 'Source Serif Pro' } p { margin-bottom: 3mm } section { break-before: page }
a::after { content: target-counter(attr(href), page) } .whole { break-inside: avoid; height: 63mm }"""
TO_A_PAGE = 10


def pages(root: Path, *chapters: str) -> list[list[tuple[str, float]]]:
    """The words of each page, each with where it stands, in mm from above."""
    body = "".join(f"<section data-flow>{chapter}</section>" for chapter in chapters)
    page = f'<!DOCTYPE html><html lang="en"><title>x</title><style>{STYLE}</style>{body}'
    with pymupdf.open(stream=flow(page, root=root, name="x")) as made:
        return [[(word[4], word[1] / 72 * 25.4) for word in each.get_text("words")] for each in made]


def lines(name: str, count: int) -> str:
    return "".join(f"<p>{name}{number}</p>" for number in range(count))


def pitch(page: list[tuple[str, float]]) -> float:
    return min(after[1] - before[1] for before, after in pairwise(page))


@pytest.mark.parametrize("over", [1, 2])
def test_a_few_lines_come_back_from_a_page_of_their_own(tmp_path: Path, over: int) -> None:
    made = pages(tmp_path, lines("a", 3 * TO_A_PAGE + over))
    assert len(made) == 3
    assert [word for page in made for word, _ in page] == [f"a{number}" for number in range(3 * TO_A_PAGE + over)]


def test_other_chapters_keep_their_lines(tmp_path: Path) -> None:
    made = pages(tmp_path, lines("a", 3 * TO_A_PAGE + 1), lines("b", TO_A_PAGE))
    assert len(made) == 4
    assert pitch(made[0]) < pitch(made[3]) - 0.3


@pytest.mark.parametrize("count", [3 * TO_A_PAGE, 3 * TO_A_PAGE + 5, TO_A_PAGE + 3])
def test_what_ends_well_or_cannot_be_saved_is_set_as_its_style_says(tmp_path: Path, count: int) -> None:
    made = pages(tmp_path, lines("a", count))
    assert len(made) == -(-count // TO_A_PAGE)
    assert pitch(made[0]) == pytest.approx(pitch(pages(tmp_path, lines("a", 4))[0]), abs=0.01)


def test_what_was_tried_in_vain_is_taken_back(tmp_path: Path) -> None:
    """The block behind each page's words leaves no room for more of them, however close they are."""
    chapter = "".join(lines(name, 2) + '<div class="whole"></div>' for name in "abc") + lines("d", 1)
    made = pages(tmp_path, chapter)
    assert made[-1][0][0] == "d0"
    assert pitch(made[0]) == pytest.approx(pitch(pages(tmp_path, lines("a", 4))[0]), abs=0.01)


def test_page_references_follow(tmp_path: Path) -> None:
    there = '<p><a href="#end">end on </a></p>'
    made = pages(tmp_path, there + lines("a", 3 * TO_A_PAGE), lines("b", 2 * TO_A_PAGE + 1) + '<p id="end">end</p>')
    assert [word for word, _ in made[0][:3]] == ["end", "on", "5"]
    assert made[4][-1][0] == "end"


def test_an_index_names_every_page_once_whatever_was_tried_before(tmp_path: Path) -> None:
    """Two words stand on one page while a chapter is set as its style says, and on two when it is set closer."""
    count = 3 * TO_A_PAGE + 1
    marked = "".join(f'<p id="a{number}">a{number}</p>' for number in range(count))
    pairs = "".join(
        f'<p data-pages>of{number}<a href="#a{number}"> </a><a href="#a{number + 1}"> </a></p>'
        for number in range(count - 1)
    )
    body = f"<section data-flow>{marked}</section><section>{pairs}</section>"
    page = f'<!DOCTYPE html><html lang="en"><title>x</title><style>{STYLE}</style>{body}'
    with pymupdf.open(stream=flow(page, root=tmp_path, name="x")) as made:
        words = [each.get_text().split() for each in made]
    on = {word: number for number, each in enumerate(words, 1) for word in each}
    named = " ".join(word for each in words[3:] for word in each)
    for number in range(count - 1):
        pages_of_both = dict.fromkeys(str(on[f"a{each}"]) for each in (number, number + 1))
        assert f"of{number} {' '.join(pages_of_both)}" in named
