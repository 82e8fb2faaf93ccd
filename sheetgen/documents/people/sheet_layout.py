"""The blocks of a sheet's layout arranged on pages: rows of cells with their heights, and what stands in each.

Lengths are in mm. Every block has a least height, the one that it would like, and a most; what a page has left over is
shared out among the blocks that can use it, so that a layout fills A4, Letter and A5 alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sheetgen.documents.people.sheet_blocks import drawn, least_height
from sheetgen.documents.people.sheet_setting import Height, Setting
from sheetgen.errors import InputError, Problem, quoted
from sheetgen.model.people_pages import SheetBlock

WIDTH, SMALL_WIDTH = 186.0, 132.0  # of what stands on a sheet; on a small one columns keep theirs, and there are fewer
COLUMN_GAP, ROW_GAP, MOST_GAP = 5.0, 2.6, 6.0


@dataclass(frozen=True, slots=True)
class Arranger:
    """What the arranging of blocks depends on: what they are drawn from, the grid, and the room on the first page."""

    setting: Setting
    columns: int
    first: float
    width: float = WIDTH

    @property
    def across(self) -> int:
        """How many of the columns stand side by side: one at least, even where it is narrower than on a large sheet."""
        return max(1, int((self.width + COLUMN_GAP) * self.columns / (WIDTH + COLUMN_GAP)))

    def pages(self, blocks: Sequence[SheetBlock]) -> list[list[dict[str, object]]]:
        """Return the rows of each page; each has its height `h`, the `gap` below it, and its cells from left to right.

        InputError for a block that is higher than a page.
        """
        waiting = [self._cells(row) for row in self._rows(blocks)]
        pages: list[list[list[_Cell]]] = [[]]
        while waiting:
            row = waiting.pop(0)
            room = self._room(len(pages) - 1) - sum(_row_height(each).least + ROW_GAP for each in pages[-1])
            if _row_height(row).least <= room:
                pages[-1].append(row)
                continue
            head, tail = _split(row, room)
            if head and tail:
                pages[-1].append(head)
                waiting.insert(0, self._widened(tail))
            elif pages[-1]:
                pages.append([])
                waiting.insert(0, row)
            else:
                self._refuse(row, room)
        return [_shared_out(page, self._room(number)) for number, page in enumerate(pages)]

    def overrun(self, blocks: Sequence[SheetBlock]) -> float:
        """Return by how many mm blocks are too high for the first page together, however close they stand."""
        rows = [_row_height(self._cells(row)).least for row in self._rows(blocks)]
        return max(0.0, sum(rows) + ROW_GAP * (len(rows) - 1) - self.first)

    def unused(self, blocks: Sequence[SheetBlock]) -> float:
        """Return how many mm of the first page stay white below blocks of which none can grow any more."""
        rows = [_row_height(self._cells(row)).most for row in self._rows(blocks)]
        return max(0.0, self.first - sum(rows) - MOST_GAP * (len(rows) - 1))

    def _widened(self, tail: list[_Cell]) -> list[_Cell]:
        """Return the rest of a row that was split; what is left of one column alone takes the whole width."""
        if len(tail) > 1:
            return tail
        heights = [(each, least_height(each, self.width, self.setting)) for each, _ in tail[0].blocks]
        return [_Cell(0.0, self.width, heights, self.setting)]

    def _room(self, page: int) -> float:
        return self.setting.page_height if page else self.first

    def _refuse(self, row: Sequence[_Cell], room: float) -> None:
        over = [(block, height.least - room) for cell in row for block, height in cell.blocks if height.least > room]
        raise InputError(
            [
                Problem(
                    block.place,
                    f"the block {quoted(block.title or block.kind)} is {more:.1f} mm higher than the page "
                    "(give it fewer lines, or more columns)",
                )
                for block, more in over
            ]
        )

    def _rows(self, blocks: Iterable[SheetBlock]) -> list[list[SheetBlock]]:
        """Return the blocks of each row: as many as the columns hold."""
        rows: list[list[SheetBlock]] = []
        left = 0
        for block in blocks:
            span = self._span(block)
            if span > left:
                rows.append([])
                left = self.across
            rows[-1].append(block)
            left -= span
        return rows

    def _span(self, block: SheetBlock) -> int:
        return min(block.span or self.columns, self.across)

    def _cells(self, row: Sequence[SheetBlock]) -> list[_Cell]:
        taken = sum(map(self._span, row))
        column = (self.width + COLUMN_GAP) / (self.columns if self.across == self.columns else taken)
        cells, at = [], 0
        for block in row:
            span = self._span(block)
            width = round(span * column - COLUMN_GAP, 2)
            inside = block.stack if block.kind == "stack" else (block,)
            heights = [(each, least_height(each, width, self.setting)) for each in inside]
            cells.append(_Cell(round(at * column, 2), width, heights, self.setting))
            at += span
        return cells


@dataclass(frozen=True, slots=True)
class _Cell:
    """A place in a row: where it begins, how wide it is, and the blocks that stand in it, one below the other."""

    x: float
    width: float
    blocks: Sequence[tuple[SheetBlock, Height]]
    setting: Setting

    @property
    def height(self) -> Height:
        """The height of all blocks together."""
        gaps = ROW_GAP * (len(self.blocks) - 1)
        heights = [height for _, height in self.blocks]
        return Height(
            sum(each.least for each in heights) + gaps,
            sum(each.wanted for each in heights) + gaps,
            sum(each.most for each in heights) + gaps,
        )

    def data(self, height: float) -> dict[str, object]:
        """Return the cell for templates, as high as told."""
        heights = _spread([each for _, each in self.blocks], height - ROW_GAP * (len(self.blocks) - 1))
        parts = [
            drawn(block, self.width, round(high, 2), self.setting)
            for (block, _), high in zip(self.blocks, heights, strict=True)
        ]
        return {"x": self.x, "w": self.width, "gap": ROW_GAP, "blocks": parts}


def _row_height(row: Sequence[_Cell]) -> Height:
    heights = [cell.height for cell in row]
    return Height(*(max(getattr(each, part) for each in heights) for part in ("least", "wanted", "most")))


def _split(row: Sequence[_Cell], room: float) -> tuple[list[_Cell], list[_Cell]]:
    """Return what of a row's stacks fits into the room, and the rest; nothing fits if some cell has none of its own."""
    heads, tails = [], []
    for cell in row:
        count, used = 0, 0.0
        for _, height in cell.blocks:
            used += height.least + (ROW_GAP if count else 0)
            if used > room:
                break
            count += 1
        if not count:
            return [], list(row)
        heads.append(replace(cell, blocks=cell.blocks[:count]))
        tails.append(replace(cell, blocks=cell.blocks[count:]))
    return heads, [tail for tail in tails if tail.blocks]


def _shared_out(page: Sequence[Sequence[_Cell]], room: float) -> list[dict[str, object]]:
    """Return the rows of a page, with what is left of the room shared out among them, and the rest among the gaps."""
    inside = room - ROW_GAP * (len(page) - 1)
    heights = _spread([_row_height(row) for row in page], inside)
    gap = ROW_GAP + min(MOST_GAP - ROW_GAP, max(0.0, inside - sum(heights)) / max(1, len(page) - 1))
    return [
        {"h": round(height, 2), "gap": round(gap, 2), "cells": [cell.data(height) for cell in row]}
        for row, height in zip(page, heights, strict=True)
    ]


def _spread(heights: Sequence[Height], room: float) -> list[float]:
    """Return a height for each within its limits that together fill the room as far as they can."""
    found = [each.least for each in heights]
    for goal in ("wanted", "most"):
        left = room - sum(found)
        wishes = [max(0.0, getattr(each, goal) - now) for each, now in zip(heights, found, strict=True)]
        if (asked := sum(wishes)) > 0 and left > 0:
            part = min(1.0, left / asked)
            found = [now + wish * part for now, wish in zip(found, wishes, strict=True)]
    return found
