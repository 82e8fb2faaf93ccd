"""Somebody's fillable PDF as it was read: its fields, where they stand, and what they take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sheetgen.geometry import Box

Kind = Literal["line", "area", "tick", "radio", "choice"]
OFF = "Off"


@dataclass(frozen=True, slots=True)
class Spot:
    """One place where a field stands: the page (from 0), the box in points, and for ticks the name of their “on”."""

    page: int
    box: Box
    state: str = ""


@dataclass(frozen=True, slots=True)
class Blank:
    """One field of a form, under its whole name, and everything that says what may be put in.

    `title` is what a reader shows of it, `value` what stands in it now. `options` are the names that a choice or radio
    stores and what people read for each; an `open` choice takes any other text, too, and a `listed` one shows them all.
    `longest` is the most characters (0: any number), each in a cell of its own if it is a `comb`. `size` is 0 where
    type is as large as there is room. `unseen` says that what stands in it now has no picture of its own.
    """

    name: str
    title: str
    kind: Kind
    spots: tuple[Spot, ...]
    value: str = ""
    options: tuple[tuple[str, str], ...] = ()
    open: bool = False
    listed: bool = False
    longest: int = 0
    comb: bool = False
    align: Literal["left", "center", "right"] = "left"
    size: float = 0.0
    colour: tuple[float, float, float] = (0.0, 0.0, 0.0)
    serif: bool = False
    bold: bool = False
    italic: bool = False
    unseen: bool = False

    @property
    def shows_text(self) -> bool:
        """Whether it shows words; ticks and radios show marks."""
        return self.kind not in ("tick", "radio")


@dataclass(frozen=True, slots=True)
class Acroform:
    """A fillable PDF: how many pages it has, its fields in the order in which one reads, and what is worth knowing."""

    pages: int
    blanks: tuple[Blank, ...]
    notes: tuple[str, ...] = ()
