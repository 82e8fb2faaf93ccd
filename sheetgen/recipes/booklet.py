"""Any PDF imposed: folded to a booklet, several pages to a side, cut to a pile; and a word on how to print it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sheetgen.batch.confine import confined
from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, Line, Size, mm
from sheetgen.press.impose import Imposition, first_size, impose, page_count
from sheetgen.press.plan import Flip, Plan, cut_stack, eight_fold, gutter_fold, n_up, saddle_stitch
from sheetgen.recipes.book import Write, book
from sheetgen.recipes.packs import Pack
from sheetgen.recipes.project import Project

FOLDS = {
    "saddle": "a booklet, folded once and stapled through the fold",
    "2up": "two pages a side, in reading order",
    "4up": "four pages a side, in reading order",
    "eight": "a little book of eight pages from one side of one sheet",
    "cut": "four pages a side; the pile is cut once, and the heaps put on each other",
    "gutter": "front and back side by side, to be folded and glued",
}
SHEET = 0.1  # mm: one sheet of 80 g paper
PAGES = "a5"  # what two of fit side by side on the papers that homes have
EASY = 48  # pages that still fold well in one bundle


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of an imposition: how it is folded, on which paper, turned over which edge."""

    fold: str = "saddle"
    paper: str = "a4"
    signature: int = 0
    flip: Flip = "short"
    thickness: float = SHEET
    margin: float = 0.0
    marks: bool = False
    enlarge: bool = False


@dataclass(frozen=True, slots=True)
class Imposed:
    """The imposed PDF, how many pages it was made of, and what to do with it at the printer, step by step."""

    data: bytes
    pages: int
    advice: tuple[str, ...]


def imposed(project: Project, path: Path, wish: Wish) -> Imposed:
    """The pages of a PDF on sheets; InputError for a file that cannot be read, UsageError for a wish that cannot be."""
    if wish.fold not in FOLDS:
        raise UsageError(f"--fold takes {', '.join(FOLDS)}")
    shown = project.shown(path)

    def work() -> tuple[bytes, int, tuple[str, ...]]:
        count = page_count(path, shown)
        made = _imposition(wish, count, first_size(path, shown))
        with TemporaryDirectory(prefix="sheetgen-") as folder:
            target = Path(folder) / "imposed.pdf"
            impose(path, shown, made, target)
            return target.read_bytes(), count, _advice(wish, made.plan, count)

    return Imposed(*confined(work, what=shown))


def book_as_booklet(project: Project, pack: Pack, write: Write, *, paper: str) -> Imposed:
    """Writes the rulebook of a pack as a booklet: pages of A5, two to a side of `paper`, to be folded and stapled."""
    with TemporaryDirectory(prefix="sheetgen-") as folder:
        path = Path(folder) / f"{pack.system.id}-rulebook.pdf"
        with path.open("wb") as file:
            book(project, pack, file.write, form=".pdf", paper=PAGES)
        made = imposed(project, path, Wish(paper=paper))
    write(made.data)
    return made


def _imposition(wish: Wish, count: int, page: Size) -> Imposition:
    plan = _plan(wish, count)
    upright = PAPERS[wish.paper]
    wide = page.width * plan.columns / (page.height * plan.rows) > 1
    paper = upright.turned if wide else upright
    folds = _folds(plan, paper) if wish.marks else ()
    thickness = wish.thickness if wish.fold == "saddle" else 0.0
    return Imposition(plan, paper, margin=wish.margin, thickness=thickness, enlarge=wish.enlarge, dashed=folds)


def _plan(wish: Wish, count: int) -> Plan:
    if wish.fold == "saddle":
        return saddle_stitch(count, signature=wish.signature, flip=wish.flip)
    if wish.fold == "eight":
        return eight_fold(count)
    if wish.fold == "gutter":
        return gutter_fold(count)
    if wish.fold == "cut":
        return cut_stack(count, 2, 2, two_sided=True, flip="long")
    columns, rows = (2, 1) if wish.fold == "2up" else (2, 2)
    return n_up(count, columns, rows)


def _folds(plan: Plan, paper: Size) -> tuple[Line, ...]:
    """Where to fold or cut, drawn at the edges of the paper only, so that nothing runs through a page."""
    width, height, length = mm(paper.width), mm(paper.height), mm(5)
    lines = []
    for column in range(1, plan.columns):
        x = width * column / plan.columns
        lines += [Line(x, 0, x, length), Line(x, height - length, x, height)]
    for row in range(1, plan.rows):
        y = height * row / plan.rows
        lines += [Line(0, y, length, y), Line(width - length, y, width, y)]
    return tuple(lines)


def _advice(wish: Wish, plan: Plan, count: int) -> tuple[str, ...]:
    """What to tell the printer and what to do with the paper then."""
    sheets = f"{plan.sheets} sheet{'' if plan.sheets == 1 else 's'} of {wish.paper.upper()}"
    edge = "long" if wish.fold == "cut" else wish.flip
    sides = f"on both sides, turned over the {edge} edge" if plan.two_sided else "on one side"
    steps = [f"{sheets}, printed {sides}, at actual size (100 %)"]
    if wish.fold == "saddle":
        bundle = f"nest {wish.signature} sheets at a time" if wish.signature else "nest the sheets"
        steps.append(f"{bundle}, fold once along the middle, staple through the fold")
        if count > EASY and not wish.signature:
            steps.append(f"more than {EASY} pages fold badly in one bundle: --signature 4 makes several")
    elif wish.fold == "eight":
        steps.append("fold to eighths, open, slit the middle two panels along the long fold, push together")
    elif wish.fold == "cut":
        steps.append("cut the whole pile across and along the middle; upper left, upper right, lower left, lower right")
    elif wish.fold == "gutter":
        steps.append("fold along the middle, glue, and cut")
    return tuple(steps)
