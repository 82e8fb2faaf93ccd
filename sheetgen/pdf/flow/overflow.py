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
# Set on an element that is told of as a whole, once, by what it is called: a card, a panel.
NAMED = "data-name"
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

    def hidden(self, box: Any) -> float:
        """By how many pixels a picture reaches out below or to the right."""
        x, y = box.content_box_x(), box.content_box_y()
        return float(max(x + box.width - self.right, y + box.height - self.bottom))


@dataclass(frozen=True, slots=True)
class Overrun:
    """What does not fit: in words, and the name of the card or panel it is in, if it is in one."""

    message: str
    name: str = ""


def overruns(document: Any) -> Iterator[Overrun]:
    """What a WeasyPrint document cuts off, and by how much: each text with its page, or a named part as a whole."""
    for number, page in enumerate(document.pages, 1):
        bleed = page.bleed
        paper = _Window(-bleed["left"], -bleed["top"], page.width + bleed["right"], page.height + bleed["bottom"])
        most: dict[str, float] = {}
        for text, over, name in _cut(page._page_box, paper):
            if name:
                most[name] = max(over, most.get(name, 0.0))
            else:
                length = millimetres(over * POINTS_PER_CSS_PIXEL)
                yield Overrun(f"page {number}: {quoted(text)} reaches {length:.1f} mm out of its box")
        for name, over in most.items():
            length = millimetres(over * POINTS_PER_CSS_PIXEL)
            yield Overrun(f"{quoted(name)} has {length:.1f} mm more than there is room for", name)


def _cut(box: Any, window: _Window, name: str = "") -> Iterator[tuple[str, float, str]]:
    style, element = box.style, box.element
    about = {} if element is None else getattr(element, "attrib", {})
    if style["transform"] or MEANT in about:
        return
    name = about.get(NAMED, name)
    if hasattr(box, "text"):
        over = window.overrun(box) if box.text.strip() and style["visibility"] == "visible" else 0.0
        if over > _TOLERANCE:
            yield box.text.strip(), over, name
        return
    if name and hasattr(box, "replacement"):
        over = window.hidden(box)
        if over > _TOLERANCE:
            yield about.get("aria-label", box.element_tag), over, name
        return
    if style["overflow"] != "visible" and hasattr(box, "padding_left") and hasattr(box, "height"):
        window = window.within(box)
    for child in box.all_children():
        yield from _cut(child, window, name)
