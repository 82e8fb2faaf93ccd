"""Curves of exact chances: one for each row, each named where it passes one half."""

from __future__ import annotations

import re

from sheetgen.documents.figures.curves import curves

LINES = [("1d", [1.0, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6]), ("2d", [1.0, 1.0, 1.0, 1.0, 0.75, 0.25])]
STRETCHES = [(1, "Easy"), (4, "Very Hard")]


def drawing() -> str:
    return curves(LINES, STRETCHES, first=1, across="the number to reach", accent="#123456", width=226)[2]


def test_each_line_has_a_point_for_each_number() -> None:
    lines = re.findall(r'<polyline points="([^"]+)"', drawing())
    assert [len(line.split()) for line in lines] == [6, 6]
    assert lines[0].startswith("26.00,26.00 66.00,51.00")


def test_a_line_is_named_where_it_passes_one_half() -> None:
    places = dict((name, float(x)) for x, name in re.findall(r'<text x="([\d.]+)"[^>]*>(\dd)</text>', drawing()))
    assert places == {"1d": 146.0, "2d": 206.0}


def test_stretches_have_their_number_below_and_their_name_above_in_lines() -> None:
    said = re.findall(r"<text[^>]*>([^<]+)</text>", drawing())
    assert {"1", "4", "Easy", "Very", "Hard", "the number to reach", "50%"} <= set(said)
