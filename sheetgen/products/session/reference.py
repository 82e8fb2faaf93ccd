"""Quick references: all that a player looks up on one leaf, or in a little book of eight pages for the pocket."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.documents.book.book import BookBuilder, BookResults
from sheetgen.documents.figures.icons import with_tone
from sheetgen.documents.people.sheet import game
from sheetgen.documents.render import environment, render
from sheetgen.documents.session.screen import (
    PAGE,
    PANELS,
    Board,
    Columns,
    Gaps,
    Overfull,
    Piece,
    PlacedPiece,
    arranged,
    moments_of,
    overfull,
    placed,
    taken,
)
from sheetgen.errors import InputError, Place, Problem, UsageError, quoted
from sheetgen.geometry import PAPERS, Line, Size, mm, paper_name
from sheetgen.model.book import Moment
from sheetgen.model.data import TemplateData
from sheetgen.model.printing import PrintJob
from sheetgen.press.impose import Imposition, cell_of, impose_pages, shift_backs
from sheetgen.press.marks import Marks, edge_marks
from sheetgen.press.plan import Flip, eight_fold
from sheetgen.products.books.booklet import STEPS
from sheetgen.products.chapters import Rulebook, canvas_of, work_out
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
from sheetgen.products.page_cache import heights_of, pdf_of
from sheetgen.products.product import ProductResult, default_stem, known_printer, pack_product
from sheetgen.products.session.screen import footer_place, has_screen, rules_and_screen
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project

NARROW = 55.0  # mm: no chart is drawn for less, but made smaller
_NOTHING = BookResults({}, {}, {})


@dataclass(frozen=True, slots=True)
class PanelLook:
    """What is made: its name in messages and styles, the sizes of type that may be tried in pt, how charts grow.

    Charts are left out where that is nothing; `tight` is how small the gaps are, as a part of the usual.
    """

    kind: str
    sizes: tuple[float, ...]
    charts: float = 1.0
    tight: float = 1.0

    def gaps(self, size: float) -> Gaps:
        """Return the gaps for a size of type, in mm."""
        em = size * 25.4 / 72
        return Gaps(piece=0.62 * em * self.tight, moment=1.15 * em * self.tight, stretch=1.5 * em)


@dataclass(frozen=True, slots=True)
class Text:
    """The moments of a product as data for a template, and where the words of each part come from.

    `pins` has the panel of each moment that has one.
    """

    moments: list[TemplateData]
    places: dict[str, Place]
    pins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PanelSetting:
    """A text that is to be set on a board, and how it looks."""

    project: Project
    pack: Pack
    text: Text
    board: Board
    look: PanelLook

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"{self.pack.system.id} {self.look.kind}"


@dataclass(frozen=True, slots=True)
class PanelPages:
    """Panels as data for the template, the size of their type in pt, and how full each column is, from 0 to 1."""

    panels: list[TemplateData]
    size: float
    fill: tuple[float, ...]


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


def text_of(
    pack: Pack,
    rulebook: Rulebook,
    moments: Sequence[Moment],
    *,
    column: float,
    look: PanelLook,
) -> Text:
    """Return the text of the moments, with charts and figures drawn for columns of `column` mm."""
    book = rulebook.book
    shown = [book.rules[each.rule] for moment in moments for each in moment.parts if each.extract(book).with_odds]
    # Curves are for the width of a page.
    bars = [replace(rule, charts=tuple(each for each in rule.charts if each.shape != "curve")) for rule in shown]
    charted = [rule for rule in bars if rule.charts] if look.charts else []
    canvas = canvas_of(pack, mm(max(column, NARROW)) / (look.charts or 1))
    performed = work_out(pack, charted, canvas) if charted else _NOTHING
    builder = BookBuilder(pack.system, book, performed, canvas, linked=False)
    made, places = moments_of(builder, moments)
    return Text(made, places, tuple(moment.panel for moment in moments))


def fit_panels(setting: PanelSetting) -> PanelPages:
    """Return the text in the largest type that fits; InputError that names the first rule without room."""
    sizes, best = list(setting.look.sizes), PanelPages([], 0.0, ())
    while sizes:  # the larger the type, the fewer sizes fit: halve what is in question
        middle = len(sizes) // 2
        try:
            best, sizes = _fit_at_size(setting, sizes[middle]), sizes[middle + 1 :]
        except InputError:
            if middle == 0 and not best.panels:
                raise
            sizes = sizes[:middle]
    return best


def _fit_at_size(setting: PanelSetting, size: float) -> PanelPages:
    """Return the text in type of one size; InputError if that is too large, or wrong at any size."""
    heights, gaps = _measure_parts(setting, size), setting.look.gaps(size)
    pieces = tuple(_pieces(setting.text, heights))
    columns = arranged(pieces, setting.board, gaps)
    if not columns:
        raise _overfull_error(setting, overfull(pieces, setting.board, gaps))
    return _fill_panels(setting, size, columns)


def _measure_parts(setting: PanelSetting, size: float) -> dict[str, float]:
    html = _html(setting, {"size": size, "mode": "measure", "moments": setting.text.moments, "panels": []})
    return heights_of(setting.project, setting.pack, html, name=setting.name, places=setting.text.places)


def _html(setting: PanelSetting, data: TemplateData) -> str:
    board = {name: getattr(setting.board, name) for name in (*Board.__slots__, "column", "room")}
    whole = {"game": game(setting.pack.system), "board": board, "look": setting.look.kind, **data}
    jinja = environment(template_folders(setting.project, setting.pack), setting.project.shown)
    return with_tone(render(jinja, PANELS, whole), setting.pack.system.tone)


def _pieces(text: Text, heights: Mapping[str, float]) -> Iterator[Piece]:
    for number, (moment, panel) in enumerate(zip(text.moments, text.pins, strict=True)):
        lead, again = heights[f"{moment['key']}.head"], heights[f"{moment['key']}.again"]
        for part in _pieces_of(moment):
            key, height = str(part["key"]), heights[str(part["key"])]
            place = text.places[str(part["name"])]
            yield Piece(key, height, number, lead, again, place, panel)


def _pieces_of(moment: TemplateData) -> list[TemplateData]:
    found = moment["pieces"]
    assert isinstance(found, list)
    return found


def _fill_panels(setting: PanelSetting, size: float, columns: Columns) -> PanelPages:
    board, gaps = setting.board, setting.look.gaps(size)
    panels: list[TemplateData] = [{"size": size, "boxes": []} for _ in range(board.panels)]
    moments = {str(part["key"]): (moment, part) for moment in setting.text.moments for part in _pieces_of(moment)}
    for spot in placed(columns, board, gaps):
        boxes = panels[spot.column // board.columns]["boxes"]
        assert isinstance(boxes, list)
        moment, part = moments[spot.piece.key]
        where: TemplateData = {"kind": spot.kind, "x": board.x(spot.column), "y": spot.y}
        boxes.append({**where, **_box_data(spot, moment, part)})
    return PanelPages(panels, size, tuple(column.height(gaps) / board.room for column in taken(columns)))


def _box_data(spot: PlacedPiece, moment: TemplateData, part: TemplateData) -> TemplateData:
    """Return the template data of a heading, or of a part."""
    if spot.kind != "piece":
        height = spot.piece.lead if spot.kind == "head" else spot.piece.again
        return {"height": round(height, 3), "title": moment["title"], "name": moment["title"]}
    return {"height": round(spot.piece.height, 3), "piece": part, "name": part["name"]}


def _overfull_error(setting: PanelSetting, lacking: Overfull) -> InputError:
    name = next(name for name, place in setting.text.places.items() if place == lacking.piece.place)
    where = f"{setting.look.kind}, page {lacking.panel}"
    remedy = "show less in screen.yaml, or give the rule a shorter text under screen:"
    message = f"{where}: {quoted(name)} has {lacking.over:.1f} mm more than there is room for ({remedy})"
    return InputError([Problem(lacking.piece.place, message)])


def panels_pdf(
    setting: PanelSetting, panels: Sequence[TemplateData], places: Mapping[str, Place], *, flip: str = ""
) -> bytes:
    """Return panels as a tagged PDF, printed on both sides if it is to be turned over an edge.

    InputError names each part that is cut off.
    """
    html = _html(setting, {"size": setting.look.sizes[0], "mode": "print", "moments": [], "panels": list(panels)})
    return pdf_of(setting.project, setting.pack, html, name=setting.name, tagged=True, flip=flip, places=places)


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
