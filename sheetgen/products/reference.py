"""Quick references: all that a player looks up on one leaf, or in a little book of eight pages for the pocket."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.documents.book import Plain
from sheetgen.documents.figures.icons import toned
from sheetgen.documents.panel_columns import Board
from sheetgen.documents.render import environment, render
from sheetgen.documents.screen import PAGE
from sheetgen.documents.sheet import game
from sheetgen.errors import InputError, UsageError
from sheetgen.geometry import PAPERS, Line, Size, mm, paper_name
from sheetgen.model.print_job import Job
from sheetgen.model.printer import Shift
from sheetgen.press.impose import laid
from sheetgen.press.imposition import Imposition, cell_of
from sheetgen.press.marks import edge_marks
from sheetgen.press.plan import Flip, eight_fold
from sheetgen.products.back_offset import shifted
from sheetgen.products.booklet import STEPS
from sheetgen.products.form_cache import published
from sheetgen.products.panel_layout import Look, Panelled, Setting, panelled, printed, text_of
from sheetgen.products.screen import feet, opened
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

# One page if that can be read with ease, else two with larger type; below 8 pt small letters are under 1.3 mm.
ONE = Look("reference", (9.0, 9.25, 9.5, 10.0, 10.5, 11.0))
TWO = Look("reference", (8.5, 8.75, 9.0, 9.5, 10.0, 10.5, 11.0))
POCKET = Look("pocket", (8.0, 8.25, 8.5, 8.75, 9.0, 9.5, 10.0), charts=0, tight=0.65)
OUTER, POCKET_OUTER = 10.0, 5.4  # mm; the little book keeps as much from its folds
PAGES = 6  # of the little book, between its cover and its last page
WEB = 12.0  # pt


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of a reference: a leaf or a little book, the paper, and the margin in mm.

    `flip` is the edge over which a leaf of two sides is turned, `shift` moves its back to the right and up, in mm.
    """

    pocket: bool = False
    paper: str = "a4"
    margin: float | None = None
    flip: Flip = "long"
    shift: Shift = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Referred:
    """How many pages were made, how large their type is in pt, and what to do with them; a little book is a job."""

    pages: int
    size: float
    advice: tuple[str, ...]
    job: Job | None = None


def reference(project: Project, pack: Pack, write: Write, *, form: str, wish: Wish) -> Referred:
    """Writes the reference as .pdf or .html; InputError at the first rule that has no room on two pages, or on six."""
    if form == ".html" and not wish.pocket:
        page = pack.do(lambda: _web_page(project, pack), limits=PUBLICATION)
        write(page.encode())
        return Referred(1, 0.0, ())
    if form != ".pdf":
        raise UsageError(f"a {'little book' if wish.pocket else 'reference'} is made as .pdf, not {form}")
    make = _pocket if wish.pocket else _leaf
    data, made = pack.do(lambda: make(project, pack, wish), limits=PUBLICATION)
    write(data)
    return made


def _leaf(project: Project, pack: Pack, wish: Wish) -> tuple[bytes, Referred]:
    """One page in type of 9 pt or more, or the front and back of one."""
    rulebook, found = opened(project, pack)
    board = leaf_of(wish, 1)
    text = text_of(pack, rulebook, found.reference, column=board.column, look=ONE)
    setting = Setting(project, pack, text, board, ONE)
    try:
        made = panelled(setting)
    except InputError:
        setting = replace(setting, board=leaf_of(wish, 2), look=TWO)
        made = panelled(setting)
    panels: list[Plain] = [
        {**panel, **feet(setting.board, at), "banner": "Quick reference", "foot": [pack.system.credit]}
        for at, panel in enumerate(made.panels)
    ]
    two_sided = len(panels) == 2
    sides = f"on both sides, turned over the {wish.flip} edge" if two_sided else "on one side"
    advice = (f"1 sheet of {paper_name(wish.paper)} for each player, printed {sides}, at actual size (100 %)",)
    data = printed(setting, panels, text.places)
    if two_sided:
        data = shifted(data, wish.shift, flip=wish.flip)
    return data, Referred(len(panels), made.size, advice)


def leaf_of(wish: Wish, pages: int) -> Board:
    """The pages of a leaf: three columns under a line with the title."""
    paper = PAPERS[wish.paper]
    outer = OUTER if wish.margin is None else wish.margin
    return Board(
        paper.width, paper.height, pages, 3, outer=outer, top=max(22.0, outer + 12), bottom=outer + 4, gutter=5.5
    )


def _pocket(project: Project, pack: Pack, wish: Wish) -> tuple[bytes, Referred]:
    """Eight little pages on one side of one sheet: a cover, six of rules, and whose game it is."""
    rulebook, found = opened(project, pack)
    paper = PAPERS[wish.paper].turned
    board = pocket_of(paper)
    text = text_of(pack, rulebook, found.pocket, column=board.column, look=POCKET)
    setting = Setting(project, pack, text, board, POCKET)
    made = panelled(setting)
    data = printed(setting, _little_book(made, board), text.places)
    imposition = Imposition(eight_fold(PAGES + 2), paper, dashed=folds_of(paper))
    job = _job(wish.paper, imposition)
    return laid(data, imposition), Referred(PAGES + 2, made.size, job.advice, job)


def _job(paper: str, made: Imposition) -> Job:
    """What to do with the sheet of a little book: print, fold, slit."""
    cells = tuple(cell_of(made, at, 0.0) for at in range(PAGES + 2))
    places = made.plan.sides[0].places
    return Job("eight", f"{PAGES + 2} pages", paper, made.paper, 1, "", cells, places, (), STEPS["eight"])


def pocket_of(paper: Size) -> Board:
    """The pages of the little book, an eighth of the paper each."""
    width, height = round(paper.width / 4, 3), round(paper.height / 2, 3)
    return Board(width, height, PAGES, 1, outer=POCKET_OUTER, top=POCKET_OUTER, bottom=9.4, gutter=0.0)


def _little_book(made: Panelled, board: Board) -> list[Plain]:
    pages: list[Plain] = [
        {**panel, **feet(board, at), "foot": ["", str(at + 2)]} for at, panel in enumerate(made.panels)
    ]
    cover: Plain = {"size": made.size, "template": "screen/cover.html"}
    return [cover, *pages, {"size": made.size, "template": "screen/credits.html"}]


def folds_of(paper: Size) -> tuple[Line, ...]:
    """Where to fold, marked at the edges only, and the slit between the four pages in the middle."""
    width, y = mm(paper.width), mm(paper.height) / 2
    return (*edge_marks(4, 2, paper), Line(width / 4, y, 3 * width / 4, y))


def _web_page(project: Project, pack: Pack) -> str:
    """The reference as one web page that carries its fonts and fetches nothing."""
    rulebook, found = opened(project, pack)
    board = replace(leaf_of(Wish(), 1), columns=2)
    text = text_of(pack, rulebook, found.reference, column=board.column, look=ONE)
    data: Plain = {"game": game(pack.system), "look": "reference", "size": WEB, "moments": text.moments}
    page = toned(render(environment(template_folders(project, pack), project.shown), PAGE, data), pack.system.tone)
    return published(page, f"{pack.system.id}/{PAGE}")
