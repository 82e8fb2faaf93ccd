"""What is drawn in the margin of a sheet: marks to cut and fold along, a rule to measure by. Pure, in points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sheetgen.geometry import Box, Line, Size, mm

# In mm: how far from the cut a mark begins, nearer where there is little room; how long it is; where paper ends for it.
GAP, NEAR_GAP, LENGTH, EDGE = 3.0, 1.0, 5.0, 1.0
RULE = 50.0
# In mm: what the rule keeps from the cut and from the edge of the paper, and the height it needs for its ticks.
RULE_GAP, RULE_EDGE, RULE_HEIGHT = 3.0, 6.4, 2.5
# In mm: room for the words behind the rule.
RULE_WORDS = 10.0
# In mm: how tall the letters are that say how long the rule is, and their strokes in a square of 4 by 4.
LETTERS = 1.6
_STROKES = {
    "5": ((0, 4, 2, 4), (0, 4, 0, 2), (0, 2, 2, 2), (2, 2, 2, 0), (2, 0, 0, 0)),
    "0": ((0, 0, 2, 0), (2, 0, 2, 4), (2, 4, 0, 4), (0, 4, 0, 0)),
    "m": ((0, 0, 0, 2), (0, 2, 4, 2), (2, 2, 2, 0), (4, 2, 4, 0)),
    " ": (),
}
_WIDTHS = {"5": 3.5, "0": 3.5, "m": 5.5, " ": 2.0}
_DECIMALS = 3


def crop_marks(cells: Sequence[Box], paper: Size) -> tuple[Line, ...]:
    """The marks for these cells: where each cut leaves the block of cells, on all sides, and never inside it."""
    if not cells:
        return ()
    block = around(cells)
    below, above = block.y, mm(paper.height) - block.top
    left, right = block.x, mm(paper.width) - block.right
    marks = []
    for x in _cuts([(cell.x, cell.right) for cell in cells]):
        marks += [Line(x, block.y - near, x, block.y - far) for near, far in _reach(below)]
        marks += [Line(x, block.top + near, x, block.top + far) for near, far in _reach(above)]
    for y in _cuts([(cell.y, cell.top) for cell in cells]):
        marks += [Line(block.x - near, y, block.x - far, y) for near, far in _reach(left)]
        marks += [Line(block.right + near, y, block.right + far, y) for near, far in _reach(right)]
    return tuple(marks)


def check_rule(cells: Sequence[Box], paper: Size, *, bleed: float = 0.0) -> Line | None:
    """A line of 50 mm in a margin, between two cuts, to see whether the print has its size; None without room.

    It keeps off what is drawn around the cells to be cut away, `bleed` in mm.
    """
    block = around(cells)
    first = cells[0]
    below, left = block.y, block.x
    room = mm(bleed + RULE_GAP + RULE_EDGE + RULE_HEIGHT)
    wanted = mm(RULE)
    if below >= left and below >= room and first.width >= wanted + mm(RULE_WORDS):
        middle = next(cell for cell in cells if cell.right >= mm(paper.width) / 2)
        x, y = middle.x + (middle.width - wanted - mm(RULE_WORDS)) / 2, _between(below - mm(bleed))
        return Line(x, y, x + wanted, y)
    if left >= room and first.height >= wanted + mm(RULE_WORDS):
        middle = next(cell for cell in cells if cell.y <= mm(paper.height) / 2)
        x, y = _between(left - mm(bleed)), middle.y + (middle.height - wanted - mm(RULE_WORDS)) / 2
        return Line(x, y, x, y + wanted)
    return None


def ruler(rule: Line) -> tuple[Line, ...]:
    """The rule with a tick at every 10 mm and its length behind it, all in strokes; along x or along y."""
    length = max(rule.x2 - rule.x1, rule.y2 - rule.y1)
    strokes = [Line(0, 0, length, 0)]
    for at in range(int(RULE / 10) + 1):
        x = length * at * 10 / RULE
        strokes.append(Line(x, 0, x, mm(1.6 if at in (0, RULE / 10) else 0.8)))
    x, unit = length + mm(LETTERS), mm(LETTERS) / 4
    for letter in f"{RULE:.0f} mm":
        for x1, y1, x2, y2 in _STROKES[letter]:
            strokes.append(Line(x + x1 * unit, y1 * unit, x + x2 * unit, y2 * unit))
        x += unit * _WIDTHS[letter]
    return tuple(_laid(stroke, rule) for stroke in strokes)


def _laid(stroke: Line, along: Line) -> Line:
    """A stroke drawn from the origin to the right, moved to where the line begins and into its direction."""
    x, y = along.x1, along.y1
    if along.x1 == along.x2:
        return Line(x - stroke.y1, y + stroke.x1, x - stroke.y2, y + stroke.x2)
    return Line(x + stroke.x1, y + stroke.y1, x + stroke.x2, y + stroke.y2)


def around(cells: Iterable[Box]) -> Box:
    """The smallest box that holds all these cells."""
    cells = tuple(cells)
    x, y = min(cell.x for cell in cells), min(cell.y for cell in cells)
    return Box(x, y, max(cell.right for cell in cells) - x, max(cell.top for cell in cells) - y)


def _cuts(edges: Iterable[tuple[float, float]]) -> list[float]:
    """Where to cut, each place once."""
    return sorted({round(edge, _DECIMALS) for pair in edges for edge in pair})


def _reach(room: float) -> list[tuple[float, float]]:
    """From where to where a mark goes, counted from the cut; nothing where there is no margin to speak of."""
    gap = mm(GAP) if room >= mm(GAP + LENGTH) else mm(NEAR_GAP)
    end = min(gap + mm(LENGTH), room - mm(EDGE))
    return [(gap, end)] if end > gap else []


def _between(room: float) -> float:
    """The middle of what a margin has between the edge that printers leave empty and the cut."""
    return (mm(RULE_EDGE) + room - mm(RULE_GAP)) / 2


def edge_marks(columns: int, rows: int, paper: Size) -> tuple[Line, ...]:
    """Where to fold or cut paper into equal parts, at its edges only, so that nothing runs through a page."""
    width, height, length = mm(paper.width), mm(paper.height), mm(LENGTH)
    lines = []
    for column in range(1, columns):
        x = width * column / columns
        lines += [Line(x, 0, x, length), Line(x, height - length, x, height)]
    for row in range(1, rows):
        y = height * row / rows
        lines += [Line(0, y, length, y), Line(width - length, y, width, y)]
    return tuple(lines)
