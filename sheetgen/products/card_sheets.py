"""Cards to cut out: pages of a PDF, front and back by turns, on sheets with marks, and a word on how to print them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sheetgen.errors import UsageError
from sheetgen.geometry import BLEED, PAPERS, Box, Line, Size, mm
from sheetgen.model.print_job import PrintJob, PrintStep
from sheetgen.press.impose import impose_pages
from sheetgen.press.imposition import Imposition
from sheetgen.press.layouts import PRINTER_MARGIN, Layout, side_by_side
from sheetgen.press.marks import check_rule, crop_marks, ruler
from sheetgen.press.pages import page_total
from sheetgen.press.plan import Flip, Plan, Side, n_up, over


@dataclass(frozen=True, slots=True)
class Cutting:
    """How cards are put on paper; lengths in mm.

    `backs` are printed on the other side (turned over the long or the short `flip` edge), beside the fronts to be
    folded over (`fold`), or not at all. With `bleed` cards stand apart, each with its own; without, neighbours share
    their cut. `shift` moves backs to the right and up, as one sees them on a sheet that stands upright; where there is
    one, sheets come upright.
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
    """The sheets as PDF, how many cards they hold, and what to do with them."""

    data: bytes
    cards: int
    job: PrintJob

    @property
    def sheets(self) -> int:
        """How many sheets of paper it takes."""
        return self.job.sheets

    @property
    def advice(self) -> tuple[str, ...]:
        """What to tell the printer and what to do with the paper then, step by step."""
        return self.job.advice


def cut(pages: bytes, card: Size, cutting: Cutting, *, shared: bool = False) -> Cut:
    """The sheets for cards whose pages are front, back, front, back …, each with BLEED around its trim box.

    If their back is `shared`, the pages are all fronts and, last, the one back. UsageError if not even one card fits on
    the paper.
    """
    there = page_total(pages)
    count = 2 * (there - 1) if shared else there
    layout, imposition = (_folded if cutting.backs == "fold" else _beside)(count, card, cutting)
    job = _job(count // 2, card, cutting, layout, imposition)
    if shared:
        imposition = replace(imposition, plan=_sharing(imposition.plan, there))
    return Cut(impose_pages(pages, imposition), count // 2, job)


def _beside(count: int, card: Size, cutting: Cutting) -> tuple[Layout, Imposition]:
    gutter = 2 * BLEED if cutting.bleed else 0.0
    layout = side_by_side(PAPERS[cutting.paper], card, gutter=gutter, margin=cutting.margin)
    flip = over(cutting.flip, lying=layout.paper.width > layout.paper.height)
    two_sided = cutting.backs == "duplex"
    plan = n_up(count, layout.columns, layout.rows, two_sided=True, flip=flip)
    if not two_sided:
        plan = Plan(plan.columns, plan.rows, plan.sides[::2])
    return layout, _imposition(plan, layout, layout.cells, cutting)


def _sharing(plan: Plan, back: int) -> Plan:
    """A plan of fronts and backs by turns as one where every back is the same page; turned ones stay turned."""

    def page(number: int) -> int:
        found = back if number % 2 == 0 else (abs(number) + 1) // 2
        return 0 if not number else found if number > 0 else -found

    return replace(plan, sides=tuple(replace(side, places=tuple(map(page, side.places))) for side in plan.sides))


def _folded(count: int, card: Size, cutting: Cutting) -> tuple[Layout, Imposition]:
    """Fronts with their backs to the right, one sheet printed on one side; the fold is where they meet."""
    gutter = 2 * BLEED if cutting.bleed else 0.0
    pair = Size(2 * card.width, card.height)
    layout = side_by_side(PAPERS[cutting.paper], pair, gutter=gutter, margin=cutting.margin)
    half = mm(card.width)
    cells = tuple(Box(cell.x + half * right, cell.y, half, cell.height) for cell in layout.cells for right in (0, 1))
    size = len(cells)
    pages = [*range(1, count + 1), *[0] * (-count % size)]
    sides = tuple(Side(tuple(pages[at : at + size])) for at in range(0, len(pages), size))
    return layout, _imposition(Plan(2 * layout.columns, layout.rows, sides), layout, cells, cutting)


def _imposition(plan: Plan, layout: Layout, cells: tuple[Box, ...], cutting: Cutting) -> Imposition:
    marks = tuple(_marks(side, at, plan, layout, cells) if cutting.marks else () for at, side in enumerate(plan.sides))
    folds = _folds(cells) if cutting.backs == "fold" and cutting.marks else ()
    return Imposition(
        plan,
        layout.paper,
        dashed=folds,
        marks=marks,
        cells=cells,
        bleed=BLEED,
        shift=cutting.shift,
        upright=any(cutting.shift),
    )


def _marks(side: Side, at: int, plan: Plan, layout: Layout, cells: tuple[Box, ...]) -> tuple[Line, ...]:
    """Where to cut, on fronts only: the side that one looks at while cutting."""
    if plan.two_sided and at % 2:
        return ()
    filled = [cell for cell, page in zip(cells, side.places, strict=True) if page]
    rule = _rule(layout)
    return (*crop_marks(filled, layout.paper), *(ruler(rule) if rule else ()))


def _rule(layout: Layout) -> Line | None:
    return check_rule(layout.cells, layout.paper, bleed=BLEED)


def _folds(cells: tuple[Box, ...]) -> tuple[Line, ...]:
    """Where fronts meet their backs, drawn above and below only, so that no line runs along a card."""
    lines = []
    for x in sorted({round(cell.right, 3) for cell in cells[::2]}):
        below, above = min(cell.y for cell in cells), max(cell.top for cell in cells)
        lines += [Line(x, below - mm(6), x, below - mm(1)), Line(x, above + mm(1), x, above + mm(6))]
    return tuple(lines)


def _job(cards: int, card: Size, cutting: Cutting, layout: Layout, made: Imposition) -> PrintJob:
    plan, folded = made.plan, cutting.backs == "fold"
    return PrintJob(
        "fold-cards" if folded else "cards",
        f"{cards} card{'' if cards == 1 else 's'} of {card.width:g} × {card.height:g} mm",
        cutting.paper,
        made.paper,
        plan.sheets,
        cutting.flip if plan.two_sided else "",
        made.cells,
        plan.sides[0].places,
        plan.sides[1].places if plan.two_sided else (),
        _steps(card, cutting, layout),
        made.upright,
    )


def _steps(card: Size, cutting: Cutting, layout: Layout) -> tuple[PrintStep, ...]:
    measured = "or the print has the wrong size"
    steps = []
    if cutting.marks and _rule(layout):
        steps.append(PrintStep(f"measure the ruler in the margin: it is 50 mm long, {measured}", ("ruler",)))
    elif cutting.marks:
        steps.append(PrintStep(f"measure from mark to mark: {card.width:g} mm across a card, {measured}", ("marks",)))
    if cutting.backs == "fold":
        say = "cut the rows, fold along the dashes with the print outside, glue, then cut the cards"
        steps.append(PrintStep(say, ("rows", "fold-over", "glue", "cards")))
    else:
        along = "marks" if cutting.marks else "edges of the cards"
        steps.append(
            PrintStep(f"cut along the {along}, the long cuts through the whole sheet first", ("long", "short"))
        )
    return tuple(steps)


def check_cutting(cutting: Cutting) -> None:
    """UsageError for words that mean nothing here."""
    if cutting.backs not in BACKS:
        raise UsageError(f"--backs takes {', '.join(BACKS)}")
