"""Finds text that a page would cut off: beyond the paper, or beyond a box that hides what does not fit (RND-22).

The text layer of a PDF cannot tell, since clipped words are still in it; only where the letters stand can. It reads the
boxes that WeasyPrint laid out and imports nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sheetgen.errors import quoted
from sheetgen.geometry import POINTS_PER_CSS_PIXEL, millimetres

# Set on an element whose text is meant to be cut, such as a pattern that bleeds off the page.
MEANT = "data-cut"
_TOLERANCE = 1.0
# What of a line must be seen, in em above and below its baseline: small letters and most of what hangs below.
_ABOVE, _BELOW = 0.5, 0.2


@dataclass(frozen=True, slots=True)
class _Window:
    """What can be seen, in CSS pixels from the upper left of the page."""

    left: float
    top: float
    right: float
    bottom: float

    def within(self, box: Any) -> _Window:
        """What can be seen through a box that hides its overflow."""
        x, y = box.padding_box_x(), box.padding_box_y()
        return _Window(
            max(self.left, x),
            max(self.top, y),
            min(self.right, x + box.padding_width()),
            min(self.bottom, y + box.padding_height()),
        )

    def overrun(self, text: Any) -> float:
        """By how many pixels a text box reaches out."""
        size, baseline = text.style["font_size"], text.position_y + text.baseline
        sideways = max(self.left - text.position_x, text.position_x + text.width - self.right)
        upright = max(self.top - (baseline - _ABOVE * size), baseline + _BELOW * size - self.bottom)
        return float(max(sideways, upright))


def overruns(document: Any) -> Iterator[str]:
    """A sentence for each text of a WeasyPrint document that is cut off, with its page and by how much."""
    for number, page in enumerate(document.pages, 1):
        bleed = page.bleed
        paper = _Window(-bleed["left"], -bleed["top"], page.width + bleed["right"], page.height + bleed["bottom"])
        for text, over in _cut(page._page_box, paper):
            length = millimetres(over * POINTS_PER_CSS_PIXEL)
            yield f"page {number}: {quoted(text)} reaches {length:.1f} mm out of its box"


def _cut(box: Any, window: _Window) -> Iterator[tuple[str, float]]:
    style, element = box.style, box.element
    if style["transform"] or (element is not None and MEANT in getattr(element, "attrib", ())):
        return
    if hasattr(box, "text"):
        over = window.overrun(box) if box.text.strip() and style["visibility"] == "visible" else 0.0
        if over > _TOLERANCE:
            yield box.text.strip(), over
        return
    if style["overflow"] != "visible" and hasattr(box, "padding_left") and hasattr(box, "height"):
        window = window.within(box)
    for child in box.all_children():
        yield from _cut(child, window)
