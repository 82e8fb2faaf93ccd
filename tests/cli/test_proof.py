"""`sheetgen proof` as a person uses it: print, read, keep, print again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from sheetgen.geometry import PAPERS, mm

Sheetgen = Callable[..., Any]


def noughts(path: Path) -> tuple[tuple[float, float], str]:
    """The middle of the small cross on the back, in mm from the middle of the page to the right and up, and the words.

    It is the only one of strokes 3 mm long near there.
    """
    with pymupdf.open(path) as document:
        page = document[1]
        centre = (page.rect.width / 2, page.rect.height / 2)
        for drawing in page.get_drawings():
            for item in drawing["items"]:
                if item[0] != "l":
                    continue
                start, end = item[1], item[2]
                x, y = (start.x + end.x) / 2 - centre[0], (start.y + end.y) / 2 - centre[1]
                if abs(abs(end.x - start.x) - mm(3)) < 0.05 and abs(x) < mm(4) and abs(y) < mm(4):
                    return (round(x / mm(1), 2), round(-y / mm(1), 2)), page.get_text()
    raise AssertionError("no cross")


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_page_has_two_sides_at_actual_size(sheetgen: Sheetgen, tmp_path: Path, paper: str) -> None:
    ran = sheetgen("proof", "--paper", paper)
    assert ran.code == 0
    assert f"output/proof-{paper}.pdf: a proof page of two sides" in ran.out
    path = tmp_path / "output" / f"proof-{paper}.pdf"
    with pymupdf.open(path) as document:
        assert len(document) == 2
        size = (document[0].rect.width / mm(1), document[0].rect.height / mm(1))
        assert size == pytest.approx((PAPERS[paper].width, PAPERS[paper].height), abs=0.1)
    place, words = noughts(path)
    assert place == (0, 0)
    assert "sheetgen proof --save office --shift 0.8,-1.2 --margin 5" in words


@pytest.mark.parametrize(
    ("flip", "again", "moved"),
    [
        ("long", "long", (0.8, -1.2)),
        ("long", "short", (-0.8, 1.2)),
        ("short", "long", (-0.8, 1.2)),
        ("short", "short", (0.8, -1.2)),
    ],
)
def test_what_was_read_moves_the_back(
    sheetgen: Sheetgen, tmp_path: Path, flip: str, again: str, moved: tuple[float, float]
) -> None:
    """The front showed 0.8 mm to the right and 1.2 mm below: printed the same way, the back comes there."""
    assert sheetgen("proof", "--save", "office", "--shift", "0.8,-1.2", "--flip", flip).code == 0
    assert sheetgen("proof", "--printer", "office", "--flip", again, "-o", "again.pdf").code == 0
    place, words = noughts(tmp_path / "again.pdf")
    assert place == pytest.approx(moved, abs=0.02)
    across, up = moved
    equals = "=" if across < 0 else " "
    turned = " --flip short" if again == "short" else ""
    assert f"sheetgen proof --save office --shift{equals}{across:g},{up:g} --margin 5{turned}" in words


def test_what_is_kept_is_told(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("proof", "--list").out.startswith("no printer is known yet")
    ran = sheetgen("proof", "--save", "office", "--shift", "-0.25,1", "--margin", "4.5")
    assert ran.code == 0
    assert ran.out.endswith("office: backs move 0.25 mm to the left and 1 mm up; prints up to 4.5 mm from the edge\n")
    assert (tmp_path / "config" / "sheetgen" / "printers.yaml").is_file()
    # What is not given stays.
    told = json.loads(sheetgen("proof", "--save", "office", "--margin", "6", "--json").out)
    assert told == {"printer": "office", "shift": [-0.25, 1.0], "margin": 6.0}
    assert sheetgen("proof", "--save", "home", "--shift", "0,0").code == 0
    told = json.loads(sheetgen("proof", "--list", "--json").out)
    assert told["printers"]["home"] == {"shift": [0.0, 0.0], "margin": None}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--printer", "offise"], 'unknown printer "offise" (did you mean "office"?)'),
        (["--shift", "1,2"], "--shift and --margin are kept for a printer: add --save with a name for it"),
        (["--save", "office"], "--save needs --shift X,Y or --margin MM"),
        (["--save", "my printer", "--shift", "1,2"], "a printer is called by small letters, digits and hyphens"),
        (["--save", "a", "--shift", "1"], "takes two lengths in mm, to the right and up, such as 0.8,-1.2"),
        (["--save", "a", "--shift", "0,11"], 'takes millimetres from -10 to 10, not "11"'),
        (["--save", "a", "--shift", "0,nan"], 'takes millimetres from -10 to 10, not "nan"'),
        (["--save", "a", "--shift", "0,0", "-o", "x.pdf"], "--save prints nothing"),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(sheetgen: Sheetgen, words: list[str], line: str) -> None:
    sheetgen("proof", "--save", "office", "--shift", "1,1")
    ran = sheetgen("proof", *words)
    assert ran.code == 2
    assert line in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_spoilt_file_is_told_with_its_place(sheetgen: Sheetgen, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "sheetgen"
    folder.mkdir(parents=True)
    (folder / "printers.yaml").write_text("printers:\n  office:\n    shift: 0.8\n")
    ran = sheetgen("proof", "--printer", "office")
    assert ran.code == 2
    assert "printers.yaml:3:12: shift" in ran.err


def words_of(path: Path) -> list[list[tuple[float, float, str]]]:
    """For each page its words and where they begin, in mm from the left and from above."""
    with pymupdf.open(path) as document:
        return [[(x / mm(1), y / mm(1), word) for x, y, _, _, word, *_ in page.get_text("words")] for page in document]


@pytest.mark.parametrize("verb", [("blank", "gamers"), ("blank", "diecodes")])
def test_pages_of_two_sides_have_their_backs_moved_too(
    sheetgen: Sheetgen, tmp_path: Path, verb: tuple[str, str]
) -> None:
    assert sheetgen("proof", "--save", "office", "--shift", "0.8,-1.2").code == 0
    assert sheetgen(*verb, "-o", "plain.pdf").code == 0
    assert sheetgen(*verb, "--printer", "office", "-o", "moved.pdf").code == 0
    (front, back), (same, moved) = words_of(tmp_path / "plain.pdf"), words_of(tmp_path / "moved.pdf")
    for before, after, (right, down) in ((front, same, (0, 0)), (back, moved, (0.8, 1.2))):
        assert [word for *_, word in before] == [word for *_, word in after]
        assert [(x + right, y + down) for x, y, _ in before] == [pytest.approx((x, y), abs=0.02) for x, y, _ in after]


@pytest.mark.parametrize("words", [["--fillable"], ["-o", "blank.html"]])
def test_what_is_not_printed_on_two_sides_has_no_backs_to_move(sheetgen: Sheetgen, words: list[str]) -> None:
    ran = sheetgen("blank", "gamers", "--flip", "short", *words)
    assert (ran.code, ran.err) == (2, "--printer and --flip are for a .pdf to print on both sides, and for pencil\n")
