"""Several sheets on one page, each moved to its place, with marks and a ruler behind them.

A page is a list of streams: one that shows its marks, then by turns a shared stream that moves to the next place and
the contents of a sheet, which are the same bytes as on a page of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.geometry import Box
from sheetgen.pdf.form.form import write_shared
from sheetgen.pdf.writer import PageTree, Writer, number


@dataclass(frozen=True, slots=True)
class Plate:
    """The page that sheets are placed on, in points: its size, the places in the order in which they are filled.

    `marks` is a PDF with what is drawn behind one, two, … places filled, a page for each.
    """

    width: float
    height: float
    places: tuple[Box, ...]
    marks: bytes


class PlateWriter:
    """Places sheets on one plate after another; its pages show the `drawings` by name."""

    def __init__(self, plate: Plate, writer: Writer, pages: PageTree) -> None:
        from sheetgen.pdf.form.page_xobject import backgrounds  # imports pikepdf

        self._plate, self._writer, self._pages = plate, writer, pages
        shared, drawn = backgrounds(plate.marks)
        numbers = enumerate(write_shared(writer, shared, drawn), 1)
        self.drawings = {b"/M%d" % filled: number for filled, number in numbers}
        self._marked = [self._stream(b"/M%d Do\n" % filled) for filled in range(1, len(drawn) + 1)]
        self._moves = [self._stream(_move(place, first=not at)) for at, place in enumerate(plate.places)]
        self._end = self._stream(b"Q\n")
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
        numbers = [self._marked[len(self._filled) - 1]]
        for move, contents in zip(self._moves, self._filled, strict=False):
            numbers += (move, contents)
        numbers.append(self._end)
        self._pages.add(b"/Contents[%b]" % b" ".join([b"%d 0 R" % each for each in numbers]), self._page)
        self._filled.clear()

    def _stream(self, data: bytes) -> int:
        return self._writer.stream(data)


def _move(place: Box, *, first: bool) -> bytes:
    return b"%bq 1 0 0 1 %b %b cm\n" % (b"" if first else b"Q ", number(place.x), number(place.y))
