"""Pieces of different sizes on sheets of paper, in rows, each with marks at its own corners. Pure arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sheetgen.geometry import Box, Line, Size, mm

# In mm: what stands between two pieces, how far from the corner a mark begins, how long it is, where paper ends for it.
GUTTER, GAP, LENGTH, EDGE = 8.0, 1.5, 4.0, 1.0
_TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of paper: which pieces lie on it, by their numbers from 0, and where, in points."""

    paper: Size
    pieces: tuple[int, ...]
    cells: tuple[Box, ...]


@dataclass(slots=True)
class _Row:
    top: float
    height: float
    used: float
    pieces: list[int]


def packed(sizes: Sequence[Size], paper: Size, *, margin: float) -> tuple[Sheet, ...]:
    """The fewest sheets, upright or lying, that rows of these pieces fill; lengths in mm.

    ValueError, with the number of the piece, for one that fits on no sheet.
    """
    both = (paper, paper.turned)
    for number, size in enumerate(sizes):
        if not any(_fits(size, each, margin) for each in both):
            raise ValueError(number)
    ways = [_sheets(sizes, order, margin) for order in (both, both[::-1])]
    return min(ways, key=len)


def _fits(size: Size, paper: Size, margin: float) -> bool:
    return size.width <= paper.width - 2 * margin + _TINY and size.height <= paper.height - 2 * margin + _TINY


def _sheets(sizes: Sequence[Size], papers: Sequence[Size], margin: float) -> tuple[Sheet, ...]:
    """All pieces on paper of the first kind as far as they fit there, the rest on the second."""
    found: list[Sheet] = []
    left = sorted(range(len(sizes)), key=lambda number: (-sizes[number].height, number))
    for paper in papers:
        here = [number for number in left if _fits(sizes[number], paper, margin)]
        left = [number for number in left if number not in here]
        found += _filled(sizes, here, paper, margin)
    return tuple(found)


def _filled(sizes: Sequence[Size], order: Sequence[int], paper: Size, margin: float) -> Iterator[Sheet]:
    """Each piece goes into the first row that has room for it, the highest first."""
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
        yield _laid(sizes, rows, paper)


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


def _laid(sizes: Sequence[Size], rows: Sequence[_Row], paper: Size) -> Sheet:
    """The rows one below the other in the middle of the paper, each in the middle of its line."""
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
    return Sheet(paper, tuple(pieces), tuple(cells))


def corner_marks(cells: Sequence[Box], paper: Size) -> tuple[Line, ...]:
    """Two short strokes at each corner of each cell, along its edges and outside of it."""
    return tuple(line for cell in cells for line in _corners(cell, paper))


def _corners(cell: Box, paper: Size) -> Iterator[Line]:
    gap, length, edge = mm(GAP), mm(LENGTH), mm(EDGE)
    right, top = mm(paper.width) - edge, mm(paper.height) - edge
    for x in (cell.x, cell.right):
        yield Line(x, cell.y - gap, x, max(cell.y - gap - length, edge))
        yield Line(x, cell.top + gap, x, min(cell.top + gap + length, top))
    for y in (cell.y, cell.top):
        yield Line(cell.x - gap, y, max(cell.x - gap - length, edge), y)
        yield Line(cell.right + gap, y, min(cell.right + gap + length, right), y)
