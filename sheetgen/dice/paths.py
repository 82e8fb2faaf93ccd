"""Every path of the dice at once, with exact weights: the same rule that is played at the table, run to its odds.

A total branches once per total, a pool once per count of each class, and anything worked out elsewhere once per
result that differs. A loop over states is solved round by round, equal states merged, or in closed form where its
states are few. A total that is only compared branches once per answer. What a loop without end leaves open is cut off
and told as a bound.
"""

from __future__ import annotations

import operator
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm
from typing import Generic, TypeVar

from sheetgen.dice.source import Dice, Reading
from sheetgen.dice.ways import Ways, ways_of_choice, ways_of_matches, ways_of_pool, ways_of_total
from sheetgen.errors import LimitError

T = TypeVar("T")
S = TypeVar("S", bound=Hashable)
DEEPEST = 12  # rounds of a loop that is followed path by path
ENDLESS = 1000  # rounds of a loop that is followed state by state
NEGLIGIBLE = 10**12  # what is left of an open loop is cut off when it is less likely than one in so many
DECIDED = 60  # rounds up to which a loop is followed to its last end
LONGEST = 12_000  # bits of a whole, so that its fractions can be written down
PATH = 2  # steps that one more path takes beside its questions
FEW_BITS = 3000  # of whole numbers that are added as fast as small ones
LONG = 10  # steps that sums of long fractions take
MUCH = 20_000  # numbers to add for the totals of some dice, beyond which this counts as work
MOST_STATES = 300  # of a loop that is solved in closed form
HIDDEN = 4  # values of a hidden number that are compared in one step
Compare = Callable[[int, int], bool]
MIRRORED: Mapping[Compare, Compare] = {
    operator.lt: operator.gt,
    operator.le: operator.ge,
    operator.gt: operator.lt,
    operator.ge: operator.le,
    operator.eq: operator.eq,
}


class AtLeast(int):
    """A count at which a loop was cut off: so many, or more."""

    def __str__(self) -> str:
        return f"{int(self)} or more"

    __format__ = object.__format__


class Tail(Exception):
    """A path of a loop that is cut off here; its weight goes to the bound."""


class Budget:
    """How many steps of work odds may still take, shared by a rule, its parts and its loops."""

    __slots__ = ("allowed", "left")

    def __init__(self, steps: int) -> None:
        self.allowed = self.left = steps

    def spend(self, steps: int) -> None:
        """Take some away; LimitError when there are none left."""
        self.left -= steps
        if self.left < 0:
            raise LimitError(f"more than {self.allowed:,} steps: ask for less at once")


class PathDice:
    """Dice that follow one path: branches given so far are fixed, further questions take their first answer."""

    __slots__ = ("branches", "budget", "weight", "whole", "widths")

    def __init__(self, branches: list[int], budget: Budget | None = None) -> None:
        self.branches, self.widths = branches, list[int]()
        self.weight = self.whole = 1
        self.budget = budget

    def branch(self, ways: Ways[T]) -> T:
        """Return one of several results, each with its probability; each becomes a path of its own."""
        if self.budget is not None:
            self.budget.spend(1)
        taken = self._next_branch(len(ways.values))
        # Whole numbers are several times faster than fractions, and as exact.
        self.weight *= ways.weights[taken]
        self.whole *= ways.whole
        return ways.values[taken]

    def _next_branch(self, width: int) -> int:
        """Return which of so many branches this path takes; Tail where there is none."""
        if not width:
            raise Tail
        if width == 1:
            return 0
        depth = len(self.widths)
        if depth == len(self.branches):
            self.branches.append(0)
        self.widths.append(width)
        return self.branches[depth]

    def hidden(self, spread: Spread) -> Hidden:
        """Return a number that is looked at only as far as it is compared."""
        if not spread.values:
            raise Tail
        self.weight *= spread.total
        self.whole *= spread.whole
        return Hidden(self, spread)

    def answer(self, spread: Spread, compare: Compare | None, other: int) -> tuple[int, Spread]:
        """Return how a hidden number compares, or without a comparison which it is, and what it may be from then on."""
        answers = spread.answers.get((compare, other))
        work = PATH
        if answers is None:
            work += len(spread.values) // HIDDEN
            answers = spread.answers[compare, other] = spread.split(compare, other)
        if self.budget is not None:
            self.budget.spend(work)
        found, left = answers[self._next_branch(len(answers))]
        self.weight = self.weight // spread.total * left.total
        return found, left

    def is_higher(self, one: Spread, other: Spread) -> bool:
        """Return whether the first of two hidden numbers is the higher one; neither can be asked about afterwards."""
        higher, work = one.higher.get(other), PATH
        if higher is None:
            work += len(one.values) // HIDDEN
            higher = one.higher[other] = one.pairs_above(other)
        if self.budget is not None:
            self.budget.spend(work)
        pairs = one.total * other.total
        cases = [(found, weight) for found, weight in ((True, higher), (False, pairs - higher)) if weight]
        found, weight = cases[self._next_branch(len(cases))]
        self.weight = self.weight // pairs * weight
        return found

    def roll(self, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Return faces one by one, each a branch of its own."""
        return tuple(self.branch(ways_of_total(1, sides)) for _ in range(count))

    def total(self, count: int, sides: int, purpose: str) -> int:
        """Return a total, one branch for each that can come up."""
        if self.budget is not None and count * count * sides > MUCH:
            self.budget.spend(count * count * sides // 10)
        return self.branch(ways_of_total(count, sides))

    def pool(self, count: int, sides: int, reading: Reading, purpose: str) -> tuple[int, ...]:
        """Return counts by class, one branch for each combination."""
        return self.branch(ways_of_pool(count, sides, reading))

    def matched(self, count: int, sides: int, purpose: str) -> tuple[int, int]:
        """Return the largest set of equal faces, one branch for each width and face."""
        return self.branch(ways_of_matches(count, sides))

    def choose(self, count: int, purpose: str) -> int:
        """Return each of `count` picks, equally likely."""
        return self.branch(ways_of_choice(count))


class Spread:
    """The values that a hidden number may have, rising, with their weights out of a `whole`, and answers known."""

    __slots__ = ("answers", "higher", "total", "values", "weights", "whole")

    def __init__(self, weights: Mapping[int, int], whole: int) -> None:
        self.values, self.whole = tuple(sorted(weights)), whole
        self.weights = tuple(weights[value] for value in self.values)
        self.total = sum(self.weights)
        self.answers: dict[tuple[Compare | None, int], tuple[tuple[int, Spread], ...]] = {}
        self.higher: dict[Spread, int] = {}

    def split(self, compare: Compare | None, other: int) -> tuple[tuple[int, Spread], ...]:
        """Return each answer to a comparison with the values that give it; without a comparison each value."""
        parts: dict[int, dict[int, int]] = {}
        for value, weight in zip(self.values, self.weights, strict=True):
            parts.setdefault(value if compare is None else compare(value, other), {})[value] = weight
        return tuple((found, Spread(weights, self.whole)) for found, weights in parts.items())

    def pairs_above(self, other: Spread) -> int:
        """Return the weight of all pairs in which this number is higher than the other one."""
        below = (0, *accumulate(other.weights))
        pairs = zip(self.values, self.weights, strict=True)
        return sum(weight * below[bisect_left(other.values, value)] for value, weight in pairs)


class Hidden:
    """A number that odds look at only as far as they must: a comparison makes two paths, not one for each value.

    What was answered stays so: later comparisons are only among the values that are left. Of two hidden numbers that
    are compared the one that may have fewer values is looked at, so that they stay independent.
    """

    __slots__ = ("dice", "spread")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, dice: PathDice, spread: Spread) -> None:
        self.dice, self.spread = dice, spread

    def seen(self) -> int:
        """Return the number itself."""
        found, self.spread = self.dice.answer(self.spread, None, 0)
        return found

    def _is(self, compare: Compare, other: int | Hidden) -> bool:
        if isinstance(other, Hidden):
            if len(self.spread.values) < len(other.spread.values):
                return other._is(MIRRORED[compare], self.seen())
            other = other.seen()
        found, self.spread = self.dice.answer(self.spread, compare, other)
        return bool(found)

    def __lt__(self, other: int | Hidden) -> bool:
        return self._is(operator.lt, other)

    def __le__(self, other: int | Hidden) -> bool:
        return self._is(operator.le, other)

    def __gt__(self, other: int | Hidden) -> bool:
        return self._is(operator.gt, other)

    def __ge__(self, other: int | Hidden) -> bool:
        return self._is(operator.ge, other)

    def __eq__(self, other: object) -> bool:
        return self._is(operator.eq, other) if isinstance(other, (int, Hidden)) else NotImplemented


def _walked(rule: Callable[[Dice], T], budget: Budget | None) -> Iterator[tuple[T, int, int]]:
    """Yield each result with its weight and the whole that this is a part of.

    LimitError when the budget of steps is used up.
    """
    branches: list[int] = []
    while True:
        path = PathDice(branches, budget)
        try:
            result = rule(path)
        except Tail:
            pass
        else:
            yield result, path.weight, path.whole
        if budget is not None:
            budget.spend(PATH)
        while branches and branches[-1] + 1 == path.widths[len(branches) - 1]:
            branches.pop()
        if not branches:
            return
        branches[-1] += 1


def merged(rule: Callable[[Dice], T], budget: Budget | None = None) -> Ways[T]:
    """Return what `rule` may come to over every path of its dice, equal results made one."""
    found: dict[int, dict[T, int]] = {}
    for result, weight, whole in _walked(rule, budget):
        same = found.setdefault(whole, {})
        same[result] = same.get(result, 0) + weight
    total, weights = lcm(*found), dict[T, int]()
    for whole, same in found.items():
        for result, weight in same.items():
            weights[result] = weights.get(result, 0) + weight * (total // whole)
    return reduced(weights, total)


def reduced(weights: Mapping[T, int], whole: int) -> Ways[T]:
    """Return the ways with these weights out of a whole, in lowest terms."""
    shared = gcd(whole, *weights.values())
    return Ways(tuple(weights), tuple(weight // shared for weight in weights.values()), whole // shared)


class Loop(Generic[S]):
    """A loop over states: what one round makes of a state, and which states go on.

    States are numbered as they are met, and what a round makes of each is worked out once, whatever the loop starts in.
    """

    def __init__(self, step: Callable[[S], Ways[S]], goes_on: Callable[[S], bool], budget: Budget) -> None:
        self.step, self.goes_on, self.budget = step, goes_on, budget
        self.states, self.numbers = list[S](), dict[S, int]()
        self.ends_here = list[bool]()
        self.onward: dict[int, Ways[int]] = {}

    def number(self, state: S) -> int:
        """Return the number of a state."""
        found = self.numbers.get(state)
        if found is None:
            self.budget.spend(PATH)
            found = self.numbers[state] = len(self.states)
            self.states.append(state)
            self.ends_here.append(not self.goes_on(state))
        return found

    def after(self, number: int) -> Ways[int]:
        """Return what one round makes of the state of that number."""
        if number not in self.onward:
            ways = self.step(self.states[number])
            self.budget.spend(PATH * len(ways.values))
            self.onward[number] = Ways(tuple(map(self.number, ways.values)), ways.weights, ways.whole)
        return self.onward[number]

    def ends(self, state: S, most: int | None = None, *, counted: bool = True) -> Ways[tuple[S, int]]:
        """Return the states in which the loop may end, each with the number of rounds (0 if not `counted`).

        `most` is the most rounds. The ends of an open loop that is cut off are missing.
        """
        start = self.number(state)
        if self.ends_here[start] or most == 0:
            return Ways(((state, 0),), (1,), 1)
        found = None if counted or most is not None else self._closed(start)
        found = found or self._followed(start, most, counted)
        values = tuple((self.states[number], count) for number, count in found.values)
        return Ways(values, found.weights, found.whole)

    def _followed(self, start: int, most: int | None, counted: bool) -> Ways[tuple[int, int]]:
        """Return the numbers of the ends, round by round, equal states merged."""
        now, whole, count, ended = {start: 1}, 1, 0, list[tuple[int, int, int, int]]()
        while now and not _is_cut(now, whole, count, most):
            count += 1
            steps = {state: self.after(state) for state in now}
            sums = sum(len(ways.values) for ways in steps.values())
            self.budget.spend(PATH + sums * (FEW_BITS + whole.bit_length()) // (4 * FEW_BITS))
            shared, after = lcm(*(ways.whole for ways in steps.values())), dict[int, int]()
            for state, weight in now.items():
                ways = steps[state]
                times = weight * (shared // ways.whole)
                for value, part in zip(ways.values, ways.weights, strict=True):
                    after[value] = after.get(value, 0) + times * part
            lowest = gcd(whole := whole * shared, *after.values())
            whole //= lowest
            last, now = count == most, {}
            for state, weight in after.items():
                if last or self.ends_here[state]:
                    ended.append((state, count if counted else 0, weight // lowest, whole))
                else:
                    now[state] = weight // lowest
        total, weights = lcm(*(each[3] for each in ended)), dict[tuple[int, int], int]()
        for state, number, weight, out_of in ended:
            weights[state, number] = weights.get((state, number), 0) + weight * (total // out_of)
        return reduced(weights, total)

    def _closed(self, start: int) -> Ways[tuple[int, int]] | None:
        """Return the ends of a loop of few states, however long it runs, by elimination; None if they are too many."""
        chances: dict[int, dict[int, Fraction]] = {}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            if state in chances:
                continue
            if len(chances) == MOST_STATES:
                return None
            chances[state] = dict(self.after(state).chances())
            self.budget.spend(PATH + len(chances[state]))
            waiting += [each for each in chances[state] if not self.ends_here[each]]
        found = chances[start]
        while chances:
            state, found = chances.popitem()  # the start is the last to go
            stays = found.pop(state, Fraction())
            if stays:
                found = {} if stays == 1 else {each: chance / (1 - stays) for each, chance in found.items()}
            for other in chances.values():
                if not (through := other.pop(state, Fraction())):
                    continue
                self.budget.spend(LONG + 4 * len(found))
                for each, chance in found.items():
                    other[each] = other.get(each, Fraction()) + through * chance
        whole = lcm(*(chance.denominator for chance in found.values()))
        if whole.bit_length() > LONGEST:
            return None
        return reduced({(state, 0): int(chance * whole) for state, chance in found.items()}, whole)


def _is_cut(now: Mapping[int, int], whole: int, count: int, most: int | None) -> bool:
    """Return whether a loop ends here: for its length, that of its fractions, or because so little of it is open."""
    if count >= ENDLESS or whole.bit_length() > LONGEST:
        return True
    return (most is None or most > DECIDED) and sum(now.values()) * NEGLIGIBLE < whole
