"""Rulebooks printed: a tagged PDF with contents, page references and an index, or one self-contained web page."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.documents.book import BOOK, Binder
from sheetgen.documents.figures.icons import toned
from sheetgen.documents.render import environment, render
from sheetgen.documents.sheet import game
from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, POINTS_PER_MM
from sheetgen.products.chapters import open_book, perform
from sheetgen.products.form_cache import published, use_bundled_fonts
from sheetgen.workspace.packs import Pack, template_folders, template_root
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

SEARCH = "book/search.js"


@dataclass(frozen=True, slots=True)
class Leaf:
    """The measures of a page in mm, and the size of its text in pt; `notes` is the width of the margin column."""

    inner: float
    outer: float
    top: float
    bottom: float
    notes: float
    text: float

    def width(self, paper: float) -> float:
        """The width of the text in mm."""
        return paper - self.inner - self.outer


LEAVES = {
    "a4": Leaf(22, 64, 24, 24, 48, 10.5),
    "letter": Leaf(24, 68, 22, 22, 52, 10.5),
    "a5": Leaf(17, 13, 16, 15, 0, 9.5),
}


def book(project: Project, pack: Pack, write: Write, *, form: str, paper: str) -> None:
    """The rulebook of a pack as .pdf or .html; UsageError if it has none, InputError with every problem in it."""
    if form == ".html":
        write(pack.do(lambda: _page(project, pack, paper=paper), limits=PUBLICATION).encode())
    elif form == ".pdf":
        write(pack.do(lambda: _printed(project, pack, paper=paper), limits=PUBLICATION))
    else:
        raise UsageError(f"a rulebook is made as .pdf or .html, not {form}")


def book_html(project: Project, pack: Pack, *, paper: str, mode: str) -> str:
    """The HTML of a rulebook, for paper (`mode` print) or for a browser (page)."""
    leaf, size = LEAVES[paper], PAPERS[paper]
    width = leaf.width(size.width) * POINTS_PER_MM
    rulebook = open_book(project, pack)
    performed = perform(pack, rulebook, width=width)
    bound = Binder(pack.system, rulebook.book, performed, width=width).data()
    measures = {name: getattr(leaf, name) for name in Leaf.__slots__}
    data = {
        "game": game(pack.system),
        "mode": mode,
        "marked": any(rule.label for rule in rulebook.book.rules.values()),
        "paper": {"width": size.width, "height": size.height, **measures},
        **bound,
    }
    return toned(render(environment(template_folders(project, pack), project.shown), BOOK, data), pack.system.tone)


def _page(project: Project, pack: Pack, *, paper: str) -> str:
    """The book as one web page that carries its fonts and its search, and nothing else that runs."""
    page = book_html(project, pack, paper=paper, mode="page")
    script = (project.templates / SEARCH).read_text("utf-8")
    return published(page, f"{pack.system.id}/{BOOK}", script=script)


def _printed(project: Project, pack: Pack, *, paper: str) -> bytes:
    from sheetgen.pdf.flow.document import flow  # imports WeasyPrint

    html = book_html(project, pack, paper=paper, mode="print")
    use_bundled_fonts(project)
    return flow(html, root=template_root(project, pack), name=f"{pack.system.id} rulebook", tagged=True)
