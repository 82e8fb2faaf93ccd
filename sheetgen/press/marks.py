"""What is drawn in the margin of a sheet of cards: marks to cut along, a rule to measure by. Pure, in points."""

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


def check_rule(cells: Sequence[Box], paper: Size) -> Line | None:
    """A line of 50 mm in a margin, between two cuts, to see whether the print has its size; None without room."""
    block = around(cells)
    first = cells[0]
    below, left = block.y, block.x
    room = mm(RULE_GAP + RULE_EDGE + RULE_HEIGHT)
    wanted = mm(RULE)
    if below >= left and below >= room and first.width >= wanted + mm(RULE_WORDS):
        middle = next(cell for cell in cells if cell.right >= mm(paper.width) / 2)
        x, y = middle.x + (middle.width - wanted - mm(RULE_WORDS)) / 2, _between(below)
        return Line(x, y, x + wanted, y)
    if left >= room and first.height >= wanted + mm(RULE_WORDS):
        middle = next(cell for cell in cells if cell.y <= mm(paper.height) / 2)
        x, y = _between(left), middle.y + (middle.height - wanted - mm(RULE_WORDS)) / 2
        return Line(x, y, x, y + wanted)
    return None


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
