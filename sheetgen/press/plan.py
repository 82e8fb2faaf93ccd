"""Where things stand on sheets of paper: pages by the arithmetic of imposition, cards and handouts in rows or packed.

Pages are counted from 1; 0 is an empty place, and a negative number is a page that stands on its head. Places on a
side go row by row, from the upper left. Cells are in points, other lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sheetgen.errors import UsageError
from sheetgen.geometry import Box, Size, mm

Flip = Literal["short", "long"]
PRINTER_MARGIN = 5.0  # what most printers cannot print on; only cut marks may stand nearer to the edge
GUTTER = 8.0  # between two pieces of different sizes, which have marks of their own
_TINY = 1e-6


def flip_edge(flip: Flip, *, lying: bool) -> Flip:
    """Return the edge to turn a planned sheet over: on a lying sheet the long edge of the paper is the upper one."""
    if not lying:
        return flip
    return "short" if flip == "long" else "long"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a sheet: its pages by place, and how many sheets it is nested in."""

    places: tuple[int, ...]
    depth: int = 0


@dataclass(frozen=True, slots=True)
class ImpositionPlan:
    """All sides in the order in which they are printed, in two-sided plans front and back in turn.

    Backs are printed on their heads where `turned_backs` says so; `spines` run between two columns.
    """

    columns: int
    rows: int
    sides: tuple[Side, ...]
    two_sided: bool = False
    turned_backs: bool = False
    spines: bool = False

    @property
    def empty(self) -> int:
        """The number of places without a page."""
        return sum(side.places.count(0) for side in self.sides)

    @property
    def sheets(self) -> int:
        """The number of sheets of paper."""
        return (len(self.sides) + 1) // 2 if self.two_sided else len(self.sides)


def padded(count: int, step: int) -> tuple[int, ...]:
    """Return pages 1 to `count` and empty ones up to a multiple of `step`, these before the last page.

    The last page is the back cover; it stays outside. A single page is followed by empty ones.
    """
    blanks = (0,) * (-count % step)
    pages = tuple(range(1, count + 1))
    return pages + blanks if count < 2 else (*pages[:-1], *blanks, pages[-1])


def saddle_stitch(count: int, *, signature: int = 0, flip: Flip = "short") -> ImpositionPlan:
    """Return the plan of a booklet: two pages a side, sheets nested and folded once.

    Sheet s of N pages, from the outside in, has N − 2s and 2s + 1 on its front, 2s + 2 and N − 2s − 1 on its back.
    With a `signature` so many sheets are nested, and the bundles are bound one behind another. `flip` is meant for
    sheets that lie on their side, and turn like the pages of a book over the short edge.
    """
    pages = padded(count, 4)
    size = 4 * signature if signature else max(len(pages), 4)
    sides: list[Side] = []
    for first in range(0, len(pages), size):
        sides += _nested(pages[first : first + size])
    return ImpositionPlan(2, 1, tuple(sides), two_sided=True, turned_backs=flip == "long", spines=True)


def _nested(pages: Sequence[int]) -> list[Side]:
    sides = []
    for sheet in range(len(pages) // 4):
        last, first = len(pages) - 1 - 2 * sheet, 2 * sheet
        sides.append(Side((pages[last], pages[first]), sheet))
        sides.append(Side((pages[first + 1], pages[last - 1]), sheet))
    return sides


def n_up(count: int, columns: int, rows: int, *, two_sided: bool = False, flip: Flip = "long") -> ImpositionPlan:
    """Return a plan of pages in reading order, so many on a side; two-sided, with each even page behind its odd one."""
    size = columns * rows
    if not two_sided:
        pages = _padded(range(1, count + 1), size)
        sides = [Side(tuple(pages[at : at + size])) for at in range(0, len(pages), size)]
        return ImpositionPlan(columns, rows, tuple(sides))
    fronts, backs = _padded(range(1, count + 1, 2), size), _padded(range(2, count + 1, 2), size)
    backs += [0] * (len(fronts) - len(backs))
    sides = []
    for at in range(0, len(fronts), size):
        sides.append(Side(tuple(fronts[at : at + size])))
        sides.append(Side(mirrored(backs[at : at + size], columns, flip=flip)))
    return ImpositionPlan(columns, rows, tuple(sides), two_sided=True)


def mirrored(places: Sequence[int], columns: int, *, flip: Flip) -> tuple[int, ...]:
    """Return the places of a back, so that each lies behind its front when the paper is turned over.

    Over the long edge of a portrait sheet the columns change sides. Over the short edge the rows do, and every page
    stands on its head.
    """
    rows = [tuple(places[at : at + columns]) for at in range(0, len(places), columns)]
    if flip == "long":
        return tuple(page for row in rows for page in reversed(row))
    return tuple(-page for row in reversed(rows) for page in row)


def cut_stack(count: int, columns: int, rows: int, *, two_sided: bool = False, flip: Flip = "long") -> ImpositionPlan:
    """Return a plan whose printed pile, cut once, gives heaps that are put on each other in reading order."""
    size, leaf = columns * rows, 2 if two_sided else 1
    sheets = -(-count // (size * leaf))
    sides: list[Side] = []
    for sheet in range(sheets):
        for back in range(leaf):
            pages = [(place * sheets + sheet) * leaf + back + 1 for place in range(size)]
            pages = [page if page <= count else 0 for page in pages]
            sides.append(Side(mirrored(pages, columns, flip=flip) if back else tuple(pages)))
    return ImpositionPlan(columns, rows, tuple(sides), two_sided=two_sided)


def eight_fold(count: int) -> ImpositionPlan:
    """Return the plan of a book of eight pages from one side of a sheet, folded to eighths and slit in the middle.

    The upper row stands on its head: 5 4 3 2; below it 6 7 8 1. More pages take more sheets.
    """
    order = (-5, -4, -3, -2, 6, 7, 8, 1)
    sides = []
    for first in range(0, max(count, 1), 8):
        pages = padded(min(count - first, 8), 8)
        sides.append(Side(tuple(_numbered(pages[abs(place) - 1], first, turned=place < 0) for place in order)))
    return ImpositionPlan(4, 2, tuple(sides))


def _numbered(page: int, first: int, *, turned: bool) -> int:
    number = page + first if page else 0
    return -number if turned else number


def gutter_fold(count: int) -> ImpositionPlan:
    """Return a plan for printers with one side: front left, back right, to be folded along the gutter and glued."""
    pages = _padded(range(1, count + 1), 2)
    return ImpositionPlan(2, 1, tuple(Side((pages[at], pages[at + 1])) for at in range(0, len(pages), 2)), spines=True)


def creep(plan: ImpositionPlan, thickness: float) -> tuple[float, ...]:
    """Return how far the pages of each side move towards the spine, in mm, for paper of this thickness in mm.

    An inner sheet sticks out by one thickness for each sheet around it, and would lose that at the trimmed edge.
    """
    return tuple(round(side.depth * thickness, 4) for side in plan.sides)


def _padded(pages: Sequence[int], size: int) -> list[int]:
    return [*pages, *[0] * (-len(pages) % size)]


@dataclass(frozen=True, slots=True)
class Layout:
    """A sheet of paper, on its side if more fits so, and the cells on it in reading order."""

    paper: Size
    columns: int
    rows: int
    cells: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class PackedSheet:
    """A sheet of paper, the numbers (from 0) of the pieces on it, and the cell of each."""

    paper: Size
    pieces: tuple[int, ...]
    cells: tuple[Box, ...]


@dataclass(slots=True)
class _Row:
    top: float
    height: float
    used: float
    pieces: list[int]


def side_by_side(paper: Size, card: Size, *, gutter: float = 0.0, margin: float = PRINTER_MARGIN) -> Layout:
    """Return the layout, upright or on its side, that holds the most cards, centred.

    Without a gutter neighbours share their cut. UsageError if not even one card fits.
    """
    layouts = [_grid(each, card, gutter, margin) for each in (paper, paper.turned)]
    best = max(layouts, key=lambda layout: len(layout.cells))
    if not best.cells:
        size, room = f"{card.width:g} × {card.height:g}", f"{paper.width:g} × {paper.height:g}"
        raise UsageError(f"a card of {size} mm does not fit on paper of {room} mm")
    return best


def _grid(paper: Size, card: Size, gutter: float, margin: float) -> Layout:
    columns = _count(paper.width - 2 * margin, card.width, gutter)
    rows = _count(paper.height - 2 * margin, card.height, gutter)
    across, along = card.width + gutter, card.height + gutter
    left = (paper.width - columns * across + gutter) / 2
    above = (paper.height - rows * along + gutter) / 2
    cells = tuple(
        Box(
            mm(left + column * across),
            mm(paper.height - above - row * along - card.height),
            mm(card.width),
            mm(card.height),
        )
        for row in range(rows)
        for column in range(columns)
    )
    return Layout(paper, columns, rows, cells)


def _count(room: float, length: float, gutter: float) -> int:
    return max(int((room + gutter) / (length + gutter) + _TINY), 0)


def packed(sizes: Sequence[Size], paper: Size, *, margin: float) -> tuple[PackedSheet, ...]:
    """Return the fewest sheets, upright or lying, that hold pieces of these sizes in rows.

    ValueError, with the number of the piece, for one that fits on no sheet.
    """
    both = (paper, paper.turned)
    for number, size in enumerate(sizes):
        if not any(_fits(size, each, margin) for each in both):
            raise ValueError(number)
    return min((_sheets(sizes, order, margin) for order in (both, both[::-1])), key=len)


def _fits(size: Size, paper: Size, margin: float) -> bool:
    return size.width <= paper.width - 2 * margin + _TINY and size.height <= paper.height - 2 * margin + _TINY


def _sheets(sizes: Sequence[Size], papers: Sequence[Size], margin: float) -> tuple[PackedSheet, ...]:
    """All pieces on paper of the first kind as far as they fit there, the rest on the second."""
    found: list[PackedSheet] = []
    left = sorted(range(len(sizes)), key=lambda number: (-sizes[number].height, number))
    for paper in papers:
        here = [number for number in left if _fits(sizes[number], paper, margin)]
        left = [number for number in left if number not in here]
        found += _fill_rows(sizes, here, paper, margin)
    return tuple(found)


def _fill_rows(sizes: Sequence[Size], order: Sequence[int], paper: Size, margin: float) -> Iterator[PackedSheet]:
    """Put each piece, the tallest first, into the first row with room for it."""
    sheets: list[list[_Row]] = []
    wide, high = paper.width - 2 * margin, paper.height - 2 * margin
    for number in order:
        size = sizes[number]
        row = next((row for rows in sheets for row in rows if _has_room(row, size, wide)), None)
        if row is None:
            row = _new_row(sheets, size, high)
        row.used += size.width + (GUTTER if row.pieces else 0)
        row.pieces.append(number)
    for rows in sheets:
        yield _centred(sizes, rows, paper)


def _has_room(row: _Row, size: Size, wide: float) -> bool:
    return size.height <= row.height + _TINY and row.used + GUTTER + size.width <= wide + _TINY


def _new_row(sheets: list[list[_Row]], size: Size, high: float) -> _Row:
    for rows in sheets:
        top = rows[-1].top + rows[-1].height + GUTTER
        if top + size.height <= high + _TINY:
            rows.append(_Row(top, size.height, 0.0, []))
            return rows[-1]
    sheets.append([_Row(0.0, size.height, 0.0, [])])
    return sheets[-1][0]


def _centred(sizes: Sequence[Size], rows: Sequence[_Row], paper: Size) -> PackedSheet:
    """The rows one below the other in the middle of the paper, the pieces of each in the middle of its line."""
    pieces, cells = list[int](), list[Box]()
    above = (paper.height - rows[-1].top - rows[-1].height) / 2
    for row in rows:
        left = (paper.width - row.used) / 2
        for number in row.pieces:
            size = sizes[number]
            y = paper.height - above - row.top - size.height
            pieces.append(number)
            cells.append(Box(mm(left), mm(y), mm(size.width), mm(size.height)))
            left += size.width + GUTTER
    return PackedSheet(paper, tuple(pieces), tuple(cells))
