"""HTML to PDF: books, cards, screens and whatever else runs over pages."""

from __future__ import annotations

from pathlib import Path


def flow(html: str, *, root: Path, name: str, tagged: bool = False) -> bytes:
    """The page as PDF, always the same bytes for the same HTML.

    Only files below `root`, bundled fonts and small data URIs can be used. `name` is what messages call the document; a
    `tagged` one follows PDF/UA-1 and needs a language and a title. Raises InputError with every problem found.
    """
    from sheetgen.pdf import layout  # imports WeasyPrint

    data = b""
    with layout.strictly(name) as problems:
        document = layout.laid_out(html, problems, root=root, name=name)
        data = layout.written(document, problems, name=name, pdf_variant="pdf/ua-1" if tagged else None)
    return data
