"""One face as the stamp needs it: which glyph stands for a character, how wide it is, and the outlines to embed.

A face has the glyphs of every character it can set, under numbers that never change; what is embedded in a file are
only the outlines that the file shows (see `subset`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

EM = 1000
# How far ink reaches above and below the baseline, in em, accents aside: together the height `fit` gives a line.
ABOVE, BELOW = 0.76, 0.24
# Words come again and again: up to how long they are, and how many, their widths are kept.
_WORD, _MOST_MEASURED = 16, 10_000


@dataclass(frozen=True, slots=True)
class FaceName:
    """A face as CSS asks for it: family, weight from 100 to 900, upright or italic."""

    family: str
    weight: int = 400
    italic: bool = False

    @property
    def upright(self) -> FaceName:
        """The same face upright: italics have fewer alphabets."""
        return FaceName(self.family, self.weight)

    def __str__(self) -> str:
        return f"{self.family} {self.weight}{' italic' if self.italic else ''}"


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One font file ready for stamping; lengths are in thousandths of the em, `program` is a TrueType file.

    `glyphs` gives each character's number, `advances` each number's width, `outlines` the glyph of the program that
    each number shows: characters that look alike have numbers of their own, or text copied from a PDF would have
    no-break spaces for spaces. Number 0, and what shows glyph 0, shows nothing.
    """

    name: FaceName
    ascent: float
    descent: float
    cap_height: float
    angle: float
    bounds: tuple[int, int, int, int]
    glyphs: dict[str, int] = field(repr=False)
    advances: tuple[int, ...] = field(repr=False)
    program: bytes = field(repr=False)
    outlines: tuple[int, ...] = field(repr=False)
    # Both follow from the above; strings are measured and translated without a loop of Python's.
    _widths: dict[str, int] = field(init=False, repr=False)
    _numbers: dict[int, int] = field(init=False, repr=False)
    _measured: dict[str, int] = field(init=False, repr=False, default_factory=dict)  # words met before

    def __post_init__(self) -> None:
        object.__setattr__(self, "_widths", {char: self.advances[glyph] for char, glyph in self.glyphs.items()})
        object.__setattr__(self, "_numbers", {ord(char): glyph for char, glyph in self.glyphs.items()})

    def width(self, text: str, size: float) -> float:
        """Return the width of the text in points at `size` points; KeyError for a character that the face lacks."""
        units = self._measured.get(text)
        if units is None:
            units = sum(map(self._widths.__getitem__, text))
            if len(text) <= _WORD:
                if len(self._measured) >= _MOST_MEASURED:
                    self._measured.clear()
                self._measured[text] = units
        return units * size / EM

    def missing(self, text: str) -> str:
        """Return the characters of the text that the face cannot set, each once, in their order."""
        if self.glyphs.keys() >= set(text):
            return ""
        return "".join(dict.fromkeys(char for char in text if char not in self.glyphs))

    def used(self, letters: Iterable[str]) -> dict[int, str]:
        """Return what each of these letters' glyphs stands for."""
        return {self.glyphs[letter]: letter for letter in sorted(letters)}

    def encode(self, text: str) -> bytes:
        """Return the text as glyph numbers of two bytes each, as a string under Identity-H holds them.

        Ask `missing` first.
        """
        return text.translate(self._numbers).encode("utf-16-be")
