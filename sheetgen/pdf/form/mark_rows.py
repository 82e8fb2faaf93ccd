"""Rows of boxes for a pencil: drawn behind what they are called, as many to a row as there is room for, in fives."""

from __future__ import annotations

from dataclasses import replace

from sheetgen.geometry import Box, mm
from sheetgen.pdf.fonts.face import Face
from sheetgen.pdf.form.field_text import coloured, first_baseline, outline
from sheetgen.pdf.form.form import Field
from sheetgen.pdf.form.text_fitting import Fitted
from sheetgen.pdf.writer import number

BOX = "\u2610"
FIVE = 5
_SIDE, _GAP, _BEHIND_FIVE, _BEHIND_TITLE = mm(4), mm(1.5), mm(1.5), mm(2)
_STROKE, _RADIUS, _SPACED = 0.5, mm(0.5), 0.3
_GREY = b".47"


def mark_rows(field: Field, text: str, face: Face, font: bytes) -> tuple[Fitted, bytes]:
    """Return how such a text fits a field, each row a line of its own, and the operators for its title and boxes."""
    title, count = text.partition(BOX)[0].strip().upper(), text.count(BOX)
    begin = face.width(title, field.size) + _SPACED * len(title) + _BEHIND_TITLE if title else 0.0
    beside, across = _to_a_row(field.box.width - begin), _to_a_row(field.box.width)
    above = -(-count // beside) > 1 - (-count // across) if beside else True
    begin, each = (0.0, across) if above else (begin, beside)
    sizes = [min(each, count - at) for at in range(0, count, each)]
    rows = (0, *sizes) if above else sizes
    top = field.box.top
    parts = [_title(field, title, face, font)]
    for at, size in enumerate(rows):
        y = top - at * field.leading - (field.leading + _SIDE) / 2
        parts += [_box(field.box.x + begin + _left(number), y) for number in range(size)]
    drawn = b"".join(parts)
    return Fitted(field.size, tuple([title, *[BOX] * (len(rows) - 1)])), drawn


def _to_a_row(width: float) -> int:
    """Return how many boxes a row of that width holds: whole fives, or as many as there is room for."""
    count = 0
    while _left(count) + _SIDE <= width:
        count += 1
    return count - count % FIVE if count >= FIVE else count


def _left(at: int) -> float:
    """Return where a box begins in its row, which has so many before it."""
    return at * (_SIDE + _GAP) + at // FIVE * _BEHIND_FIVE


def _box(x: float, y: float) -> bytes:
    path = outline(Box(x, y, _SIDE, _SIDE), _RADIUS)
    return b"q %b G %b w %b S Q\n" % (_GREY, number(_STROKE), path)


def _title(field: Field, title: str, face: Face, font: bytes) -> bytes:
    """Return the operators for the title of the boxes, in spaced capitals, level with the first row."""
    line = replace(field, box=Box(field.box.x, field.box.top - field.leading, field.box.width, field.leading))
    y = first_baseline(replace(line, valign="middle"), face, field.size, 0.0)
    at = b"%b %b Td %b Tc %bTj 0 Tc" % (number(field.box.x), number(round(y, 2)), number(_SPACED), face.string(title))
    return coloured(b"BT%b %b Tf %b ET\n" % (font, number(field.size), at), field.colour) if title else b""
