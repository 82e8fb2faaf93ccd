"""What we mend in WeasyPrint 70, which this module reaches into: drawings that cost time, and columns that are uneven.

Plain drawings stand aside while a page is parsed, since parsing them as HTML takes long, and are drawn where they
belong. Columns are even and as short as they can be, where WeasyPrint lengthens them by whole paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from weasyprint import html as weasyprint_html
from weasyprint.layout import block as weasyprint_block

from sheetgen.pdf.flow.copyfit import end_of

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


_STEP = 0.6  # of the size of type, about half a line: by so much columns grow until they hold everything
_MOST = 30  # steps


@contextmanager
def balanced_columns() -> Iterator[None]:
    """Let the columns that are laid out meanwhile be balanced by lines, also where they go on overleaf."""
    usual, within = weasyprint_block.columns_layout, False

    def laid_out(*asked: Any) -> Any:
        nonlocal within
        before, within = within, True
        try:
            return usual(*asked)
        finally:
            within = before

    def balanced(context: Any, box: Any, space: float, *rest: Any) -> Any:
        if within or not _is_plain(box):
            return laid_out(context, box, space, *rest)
        resumed, around, is_empty, *lists_and_styles = rest
        filled, count = _filled_in_turn(box), box.style["column_count"]

        def made(space: float, is_empty: bool) -> Any:
            """Return the columns filled in turn with so much space below them, and all that WeasyPrint tells of it."""
            return laid_out(context, filled, space, resumed, around, is_empty, *lists_and_styles)

        best = made(space, is_empty)
        columns, resume_at, *_ = best
        if columns is not None:
            top = columns.content_box_y()
            least = sum(end_of(column) - top for column in columns.children) / count
            for step in range(_MOST):
                height = least + step * _STEP * box.style["font_size"]
                tried = made(max(space, context.page_bottom - top - height), False)  # what is to stay whole stays whole
                if tried[0] is not None and tried[1] == resume_at:
                    return tried
        return best

    weasyprint_block.columns_layout = balanced
    try:
        yield
    finally:
        weasyprint_block.columns_layout = usual


def _is_plain(box: Any) -> bool:
    """Return whether a box has a number of columns to be balanced, and text alone in them.

    What spans columns, floats or stands at the foot of the page is left to WeasyPrint, as are columns within columns.
    """
    style = box.style
    return (
        style["column_count"] != "auto"
        and style["height"] == "auto"
        and style["column_fill"] == "balance"
        and all(child.style["column_span"] != "all" for child in box.children)
        and all(each.is_in_normal_flow() and getattr(each, "footnote", None) is None for each in box.descendants())
    )


def _filled_in_turn(box: Any) -> Any:
    """Return the box with columns of which each is full before the next begins."""
    filled = box.copy()
    filled.style = box.style.copy()
    filled.style["column_fill"] = "auto"
    return filled
