"""The blocks of a scene placed on pages by their measured heights: text and map beside what is at stake, then people,
then what is used up in three columns, and what is left of the last page for what happened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sheetgen.documents.session.run_sheet import BELOW, LEFT, PEOPLE, RIGHT
from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import Size

GUTTER, WIDE, NARROW = 6.0, 122.0, 58.0  # mm
GAP, APART = 5.0, 0.0  # mm between blocks, and between the rows of people
HEAD, FOOT_ROOM, TOP, SIDE = 19.0, 16.0, 11.0, 12.0
LEAST_NOTES, BESIDE = 20.0, 12.0

Block = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block on a page, or room to write: its upper left corner and its width in mm, and the height of room."""

    block: Block
    x: float
    y: float
    width: float
    height: float


@dataclass(slots=True)
class RunPage:
    """A page of a run sheet; `first` is that with the title of the scene."""

    first: bool
    placed: list[PlacedBlock] = field(default_factory=list)


def width_of(block: Block, whole: float) -> float:
    """Return how wide a block is, in mm; `whole` is the width of the page between its margins."""
    wide = whole - NARROW - GUTTER
    columns = (whole - 2 * GUTTER) / 3
    return {LEFT: wide, RIGHT: NARROW, PEOPLE: whole, BELOW: round(columns, 2)}[block["where"]]


class _Pages:
    """Pages that are filled from the top."""

    def __init__(self, heights: Mapping[str, float], paper: Size) -> None:
        self.heights, self.paper = heights, paper
        self.whole, self.bottom = paper.width - 2 * SIDE, paper.height - FOOT_ROOM
        self.pages = [RunPage(True)]
        self.y = TOP + HEAD

    def height(self, block: Block) -> float:
        return self.heights[block["id"]]

    def turn(self) -> None:
        self.pages.append(RunPage(False))
        self.y = TOP + HEAD * 0.72

    def put(self, block: Block, x: float, y: float, width: float, height: float = 0.0) -> None:
        self.pages[-1].placed.append(
            PlacedBlock(block, round(SIDE + x, 2), round(y, 2), round(width, 2), round(height, 2))
        )

    def room(self) -> float:
        return self.bottom - self.y


def placed_on_pages(
    blocks: Sequence[Block], heights: Mapping[str, float], paper: Size, place: Place
) -> tuple[RunPage, ...]:
    """Return the pages of a scene; InputError at its place for a block that is higher than a page."""
    pages = _Pages(heights, paper)
    most = paper.height - FOOT_ROOM - TOP - HEAD
    for block in blocks:
        if pages.height(block) > most:
            what = {"read": "the text to read out", "notes": "the notes"}.get(block["kind"], f"its {block['kind']}")
            raise InputError([Problem(place, f"{what} are longer than a page (shorten them, or make two scenes)")])
    of = {where: [each for each in blocks if each["where"] == where] for where in (LEFT, RIGHT, PEOPLE, BELOW)}
    late, free = _beside(pages, of[LEFT], of[RIGHT])
    tools, rows = [*late, *of[BELOW]], of[PEOPLE]
    tools = _aside(pages, tools, free, pages.room() - _total_height(pages, rows) - GAP)
    if _total_height(pages, rows) > pages.room() and 0 < _depth(pages, tools) <= pages.room():
        _columns(pages, tools)  # so that the people stand together overleaf
        _notes(pages)
        pages.turn()
        _rows(pages, rows)
    else:
        _rows(pages, rows)
        if pages.room() < _depth(pages, tools) <= most:
            _notes(pages)
            pages.turn()
        _columns(pages, tools)
    _notes(pages)
    return tuple(pages.pages)


def _total_height(pages: _Pages, blocks: Sequence[Block]) -> float:
    return sum(pages.height(each) + APART for each in blocks)


def _depth(pages: _Pages, blocks: Sequence[Block]) -> float:
    """Return how deep three columns are with these blocks in them."""
    ends = [0.0] * 3
    for block in blocks:
        ends[ends.index(min(ends))] += pages.height(block) + GAP
    return max(ends) - GAP if blocks else 0.0


def _aside(pages: _Pages, tools: list[Block], free: tuple[float, float], room: float) -> list[Block]:
    """Place blocks that are used up in the narrow column, from its free top to its bottom, if the rest then fits into
    the room below the people; return those that are left.
    """
    (y, bottom), left, taken = free, list(tools), list[tuple[Block, float]]()
    while _depth(pages, left) > room:
        fitting = [each for each in left if y + pages.height(each) <= bottom]
        if not fitting:
            return tools
        block = max(fitting, key=pages.height)
        left.remove(block)
        taken.append((block, y))
        y += pages.height(block) + GAP
    for block, top in taken:
        pages.put(block, pages.whole - NARROW, top, NARROW)
    return left


def _beside(pages: _Pages, left: Sequence[Block], right: Sequence[Block]) -> tuple[list[Block], tuple[float, float]]:
    """Place what is read beside what is at stake; return what of that finds no room there, and what room it leaves."""
    wide, start = pages.whole - NARROW - GUTTER, pages.y
    waiting, side = list(right), start
    y = start
    for block in left:
        if y + pages.height(block) > pages.bottom:
            waiting, side = _side(pages, waiting, side, pages.bottom), 0.0
            pages.turn()
            y = side = pages.y
        pages.put(block, 0, y, wide)
        y += pages.height(block) + GAP
    end = max(y, start)
    if left:
        waiting, side = _side_and_end(pages, waiting, side, end)
        end = max(end, side)
    pages.y = end if left else start
    return waiting, (side, pages.y - GAP if left and not waiting else side)


def _side(pages: _Pages, blocks: list[Block], y: float, bottom: float) -> list[Block]:
    left, _ = _side_and_end(pages, blocks, y, bottom)
    return left


def _side_and_end(pages: _Pages, blocks: list[Block], y: float, bottom: float) -> tuple[list[Block], float]:
    """Place blocks in the narrow column down to about a height; return those left over, and how far down it goes."""
    x = pages.whole - NARROW
    for at, block in enumerate(blocks):
        end = y + pages.height(block)
        if end > min(bottom + BESIDE, pages.bottom) + GAP:
            return blocks[at:], y
        pages.put(block, x, y, NARROW)
        y = end + GAP
    return [], y


def _rows(pages: _Pages, blocks: Sequence[Block]) -> None:
    """Place the people under their head, which stands again on each page."""
    if not blocks:
        return
    head, rows = blocks[0], blocks[1:]
    first = pages.height(rows[0]) if rows else 0.0
    if pages.room() < pages.height(head) + first:
        pages.turn()
    pages.put(head, 0, pages.y, pages.whole)
    pages.y += pages.height(head)
    for row in rows:
        if pages.room() < pages.height(row):
            pages.turn()
            pages.put(head, 0, pages.y, pages.whole)
            pages.y += pages.height(head)
        pages.put(row, 0, pages.y, pages.whole)
        pages.y += pages.height(row) + APART
    pages.y += GAP


def _columns(pages: _Pages, blocks: Sequence[Block]) -> None:
    """Place blocks in three columns, each in the shortest, on as many pages as that takes."""
    width = (pages.whole - 2 * GUTTER) / 3
    ends = [pages.y] * 3
    for block in blocks:
        height = pages.height(block)
        at = min(range(3), key=lambda each: ends[each])
        if ends[at] + height > pages.bottom:
            fitting = [each for each in range(3) if ends[each] + height <= pages.bottom]
            if fitting:
                at = fitting[0]
            else:
                pages.turn()
                ends, at = [pages.y] * 3, 0
        pages.put(block, at * (width + GUTTER), ends[at], width)
        ends[at] += height + GAP
    _fill(pages, ends, width, bool(blocks))


def _fill(pages: _Pages, ends: Sequence[float], width: float, used: bool) -> None:
    """Leave room to write below the columns: across the page, or else in the shortest of them."""
    pages.y = max(ends)
    if pages.room() >= LEAST_NOTES or not used:
        return
    at = min(range(3), key=lambda each: ends[each])
    if pages.bottom - ends[at] >= LEAST_NOTES:
        pages.put({"id": "notes", "kind": "happened"}, at * (width + GUTTER), ends[at], width, pages.bottom - ends[at])


def _notes(pages: _Pages) -> None:
    if pages.room() >= LEAST_NOTES:
        pages.put({"id": "notes", "kind": "happened"}, 0, pages.y, pages.whole, pages.room())
