"""The hand that draws a map: lines a little off, and its signs, strokes in points around the middle of a place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import atan2, hypot, pi
from types import MappingProxyType

from sheetgen.dice.source import Seeded

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom

WASH = (3.0, 5.6)  # pt: how far from a shore the lines of its water run

# Of each sign the strokes, and what is filled with black.
_DRAWN = MappingProxyType(
    {
        "house": (
            "M-7 7.2L-7.2 -0.8L0.3 -7.6L7.3 -1L7 7Z M-9 1L0.3 -7.6L9 0.6 M3.6 -5L3.8 -8.6L5.8 -8.4L5.8 -2.8",
            "M-1.8 7L-1.6 2.4L1.8 2.2L2 7Z",
        ),
        "tower": (
            "M-4 8.2L-3.3 -5.8L-5.2 -6L-5 -10.2L-2.7 -10L-2.6 -8L-1.2 -8.2L-1.3 -10.1L1.2 -10L1.3 -8"
            "L2.7 -8.1L2.6 -10.2L5.1 -10L5 -6L3.4 -5.9L4.2 8Z",
            "M-1.2 8L-1.2 4.8Q0 3 1.2 4.8L1.3 8Z M-0.5 -3.8h1v2.6h-1Z",
        ),
        "wall": (
            "M-6 8L-6 -1L-4 -1L-4 1L-2 1L-2 -1L0.2 -1L0 1L2.2 1L2 -1L4.2 -1L4 1L6 1L6 8Z",
            "M-2 8L-2 4.6Q0 2 2 4.6L2 8Z",
        ),
        "church": (
            "M-9 7.2L-9 0L-5 -3.4L-0.6 -0.4L-1 7Z M-1 7L-0.8 -3L2.8 -9L6.2 -3.2L6 7.2Z M2.8 -9L2.6 -13.8"
            "M0.8 -12L4.6 -12.1",
            "M1.6 7L1.6 3.8Q2.6 2.4 3.7 3.8L3.8 7Z",
        ),
        "mill": (
            "M-4.2 8L-2.6 -4.2L2.7 -4L4 8.2Z M-2.6 -4.2L0 -7.8L2.7 -4 M0 -4.8L7.4 -11.4M0 -4.8L-7.2 -11"
            "M0 -4.8L7 2.4M0 -4.8L-7.2 1.8 M5 -10.6L7.4 -8 M-5.2 -10.8L-7.6 -8.2 M7.6 0.6L5 3 M-7.6 0L-5 2.6",
            "M-1.2 8L-1 4.6L1 4.5L1.2 8Z",
        ),
        "cave": (
            "M-10 7.2Q-10.6 0 -7 -3.4Q-5 -8.6 0 -8.4Q5.4 -8.8 7 -3.6Q10.8 0 10 7Z M-6.6 -2.4L-5 -4.6"
            "M6.6 -1.2L7.6 2.2M-8 3L-7.6 0.6",
            "M-4.4 7.2Q-5 -1 0.2 -1.8Q5 -1 4.4 7.1Z",
        ),
        "ruin": (
            "M-8.4 7L-8.2 -4L-6.4 -6.4L-5.2 -3L-3.2 -4.4L-3 7 M2 7L2.2 0.6L4 -1.6L5 1.6L7.2 0.4L8 7"
            " M-10.4 7.2L10.2 7 M-1.4 6.8L-0.4 5L1 6.8",
            "M-6.6 3h2v1.6h-2Z",
        ),
        "camp": (
            "M-8.4 7.2L0.2 -7L8.2 7Z M0.2 -7L-1.8 -9.6 M0.2 -7L2 -9.4",
            "M0.2 -5.4L-2.6 7.1L2.4 7.1Z",
        ),
        "stones": (
            "M-9 7L-8.6 -2L-6 -3.4L-4.8 7Z M-2 7L-1.6 -6.4L1 -7.4L2.6 -5L2.4 7Z M5 7L5.4 -1L7.4 -2.6L8.8 0"
            "L9 7Z M-11 7.2L11 7",
            "",
        ),
        "mine": (
            "M-9.6 7Q-9 -4 0 -8.6Q9 -4 9.8 7Z M-5.4 7L-4.6 -2.4L4.6 -2.6L5.6 7 M-6.2 -2.2L6 -2.8",
            "M-3.8 7L-3.4 -1.4L3.4 -1.6L4 7Z",
        ),
        "bridge": (
            "M-11 1.6Q0 -7.4 11 1.4L11 5.4Q8 4 7 3Q0 -2.6 -7 3.2Q-9 5 -11 5.6Z M-7 -1.4L-7 1.4M-2.4 -3"
            "L-2.4 0M2.6 -3L2.6 0M7.2 -1.4L7.2 1.4",
            "",
        ),
        "harbour": (
            "M-1.8 -7.6A1.9 1.9 0 1 1 1.9 -7.4A1.9 1.9 0 1 1 -1.8 -7.6Z M0 -5.6L0.2 8M-4.4 -2.8L4.4 -3"
            "M-7.4 2Q-6 8.2 0.2 8Q6.4 8 7.4 1.8",
            "M-9 3.6L-7.6 0L-5.2 3Z M9 3.4L7.4 -0.2L5.2 2.8Z",
        ),
        "hill": (
            "M-10.4 6Q-5 -8 1 0.6Q5.2 -5.4 10.6 6 M-5.4 -0.8L-5.8 2.6M-3.4 -2L-3.6 2.2M5.8 0.2L5.8 3.2M7.4 2L7.6 4.2",
            "",
        ),
        "mountain": (
            "M-11.6 7.2L-3.2 -9.4L1.8 0L5 -5.6L12 7 M-3.2 -9.4L-2 -3L-4 -0.6L-1.6 2.8 M5 -5.6L6 -1L4.6 1.6"
            " M-1 -4.4L0.2 -1.4M-0.4 -0.6L0.8 2.4M6.8 -1.8L8 1M8.2 1.2L9.2 3.8",
            "",
        ),
        "fir": (
            "M0 -9.4L-3.8 -2.6L-2.2 -2.8L-5.2 2.6L5.4 2.4L2.2 -2.8L4 -2.8Z M0 2.6L0.1 6",
            "",
        ),
        "tree": (
            "M0.2 7L0 1.6 M-5 0.4Q-8.4 -4.8 -3 -7.4Q0.4 -10.6 4.2 -7.4Q8.8 -4.8 5.4 0.2Q2.6 3 0 1.6"
            "Q-3.2 3 -5 0.4Z M-2.4 -2.8Q-1.4 -1.6 0 -2.4 M2 -4.8Q3 -3.8 4 -4.6",
            "",
        ),
        "water": (
            "M-11 1Q-10 -5.2 -1.4 -4.6Q8 -6 11 -0.2Q10 5.6 0 5Q-9.4 6 -11 1Z M-6 0.2Q-4.6 -1.4 -3 0.2"
            "Q-1.4 1.6 0 0.2 M0.6 2.6Q2 1.2 3.6 2.6 M2.6 -1.6Q4 -3 5.6 -1.6",
            "",
        ),
        "well": (
            "M-5.4 2Q-5.4 -0.6 0 -0.6Q5.4 -0.6 5.4 2L5 7Q0 9 -5 7Z M-5.4 2Q0 4.6 5.4 2 M-4.6 0L-4.8 -6"
            "L4.6 -6.2L4.6 0 M-7 -5.4L0 -10L7 -5.6 M0 -6L0 1.8",
            "",
        ),
        "grave": (
            "M-4.2 7L-4.2 -3Q-4 -8.2 0.2 -8Q4.2 -8 4 -3L4.2 7Z M0 -5L0 1.4M-2.4 -2.8L2.6 -3 M-9 7.2L9 7"
            " M-7.4 7L-6.6 5M6.4 7L7.4 4.8",
            "",
        ),
        "ship": (
            "M-9.4 2.6L9.6 2.4Q7.6 8.2 4 8L-5 8.2Q-8.4 7 -9.4 2.6Z M0 2.6L0.2 -10 M0.2 -9Q6.8 -6 6 -0.6"
            "L0.2 -0.8 M-0.2 -7Q-5.8 -4 -5 0L-0.2 0",
            "",
        ),
        "pavilion": (
            "M-6 2.4L-6.2 -3.4L6.2 -3.6L6 2.4Z M-9 -3L0.2 -10.6L9.2 -3.4Z M-8.8 2.6L8.8 2.4"
            "M-6.4 2.6L-6.6 8.2M-2.2 2.6L-2.2 8.2M2.2 2.5L2.2 8.2M6.4 2.5L6.6 8.2M-6.4 3L-2.2 8M-2.2 3L-6.6 8"
            "M2.2 3L6.6 8M6.4 3L2.2 8 M0.2 -10.6L0.2 -13.4",
            "M-1.4 2.4L-1.4 -1.6L1.4 -1.7L1.4 2.4Z M0.2 -13.6L3.6 -12.6L0.2 -11.4Z",
        ),
        "turnstile": (
            "M-8.6 8L-8.8 -4L-3 -4.2L-3 8Z M-9.8 -4L-5.8 -8.6L-2 -4.2Z M3 8L3.2 -4.2L8.8 -4L8.6 8Z M2 -4.2L6 -8.6"
            "L9.8 -4 M0 8L0 0.4M-2.6 2.2L2.6 2M-2.4 -0.4L2.4 4.6M2.4 -0.6L-2.4 4.8",
            "M-6.8 2.2L-6.8 -1.6L-5 -1.6L-5 2.2Z M5 2.2L5 -1.6L6.8 -1.6L6.8 2.2Z",
        ),
        "tug": (
            "M-10.4 0.6L-6.6 2L6.4 2L9.6 0.8Q9 6.4 6.8 8L-7.6 8Q-9.8 5.4 -10.4 0.6Z M-5.6 2L-5.4 -4L0.2 -4.2L0.4 2Z"
            "M2 2L1.8 -8.4L5 -8.4L5.2 2Z M-2.6 -4.2L-2.6 -11.4M-2.6 -9.4L-7.4 0.6",
            "M-4.2 -2.8h2.8v2h-2.8Z M1.9 -6.8L5 -6.8L5 -5L1.9 -5Z",
        ),
        "slip": (
            "M-8.6 7L-8.6 -1.4L-2.4 -7L3.8 -1.6L3.8 7Z M-10.2 0L-2.4 -7L5.4 -0.2 M3.8 5.4L11 -2.6M3.8 7.2L12 -1.8"
            "M5.8 3.2L7 4.2M8 0.8L9.2 1.8",
            "M-5.4 7L-5.4 1.6Q-2.4 -1.4 0.6 1.6L0.6 7Z",
        ),
        "townhouse": (
            "M-6.2 8L-6.4 -7.2L6.4 -7.4L6.2 8Z M-7.8 -7.2L-7.4 -9.6L7.4 -9.8L7.8 -7.4Z M-2.4 4.6L2.6 4.5"
            "M-3.4 6.3L3.6 6.2M-4.6 8.1L4.8 8",
            "M-1.3 4.4L-1.3 0.2Q0 -1.2 1.4 0.2L1.4 4.4Z M-4.7 -5.2h1.9v2.7h-1.9Z M-0.9 -5.3h1.9v2.7h-1.9Z"
            "M2.9 -5.3h1.9v2.7h-1.9Z M-4.7 -0.4h1.8v2.7h-1.8Z M3 -0.5h1.8v2.7h-1.8Z",
        ),
        "lighthouse": (
            "M-3.8 8.2L-2.2 -5.6L2.3 -5.7L3.9 8Z M-3.6 -5.6L3.7 -5.8 M-2 -5.8L-1.9 -8.8L2 -8.9L2.1 -5.8"
            "M-2.6 -8.8L0 -11.4L2.7 -8.9 M-3.2 2.6L3.2 2.5M-2.7 -1.6L2.8 -1.7 M-5 -7.6L-9.4 -9.2M-5 -6.4L-9.6 -5.6"
            "M5.2 -7.7L9.5 -9.4M5.2 -6.5L9.7 -5.8",
            "M-0.9 -8h1.9v1.9h-1.9Z M-1.1 8L-1.1 5.2Q0 4 1.2 5.2L1.2 8Z",
        ),
        "mast": (
            "M-3.6 8.2L-0.8 -8L0.9 -8L3.8 8 M-3 4.6L3.2 4.5M-2.2 0.2L2.4 0.1M-1.5 -4.2L1.6 -4.3 M-3.6 8.2L3.2 4.5"
            "M3.8 8L-3 4.6L2.4 0.1M3.2 4.5L-2.2 0.2L1.6 -4.3M2.4 0.1L-1.5 -4.2 M0 -8L0 -10.4",
            "M-1.9 -8h3.8v1.2h-3.8Z",
        ),
        "airship": (
            "M-10.4 -0.6Q-6.4 -5.6 0.4 -5.4Q7 -5.2 10 -0.8Q6.6 3.8 0 3.8Q-6.6 3.8 -10.4 -0.6Z M7 -3.8L11.4 -6.4L11 -0.8"
            "L11.4 4.6L7 2.4 M-9.6 -1.2Q0 -3.2 9.2 -1.2 M-1.6 3.8L-1.4 5.6M2.6 3.8L2.4 5.6",
            "M-3.2 5.4L4 5.4L3 7.8L-2.4 7.8Z",
        ),
        "glasshouse": (
            "M-11 7L-11 0.4L-6 -2.6L6 -2.8L11 0.2L11 7Z M-6 -2.6Q-5.4 -9 0 -9.2Q5.4 -9 6 -2.8 M0 -9.2L0 -11.6"
            "M-6 -2.6L-6 7M6 -2.8L6 7M-2 -2.6L-2 7M2 -2.6L2 7M-2 -2.6Q-1.8 -7.4 0 -9.2Q1.8 -7.4 2 -2.6"
            "M-11 3.2L11 3M-8.6 -1L-8.6 7M8.6 -1.2L8.6 7",
            "",
        ),
        "works": (
            "M-9.6 7L-9.4 -7.4L-7 -7.6L-6.8 7Z M-5.2 7L-5 -10L-2.6 -10L-2.4 7Z M-0.8 7L-0.6 -8L1.8 -8.2L2 7Z"
            "M-10.6 7.2L-10.4 1.4L-5.8 -1.2L-5.8 1.4L-1 -1.2L-1 1.4L3.8 -1.2L3.8 1.4L9.8 -1.4L10 7Z"
            "M-8 -9.4Q-5.6 -12.4 -3.8 -11.8M-3.4 -11.8Q-0.6 -15 2.4 -13.2M1 -10Q3.6 -12.6 6.4 -11",
            "M5.6 7L5.8 3.2L8 3.2L8 7Z",
        ),
        "stilts": (
            "M-8.6 8L-6.2 0.6M7.8 8L5.6 0.6M-2.4 8.2L-2 0.8M3 8.2L2.4 0.8M-7.4 4.6L6.6 4.4"
            "M-8.4 0.8L8 0.6 M-6.4 0.6L-6.4 -4.4L6 -4.4L6 0.6Z M-8.4 -3.6L-0.2 -9.8L8 -3.8Z"
            "M-10.4 8.6Q-9 7.4 -7.6 8.6M4.6 9Q6 7.8 7.4 9M9 8.4Q10 7.4 11 8.4",
            "M-1.6 0.4L-1.4 -2.8L1.6 -2.8L1.6 0.4Z",
        ),
        "marsh": (
            "M-9.6 5L-0.4 5.2M-5 5L-5.2 -1.4M-5 5L-8 0.6M-5 5L-2.2 0.4 M0 1L9.4 0.8M4.6 0.8L4.4 -5.6M4.6 0.8"
            "L1.8 -3.6M4.6 0.8L7.4 -3.8",
            "",
        ),
        "field": (
            "M-9 5L-4.6 -5M-5.4 5.4L-1.4 -5M-1.6 5.2L1.8 -5.2M2.4 5L5.2 -5M6.4 5.2L8.8 -5",
            "",
        ),
        "gate": (
            "M-8 8L-8.2 -6L-4 -6.2L-4 8Z M4 8L4.2 -6.2L8.2 -6L8 8Z M-8.8 -6L-6 -9L-3.4 -6 M3.4 -6L6 -9"
            "L8.8 -6 M-4 -2Q0 -6.2 4 -2 M-2 8L-2 -2.8M0 8L0 -3.8M2 8L2 -2.8M-4 2.6L4 2.4",
            "",
        ),
        "rock": (
            "M-9 6.6L-6.6 -2L-1.6 -6L3.2 -5L6 0L9.4 6.4Z M-1.6 -6L0 -1L-2.4 2 M3.2 -5L4 0.4",
            "",
        ),
        "sign": (
            "M0 8L0.2 -8 M-1 -7L6 -7.2L8.4 -5L6 -3L-1 -3Z M1 -1.6L-6 -1.6L-8.2 0.4L-6 2.2L1 2.2Z",
            "",
        ),
        "cross": (
            "M-5 -5.4L5.2 5M5 -5.2L-5.2 5.2",
            "",
        ),
        "spot": (
            "",
            "M-2.6 0A2.6 2.6 0 1 1 2.6 0.1A2.6 2.6 0 1 1 -2.6 0Z",
        ),
    }
)
# Signs that are made of others: each with where it stands and how large it is, the hindmost first.
_MADE_OF = MappingProxyType(
    {
        "village": (("house", -1.4, -4.6, 0.56), ("house", -7.4, 2.4, 0.62), ("house", 6, 1.8, 0.68)),
        "town": (
            *(("tower", 0.4, -3.4, 0.86), ("house", -9, -0.8, 0.62), ("house", 9.6, -1, 0.64)),
            *(("house", -4.6, 4.4, 0.62), ("house", 4.8, 4.8, 0.66)),
        ),
        "castle": (("tower", 0, -4, 0.94), ("wall", 0, 0, 1), ("tower", -9, 0.4, 0.92), ("tower", 9, 0.2, 0.92)),
        "farm": (("field", 7.4, 2, 0.8), ("house", -3.4, 0, 0.86)),
        "inn": (("sign", 8.8, -0.6, 0.76), ("house", -2.6, 0, 0.96)),
        "wood": (("fir", -1, -5.6, 0.8), ("fir", -7.6, -1, 0.84), ("fir", 6.4, -2, 0.86), ("fir", 0, 2.4, 0.92)),
        "grove": (("tree", -5.6, -2.4, 0.74), ("tree", 5.6, -1.6, 0.72), ("tree", 0, 3, 0.8)),
        "wreck": (("ship", 0, 0, 0.9), ("cross", 6.6, 5.6, 0.6)),
        "mooring": (("airship", 4, -6.4, 0.8), ("mast", -6.2, 1, 0.9)),
        "city": (
            *(("church", -8.6, -4.6, 0.66), ("tower", 0.4, -5, 0.84), ("townhouse", 8.8, -4.4, 0.62)),
            *(("house", -11, 3.2, 0.58), ("house", 10.8, 3.4, 0.6)),
            *(("house", -3.8, 4.6, 0.6), ("house", 4.2, 4.8, 0.62)),
        ),
    }
)
KINDS_OF_PLACES = (*_DRAWN, *_MADE_OF, "room", "name")
WAYS = (
    *("road", "path", "river", "rail", "wall", "pier", "contour", "corridor"),
    *("door", "stairs", "secret", "sea", "shore"),
)


def sign(kind: str, x: float, y: float, size: float = 1.0) -> str:
    """Return a sign with its middle at a point; nothing for a room or a bare name."""
    if kind in _MADE_OF:
        return "".join(sign(part, x + size * dx, y + size * dy, size * by) for part, dx, dy, by in _MADE_OF[kind])
    if kind not in _DRAWN:
        return ""
    strokes, filled = _DRAWN[kind]
    width = 0.9 / max(size, 0.6)
    inside = f'<path d="{strokes}" fill="#fff"/>' if strokes else ""
    inside += f'<path d="{filled}" fill="#000" stroke="none"/>' if filled else ""
    place = f'transform="translate({x:.2f} {y:.2f}) scale({size:g})"'
    pen = f'stroke="#000" stroke-width="{width:.2f}" stroke-linecap="round" stroke-linejoin="round"'
    return f"<g {place} {pen}>{inside}</g>"


def hand(points: Sequence[Point], key: str, *, wobble: float, closed: bool = False) -> str:
    """Return a path through points as a hand draws it: a little off, without corners."""
    return smooth(wandering(points, key, wobble=wobble, closed=closed), closed=closed)


def wandering(points: Sequence[Point], key: str, *, wobble: float, closed: bool = False) -> list[Point]:
    """Return the points that a hand passes on its way through others, a little off."""
    dice, found = Seeded(key.encode()), list[Point]()
    ends = [*points, points[0]] if closed else list(points)
    for (x, y), (to_x, to_y) in pairwise(ends):
        length = hypot(to_x - x, to_y - y) or 1.0
        pieces = max(1, round(length / 18))
        for piece in range(pieces):
            off = (dice.choose(2001, "") / 1000 - 1) * wobble * (piece > 0)
            share = piece / pieces
            found.append(
                (x + (to_x - x) * share - (to_y - y) / length * off, y + (to_y - y) * share + (to_x - x) / length * off)
            )
    return found if closed else [*found, ends[-1]]


def smooth(points: Sequence[Point], *, closed: bool = False) -> str:
    """Return a curve through the points (Catmull and Rom)."""
    count = len(points)

    def at(number: int) -> Point:
        return points[number % count] if closed else points[min(max(number, 0), count - 1)]

    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for number in range(count if closed else count - 1):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (at(number + each) for each in (-1, 0, 1, 2))
        from_x, from_y, to_x, to_y = bx + (cx - ax) / 6, by + (cy - ay) / 6, cx - (dx - bx) / 6, cy - (dy - by) / 6
        path += f"C{from_x:.1f} {from_y:.1f} {to_x:.1f} {to_y:.1f} {cx:.1f} {cy:.1f}"
    return path + ("Z" if closed else "")


def stroke(
    d: str, width: float, *, colour: str = "#000", dashes: str = "", fill: str = "none", ends: str = "round"
) -> str:
    """Return a path as it is drawn, `ends` being those of its line; dashes end square."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    ends = "butt" if dashes else ends
    pen = f'stroke="{colour}" stroke-width="{width:g}" stroke-linecap="{ends}" stroke-linejoin="round"'
    return f'<path d="{d}" fill="{fill}" {pen}{dashed}/>'


def along(points: Sequence[Point], share: float) -> Point:
    """Return the point at this share of a line."""
    legs = [(a, b, hypot(b[0] - a[0], b[1] - a[1])) for a, b in pairwise(points)]
    rest = share * sum(length for _, _, length in legs)
    for (ax, ay), (bx, by), length in legs:
        if rest <= length and length:
            return ax + (bx - ax) * rest / length, ay + (by - ay) * rest / length
        rest -= length
    return points[-1]


def trimmed(point: Point, towards: Point, reach: Point) -> Point:
    """Return where a line leaves the sign or the room around its end."""
    dx, dy = towards[0] - point[0], towards[1] - point[1]
    length = hypot(dx, dy) or 1.0
    share = min(0.45, reach[0] / abs(dx) if dx else 9.0, reach[1] / abs(dy) if dy else 9.0, hypot(*reach) / length)
    return (point[0] + dx * share, point[1] + dy * share) if reach[0] else point


def drawn_way(kind: str, line: Sequence[Point], sea: Point | None = None) -> str:
    """Return a way along a line, as its kind is drawn; a shore has its water where the sea is, else to its right."""
    d, points = smooth(line), line
    if kind == "shore":
        wash = "".join(stroke(smooth(_beside(line, away, sea)), 0.5, ends="butt") for away in WASH)
        return stroke(d, 1.3, ends="butt") + wash
    cased = {"road": (3.6, 2.2), "river": (5.0, 3.8), "corridor": (11.0, 9.0)}
    if kind in cased:
        outer, inner = cased[kind]
        flow = stroke(d, 0.4, dashes="9 7 4 11") if kind == "river" else ""
        return stroke(d, outer, ends="butt") + stroke(d, inner, colour="#fff", ends="butt") + flow
    if kind == "pier":
        planks = stroke(d, 5.6, ends="butt") + stroke(d, 4, colour="#fff", ends="butt") + stroke(d, 4, dashes="0.4 2.4")
        return stroke(d, 10, dashes="1.6 6.8") + planks
    if kind == "rail":
        return stroke(d, 1) + stroke(d, 5, dashes="0.8 4.2")
    if kind == "stairs":
        return stroke(d, 9, dashes="0.9 2.6")
    if kind == "door":
        (x, y), (to_x, to_y) = points[0], points[-1]
        turn = atan2(to_y - y, to_x - x) * 180 / pi
        middle = f'transform="translate({(x + to_x) / 2:.1f} {(y + to_y) / 2:.1f}) rotate({turn:.0f})"'
        leaf = '<rect x="-2.4" y="-5" width="4.8" height="10" fill="#fff" stroke="#000" stroke-width="1"/>'
        return stroke(d, 1) + f"<g {middle}>{leaf}</g>"
    plain = {
        "path": (1.1, "4.4 3.2"),
        "wall": (2.6, ""),
        "secret": (1.1, "1.2 2.6"),
        "sea": (0.8, "1.4 5"),
        "contour": (0.5, ""),
    }
    width, dashes = plain[kind]
    return stroke(d, width, dashes=dashes)


def _beside(line: Sequence[Point], away: float, sea: Point | None) -> list[Point]:
    """Return a line so far from another, on the side of the sea; its ends go along the edge that the other ends at."""
    around = [line[0], *line, line[-1]]
    turns = [(b[1] - a[1], a[0] - b[0]) for a, b in zip(around, around[2:], strict=False)]
    near = min(range(len(line)), key=lambda at: hypot(line[at][0] - sea[0], line[at][1] - sea[1])) if sea else 0
    (up, across), (x, y) = turns[near], line[near]
    away *= 1 if sea and (sea[0] - x) * up + (sea[1] - y) * across > 0 else -1
    lengths = (hypot(*turn) or 1.0 for turn in turns)
    moved = [
        (px + dx / length * away, py + dy / length * away)
        for (px, py), (dx, dy), length in zip(line, turns, lengths, strict=True)
    ]
    for at in (0, -1):
        is_upright = abs(turns[at][0]) < abs(turns[at][1])
        moved[at] = (line[at][0], moved[at][1]) if is_upright else (moved[at][0], line[at][1])
    return moved


def lapping(around: Sequence[Point], middle: Point, key: str, *, wobble: float) -> str:
    """Return the fine lines along the inside of a lake."""
    (x, y), rings = middle, list[str]()
    for away in WASH:
        shares = (max(0.2, 1 - away / (hypot(px - x, py - y) or 1.0)) for px, py in around)
        ring = [(x + (px - x) * share, y + (py - y) * share) for (px, py), share in zip(around, shares, strict=True)]
        rings.append(stroke(hand(ring, key, wobble=wobble, closed=True), 0.5))
    return "".join(rings)


def waves(middle: Point, size: Point, key: str, free: Callable[[Box], bool]) -> str:
    """Return a few waves strewn over water, where a box is free for each."""
    dice, (x, y), (wide, high) = Seeded(f"{key}waves".encode()), middle, size
    parts, drawn = list[str](), list[Point]()
    for _ in range(max(6, int(wide * high / 300))):
        dx, dy = (dice.choose(1001, "") / 1000 - 0.5) * wide * 0.9, (dice.choose(1001, "") / 1000 - 0.5) * high * 0.9
        left, top = x + dx - 5, y + dy
        alone = all(abs(left - by) > 16 or abs(top - at) > 6 for by, at in drawn)
        if alone and (dx / wide) ** 2 + (dy / high) ** 2 < 0.2 and free((left - 2, top - 3, left + 12, top + 3)):
            drawn.append((left, top))
            parts.append(f"M{left:.1f} {top:.1f}q2.5 -2.6 5 0q2.5 2.6 5 0")
    return stroke("".join(parts), 0.5) if parts else ""
