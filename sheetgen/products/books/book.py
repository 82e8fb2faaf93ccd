"""Rulebooks printed: a tagged PDF with contents, page references and an index, or one self-contained web page.

Behind the chapters stand the handouts that the text speaks of, and at the end the sheets: an empty one to copy, and
that of the character whom the book makes. The book keeps a place for each of their pages, with its caption or number,
its bookmark and a description; the page is drawn there as `handouts`, `blank` and `sheet` print it, as large as there
is room. A web page has pictures of them, and the text of handouts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from sheetgen.batch.child import scratch_folder
from sheetgen.batch.pool import beside
from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.documents.book.book import BOOK
from sheetgen.documents.export.epub import EpubAbout, epub
from sheetgen.documents.people.sheet import BESIDE_NOTES, game
from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, PEOPLE_PAPERS, SHEET_PAPERS, Size, paper_name
from sheetgen.model.character import Character
from sheetgen.model.data import TemplateData
from sheetgen.pdf.flow.document import with_pictures
from sheetgen.pdf.pdfium import addresses, pictures
from sheetgen.press.pages import drawn_onto, page_count
from sheetgen.press.plan import Flip
from sheetgen.products.batch_pdf import forms_of, told_forms, write_people_pdf
from sheetgen.products.books.booklet import BookletOptions, make_booklet
from sheetgen.products.books.bound_handouts import (
    BoundHandout,
    bound_handouts,
    handout_pictures,
    handouts_behind,
    room_for_handouts,
    with_handouts,
)
from sheetgen.products.books.setting import (
    PAGE_MEASURES,
    Behind,
    Bound,
    Tell,
    book_html,
    chapter_names,
    chapter_pdf,
    cover_html,
    keep_pages,
    known_pages,
)
from sheetgen.products.cards.shop_files import check_book, shop_book
from sheetgen.products.chapter_files import has_book
from sheetgen.products.chapters import Rulebook, hero_roller, open_book
from sheetgen.products.form_cache import fonts_of_page, published, use_bundled_fonts
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
from sheetgen.products.people.blank import pencil_sheet
from sheetgen.products.product import ProductResult, Sink, default_stem, pack_product
from sheetgen.products.report import NobodyPrinted
from sheetgen.products.shapes import PrintOptions
from sheetgen.products.sheet_pages import for_players, words_of
from sheetgen.workspace.packs import Pack, template_root
from sheetgen.workspace.printers import print_shop
from sheetgen.workspace.project import Project

SEARCH, EPUB_STYLE, COVER_DPI = "book/search.js", "book/epub.css", 250
WEB_PAGE = "a5"  # whose figures suit a screen, whatever the paper
SHEETS = "a4"  # as a web page shows them
BOOKLET_PAGES = "a5"  # what two of fit side by side on the papers that homes have
FREE = {"a4": 14.0, "letter": 14.0, "a5": 7.0}  # mm at the edges of the paper, also when two are set on one side
SHEET_DPI = 120  # of sheets in a web page
SHEET_PAPER = "a4"  # what a page that no sheets are made for shows smaller, and each where a game has several
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class BookOptions(TonedOptions):
    """How a rulebook is made; `flip` None is the short edge, over which booklets are turned."""

    paper: str = paper_option(tuple(PAGE_MEASURES), "books are made for")
    booklet: bool = choice(False, "pages of A5, two to a side, to be folded and stapled")
    shop: str = shop_option("it: shop (any)")
    margin: float | None = margin_option()
    flip: Flip | None = flip_option(None, "; usually the short one")
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
        publish = (_page, _epub)[form == ".epub"]
        with _made_behind(pack, lambda: _bound_pictures(project, pack)) as pictured:
            data = pack.run_isolated(lambda: publish(project, pack, pictured, tell), limits=PUBLICATION)
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
    if pack.ours:  # what all the processes need is read once
        use_bundled_fonts(project)
        from sheetgen.pdf.flow import layout  # noqa: F401  # imports WeasyPrint

        open_book(project, pack)
    with (
        _made_behind(pack, lambda: bound_sheets(project, pack, paper)) as sheets,
        _made_behind(pack, lambda: bound_handouts(project, pack, paper, room_for_handouts(paper))) as handouts,
    ):
        behind = partial(places_behind, sheets, handouts, room_for_handouts(paper))
        made = pack.run_isolated(lambda: _printed(project, pack, paper, behind, tell), limits=PUBLICATION)
        made = with_handouts(made, handouts())
        bound = sheets()
    keep_pages(project, pack, paper, made)
    if not bound:
        return made
    names = [str(page["anchor"]) for page in sheet_pages(bound)]
    return drawn_onto(made, [sheet.data for sheet in bound], names=names)


def places_behind(
    sheets: Callable[[], Sequence[BoundSheet]], handouts: Callable[[], Sequence[BoundHandout]], room: Size
) -> Bound:
    """Return what a template needs to keep pages for sheets and handouts behind the chapters of a printed book.

    `room` is what a page has for handouts, in mm.
    """
    return {"sheets": sheet_pages(sheets()), **handouts_behind(handouts(), room)}


@contextmanager
def _made_behind(pack: Pack, make: Callable[[], T]) -> Iterator[Callable[[], T]]:
    """Yield what returns that which stands behind the chapters of a book, made meanwhile in a process of its own.

    For a stranger's pack it is made before, since a confined process cannot wait for another.
    """
    if not pack.ours:
        made = make()
        yield lambda: made
        return
    with beside(make) as behind:
        yield behind


def _bound_pictures(project: Project, pack: Pack) -> Bound:
    """Return the sheets and handouts of a book as pictures."""
    handouts = bound_handouts(project, pack, WEB_PAGE, PAPERS[WEB_PAGE])
    sheets = bound_sheets(project, pack, SHEETS)
    return {"sheets": sheet_pictures(sheets), "handouts": handout_pictures(handouts)}


def _page(project: Project, pack: Pack, behind: Behind, tell: Tell) -> bytes:
    """Return the book as one web page that carries its fonts and its search, and nothing else that runs."""
    page = book_html(project, pack, WEB_PAGE, "page", tell, behind=behind)
    script = (project.templates / SEARCH).read_text("utf-8")
    return published(project, pack, page, BOOK, script=script).encode()


def _epub(project: Project, pack: Pack, behind: Behind, tell: Tell) -> bytes:
    """Return the book as EPUB 3, its cover that of the printed one."""
    page = book_html(project, pack, WEB_PAGE, "page", tell, behind=behind)
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


def _printed(project: Project, pack: Pack, paper: str, behind: Behind, tell: Tell) -> bytes:
    html = book_html(project, pack, paper, "print", tell, behind=behind)
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
    "the rulebook: contents, page references, examples as they were played, exact odds, index",
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


@dataclass(frozen=True, slots=True)
class BoundSheet:
    """A sheet in a book: its title, and its pages as PDF."""

    title: str
    said: str
    data: bytes


def bound_sheets(project: Project, pack: Pack, paper: str) -> tuple[BoundSheet, ...]:
    """Return the sheets for a book on a paper; none for a game without sheets."""
    if not pack.system.fields:
        return ()
    on = paper if paper in PEOPLE_PAPERS and not words_of(pack) else SHEET_PAPER
    title, said = (
        ("Your sheets", "Empty sheets") if words_of(pack) else ("Your character sheet", "An empty character sheet")
    )
    found = [BoundSheet(title, said, pencil_sheet(project, pack, on))]
    hero = pack.run_isolated(lambda: hero_of(pack, open_book(project, pack)))
    if hero is not None:
        pieces, name = list[bytes](), hero.text("name")
        of = for_players(pack)  # what somebody wants of the players is for somebody else
        hero = replace(hero, values={each: value for each, value in hero.values.items() if each not in BESIDE_NOTES})
        try:
            forms = told_forms(forms_of(project, of, printing := PrintOptions(on, back=True)), of, hero, printing)
            write_people_pdf(project, of, [hero], pieces.append, printing, forms=forms)
        except NobodyPrinted:  # a letter that no font has is told where the book has it
            return tuple(found)
        found.append(BoundSheet(f"Sheet of {name}", f"The character sheet of {name}, filled in", b"".join(pieces)))
    return tuple(found)


def hero_of(pack: Pack, rulebook: Rulebook) -> Character | None:
    """Return the first character whom the book makes, kept or rolled, if it is one of this very game."""
    for rule in rulebook.book.rules.values():
        if rule.hero is None:
            continue
        hero = rulebook.kept.get(rule.id)
        if hero is None:
            hero = hero_roller(pack, rule, rule.hero).roll(rule.hero.index or 1)
            if rule.hero.name:
                hero = replace(hero, values={**hero.values, "name": rule.hero.name})
        return hero if hero.system == pack.system.id else None
    return None


def sheet_pictures(sheets: Sequence[BoundSheet]) -> list[TemplateData]:
    """Return what a template needs to show sheets in a web page: a picture of each side."""
    sides = iter(sheet_pages(sheets))
    found = list[TemplateData]()
    for sheet in sheets:
        pictures = [(each, next(sides)) for each in addresses(sheet.data, dpi=SHEET_DPI)]
        shown = [{"address": address, "said": page["said"]} for address, page in pictures]
        found.append({"anchor": pictures[0][1]["anchor"], "title": sheet.title, "pictures": shown})
    return found


def sheet_pages(sheets: Sequence[BoundSheet]) -> list[TemplateData]:
    """Return a page of the book for each side of each sheet, with the title on the first one."""
    found = list[TemplateData]()
    for sheet in sheets:
        count = page_count(sheet.data)
        for side in range(count):
            part = f"page {side + 1} of {count}" if count > 2 else ("front", "back")[side]
            said = f"{sheet.said}, {part}"
            title = sheet.title if side == 0 else ""
            found.append({"anchor": f"sheet-{len(found) + 1}", "title": title, "said": said})
    return found
