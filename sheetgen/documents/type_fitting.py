"""Letters of handouts: large ones made as wide as their place, lines of typed ones, those on a round seal."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from sheetgen.model.handout import Lettering, TypedText

Measure = Callable[[str, float], float]

# Of a line of large letters, in em: its height, with small letters or capitals only, and where its baseline is.
LINE, LINE_OF_CAPITALS, BASE = 1.06, 0.92, 0.80
STEP = 0.62  # em: from letter to letter of a machine; those of typewriters are about as wide
STOP = "STOP"
STOPS = {"CYRILLIC": "ТЧК", "GREEK": "ΣΤΟΠ"}  # by the script of a message
_COLUMN = re.compile(r" *(?:\S+ {2,})?")  # a time or a number, and what sets it off
_END = re.compile(r"[.!?;:]+(?=\s|$)")
_MARKS = re.compile(r"[,“”\"()–—]+")


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
        down += _line(lettering) * size
    return {"lines": best, "width": width, "height": round(down, 3), "text": " ".join(words)}


def _line(lettering: Lettering) -> float:
    """Return the height of a line in em."""
    return LINE_OF_CAPITALS if lettering.capitals else LINE


def _line_data(
    lines: Sequence[str], lettering: Lettering, measure: Measure, width: float, height: float
) -> list[dict[str, object]]:
    low, high = lettering.stretch
    tallest = height / len(lines) / _line(lettering)
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
