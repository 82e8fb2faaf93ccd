"""The handouts of a rulebook: drawn on pages of their own behind its chapters, as large as there is room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sheetgen.documents.markdown import anchor
from sheetgen.geometry import PAPERS, POINTS_PER_MM, Size
from sheetgen.model.data import TemplateData
from sheetgen.model.handout import Made
from sheetgen.pdf.fonts.bundled import text_width
from sheetgen.pdf.pdfium import addresses, page_texts
from sheetgen.press.pages import drawn_at
from sheetgen.products.books.setting import PAGE_MEASURES, Bound
from sheetgen.products.chapters import open_book
from sheetgen.products.handouts.handouts import chosen_files, printed_handouts
from sheetgen.products.handouts.layout import PAPERS_FOR, HandoutsOptions
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

HANDOUT_DPI = 130  # of handouts in a web page
HANDOUT_PAPER = "a5"  # what is as large as the paper is set for this, where no handouts are made for that of the book
CAPTION, APART = 10.0, 4.0  # mm: what a handout leaves above and below it, and beside it
CAPTION_TYPE = 9.5  # pt
TURNED = 1.2  # times as large, at the least, is a handout that lies on its side
LEAVES = 10  # as many pages of handouts have nothing behind them that cutting one out would spoil
RAISED = 0.42  # of what a page has to spare: what stands above its handouts
TORN = "halves"  # of which the two pages are the halves of one
SOLVED = ("map", "wheel", "grille")  # of which the second page is the GM's: a plan with all secrets, a key


@dataclass(frozen=True, slots=True)
class BoundHandout:
    """A handout in a book: what the book calls it, its pages as PDF, their size in the book, how much smaller it is,
    and whether it lies on its side.
    """

    name: str
    title: str
    rule: str
    style: str
    data: bytes
    pages: int
    size: Size
    scale: float
    turned: bool = False
    made: Made = ""

    @property
    def anchor(self) -> str:
        """The place that the text leads to."""
        return anchor("handout", self.name)

    @property
    def places(self) -> tuple[str, ...]:
        """The places where its pages are drawn."""
        return tuple(f"{self.anchor}-page-{number}" for number in range(1, self.pages + 1))

    @property
    def captions(self) -> tuple[str, ...]:
        """What stands over its pages; behind a map follows the one with all secrets, behind a cipher its key."""
        if self.made == TORN:
            return (f"{self.title}, left half", f"{self.title}, right half")
        later = [f"{self.title}, page {number}" for number in range(2, self.pages + 1)]
        return (self.title, *(f"For the GM: {self.title}" if self.made in SOLVED else each for each in later))

    def about(self) -> TemplateData:
        """Return what a template says of it, and where it is spoken of."""
        said = f"The handout “{self.title}” ({self.style})"
        return {"anchor": self.anchor, "title": self.title, "rule": anchor("rule", self.rule), "said": said}


def room_for_handouts(paper: str) -> Size:
    """Return what a page of a book on this paper has for handouts with the lines above them, in mm."""
    leaf, size = PAGE_MEASURES[paper], PAPERS[paper]
    high = size.height - 2 * leaf.edge - leaf.above - leaf.below
    return Size(size.width - 2 * leaf.edge - leaf.spine - 1, high - 1)


def bound_handouts(project: Project, pack: Pack, paper: str, room: Size) -> tuple[BoundHandout, ...]:
    """Return the handouts that a book declares, in its order, none of them larger than a room in mm allows."""
    room = Size(room.width, room.height - CAPTION)
    rules = pack.run_isolated(lambda: open_book(project, pack)).book.rules.values()
    called = {name: (str(title), rule.id) for rule in rules for name, title in rule.handouts.items()}
    if not called:
        return ()
    files = sorted(chosen_files(project, pack, called), key=lambda file: list(called).index(file.stem))
    on, tone = paper if paper in PAPERS_FOR else HANDOUT_PAPER, pack.system.tone
    options = HandoutsOptions(paper=on, ink_saver=tone.ink_saver, greyscale=tone.greyscale)
    found = list[BoundHandout]()
    for file, each in zip(files, printed_handouts(project, pack, files, options), strict=True):
        scale, lying = _scale(each.size, room), _scale(each.size.turned, room)
        turned = lying > TURNED * scale
        drawn, scale = (each.size.turned, lying) if turned else (each.size, scale)
        size = Size(drawn.width * scale, drawn.height * scale)
        found.append(
            BoundHandout(
                file.stem, *called[file.stem], each.style, each.data, each.pages, size, scale, turned, each.made
            )
        )
    return tuple(found)


def _scale(size: Size, room: Size) -> float:
    return min(1.0, room.width / size.width, room.height / size.height)


@dataclass(frozen=True, slots=True)
class BoundLeaf:
    """A page of a handout as it is drawn in a book, and what stands over it."""

    handout: BoundHandout
    number: int

    @property
    def is_plan(self) -> bool:
        """Whether it is one of two versions of a map, a cipher or its key."""
        return self.handout.made in SOLVED and self.handout.pages > 1

    @property
    def is_secret(self) -> bool:
        """Whether it is the version for the GM."""
        return self.is_plan and self.number > 0

    @property
    def across(self) -> float:
        """How wide it is with what stands over it and beside it, in mm."""
        title = f"{self.handout.captions[self.number]} for page 999"
        return APART + max(self.handout.size.width, text_width(title, CAPTION_TYPE, weight=600) / POINTS_PER_MM)

    def data(self) -> TemplateData:
        """Return what a template needs to keep its place."""
        size = {"width": round(self.handout.size.width, 2), "height": round(self.handout.size.height, 2)}
        place, caption = self.handout.places[self.number], self.handout.captions[self.number]
        return {**self.handout.about(), **size, "place": place, "caption": caption, "first": not self.number}


def handouts_behind(handouts: Sequence[BoundHandout], room: Size) -> Bound:
    """Return the pages of a book with places for handouts, for its template.

    Where they are few, each page is a right one with nothing behind it, so that a handout can be cut out; otherwise
    only the plan or the key for the GM has nothing behind it, so that nobody is handed it.
    """
    pages = _filled([BoundLeaf(each, number) for each in handouts for number in range(each.pages)], room)
    secret = [False, *(any(each.is_secret for each in shown) for shown in pages), False]
    found = list[TemplateData]()
    for shown, (before, here, after) in zip(pages, zip(secret, secret[1:], secret[2:], strict=False), strict=True):
        free = "right" if len(pages) <= LEAVES or before or here else "left" if after else "page"
        above = max(0.0, RAISED * (room.height - _high(shown, room.width)))
        found.append({"leaves": [each.data() for each in shown], "side": free, "above": round(above, 2)})
    return {"handouts": found}


def _filled(leaves: Iterable[BoundLeaf], room: Size) -> list[list[BoundLeaf]]:
    """Return what is drawn, by pages of the book: as much as each has room for; a plan stands alone."""
    pages = list[list[BoundLeaf]]()
    for leaf in leaves:
        together = [*pages[-1], leaf] if pages else [leaf]
        if pages and not any(each.is_plan for each in together) and _high(together, room.width) <= room.height:
            pages[-1] = together
        else:
            pages.append([leaf])
    return pages


def _high(leaves: Iterable[BoundLeaf], width: float) -> float:
    """Return how high leaves are in mm with their captions, beside one another where they have room."""
    rows, across = [0.0], 0.0
    for leaf in leaves:
        across += leaf.across
        if across > width + APART and rows[-1]:
            rows.append(0.0)
            across = leaf.across
        rows[-1] = max(rows[-1], leaf.handout.size.height + CAPTION)
    return sum(rows)


def with_handouts(data: bytes, handouts: Iterable[BoundHandout]) -> bytes:
    """Return the PDF of a book with its handouts drawn in their places."""
    pieces = [(each.data, each.places, each.scale, each.turned) for each in handouts]
    return drawn_at(data, pieces) if pieces else data


def handout_pictures(handouts: Iterable[BoundHandout]) -> list[TemplateData]:
    """Return what a template needs to show handouts in a web page: a picture of each page, and its text."""
    return [
        {**each.about(), "pictures": addresses(each.data, dpi=HANDOUT_DPI), "lines": _lines(each.data)}
        for each in handouts
    ]


def _lines(data: bytes) -> list[str]:
    """Return the lines of the text of all pages."""
    return [line.strip() for page in page_texts(data) for line in page.splitlines() if line.strip()]
