"""How levels are written: plain numbers, hexadecimal digits, numbers with their sign, die codes, or words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

HEX_DIGITS = "0123456789ABCDEF"
MINUS = "−"
LONGEST = 5

Kind = Literal["decimal", "hex", "signed", "code", "words"]
KINDS: tuple[Kind, ...] = ("decimal", "hex", "signed", "code", "words")


@dataclass(frozen=True, slots=True)
class Scale:
    """A way to write whole numbers and to read them back.

    `hex` is one hexadecimal digit, `signed` shows its sign, `code` counts dice of `pips` pips each and what is over
    (3d+2), `words` has a word for each level from `lowest` upward.
    """

    kind: Kind = "decimal"
    pips: int = 1
    words: tuple[str, ...] = ()
    lowest: int = 0

    def write(self, level: int) -> str:
        """Return the level as it is printed."""
        return self.plain(level).replace("-", MINUS) if self.kind == "signed" else self.plain(level)

    def plain(self, level: int) -> str:
        """Return the level as files hold it, in characters that any keyboard has."""
        if self.kind == "hex" and 0 <= level < len(HEX_DIGITS):
            return HEX_DIGITS[level]
        if self.kind == "signed" and level > 0:
            return f"+{level}"
        if self.kind == "code":
            dice, over = divmod(level, self.pips)
            return f"{dice}d+{over}" if over else f"{dice}d"
        if self.kind == "words" and 0 <= level - self.lowest < len(self.words):
            return self.words[level - self.lowest]
        return str(level)

    def read(self, text: str) -> int | None:
        """Return the level that a text states; None if it states none."""
        if self.kind == "words":
            return self.lowest + self.words.index(text) if text in self.words else None
        if self.kind == "code":
            return self._pips(text)
        if self.kind == "signed":
            return _whole_number(text.removeprefix("+").replace(MINUS, "-"))
        if self.kind == "hex" and len(text) == 1 and text.upper() in HEX_DIGITS:
            return HEX_DIGITS.index(text.upper())
        return _whole_number(text)

    def _pips(self, text: str) -> int | None:
        dice, d, over = text.replace(" ", "").casefold().partition("d")
        whole, rest = _whole_number(dice), _whole_number(over.removeprefix("+")) if over.startswith("+") else 0
        plain = not over or (over.startswith("+") and rest is not None and 0 < rest < self.pips)
        if not d or whole is None or whole < 0 or rest is None or not plain:
            return None
        return whole * self.pips + rest

    @property
    def numeric(self) -> bool:
        """Whether a plain number says the same as the text."""
        return self.kind in ("decimal", "hex", "signed")


def usual(scales: Iterable[Scale]) -> Scale:
    """Return how levels of no group are written: as hexadecimal digits where a group of the game is, else plainly."""
    return Scale("hex" if any(scale.kind == "hex" for scale in scales) else "decimal")


def _whole_number(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < LONGEST else None
