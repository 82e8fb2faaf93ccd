"""Pages before the sheets of a file, made from a form of their own: a roster, an index that leads to each sheet.

They have their own resources, because their names may be those that the sheets use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sheetgen.pdf.fonts.embedding import embed_used
from sheetgen.pdf.fonts.user_font import AddedFont
from sheetgen.pdf.form.compositor import Compositor, Row
from sheetgen.pdf.form.form import Form, write_shared
from sheetgen.pdf.writer import PageTree, Ref, Writer, media_box, pdf_dict


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
            entries = b"%b/Resources %d 0 R" % (media_box(*self._form.pages[background]), self._resources)
            stream = self._writer.stream(contents, b"/Filter/FlateDecode")
            links = self._annotations(front_page, background)
            added = self._pages.add(b"/Contents %d 0 R%b%b" % (stream, entries, links))
            first = first or added
        for font, letters in self._compositor.new_resources().letters.items():
            self._letters.setdefault(font, set()).update(letters)
        return first

    def close(self) -> None:
        """Write the fonts and drawings of the front pages."""
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


def anchor(row: int) -> str:
    """Return the name of the place where a row begins."""
    return f"row{row}"


def anchors(pages: Sequence[int]) -> dict[str, object]:
    """Return what the catalogue tells of where each row begins: the number of its page, row after row."""
    return {anchor(at): (Ref(page), "Fit") for at, page in enumerate(pages, 1)}
