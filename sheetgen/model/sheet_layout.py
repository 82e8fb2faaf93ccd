"""The layout of a sheet that a pack states without a template: blocks that show its fields, in a grid of columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sheetgen.errors import Place

BlockKind = Literal[
    "heading", "line", "area", "slots", "numbers", "rows", "track", "clock", "ticks", "rated",
    "words", "rule", "table", "list", "write", "picture", "stack",
]  # fmt: skip
MARKED: tuple[BlockKind, ...] = ("track", "clock", "ticks")
MARK = "mark"  # the first part of the names of marks: mark.Stress.3 is ticked from level 3 on
MOST_MARKS = 30


@dataclass(frozen=True, slots=True)
class SheetBlock:
    """One block of a sheet, as wide as `span` columns of the grid.

    `shows` is the field it shows, `traits` are those of a trait group whose levels it shows; `lines` says how many
    lines, slots or boxes it has (0: as many as usual), `columns` in how many columns its parts stand. `beside` are the
    words of boxes beside each number or line, filled in by a trait group of that name, `text` what a reminder says, or
    which rule, table, list or picture. A `stack` has blocks of its own, one below the other.
    """

    kind: BlockKind
    span: int
    shows: str = ""
    traits: tuple[str, ...] = ()
    title: str = ""
    hint: str = ""
    lines: int = 0
    columns: int = 0
    beside: tuple[str, ...] = ()
    text: str = ""
    stack: tuple[SheetBlock, ...] = ()
    place: Place = field(default=Place(""), compare=False)


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """The blocks of the front and of the back, in a grid of so many columns, and how the sheet looks.

    `theme` is the name of a look, `motif` a drawing and `font` a font for titles, both files of the pack's templates.
    Where sheets differ `by` what a field says, `variants` has the layout for each word of it, which has that `word`.
    This one is for whoever has none.
    """

    columns: int
    front: tuple[SheetBlock, ...]
    back: tuple[SheetBlock, ...] = ()
    theme: str = ""
    motif: str = ""
    font: str = ""
    place: Place = field(default=Place(""), compare=False)
    by: str = ""
    word: str = ""
    variants: Mapping[str, SheetLayout] = field(default_factory=dict)

    @property
    def all(self) -> tuple[SheetLayout, ...]:
        """Every layout: that of each word, or this one alone."""
        return tuple(self.variants.values()) or (self,)

    @property
    def blocks(self) -> tuple[SheetBlock, ...]:
        """Every block of both sides, those of stacks among them."""
        return tuple(block for each in (*self.front, *self.back) for block in (each, *each.stack))

    def marked(self) -> frozenset[str]:
        """Return the trait groups of which some level is shown by marks, on any sheet of the game."""
        layouts = (self, *self.variants.values())
        return frozenset(block.shows for each in layouts for block in each.blocks if block.kind in MARKED)

    def of(self, word: str) -> SheetLayout:
        """Return the layout for a word of the field that it goes `by`; this one where that has none of its own."""
        return self.variants.get(word, self)

    def ticked(self) -> frozenset[str]:
        """Return the traits whose levels this sheet shows by marks."""
        return frozenset(name for block in self.blocks if block.kind in MARKED for name in block.traits)

    def shown_in_front(self) -> frozenset[str]:
        """Return what the blocks of the front show, which is printed whether or not there is a back."""
        return frozenset(block.shows for each in self.front for block in (each, *each.stack) if block.shows)
