"""Rulebooks printed: a tagged PDF with contents, page references and an index, or one self-contained web page."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.documents.back_matter import Concordance, IndexEntry, glossary_of, in_columns, index_of
from sheetgen.documents.book import BOOK, Binder
from sheetgen.documents.export.epub import EpubAbout, epub
from sheetgen.documents.figures.icons import with_tone
from sheetgen.documents.render import environment, render
from sheetgen.documents.sheet import TemplateData, game
from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, POINTS_PER_MM, SHEET_PAPERS, Size, paper_name
from sheetgen.pdf.flow.document import with_pictures
from sheetgen.pdf.fonts.bundled import text_width
from sheetgen.pdf.pdfium import pictures
from sheetgen.press.pages import drawn_onto, page_count
from sheetgen.press.plan import Flip
from sheetgen.products.booklet import BookletOptions, make_booklet
from sheetgen.products.bound_handouts import bound_handouts, handout_pictures, handout_places, with_handouts
from sheetgen.products.bound_sheets import bound_sheets, sheet_pages, sheet_pictures
from sheetgen.products.chapter_files import has_book
from sheetgen.products.chapters import canvas_of, open_book, perform
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
)
from sheetgen.products.page_cache import pdf_of
from sheetgen.products.product import ProductResult, Sink, default_stem, pack_product
from sheetgen.products.shop_files import check_book, shop_book
from sheetgen.workspace.packs import Pack, template_folders, template_root
from sheetgen.workspace.print_shops import print_shop
from sheetgen.workspace.project import Project

SEARCH, EPUB_STYLE, COVER_DPI = "book/search.js", "book/epub.css", 250
WORDS, WORDS_PLACE = "book/words.html", "<!--words-->"
WEB_PAGE = "a5"  # whose figures suit a screen, whatever the paper
SHEETS = "a4"  # as a web page shows them
BOOKLET_PAGES = "a5"  # what two of fit side by side on the papers that homes have
FREE = {"a4": 14.0, "letter": 14.0, "a5": 7.0}  # mm at the edges of the paper, also when two are set on one side


HEADING = 15.0  # mm, over columns of contents and index
CAPTION = 12.0  # mm, over a handout
_CITED = re.compile(r'<a class="cited"[^>]*>(.*?)</a>')  # what leads to a handout: nowhere where there are none


@dataclass(frozen=True, slots=True)
class PageMeasures:
    """The measures of a page in mm, and the size of its text in pt; `notes` is the margin column with its gap."""

    inner: float
    outer: float
    top: float
    bottom: float
    notes: float
    text: float
    columns: int = 1

    def width(self, paper: float) -> float:
        """Return the width in mm of what stands across text and margin column: tables, figures."""
        return paper - self.inner - self.outer + self.notes

    def room(self, paper: float) -> float:
        """Return the height in mm that is left for columns under their heading."""
        return paper - self.top - self.bottom - HEADING


PAGE_MEASURES = {
    "a4": PageMeasures(20, 16, 22, 21, 0, 10.2, 2),
    "letter": PageMeasures(21, 17, 20, 19, 0, 10.2, 2),
    "a5": PageMeasures(15, 41, 17, 15, 29, 9.6),
}


TEXT, LONG, TAGS = ("paragraph", "list", "heading"), 480, re.compile("<[^>]*>")  # letters that are worth two columns
GAP, INDENT, HANG = 5.0, 6.0, 3.0  # mm: between columns, of titles behind the number of a chapter, of further lines
LOOSE, TIGHT = (1.28, 1.22, 1.16), (1.24, 1.18, 1.12)  # lines of the contents, of the index, by the size of their type
EMPTY_BOOK: Mapping[str, Any] = {
    name: () for name in ("chapters", "settled", "tables", "glossary", "sheets", "handouts")
}
FIGURES = 1.13  # how much larger figures are than on cards and screens, so that their words are of the size of the text
INDEX_TYPE, LEAST_INDEX_TYPE = 0.82, 8.0  # of the text, pt: an index may be small


def _contents_columns(entries: list[TemplateData], leaf: PageMeasures, paper: Size) -> TemplateData:
    """Return the contents by pages and columns; what is above others stands by the first of them."""
    width = (leaf.width(paper.width) - GAP) / 2 - INDENT - 6
    counts = [_lines(str(each["title"]), leaf.text, width, 400 if each["deep"] else 600) for each in entries]
    lines = [count if each["deep"] else -count - 0.5 for count, each in zip(counts, entries, strict=True)]
    ends = [not each["deep"] for each in entries[1:]] + [True]
    whole = [each if last else -abs(each) for each, last in zip(lines, ends, strict=True)]
    pitches = [leaf.text * each / POINTS_PER_MM for each in LOOSE]
    tried = [_set_in_columns(entries, each, 2, leaf.room(paper.height), pitches) for each in (whole, lines)]
    return min(tried, key=lambda each: len(each["pages"]))  # chapters stay whole if that takes no more pages


def _index_columns(entries: list[IndexEntry], leaf: PageMeasures, paper: Size) -> TemplateData:
    """Return the index by pages and columns."""
    count, size = 4 if paper.width > 180 else 3, max(leaf.text * INDEX_TYPE, LEAST_INDEX_TYPE)
    said = [f"{each.word}{', 99' * len(each.anchors)} {' see also '.join(['', *each.see])}" for each in entries]
    width = (leaf.width(paper.width) - GAP * (count - 1)) / count - HANG
    lines = [_lines(each, size, width, 400) for each in said]
    listed = [{"word": each.word, "anchors": each.anchors, "see": each.see} for each in entries]
    return _set_in_columns(
        listed, lines, count, leaf.room(paper.height), [size * each / POINTS_PER_MM for each in TIGHT]
    )


def _set_in_columns(
    entries: Sequence[T], lines: Sequence[float], count: int, room: float, pitches: Sequence[float]
) -> dict[str, Any]:
    """Return the pages of columns with the pitch of their lines, the first of those that need the fewest pages."""
    tried = [(pitch, in_columns(entries, [each * pitch for each in lines], count, room)) for pitch in pitches]
    pitch, pages = min(tried, key=lambda each: len(each[1]))
    return {"line": round(pitch, 3), "pages": pages}


def _lines(text: str, size: float, width: float, weight: int) -> int:
    """Return how many lines a text fills at the most, set in the serif in so many mm."""
    wide = text_width(text, size, weight=weight, serif=True) / POINTS_PER_MM
    return 1 if wide <= width else 1 + int(wide / (width * 0.88))


@dataclass(frozen=True, kw_only=True)
class BookOptions(TonedOptions):
    """How a rulebook is made; `flip` None is the short edge, over which booklets are turned."""

    paper: str = paper_option(tuple(PAGE_MEASURES), "books are made for")
    booklet: bool = choice(False, "pages of A5, two to a side, to be folded and stapled")
    shop: str = choice(
        "",
        "as a print shop asks for it: shop (any), or your own of shops/NAME.yaml",
        read=str,
        metavar="SHOP",
        flag="--for",
    )
    margin: float | None = margin_option()
    flip: Flip | None = flip_option(None, " (default short)")
    marks: bool = choice(False, "booklets: short dashes at the edges where to fold", negatable=True)
    printer: str = printer_option()
    plan: bool = plan_option()


Tell = Callable[[str], None]
Bound = Mapping[str, Sequence[TemplateData]]
T = TypeVar("T")


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
    with TemporaryDirectory(prefix="sheetgen-") as folder:
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
    if not pages:
        return made
    return drawn_onto(made, [sheet.data for sheet in sheets], names=[str(page["anchor"]) for page in pages])


def book_html(
    project: Project,
    pack: Pack,
    paper: str,
    mode: str,
    tell: Tell = lambda doing: None,
    *,
    sheets: Sequence[TemplateData] = (),
    handouts: Sequence[TemplateData] = (),
) -> str:
    """Return the HTML of a rulebook, for paper (`mode` print) or for a browser (page), with places for its handouts and
    sheets.
    """
    tell(f"reading the rules of {pack.system.title}")
    leaf, size = PAGE_MEASURES[paper], PAPERS[paper]
    width = leaf.width(size.width) * POINTS_PER_MM
    rulebook = open_book(project, pack)
    tell("playing the examples and working out the odds")
    canvas = canvas_of(pack, width, FIGURES)
    bound: dict[str, Any] = Binder(pack.system, rulebook.book, perform(pack, rulebook, canvas), canvas).data()
    bound |= {"sheets": list(sheets), "handouts": list(handouts)}
    if mode == "print" and leaf.columns > 1:
        for chapter in bound["chapters"]:
            chapter["rules"] = [{**rule, "blocks": in_runs(rule["blocks"])} for rule in chapter["rules"]]
    marked = any(rule.label for rule in rulebook.book.rules.values())
    data = {**_template_data(pack, paper, mode, bound), "marked": marked}
    tell("setting the pages")
    templates = environment(template_folders(project, pack), project.shown)
    found = Concordance(render(templates, BOOK, data))
    entries = index_of(pack.system, rulebook.book, found)
    words = {
        "mode": mode,
        "glossary": glossary_of(bound["glossary"], entries, found),
        "index": _index_columns(entries, leaf, size),
    }
    page = found.marked().replace(WORDS_PLACE, render(templates, WORDS, words), 1)
    page = page if handouts else _CITED.sub(r"\1", page)
    return with_tone(page, pack.system.tone)


def in_runs(blocks: Sequence[TemplateData]) -> list[TemplateData]:
    """Return the blocks of a rule with text that follows on text in one block, to be set in columns if it is long."""
    made = list[TemplateData]()
    for is_text, run in groupby(blocks, lambda block: block["kind"] in TEXT):
        html = [str(block["html"]) for block in run]
        if is_text and sum(len(TAGS.sub("", each)) for each in html) >= LONG:
            html = [f'<div class="run">{"".join(html)}</div>']
        made += [{"kind": "text" if is_text else "other", "html": each} for each in html]
    return made


def cover_html(project: Project, pack: Pack, paper: str) -> str:
    """Return the HTML of a printed rulebook's cover, without anything behind it."""
    data = {**_template_data(pack, paper, "print", EMPTY_BOOK), "marked": False}
    page = render(environment(template_folders(project, pack), project.shown), BOOK, data)
    return with_tone(f"{page.partition('</section>')[0]}</section></body></html>", pack.system.tone)


def _template_data(pack: Pack, paper: str, mode: str, bound: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the template of a book is told: what is bound, its contents, and the measures of its paper."""
    leaf, size = PAGE_MEASURES[paper], PAPERS[paper]
    measures = {name: getattr(leaf, name) for name in PageMeasures.__slots__}
    return {
        "game": game(pack.system),
        "mode": mode,
        "paper": {"width": size.width, "height": size.height, **measures},
        "columns": {"gap": GAP, "indent": INDENT, "hang": HANG, "index": max(leaf.text * INDEX_TYPE, LEAST_INDEX_TYPE)},
        "contents": _contents_columns(_contents(bound), leaf, size),
        "back_parts": _parts(bound),
        **bound,
    }


def _parts(bound: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what stands behind the chapters of a book: its anchor, its title."""
    parts = {"settled": "What this edition settled", "tables": "More tables", "glossary": "Words of the game"}
    sheets = [(each["anchor"], each["title"]) for each in bound["sheets"] if each["title"]]
    more = [("handouts", "Handouts")] if bound["handouts"] else []
    return [*((name, title) for name, title in parts.items() if bound[name]), ("index", "Index"), *more, *sheets]


def _contents(bound: Mapping[str, Any]) -> list[TemplateData]:
    """Return the lines of the contents: chapters with their numbers, their rules, what stands behind them."""
    lines: list[TemplateData] = []
    for chapter in bound["chapters"]:
        lines.append({name: chapter[name] for name in ("title", "anchor", "number")} | {"deep": False})
        lines += [
            {"title": rule["title"], "anchor": rule["anchor"], "number": 0, "deep": True} for rule in chapter["rules"]
        ]
    lines += [{"title": title, "anchor": name, "number": 0, "deep": False} for name, title in _parts(bound)]
    return lines


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
)
