"""Plain drawings stand aside while a page is parsed, and are drawn where they belong: parsing them as HTML takes long.

This module reaches into WeasyPrint 70; only `layout.py` imports it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from weasyprint import html as weasyprint_html

MARK = "data-drawing"
SVG = "http://www.w3.org/2000/svg"
_EDGES = re.compile(r"<svg(?=[\s>])|</svg>")
_SHAPES = re.compile(r"svg|g|defs|clipPath|use|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|title")
_ATTRIBUTES = re.compile(
    r"class|id|d|[xyr]|[xy][12]|[cr][xy]|width|height|points|viewBox|preserveAspectRatio|transform|clip-path|href|opacity"
    r"|fill(-rule|-opacity)?|stroke(-width|-dasharray|-linejoin|-linecap|-opacity)?"
    r"|text-anchor|font-(family|size|weight|style)|letter-spacing|role|aria-label|aria-hidden"
)


@contextmanager
def set_aside(html: str) -> Iterator[str]:
    """Yield the page with its plain drawings empty; while it is rendered, they are drawn as if they stood in it."""
    aside = dict[str, Element]()

    def emptied(drawing: str) -> str:
        found = None if MARK in html else plain_drawing(drawing)
        if found is None:
            return drawing
        aside[str(len(aside))] = found
        return f'{drawing[: drawing.index(">")]} {MARK}="{len(aside) - 1}"></svg>'

    page, usual = _replaced(html, emptied), weasyprint_html.HTML_HANDLERS[f"{{{SVG}}}svg"]

    def drawn(element: Element, *context: Any) -> Any:
        return usual(aside.get(element.get(MARK, ""), element), *context)

    weasyprint_html.HTML_HANDLERS[f"{{{SVG}}}svg"] = drawn
    try:
        yield page
    finally:
        weasyprint_html.HTML_HANDLERS[f"{{{SVG}}}svg"] = usual


def plain_drawing(drawing: str) -> Element | None:
    """Return an inline drawing of shapes and words as XML; None if it holds anything else, or is no XML."""
    text = drawing if "xmlns=" in drawing[: drawing.index(">")] else drawing.replace("<svg", f'<svg xmlns="{SVG}"', 1)
    try:
        root = ElementTree.fromstring(text)  # an element holds no document type, so no entities of its own
    except ElementTree.ParseError:
        return None
    for each in root.iter():
        tag = each.tag.removeprefix(f"{{{SVG}}}")
        if not _SHAPES.fullmatch(tag) or not all(map(_ATTRIBUTES.fullmatch, each.attrib)):
            return None
        if not each.get("href", "#").startswith("#"):
            return None
    return root


def _replaced(html: str, replace: Callable[[str], str]) -> str:
    """Return the page with each outermost drawing replaced."""
    parts, end, start, depth = list[str](), 0, 0, 0
    for edge in _EDGES.finditer(html):
        if edge[0] == "<svg":
            start = start if depth else edge.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                parts += [html[end:start], replace(html[start : edge.end()])]
                end = edge.end()
    return "".join((*parts, html[end:]))
