"""What is drawn in the margin of a sheet: marks to cut and fold along, and a ruler. Pure; lines are in points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sheetgen.geometry import Box, Line, Size, mm

# All lengths here are in mm.
# How far from the cut a mark begins, nearer where there is little room; how long it is; what it keeps from the edge.
GAP, NEAR_GAP, LENGTH, EDGE = 3.0, 1.0, 5.0, 1.0
CORNER_GAP, CORNER_LENGTH = 1.5, 4.0
# What has to be seen of a mark within the margin that the printer leaves white; the arms of a cross where it is less.
LEAST_SEEN, ARM = 1.5, 2.0
RULER = 50.0
RULER_LABEL = f"{RULER:.0f} mm"
# What the ruler keeps from the cut and from the edge of the paper, its height, and the room for the words behind it.
RULER_GAP, RULER_EDGE, RULER_HEIGHT, RULER_WORDS = 3.0, 6.4, 2.5, 10.0
RULER_NEAR_GAP, RULER_TICK = 0.8, 1.6
# Words beside the ruler, in points; what they keep from the cuts and the ruler, and the shortest line, in mm.
WORDS_SIZE, WORDS_LEADING = 6.5, 7.1
WORDS_GAP, WORDS_NEAR, WORDS_LEAST = 2.0, 1.4, 40.0
_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Words:
    """A line of words in a margin: where it begins, in points, and whether it reads upwards."""

    x: float
    y: float
    text: str
    turned: bool = False


@dataclass(frozen=True, slots=True)
class MarginRoom:
    """Room for so many lines of words beside a ruler: the lower left of the first, their length, in points."""

    x: float
    y: float
    length: float
    lines: int
    turned: bool

    def line(self, number: int, along: float = 0.0) -> tuple[float, float]:
        """Return where line `number`, from 0, stands, so many points from its beginning."""
        by = number * WORDS_LEADING
        return (self.x + by, self.y + along) if self.turned else (self.x + along, self.y - by)


@dataclass(frozen=True, slots=True)
class Marks:
    """What is drawn on one side of a sheet: hairlines, dashed ones, a ruler along a line of 50 mm, and words."""

    lines: tuple[Line, ...] = ()
    dashed: tuple[Line, ...] = ()
    rule: Line | None = None
    words: tuple[Words, ...] = ()


def crop_marks(cells: Sequence[Box], paper: Size, *, margin: float = 0.0) -> tuple[Line, ...]:
    """Return the marks where each cut leaves the block of cells, on all four sides and never inside it.

    They begin nearer to the cut where the `margin` that the printer leaves white, in mm, would swallow most of them.
    """
    if not cells:
        return ()
    block = bounding_box(cells)
    below, above = block.y, mm(paper.height) - block.top
    left, right = block.x, mm(paper.width) - block.right
    marks = []
    for x in _cuts([(cell.x, cell.right) for cell in cells]):
        marks += [Line(x, block.y - near, x, block.y - far) for near, far in _reach(below, margin)]
        marks += [Line(x, block.top + near, x, block.top + far) for near, far in _reach(above, margin)]
    for y in _cuts([(cell.y, cell.top) for cell in cells]):
        marks += [Line(block.x - near, y, block.x - far, y) for near, far in _reach(left, margin)]
        marks += [Line(block.right + near, y, block.right + far, y) for near, far in _reach(right, margin)]
    return tuple(marks)


def cross_marks(cells: Sequence[Box], paper: Size, *, margin: float) -> tuple[Line, ...]:
    """Return small crosses at the corners of the cells, along the cuts, if marks around the block would not be printed.

    None where the `margin` of the printer, in mm, leaves enough to be seen of the marks on all four sides.
    """
    if not cells:
        return ()
    block = bounding_box(cells)
    rooms = block.x, block.y, mm(paper.width) - block.right, mm(paper.height) - block.top
    if min(rooms) - mm(margin + NEAR_GAP) >= mm(LEAST_SEEN):
        return ()
    arm, lines = mm(ARM), dict[tuple[float, float, bool], Line]()
    for cell in cells:
        for x in (cell.x, cell.right):
            for y in (cell.y, cell.top):
                at = round(x, _DECIMALS), round(y, _DECIMALS)
                lines[*at, True] = Line(x, y - arm, x, y + arm)
                lines[*at, False] = Line(x - arm, y, x + arm, y)
    return tuple(lines.values())


def corner_marks(cells: Sequence[Box], paper: Size, *, margin: float = EDGE) -> tuple[Line, ...]:
    """Return two short strokes at each corner of each cell, along its edges and outside of it.

    Where the `margin` that the printer leaves white, in mm, would swallow them, they lie on the edges of the cell.
    """
    return tuple(line for cell in cells for line in _corners(cell, paper, margin))


def _corners(cell: Box, paper: Size, margin: float) -> Iterator[Line]:
    below, above = (_stroke(room, margin) for room in (cell.y, mm(paper.height) - cell.top))
    left, right = (_stroke(room, margin) for room in (cell.x, mm(paper.width) - cell.right))
    for x in (cell.x, cell.right):
        yield Line(x, cell.y - below[0], x, cell.y - below[1])
        yield Line(x, cell.top + above[0], x, cell.top + above[1])
    for y in (cell.y, cell.top):
        yield Line(cell.x - left[0], y, cell.x - left[1], y)
        yield Line(cell.right + right[0], y, cell.right + right[1], y)


def _stroke(room: float, margin: float) -> tuple[float, float]:
    """Return from where to where a stroke goes, counted outwards from its corner."""
    gap, end = mm(CORNER_GAP), room - mm(margin)
    if end - gap < mm(LEAST_SEEN) and margin > EDGE:
        return 0.0, -mm(ARM)
    return gap, min(gap + mm(CORNER_LENGTH), end)


def edge_marks(columns: int, rows: int, paper: Size) -> tuple[Line, ...]:
    """Return where to fold or cut paper into equal parts, marked at its edges only, so that no line crosses a page."""
    width, height, length = mm(paper.width), mm(paper.height), mm(LENGTH)
    lines = []
    for column in range(1, columns):
        x = width * column / columns
        lines += [Line(x, 0, x, length), Line(x, height - length, x, height)]
    for row in range(1, rows):
        y = height * row / rows
        lines += [Line(0, y, length, y), Line(width - length, y, width, y)]
    return tuple(lines)


def parting_marks(cells: Sequence[Box], paper: Size) -> tuple[Line, ...]:
    """Return where to cut or fold between cells that fill the paper, marked within what printers can print."""
    inner, outer = mm(RULER_EDGE), mm(RULER_EDGE + CORNER_LENGTH)
    heights = sorted({round(cell.y, _DECIMALS) for cell in cells if cell.y > inner})
    ends = (inner, outer), (mm(paper.width) - outer, mm(paper.width) - inner)
    return tuple(Line(left, y, right, y) for y in heights for left, right in ends)


def check_rule(cells: Sequence[Box], paper: Size, *, bleed: float = 0.0, margin: float | None = None) -> Line | None:
    """Return a line of 50 mm in a margin, between two cuts, to check the size of the print by; None without room.

    It keeps off what is drawn around the cells to be cut away, `bleed` in mm, and out of a `margin` that the printer is
    known to leave white; then it may stand close to the bleed.
    """
    for gap in (RULER_GAP,) if margin is None else (RULER_GAP, RULER_NEAR_GAP):
        rule = _rule_in(cells, paper, bleed + gap, max(RULER_EDGE, margin or 0.0))
        if rule is not None:
            return rule
    return None


def _rule_in(cells: Sequence[Box], paper: Size, keep: float, edge: float) -> Line | None:
    """Return the line in a margin, so far from the cells and from the edge of the paper, in mm.

    It is under the last column, or beside the top row, so that words in that margin are read on before it.
    """
    block = bounding_box(cells)
    first = cells[0]
    below, left = block.y, block.x
    room = mm(keep + edge + RULER_HEIGHT)
    wanted = mm(RULER)
    if below >= left and below >= room and first.width >= wanted + mm(RULER_WORDS):
        last = max(cells, key=lambda cell: cell.x)
        x, y = last.x + (last.width - wanted - mm(RULER_WORDS)) / 2, (mm(edge - keep) + below) / 2
        return Line(x, y, x + wanted, y)
    if left >= room and first.height >= wanted + mm(RULER_WORDS):
        last = max(cells, key=lambda cell: cell.y)
        x = max((mm(edge - keep) + left) / 2, mm(edge + RULER_TICK))  # its ticks point to the edge
        y = last.y + (last.height - wanted - mm(RULER_WORDS)) / 2
        return Line(x, y, x, y + wanted)
    return None


def beside_rule(cells: Sequence[Box], paper: Size, rule: Line | None) -> tuple[MarginRoom, ...]:
    """Return the room for words in the margin of a ruler, between cuts and on both sides of it, along its direction.

    Where there is no ruler, or no room, there is none.
    """
    if rule is None:
        return ()
    block, turned, gap = bounding_box(cells), rule.x1 == rule.x2, mm(WORDS_GAP)
    begin, end = (rule.y1, rule.y2) if turned else (rule.x1, rule.x2)
    spans = sorted({(cell.y, cell.top) if turned else (cell.x, cell.right) for cell in cells})
    taken = begin - mm(WORDS_GAP), end + mm(RULER_WORDS)
    parts = []
    for low, high in spans:
        met = low < taken[1] and taken[0] < high
        pieces = [(low + gap, taken[0]), (taken[1], high - gap)] if met else [(low + gap, high - gap)]
        parts += [(first, last) for first, last in pieces if last - first >= mm(WORDS_LEAST)]
    near = (block.x if turned else block.y) - mm(WORDS_NEAR)
    lines = 1 + int((near - mm(RULER_EDGE) - WORDS_SIZE) / WORDS_LEADING)
    if turned:
        x = near - (lines - 1) * WORDS_LEADING - 0.25 * WORDS_SIZE
        return tuple(MarginRoom(x, first, last - first, lines, turned) for first, last in parts if lines)
    top = near - 0.75 * WORDS_SIZE
    return tuple(MarginRoom(first, top, last - first, lines, turned) for first, last in parts if lines)


def under_marks(cells: Sequence[Box], paper: Size, *, margin: float) -> tuple[MarginRoom, ...]:
    """Return the room for words below the marks under a block of cells; none where these reach nearly to the edge."""
    block, edge = bounding_box(cells), mm(max(RULER_EDGE, margin))
    lines = int((block.y - mm(GAP + LENGTH + WORDS_GAP) - edge) / WORDS_LEADING)
    top = edge + lines * WORDS_LEADING - 0.75 * WORDS_SIZE
    return (MarginRoom(block.x, top, block.width, lines, turned=False),) if lines > 0 else ()


def bounding_box(cells: Iterable[Box]) -> Box:
    """Return the smallest box that holds all these cells."""
    cells = tuple(cells)
    x, y = min(cell.x for cell in cells), min(cell.y for cell in cells)
    return Box(x, y, max(cell.right for cell in cells) - x, max(cell.top for cell in cells) - y)


def _cuts(edges: Iterable[tuple[float, float]]) -> list[float]:
    """Where to cut, each place once."""
    return sorted({round(edge, _DECIMALS) for pair in edges for edge in pair})


def _reach(room: float, margin: float) -> list[tuple[float, float]]:
    """From where to where a mark goes, counted from the cut; nothing where there is hardly a margin."""
    gap = mm(GAP) if room >= mm(max(GAP + LENGTH, GAP + LEAST_SEEN + margin)) else mm(NEAR_GAP)
    end = min(gap + mm(LENGTH), room - mm(EDGE))
    return [(gap, end)] if end > gap else []
