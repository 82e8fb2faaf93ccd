"""The blocks of a page set a little closer, or further apart, than their style says, as long as somebody wants it.

This module reaches into WeasyPrint 70; only `composition.py` imports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

_BETWEEN = ("margin_top", "margin_bottom")
_WITHIN = ("padding_top", "padding_bottom")  # of cells
_LINES = "line_height"
_WIDEST = 0.75  # of a row: what may be added to it
_MOSTLY = 0.4  # of a page: what rows must fill, to be set further apart


class Respaced:
    """Blocks that are set otherwise than their style says, until `undone`."""

    def __init__(self, blocks: Iterable[Any], between: float = 1.0, lines: float = 1.0, more: float = 0.0) -> None:
        """Make what stands between blocks and lines so much of what it was, and each row of a table so much higher."""
        self._usual = [_set(block, between, lines, more) for block in blocks]

    @classmethod
    def rows(cls, blocks: Sequence[Any], page: Any, room: float) -> Respaced | None:
        """Return blocks with the rows of their tables so far apart that they fill a room, if the page is all theirs."""
        shown = {each.element for block in blocks for each in _rows(block)}
        rows = {round(each.position_y): each.height for each in _rows(page) if each.element in shown}
        high = sum(rows.values())
        if not rows or high < _MOSTLY * page.height:
            return None
        return cls(blocks, more=min(room, _WIDEST * high) / len(rows))

    def undone(self, first: int = 0) -> None:
        """Set the blocks from this one on as they were."""
        for usual in self._usual[first:]:
            for box, style in usual:
                box.style = style
        del self._usual[first:]


def _set(block: Any, between: float, lines: float, more: float) -> list[tuple[Any, Any]]:
    """Give the boxes of a block styles of their own, and return those that they had, which other blocks may share."""
    usual = [(box, box.style) for box in _boxes(block)]
    styles = dict[tuple[int, bool], Any]()
    for box, style in usual:
        is_cell = _is(box, "TableCellBox")
        key = id(style), is_cell
        if key not in styles:
            styles[key] = _respaced(style, is_cell, between, lines, more)
        box.style = styles[key]
    return usual


def _respaced(style: Any, is_cell: bool, between: float, lines: float, more: float) -> Any:
    made = style.copy()
    for name in (*_BETWEEN, *_WITHIN) if is_cell else _BETWEEN:
        value = made[name]
        if getattr(value, "unit", "") == "px" and value.value > 0:
            made[name] = value._replace(value=value.value * between + more / 2 * (name in _WITHIN))
    if isinstance(made[_LINES], float):
        made[_LINES] *= lines
    return made


def _rows(block: Any) -> list[Any]:
    return [box for box in _boxes(block) if _is(box, "TableRowBox")]


def _boxes(block: Any) -> tuple[Any, ...]:
    return (block, *block.descendants()) if hasattr(block, "descendants") else (block,)


def _is(box: Any, name: str) -> bool:
    return type(box).__name__ == name
