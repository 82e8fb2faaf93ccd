"""Any PDF imposed: folded to a booklet, several pages to a side, cut to a pile; and a word on how to print it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sheetgen.batch.sandbox import confined
from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, Size
from sheetgen.model.print_job import Job, Step
from sheetgen.model.printer import Shift
from sheetgen.press.impose import first_size, impose, page_count
from sheetgen.press.imposition import Imposition, cell_of
from sheetgen.press.marks import edge_marks
from sheetgen.press.plan import Flip, Plan, cut_stack, eight_fold, gutter_fold, n_up, over, saddle_stitch
from sheetgen.products.book import book
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

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
        Step(
            "fold to eighths, open, slit the middle two panels along the long fold, push together",
            ("eighths", "slit", "push", "little-book"),
        ),
    ),
    "cut": (
        Step(
            "cut the whole pile across and along the middle; upper left, upper right, lower left, lower right",
            ("pile", "heaps"),
        ),
    ),
    "gutter": (Step("fold along the middle, glue, and cut", ("fold-over", "glue", "trim")),),
}
SHEET = 0.1  # mm: one sheet of 80 g paper
PAGES = "a5"  # what two of fit side by side on the papers that homes have
EASY = 48  # pages that still fold well in one bundle


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of an imposition: how it is folded, on which paper, turned over which edge; lengths in mm.

    `shift` moves backs to the right and up, as one sees them on a sheet that stands upright; where there is one, sheets
    come upright.
    """

    fold: str = "saddle"
    paper: str = "a4"
    signature: int = 0
    flip: Flip | None = None
    thickness: float = SHEET
    margin: float = 0.0
    marks: bool = False
    enlarge: bool = False
    shift: Shift = (0.0, 0.0)

    @property
    def turned(self) -> Flip:
        """The edge over which the paper is turned: the one that was named, or else the one that suits the fold."""
        return self.flip or ("short" if self.fold == "saddle" else "long")


@dataclass(frozen=True, slots=True)
class Imposed:
    """The imposed PDF, how many pages it was made of, and what to do with it."""

    data: bytes
    pages: int
    job: Job

    @property
    def advice(self) -> tuple[str, ...]:
        """What to tell the printer and what to do with the paper then, step by step."""
        return self.job.advice


def imposed(project: Project, path: Path, wish: Wish) -> Imposed:
    """The pages of a PDF on sheets; InputError for a file that cannot be read, UsageError for a wish that cannot be."""
    if wish.fold not in FOLDS:
        raise UsageError(f"--fold takes {', '.join(FOLDS)}")
    shown = project.shown(path)

    def work() -> tuple[bytes, int, Job]:
        count = page_count(path, shown)
        made = _imposition(wish, count, first_size(path, shown))
        with TemporaryDirectory(prefix="sheetgen-") as folder:
            target = Path(folder) / "imposed.pdf"
            impose(path, shown, made, target)
            return target.read_bytes(), count, _job(wish, made, count)

    return Imposed(*confined(work, what=shown))


def book_as_booklet(project: Project, pack: Pack, write: Write, wish: Wish) -> Imposed:
    """Writes the rulebook of a pack as a booklet: pages of A5, two to a side, put on sheets as wished."""
    with TemporaryDirectory(prefix="sheetgen-") as folder:
        path = Path(folder) / f"{pack.system.id}-rulebook.pdf"
        with path.open("wb") as file:
            book(project, pack, file.write, form=".pdf", paper=PAGES)
        made = imposed(project, path, wish)
    write(made.data)
    return made


def _imposition(wish: Wish, count: int, page: Size) -> Imposition:
    columns, rows = GRIDS[wish.fold]
    lying = page.width * columns > page.height * rows
    plan = _plan(wish, count, lying=lying)
    paper = PAPERS[wish.paper].turned if lying else PAPERS[wish.paper]
    folds = edge_marks(plan.columns, plan.rows, paper) if wish.marks else ()
    thickness = wish.thickness if wish.fold == "saddle" else 0.0
    return Imposition(
        plan,
        paper,
        margin=wish.margin,
        thickness=thickness,
        enlarge=wish.enlarge,
        dashed=folds,
        shift=wish.shift,
        upright=any(wish.shift),
    )


def _plan(wish: Wish, count: int, *, lying: bool) -> Plan:
    flip = over(wish.turned, lying=lying)
    if wish.fold == "saddle":
        return saddle_stitch(count, signature=wish.signature, flip="short" if flip == "long" else "long")
    if wish.fold == "eight":
        return eight_fold(count)
    if wish.fold == "gutter":
        return gutter_fold(count)
    if wish.fold == "cut":
        return cut_stack(count, *GRIDS[wish.fold], two_sided=True, flip=flip)
    return n_up(count, *GRIDS[wish.fold])


def _job(wish: Wish, made: Imposition, count: int) -> Job:
    plan = made.plan
    return Job(
        wish.fold,
        f"{count} page{'' if count == 1 else 's'}",
        wish.paper,
        made.paper,
        plan.sheets,
        wish.turned if plan.two_sided else "",
        tuple(cell_of(made, at, 0.0) for at in range(plan.columns * plan.rows)),
        plan.sides[0].places,
        _shown(plan),
        _steps(wish, count),
        made.upright,
    )


def _shown(plan: Plan) -> tuple[int, ...]:
    """The back of the first sheet as one sees it: a page that is turned by the reader shows its last place first."""
    if not plan.two_sided:
        return ()
    places = plan.sides[1].places
    return tuple(-page for page in reversed(places)) if plan.turned_backs else places


def _steps(wish: Wish, count: int) -> tuple[Step, ...]:
    """What is done with the paper, in order."""
    if wish.fold != "saddle":
        return STEPS.get(wish.fold, ())
    bundle = f"nest {wish.signature} sheets at a time" if wish.signature else "nest the sheets"
    say = f"{bundle}, fold once along the middle, staple through the fold"
    steps = (Step(say, ("nest", "fold", "staple")),)
    if count <= EASY or wish.signature:
        return steps
    return (*steps, Step(f"more than {EASY} pages fold badly in one bundle: --signature 4 makes several"))
