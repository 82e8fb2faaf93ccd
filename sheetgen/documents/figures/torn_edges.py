"""The edges of paper as SVG paths in mm: torn out, torn off, cut in teeth; the same for the same name."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from math import ceil

from sheetgen.geometry import Size

Point = tuple[float, float]

INSET = 3.2  # mm from the cut
REACH = 1.5  # mm, how far a tear goes in
TOOTH = 2.4  # mm


def edges(size: Size, name: str) -> dict[str, str]:
    """Outlines of a leaf: `torn` on all sides, `ripped` on the left and below, `teeth` above and below."""
    left, top, right, bottom = INSET, INSET, size.width - INSET, size.height - INSET
    rough = _roughness(name)
    sides = [
        _tear((left, top), (right, top), rough),
        _tear((right, top), (right, bottom), rough),
        _tear((right, bottom), (left, bottom), rough),
        _tear((left, bottom), (left, top), rough),
    ]
    straight = [[(left, top)], [(right, top)], [(right, bottom)], [(left, bottom)]]
    return {
        "torn": _closed([*sides[0], *sides[1], *sides[2], *sides[3]]),
        "ripped": _closed([*straight[0], *straight[1], *sides[2], *sides[3]]),
        "teeth": _closed([*_teeth(left, right, top, 1), *reversed(list(_teeth(left, right, bottom, -1)))]),
    }


def _roughness(name: str) -> Iterator[float]:
    """Numbers from 0 to 1 without end, always the same for a name."""
    number = 0
    while True:
        yield from (byte / 255 for byte in blake2b(f"{name} {number}".encode()).digest())
        number += 1


def _tear(start: Point, end: Point, rough: Iterator[float]) -> list[Point]:
    """Return a rough way from one corner towards the next, going inwards, which is to the right of it."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = abs(across) + abs(down)
    steps = max(ceil(length / 2.6), 2)
    inwards = (-down / length, across / length)
    slow = [next(rough) for _ in range(steps // 5 + 3)]
    found = [start]
    for step in range(1, steps):
        part = (step - 0.3 + 0.6 * next(rough)) / steps
        place = step / 5
        wave = slow[int(place)] * (1 - place % 1) + slow[int(place) + 1] * (place % 1)
        deep = REACH * (0.65 * wave + 0.35 * next(rough))
        found.append((start[0] + across * part + inwards[0] * deep, start[1] + down * part + inwards[1] * deep))
    return found


def _teeth(left: float, right: float, y: float, sign: int) -> Iterator[Point]:
    count = max(round((right - left) / TOOTH), 1)
    wide = (right - left) / count
    yield (left, y)
    for tooth in range(count):
        yield (left + (tooth + 0.5) * wide, y + sign * wide * 0.55)
        yield (left + (tooth + 1) * wide, y)


def _closed(points: list[Point]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + "Z"
