"""Cards to cut out: pages of a PDF, front and back by turns, on sheets with marks, and a word on how to print them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, Box, Line, Size, mm
from sheetgen.press.impose import Imposition, impose, page_count
from sheetgen.press.layouts import PRINTER_MARGIN, Layout, side_by_side
from sheetgen.press.marks import check_rule, crop_marks, ruler
from sheetgen.press.plan import Flip, Plan, Side, n_up

BLEED = 3.0  # mm around every card that is drawn to be cut away


@dataclass(frozen=True, slots=True)
class Cutting:
    """How cards are put on paper; lengths in mm.

    `backs` are printed on the other side (turned over the long or the short `flip` edge), beside the fronts to be
    folded over (`fold`), or not at all. With `bleed` cards stand apart, each with its own; without, neighbours share
    their cut. `shift` moves backs to the right and up.
    """

    paper: str = "a4"
    backs: str = "duplex"
    flip: Flip = "long"
    bleed: bool = False
    margin: float = PRINTER_MARGIN
    marks: bool = True
    shift: tuple[float, float] = (0.0, 0.0)


BACKS = {
    "duplex": "on the other side of the paper",
    "fold": "beside the fronts, to be folded over and glued",
    "none": "left out",
}


@dataclass(frozen=True, slots=True)
class Cut:
    """The sheets as PDF, how many cards and sheets they are, and what to do with them, step by step."""

    data: bytes
    cards: int
    sheets: int
    advice: tuple[str, ...]


def cut(pages: bytes, card: Size, cutting: Cutting) -> Cut:
    """The sheets for cards whose pages are front, back, front, back …, each with BLEED around its trim box.

    UsageError if not even one card fits on the paper.
    """
    with TemporaryDirectory(prefix="sheetgen-") as folder:
        source, target = Path(folder) / "cards.pdf", Path(folder) / "sheets.pdf"
        source.write_bytes(pages)
        count = page_count(source, source.name)
        imposition = _folded(count, card, cutting) if cutting.backs == "fold" else _laid(count, card, cutting)
        impose(source, source.name, imposition, target)
        plan = imposition.plan
        return Cut(target.read_bytes(), count // 2, plan.sheets, _advice(cutting, plan))


def _laid(count: int, card: Size, cutting: Cutting) -> Imposition:
    gutter = 2 * BLEED if cutting.bleed else 0.0
    layout = side_by_side(PAPERS[cutting.paper], card, gutter=gutter, margin=cutting.margin)
    wide = layout.paper.width > layout.paper.height
    # What is the long edge of the paper is the upper one when it lies on its side.
    turned: Flip = "short" if cutting.flip == "long" else "long"
    flip = turned if wide else cutting.flip
    two_sided = cutting.backs == "duplex"
    plan = n_up(count, layout.columns, layout.rows, two_sided=True, flip=flip)
    if not two_sided:
        plan = Plan(plan.columns, plan.rows, plan.sides[::2])
    return _imposition(plan, layout, layout.cells, cutting)


def _folded(count: int, card: Size, cutting: Cutting) -> Imposition:
    """Fronts with their backs to the right, one sheet printed on one side; the fold is where they meet."""
    gutter = 2 * BLEED if cutting.bleed else 0.0
    pair = Size(2 * card.width, card.height)
    layout = side_by_side(PAPERS[cutting.paper], pair, gutter=gutter, margin=cutting.margin)
    half = mm(card.width)
    cells = tuple(Box(cell.x + half * right, cell.y, half, cell.height) for cell in layout.cells for right in (0, 1))
    size = len(cells)
    pages = [*range(1, count + 1), *[0] * (-count % size)]
    sides = tuple(Side(tuple(pages[at : at + size])) for at in range(0, len(pages), size))
    return _imposition(Plan(2 * layout.columns, layout.rows, sides), layout, cells, cutting)


def _imposition(plan: Plan, layout: Layout, cells: tuple[Box, ...], cutting: Cutting) -> Imposition:
    marks = tuple(_marks(side, at, plan, layout, cells) if cutting.marks else () for at, side in enumerate(plan.sides))
    folds = _folds(cells) if cutting.backs == "fold" and cutting.marks else ()
    return Imposition(plan, layout.paper, dashed=folds, marks=marks, cells=cells, bleed=BLEED, shift=cutting.shift)


def _marks(side: Side, at: int, plan: Plan, layout: Layout, cells: tuple[Box, ...]) -> tuple[Line, ...]:
    """Where to cut, on fronts only: the side that one looks at while cutting."""
    if plan.two_sided and at % 2:
        return ()
    filled = [cell for cell, page in zip(cells, side.places, strict=True) if page]
    rule = check_rule(layout.cells, layout.paper)
    return (*crop_marks(filled, layout.paper), *(ruler(rule) if rule else ()))


def _folds(cells: tuple[Box, ...]) -> tuple[Line, ...]:
    """Where fronts meet their backs, drawn above and below only, so that no line runs along a card."""
    lines = []
    for x in sorted({round(cell.right, 3) for cell in cells[::2]}):
        below, above = min(cell.y for cell in cells), max(cell.top for cell in cells)
        lines += [Line(x, below - mm(6), x, below - mm(1)), Line(x, above + mm(1), x, above + mm(6))]
    return tuple(lines)


def _advice(cutting: Cutting, plan: Plan) -> tuple[str, ...]:
    sheets = f"{plan.sheets} sheet{'' if plan.sheets == 1 else 's'} of {cutting.paper.upper()}"
    sides = f"on both sides, turned over the {cutting.flip} edge" if plan.two_sided else "on one side"
    steps = [f"{sheets}, printed {sides}, at actual size (100 %)"]
    if cutting.marks:
        steps.append("measure the ruler in the margin: it is 50 mm long, or the print has the wrong size")
    if cutting.backs == "fold":
        steps.append("cut the rows, fold along the dashes with the print outside, glue, then cut the cards")
    else:
        steps.append("cut along the marks, the long cuts through the whole sheet first")
    return tuple(steps)


def check_cutting(cutting: Cutting) -> None:
    """UsageError for words that mean nothing here."""
    if cutting.backs not in BACKS:
        raise UsageError(f"--backs takes {', '.join(BACKS)}")
