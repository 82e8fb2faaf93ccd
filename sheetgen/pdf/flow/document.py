"""HTML to PDF: books, cards, screens and whatever else runs over pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from sheetgen.errors import Place


def flow(
    html: str,
    *,
    root: Path,
    name: str,
    tagged: bool = False,
    places: Mapping[str, Place] = MappingProxyType({}),
) -> bytes:
    """The page as PDF, always the same bytes for the same HTML.

    Only files below `root`, bundled fonts and small data URIs can be used. `name` is what messages call the document; a
    `tagged` one follows PDF/UA-1 and needs a language and a title. `places` say where the text of a part with a
    `data-name` comes from. Raises InputError with every problem found, what does not fit among them.
    """
    from sheetgen.pdf.flow import layout  # imports WeasyPrint

    data = b""
    with layout.strictly(name) as problems:
        document = layout.laid_out(html, problems, root=root, name=name, places=places)
        data = layout.written(document, problems, name=name, pdf_variant="pdf/ua-1" if tagged else None)
    return data


def overfull(html: str, *, root: Path, name: str) -> frozenset[str]:
    """The names of the parts of a page, told by their `data-name`, that hold more than there is room for."""
    from sheetgen.pdf.flow import layout  # imports WeasyPrint

    return layout.overfull(html, root=root, name=name)


def refusal(address: str, *, root: Path) -> str:
    """Why a page may not use the file at an address relative to `root`; empty if it may."""
    from sheetgen.pdf.flow import layout  # imports WeasyPrint

    return layout.refusal(address, root=root)
