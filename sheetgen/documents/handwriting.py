"""Text as a hand writes it: words that leave their line a little, lean, and grow paler until the pen is dipped again.

All of it is the same for the same words. Words stay text: they can be copied, searched and read aloud.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import chain
from unicodedata import bidirectional

from sheetgen.model.handout import Hand

PALEST = 0x4A  # of 255: what ink thins to before the pen is dipped
WIDEST = 0.018  # em between letters: from 0.03 on, pairs of letters included, viewers copy a word that leans as several
_PARTS = re.compile(r"(<[^>]*>)|([^<\s]+)|(\s+)")
_INLINE = re.compile(r"</?(?:em|strong|s|code|a|span)\b")
_LETTERS = re.compile(r"&#?\w+;|.", re.DOTALL)


def roughness(name: str) -> Iterator[float]:
    """Numbers from 0 to 1 without end, always the same for a name."""
    number = 0
    while True:
        yield from (byte / 255 for byte in blake2b(f"{name} {number}".encode()).digest())
        number += 1


def hand_of_writer(hand: Hand, writer: str) -> Hand:
    """Return a hand as somebody has it: upright or slanted, small or large, close or wide, by their name alone.

    Titles behind a comma do not count. A machine writes alike for everybody, and so does nobody at all.
    """
    name = writer.partition(",")[0].strip().casefold()
    if not name or hand.is_print or hand.loose:
        return hand
    rough = roughness(f"hand of {name}")
    slant, size = 14 * next(rough) - 6, hand.size * (0.95 + 0.11 * next(rough))
    spacing = WIDEST * next(rough)
    return replace(hand, slant=round(slant, 1), size=round(size, 3), spacing=round(spacing, 3))


@dataclass(slots=True)
class _Pen:
    """Where the pen is: how far off the line, which way it drifts, how many letters since it was dipped."""

    hand: Hand
    even: bool
    rough: Iterator[float]
    off: float = 0.0
    letters: int = 0
    lasts: float = 60.0
    open: list[str] = field(default_factory=list)

    def style(self, word: str) -> str:
        """Return the style of the next word, and move on."""
        aim = (next(self.rough) - 0.5) * 2 * self.hand.wander
        self.off = 0.6 * self.off + 0.4 * aim
        lean = (next(self.rough) - 0.5) * 2 * self.hand.lean
        slant = f" skewX({-self.hand.slant:g}deg)" if self.hand.slant else ""
        rules = [f"transform:translateY({self.off:.3f}em) rotate({lean:.2f}deg){slant}"]
        if self.hand.dips and not self.even:
            part = min(self.letters / self.lasts, 1.0)
            grey = round(PALEST * part**3 / 6) * 6
            rules += [f"color:#{grey:02x}{grey:02x}{grey:02x}"] if grey else []
        self.letters += len(word)
        if self.letters > self.lasts:
            self.letters, self.lasts = 0, 45 + 70 * next(self.rough)
        return ";".join(rules)


def written(html: str, hand: Hand, seed: str, *, even: bool = False) -> str:
    """Return HTML with every word set off by a hand of its own; with `even` its ink does not thin."""
    if not html or hand.is_print:
        return html
    pen = _Pen(hand, even, roughness(seed))
    return "".join(chain.from_iterable(_unit(unit, pen) for unit in _units(html)))


def _units(html: str) -> Iterator[list[str]]:
    """Yield runs of letters and the tags within lines, and between them blanks and the tags of blocks, one by one."""
    unit: list[str] = []
    for found in _PARTS.finditer(html):
        part = found[0]
        if found[2] or (found[1] and _INLINE.match(part)):
            unit.append(part)
            continue
        if unit:
            yield unit
            unit = []
        yield [part]
    if unit:
        yield unit


def _unit(unit: list[str], pen: _Pen) -> Iterator[str]:
    """Yield one word with the tags that are open around it inside, so that nothing can part it from its full stop."""
    letters = "".join(part for part in unit if not part.startswith("<"))
    if not letters.strip():
        if not _INLINE.match(unit[0]):
            yield unit[0]
        _follow(unit, pen)
        return
    if pen.hand.loose:
        yield from (_loose(part, pen.hand.loose) for part in unit)
        return
    opened = "".join(pen.open)
    _follow(unit, pen)
    closing = "".join(f"</{_name(tag)}>" for tag in reversed(pen.open))
    if any(bidirectional(letter) in ("R", "AL") for letter in letters):  # words apart would stand in the wrong order
        yield f"{opened}{''.join(unit)}{closing}"
        return
    style = pen.style(letters)
    yield f'<span class="w" style="{style}">{opened}{"".join(unit)}{closing}</span>'


def _follow(unit: list[str], pen: _Pen) -> None:
    """Keep which tags within a line are open."""
    for part in unit:
        if part.startswith("</") and _INLINE.match(part):
            pen.open.pop()
        elif _INLINE.match(part):
            pen.open.append(part)


def _name(tag: str) -> str:
    return re.split(r"[\s>]", tag[1:], maxsplit=1)[0]


def _loose(part: str, loose: Mapping[str, str]) -> str:
    """Return a word with those letters raised or lowered whose types sit badly in this machine."""
    if part.startswith("<"):
        return part
    return "".join(
        f'<span class="{loose[each]}">{each}</span>' if each in loose else each for each in _LETTERS.findall(part)
    )
