"""Quick references: all that a player looks up on one leaf, or in a little book of eight pages for the pocket."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.documents.figures.icons import with_tone
from sheetgen.documents.panel_columns import Board
from sheetgen.documents.render import environment, render
from sheetgen.documents.screen import PAGE
from sheetgen.documents.sheet import TemplateData, game
from sheetgen.errors import InputError, UsageError
from sheetgen.geometry import PAPERS, Line, Size, mm, paper_name
from sheetgen.model.print_job import PrintJob
from sheetgen.press.impose import Imposition, cell_of, impose_pages, shift_backs
from sheetgen.press.marks import Marks, edge_marks
from sheetgen.press.plan import Flip, eight_fold
from sheetgen.products.booklet import STEPS
from sheetgen.products.form_cache import published
from sheetgen.products.options import (
    TonedOptions,
    choice,
    flip_option,
    millimetres,
    paper_option,
    plan_option,
    printer_option,
)
from sheetgen.products.panel_layout import PanelLook, PanelPages, PanelSetting, fit_panels, panels_pdf, text_of
from sheetgen.products.product import ProductResult, default_stem, known_printer, pack_product
from sheetgen.products.screen import footer_place, has_screen, rules_and_screen
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project

# One page if that can be read with ease, else two with larger type; below 8 pt small letters are under 1.3 mm.
ONE = PanelLook("reference", (8.0, 8.25, 8.5, 8.75, 9.0, 9.25, 9.5, 10.0, 10.5, 11.0))
TWO = PanelLook("reference", (8.5, 8.75, 9.0, 9.5, 10.0, 10.5, 11.0))
POCKET = PanelLook("pocket", (8.0, 8.25, 8.5, 8.75, 9.0, 9.5, 10.0), charts=0, tight=0.65)
OUTER, POCKET_OUTER = 10.0, 5.4  # mm; the little book keeps as much from its folds
PAGES = 6  # of the little book, between its cover and its last page
WEB = 12.0  # pt
LEAST_MARGIN, MOST_MARGIN = 6.4, 15.0


@dataclass(frozen=True, kw_only=True)
class ReferenceOptions(TonedOptions):
    """How a reference is made: a page or a little book; `margin` in mm, `flip` for a page of two sides."""

    pocket: bool = choice(False, "eight little pages on one side of one sheet, to be folded")
    margin: float | None = choice(
        None,
        f"free around the page (default {OUTER:g}); the little book has its own",
        read=millimetres(LEAST_MARGIN, MOST_MARGIN),
        metavar="MM",
    )
    flip: Flip = flip_option()
    printer: str = printer_option()
    plan: bool = plan_option()
    paper: str = paper_option()


def make_reference(project: Project, pack: Pack, options: ReferenceOptions, form: str) -> ProductResult:
    """Return the reference; InputError at the first rule that has no room on two pages, or on six little ones."""
    if form == ".html":
        page = pack.run_isolated(lambda: _web_page(project, pack), limits=PUBLICATION)
        return ProductResult(page.encode(), _what(pack, 1))
    make = _pocket if options.pocket else _leaf
    return pack.run_isolated(lambda: make(project, pack, options), limits=PUBLICATION)


def _what(pack: Pack, pages: int) -> str:
    return f"the quick reference of {pack.system.title}, {pages} page{'' if pages == 1 else 's'}"


def _leaf(project: Project, pack: Pack, options: ReferenceOptions) -> ProductResult:
    """Return one page in type of 8 pt or more, or the front and back of one."""
    rulebook, found = rules_and_screen(project, pack)
    board = leaf_of(options, 1)
    text = text_of(pack, rulebook, found.reference, column=board.column, look=ONE)
    setting = PanelSetting(project, pack, text, board, ONE)
    try:
        made = fit_panels(setting)
    except InputError:
        setting = replace(setting, board=leaf_of(options, 2), look=TWO)
        made = fit_panels(setting)
    panels: list[TemplateData] = [
        {**panel, **footer_place(setting.board, at), "banner": "Quick reference", "foot": [pack.system.credit]}
        for at, panel in enumerate(made.panels)
    ]
    two_sided = len(panels) == 2
    sides = f"on both sides, turned over the {options.flip} edge" if two_sided else "on one side"
    advice = (f"1 sheet of {paper_name(options.paper)} for each player, printed {sides}, at actual size (100 %)",)
    data = panels_pdf(setting, panels, text.places, flip=options.flip if two_sided else "")
    if two_sided:
        shift = known_printer(project, options.printer).moves(options.flip)
        data = shift_backs(data, shift, flip=options.flip)
    return ProductResult(data, _what(pack, len(panels)), advice)


def leaf_of(options: ReferenceOptions, pages: int) -> Board:
    """Return the pages of a leaf: three columns under a line with the title."""
    paper = PAPERS[options.paper]
    outer = OUTER if options.margin is None else options.margin
    return Board(
        paper.width, paper.height, pages, 3, outer=outer, top=max(22.0, outer + 12), bottom=outer + 4, gutter=5.5
    )


def _pocket(project: Project, pack: Pack, options: ReferenceOptions) -> ProductResult:
    """Return eight little pages on one side of one sheet: a cover, six of rules, and whose game it is."""
    rulebook, found = rules_and_screen(project, pack)
    paper = PAPERS[options.paper].turned
    board = pocket_of(paper)
    text = text_of(pack, rulebook, found.pocket, column=board.column, look=POCKET)
    setting = PanelSetting(project, pack, text, board, POCKET)
    made = fit_panels(setting)
    data = panels_pdf(setting, _little_book(made, board), text.places)
    imposition = Imposition(eight_fold(PAGES + 2), paper, marks=(Marks(dashed=folds_of(paper)),))
    job, title = _job(options.paper, imposition), f"{pack.system.title}: pocket book"
    return ProductResult(impose_pages(data, imposition), _what(pack, PAGES + 2), job.advice, job, title=title)


def _job(paper: str, made: Imposition) -> PrintJob:
    """Return what to do with the sheet of a little book: print, fold, slit."""
    cells = tuple(cell_of(made, at, 0.0) for at in range(PAGES + 2))
    places = made.plan.sides[0].places
    return PrintJob("eight", f"{PAGES + 2} pages", paper, made.paper, 1, "", cells, places, (), STEPS["eight"])


def pocket_of(paper: Size) -> Board:
    """Return the pages of the little book, an eighth of the paper each."""
    width, height = round(paper.width / 4, 3), round(paper.height / 2, 3)
    return Board(width, height, PAGES, 1, outer=POCKET_OUTER, top=POCKET_OUTER, bottom=9.4, gutter=0.0)


def _little_book(made: PanelPages, board: Board) -> list[TemplateData]:
    pages: list[TemplateData] = [
        {**panel, **footer_place(board, at), "foot": ["", str(at + 2)]} for at, panel in enumerate(made.panels)
    ]
    cover: TemplateData = {"size": made.size, "template": "screen/cover.html"}
    return [cover, *pages, {"size": made.size, "template": "screen/credits.html"}]


def folds_of(paper: Size) -> tuple[Line, ...]:
    """Return where to fold, marked at the edges only, and the slit between the four pages in the middle."""
    width, y = mm(paper.width), mm(paper.height) / 2
    return (*edge_marks(4, 2, paper), Line(width / 4, y, 3 * width / 4, y))


def _web_page(project: Project, pack: Pack) -> str:
    """Return the reference as one web page that carries its fonts and fetches nothing."""
    rulebook, found = rules_and_screen(project, pack)
    board = replace(leaf_of(ReferenceOptions(), 1), columns=2)
    text = text_of(pack, rulebook, found.reference, column=board.column, look=ONE)
    data: TemplateData = {"game": game(pack.system), "look": "reference", "size": WEB, "moments": text.moments}
    page = with_tone(render(environment(template_folders(project, pack), project.shown), PAGE, data), pack.system.tone)
    return published(project, pack, page, PAGE)


def _conflict(options: ReferenceOptions, formats: Collection[str]) -> None:
    if options.pocket and (options.margin is not None or set(formats) != {".pdf"}):
        raise UsageError("--pocket makes a .pdf, and keeps its own margin to the folds")
    if options.pocket and (options.printer or options.flip == "short"):
        raise UsageError("--printer and --flip are for two sides: the little book is printed on one")
    if options.plan and not options.pocket:
        raise UsageError("--plan shows how the little book is folded: it goes with --pocket")


VARIANTS = (("reference", ReferenceOptions()), ("reference --pocket", ReferenceOptions(pocket=True)))
REFERENCE = pack_product(
    "reference",
    "what players look up: a page, or a little book for the pocket",
    formats=(".pdf", ".html"),
    options=ReferenceOptions,
    make=make_reference,
    stem=lambda pack, options: default_stem(pack, "pocket" if options.pocket else "reference", options.paper),
    variants=lambda project, pack: VARIANTS if has_screen(project, pack) else (),
    conflict=_conflict,
    shaped_by="rules",
)
