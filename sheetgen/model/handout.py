"""Handouts: what players get into their hands, and the styles and looks that they come in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sheetgen.errors import Place
from sheetgen.geometry import Size
from sheetgen.model.data import Data, Word

Kind = Literal["line", "list", "pairs", "symbols", "picture", "seal", "map"]
Pairs = tuple[tuple[str, str], ...]
Entry = str | tuple[str, ...] | Pairs | Mapping[Word, Data]

KINDS: tuple[Kind, ...] = ("line", "list", "pairs", "symbols", "picture", "seal", "map")
Made = Literal["", "wheel", "grille", "halves", "map"]


@dataclass(frozen=True, slots=True)
class Lettering:
    """Large letters that are made as wide as their place: a face, and how far a letter may be pressed or stretched.

    `spacing` is the most that may stand between letters, in em; with `even` all lines have letters of one size.
    """

    family: str
    weight: int
    stretch: tuple[float, float]
    spacing: float = 0.0
    capitals: bool = True
    even: bool = True


@dataclass(frozen=True, slots=True)
class Hand:
    """How somebody writes: the faces, the first that has a letter; the size of letters against print; the line in em.

    Words leave their line by `wander` em at most and turn by `lean` degrees; ink that `dips` grows paler until the pen
    is dipped. `loose` letters of a machine stand `high` or `low`. A hand without faces is print. `slant`, in degrees to
    the right, and `spacing`, in em, are somebody's own.
    """

    name: str
    say: str
    families: tuple[str, ...] = ()
    size: float = 1.0
    leading: float = 1.38
    wander: float = 0.0
    lean: float = 0.0
    dips: bool = False
    loose: Mapping[str, str] = field(default_factory=dict)
    slant: float = 0.0
    spacing: float = 0.0

    @property
    def is_print(self) -> bool:
        """Whether it is the face of the look, set by a printer."""
        return not self.families


@dataclass(frozen=True, slots=True)
class Look:
    """How a genre dresses a handout, and which hand people write; templates/handout/ornaments.html draws for it."""

    name: str
    say: str
    lettering: Lettering
    hand: str = "neat"


@dataclass(frozen=True, slots=True)
class Room:
    """The place for large letters: width and height, as parts of the page inside its margins, and the most lines."""

    width: float
    height: float
    lines: int


@dataclass(frozen=True, slots=True)
class TypedText:
    """Text as a machine sets it: so many letters to a line, each as wide as any other.

    `width` is that of a line, as a part of the page inside its margins.
    """

    columns: int
    width: float = 1.0
    capitals: bool = False
    stops: bool = False


@dataclass(frozen=True, slots=True)
class Style:
    """One kind of handout: its fields by name with their kinds, and its paper.

    `sizes` are trim sizes, the smallest first; without any it is as large as the paper. Text that needs more is made
    smaller, down to `smallest` of its size, and a few lines on the smallest larger, up to `largest`; then it goes on
    to a further page if the style `continues`. `margins` are above, right, below and left, in mm. With `bars`, text
    that is struck out is gone, and a bar stands in its place. `defaults` are said where a field is left out. `hand`
    writes it, or the hand of the look if it is empty. A `picture` has a frame whose width and height are parts of the
    width inside the margins, its `focus` in sight, and a `screen` of dots. The large fields in `blackletter` are set in
    it where the look is one of those named. What is `made` of its text or its data is a cipher, halves or a map.
    """

    name: str
    say: str
    needs: Mapping[str, Kind]
    may: Mapping[str, Kind]
    text: Literal["needs", "may", "no"]
    longest: int
    example: str
    sizes: tuple[Size, ...] = ()
    margins: tuple[float, float, float, float] = (15.0, 15.0, 15.0, 15.0)
    continues: bool = False
    smallest: float = 1.0
    largest: float = 1.0
    large: Mapping[str, Room] = field(default_factory=dict)
    typed: TypedText | None = None
    bars: bool = False
    defaults: Mapping[str, str] = field(default_factory=dict)
    picture: tuple[float, ...] = ()
    focus: tuple[float, ...] = (50.0, 50.0)
    screen: int = 0
    hand: str = ""
    blackletter: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    made: Made = ""

    @property
    def fields(self) -> dict[str, Kind]:
        """Every field, those that it needs first."""
        return {**self.needs, **self.may}


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All styles, looks and hands by name, and the symbols of map keys: SVG paths on a square of 24 by 24."""

    styles: Mapping[str, Style]
    looks: Mapping[str, Look]
    hands: Mapping[str, Hand]
    symbols: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Handout:
    """A handout as somebody wrote it; `look` and `hand` are empty where none was named.

    `place` is where its style is named.
    """

    name: str
    style: Style
    look: str
    entries: Mapping[str, Entry]
    text: str
    place: Place
    places: Mapping[str, Place] = field(default_factory=dict)
    hand: str = ""
