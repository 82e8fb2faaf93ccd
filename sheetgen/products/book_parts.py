"""One chapter of a rulebook drawn alone, with the page numbers that it has in the whole book."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.documents.back_matter import Concordance, index_of
from sheetgen.documents.book import BOOK, BookBuilder
from sheetgen.documents.figures.icons import with_tone
from sheetgen.documents.render import environment, render
from sheetgen.errors import OutputError, UsageError, quoted, suggestion
from sheetgen.geometry import PAPERS, POINTS_PER_MM
from sheetgen.press.pages import anchored_pages
from sheetgen.products.book_setting import EMPTY_BOOK, FIGURES, PAGE_MEASURES, book_data, cover_html, in_runs
from sheetgen.products.chapters import canvas_of, open_book, perform
from sheetgen.products.page_cache import pdf_of
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import write_file

COVER = "cover"
_LINK = re.compile(r'<a (?P<before>[^>]*?)href="#(?P<to>[^"]+)"(?P<after>[^>]*)>(?P<words>.*?)</a>', re.DOTALL)
_ID = re.compile(r'\bid="([^"]+)"')
_SEEN = re.compile(r'class="see"')
UNKNOWN = "…"  # the number of a page that no book has told yet


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
        told = f" (page {number})" if _SEEN.search(attributes) else f", page {number}" if attributes else number
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
