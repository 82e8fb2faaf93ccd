"""The parts of every figure: a canvas that measures words, words at a point, frames; lengths in points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from typing import NamedTuple, Protocol

from sheetgen.errors import Place, quoted

SANS, SERIF = "Source Sans Pro", "Source Serif Pro"
GREY = "#777"


class Drawn(NamedTuple):
    """A drawing: its width and height, and the inside of its SVG."""

    width: float
    height: float
    inside: str


class TextWidth(Protocol):
    """How wide a text is in one of the two families, by the metrics of its face."""

    def __call__(self, text: str, size: float, /, *, weight: int = 400, serif: bool = False) -> float:
        """Return the width of the text."""


class Misfit(ValueError):
    """Words that are wider than their room in a figure."""


class Misplaced(ValueError):
    """What a figure says wrongly, at the place of a word of its data."""

    def __init__(self, message: str, word: object) -> None:
        super().__init__(message)
        self.place: Place | None = getattr(word, "place", None)


@dataclass(frozen=True, slots=True)
class Canvas:
    """How wide a figure may be, the colour of its bars and accents, what measures its words, and how much larger it is.

    A figure is drawn on less width and enlarged, so that its words are as large as those around it, where they fit.
    Odds on a canvas that is `tall` are in large figures, and fill that height if they may.
    """

    width: float
    accent: str
    text_width: TextWidth
    larger: float = 1.0
    tall: float = 0.0

    def enlarged(self, draw: Callable[[Canvas], Drawn]) -> Drawn:
        """Return a drawing, enlarged if its words have room; ValueError of the plain one."""
        plain = replace(self, larger=1.0)
        if self.larger > 1:
            with suppress(ValueError):
                width, height, inside = draw(replace(plain, width=self.width / self.larger))
                scaled = f'<g transform="scale({self.larger:g})">{inside}</g>'
                return Drawn(width * self.larger, height * self.larger, scaled)
        return draw(plain)

    def widest(self, texts: Iterable[str], size: float, *, weight: int = 400, serif: bool = False) -> float:
        """Return the width of the widest text; 0 if there is none."""
        return max((self.text_width(text, size, weight=weight, serif=serif) for text in texts), default=0.0)

    def check(self, text: str, room: float, size: float, *, weight: int = 400, serif: bool = False) -> None:
        """Raise Misfit for a text that is wider than its room."""
        wide = self.text_width(text, size, weight=weight, serif=serif)
        if wide > room:
            raise Misfit(f"{quoted(text)} is {wide:.0f} pt wide, and there is room for {max(room, 0):.0f}")

    def lines(self, text: str, room: float, size: float, *, weight: int = 400) -> list[str]:
        """Return the text in lines no wider than the room; Misfit for a word that is wider."""
        lines, line = list[str](), ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if line and self.text_width(longer, size, weight=weight) > room:
                lines.append(line)
                line = word
            else:
                line = longer
        lines += [line] if line else []
        for each in lines:
            self.check(each, room, size, weight=weight)
        return lines


def attribute(text: str) -> str:
    """Return a text as the value of an attribute, in its quotes."""
    return f'"{escape(text)}"'


def svg(drawn: Drawn, title: str) -> str:
    """Return a drawing as an SVG element that says what it shows."""
    width, height, inside = drawn
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}pt" height="{height:g}pt"'
    return f'<svg class="figure" {size} role="img" aria-label={attribute(title)}>{inside}</svg>'


def words(
    x: float,
    y: float,
    text: str,
    *,
    size: float = 8,
    anchor: str = "start",
    weight: int = 400,
    serif: bool = False,
    fill: str = "#000",
) -> str:
    """Return a line of words at a point of its baseline."""
    family = SERIF if serif else SANS
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size:g}" font-weight="{weight}" fill="{fill}"'
    return f'<text {place} font-family="{family}">{escape(text, quote=False)}</text>'


def stacked(x: float, y: float, lines: Sequence[str], *, step: float, size: float = 8, weight: int = 400) -> list[str]:
    """Return lines one below another, the first one at a point of its baseline."""
    return [words(x, y + step * at, line, size=size, weight=weight) for at, line in enumerate(lines)]


def box(x: float, y: float, width: float, height: float, *, grey: bool = False) -> str:
    """Return a frame with round corners: black around what is read, grey around what is written by hand."""
    line = f'stroke="{GREY}" stroke-width="0.5"' if grey else 'stroke="#000" stroke-width="0.75"'
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" fill="none" {line}/>'
