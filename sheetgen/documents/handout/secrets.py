"""Handouts that keep something back: ciphers, a grille, torn halves, pinpricks, and maps that show the GM more."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import unescape
from itertools import cycle, islice
from math import sqrt
from typing import Any

from sheetgen.documents.figures.kinds import draw_figure
from sheetgen.documents.figures.maps import MARGIN, NARROW, TALLEST
from sheetgen.documents.figures.svg import Canvas, Misplaced, TextWidth, words
from sheetgen.documents.handout.lettering import roughness
from sheetgen.errors import InputError, Place, Problem, quoted
from sheetgen.geometry import Size, mm

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GROUP, GRILLES = 5, (4, 6, 8, 10, 12)  # letters of a group, and how many letters wide a grille may be
_COMMON = "ETAOINSHRDLU"  # what fills a grille where the message is over
_TEXT = re.compile(r"(<[^>]*>|&#?\w+;)|([^<&]+)")

Measure = Callable[[str], float]
SECRET = "secret"
LYING = 1.2  # times as wide as high, at the least, is a map that lies


def letters_of(text: str, place: Place) -> str:
    """Return the letters of a message from A to Z, accents taken off; InputError for any others."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", text).upper() if each.isalnum())
    strange = sorted({each for each in plain if each not in ALPHABET})
    if strange:
        told = quoted("".join(strange))
        raise InputError([Problem(place, f"a cipher has letters from A to Z alone, not {told} (spell numbers out)")])
    return plain


def wheel(text: str, key: str, place: Place) -> dict[str, object]:
    """Return a message as a wheel turned to its key writes it: A of the outer disc stands over the key.

    It comes in groups, with both alphabets. A key of several letters turns the wheel to each of them in turn, and the
    groups are as long as it is. InputError at the place for a key of anything but letters.
    """
    turned = key.strip().upper()
    if not turned or set(turned) - set(ALPHABET):
        told = f"the key of a wheel is a letter from A to Z, or a word of such letters, not {quoted(key)}"
        raise InputError([Problem(place, told)])
    if not set(turned) - {ALPHABET[0]} or (len(turned) > 1 and len(set(turned)) == 1):
        clear = "leaves every letter as it is" if turned[0] == ALPHABET[0] else f"is no other than {turned[0]}"
        raise InputError([Problem(place, f"the key {quoted(key)} of a wheel {clear}: take another")])
    shifts = cycle(ALPHABET.index(each) for each in turned)
    pairs = zip(letters_of(text, place), shifts, strict=False)
    cipher = "".join(ALPHABET[(ALPHABET.index(each) + shift) % len(ALPHABET)] for each, shift in pairs)
    return {"alphabet": ALPHABET, "key": turned, "groups": grouped(cipher, GROUP if len(turned) == 1 else len(turned))}


def grouped(letters: str, size: int = GROUP) -> list[str]:
    """Return letters in groups of a size, five if none is said."""
    return [letters[at : at + size] for at in range(0, len(letters), size)]


def grille(text: str, seed: str, place: Place) -> dict[str, object]:
    """Return a square of letters and the holes of the card that reads it, turned three times to the right.

    InputError at the place for a message of more letters than the largest square has.
    """
    message = letters_of(text, place)
    side = next((each for each in GRILLES if each * each >= len(message)), 0)
    if not side:
        most = GRILLES[-1] ** 2
        raise InputError([Problem(place, f"a grille holds {most} letters, and these are {len(message)} (say less)")])
    rough, half = roughness(seed), side // 2
    holes = [_turned((x, y), side, int(next(rough) * 3.999)) for y in range(half) for x in range(half)]
    square = [[""] * side for _ in range(side)]
    filled = message + "".join(_COMMON[int(next(rough) * 11.999)] for _ in range(side * side - len(message)))
    following = iter(filled)
    for turn in range(4):
        for x, y in sorted((_turned(hole, side, turn) for hole in holes), key=lambda at: (at[1], at[0])):
            square[y][x] = next(following)
    return {"side": side, "rows": square, "holes": [[x, y] for x, y in sorted(holes)], "letters": len(message)}


def _turned(at: tuple[int, int], side: int, turns: int) -> tuple[int, int]:
    """Return where a cell is after so many quarter turns to the right."""
    x, y = at
    for _ in range(turns):
        x, y = side - 1 - y, x
    return x, y


def halves(
    paragraphs: Sequence[str], measure: Measure, *, width: float, height: float, pitch: float, seed: str
) -> dict[str, object]:
    """Return a text torn from top to bottom: for each line what stands on the left, what on the right, and where.

    `width` of a line, `height` of the page and `pitch` from line to line in mm; no letter is torn. The tear is one for
    both halves.
    """
    lines = [line for each in paragraphs for line in _wrapped(each, measure, width)]
    rough, wave, torn = roughness(seed), 0.0, list[dict[str, object]]()
    tear: list[tuple[float, float]] = []
    for number, line in enumerate(lines):
        wave = 0.55 * wave + 0.9 * (next(rough) - 0.5)
        wanted = width * (0.5 + 0.2 * wave)
        at = next((count for count in range(1, len(line)) if measure(line[:count]) > wanted), len(line) + 1) - 1
        long = measure(line[:at])
        torn.append(
            {"left": line[:at].rstrip(), "right": line[at:].lstrip(), "at": round(_indent(line, at, measure), 2)}
        )
        edge = long if at < len(line) else wanted
        tear += [(edge + 0.3, number * pitch + 0.2), (edge + 0.3 + next(rough) * 0.8, (number + 0.55) * pitch)]
        tear.append((edge + (next(rough) - 0.5) * 2, (number + 0.9) * pitch))
    for number in range(len(lines), int(height / pitch)):
        wave = 0.55 * wave + 0.9 * (next(rough) - 0.5)
        tear.append((width * (0.5 + 0.2 * wave), (number + 0.2 + 0.6 * next(rough)) * pitch))
    return {"lines": torn, "tear": [[round(x, 2), round(y, 2)] for x, y in tear], "pitch": round(pitch, 3)}


def _indent(line: str, at: int, measure: Measure) -> float:
    """Return where the right part of a line begins: behind the blank that it may begin with."""
    return measure(line[: at + len(line[at:]) - len(line[at:].lstrip())])


def _wrapped(text: str, measure: Measure, width: float) -> Iterator[str]:
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and measure(longer) > width:
            yield line
            longer = word
        line = longer
    yield line


def pricked(html: str, secret: str, place: Place) -> str:
    """Return HTML with a pinprick under those letters of its text that spell a secret, in their order.

    They are spread over the text as evenly as its letters allow. InputError at the place if they are not in it.
    """
    wanted = [each for each in secret.casefold() if each.isalpha()]
    parts = [found[0] for found in _TEXT.finditer(html)]
    letters = [
        (number, at, each.casefold())
        for number, part in enumerate(parts)
        if part[0] not in "<&"
        for at, each in enumerate(part)
    ]
    spots = _spread(wanted, [each for _, _, each in letters])
    if spots is None:
        raise InputError([Problem(place, f"the text has not the letters of {quoted(unescape(secret))} in this order")])
    marked = {letters[spot][:2] for spot in spots}
    return "".join(
        "".join(
            f'<span class="prick">{each}</span>' if (number, at) in marked else each for at, each in enumerate(part)
        )
        if part[0] not in "<&"
        else part
        for number, part in enumerate(parts)
    )


def _spread(wanted: Sequence[str], letters: Sequence[str]) -> list[int] | None:
    """Return the places of letters in a text, in order, each near its share of the way; None if they are not there."""
    latest, end = list[int](), len(letters)
    for each in reversed(wanted):  # the last place at which each may stand
        end = next((at for at in range(end - 1, -1, -1) if letters[at] == each), -1)
        if end < 0:
            return None
        latest.append(end)
    found, start = list[int](), 0
    for number, (each, last) in enumerate(zip(wanted, reversed(latest), strict=True)):
        share = len(letters) * number // max(len(wanted), 1)
        places = [at for at in range(start, last + 1) if letters[at] == each]
        chosen = next(islice((at for at in places if at >= share), 1), places[-1])
        found.append(chosen)
        start = chosen + 1
    return found


def map_data(
    params: Mapping[Any, Any], room: Size, accent: str, text_width: TextWidth, place: Place, *, larger: float = 1.0
) -> dict[str, object]:
    """Return the players' map and, if anything on it is secret, the GM's, each as SVG with its size in mm.

    `room` is what a map with a grid fills, `larger` how large its letters are. InputError for what cannot be drawn.
    """
    hidden = any(_is_secret(each) for part in ("places", "ways", "areas") for each in _members(params, part))
    if hidden and "grid" not in params:
        told = (
            "a map with secrets needs `grid: [width, height]` in steps, so that both versions of it are equally large"
        )
        raise InputError([Problem(place, told)])
    try:
        canvas = Canvas(_width(params, Size(room.width / larger, room.height / larger)), accent, text_width)
        return {
            "shown": _map_svg(_public(params), canvas, larger),
            "whole": _map_svg(_ordered(params), canvas, larger) if hidden else "",
        }
    except Misplaced as error:
        raise InputError([Problem(error.place or place, str(error))]) from None
    except ValueError as error:
        raise InputError([Problem(place, str(error))]) from None


def _members(params: Mapping[str, Any], part: str) -> Iterator[Mapping[str, Any]]:
    found = params.get(part, ())
    yield from (each for each in (found.values() if isinstance(found, Mapping) else found) if isinstance(each, Mapping))


def _is_secret(about: Mapping[str, Any]) -> bool:
    return str(about.get(SECRET, "no")) in ("yes", "true", "True")


def _public(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return a map without what is secret, and without ways to it."""
    places = {name: about for name, about in params.get("places", {}).items() if not _is_secret(about)}
    hidden = set(params.get("places", {})) - set(places)
    open_ways = (each for each in params.get("ways", ()) if not _is_secret(each))
    ways = [each for each in open_ways if not {each.get("from"), each.get("to")} & hidden]
    areas = [each for each in params.get("areas", ()) if not _is_secret(each)]
    return {**params, "places": places, "ways": ways, "areas": areas}


def _ordered(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return a map with its secret places last, so that the others have the same numbers for everybody."""
    places = sorted(params.get("places", {}).items(), key=lambda each: _is_secret(each[1]))
    return {**params, "places": dict(places)}


def _width(params: Mapping[str, Any], room: Size) -> float:
    """Return how wide, in points, a map is drawn that has no more than this room; one without a grid as wide as it."""
    if "grid" not in params:
        return mm(room.width)
    columns, rows = (float(str(each)) for each in params["grid"])
    return min(mm(room.width), columns * (mm(room.height) - 2 * MARGIN) / max(rows, 1) + 2 * MARGIN)


def lies(params: Mapping[Any, Any]) -> bool:
    """Return whether a map with a grid is so much wider than high that it fills a page on its side better."""
    try:
        columns, rows = (float(str(each)) for each in params.get("grid", (1, 1)))
    except ValueError:
        return False
    return columns >= LYING * rows


def _map_svg(params: Mapping[str, Any], canvas: Canvas, larger: float) -> str:
    drawn = draw_figure("map", params, canvas)
    lines = "".join(_grid(params, canvas)) if params.get("lines") else ""
    size = f'width="{drawn.width * larger:.2f}pt" height="{drawn.height * larger:.2f}pt"'
    view = f'viewBox="0 0 {drawn.width:.2f} {drawn.height:.2f}"'
    return f'<svg class="map" {size} {view}>{lines}{drawn.inside}</svg>'


def _grid(params: Mapping[str, Any], canvas: Canvas) -> Iterator[str]:
    """Yield a grid of squares or hexes, a step wide, with letters above and numbers beside it."""
    if "grid" not in params or str(params["lines"]) not in ("squares", "hexes"):
        raise ValueError("lines: takes squares or hexes, and needs grid: [width, height]")
    columns, rows = (float(str(each)) for each in params["grid"])
    unit = min((canvas.width - 2 * MARGIN) / columns, (TALLEST - 2 * MARGIN) / rows, NARROW)
    right, bottom = MARGIN + columns * unit, MARGIN + rows * unit
    if str(params["lines"]) == "squares":
        across = "".join(f"M{MARGIN + n * unit:.1f} {MARGIN}V{bottom:.1f}" for n in range(int(columns) + 1))
        down = "".join(f"M{MARGIN} {MARGIN + n * unit:.1f}H{right:.1f}" for n in range(int(rows) + 1))
        yield f'<path d="{across}{down}" fill="none" stroke="#888" stroke-width="0.4"/>'
    else:
        yield f'<path d="{"".join(_hexes(columns, rows, unit))}" fill="none" stroke="#888" stroke-width="0.4"/>'
    for n in range(int(columns)):
        yield words(MARGIN + (n + 0.5) * unit, MARGIN - 5, chr(65 + n % 26), size=8, anchor="middle")
    for n in range(int(rows)):
        yield words(MARGIN - 6, MARGIN + (n + 0.5) * unit + 3, str(n + 1), size=8, anchor="end")


def _hexes(columns: float, rows: float, unit: float) -> Iterator[str]:
    """Yield hexes with a corner on top, a step from middle to middle."""
    side = unit / sqrt(3)
    count = int(rows * unit / (1.5 * side))
    for row in range(count):
        y = MARGIN + side + row * 1.5 * side
        for column in range(int(columns) - row % 2):
            x = MARGIN + (column + 0.5 + row % 2 * 0.5) * unit
            yield (
                f"M{x:.1f} {y - side:.1f}l{unit / 2:.1f} {side / 2:.1f}v{side:.1f}l{-unit / 2:.1f} {side / 2:.1f}"
                f"l{-unit / 2:.1f} {-side / 2:.1f}v{-side:.1f}Z"
            )
