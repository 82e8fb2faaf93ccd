"""Marks and rulers drawn by reportlab: pages as large as the paper, to lie behind what is printed there."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from io import BytesIO
from typing import TYPE_CHECKING

from sheetgen.geometry import Line, Size, mm
from sheetgen.press.marks import RULER, RULER_LABEL, RULER_TICK, WORDS_SIZE, Marks, Words

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

HAIRLINE, DASH = 0.25, 3.0  # points
_TICK, _FINE_TICK, _GAP, _LABEL_SIZE = mm(RULER_TICK), mm(0.8), mm(1.5), 7.0


def drawn_marks(paper: Size, sides: Iterable[Marks], font: bytes = b"") -> bytes:
    """Return a PDF with a page for each side; for rulers and words `font` is a TrueType file with their letters.

    The same marks make the same bytes.
    """
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    # reportlab keeps fonts by the name of their face for as long as it runs: other letters are another font.
    label = f"Label{blake2b(font, digest_size=8).hexdigest()}" if font else ""
    if font:
        face = TTFont(label, BytesIO(font))
        face.face.name = label.encode()
        registerFont(face)
    with BytesIO() as made:
        size = mm(paper.width), mm(paper.height)
        canvas = Canvas(made, pagesize=size, pageCompression=1, invariant=1, initialFontName=label or None)
        for side in sides:
            canvas.setLineWidth(HAIRLINE)
            _strokes(canvas, side.lines)
            if side.rule is not None:
                _ruler(canvas, side.rule, label)
            for words in side.words:
                _draw_words(canvas, words, label)
            canvas.setDash(DASH, DASH)
            _strokes(canvas, side.dashed)
            canvas.showPage()
        canvas.save()
        return made.getvalue()


def _strokes(canvas: Canvas, lines: Iterable[Line]) -> None:
    ends = [(line.x1, line.y1, line.x2, line.y2) for line in lines]
    if ends:
        canvas.lines(ends)


def _draw_words(canvas: Canvas, words: Words, font: str) -> None:
    canvas.saveState()
    canvas.translate(words.x, words.y)
    canvas.rotate(90 if words.turned else 0)
    canvas.setFont(font, WORDS_SIZE)
    canvas.drawString(0, 0, words.text)
    canvas.restoreState()


def _ruler(canvas: Canvas, rule: Line, font: str) -> None:
    """Draw a ruler along a line, to the right or upwards: a tick every 10 mm, and its length in words behind it."""
    length, ticks = mm(RULER), int(RULER / 10)
    canvas.saveState()
    canvas.translate(rule.x1, rule.y1)
    canvas.rotate(90 if rule.x1 == rule.x2 else 0)
    marks = [Line(mm(10 * at), 0, mm(10 * at), _FINE_TICK if at % ticks else _TICK) for at in range(ticks + 1)]
    _strokes(canvas, (Line(0, 0, length, 0), *marks))
    canvas.setFont(font, _LABEL_SIZE)
    canvas.drawString(length + _GAP, 0, RULER_LABEL)
    canvas.restoreState()
