"""The head of a card: its number, its icon in the tint of its chapter, and its title in one line or two."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from sheetgen.documents.figures.svg import TextWidth
from sheetgen.documents.sheet import TemplateData
from sheetgen.model.printing import Tone

USUAL = 13.0  # pt: the title for which the lengths below are
BADGE, NUMBER, GAP = 10.2, 3.9, 2.2  # mm at that size
FLAT = 0.76  # of the badge, on a card that lies
LEAST_TITLE = 9.0
_LEADING = 1.1
_DARK, _PALE = (0.43, 0.105), (0.925, 0.045)  # lightness and chroma of OKLCH
_FIRST_HUE = 25.0  # degrees; a red


@dataclass(frozen=True, slots=True)
class Tint:
    """The colours of a chapter: `dark` for its badge and its mark at the edge, `pale` behind the head."""

    dark: str
    pale: str


def tints(count: int, tone: Tone) -> tuple[Tint, ...]:
    """Return so many tints, evenly round the circle of hues and equally dark, as a tone prints them.

    White on a dark one, and black on a pale one, have a contrast of 7 to 1 and more.
    """
    hues = [math.radians(_FIRST_HUE + 360 * at / max(count, 1)) for at in range(count)]
    return tuple(Tint(tone.of(_colour(*_DARK, hue)), tone.of(_colour(*_PALE, hue))) for hue in hues)


def _colour(lightness: float, chroma: float, hue: float) -> str:
    """Return a colour of OKLCH as #rrggbb (B. Ottosson, 2020), with less chroma where a screen has not so much."""
    while True:
        a, b = chroma * math.cos(hue), chroma * math.sin(hue)
        cones = (
            (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3,
            (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3,
            (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3,
        )
        linear = (
            4.0767416621 * cones[0] - 3.3077115913 * cones[1] + 0.2309699292 * cones[2],
            -1.2684380046 * cones[0] + 2.6097574011 * cones[1] - 0.3413193965 * cones[2],
            -0.0041960863 * cones[0] - 0.7034186147 * cones[1] + 1.7076147010 * cones[2],
        )
        if all(-1e-4 <= part <= 1.0001 for part in linear) or chroma < 0.005:
            return "#" + "".join(f"{round(255 * _encoded(part)):02x}" for part in linear)
        chroma *= 0.96


def _encoded(linear: float) -> float:
    linear = min(max(linear, 0.0), 1.0)
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


def head_measures(title: float, *, wide: bool, inset: float) -> TemplateData:
    """Return how high the head of a card is and where its parts stand, in mm, for titles of so many pt.

    The number stands over the badge, as on a playing card; on a card that lies, beside it.
    """
    scale = title / USUAL
    badge, number = BADGE * scale * (FLAT if wide else 1), NUMBER * scale
    high = inset + badge + (number if not wide else 0) + 1.3 * scale
    left = inset + badge + GAP * scale + (2 * number if wide else 0)
    return {"badge": badge, "number": number, "head": high, "left": left}


def set_title(title: str, usual: float, width: float, text_width: TextWidth) -> TemplateData:
    """Return a title as large as fits into a width in pt: in a line of up to 1.25 of the usual size, or in two lines.

    Only a word that is wider than a line makes it smaller than usual.
    """

    def wide(text: str, *, size: float) -> float:
        return text_width(text, size, weight=700, serif=True)

    size = min(1.25 * usual, usual * 1.25 * width / max(wide(title, size=usual * 1.25), 0.01))
    lines = [title]
    if size < 1.08 * usual:
        size = 1.08 * usual
        while len(lines := _lines(title.split(), width, partial(wide, size=size))) > 2 and size > LEAST_TITLE:
            size -= 0.25
        lines = _even(lines, lambda text: wide(text, size=size) <= width)
        longest = max(wide(line, size=size) for line in lines)
        size *= min(1.0, width / longest)
    return {"title_size": round(size - 0.005, 2), "title_lines": lines, "title_height": len(lines) * size * _LEADING}


def _even(lines: list[str], fits: Callable[[str], bool]) -> list[str]:
    """Return two lines parted behind a colon, or else as evenly as fits."""
    words = " ".join(lines).split()
    parted = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    parted = [(above, below) for above, below in parted if fits(above) and fits(below)]
    if len(lines) != 2 or not parted:
        return lines
    return [*min(parted, key=lambda pair: (not pair[0].endswith(":"), abs(len(pair[0]) - len(pair[1]))))]


def _lines(words: Sequence[str], width: float, wide: Callable[[str], float]) -> list[str]:
    lines = [words[0]] if words else []
    for word in words[1:]:
        if wide(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
