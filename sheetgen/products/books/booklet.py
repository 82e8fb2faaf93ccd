"""Any PDF imposed: folded to a booklet, several pages to a side, or cut to a pile, with steps to print and fold it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sheetgen.batch.child import scratch_folder
from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, Size
from sheetgen.model.printing import PrintJob, PrintStep, Shift
from sheetgen.pdf.acroform.fill import draw_values
from sheetgen.pdf.fonts.bundled import load_face
from sheetgen.press.impose import Imposition, cell_of, flatten, impose, page_size, scales
from sheetgen.press.marks import Marks, edge_marks
from sheetgen.press.pages import Pdf
from sheetgen.press.plan import Flip, ImpositionPlan, cut_stack, eight_fold, flip_edge, gutter_fold, n_up, saddle_stitch
from sheetgen.products.options import (
    MOST_MM,
    Options,
    choice,
    flip_option,
    millimetres,
    paper_option,
    plan_option,
    printer_option,
    whole_number,
)
from sheetgen.products.product import Argument, Product, ProductResult, known_printer
from sheetgen.workspace.foreign_files import read_pdf
from sheetgen.workspace.project import Project

FOLDS = {
    "saddle": "a booklet, folded once and stapled through the fold",
    "2up": "two pages a side, in reading order",
    "4up": "four pages a side, in reading order",
    "eight": "a little book of eight pages from one side of one sheet",
    "cut": "four pages a side; the pile is cut once, and the heaps put on each other",
    "gutter": "front and back side by side, to be folded and glued",
}
GRIDS = {"saddle": (2, 1), "2up": (2, 1), "4up": (2, 2), "eight": (4, 2), "cut": (2, 2), "gutter": (2, 1)}
STEPS = {
    "eight": (
        PrintStep(
            "fold to eighths, open, slit the middle two panels along the long fold, push together",
            ("eighths", "slit", "push", "little-book"),
        ),
    ),
    "cut": (
        PrintStep(
            "cut the whole pile across and along the middle; upper left, upper right, lower left, lower right",
            ("pile", "heaps"),
        ),
    ),
    "gutter": (PrintStep("fold along the middle, glue, and cut", ("fold-over", "glue", "trim")),),
}
SHEET = 0.1  # mm: one sheet of 80 g paper
EASY = 48  # pages that still fold well in one bundle


@dataclass(frozen=True, kw_only=True)
class BookletOptions(Options):
    """How pages are imposed: how they are folded, on which paper, turned over which edge; lengths in mm."""

    fold: str = choice("saddle", "; ".join(f"{name}: {say}" for name, say in FOLDS.items()), read=str, metavar="HOW")
    paper: str = paper_option(tuple(PAPERS), "there are")
    signature: int = choice(0, "nest N sheets at a time", read=whole_number(1, 50), metavar="N")
    flip: Flip | None = flip_option(None, "; usually the short one for saddle, the long one for cut")
    creep: float = choice(SHEET, "thickness of a sheet (default 0.1)", read=millimetres(0, MOST_MM), metavar="MM")
    margin: float = choice(0.0, "kept free around pages (default 0)", read=millimetres(0, MOST_MM), metavar="MM")
    marks: bool = choice(False, "short dashes at the edges where to fold or cut", negatable=True)
    enlarge: bool = choice(False, "fill the place also when pages are smaller")
    printer: str = printer_option()
    plan: bool = plan_option()

    @property
    def turned(self) -> Flip:
        """The edge to turn the paper over: the one that was chosen, or else the one that suits the fold."""
        return self.flip or ("short" if self.fold == "saddle" else "long")


def make_booklet(project: Project, path: Path, options: BookletOptions, form: str) -> ProductResult:
    """Return the pages of a PDF on sheets; InputError for a file that cannot be read."""
    shift = known_printer(project, options.printer).moves(options.turned)

    with scratch_folder() as folder:
        target = Path(folder) / "imposed.pdf"

        def work(source: Pdf) -> ProductResult:
            draw_values(source, project.shown(path), load_face)
            count, notes = len(source.pages), flatten(source)
            made = _imposition(options, count, page_size(source.pages[0]), shift)
            remarks = (*_scale_told(scales(source, made)), *_blanks_told(options, made.plan, count))
            impose(source, made, target)
            job = replace(_job(options, made, count), remarks=remarks)
            pages = f"{count} page{'' if count == 1 else 's'}"
            return ProductResult(b"", f"{pages}: {FOLDS[options.fold]}", job.advice, job, title=path.stem, notes=notes)

        made = read_pdf(path, project.shown(path), work)
        return replace(made, data=target.read_bytes())


def _scale_told(scales: Sequence[float]) -> Iterator[str]:
    """The sentence on pages that are not printed at their own size."""
    least, most = (round(100 * each) for each in (min(scales), max(scales)))
    if least == most != 100:
        yield f"pages are printed at {least} % of their size"
    elif least != most:
        other = sum(round(100 * each) != 100 for each in scales)
        yield f"pages are printed at {least} to {most} % of their size, {other} of {len(scales)} not at 100 %"


def _blanks_told(options: BookletOptions, plan: ImpositionPlan, count: int) -> Iterator[str]:
    """The sentence on empty pages that a booklet has more than its source."""
    if options.fold in ("saddle", "eight") and (empty := plan.empty):
        added = f"{empty} empty page{' is' if empty == 1 else 's are'} added"
        yield f"{added} before the last one, which stays outside" if count > 1 else f"{added} after the only one"


def _imposition(options: BookletOptions, count: int, page: Size, shift: Shift) -> Imposition:
    columns, rows = grid = _grid(options.fold, page)
    lying = page.width * columns > page.height * rows
    plan = _plan(options, count, grid, lying=lying)
    paper = PAPERS[options.paper].turned if lying else PAPERS[options.paper]
    folds = Marks(dashed=edge_marks(plan.columns, plan.rows, paper))
    thickness = options.creep if options.fold == "saddle" else 0.0
    return Imposition(
        plan,
        paper,
        margin=options.margin,
        thickness=thickness,
        enlarge=options.enlarge,
        marks=(folds,) * len(plan.sides) if options.marks else (),
        shift=shift,
        upright=any(shift),
        flip=options.turned if plan.two_sided else "",
    )


def _grid(fold: str, page: Size) -> tuple[int, int]:
    """Return columns and rows; two pages that lie on their sides stand one above the other."""
    columns, rows = GRIDS[fold]
    return (rows, columns) if fold == "2up" and page.width > page.height else (columns, rows)


def _plan(options: BookletOptions, count: int, grid: tuple[int, int], *, lying: bool) -> ImpositionPlan:
    flip = flip_edge(options.turned, lying=lying)
    if options.fold == "saddle":
        return saddle_stitch(count, signature=options.signature, flip="short" if flip == "long" else "long")
    if options.fold == "eight":
        return eight_fold(count)
    if options.fold == "gutter":
        return gutter_fold(count)
    if options.fold == "cut":
        return cut_stack(count, *grid, two_sided=True, flip=flip)
    return n_up(count, *grid)


def _job(options: BookletOptions, made: Imposition, count: int) -> PrintJob:
    plan = made.plan
    return PrintJob(
        options.fold,
        f"{count} page{'' if count == 1 else 's'}",
        options.paper,
        made.paper,
        plan.sheets,
        options.turned if plan.two_sided else "",
        tuple(cell_of(made, at, 0.0) for at in range(plan.columns * plan.rows)),
        plan.sides[0].places,
        _back_as_seen(plan),
        _steps(options, count),
        made.upright,
    )


def _back_as_seen(plan: ImpositionPlan) -> tuple[int, ...]:
    """Return the back of the first sheet as one sees it: a side on its head shows its last place first."""
    if not plan.two_sided:
        return ()
    places = plan.sides[1].places
    return tuple(-page for page in reversed(places)) if plan.turned_backs else places


def _steps(options: BookletOptions, count: int) -> tuple[PrintStep, ...]:
    """Return what to do with the paper, in order."""
    if options.fold != "saddle":
        return STEPS.get(options.fold, ())
    bundle = f"nest {options.signature} sheets at a time" if options.signature else "nest the sheets"
    say = f"{bundle}, fold once along the middle, staple through the fold"
    steps = (PrintStep(say, ("nest", "fold", "staple")),)
    if count <= EASY or options.signature:
        return steps
    return (*steps, PrintStep(f"more than {EASY} pages fold badly in one bundle: --signature 4 makes several"))


def _conflict(options: BookletOptions, formats: Collection[str]) -> None:
    if options.fold not in FOLDS:
        raise UsageError(f"--fold takes {', '.join(FOLDS)}")


BOOKLET: Product[Path, BookletOptions] = Product(
    "booklet",
    "impose any PDF: saddle stitch, several pages a side, eight-page fold",
    formats=(".pdf",),
    options=BookletOptions,
    arguments=(Argument("file", "the PDF, ours or anybody's", "FILE.pdf"),),
    open=lambda project, given, options: project.where / given,
    make=make_booklet,
    stem=lambda path, options: f"{path.stem}-{options.fold}",
    inputs=lambda project, path: (path,),
    facts=lambda project, path: {"source": project.shown(path)},
    conflict=_conflict,
)
