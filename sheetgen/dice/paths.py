"""Every path of the dice at once, with exact weights: the same rule that is played at the table, run to its odds.

A total branches once per total, a pool once per count of each class, and anything worked out elsewhere once per
result that differs. A loop that could go on for ever is cut after `DEEPEST` rounds; what is cut off is told as a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, gcd, lcm
from typing import Generic, TypeVar

from sheetgen.dice.source import Dice, Reading
from sheetgen.errors import LimitError

T = TypeVar("T")
DEEPEST = 12


class Tail(Exception):
    """A path of a loop that is cut off here; its weight goes to the bound."""


@dataclass(frozen=True, slots=True)
class Ways(Generic[T]):
    """What a question may come to: values with whole weights, out of a `whole`; what is missing was cut off."""

    values: tuple[T, ...]
    weights: tuple[int, ...]
    whole: int

    def chances(self) -> Iterator[tuple[T, Fraction]]:
        """Each value with its probability."""
        return ((value, Fraction(weight, self.whole)) for value, weight in zip(self.values, self.weights, strict=True))


class PathDice:
    """Dice that follow one path: branches given so far are fixed, further questions take their first answer."""

    __slots__ = ("branches", "questions", "weight", "whole", "widths")

    def __init__(self, branches: list[int]) -> None:
        self.branches, self.widths = branches, list[int]()
        self.weight = self.whole = 1
        self.questions = 0

    def branch(self, ways: Ways[T]) -> T:
        """One of several results, each with its probability; each becomes a path of its own."""
        self.questions += 1
        width = len(ways.values)
        if not width:
            raise Tail
        taken = 0
        if width > 1:
            depth = len(self.widths)
            if depth == len(self.branches):
                self.branches.append(0)
            self.widths.append(width)
            taken = self.branches[depth]
        # Whole numbers are several times faster than fractions, and as exact.
        self.weight *= ways.weights[taken]
        self.whole *= ways.whole
        return ways.values[taken]

    def roll(self, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Faces one by one, each a branch of its own."""
        return tuple(self.branch(ways_of_total(1, sides)) for _ in range(count))

    def total(self, count: int, sides: int, purpose: str) -> int:
        """A total, one branch for each that can come up."""
        return self.branch(ways_of_total(count, sides))

    def pool(self, count: int, sides: int, reading: Reading, purpose: str) -> tuple[int, ...]:
        """Counts by class, one branch for each combination."""
        return self.branch(ways_of_pool(count, sides, reading))

    def choose(self, count: int, purpose: str) -> int:
        """Each of `count` picks, equally likely."""
        return self.branch(ways_of_choice(count))


@cache
def ways_of_choice(count: int) -> Ways[int]:
    """Each of `count` picks, equally likely."""
    return Ways(tuple(range(count)), (1,) * count, count)


@cache
def ways_of_total(count: int, sides: int) -> Ways[int]:
    """Each total of `count` dice, in rising order."""
    ways = {0: 1}
    for _ in range(count):
        wider: dict[int, int] = {}
        for total, number in ways.items():
            for face in range(1, sides + 1):
                wider[total + face] = wider.get(total + face, 0) + number
        ways = wider
    return Ways(tuple(ways), tuple(ways.values()), sides**count)


@cache
def ways_of_pool(count: int, sides: int, reading: Reading) -> Ways[tuple[int, ...]]:
    """Each combination of counts by class; faces of no class are counted by none."""
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


class Budget:
    """How many more questions odds may ask of their dice, shared by a rule and its parts."""

    def __init__(self, questions: int) -> None:
        self.allowed = self.left = questions

    def spend(self, questions: int) -> None:
        """Takes some away; LimitError when there are none left."""
        self.left -= questions
        if self.left < 0:
            raise LimitError(f"more than {self.allowed:,} branches: ask for less at once")


def every_path(rule: Callable[[Dice], T], budget: Budget | None = None) -> Iterator[tuple[T, Fraction]]:
    """Each result of `rule` over every path of its dice with its exact probability; without loops they add up to 1.

    Raises LimitError when a budget of branches is used up.
    """
    return ((result, Fraction(weight, whole)) for result, weight, whole in _walked(rule, budget))


def _walked(rule: Callable[[Dice], T], budget: Budget | None) -> Iterator[tuple[T, int, int]]:
    """Each result with its weight and the whole that this is a part of."""
    branches: list[int] = []
    while True:
        path = PathDice(branches)
        try:
            result = rule(path)
        except Tail:
            pass
        else:
            yield result, path.weight, path.whole
        if budget is not None:
            budget.spend(path.questions + 1)
        while branches and branches[-1] + 1 == path.widths[len(branches) - 1]:
            branches.pop()
        if not branches:
            return
        branches[-1] += 1


def merged(rule: Callable[[Dice], T], budget: Budget | None = None) -> Ways[T]:
    """What `rule` may come to over every path of its dice, equal results made one."""
    found: dict[int, dict[T, int]] = {}
    for result, weight, whole in _walked(rule, budget):
        same = found.setdefault(whole, {})
        same[result] = same.get(result, 0) + weight
    total, weights = lcm(*found), dict[T, int]()
    for whole, same in found.items():
        for result, weight in same.items():
            weights[result] = weights.get(result, 0) + weight * (total // whole)
    shared = gcd(total, *weights.values())
    return Ways(tuple(weights), tuple(weight // shared for weight in weights.values()), total // shared)
