"""What is written into the pages of a PDF: numbers and strokes."""

from __future__ import annotations

from collections.abc import Iterable

from sheetgen.geometry import Line


def strokes(lines: tuple[Line, ...], dash: bytes) -> bytes:
    """The lines as PDF draws them, a quarter of a point wide."""
    if not lines:
        return b""
    drawn = [b"%b %b m %b %b l\n" % tuple(map(_number, (line.x1, line.y1, line.x2, line.y2))) for line in lines]
    return b"q 0.25 w %b%bS Q\n" % (dash, b"".join(drawn))


def numbers(values: Iterable[float]) -> bytes:
    """Numbers as PDF takes them, side by side."""
    return b" ".join(map(_number, values))


def _number(value: float) -> bytes:
    """A number as PDF takes it: no exponent, no minus before nothing."""
    return f"{round(value, 4) + 0.0:.4f}".rstrip("0").rstrip(".").encode()
