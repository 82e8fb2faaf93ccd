"""Where cards and handouts stand on sheets of paper. Pure arithmetic; cells are in points, other lengths in mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sheetgen.errors import UsageError
from sheetgen.geometry import Box, Size, mm

PRINTER_MARGIN = 5.0  # what most printers cannot print on; only cut marks may stand nearer to the edge
GUTTER = 8.0  # between two pieces of different sizes, which have marks of their own
_TINY = 1e-6


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
