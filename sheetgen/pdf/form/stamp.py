"""Filled sheets, thousands a second: rows of values over the shared background of a form, streamed to a PDF."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sheetgen.pdf.fonts.embedding import embed_used
from sheetgen.pdf.fonts.user_font import AddedFont
from sheetgen.pdf.form.card_sheet import Plate, PlateWriter
from sheetgen.pdf.form.compositor import Compositor, NewResources, Row, Sheet
from sheetgen.pdf.form.field_text import Unprintable
from sheetgen.pdf.form.form import Form, write_shared
from sheetgen.pdf.form.front_pages import FrontPage, FrontPageWriter, anchors
from sheetgen.pdf.form.shard import ShardRecord
from sheetgen.pdf.writer import Outline, PageTree, Ref, Writer, finish, media_box, number, pdf_dict

__all__ = ["Compositor", "NewResources", "Placed", "Row", "Sheet", "Stamp", "Unprintable"]


@dataclass(frozen=True, slots=True)
class Placed:
    """The pages of a row: the first (counted from 1), their number, and the fields that are continued."""

    first_page: int
    pages: int
    continued: tuple[str, ...] = ()


class Stamp:
    """Writes rows as sheets of a form through `write`, which takes bytes; a file object's own `write` will do.

    What a field cannot hold goes to the form `more`, an area named `text` and a line `name`, right behind the sheet;
    without it such text ends in “…”, and `Placed.continued` names its fields either way. Values for names that the
    form does not have are left out (compare `Form.names`). With a `plate` the sheets, continued ones too, are placed
    on it one after another instead of each on a page of its own. A `record` goes into the file as a private part of
    it. The fonts `added` set what no face of the forms can. The same rows make the same bytes.
    """

    def __init__(
        self,
        form: Form,
        write: Callable[[bytes], object],
        *,
        title: str,
        author: str,
        language: str = "en",
        more: Form | None = None,
        pictures: bool = True,
        plate: Plate | None = None,
        record: ShardRecord | None = None,
        added: Sequence[AddedFont] = (),
    ) -> None:
        self._compositor = Compositor(form, more, pictures=pictures, added=added)
        self._added = added
        self._writer = Writer(write)
        self._about: dict[str, Any] = {"title": title, "author": author, "language": language}
        self._two_sided = len(form.pages) % 2 == 0
        self._pages, self._outline = PageTree(self._writer), Outline(self._writer)
        self._resources, self._fonts = self._writer.reserve(), self._writer.reserve()
        self._forms = [part for part in (form, more) if part]
        self._sizes = [size for part in self._forms for size in part.pages]
        papers = [(plate.width, plate.height)] if plate else self._sizes
        self._boxes = [media_box(*size) for size in papers]
        self._common = self._boxes[0] if len(set(self._boxes)) == 1 else b""
        self._pictures: dict[bytes, int] = {}
        self._letters: dict[bytes, set[str]] = {}
        self._backgrounds = [
            drawn for part in self._forms for drawn in write_shared(self._writer, part.shared, part.backgrounds)
        ]
        self._plate = PlateWriter(plate, self._writer, self._pages) if plate else None
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
        if self._two_sided and self._pages.count % 2:
            self._pages.add(media_box(*form.pages[-1]))

    def add(self, row: Row) -> Placed:
        """Write the row's pages and bookmark; raises Unprintable before writing any of it."""
        sheet = self._compositor.sheet(row)
        self.add_resources(self._compositor.new_resources())
        return self.put(sheet)

    def add_resources(self, new: NewResources) -> None:
        """Take what a compositor elsewhere needs its pages to find; due before `close`."""
        for name, drawing in new.pictures.items():
            if name not in self._pictures:
                self._pictures[name] = self._picture(drawing)
        for font, letters in new.letters.items():
            self._letters.setdefault(font, set()).update(letters)

    def put(self, sheet: Sheet) -> Placed:
        """Write a sheet that was composed already, here or in another process, for the same forms."""
        first = self._pages.count + 1
        page = 0
        for background, contents in sheet.pages:
            added = self._plate.add(contents) if self._plate else self._page(background, contents)
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
            two_sided=self._two_sided,
            Outlines=Ref(self._outline.root),
            PageMode="UseOutlines" if self._outline.count > 1 else None,
            Dests=anchors(self._rows) if self._rows else None,
            PieceInfo=self._record.entry(writer, self._letters) if self._record else None,
        )

    def _page(self, background: int, contents: bytes) -> int:
        """Write a sheet as a page of its own."""
        stream = self._writer.stream(contents, b"/Filter/FlateDecode")
        box = b"" if self._common else self._boxes[background]
        return self._pages.add(b"/Contents %d 0 R%b" % (stream, box))

    def _picture(self, drawing: bytes) -> int:
        """Write one picture, compressed where that helps; the largest page is its bounding box."""
        width, height = max(width for width, _ in self._sizes), max(height for _, height in self._sizes)
        about = b"/Type/XObject/Subtype/Form/BBox[0 0 %b %b]" % (number(width), number(height))
        if b"Tf" in drawing:
            about += b"/Resources %d 0 R" % self._fonts
        packed = zlib.compress(drawing, 9)
        if len(packed) + len(b"/Filter/FlateDecode") < len(drawing):
            return self._writer.stream(packed, about + b"/Filter/FlateDecode")
        return self._writer.stream(drawing, about)
