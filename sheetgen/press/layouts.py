"""Where cards stand on a sheet of paper: as many as it holds, side by side, centred. Pure arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.errors import UsageError
from sheetgen.geometry import Box, Size, mm

# What most printers can print up to, in mm; only cut marks may stand nearer to the edge.
PRINTER_MARGIN = 5.0
_TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Layout:
    """A sheet of paper, on its side if more fits so, and the cells on it in reading order, in points."""

    paper: Size
    columns: int
    rows: int
    cells: tuple[Box, ...]


def side_by_side(paper: Size, card: Size, *, gutter: float = 0.0, margin: float = PRINTER_MARGIN) -> Layout:
    """As many cards as the paper holds, upright or on its side, centred; lengths in mm.

    Without a gutter neighbours share their cut. UsageError if not even one card fits.
    """
    layouts = [_on(each, card, gutter, margin) for each in (paper, paper.turned)]
    best = max(layouts, key=lambda layout: len(layout.cells))
    if not best.cells:
        raise UsageError(
            f"a card of {card.width:g} × {card.height:g} mm does not fit on paper of {paper.width:g} × "
            f"{paper.height:g} mm"
        )
    return best


def _on(paper: Size, card: Size, gutter: float, margin: float) -> Layout:
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
