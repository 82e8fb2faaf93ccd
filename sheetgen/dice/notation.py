"""Dice notation: `2d6`, `4d6kh3`, `d66`, `2d6+1`, and die codes such as `3d+2`.

dice   = [count] "d" sides [keep] [modifier]
keep   = "kh" number | "kl" number          the highest or the lowest dice count
d66    = "d66"                              two six-sided dice read as tens and units
modifier = ("+" | "-") number
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sheetgen.errors import quoted

MOST_DICE, MOST_SIDES, MOST_MODIFIER = 100, 1000, 1000

_NOTATION = re.compile(
    r"(?P<count>\d{1,12})?d(?P<sides>\d{1,12})?(?:(?P<keep>kh|kl)(?P<kept>\d{1,12}))?(?P<modifier>[+-]\d{1,12})?",
    re.IGNORECASE,
)


class NotationError(ValueError):
    """Text that is not dice notation; `column` counts from 1 and points at the first wrong character."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message, column)
        self.message, self.column = message, column

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Notation:
    """What to roll: `count` dice of `sides`, `keep` of them (negative: the lowest), then add `modifier`."""

    count: int
    sides: int
    keep: int = 0
    modifier: int = 0
    tens: bool = False

    def __str__(self) -> str:
        if self.tens:
            return "d66"
        keep = f"k{'h' if self.keep > 0 else 'l'}{abs(self.keep)}" if self.keep else ""
        return f"{self.count}d{self.sides}{keep}" + (f"{self.modifier:+d}" if self.modifier else "")

    @property
    def values(self) -> tuple[int, ...]:
        """Every total that can come up, in rising order."""
        if self.tens:
            return tuple(10 * tens + units for tens in range(1, 7) for units in range(1, 7))
        kept = abs(self.keep) or self.count
        return tuple(range(kept + self.modifier, kept * self.sides + self.modifier + 1))

    def total(self, faces: Iterable[int]) -> int:
        """Return the result of these faces: kept, added up and modified, or read as tens and units."""
        rolled = list(faces)
        if self.tens:
            return 10 * rolled[0] + rolled[1]
        if self.keep:
            rolled = sorted(rolled)[-self.keep :] if self.keep > 0 else sorted(rolled)[: -self.keep]
        return sum(rolled) + self.modifier


def parse_notation(text: str, *, sides: int = 0) -> Notation:
    """Return the notation that `text` writes; `sides` is what a bare die code (`3d+2`) means, 0 if none is allowed.

    Raises NotationError with the column of the first character that does not belong.
    """
    plain = text.strip().replace("−", "-")
    offset = len(text) - len(text.lstrip())
    match = _NOTATION.match(plain)
    if match is None or match.end() != len(plain):
        column = offset + (match.end() if match else 0) + 1
        raise NotationError(f"{quoted(text)} is not dice notation: write 2d6, 4d6kh3, d66 or 2d6+1", column)
    if match["sides"] == "66" and match["count"] in (None, "1") and not match["keep"] and not match["modifier"]:
        return Notation(2, 6, tens=True)
    if match["sides"] is None and not sides:
        raise NotationError(f"{quoted(text)} does not say how many sides: write {match['count'] or 1}d6", offset + 1)
    notation = Notation(
        count=int(match["count"] or 1),
        sides=int(match["sides"] or sides),
        keep=int(match["kept"] or 0) * (1 if (match["keep"] or "").lower() == "kh" else -1),
        modifier=int(match["modifier"] or 0),
    )
    _check_limits(notation, keeps=match["keep"] is not None, text=text, column=offset + 1)
    return notation


def _check_limits(notation: Notation, *, keeps: bool, text: str, column: int) -> None:
    if not 1 <= notation.count <= MOST_DICE:
        raise NotationError(f"{quoted(text)}: the number of dice must be 1 to {MOST_DICE}", column)
    if not 2 <= notation.sides <= MOST_SIDES:
        raise NotationError(f"{quoted(text)}: a die has 2 to {MOST_SIDES} sides", column)
    if keeps and not 1 <= abs(notation.keep) <= notation.count:
        raise NotationError(f"{quoted(text)}: it can keep 1 to {notation.count} dice", column)
    if abs(notation.modifier) > MOST_MODIFIER:
        raise NotationError(f"{quoted(text)}: the modifier must be at most {MOST_MODIFIER}", column)
