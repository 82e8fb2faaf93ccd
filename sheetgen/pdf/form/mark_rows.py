"""Rows of boxes for a pencil: behind what they are called, as many to a row as there is room for, in fives."""

from __future__ import annotations

from dataclasses import replace

from sheetgen.geometry import Box, mm
from sheetgen.pdf.form.form import Field

FIVE = 5
_SIDE, _GAP, _BEHIND_FIVE, _BEHIND_TITLE, _ABOVE = mm(4), mm(1.5), mm(1.5), mm(2), mm(0.8)
_GREY = (0.47, 0.47, 0.47)


def mark_rows(field: Field, wide: float, count: int) -> tuple[Field, list[tuple[Field, int]], float]:
    """Return the place of a title so many points wide, each row with how many boxes it has, and the height of all.

    The places stand from 0 to the right and upwards. The title has a line of its own where fewer rows are enough
    without it.
    """
    begin = wide + _BEHIND_TITLE if wide else 0.0
    beside, across = _to_a_row(field.box.width - begin), max(_to_a_row(field.box.width), 1)
    above = -(-count // beside) > 1 - (-count // across) if beside else True
    begin, each = (0.0, across) if above else (begin, beside)
    sizes = [min(each, count - at) for at in range(0, count, each)]
    lines = len(sizes) + above
    height = lines * field.leading + _ABOVE
    top = height - _ABOVE

    def row(at: int, x: float, tall: float) -> Field:
        y = top - at * field.leading - (field.leading + tall) / 2
        box = Box(x, y, field.box.width - x, tall)
        return replace(field, box=box, border=box, valign="middle", align="left", kind="line")

    rows = [(replace(row(at + above, begin, _SIDE), colour=_GREY), size) for at, size in enumerate(sizes)]
    return row(0, 0.0, field.leading), rows, height


def _to_a_row(width: float) -> int:
    """Return how many boxes a row of that width holds: whole fives, or as many as there is room for."""
    count = 0
    while count * (_SIDE + _GAP) + count // FIVE * _BEHIND_FIVE + _SIDE <= width:
        count += 1
    return count - count % FIVE if count >= FIVE else count
