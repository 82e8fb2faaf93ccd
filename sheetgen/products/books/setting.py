"""The HTML of a rulebook, for paper and for browsers: its pages, contents and index; and one chapter drawn alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.documents.book.back_matter import (
    Concordance,
    IndexEntry,
    glossary_of,
    in_columns,
    index_of,
    with_citations,
)
from sheetgen.documents.book.book import BOOK, BookBuilder
from sheetgen.documents.figures.icons import with_tone
from sheetgen.documents.people.sheet import game
from sheetgen.documents.render import environment, render
from sheetgen.errors import OutputError, UsageError, quoted, suggestion
from sheetgen.geometry import PAPERS, POINTS_PER_MM, Size
from sheetgen.model.data import TemplateData
from sheetgen.model.wording import NO_BREAK
from sheetgen.pdf.fonts.bundled import text_width
from sheetgen.press.pages import anchored_pages
from sheetgen.products.chapters import canvas_of, open_book, perform
from sheetgen.products.page_cache import pdf_of
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import write_file

WORDS, WORDS_PLACE = "book/words.html", "<!--words-->"
Tell = Callable[[str], None]
Bound = Mapping[str, Sequence[TemplateData]]  # `handouts` and `sheets`, for templates
Behind = Callable[[], Bound]
T = TypeVar("T")
HEADING = 15.0  # mm, over columns of contents and index
_CITED = re.compile(r'<a class="cited"[^>]*>(.*?)</a>')  # what leads to a handout: nowhere where there are none
COVER = "cover"
_LINK = re.compile(r'<a (?P<before>[^>]*?)href="#(?P<to>[^"]+)"(?P<after>[^>]*)>(?P<words>.*?)</a>', re.DOTALL)
_ID = re.compile(r'\bid="([^"]+)"')
_SEEN = re.compile(r'class="see"')
UNKNOWN = "…"  # the number of a page that no book has told yet


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
    edge: float = 14.0  # of pages with handouts, which leave more at the spine, above and below
    spine: float = 5.0
    above: float = 5.0
    below: float = 4.0

    def width(self, paper: float) -> float:
        """Return the width in mm of what stands across text and margin column: tables, figures."""
        return paper - self.inner - self.outer + self.notes

    def room(self, paper: float) -> float:
        """Return the height in mm that is left for columns under their heading."""
        return paper - self.top - self.bottom - HEADING


PAGE_MEASURES = {
    "a4": PageMeasures(20, 16, 22, 21, 0, 10.2, 2),
    "letter": PageMeasures(21, 17, 20, 19, 0, 10.2, 2),
    "a5": PageMeasures(15, 41, 17, 15, 29, 9.6, edge=8.0),
}


TEXT, LONG, TAGS = ("paragraph", "list", "heading", "beside"), 480, re.compile("<[^>]*>")  # LONG: worth two columns
GAP, APART = 5.0, 8.0  # mm: between columns, and between those of the contents, which have numbers at both sides
INDENT, HANG = 6.0, 3.0  # mm: of titles behind the number of a chapter, of further lines
LOOSE, TIGHT = (1.28, 1.22, 1.16), (1.24, 1.18, 1.12)  # lines of the contents, of the index, by the size of their type
EMPTY_BOOK: Mapping[str, Any] = {
    name: () for name in ("chapters", "settled", "tables", "glossary", "sheets", "handouts")
}
FIGURES = 1.13  # how much larger figures are than on cards and screens, so that their words are of the size of the text
INDEX_TYPE, LEAST_INDEX_TYPE = 0.82, 8.0  # of the text, pt: an index may be small


def _contents_columns(entries: list[TemplateData], leaf: PageMeasures, paper: Size) -> TemplateData:
    """Return the contents by pages and columns; what is above others stands by the first of them."""
    width = (leaf.width(paper.width) - APART) / 2 - INDENT - 6
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
    lines = [_lines(each, size, width, 400, hang=HANG) for each in said]
    listed = [asdict(each) for each in entries]
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


def _lines(text: str, size: float, width: float, weight: int, hang: float = 0.0) -> int:
    """Return how many lines a text fills at the most, set in the serif in so many mm; the first is longer by `hang`."""
    wide = text_width(text, size, weight=weight, serif=True) / POINTS_PER_MM
    return 1 if wide <= width + hang else 1 + int(wide / (width * 0.88))


def book_html(
    project: Project,
    pack: Pack,
    paper: str,
    mode: str,
    tell: Tell = lambda doing: None,
    *,
    behind: Behind = dict,
) -> str:
    """Return the HTML of a rulebook, for paper (`mode` print) or for a browser (page), with places for the `handouts`
    and `sheets` that stand behind its chapters, which are asked for last.
    """
    tell(f"reading the rules of {pack.system.title}")
    leaf, size = PAGE_MEASURES[paper], PAPERS[paper]
    width = leaf.width(size.width) * POINTS_PER_MM
    rulebook = open_book(project, pack)
    tell("playing the examples and working out the odds")
    canvas = canvas_of(pack, width, FIGURES)
    bound: dict[str, Any] = BookBuilder(pack.system, rulebook.book, perform(pack, rulebook, canvas), canvas).data()
    bound |= {"sheets": (), "handouts": (), **behind()}
    if mode == "print" and leaf.columns > 1:
        for chapter in bound["chapters"]:
            chapter["rules"] = [{**rule, "blocks": in_runs(rule["blocks"])} for rule in chapter["rules"]]
    marked = any(rule.label for rule in rulebook.book.rules.values())
    data = {**book_data(pack, paper, mode, bound), "marked": marked}
    tell("setting the pages")
    templates = environment(template_folders(project, pack), project.shown)
    found = Concordance(render(templates, BOOK, data))
    entries = index_of(pack.system, rulebook.book, found)
    if not entries:  # the contents do not lead to what is not there
        bare = {**book_data(pack, paper, mode, {**bound, "indexed": False}), "marked": marked}
        found = Concordance(render(templates, BOOK, bare))
    words = {
        "mode": mode,
        "glossary": glossary_of(bound["glossary"], entries, found),
        "index": _index_columns(entries, leaf, size),
    }
    page = found.marked().replace(WORDS_PLACE, render(templates, WORDS, words), 1)
    page = with_citations(page) if bound["handouts"] else without_handouts(page)
    return with_tone(page, pack.system.tone)


def without_handouts(page: str) -> str:
    """Return a page without links to handouts, which it does not have."""
    return _CITED.sub(r"\1", page)


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
    data = {**book_data(pack, paper, "print", EMPTY_BOOK), "marked": False}
    page = render(environment(template_folders(project, pack), project.shown), BOOK, data)
    return with_tone(f"{page.partition('</section>')[0]}</section></body></html>", pack.system.tone)


def book_data(pack: Pack, paper: str, mode: str, bound: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the template of a book is told: what is bound, its contents, and the measures of its paper."""
    leaf, size = PAGE_MEASURES[paper], PAPERS[paper]
    measures = {name: getattr(leaf, name) for name in PageMeasures.__slots__}
    return {
        "game": game(pack.system),
        "mode": mode,
        "paper": {"width": size.width, "height": size.height, **measures},
        "columns": {
            "gap": GAP,
            "apart": APART,
            "indent": INDENT,
            "hang": HANG,
            "index": max(leaf.text * INDEX_TYPE, LEAST_INDEX_TYPE),
        },
        "contents": _contents_columns(_contents(bound), leaf, size),
        "back_parts": _back_matter_parts(bound),
        **bound,
    }


def _back_matter_parts(bound: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what stands behind the chapters of a book: its anchor, its title."""
    parts = {"tables": "More tables", "settled": "What this edition settled", "glossary": "Words of the game"}
    sheets = [(each["anchor"], each["title"]) for each in bound["sheets"] if each["title"]]
    more = [("handouts", "Handouts")] if bound["handouts"] else []
    listed = [("index", "Index")] if bound.get("indexed", True) else []
    return [*((name, title) for name, title in parts.items() if bound[name]), *listed, *more, *sheets]


def _contents(bound: Mapping[str, Any]) -> list[TemplateData]:
    """Return the lines of the contents: chapters with their numbers, their rules, what stands behind them."""
    lines: list[TemplateData] = []
    for chapter in bound["chapters"]:
        lines.append({name: chapter[name] for name in ("title", "anchor", "number")} | {"deep": False})
        lines += [
            {"title": rule["title"], "anchor": rule["anchor"], "number": 0, "deep": True} for rule in chapter["rules"]
        ]
    lines += [{"title": title, "anchor": name, "number": 0, "deep": False} for name, title in _back_matter_parts(bound)]
    return lines


def chapter_names(project: Project, pack: Pack) -> dict[str, str]:
    """Return the parts of a book by name, with their titles: its cover, then its chapters in order."""

    def found() -> dict[str, str]:
        return {each.id: str(each.title) for each in open_book(project, pack).book.chapters}

    return {COVER: "the cover", **pack.run_isolated(found, limits=PUBLICATION)}


def chapter_pdf(project: Project, pack: Pack, paper: str, name: str, known: Mapping[str, int]) -> bytes:
    """Return the pages of one chapter, or the cover, as they are in the book, as a PDF.

    `known` has the pages of the places in the last whole book (see `anchored_pages`): there the chapter begins, and
    there its references lead; where one is not known an ellipsis stands. UsageError for a name that is not there.
    """

    def drawn() -> bytes:
        if name == COVER:
            return pdf_of(project, pack, cover_html(project, pack, paper), name=f"{pack.system.id} cover")
        html = chapter_html(project, pack, paper, name, known)
        return pdf_of(project, pack, html, name=f"{pack.system.id} rulebook")

    return pack.run_isolated(drawn, limits=PUBLICATION)


def chapter_html(project: Project, pack: Pack, paper: str, name: str, known: Mapping[str, int]) -> str:
    """Return the HTML of one chapter for paper: nothing is worked out but what stands in it."""
    rulebook, leaf = open_book(project, pack), PAGE_MEASURES[paper]
    chapters = {each.id: (number, each) for number, each in enumerate(rulebook.book.chapters, 1)}
    if name not in chapters:
        near = suggestion(name, chapters) or f"; it has {', '.join(chapters)}"
        raise UsageError(f"the book of {pack.system.title} has no chapter {quoted(name)}{near}")
    number, chapter = chapters[name]
    canvas = canvas_of(pack, leaf.width(PAPERS[paper].width) * POINTS_PER_MM, FIGURES)
    performed = perform(pack, replace(rulebook, book=replace(rulebook.book, chapters=(chapter,))), canvas)
    bound = BookBuilder(pack.system, rulebook.book, performed, canvas).chapter(number, chapter)
    if leaf.columns > 1:
        bound = {**bound, "rules": [{**rule, "blocks": in_runs(rule["blocks"])} for rule in bound["rules"]]}  # type: ignore[attr-defined]
    data = {**book_data(pack, paper, "print", {**EMPTY_BOOK, "chapters": [bound]}), "marked": False}
    found = Concordance(render(environment(template_folders(project, pack), project.shown), BOOK, data))
    index_of(pack.system, rulebook.book, found, whole=False)  # marks words, which may shift a line by a hair
    return with_tone(_alone(found.marked(), str(bound["anchor"]), known), pack.system.tone)


def _alone(page: str, chapter: str, known: Mapping[str, int]) -> str:
    """Return the page of a book with nothing but its chapter, numbered from where that begins."""
    head, _, body = page.partition("<body>")
    start = body.index('<section class="chapter"')
    end = body.find('<section class="outside"', start)
    only = body[start : end if end >= 0 else body.index("</main>", start)]
    here = {*_ID.findall(only)}
    first = known.get(chapter, 1)
    side = "left" if first % 2 == 0 else "right"
    style = (
        f"@page :first {{ counter-reset: page {first} }} html {{ break-before: {side} }}"
        " .chapter { break-before: auto } a:not([href])::after { content: none !important }"
    )

    def unlinked(found: re.Match[str]) -> str:
        if found["to"] in here:
            return found[0]
        attributes = f"{found['before']}{found['after']}".rstrip()
        number = str(known.get(found["to"], "" if known else UNKNOWN))
        said = f"page{NO_BREAK}{number}"  # as `content:` of the styles of a book has it
        told = f"{NO_BREAK}({said})" if _SEEN.search(attributes) else f",{NO_BREAK}{said}" if attributes else number
        told = told if number and 'class="sign"' not in attributes else ""
        return f"<a{' ' if attributes else ''}{attributes}>{found['words']}</a>{told}"

    return (
        f"{head.replace('</style>', f'{style}</style>', 1)}<body><main>{_LINK.sub(unlinked, only)}</main></body></html>"
    )


def keep_pages(project: Project, pack: Pack, paper: str, book: bytes) -> None:
    """Keep on which pages a whole book has its places, for chapters that are drawn alone afterwards."""
    with suppress(OutputError):  # a cache that cannot be written only costs true numbers
        write_file(_pages_file(project, pack, paper), json.dumps(anchored_pages(book)).encode())


def known_pages(project: Project, pack: Pack, paper: str) -> dict[str, int]:
    """Return on which pages the last whole book had its places; nothing if none was made yet."""
    with suppress(OSError, ValueError):
        found = json.loads(_pages_file(project, pack, paper).read_bytes())
        return {str(name): int(page) for name, page in found.items()}
    return {}


def _pages_file(project: Project, pack: Pack, paper: str) -> Path:
    key = blake2b(f"{pack.folder.resolve()}\0{paper}".encode("utf-8", "surrogateescape"), digest_size=16)
    return project.cache / "book-pages" / f"{key.hexdigest()}.json"
