"""What the blocks of a sheet's layout are drawn from, and what heights they can have. Lengths are in mm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sheetgen.geometry import POINTS_PER_MM
from sheetgen.model.people_pages import SheetBlock
from sheetgen.model.system import System

Measure = Callable[..., float]


@dataclass(frozen=True, slots=True)
class Height:
    """The least height of something, the one it would like, and the most that it can use."""

    least: float
    wanted: float
    most: float


@dataclass(frozen=True, slots=True)
class Setting:
    """What blocks are drawn from: the game, how wide a text is, the texts of its rules, and how high a page is inside.

    `measure` takes a text, its size in points, `weight` and `serif`; `texts` are what reminders say.
    """

    system: System
    measure: Measure
    texts: Mapping[SheetBlock, str]
    page_height: float

    def width_of(self, text: str, size: float, *, weight: int = 400, serif: bool = False) -> float:
        """Return the width of a text in mm, at a size in points."""
        return self.measure(text, size, weight=weight, serif=serif) / POINTS_PER_MM

    def lines(self, text: str, width: float, size: float, *, weight: int = 400, serif: bool = False) -> int:
        """Return how many lines a text takes in a width of mm, at a size in points."""
        count, line = 0, ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if not line or self.width_of(longer, size, weight=weight, serif=serif) > width:
                count, line = count + 1, word
            else:
                line = longer
        return count
