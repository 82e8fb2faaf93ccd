"""The letters of handouts: as wide as their place, typed, around a seal, as a hand writes them, and drawn symbols."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import accumulate, chain
from unicodedata import bidirectional

from sheetgen.model.handout import Hand, Lettering, TypedText

Measure = Callable[[str, float], float]

# Of a line of large letters, in em: its height, with small letters or capitals only, and where its baseline is.
LINE, LINE_OF_CAPITALS, BASE = 1.06, 0.92, 0.80
STEP = 0.62  # em: from letter to letter of a machine; those of typewriters are about as wide
STOP = "STOP"
STOPS = {"CYRILLIC": "ТЧК", "GREEK": "ΣΤΟΠ"}  # by the script of a message
_COLUMN = re.compile(r" *(?:\S+ {2,})?")  # a time or a number, and what sets it off
_END = re.compile(r"[.!?;:]+(?=\s|$)")
_MARKS = re.compile(r"[,“”\"()–—]+")
PALEST = 0x4A  # of 255: what ink thins to before the pen is dipped
WIDEST = 0.018  # em between letters: from 0.03 on, pairs of letters included, viewers copy a word that leans as several
_PARTS = re.compile(r"(<[^>]*>)|([^<\s]+)|(\s+)")
_INLINE = re.compile(r"</?(?:em|strong|s|code|a|span)\b")
_LETTERS = re.compile(r"&#?\w+;|.", re.DOTALL)
# On a square of 24, from the baseline upwards; what begins with a stroke (-) is drawn as a line, the rest is filled.
_HEART = "M12 21C4 15 2 11 2 7.5A5 5 0 0 1 12 6A5 5 0 0 1 22 7.5C22 11 20 15 12 21Z"
_STAR = "M12 2L14.7 9H22L16 13.5L18.2 21L12 16.5L5.8 21L8 13.5L2 9H9.3Z"
_CROSSED = "-M5 4L19 20M19 4L5 20"
SYMBOLS = {
    "♥": _HEART,
    "❤": _HEART,
    "♦": "M12 2L20 12L12 22L4 12Z",
    "♠": "M12 2C13 7 21 10 21 15A4.5 4.5 0 0 1 13 17L15 22H9L11 17A4.5 4.5 0 0 1 3 15C3 10 11 7 12 2Z",
    "♣": "M12 2A4.5 4.5 0 0 1 15.5 9.5A4.7 4.7 0 1 1 13 16L15 22H9L11 16A4.7 4.7 0 1 1 8.5 9.5A4.5 4.5 0 0 1 12 2Z",
    "★": _STAR,
    "☆": f"-{_STAR}",
    "✔": "M3 13L6 10.5L10 15L19 3L22 5L10.5 21Z",
    "✗": _CROSSED,
    "✘": _CROSSED,
    "☒": "-M3 3H21V21H3ZM7 7L17 17M17 7L7 17",
    "□": "-M3 3H21V21H3Z",
    "☐": "-M3 3H21V21H3Z",
    "☑": "-M3 3H21V21H3ZM7 13L11 8L17 17",
    "●": "M12 4A8 8 0 1 0 12 20A8 8 0 1 0 12 4Z",
    "○": "-M12 4A8 8 0 1 0 12 20A8 8 0 1 0 12 4Z",
    "☾": "M14 2A10 10 0 1 0 21 18A9 9 0 0 1 14 2Z",
    "✝": "M10 2H14V8H20V11.5H14V22H10V11.5H4V8H10Z",
    "✚": "M9 3H15V9H21V15H15V21H9V15H3V9H9Z",
    "☠": "-M5 11A7 7 0 0 1 19 11C19 14 17 15 16 16V20H8V16C7 15 5 14 5 11ZM9 10V13M15 10V13M12 15V17M11 20V18M13 20V18",
    "₪": "-M3 20V4H11C14 4 15 6 15 9V14M9 10V20H17C20 20 21 18 21 15V4",
}
_ASIDE = re.compile(r"(<svg.*?</svg>|<style.*?</style>|<title.*?</title>|<[^>]*>)", re.DOTALL)
_DRAWN = re.compile(f"[{''.join(SYMBOLS)}]\ufe0f?")


def large(
    text: str, lettering: Lettering, measure: Measure, *, width: float, height: float, lines: int
) -> dict[str, object]:
    """Return a text in large letters as plain data: lines with their size, stretch, spacing and baseline.

    Lengths are in mm.

    It takes the number of lines that lets the letters be largest, and is never wider or higher than told.
    """
    words = (text.upper() if lettering.capitals else text).split()
    best: list[dict[str, object]] = []
    top = 0.0
    for count in range(1, min(lines, len(words)) + 1):
        data = _line_data(_balanced(words, count, measure), lettering, measure, width, height)
        least = min(float(str(line["size"])) for line in data)
        if least > top * 1.15:  # one more line must be worth it
            best, top = data, least
    down = 0.0
    for line in best:
        size = float(str(line["size"]))
        line["y"] = round(down + BASE * size, 3)
        down += _line_height(lettering) * size
    return {"lines": best, "width": width, "height": round(down, 3), "text": " ".join(words)}


def _line_height(lettering: Lettering) -> float:
    """Return the height of a line in em."""
    return LINE_OF_CAPITALS if lettering.capitals else LINE


def _line_data(
    lines: Sequence[str], lettering: Lettering, measure: Measure, width: float, height: float
) -> list[dict[str, object]]:
    low, high = lettering.stretch
    tallest = height / len(lines) / _line_height(lettering)
    natural = [measure(line, 1.0) for line in lines]
    sizes = [min(tallest, width / (each * low)) for each in natural]
    if lettering.even:
        sizes = [min(sizes)] * len(lines)
    data: list[dict[str, object]] = []
    for line, size, each in zip(lines, sizes, natural, strict=True):
        stretch = min(high, width / (size * each)) if not lettering.even else min(high, width / (size * max(natural)))
        free = width - size * each * stretch
        gaps = max(len(line) - 1, 1)
        spacing = max(0.0, min(lettering.spacing * size, free / gaps))
        data.append(
            {
                "text": line,
                "size": round(size, 3),
                "stretch": round(stretch, 4),
                "spacing": round(spacing / stretch, 4),
                "x": round((width - size * each * stretch - spacing * (len(line) - 1)) / 2, 3),
                "width": round(size * each * stretch + spacing * (len(line) - 1), 3),
            }
        )
    return data


def _balanced(words: Sequence[str], count: int, measure: Measure) -> list[str]:
    """Return the words on so many lines, or fewer, the longest as short as can be."""
    blank = measure(" ", 1.0)
    widths = [measure(word, 1.0) + blank for word in words]
    low, high = max(widths), sum(widths)
    for _ in range(30):
        middle = (low + high) / 2
        if len(_broken(words, widths, middle)) <= count:
            high = middle
        else:
            low = middle
    return _broken(words, widths, high)


def _broken(words: Sequence[str], widths: Sequence[float], limit: float) -> list[str]:
    lines: list[list[str]] = [[]]
    used = 0.0
    for word, wide in zip(words, widths, strict=True):
        if lines[-1] and used + wide > limit + 1e-9:
            lines.append([])
            used = 0.0
        lines[-1].append(word)
        used += wide
    return [" ".join(line) for line in lines]


def typed(text: str, how: TypedText, measure: Measure) -> list[str]:
    """Return the lines of a text as a machine types them: none is wider than so many letters."""
    words = text.upper() if how.capitals else text
    if how.stops:
        words = stopped(words)
    room = how.columns * STEP
    return [line for each in words.splitlines() for line in _wrapped(each.rstrip(), room, measure)]


def stopped(text: str) -> str:
    """Return a message as it is wired: one paragraph, no marks, STOP between sentences.

    Where most letters are Cyrillic or Greek, the wire says ТЧК or ΣΤΟΠ.
    """
    sentences = [" ".join(_MARKS.sub(" ", each).split()) for each in _END.split(" ".join(text.split()))]
    scripts = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha())
    stop = STOPS.get(max(scripts, key=lambda name: scripts[name], default=""), STOP)
    return f" {stop} ".join(each for each in sentences if each)


def _wrapped(line: str, room: float, measure: Measure) -> Iterator[str]:
    """Yield a line broken between words, later ones under its last column; a word that is too long is broken inside."""
    column = _COLUMN.match(line)
    indent = " " * (column.end() if column and measure(column[0], 1.0) < room / 3 else 0)
    rest = line
    while measure(rest, 1.0) > room + 1e-6:
        fits = max(next(count for count in range(1, len(rest) + 1) if measure(rest[:count], 1.0) > room) - 1, 1)
        at = rest.rfind(" ", len(indent) + 1, fits + 1)
        at = at if at > len(indent) else max(fits, len(indent) + 1)
        yield rest[:at].rstrip()
        rest = indent + rest[at:].lstrip()
    yield rest


def around(text: str, measure: Measure) -> dict[str, object]:
    """Return a text on a circle as plain data: each letter, its turn in degrees, and the size for a radius of 10."""
    words = text.upper()
    size = min(2.6, 330.0 / 57.3 * 10 / max(measure(words, 1.0) * 1.12, 0.1))
    turns = [measure(letter, size) * 1.12 / 10 * 57.3 for letter in words]
    starts = [0.0, *accumulate(turns)]
    middle = starts[-1] / 2
    letters = [
        {"letter": letter, "turn": round(start + turn / 2 - middle, 2)}
        for letter, start, turn in zip(words, starts, turns, strict=False)
        if letter != " "
    ]
    return {"text": text, "size": round(size, 3), "letters": letters, "whole": starts[-1] > 200}


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


def with_symbols(html: str) -> str:
    """Return a page with each of these symbols in its text drawn in the size and the colour of the words around it."""
    if not _DRAWN.search(html):
        return html
    return "".join(part if at % 2 else _DRAWN.sub(_svg, part) for at, part in enumerate(_ASIDE.split(html)))


def _svg(found: re.Match[str]) -> str:
    path = SYMBOLS[found[0][0]]
    line = path.startswith("-")
    how = 'fill="none" stroke="#000" stroke-width="2" stroke-linejoin="round"' if line else 'fill="#000"'
    box = 'width="0.8em" height="0.8em" viewBox="0 0 24 24" style="vertical-align: -0.08em"'
    return f'<svg {box} role="img" aria-label="{found[0][0]}"><path d="{path.lstrip("-")}" {how}/></svg>'
