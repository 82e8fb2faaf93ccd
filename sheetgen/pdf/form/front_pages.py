"""Pages before the sheets of a file, made from a form of their own: a roster, an index that leads to each sheet.

They have their own resources, because their names may be those that the sheets use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sheetgen.geometry import Box
from sheetgen.pdf.fonts.embedding import embed, embed_added
from sheetgen.pdf.fonts.user_font import AddedFont
from sheetgen.pdf.form.compositor import Compositor, Row
from sheetgen.pdf.form.form import Form, write_shared
from sheetgen.pdf.writer import PageTree, Writer, number


@dataclass(frozen=True, slots=True)
class FrontPage:
    """One filling of a form before the sheets; `links` maps a field to the number of the row it leads to, from 1."""

    row: Row
    links: Mapping[str, int] = field(default_factory=dict)


class FrontPageWriter:
    """Writes front pages of one form; `close` writes their fonts and drawings."""

    def __init__(self, form: Form, writer: Writer, pages: PageTree, added: Sequence[AddedFont] = ()) -> None:
        self._form, self._writer, self._pages = form, writer, pages
        self._compositor = Compositor(form, pictures=False, added=added)
        self._backgrounds = write_shared(writer, form.shared, form.backgrounds)
        self._resources = writer.reserve()
        self._letters: dict[bytes, set[str]] = {}

    def add(self, front_page: FrontPage) -> int:
        """Write the pages of one filling; return the number of the first."""
        first = 0
        sheet = self._compositor.sheet(front_page.row)
        for background, contents in sheet.pages:
            width, height = self._form.pages[background]
            entries = b"/MediaBox[0 0 %b %b]/Resources %d 0 R" % (number(width), number(height), self._resources)
            stream = self._writer.stream(contents, b"/Filter/FlateDecode")
            links = self._annotations(front_page, background)
            added = self._pages.add(b"/Contents %d 0 R%b%b" % (stream, entries, links))
            first = first or added
        for font, letters in self._compositor.new_resources().letters.items():
            self._letters.setdefault(font, set()).update(letters)
        return first

    def close(self) -> None:
        """Write the fonts and drawings of the front pages."""
        fonts = b"".join(
            b"%b %d 0 R" % (name, embed(self._writer, face, self._letters[name]))
            for name, face in self._compositor.fonts.items()
            if name in self._letters
        ) + b"".join(
            b"%b %d 0 R" % (name, embed_added(self._writer, font, self._letters[name]))
            for name, font in self._compositor.added.items()
            if name in self._letters
        )
        drawn = b"".join(b"/B%d %d 0 R" % (index, number) for index, number in enumerate(self._backgrounds))
        self._writer.pack(b"<</Font<<%b>>/XObject<<%b>>>>" % (fonts, drawn), self._resources)

    def _annotations(self, front_page: FrontPage, page: int) -> bytes:
        links = [
            b"<</Type/Annot/Subtype/Link/Rect%b/Border[0 0 0]/F 4/Dest/%b>>" % (_rectangle(place.border), anchor(to))
            for place in self._form.fields
            if place.page == page and (to := front_page.links.get(place.name))
        ]
        return b"/Annots[%b]" % b"".join(links) if links else b""


def anchor(row: int) -> bytes:
    """Return the name of the place where a row begins."""
    return b"row%d" % row


def anchors(pages: Sequence[int]) -> bytes:
    """Return the entry of the catalogue that tells where each row begins: the number of its page, row after row."""
    return b"/Dests<<%b>>" % b"".join(b"/%b[%d 0 R/Fit]" % (anchor(at), page) for at, page in enumerate(pages, 1))


def _rectangle(box: Box) -> bytes:
    corners = (box.x, box.y, box.right, box.top)
    return b"[%b]" % b" ".join(number(corner) for corner in corners)
