"""HTML to PDF: books, cards, screens and whatever else runs over pages. WeasyPrint is imported only when used."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from html import unescape
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import POINTS_PER_CSS_PIXEL, millimetres

PART = "data-part"
LARGEST_CARRIED = 50_000_000  # characters of all pictures of a web page
# What shows files: style sheets, pictures, elements with a style. And the addresses of files in them, no others.
_SHOWING = re.compile(r"<style\b.*?</style>|<(?:img|image)\b[^>]*>|<[a-z][^>]*url\([^>]*>", re.IGNORECASE | re.DOTALL)
_FILE = re.compile(
    r"(?P<before>\b(?:src|href)\s*=\s*[\"']?|\burl\(\s*[\"']?)(?P<address>(?![a-z]+:|[#/\"'])[^\"'\s()<>]+)",
    re.IGNORECASE,
)


def flow(
    html: str,
    *,
    root: Path,
    name: str,
    tagged: bool = False,
    flip: str = "",
    places: Mapping[str, Place] = MappingProxyType({}),
) -> bytes:
    """Return the page as PDF, always the same bytes for the same HTML.

    The page can use files below `root`, bundled fonts and small data URIs. Messages call the document `name`. A
    `tagged` one follows PDF/UA-1 and needs a language and a title. `flip` is the edge over which the printer is told to
    turn the paper, if there are two sides. `places` has the source of each part with a `data-name`.
    Raises InputError with every problem found, text that does not fit among them.
    """
    from sheetgen.pdf.flow import layout  # imports WeasyPrint

    data = b""
    with layout.collect_problems(name) as problems:
        document = layout.lay_out(html, problems, root=root, name=name, places=places)
        variant = "pdf/ua-1" if tagged else None
        data = layout.to_pdf(document, problems, name=name, flip=flip, pdf_variant=variant)
    return data


def with_pictures(html: str, *, root: Path, name: str) -> str:
    """Return the page with every file below `root` that it shows inside it, as a data URI; others stay as they are.

    Raises InputError for a file that cannot be used, and for LARGEST_CARRIED; `name` is what messages call the page.
    """
    size = 0

    @cache
    def carried(address: str) -> str:
        from sheetgen.pdf.flow.resource_fetcher import RefusedAddress, fetched  # imports WeasyPrint

        try:
            response = fetched(unescape(address), root)
        except RefusedAddress as refused:
            raise InputError([Problem(Place(name), str(refused))]) from None
        return f"data:{response.content_type};base64,{b64encode(response.read()).decode()}"

    def replaced(found: re.Match[str]) -> str:
        nonlocal size
        data = carried(found["address"])
        size += len(data)
        if size > LARGEST_CARRIED:
            raise InputError([Problem(Place(name), f"its pictures have more than {LARGEST_CARRIED:,} bytes together")])
        return found["before"] + data

    return _SHOWING.sub(lambda part: _FILE.sub(replaced, part[0]), html)


def overfull(html: str, *, root: Path, name: str) -> frozenset[str]:
    """Return the `data-name` of each part of the page that holds more than fits."""
    from sheetgen.pdf.flow import layout  # imports WeasyPrint

    return layout.overfull(html, root=root, name=name)


def refusal(address: str, *, root: Path) -> str:
    """Return why a page may not use the file at an address relative to `root`; empty if it may."""
    from sheetgen.pdf.flow.resource_fetcher import RefusedAddress, fetched  # imports WeasyPrint

    try:
        fetched(address, root)
    except RefusedAddress as refused:
        return str(refused)
    return ""


def part_heights(
    html: str, *, root: Path, name: str, places: Mapping[str, Place] = MappingProxyType({})
) -> dict[str, float]:
    """Return the height in mm of each element with a `data-part`, by the value of that attribute.

    Raises InputError with every problem found, as `flow` does.
    """
    from sheetgen.pdf.flow import layout  # imports WeasyPrint

    with layout.collect_problems(name) as problems:
        document = layout.lay_out(html, problems, root=root, name=name, places=places)
        pages = [page._page_box for page in document.pages]
    return {key: height for page in pages for key, height in _heights(page)}


def _heights(box: Any) -> Iterator[tuple[str, float]]:
    element = box.element
    key = None if element is None or not hasattr(element, "get") else element.get(PART)
    if key is not None:
        yield key, millimetres(box.border_height() * POINTS_PER_CSS_PIXEL)
    elif hasattr(box, "children"):
        for child in box.all_children():
            yield from _heights(child)
