"""Every path of the dice at once, with exact weights: the same rule that is played at the table, run to its odds.

A total branches once per total, a pool once per count of each class, and anything worked out elsewhere once per
result that differs. A loop that could go on for ever is cut after `DEEPEST` rounds; what is cut off is told as a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import TypeVar

from sheetgen.dice.source import Dice, Reading
from sheetgen.errors import LimitError

T = TypeVar("T")
DEEPEST = 12


class Tail(Exception):
    """A path of a loop that is cut off here; its weight goes to the bound."""


class PathDice:
    """Dice that follow one path: branches given so far are fixed, further questions take their first answer."""

    def __init__(self, branches: list[int]) -> None:
        self.branches, self.widths = branches, list[int]()
        self.weight = Fraction(1)

    def branch(self, ways: tuple[tuple[T, Fraction], ...]) -> T:
        """One of several results, each with its probability; each becomes a path of its own."""
        depth = len(self.widths)
        if depth == len(self.branches):
            self.branches.append(0)
        self.widths.append(len(ways))
        value, weight = ways[self.branches[depth]]
        self.weight *= weight
        return value

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
def ways_of_choice(count: int) -> tuple[tuple[int, Fraction], ...]:
    """Each of `count` picks with its probability."""
    return tuple((pick, Fraction(1, count)) for pick in range(count))


@cache
def ways_of_total(count: int, sides: int) -> tuple[tuple[int, Fraction], ...]:
    """Each total of `count` dice with its probability, in rising order."""
    ways = {0: 1}
    for _ in range(count):
        wider: dict[int, int] = {}
        for total, number in ways.items():
            for face in range(1, sides + 1):
                wider[total + face] = wider.get(total + face, 0) + number
        ways = wider
    return tuple((total, Fraction(number, sides**count)) for total, number in sorted(ways.items()))


@cache
def ways_of_pool(count: int, sides: int, reading: Reading) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """Each combination of counts by class with its probability; faces of no class are counted by none."""
    sizes = [len(kind) for kind in reading]
    unread = sides - sum(sizes)
    ways = []
    for counts in product(range(count + 1), repeat=len(reading)):
        left = count - sum(counts)
        if left < 0 or (left and not unread):
            continue
        number, free = unread**left, count
        for taken, size in zip(counts, sizes, strict=True):
            number *= comb(free, taken) * size**taken
            free -= taken
        ways.append((counts, Fraction(number, sides**count)))
    return tuple(ways)


class Budget:
    """How many more questions odds may ask of their dice, shared by a rule and its parts."""

    def __init__(self, questions: int) -> None:
        self.allowed = self.left = questions

    def spend(self, questions: int) -> None:
        """Takes some away; LimitError when there are none left."""
        self.left -= questions
        if self.left < 0:
            raise LimitError(f"more than {self.allowed:,} branches: ask for less at once")


def every_path(
    rule: Callable[[Dice], T], *, most: int = 1_000_000, budget: Budget | None = None
) -> Iterator[tuple[T, Fraction]]:
    """Each result of `rule` over every path of its dice with its exact probability; without loops they add up to 1.

    Raises LimitError after `most` paths, or when a shared budget of branches is used up.
    """
    branches: list[int] = []
    for _ in range(most):
        path = PathDice(branches)
        try:
            result = rule(path)
        except Tail:
            pass
        else:
            yield result, path.weight
        if budget is not None:
            budget.spend(len(path.widths) + 1)
        while branches and branches[-1] + 1 == path.widths[len(branches) - 1]:
            branches.pop()
        if not branches:
            return
        branches[-1] += 1
    raise LimitError(f"more than {most:,} paths: ask for less at once")


def merged(paths: Iterator[tuple[T, Fraction]]) -> tuple[tuple[T, Fraction], ...]:
    """Equal results of paths made one, with their probabilities added up."""
    found: dict[T, Fraction] = {}
    for result, weight in paths:
        found[result] = found.get(result, Fraction()) + weight
    return tuple(found.items())
