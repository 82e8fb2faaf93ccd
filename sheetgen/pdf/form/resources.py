"""What the pages of a file share: pictures by name, and the letters that each font needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_NEWLINE = frozenset("\n")  # which no font needs a glyph for


@dataclass(frozen=True, slots=True)
class NewResources:
    """Resources that a compositor needs since it was last asked: pictures by name, and letters by font.

    Those of an added font are glyphs with what they stand for (see `face.lettered`).
    """

    pictures: Mapping[bytes, bytes]
    letters: Mapping[bytes, Sequence[str]]


class Resources:
    """The pictures and letters used by the pages so far, and those of them that `take_new` has not returned yet."""

    def __init__(self) -> None:
        self._pictures: dict[bytes, bytes] = {}
        self._letters: dict[bytes, set[str]] = {}
        self._seen: set[bytes] = set()
        self._known: dict[bytes, set[str]] = {}

    def picture(self, name: bytes, drawing: bytes) -> None:
        if name not in self._seen:
            self._seen.add(name)
            self._pictures[name] = drawing

    def knows(self, font: bytes, text: str) -> bool:
        """Return whether all letters of a text were needed of that font before, which then has them."""
        return self._known.get(font, _NEWLINE).issuperset(text)

    def letters(self, font: bytes, text: Iterable[str]) -> None:
        known = self._known.setdefault(font, set(_NEWLINE))
        new = set(text) - known
        if new:
            known |= new
            self._letters.setdefault(font, set()).update(new)

    def take_new(self) -> NewResources:
        letters = {font: tuple(sorted(new)) for font, new in self._letters.items()}
        new = NewResources(self._pictures, letters)
        self._pictures, self._letters = {}, {}
        return new
