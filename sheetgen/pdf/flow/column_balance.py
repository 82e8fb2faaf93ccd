"""Columns of text that are even, and as short as they can be: WeasyPrint 70 lengthens them by whole paragraphs.

This module reaches into WeasyPrint 70; only `composition.py` imports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from weasyprint.layout import block as weasyprint_block

from sheetgen.pdf.flow.copyfit import end_of

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
