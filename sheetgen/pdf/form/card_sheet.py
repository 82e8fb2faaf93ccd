"""Several sheets on one page, each moved to its place, with marks and a ruler drawn once for the page.

A page is a list of streams: the drawings of the page, then by turns a shared stream that moves to the next place and
the contents of a sheet, which are the same bytes as on a page of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.geometry import Box, Line, mm
from sheetgen.pdf.fonts.face import Face
from sheetgen.pdf.writer import PageTree, Writer, literal, number

RULE_WORDS = "50 mm"
_HAIRLINE, _TICK, _FINE_TICK = 0.25, mm(1.6), mm(0.8)
_TICKS, _WORDS_SIZE = 5, 7


@dataclass(frozen=True, slots=True)
class Plate:
    """The page that sheets are placed on, in points: its size, the places in the order in which they are filled.

    `marks` are the lines for one, two, … places filled; `rule` is drawn as a ruler, from left to right or upwards.
    """

    width: float
    height: float
    places: tuple[Box, ...]
    marks: tuple[tuple[Line, ...], ...]
    rule: Line | None = None


class PlateWriter:
    """Places sheets on one plate after another; `words` is the face of the ruler's text, and its name on the page."""

    def __init__(self, plate: Plate, writer: Writer, pages: PageTree, words: tuple[Face, bytes] | None) -> None:
        self._plate, self._writer, self._pages = plate, writer, pages
        self._words = words
        self._moves = [self._stream(_move(place, first=not at)) for at, place in enumerate(plate.places)]
        self._end = self._stream(b"Q\n")
        self._drawn: dict[int, int] = {}
        self._filled: list[int] = []
        self._page = 0

    @property
    def page(self) -> int:
        """Which page the next sheet goes to, counted from 1."""
        return self._pages.count + 1

    def add(self, contents: bytes) -> int:
        """Place a sheet's compressed contents; return the number of the page it is on."""
        if not self._filled:
            self._page = self._writer.reserve()
        page = self._page
        self._filled.append(self._writer.stream(contents, b"/Filter/FlateDecode"))
        if len(self._filled) == len(self._plate.places):
            self.close()
        return page

    def close(self) -> None:
        """Write the page that is being filled, if any."""
        if not self._filled:
            return
        numbers = [self._drawing(len(self._filled))]
        for move, contents in zip(self._moves, self._filled, strict=False):
            numbers += (move, contents)
        numbers.append(self._end)
        self._pages.add(b"/Contents[%b]" % b" ".join([b"%d 0 R" % each for each in numbers]), self._page)
        self._filled.clear()

    def _drawing(self, filled: int) -> int:
        """Return the stream with the marks for so many places, and the ruler."""
        if filled not in self._drawn:
            lines = self._plate.marks[filled - 1]
            ruler = _ruler(self._plate.rule, self._words) if self._plate.rule else b""
            self._drawn[filled] = self._writer.deflated(strokes(lines) + ruler)
        return self._drawn[filled]

    def _stream(self, data: bytes) -> int:
        return self._writer.stream(data)


def strokes(lines: tuple[Line, ...]) -> bytes:
    """Return the lines as black hairlines."""
    path = b"".join([b"%b m %b l\n" % (_point(line.x1, line.y1), _point(line.x2, line.y2)) for line in lines])
    return b"q 0 G %b w\n%bS Q\n" % (number(_HAIRLINE), path) if lines else b""


def _move(place: Box, *, first: bool) -> bytes:
    return b"%bq 1 0 0 1 %b cm\n" % (b"" if first else b"Q ", _point(place.x, place.y))


def _ruler(rule: Line, words: tuple[Face, bytes] | None) -> bytes:
    """Return the line with a tick at each fifth, and its length in words behind the end."""
    turn = b"0 1 -1 0" if rule.x1 == rule.x2 else b"1 0 0 1"
    length = max(rule.x2 - rule.x1, rule.y2 - rule.y1)
    marks = [Line(0, 0, length, 0)]
    for at in range(_TICKS + 1):
        x = length * at / _TICKS
        marks.append(Line(x, 0, x, _FINE_TICK if at % _TICKS else _TICK))
    said = b""
    if words is not None:
        face, font = words
        shown = literal(face.encode(RULE_WORDS))
        said = b"BT %b %d Tf %b Td %b Tj ET\n" % (font, _WORDS_SIZE, _point(length + mm(1.5), 0), shown)
    return b"q %b %b cm\n%b%bQ\n" % (turn, _point(rule.x1, rule.y1), strokes(tuple(marks)), said)


def _point(x: float, y: float) -> bytes:
    return b"%b %b" % (number(x), number(y))
