"""The handouts that the text of a rulebook speaks of, in frames behind its chapters, as large as its pages allow.

The book keeps a place of their size for each page of them, with its caption, its bookmark and a description; the
page is drawn there as `sheetgen handouts` prints it. A web page has pictures of them, and their text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sheetgen.documents.markdown import anchor
from sheetgen.documents.sheet import TemplateData
from sheetgen.geometry import Size
from sheetgen.pdf.pdfium import addresses, page_texts
from sheetgen.press.pages import drawn_at
from sheetgen.products.chapters import open_book
from sheetgen.products.handout_layout import PAPERS_FOR, HandoutsOptions
from sheetgen.products.handouts import chosen_files, printed_handouts
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

SHOWN_DPI = 130  # of handouts in a web page
LARGE = "a5"  # what is as large as the paper is set for this, where no handouts are made for that of the book


@dataclass(frozen=True, slots=True)
class BoundHandout:
    """A handout in a book: what the book calls it, its pages as PDF, their size in the book, how much smaller it is."""

    name: str
    title: str
    rule: str
    style: str
    data: bytes
    pages: int
    size: Size
    scale: float

    @property
    def anchor(self) -> str:
        """The place that the text leads to."""
        return anchor("handout", self.name)

    @property
    def places(self) -> tuple[str, ...]:
        """The places where its pages are drawn."""
        return tuple(f"{self.anchor}-page-{number}" for number in range(1, self.pages + 1))


def bound_handouts(project: Project, pack: Pack, paper: str, room: Size) -> tuple[BoundHandout, ...]:
    """Return the handouts that a book declares, in its order, none of them larger than a room in mm."""
    rules = pack.run_isolated(lambda: open_book(project, pack)).book.rules.values()
    called = {name: (str(title), rule.id) for rule in rules for name, title in rule.handouts.items()}
    if not called:
        return ()
    files = sorted(chosen_files(project, pack, called), key=lambda file: list(called).index(file.stem))
    on, tone = paper if paper in PAPERS_FOR else LARGE, pack.system.tone
    options = HandoutsOptions(paper=on, ink_saver=tone.ink_saver, greyscale=tone.greyscale)
    found = list[BoundHandout]()
    for file, each in zip(files, printed_handouts(project, pack, files, options), strict=True):
        scale = min(1.0, room.width / each.size.width, room.height / each.size.height)
        size = Size(each.size.width * scale, each.size.height * scale)
        found.append(BoundHandout(file.stem, *called[file.stem], each.style, each.data, each.pages, size, scale))
    return tuple(found)


def handout_places(handouts: Iterable[BoundHandout]) -> list[TemplateData]:
    """Return what a template needs to keep the places of handouts."""
    return [
        {
            "anchor": each.anchor,
            "title": each.title,
            "rule": anchor("rule", each.rule),
            "said": f"The handout “{each.title}” ({each.style})",
            "places": each.places,
            "width": round(each.size.width, 2),
            "height": round(each.size.height, 2),
        }
        for each in handouts
    ]


def with_handouts(data: bytes, handouts: Iterable[BoundHandout]) -> bytes:
    """Return the PDF of a book with its handouts drawn in their places."""
    pieces = [(each.data, each.places, each.scale) for each in handouts]
    return drawn_at(data, pieces) if pieces else data


def handout_pictures(handouts: Iterable[BoundHandout]) -> list[TemplateData]:
    """Return what a template needs to show handouts in a web page: a picture of each page, and its text."""
    found = list[TemplateData]()
    for each in handouts:
        shown = {"pictures": addresses(each.data, dpi=SHOWN_DPI), "lines": _lines(each.data)}
        found += [{**place, **shown} for place in handout_places([each])]
    return found


def _lines(data: bytes) -> list[str]:
    """Return the lines of the text of all pages."""
    return [line.strip() for page in page_texts(data) for line in page.splitlines() if line.strip()]
