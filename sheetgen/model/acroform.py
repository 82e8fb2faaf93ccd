"""A given fillable PDF: its fields, where they stand, and what they take."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
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


REFERENCE = re.compile(r"\{([^{}]*)\}")
YES = "yes"
_OFF = frozenset(("", "0", "no", "off", "false", "-", "–", "−", "—"))
_LEFT_OVER = " ,;:·/|–—-\u00a0"


@dataclass(frozen=True, slots=True)
class FieldRule:
    """What goes into one field; `text` has `{name}` wherever a value belongs.

    A `tick` is on if the text says something and is no plain no; if `least` is given, if the level of that name is at
    least so high; if `equals` is, if the text is that.
    """

    text: str
    tick: bool = False
    least: int | None = None
    equals: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the values that it needs."""
        return tuple(name.strip() for name in REFERENCE.findall(self.text))

    def fill(self, values: Mapping[str, str], levels: Mapping[str, int]) -> str:
        """Return the text for somebody with these values; for a tick “yes” or nothing."""
        text = _with_values(self.text, values)
        if not self.tick:
            return text
        if self.least is not None:
            return YES if any(levels.get(name, 0) >= self.least for name in self.names) else ""
        if self.equals:
            return YES if text.casefold() == self.equals.casefold() else ""
        return YES if is_yes(text) else ""


def is_yes(text: str) -> bool:
    """Return whether a value ticks a box."""
    return text.strip().casefold() not in _OFF


def _with_values(text: str, values: Mapping[str, str]) -> str:
    """Return the text with its values; what stood between them and nothing goes with what is not there."""
    missing = False

    def value(match: re.Match[str]) -> str:
        nonlocal missing
        found = values.get(match[1].strip(), "")
        missing = missing or not found
        return found

    filled = REFERENCE.sub(value, text)
    if not any(values.get(name.strip()) for name in REFERENCE.findall(text)) and REFERENCE.search(text):
        return ""
    return filled.strip(_LEFT_OVER) if missing else filled


def folded(words: str) -> str:
    """Return a name as names are compared: its letters and digits alone, without case and accents."""
    plain = unicodedata.normalize("NFKD", words).casefold()
    return "".join(char for char in plain if char.isalnum())
