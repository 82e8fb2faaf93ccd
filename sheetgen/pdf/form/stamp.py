"""Filled sheets, thousands a second: rows of values over the shared background of a form, streamed to a PDF.

Before them may stand pages of another form, such as a roster or an index that leads to each sheet. Sheets smaller than
the paper are placed on plates: such a page is a list of streams, one that shows the marks of the plate, then by turns a
shared stream that moves to the next place and the contents of a sheet, the same bytes as on a page of its own.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sheetgen.geometry import Box, Line
from sheetgen.model.printing import PIECES, PIECES_DATE
from sheetgen.pdf.fonts.bundled import SANS
from sheetgen.pdf.fonts.embedding import embed_used
from sheetgen.pdf.fonts.face import AddedFont, Face, FaceName
from sheetgen.pdf.form.compositor import Compositor, Row, Sheet
from sheetgen.pdf.form.field_text import Unprintable
from sheetgen.pdf.form.form import Form, NewResources, write_shared
from sheetgen.pdf.form.page_numbers import ALONE, Among, NumberPlace, PageNumbers, places_in
from sheetgen.pdf.form.shard import ShardRecord
from sheetgen.pdf.pictures import portrait_of
from sheetgen.pdf.writer import Outline, PageTree, Ref, Writer, finish, media_box, number, pdf_dict, words

LABELS = FaceName(SANS, 400)
PLATE = -1  # the background of a plate, for its number

__all__ = ["Compositor", "NewResources", "Placed", "Row", "Sheet", "Stamp", "Unprintable"]


@dataclass(frozen=True, slots=True)
class Placed:
    """The pages of a row: the first (counted from 1), their number, and the fields that are continued."""

    first_page: int
    pages: int
    continued: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Signature:
    """The line at the end of which the number of a plate stands: where that is, in points, whether it reads upwards."""

    x: float
    y: float
    size: float
    say: str
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Plate:
    """The page that sheets are placed on, in points: its size, the places in the order in which they are filled.

    `marks` is a PDF with what is drawn behind one, two, … places filled, a page for each; without it, `lines` are drawn
    behind any number of them. `signed` is where the number of a plate goes, and what stands before it. Each page keeps
    where its sheets are, and how the `sheet` of paper was laid out.
    """

    width: float
    height: float
    places: tuple[Box, ...]
    marks: bytes = b""
    signed: Signature | None = None
    lines: tuple[Line, ...] = ()
    sheet: Mapping[str, object] = field(default_factory=dict)


class PlateWriter:
    """Places sheets on one plate after another; its pages show the `drawings` by name."""

    def __init__(self, plate: Plate, writer: Writer, pages: PageTree, numbers: PageNumbers) -> None:
        self._plate, self._writer, self._pages, self._numbers = plate, writer, pages, numbers
        self.drawings: dict[bytes, int] = {}
        if plate.marks:
            from sheetgen.pdf.form.compile import backgrounds  # imports pikepdf

            shared, drawn = backgrounds(plate.marks)
            self.drawings = {b"/M%d" % at: number for at, number in enumerate(write_shared(writer, shared, drawn), 1)}
            self._marked = [self._stream(b"%b Do\n" % name) for name in self.drawings]
        else:
            self._marked = [self._stream(_stroked(plate.lines))] * len(plate.places)
        self._moves = [self._stream(_move_to(place, first=not at)) for at, place in enumerate(plate.places)]
        self._end = self._stream(b"Q\n")
        self._filled: list[bytes] = []
        self._kept: dict[int, int] = {}  # by how many places are filled
        self._page = 0

    @property
    def page(self) -> int:
        """Which page the next sheet goes to, counted from 1."""
        return self._pages.count + 1

    def add(self, background: int, contents: bytes) -> int:
        """Place a sheet's compressed contents; return the number of the page it is on."""
        if not self._filled:
            self._page = self._writer.reserve()
        page = self._page
        stream = self._writer.stream(contents, b"/Filter/FlateDecode")
        numbered = b"" if self._filled else self._numbers.on(background, self.page)  # once for all of the page
        self._filled.append(b" %d 0 R%b" % (stream, numbered))
        if len(self._filled) == len(self._plate.places):
            self.close()
        return page

    def close(self) -> None:
        """Write the page that is being filled, if any."""
        if not self._filled:
            return
        placed = [b" %d 0 R%b" % each for each in zip(self._moves, self._filled, strict=False)]
        shown = (self._marked[len(self._filled) - 1], b"".join(placed), self._end, self._numbers.on(PLATE, self.page))
        contents = b"/Contents[%d 0 R%b %d 0 R%b]" % shown
        self._pages.add(contents + b"/PieceInfo %d 0 R" % self._kept_of(len(self._filled)), self._page)
        self._filled.clear()

    def _kept_of(self, count: int) -> int:
        """Return the number of what a page with so many places filled keeps of them."""
        if count not in self._kept:
            boxes = [(place.x, place.y, place.width, place.height) for place in self._plate.places[:count]]
            cells = [{"box": [round(side, 2) for side in box]} for box in boxes]  # as exact as the moves
            about = json.dumps({"cells": cells, "sheet": dict(self._plate.sheet)}, separators=(",", ":"))
            entry = {"LastModified": words(PIECES_DATE), "Private": words(about)}
            self._kept[count] = self._writer.pack(pdf_dict(**{PIECES.removeprefix("/"): entry}))
        return self._kept[count]

    def _stream(self, data: bytes) -> int:
        return self._writer.stream(data)


def _stroked(lines: Iterable[Line]) -> bytes:
    """Return operators that draw hairlines."""
    ends = (tuple(map(number, (line.x1, line.y1, line.x2, line.y2))) for line in lines)
    return b"q 0.25 w " + b"".join([b"%b %b m %b %b l S " % each for each in ends]) + b"Q\n"


def _move_to(place: Box, *, first: bool) -> bytes:
    return b"%bq 1 0 0 1 %b %b cm\n" % (b"" if first else b"Q ", number(place.x), number(place.y))


@dataclass(frozen=True, slots=True)
class FrontPage:
    """One filling of a form before the sheets; `links` maps a field to the number of the row it leads to, from 1."""

    row: Row
    links: Mapping[str, int] = field(default_factory=dict)


class FrontPageWriter:
    """Writes front pages of one form with resources of their own, as their names may be those that the sheets use."""

    def __init__(self, form: Form, writer: Writer, pages: PageTree, added: Sequence[AddedFont] = ()) -> None:
        self._form, self._writer, self._pages = form, writer, pages
        self._compositor = Compositor(form, pictures=False, added=added)
        self._backgrounds = write_shared(writer, form.shared, form.backgrounds)
        self._resources = writer.reserve()
        self._letters: dict[bytes, set[str]] = {}
        self._numbers = PageNumbers(writer, places_in([form], self._compositor.fonts))

    def add(self, front_page: FrontPage) -> int:
        """Write the pages of one filling; return the number of the first."""
        first = 0
        sheet = self._compositor.sheet(front_page.row)
        for background, contents in sheet.pages:
            entries = b"%b/Resources %d 0 R" % (media_box(*self._form.pages[background]), self._resources)
            stream = self._writer.stream(contents, b"/Filter/FlateDecode")
            links = self._annotations(front_page, background)
            shown = _contents(stream, self._numbers.on(background, self._pages.count + 1))
            added = self._pages.add(b"".join((shown, entries, links)))
            first = first or added
        for font, letters in self._compositor.new_resources().letters.items():
            self._letters.setdefault(font, set()).update(letters)
        return first

    def close(self) -> None:
        """Write the numbers, fonts and drawings of the front pages."""
        self._numbers.close(self._pages.count, self._letters)
        fonts = embed_used(self._writer, self._compositor.fonts, self._compositor.added, self._letters)
        drawn = {f"B{index}": Ref(number) for index, number in enumerate(self._backgrounds)}
        self._writer.pack(pdf_dict(Font=fonts, XObject=drawn), self._resources)

    def _annotations(self, front_page: FrontPage, page: int) -> bytes:
        link = dict(Type="Annot", Subtype="Link", Border=(0, 0, 0), F=4)
        links = [
            pdf_dict(**link, Rect=place.border.corners, Dest=anchor(to))
            for place in self._form.fields
            if place.page == page and (to := front_page.links.get(place.name))
        ]
        return b"/Annots[%b]" % b"".join(links) if links else b""


def _contents(stream: int, numbered: bytes) -> bytes:
    """Return the entry for what a page shows: its own stream, and those of its number if it has one."""
    return b"/Contents[%d 0 R%b]" % (stream, numbered) if numbered else b"/Contents %d 0 R" % stream


def _place_of(signed: Signature, fonts: Mapping[bytes, Face]) -> NumberPlace:
    """Return the place of the number of a plate, in the labels' face where the forms have it."""
    font, face = min(fonts.items(), key=lambda each: (each[1].name != LABELS, each[0]))
    return NumberPlace(signed.x, signed.y, signed.size, font, face, signed.say, signed.turned, least=1)


def anchor(row: int) -> str:
    """Return the name of the place where a row begins."""
    return f"row{row}"


def anchors(pages: Sequence[int]) -> dict[str, object]:
    """Return what the catalogue tells of where each row begins: the number of its page, row after row."""
    return {anchor(at): (Ref(page), "Fit") for at, page in enumerate(pages, 1)}


class Stamp:
    """Writes rows as sheets of a form through `write`, which takes bytes; a file object's own `write` will do.

    What a field cannot hold goes to the form `more`, an area named `text` and a line `name`, right behind the sheet;
    without it such text ends in “…”, and `Placed.continued` names its fields either way. Values for names that the
    form does not have are left out (compare `Form.names`). With a `plate` the sheets, continued ones too, are placed
    on it one after another instead of each on a page of its own. A `record` goes into the file as a private part of
    it. The fonts `added` set what no face of the forms can. The same rows make the same bytes.
    Pages `among` those of a larger file are numbered as there.
    """

    def __init__(
        self,
        form: Form,
        write: Callable[[bytes], object],
        *,
        title: str,
        author: str,
        more: Form | None = None,
        pictures: bool = True,
        plate: Plate | None = None,
        record: ShardRecord | None = None,
        added: Sequence[AddedFont] = (),
        among: Among = ALONE,
    ) -> None:
        self._compositor = Compositor(form, more, pictures=pictures, added=added)
        self._added = added
        self._writer = Writer(write)
        self._about: dict[str, Any] = {"title": title, "author": author}
        self.two_sided = form.two_sided
        self._pages, self._outline = PageTree(self._writer), Outline(self._writer)
        self._resources, self._fonts = self._writer.reserve(), self._writer.reserve()
        self._forms = [part for part in (*form.all, more) if part]
        self._sizes = [size for part in self._forms for size in part.pages]
        papers = [(plate.width, plate.height)] if plate else self._sizes
        self._boxes = [media_box(*size) for size in papers]
        self._common = self._boxes[0] if len(set(self._boxes)) == 1 else b""
        self._pictures: dict[bytes, int] = {}
        self._letters: dict[bytes, set[str]] = {}
        self._backgrounds = [
            drawn for part in self._forms for drawn in write_shared(self._writer, part.shared, part.backgrounds)
        ]
        places = places_in(self._forms, self._compositor.fonts)
        if plate and plate.signed and self._compositor.fonts:
            places[PLATE] = _place_of(plate.signed, self._compositor.fonts)
        self._numbers = PageNumbers(self._writer, places, among)
        self._plate = PlateWriter(plate, self._writer, self._pages, self._numbers) if plate else None
        self._front_pages: list[FrontPageWriter] = []
        self._rows: list[int] = []
        self._record = record

    def lead(self, form: Form, front_pages: Iterable[FrontPage]) -> None:
        """Write pages of another form before any row; a row's side of a sheet of paper stays the same.

        Their links are sound only if every row that they lead to is added.
        """
        book = FrontPageWriter(form, self._writer, self._pages, self._added)
        self._front_pages.append(book)
        for front_page in front_pages:
            page = book.add(front_page)
            if front_page.row.title:
                self._outline.add(front_page.row.title, page)
        self._turn(media_box(*form.pages[-1]))

    def add(self, row: Row) -> Placed:
        """Write the row's pages and bookmark; raises Unprintable before writing any of it."""
        sheet = self._compositor.sheet(row)
        self.add_resources(self._compositor.new_resources())
        return self.put(sheet)

    def add_resources(self, new: NewResources) -> None:
        """Take what a compositor elsewhere needs its pages to find; due before `close`."""
        for name, drawing in new.pictures.items():
            if name not in self._pictures:
                self._pictures[name] = self._write_picture(drawing)
        for font, letters in new.letters.items():
            self._letters.setdefault(font, set()).update(letters)

    def put(self, sheet: Sheet) -> Placed:
        """Write a sheet that was composed already, here or in another process, for the same forms."""
        self._turn(self._boxes[0])
        first = self._pages.count + 1
        page = 0
        for background, contents in sheet.pages:
            added = self._plate.add(background, contents) if self._plate else self._page(background, contents)
            page = page or added
        self._outline.add(sheet.title, page)
        if self._front_pages:
            self._rows.append(page)
        if self._record:
            self._record.note(sheet)
        return Placed(first, len(sheet.pages), sheet.continued)

    def close(self) -> None:
        """Write fonts, pages, bookmarks and what a reader shows of the file; the stamp is done after that."""
        writer = self._writer
        if self._plate:
            self._plate.close()
        for book in self._front_pages:
            book.close()
        self._numbers.close(self._pages.count, self._letters)
        fonts = embed_used(writer, self._compositor.fonts, self._compositor.added, self._letters)
        writer.pack(pdf_dict(Font=fonts), self._fonts)
        drawings = {b"/B%d" % index: number for index, number in enumerate(self._backgrounds)} | self._pictures
        drawings |= self._plate.drawings if self._plate else {}
        listed = {name.decode().removeprefix("/"): Ref(number) for name, number in sorted(drawings.items())}
        writer.pack(pdf_dict(Font=fonts, XObject=listed), self._resources)
        tree = self._pages.close(b"/Resources %d 0 R%b" % (self._resources, self._common))
        self._outline.close()
        finish(
            writer,
            tree,
            **self._about,
            two_sided=self.two_sided,
            Outlines=Ref(self._outline.root),
            PageMode="UseOutlines" if self._outline.count > 1 else None,
            Dests=anchors(self._rows) if self._rows else None,
            PieceInfo=self._record.entry(writer, self._letters) if self._record else None,
        )

    def _turn(self, box: bytes) -> None:
        """Leave the back of a sheet of paper empty, so that what comes next begins on a new one."""
        if self.two_sided and self._pages.count % 2:
            self._pages.add(box)

    def _page(self, background: int, contents: bytes) -> int:
        """Write a sheet as a page of its own."""
        stream = self._writer.stream(contents, b"/Filter/FlateDecode")
        box = b"" if self._common else self._boxes[background]
        return self._pages.add(_contents(stream, self._numbers.on(background, self._pages.count + 1)) + box)

    def _write_picture(self, drawing: bytes) -> int:
        """Write one picture, compressed where that helps; the largest page is the bounding box of a drawing."""
        if drawing.startswith(b"data:") and (portrait := portrait_of(drawing.decode())) is not None:
            return self._writer.stream(portrait.jpeg, portrait.xobject())
        width, height = max(width for width, _ in self._sizes), max(height for _, height in self._sizes)
        about = b"/Type/XObject/Subtype/Form/BBox[0 0 %b %b]" % (number(width), number(height))
        if b"Tf" in drawing:
            about += b"/Resources %d 0 R" % self._fonts
        packed = zlib.compress(drawing, 9)
        if len(packed) + len(b"/Filter/FlateDecode") < len(drawing):
            return self._writer.stream(packed, about + b"/Filter/FlateDecode")
        return self._writer.stream(drawing, about)
