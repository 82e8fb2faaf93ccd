"""A job for the printer: what goes in, what comes out, and what is done with it then; said in one place."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.geometry import Box, Size, paper_name


@dataclass(frozen=True, slots=True)
class PrintStep:
    """One thing to do with the paper, and the names of the pictures that show it."""

    text: str
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PrintJob:
    """Sheets of paper to print, and what to do with them by hand.

    `kind` is how they are folded or cut: saddle, eight, cut, gutter, cards, fold-cards, or none of these. `flip` is the
    edge over which they are turned, or nothing if they are printed on one side. `size` is the sheet as it is laid, in
    mm; `cells` are the places on it in points, `front` and `back` the pages there on the first sheet as one sees them,
    on their head if negative. `steps` is the work of the hands, in order. Sheets that are `upright` stand in the file
    even if they are laid on their side.
    """

    kind: str
    what: str
    paper: str
    size: Size
    sheets: int
    flip: str
    cells: tuple[Box, ...]
    front: tuple[int, ...]
    back: tuple[int, ...]
    steps: tuple[PrintStep, ...]
    upright: bool = False

    @property
    def printing(self) -> str:
        """What to tell the printer, in a line."""
        sheets = f"{self.sheets} sheet{'' if self.sheets == 1 else 's'} of {paper_name(self.paper)}"
        sides = f"on both sides, turned over the {self.flip} edge" if self.flip else "on one side"
        return f"{sheets}, printed {sides}, at actual size (100 %)"

    @property
    def advice(self) -> tuple[str, ...]:
        """All of it: first the printer, then the hands."""
        return (self.printing, *(step.text for step in self.steps))
