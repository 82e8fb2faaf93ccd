"""Filled sheets, thousands a second: rows of values over the shared background of a form, streamed to a PDF."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass

from sheetgen.pdf.catalogue import finish, write_shared
from sheetgen.pdf.compositor import Compositor, News, Row, Sheet
from sheetgen.pdf.embed import embed
from sheetgen.pdf.form import Form
from sheetgen.pdf.value import Unprintable
from sheetgen.pdf.writer import Outline, PageTree, Writer, number

__all__ = ["Compositor", "News", "Placed", "Row", "Sheet", "Stamp", "Unprintable"]


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a row went: its first page (counted from 1), how many it took, and the fields that were continued there."""

    first_page: int
    pages: int
    continued: tuple[str, ...] = ()


class Stamp:
    """Writes rows as sheets of a form through `write`, which takes bytes; a file object's own `write` will do.

    What a field cannot hold goes to the form `more`, an area named `text` and a line `name`, right behind the sheet;
    without it such text ends in “…”, and `Placed.continued` names its fields either way. Values for names that the
    form does not have are left out (compare `Form.names`). The same rows make the same bytes.
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
    ) -> None:
        self._compositor = Compositor(form, more, pictures=pictures)
        self._writer = Writer(write)
        self._about = title, author, language
        self._two_sided = len(form.pages) % 2 == 0
        self._pages, self._outline = PageTree(self._writer), Outline(self._writer)
        self._resources, self._fonts = self._writer.reserve(), self._writer.reserve()
        self._forms = [part for part in (form, more) if part]
        self._sizes = [size for part in self._forms for size in part.pages]
        self._boxes = [b"/MediaBox[0 0 %b %b]" % (number(width), number(height)) for width, height in self._sizes]
        self._common = self._boxes[0] if len(set(self._boxes)) == 1 else b""
        self._pictures: dict[bytes, int] = {}
        self._letters: dict[bytes, set[str]] = {}
        self._backgrounds = [drawn for part in self._forms for drawn in write_shared(self._writer, part)]

    def add(self, row: Row) -> Placed:
        """Writes the row's pages and bookmark; raises Unprintable before writing any of it."""
        sheet = self._compositor.sheet(row)
        self.learn(self._compositor.news())
        return self.put(sheet)

    def learn(self, news: News) -> None:
        """Takes what a compositor elsewhere needs its pages to find; due before `close`."""
        for name, drawing in news.pictures.items():
            if name not in self._pictures:
                self._pictures[name] = self._picture(drawing)
        for font, letters in news.letters.items():
            self._letters.setdefault(font, set()).update(letters)

    def put(self, sheet: Sheet) -> Placed:
        """Writes a sheet that was composed already, here or in another process, for the same forms."""
        first = self._pages.count + 1
        page = 0
        for background, contents in sheet.pages:
            stream = self._writer.stream(contents, b"/Filter/FlateDecode")
            box = b"" if self._common else self._boxes[background]
            added = self._pages.add(b"/Contents %d 0 R%b" % (stream, box))
            page = page or added
        self._outline.add(sheet.title, page)
        return Placed(first, len(sheet.pages), sheet.continued)

    def close(self) -> None:
        """Writes fonts, pages, bookmarks and what a reader shows of the file; the stamp is done after that."""
        writer = self._writer
        fonts = {
            font: embed(writer, face, self._letters[font])
            for font, face in self._compositor.fonts.items()
            if font in self._letters
        }
        names = b"".join([b"%b %d 0 R" % (name, number) for name, number in fonts.items()])
        writer.pack(b"<</Font<<%b>>>>" % names, self._fonts)
        drawings = {b"/B%d" % index: number for index, number in enumerate(self._backgrounds)} | self._pictures
        listed = b"".join([b"%b %d 0 R" % (name, number) for name, number in sorted(drawings.items())])
        writer.pack(b"<</Font<<%b>>/XObject<<%b>>>>" % (names, listed), self._resources)
        tree = self._pages.close(b"/Resources %d 0 R%b" % (self._resources, self._common))
        self._outline.close()
        title, author, language = self._about
        outline = b"/Outlines %d 0 R" % self._outline.root
        if self._outline.count > 1:
            outline += b"/PageMode/UseOutlines"
        finish(writer, tree, title=title, author=author, language=language, entries=outline, two_sided=self._two_sided)

    def _picture(self, drawing: bytes) -> int:
        """Writes one picture, compressed where that helps; the largest page is its bounding box."""
        width, height = max(width for width, _ in self._sizes), max(height for _, height in self._sizes)
        about = b"/Type/XObject/Subtype/Form/BBox[0 0 %b %b]" % (number(width), number(height))
        if b"Tf" in drawing:
            about += b"/Resources %d 0 R" % self._fonts
        packed = zlib.compress(drawing, 9)
        if len(packed) + len(b"/Filter/FlateDecode") < len(drawing):
            return self._writer.stream(packed, about + b"/Filter/FlateDecode")
        return self._writer.stream(drawing, about)
