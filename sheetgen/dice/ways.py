"""What dice and draws may come to, counted exactly: each result with its whole weight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Generic, TypeVar

from sheetgen.dice.source import Reading

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ways(Generic[T]):
    """What a question may come to: values with whole weights, out of a `whole`; what is missing was cut off."""

    values: tuple[T, ...]
    weights: tuple[int, ...]
    whole: int

    def chances(self) -> Iterator[tuple[T, Fraction]]:
        """Return each value with its probability."""
        return ((value, Fraction(weight, self.whole)) for value, weight in zip(self.values, self.weights, strict=True))


@cache
def ways_of_choice(count: int) -> Ways[int]:
    """Return each of `count` picks, equally likely."""
    return Ways(tuple(range(count)), (1,) * count, count)


@cache
def ways_of_highest(count: int, among: int) -> Ways[int]:
    """Return the highest of `count` different numbers below `among` that are drawn without looking."""
    places = tuple(range(count - 1, among))
    return Ways(places, tuple(comb(place, count - 1) for place in places), comb(among, count))


@cache
def ways_of_total(count: int, sides: int) -> Ways[int]:
    """Return each total of `count` dice, in rising order."""
    ways = [1]
    for _ in range(count):
        running, wider = 0, list[int]()
        for place in range(len(ways) + sides - 1):
            running += ways[place] if place < len(ways) else 0
            running -= ways[place - sides] if place >= sides else 0
            wider.append(running)
        ways = wider
    return Ways(tuple(range(count, count + len(ways))), tuple(ways), sides**count)


@cache
def ways_of_pool(count: int, sides: int, reading: Reading) -> Ways[tuple[int, ...]]:
    """Return each combination of counts by class; faces of no class are counted by none."""
    sizes = [len(kind) for kind in reading]
    ways: dict[tuple[tuple[int, ...], int], int] = {((), count): 1}
    for size in sizes:
        ways = {
            ((*counts, taken), left - taken): number * comb(left, taken) * size**taken
            for (counts, left), number in ways.items()
            for taken in range(left + 1)
        }
    unread = sides - sum(sizes)
    read = {counts: number * unread**left for (counts, left), number in ways.items() if unread or not left}
    return Ways(tuple(read), tuple(read.values()), sides**count)


@cache
def ways_of_matches(count: int, sides: int) -> Ways[tuple[int, int]]:
    """Return each largest set of equal faces, how many and which, the higher of two such sets.

    Higher faces show fewer than that, lower ones no more: dice are shared out among those above, it, and those below.
    """
    found = {
        (width, face): comb(count, width)
        * sum(
            comb(count - width, above)
            * _orders(above, sides - face, width - 1)
            * _orders(count - width - above, face - 1, width)
            for above in range(count - width + 1)
        )
        for width in range(1, count + 1)
        for face in range(1, sides + 1)
    }
    possible = {match: ways for match, ways in found.items() if ways}
    return Ways(tuple(possible), tuple(possible.values()), sides**count)


@cache
def _orders(count: int, faces: int, most: int) -> int:
    """Return in how many orders dice may show some faces, none of them more often than `most`."""
    if not faces:
        return int(not count)
    return sum(comb(count, shown) * _orders(count - shown, faces - 1, most) for shown in range(min(most, count) + 1))
