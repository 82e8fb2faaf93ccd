"""Passes of our own over the pages that WeasyPrint makes, each page as soon as it is laid out.

What stands in the outer margin, or reaches into it, is laid out to the right of the text; on left pages it is turned
over to the other side (`data-outer`). This module reaches into WeasyPrint 70; only `layout.py` imports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from weasyprint.layout import page as weasyprint_page

OUTER = "data-outer"  # of an element that reaches into the outer margin; with the value `lines` its lines turn as well


@contextmanager
def composed() -> Iterator[None]:
    """Let the pages that are laid out meanwhile be composed."""
    usual = weasyprint_page.remake_page

    def composed_page(index: int, context: Any, root_box: Any, html: Any) -> tuple[Any, Any]:
        page, resume_at = usual(index, context, root_box, html)
        if page.page_type.side == "left":
            _turn(page, page.content_box_x(), page.width)
        return page, resume_at

    weasyprint_page.remake_page = composed_page
    try:
        yield
    finally:
        weasyprint_page.remake_page = usual


def _turn(box: Any, left: float, width: float) -> None:
    """Turn over what reaches into the outer margin of a page whose text has this left edge and width."""
    for child in box.all_children():
        about = {} if child.element is None or not hasattr(child.element, "get") else child.element
        if about.get(OUTER) is not None and child.element_tag == child.element.tag:
            child.translate(dx=2 * (left - child.border_box_x()) + width - child.border_width())
            if about.get(OUTER) == "lines":
                _turn_lines(child)
        elif hasattr(child, "children"):
            _turn(child, left, width)


def _turn_lines(box: Any) -> None:
    """Set the lines of a box flush with its right edge."""
    edge = box.content_box_x() + box.width
    for line in box.descendants():
        if type(line).__name__ == "LineBox" and line.children:
            line.translate(dx=edge - max(each.position_x + each.width for each in line.children))
