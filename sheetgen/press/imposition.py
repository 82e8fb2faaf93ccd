"""How pages stand on paper: the plan, where its places are, and the matrices that move pages there. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.geometry import Box, Size, mm
from sheetgen.press.marks import Marks
from sheetgen.press.plan import ImpositionPlan

Matrix = tuple[float, float, float, float, float, float]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_TINY = 0.01


@dataclass(frozen=True, slots=True)
class Imposition:
    """The plan, the paper as it is printed, and the margin kept free around; lengths in mm, cells in points.

    `shrink` makes pages that are too large smaller, `enlarge` fills places with pages that are smaller. `thickness` of
    the paper moves the pages of inner sheets towards the spine. `marks`, if given, are those of each side, labelled in
    a TrueType `font` that has the letters. `cells`, if given, hold trimmed pages at their own size; of the `bleed`
    around them is shown what does not reach into a neighbour. `shift` moves all backs right and up, as one sees them.
    An `upright` sheet that is planned lying is turned to the left in the PDF, as the shift of a printer is measured on
    upright sheets.
    """

    plan: ImpositionPlan
    paper: Size
    margin: float = 0.0
    gutter: float = 0.0
    thickness: float = 0.0
    shrink: bool = True
    enlarge: bool = False
    marks: tuple[Marks, ...] = ()
    font: bytes = b""
    cells: tuple[Box, ...] = ()
    bleed: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    upright: bool = False

    @property
    def delivered(self) -> Size:
        """The size of the pages of the PDF."""
        return self.paper.turned if self._turns else self.paper

    @property
    def _turns(self) -> bool:
        return self.upright and self.paper.width > self.paper.height

    def moves(self, side: int) -> Matrix:
        """Return the matrix from the plan of a side, counted from 0, to the delivered page."""
        laid = (0.0, 1.0, -1.0, 0.0, mm(self.paper.height), 0.0) if self._turns else IDENTITY
        if not self.is_back(side):
            return laid
        # A page that is shown on its head is also moved on its head.
        sign = -1 if self.plan.turned_backs else 1
        return multiply(laid, (1, 0, 0, 1, sign * mm(self.shift[0]), sign * mm(self.shift[1])))

    def is_back(self, side: int) -> bool:
        """Return whether a side, counted from 0, is printed on the back of another."""
        return self.plan.two_sided and side % 2 == 1


def cell_of(imposition: Imposition, at: int, shift: float) -> Box:
    """Return a place on the paper, in points; in booklets it moves `shift` mm towards the spine between the columns."""
    plan, paper, margin = imposition.plan, imposition.paper, mm(imposition.margin)
    row, column = divmod(at, plan.columns)
    gap = mm(imposition.gutter)
    width = (mm(paper.width) - 2 * margin - gap * (plan.columns - 1)) / plan.columns
    height = (mm(paper.height) - 2 * margin - gap * (plan.rows - 1)) / plan.rows
    x = margin + column * (width + gap)
    if plan.spines:
        x += mm(shift) if column == 0 else -mm(shift)
    return Box(x, mm(paper.height) - margin - (row + 1) * height - row * gap, width, height)


def window_of(imposition: Imposition, at: int) -> tuple[float, float, float, float]:
    """Return x, y, width and height of what is shown of a page: its cell and bleed, up to halfway to a neighbour."""
    cell, bleed = imposition.cells[at], mm(imposition.bleed)
    left = right = below = above = bleed
    for other in imposition.cells:
        if other.y < cell.top and other.top > cell.y:
            if other.right <= cell.x + _TINY:
                left = min(left, max(cell.x - other.right, 0.0) / 2)
            elif other.x >= cell.right - _TINY:
                right = min(right, max(other.x - cell.right, 0.0) / 2)
        if other.x < cell.right and other.right > cell.x:
            if other.top <= cell.y + _TINY:
                below = min(below, max(cell.y - other.top, 0.0) / 2)
            elif other.y >= cell.top - _TINY:
                above = min(above, max(other.y - cell.top, 0.0) / 2)
    return cell.x - left, cell.y - below, cell.width + left + right, cell.height + below + above


def multiply(first: Matrix, then: Matrix) -> Matrix:
    """Return the matrix that does the first and then the other."""
    a, b, c, d, e, f = first
    k, m, n, p, q, r = then
    return (a * k + b * n, a * m + b * p, c * k + d * n, c * m + d * p, e * k + f * n + q, e * m + f * p + r)
