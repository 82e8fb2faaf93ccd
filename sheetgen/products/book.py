"""Rulebooks printed: a tagged PDF with contents, page references and an index, or one self-contained web page."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.documents.book import BOOK, Binder
from sheetgen.documents.figures.icons import with_tone
from sheetgen.documents.render import environment, render
from sheetgen.documents.sheet import game
from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, POINTS_PER_MM, SHEET_PAPERS
from sheetgen.press.plan import Flip
from sheetgen.products.booklet import BookletOptions, make_booklet
from sheetgen.products.chapters import canvas_of, has_book, open_book, perform
from sheetgen.products.form_cache import published
from sheetgen.products.options import (
    TonedOptions,
    choice,
    flip_option,
    margin_option,
    paper_option,
    plan_option,
    printer_option,
    refuse_margin,
)
from sheetgen.products.page_cache import pdf_of
from sheetgen.products.product import ProductResult, default_stem, pack_product
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project

SEARCH = "book/search.js"
BOOKLET_PAGES = "a5"  # what two of fit side by side on the papers that homes have
FREE = {"a4": 14.0, "letter": 14.0, "a5": 7.0}  # mm at the edges of the paper, also when two are set on one side


@dataclass(frozen=True, slots=True)
class PageMeasures:
    """The measures of a page in mm, and the size of its text in pt; `notes` is the width of the margin column."""

    inner: float
    outer: float
    top: float
    bottom: float
    notes: float
    text: float

    def width(self, paper: float) -> float:
        """Return the width of the text in mm."""
        return paper - self.inner - self.outer


PAGE_MEASURES = {
    "a4": PageMeasures(22, 64, 24, 24, 48, 10.5),
    "letter": PageMeasures(24, 68, 22, 22, 52, 10.5),
    "a5": PageMeasures(17, 13, 16, 15, 0, 9.5),
}


@dataclass(frozen=True, kw_only=True)
class BookOptions(TonedOptions):
    """How a rulebook is made; `flip` None is the short edge, over which booklets are turned."""

    paper: str = paper_option(tuple(PAGE_MEASURES), "books are made for")
    booklet: bool = choice(False, "pages of A5, two to a side, to be folded and stapled")
    margin: float | None = margin_option()
    flip: Flip | None = flip_option(None, " (default short)")
    marks: bool = choice(False, "booklets: short dashes at the edges where to fold", negatable=True)
    printer: str = printer_option()
    plan: bool = plan_option()


def make_book(project: Project, pack: Pack, options: BookOptions, form: str) -> ProductResult:
    """Return the rulebook; UsageError for a pack that has none, InputError with every problem in it."""
    what = f"the rules of {pack.system.title}"
    if form == ".html":
        page = pack.run_isolated(lambda: _page(project, pack, paper=options.paper), limits=PUBLICATION)
        return ProductResult(page.encode(), what)
    if not options.booklet:
        return ProductResult(book_pdf(project, pack, paper=options.paper), what)
    booklet = BookletOptions(paper=options.paper, flip=options.flip, marks=options.marks, printer=options.printer)
    with TemporaryDirectory(prefix="sheetgen-") as folder:
        path = Path(folder) / f"{pack.system.id}-rulebook.pdf"
        path.write_bytes(book_pdf(project, pack, paper=BOOKLET_PAGES))
        made = make_booklet(project, path, booklet, ".pdf")
    return ProductResult(made.data, what, made.advice, made.job, title=pack.system.title)


def book_pdf(project: Project, pack: Pack, *, paper: str) -> bytes:
    """Return the rulebook as a tagged PDF."""
    return pack.run_isolated(lambda: _printed(project, pack, paper=paper), limits=PUBLICATION)


def book_html(project: Project, pack: Pack, *, paper: str, mode: str) -> str:
    """Return the HTML of a rulebook, for paper (`mode` print) or for a browser (page)."""
    leaf, size = PAGE_MEASURES[paper], PAPERS[paper]
    width = leaf.width(size.width) * POINTS_PER_MM
    rulebook = open_book(project, pack)
    canvas = canvas_of(pack, width)
    bound = Binder(pack.system, rulebook.book, perform(pack, rulebook, canvas), canvas).data()
    measures = {name: getattr(leaf, name) for name in PageMeasures.__slots__}
    data = {
        "game": game(pack.system),
        "mode": mode,
        "marked": any(rule.label for rule in rulebook.book.rules.values()),
        "paper": {"width": size.width, "height": size.height, **measures},
        **bound,
    }
    return with_tone(render(environment(template_folders(project, pack), project.shown), BOOK, data), pack.system.tone)


def _page(project: Project, pack: Pack, *, paper: str) -> str:
    """Return the book as one web page that carries its fonts and its search, and nothing else that runs."""
    page = book_html(project, pack, paper=paper, mode="page")
    script = (project.templates / SEARCH).read_text("utf-8")
    return published(project, pack, page, BOOK, script=script)


def _printed(project: Project, pack: Pack, *, paper: str) -> bytes:
    html = book_html(project, pack, paper=paper, mode="print")
    return pdf_of(project, pack, html, name=f"{pack.system.id} rulebook", tagged=True)


def _conflict(options: BookOptions, formats: Collection[str]) -> None:
    free, what = (FREE[BOOKLET_PAGES], "a booklet") if options.booklet else (FREE[options.paper], "a book")
    refuse_margin(options.margin, free, what)
    if options.booklet and (options.paper not in SHEET_PAPERS or set(formats) != {".pdf"}):
        raise UsageError(f"--booklet makes a .pdf on --paper {' or '.join(SHEET_PAPERS)}")
    if (options.plan or options.printer or options.flip or options.marks) and not options.booklet:
        words = "--plan, --printer, --flip and --marks"
        raise UsageError(f"{words} go with --booklet: the pages of a book are printed as they are")


def _variants(project: Project, pack: Pack) -> Iterator[tuple[str, BookOptions]]:
    if has_book(project, pack):
        yield "book", BookOptions()


BOOK_PRODUCT = pack_product(
    "book",
    "the rulebook: contents, page references, executed examples, exact odds, index",
    formats=(".pdf", ".html"),
    options=BookOptions,
    make=make_book,
    stem=lambda pack, options: default_stem(pack, "booklet" if options.booklet else "rulebook", options.paper),
    variants=_variants,
    conflict=_conflict,
    built=(".pdf", ".html"),
    shaped_by="rules",
)
