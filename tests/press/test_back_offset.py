"""All that has two sides, on a printer made of arithmetic: with the paper turned over, each back is on its front."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pymupdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from sheetgen.geometry import CARDS, mm
from sheetgen.model.printing import Printer
from sheetgen.press.impose import shift_backs
from sheetgen.products.books.booklet import BookletOptions, make_booklet
from sheetgen.products.cards.sheets import BLEED, CardSheetOptions, lay_out_cards
from sheetgen.workspace.printers import remember
from sheetgen.workspace.project import Project

Point = tuple[float, float]
TENTH = 0.1  # mm
STRAY = (0.7, -1.3)  # mm: how far this printer puts every back off its place, on the paper, seen from the front
HEAD = 8.0  # points: the side of the square in the upper left corner of every page


@dataclass(frozen=True)
class Seen:
    """A page as it lies on a sheet: its box in mm from the lower left, and the corner that its head is in."""

    box: tuple[float, float, float, float]
    head: Point

    @property
    def middle(self) -> Point:
        x1, y1, x2, y2 = self.box
        return (x1 + x2) / 2, (y1 + y2) / 2


def marked(count: int, width: float, height: float, *, bleed: float = 0.0) -> bytes:
    """Pages of that trim size in mm, each a field of a colour of its own with a square in its upper left corner."""
    made = BytesIO()
    canvas = Canvas(made, pagesize=(mm(width + 2 * bleed), mm(height + 2 * bleed)), pageCompression=0)
    for number in range(1, count + 1):
        if bleed:
            canvas.setTrimBox((mm(bleed), mm(bleed), mm(bleed + width), mm(bleed + height)))
            canvas.setBleedBox((0, 0, mm(width + 2 * bleed), mm(height + 2 * bleed)))
        canvas.setFillColorRGB(number / 255, 0, 0)
        canvas.rect(mm(bleed), mm(bleed), mm(width), mm(height), stroke=0, fill=1)
        canvas.setFillColorRGB(number / 255, 1, 0)
        canvas.rect(mm(bleed), mm(bleed + height) - HEAD, HEAD, HEAD, stroke=0, fill=1)
        canvas.showPage()
    canvas.save()
    return made.getvalue()


def seen(data: bytes) -> list[dict[int, Seen]]:
    """For each page of the sheets, as a printer shows it, the marked pages on it by number."""
    found = []
    with pymupdf.open(stream=data) as document:
        for page in document:
            boxes: dict[int, Any] = {}
            heads: dict[int, Point] = {}
            for drawing in page.get_drawings():
                if not drawing.get("fill"):
                    continue
                red, green, _ = drawing["fill"]
                shown = (drawing["rect"] * page.rotation_matrix).normalize()
                box = tuple(
                    round(each / mm(1), 3)
                    for each in (shown.x0, page.rect.height - shown.y1, shown.x1, page.rect.height - shown.y0)
                )
                number = round(red * 255)
                if green > 0.5:
                    heads[number] = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
                else:
                    boxes[number] = box
            found.append({number: Seen(box, heads[number]) for number, box in boxes.items()})
    return found


def through(point: Point, size: Point, flip: str) -> Point:
    """Where a point of the back lies as seen from the front of an upright or lying sheet turned over that edge."""
    (x, y), (width, height) = point, size
    upright_axis = (flip == "long") == (height >= width)
    return (width - x, y) if upright_axis else (x, height - y)


def sizes(data: bytes) -> list[Point]:
    """The sizes of the pages in mm, as they are shown."""
    with pymupdf.open(stream=data) as document:
        return [(page.rect.width / mm(1), page.rect.height / mm(1)) for page in document]


def read_off(size: Point, flip: str) -> Point:
    """Where the middle of the front shows on the back whose middle should be there."""
    centre = (size[0] / 2, size[1] / 2)
    front = through(centre, size, flip)
    back = through((centre[0] + STRAY[0], centre[1] + STRAY[1]), size, flip)
    return front[0] - back[0], front[1] - back[1]


def sheets(cards: int, name: str, cutting: CardSheetOptions) -> bytes:
    card = CARDS[name]
    return lay_out_cards(marked(2 * cards, card.width, card.height, bleed=BLEED), card, cutting).data


@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("name", "bleed"), [("trading", False), ("poker", True), ("tarot", False), ("index", True)])
def test_backs_lie_behind_their_fronts_head_to_head(name: str, bleed: bool, paper: str, flip: str) -> None:
    data = sheets(11, name, CardSheetOptions(paper=paper, bleed=bleed, flip=flip))  # type: ignore[arg-type]
    sides, paper_sizes = seen(data), sizes(data)
    met = 0
    for number in range(0, len(sides), 2):
        front, back, size = sides[number], sides[number + 1], paper_sizes[number]
        assert {page + 1 for page in front} == set(back)
        for page, card in front.items():
            behind = back[page + 1]
            assert through(behind.middle, size, flip) == pytest.approx(card.middle, abs=TENTH)
            # Turned like the page of a book, the card shows its back upright: upper left comes to lie on upper right.
            x, y = through(behind.head, size, flip)
            assert x == pytest.approx(card.box[0] + card.box[2] - card.head[0], abs=TENTH)
            assert y == pytest.approx(card.head[1], abs=TENTH)
            met += 1
    assert met == 11


@pytest.mark.parametrize(("name", "paper"), list(itertools.product(CARDS, ["a4", "letter"])))
def test_cards_have_their_size(name: str, paper: str) -> None:
    card = CARDS[name]
    for side in seen(sheets(3, name, CardSheetOptions(paper=paper))):
        for seen_card in side.values():
            x1, y1, x2, y2 = seen_card.box
            assert (x2 - x1, y2 - y1) == pytest.approx((card.width, card.height), abs=TENTH)


@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize("measured", ["long", "short"])
@pytest.mark.parametrize(("name", "bleed"), [("trading", False), ("poker", True)])
def test_a_printer_that_strays_is_set_right(name: str, bleed: bool, measured: str, flip: str) -> None:
    """A printer prints every back off its place on the paper by the same way; what is read on a proof undoes it.

    The proof may be turned over either edge, and so may the cards, which lie on their side in the second case.
    """
    office = Printer("office", Printer("", read_off((210.0, 297.0), measured)).moves(measured))
    cutting = CardSheetOptions(bleed=bleed, flip=flip, shift=office.moves(flip))  # type: ignore[arg-type]
    data = sheets(9, name, cutting)
    sides, paper_sizes = seen(data), sizes(data)
    assert paper_sizes[0] == pytest.approx((210, 297), abs=TENTH)  # upright, so that the printer turns nothing
    for number in range(0, len(sides), 2):
        for page, card in sides[number].items():
            x, y = through(sides[number + 1][page + 1].middle, paper_sizes[number], flip)
            assert (x + STRAY[0], y + STRAY[1]) == pytest.approx(card.middle, abs=0.02)


def test_cards_to_fold_have_their_backs_at_their_right() -> None:
    data = sheets(5, "poker", CardSheetOptions(backs="fold"))
    for side in seen(data):
        for page in (number for number in side if number % 2):
            front, back = side[page].box, side[page + 1].box
            assert back == pytest.approx((front[2], front[1], 2 * front[2] - front[0], front[3]), abs=TENTH)


def test_without_backs_only_fronts_are_printed() -> None:
    assert [sorted(side) for side in seen(sheets(4, "poker", CardSheetOptions(backs="none")))] == [[1, 3, 5, 7]]


FOLDED = [
    pytest.param(("saddle", (148, 210), True), id="saddle-upright"),
    pytest.param(("saddle", (210, 148), True), id="saddle-lying"),
    pytest.param(("saddle", (60, 200), False), id="saddle-narrow"),
    pytest.param(("cut", (148, 210), False), id="cut-upright"),
    pytest.param(("cut", (210, 148), True), id="cut-lying"),
]


@pytest.mark.parametrize("folded", FOLDED)
@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize("strays", [False, True])
def test_leaves_have_two_sides(project: Project, folded: tuple[str, Point, bool], flip: str, strays: bool) -> None:
    """Page 1 has page 2 behind it, page 3 has page 4: at the same place, head to head.

    For a printer that strays, sheets that lie are turned to the left to stand: what was up is at the left.
    """
    fold, page, lying = folded
    source = project.where / "in.pdf"
    if strays:
        remember(project, "office", shift=read_off((210.0, 297.0), "long"))
    stray = STRAY if strays else (0.0, 0.0)
    for count in (4, 6, 16):
        source.write_bytes(marked(count, *page))
        options = BookletOptions(fold=fold, flip=flip, creep=0.0, printer="office" if strays else "")  # type: ignore[arg-type]
        data = make_booklet(project, source, options, ".pdf").data
        sides, paper_sizes = seen(data), sizes(data)
        leaves = 0
        for number in range(0, len(sides), 2):
            sheet = {**sides[number], **sides[number + 1]}
            size = paper_sizes[number]
            for first in sheet:
                if first % 2 == 0 or first + 1 not in sheet:
                    continue
                assert (first in sides[number]) != (first + 1 in sides[number])
                inside, outside = (first, first + 1) if first in sides[number] else (first + 1, first)
                x, y = through(sheet[outside].middle, size, flip)
                assert (x + stray[0], y + stray[1]) == pytest.approx(sheet[inside].middle, abs=TENTH)
                x, y = through(sheet[outside].head, size, flip)
                seen_head = (x + stray[0], y + stray[1])
                (x1, y1, x2, y2), head = sheet[inside].box, sheet[inside].head
                mirrored = (head[0], y1 + y2 - head[1]) if lying and strays else (x1 + x2 - head[0], head[1])
                assert seen_head == pytest.approx(mirrored, abs=TENTH)
                leaves += 1
        assert leaves >= count // 2 - 1


@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize("page", [(210, 297), (297, 210)])
def test_whole_pages_are_set_right_too(page: Point, flip: str) -> None:
    pages = marked(4, *page)
    assert shift_backs(pages, (0.0, 0.0)) == pages
    shift = Printer("", read_off((210.0, 297.0), flip)).moves(flip)
    moved = shift_backs(pages, Printer("", shift).moves(flip))
    assert {(round(width), round(height)) for width, height in sizes(moved)} == {(210, 297)}
    for number in (0, 2):
        sides = seen(moved)
        x, y = through(sides[number + 1][number + 2].middle, (210, 297), flip)
        assert (x + STRAY[0], y + STRAY[1]) == pytest.approx(sides[number][number + 1].middle, abs=0.02)


@pytest.mark.parametrize("stray", [(0.0, 0.0), STRAY])
def test_backs_of_whole_pages_read_upright_over_the_short_edge_too(stray: Point) -> None:
    shift = Printer("", read_off((210.0, 297.0), "short")).moves("short") if any(stray) else (0.0, 0.0)
    office = Printer("", shift)
    front, back = seen(shift_backs(marked(2, 210, 297), office.moves("short"), flip="short"))
    x, y = through(back[2].middle, (210, 297), "short")
    assert (x + stray[0], y + stray[1]) == pytest.approx(front[1].middle, abs=0.02)
    head, (x, y) = front[1].head, through(back[2].head, (210, 297), "short")
    assert (x + stray[0], y + stray[1]) == pytest.approx((210 - head[0], head[1]), abs=0.1)
