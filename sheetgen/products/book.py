"""Rulebooks printed: a tagged PDF with contents, page references and an index, or one self-contained web page."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sheetgen.batch.child import scratch_folder
from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.documents.book import BOOK
from sheetgen.documents.export.epub import EpubAbout, epub
from sheetgen.documents.sheet import TemplateData, game
from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, SHEET_PAPERS, Size, paper_name
from sheetgen.pdf.flow.document import with_pictures
from sheetgen.pdf.pdfium import pictures
from sheetgen.press.pages import drawn_onto, page_count
from sheetgen.press.plan import Flip
from sheetgen.products.book_parts import chapter_names, chapter_pdf, keep_pages, known_pages
from sheetgen.products.book_setting import CAPTION, PAGE_MEASURES, Tell, book_html, cover_html
from sheetgen.products.booklet import BookletOptions, make_booklet
from sheetgen.products.bound_handouts import bound_handouts, handout_pictures, handout_places, with_handouts
from sheetgen.products.bound_sheets import bound_sheets, sheet_pages, sheet_pictures
from sheetgen.products.chapter_files import has_book
from sheetgen.products.form_cache import fonts_of_page, published
from sheetgen.products.options import (
    TonedOptions,
    choice,
    flip_option,
    margin_option,
    paper_option,
    plan_option,
    printer_option,
    refuse_margin,
    shop_option,
)
from sheetgen.products.page_cache import pdf_of
from sheetgen.products.product import ProductResult, Sink, default_stem, pack_product
from sheetgen.products.shop_files import check_book, shop_book
from sheetgen.workspace.packs import Pack, template_root
from sheetgen.workspace.print_shops import print_shop
from sheetgen.workspace.project import Project

SEARCH, EPUB_STYLE, COVER_DPI = "book/search.js", "book/epub.css", 250
WEB_PAGE = "a5"  # whose figures suit a screen, whatever the paper
SHEETS = "a4"  # as a web page shows them
BOOKLET_PAGES = "a5"  # what two of fit side by side on the papers that homes have
FREE = {"a4": 14.0, "letter": 14.0, "a5": 7.0}  # mm at the edges of the paper, also when two are set on one side


Bound = Mapping[str, Sequence[TemplateData]]


@dataclass(frozen=True, kw_only=True)
class BookOptions(TonedOptions):
    """How a rulebook is made; `flip` None is the short edge, over which booklets are turned."""

    paper: str = paper_option(tuple(PAGE_MEASURES), "books are made for")
    booklet: bool = choice(False, "pages of A5, two to a side, to be folded and stapled")
    shop: str = shop_option("it: shop (any)")
    margin: float | None = margin_option()
    flip: Flip | None = flip_option(None, " (default short)")
    marks: bool = choice(False, "booklets: short dashes at the edges where to fold", negatable=True, label="fold marks")
    printer: str = printer_option()
    plan: bool = plan_option()


def make_book(
    project: Project, pack: Pack, options: BookOptions, form: str, tell: Tell = lambda doing: None
) -> ProductResult:
    """Return the rulebook, and tell what is being done for it.

    UsageError for a pack that has none, InputError with every problem in it.
    """
    what = f"the rules of {pack.system.title}"
    shop = print_shop(project, options.shop) if options.shop else None
    if shop is not None:
        check_book(shop)
    if not pack.ours:  # the work is done in another process, which tells nobody
        tell(f"making {what}")
        tell = _tell_nobody
    if form in (".html", ".epub"):
        publish, bound = (_page, _epub)[form == ".epub"], _bound_pictures(project, pack)
        data = pack.run_isolated(lambda: publish(project, pack, bound, tell), limits=PUBLICATION)
        return ProductResult(data, what)
    if not options.booklet:
        data = _book_pdf(project, pack, options.paper, tell)
        if shop is not None:
            tell(f"turning {what} into inks")
            return shop_book(data, shop, what)
        return ProductResult(data, what, (_advice(page_count(data), options.paper),))
    booklet = BookletOptions(paper=options.paper, flip=options.flip, marks=options.marks, printer=options.printer)
    with scratch_folder() as folder:
        path = Path(folder) / f"{pack.system.id}-rulebook.pdf"
        path.write_bytes(_book_pdf(project, pack, BOOKLET_PAGES, tell))
        made = make_booklet(project, path, booklet, ".pdf")
    return ProductResult(made.data, what, made.advice, made.job, title=pack.system.title)


def _tell_nobody(doing: str) -> None:
    """Let work go on in silence."""


def _advice(pages: int, paper: str) -> str:
    sheets = -(-pages // 2)
    how = "printed on both sides, turned over the long edge, at actual size (100 %)"
    return f"{sheets} sheet{'' if sheets == 1 else 's'} of {paper_name(paper)}, {how}"


def _stream_book(project: Project, pack: Pack, options: BookOptions, sink: Sink) -> ProductResult:
    try:
        made = make_book(project, pack, options, sink.form, sink.reporter.doing)
    finally:
        sink.reporter.doing("")
    sink.write(made.data)
    return made


def _book_pdf(project: Project, pack: Pack, paper: str, tell: Tell) -> bytes:
    """Return the rulebook as a tagged PDF."""
    sheets = bound_sheets(project, pack, paper)
    leaf, size = PAGE_MEASURES[paper], PAPERS[paper]
    handouts = bound_handouts(project, pack, paper, Size(leaf.width(size.width) - 1, leaf.room(size.height) - CAPTION))
    pages = sheet_pages(sheets)
    bound = {"sheets": pages, "handouts": handout_places(handouts)}
    made = pack.run_isolated(lambda: _printed(project, pack, paper, bound, tell), limits=PUBLICATION)
    made = with_handouts(made, handouts)
    keep_pages(project, pack, paper, made)
    if not pages:
        return made
    return drawn_onto(made, [sheet.data for sheet in sheets], names=[str(page["anchor"]) for page in pages])


def _bound_pictures(project: Project, pack: Pack) -> Bound:
    """Return the sheets and handouts of a book as pictures."""
    handouts = bound_handouts(project, pack, WEB_PAGE, PAPERS[WEB_PAGE])
    sheets = bound_sheets(project, pack, SHEETS)
    return {"sheets": sheet_pictures(sheets), "handouts": handout_pictures(handouts)}


def _page(project: Project, pack: Pack, bound: Bound, tell: Tell) -> bytes:
    """Return the book as one web page that carries its fonts and its search, and nothing else that runs."""
    page = book_html(project, pack, WEB_PAGE, "page", tell, **bound)
    script = (project.templates / SEARCH).read_text("utf-8")
    return published(project, pack, page, BOOK, script=script).encode()


def _epub(project: Project, pack: Pack, bound: Bound, tell: Tell) -> bytes:
    """Return the book as EPUB 3, its cover that of the printed one."""
    page = book_html(project, pack, WEB_PAGE, "page", tell, **bound)
    page = with_pictures(page, root=template_root(project, pack), name=BOOK)
    printed = pdf_of(project, pack, cover_html(project, pack, WEB_PAGE), name=f"{pack.system.id} cover")
    fonts = dict[str, bytes]()

    def kept(number: int, data: bytes) -> str:
        fonts[f"font-{number}.woff2"] = data
        return f"font-{number}.woff2"

    style = fonts_of_page(page, kept) + (project.templates / EPUB_STYLE).read_text("utf-8")
    picture = next(iter(pictures(printed, dpi=COVER_DPI)))
    about = game(pack.system)
    title, author, rights = (str(about[name]) for name in ("title", "credit", "licence"))
    return epub(page, EpubAbout(title, author, rights, style, fonts, picture))


def _printed(project: Project, pack: Pack, paper: str, bound: Bound, tell: Tell) -> bytes:
    html = book_html(project, pack, paper, "print", tell, **bound)
    return pdf_of(project, pack, html, name=f"{pack.system.id} rulebook", tagged=True, flip="long")


def _make_part(project: Project, pack: Pack, options: BookOptions, part: str) -> ProductResult:
    """Return a chapter, or the cover, with the page numbers of the last whole book."""
    paper = BOOKLET_PAGES if options.booklet else options.paper
    return ProductResult(chapter_pdf(project, pack, paper, part, known_pages(project, pack, paper)), part)


def _conflict(options: BookOptions, formats: Collection[str]) -> None:
    free, what = (FREE[BOOKLET_PAGES], "a booklet") if options.booklet else (FREE[options.paper], "a book")
    refuse_margin(options.margin, free, what)
    if options.booklet and (options.paper not in SHEET_PAPERS or set(formats) != {".pdf"}):
        raise UsageError(f"--booklet makes a .pdf on --paper {' or '.join(SHEET_PAPERS)}")
    if options.shop and (options.booklet or set(formats) != {".pdf"}):
        raise UsageError("--for makes a .pdf of single pages: leave out --booklet")
    if (options.plan or options.printer or options.flip or options.marks) and not options.booklet:
        words = "--plan, --printer, --flip and --marks"
        raise UsageError(f"{words} go with --booklet: the pages of a book are printed as they are")


def _stem(pack: Pack, options: BookOptions) -> str:
    stem = default_stem(pack, "booklet" if options.booklet else "rulebook", options.paper)
    return f"{stem}-{options.shop}" if options.shop else stem


BOOK_PRODUCT = pack_product(
    "book",
    "the rulebook: contents, page references, executed examples, exact odds, index",
    formats=(".pdf", ".html", ".epub"),
    options=BookOptions,
    make=make_book,
    stream=_stream_book,
    stem=_stem,
    usual_of=lambda project, options: (".pdf",) if options.shop else (),
    variants=lambda project, pack: [("book", BookOptions())] if has_book(project, pack) else [],
    conflict=_conflict,
    built=lambda options: (".pdf", ".html"),
    shaped_by="rules",
    parts=lambda project, pack, options: chapter_names(project, pack),
    make_part=_make_part,
)
