"""Chances in little room: a figure in each cell, and a bar beneath it."""

from __future__ import annotations

import re

from sheetgen.documents.figures.kinds import grid
from sheetgen.documents.figures.percentages import matrix

ROWS = [("0", [("50%", 0.5), ("100%", 1.0)]), ("1", [("<1%", 0.004), ("25%", 0.25)])]


def drawing(*columns: str, width: float = 100) -> str:
    return matrix(ROWS, columns, corner="skill", across="against", accent="#123456", width=width)[2]


def bars(inside: str) -> list[tuple[float, float]]:
    """Where each bar ends at the right, and how long it is."""
    found = re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', inside)
    return [(round(float(x) + float(width), 1), float(width)) for x, width in found]


def test_bars_end_where_their_figures_end() -> None:
    inside = drawing("6", "8")
    ends = [float(x) for x in re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="end" font-size="9"', inside)]
    assert [end for end, _ in bars(inside)] == [round(end, 1) for end in ends]
    assert max(ends) == 100


def test_bars_are_as_long_as_the_chance() -> None:
    half, whole, least, quarter = (length for _, length in bars(drawing("6", "8")))
    assert half == whole / 2
    assert quarter == whole / 4
    assert least == 0.3  # never nothing


def said(inside: str) -> dict[str, float]:
    """What is said, and how far down."""
    return {words: float(y) for y, words in re.findall(r'y="([\d.]+)"[^>]*>([^<]+)</text>', inside)}


def test_a_long_heading_takes_several_lines() -> None:
    wide, narrow = said(drawing("overcome", "overcome at a cost", width=400)), said(drawing("6", "at a cost"))
    assert wide["overcome"] == wide["overcome at a cost"]
    assert narrow["at a"] < narrow["cost"] == narrow["6"]


def test_headings_stand_in_two_rows_where_words_are_too_wide() -> None:
    heads = said(drawing("Average", "Formidable", width=70))
    assert heads["Formidable"] < heads["Average"]


def test_a_chart_of_bars_becomes_a_matrix_where_cells_are_narrow() -> None:
    rows = [("0", [0.5, 0.25]), ("1", [1.0, 0.75])]
    wide, narrow = (grid(rows, ["6", "8"], corner="", across="", accent="#000", width=width)[2] for width in (300, 120))
    assert 'height="6"' in wide
    assert 'height="6"' not in narrow
    assert "75%" in narrow
