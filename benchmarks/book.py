"""What a book costs beside WeasyPrint alone: the same HTML laid out as it comes, in one run.

usage: python benchmarks/book.py [SYSTEM [PAPER]]       (default gamers a5)

WeasyPrint alone sets the pages as they fall; ours are composed, too: no gaps, no torn blocks, figures that float, short
last pages drawn in. Figures are seconds of computing of one process. The book from scratch, sheets and handouts made
beside it, is in startup.py.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from crowd import machine

from sheetgen.pdf.flow.document import flow
from sheetgen.press.pages import page_count
from sheetgen.products.books.setting import book_html
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.workspace.packs import open_pack, template_root
from sheetgen.workspace.project import project_at


def main(system: str = "gamers", paper: str = "a5") -> None:
    """Prints a line for each way, with pages and ratio."""
    project = project_at(Path.cwd(), os.environ)
    pack = open_pack(project, system)
    use_bundled_fonts(project)
    begun = time.process_time()
    html = book_html(project, pack, paper, "print")
    worked_out, root = time.process_time() - begun, template_root(project, pack)

    from weasyprint import HTML  # after the fonts are set

    def alone() -> int:
        pages = HTML(string=html, base_url=f"{root.resolve().as_uri()}/").render()
        pages.write_pdf(pdf_variant="pdf/ua-1")
        return len(pages.pages)

    def ours() -> int:
        return page_count(flow(html, root=root, name="book", tagged=True, flip="long"))

    def timed(work: Callable[[], int]) -> tuple[int, float]:
        started = time.process_time()
        return work(), time.process_time() - started

    print(f"{pack.system.title} on {paper.upper()}; {machine()}")
    print(f"{'rules, examples and odds worked out':<36} {worked_out:6.1f} s")
    pages, usual = timed(alone)
    print(f"{'WeasyPrint alone':<36} {usual:6.1f} s {pages:5} pages   1.00")
    pages, composed = timed(ours)
    print(f"{'composed and tagged by sheetgen':<36} {composed:6.1f} s {pages:5} pages   {composed / usual:.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
