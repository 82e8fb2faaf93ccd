"""Every way in which a rule can be played, worked out ahead as a tree: for pages that roll where no engine is.

A branch is what the log says up to a question to the dice, the question, and a branch for each answer; a page that
follows it tells what the engine told. Dice that are read one by one are told apart only where their order counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Any

from sheetgen.dice.paths import PathDice, Tail
from sheetgen.dice.source import Dice, Reading
from sheetgen.dice.ways import Ways, ways_of_choice, ways_of_pool, ways_of_total
from sheetgen.model.procedures import as_data, readable
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import rulings_of

RAREST = 20_000  # a path less likely than one in so many is left open
ALL_TRIED, THEN_EACH = 60, 7  # paths whose dice are put in another order to see whether that counts
EARLY, FAR_TOO_MANY = 100, 6  # paths after which it shows that there are so many times too many
WORD = re.compile(r"\w+")
Faces = tuple[int, ...]
Order = Callable[[Faces], Faces]
ORDERS: tuple[Order, ...] = (lambda faces: faces, lambda faces: faces[::-1], lambda faces: faces[1:] + faces[:1])


class TooManyWays(Exception):
    """A rule can be played in more ways than are asked for."""


@dataclass(frozen=True, slots=True)
class DiceQuestion:
    """What is asked of dice: their total, their faces, counts by class, or a pick; `ordered` faces are not sorted."""

    kind: str
    count: int
    sides: int
    purpose: str
    reading: Reading = ()
    ordered: bool = False


@dataclass(slots=True)
class Branch:
    """What is told up to a question, the question, and what follows each answer; without one, what it came to.

    `weight` is how likely one gets here, and `results` how likely each result is that comes to yes or no. A branch
    without question and outcome is too unlikely to have been followed.
    """

    lines: tuple[str, ...] = ()
    question: DiceQuestion | None = None
    answers: dict[str, Branch] = field(default_factory=dict)
    outcome: Any = None
    weight: Fraction = Fraction()
    results: dict[str, Fraction] = field(default_factory=dict)

    def chance(self, result: str) -> Fraction:
        """Return how likely a result is from here on."""
        return self.results.get(result, Fraction()) / self.weight


def play_ways(
    system: System, procedure: Procedure, arguments: Mapping[str, Any], *, policy: str = "", most: int
) -> Branch:
    """Return every way of playing a procedure with these arguments; TooManyWays where there are more than `most`."""
    walk = _Walk(system, procedure, arguments, policy, most)
    try:
        return walk.tree(ordered=False)
    except _OrderCounts:
        return walk.tree(ordered=True)


class _OrderCounts(Exception):
    """The same faces in another order are told in other words."""


@dataclass(frozen=True)
class _Walk:
    """Plays of a procedure with the same arguments."""

    system: System
    procedure: Procedure
    arguments: Mapping[str, Any]
    policy: str
    most: int

    def tree(self, *, ordered: bool) -> Branch:
        """Return all ways; _OrderCounts if faces were sorted and must not be."""
        root, taken, done = Branch(), list[int](), 0
        while True:
            dice, log, outcome = self._played(taken, ordered, ORDERS[0])
            if not ordered and outcome is not None and (done < ALL_TRIED or done % THEN_EACH == 0):
                self._check_order(taken, dice, log, outcome)
            _add_path(root, dice, log, outcome)
            done += 1
            if done > self.most or (done == EARLY and root.weight * self.most * FAR_TOO_MANY < EARLY):
                raise TooManyWays
            while taken and taken[-1] + 1 == dice.path.widths[len(taken) - 1]:
                taken.pop()
            if not taken:
                return root
            taken[-1] += 1

    def _check_order(self, taken: Sequence[int], dice: _Followed, log: Sequence[str], outcome: Any) -> None:
        """Raise _OrderCounts where the same faces, fallen in another order, are told in other words."""
        if any(question.kind == "faces" and question.count > 1 for question, *_ in dice.asked):
            said = _words_told(log, outcome)
            for order in ORDERS[1:]:
                if said != _words_told(*self._played(list(taken), False, order)[1:]):
                    raise _OrderCounts

    def _played(self, taken: list[int], ordered: bool, order: Order) -> tuple[_Followed, list[str], Any]:
        log = list[str]()
        dice = _Followed(taken, log, ordered, order, self.most)
        play = Play(self.system, dice, rulings=rulings_of(self.system), policy=self.policy, log=log)
        try:
            return dice, log, self.procedure.run(play, self.arguments)
        except Refused as refused:
            return dice, [*log, str(refused)], {}
        except Tail:
            return dice, log, None


class _Followed(Dice):
    """Dice that follow one path at a table, and note what was asked, the answer, and how long the log was."""

    def __init__(self, taken: list[int], log: Sequence[str], ordered: bool, order: Order, most: int) -> None:
        self.path, self.log, self.ordered, self.order, self.most = PathDice(taken), log, ordered, order, most
        self.asked = list[tuple[DiceQuestion, str, int]]()

    @property
    def weight(self) -> Fraction:
        """How likely this path is."""
        return Fraction(self.path.weight, self.path.whole)

    def _answer(self, question: DiceQuestion, ways: Ways[Any]) -> Any:
        if self.path.weight * RAREST < self.path.whole:
            raise Tail
        if len(ways.values) > self.most:
            raise TooManyWays
        answer = self.path.branch(ways)
        key = ".".join(map(str, answer)) if isinstance(answer, tuple) else str(answer)
        self.asked.append((question, key, len(self.log)))
        return answer

    def total(self, count: int, sides: int, purpose: str) -> int:
        """Return a total, one path for each."""
        return int(self._answer(DiceQuestion("total", count, sides, purpose), ways_of_total(count, sides)))

    def pool(self, count: int, sides: int, reading: Reading, purpose: str) -> Faces:
        """Return counts by class, one path for each combination."""
        question = DiceQuestion("counts", count, sides, purpose, reading)
        counts: Faces = self._answer(question, ways_of_pool(count, sides, reading))
        return counts

    def matched(self, count: int, sides: int, purpose: str) -> tuple[int, int]:
        """Return the largest set of equal faces, one path for each combination of counts."""
        if comb(count + sides - 1, count) > self.most:
            raise TooManyWays
        shown = self.pool(count, sides, tuple((face,) for face in range(1, sides + 1)), purpose)
        return max((times, face) for face, times in enumerate(shown, 1))

    def roll(self, count: int, sides: int, purpose: str) -> Faces:
        """Return faces, one path for each combination, or for each sequence where their order counts."""
        if not count:
            return ()
        ordered = self.ordered and count > 1
        ways = sides**count if ordered else comb(count + sides - 1, count)
        if ways > self.most:
            raise TooManyWays
        question = DiceQuestion("faces", count, sides, purpose, ordered=ordered)
        faces: Faces = self._answer(question, ways_of_faces(count, sides, ordered))
        return faces if ordered else self.order(faces)

    def choose(self, count: int, purpose: str) -> int:
        """Return each of `count` picks."""
        return int(self._answer(DiceQuestion("pick", count, 0, purpose), ways_of_choice(count))) if count > 1 else 0


@cache
def ways_of_faces(count: int, sides: int, ordered: bool) -> Ways[Faces]:
    """Return each sequence of faces, or each combination with the highest face first."""
    faces = range(sides, 0, -1)
    if ordered:
        sequences = tuple(product(range(1, sides + 1), repeat=count))
        return Ways(sequences, (1,) * len(sequences), sides**count)
    found = tuple(combinations_with_replacement(faces, count))
    weights = tuple(factorial(count) // prod(map(factorial, Counter(each).values())) for each in found)
    return Ways(found, weights, sides**count)


def _words_told(log: Sequence[str], outcome: Any) -> list[str]:
    """Return the words of what was told, whatever their order."""
    return sorted(WORD.findall(f"{' '.join(log)} {readable(outcome)}"))


def _add_path(root: Branch, dice: _Followed, log: Sequence[str], outcome: Any) -> None:
    """Add a path to a tree."""
    here, told, weight = root, 0, dice.weight
    passed = [here]
    for question, key, length in dice.asked:
        here.lines, told, here.question = tuple(log[told:length]), length, question
        here = here.answers.setdefault(key, Branch())
        passed.append(here)
    here.lines, here.outcome = tuple(log[told:]), outcome
    for branch in passed:
        branch.weight += weight
        for name, found in _yes(outcome):
            branch.results[name] = branch.results.get(name, Fraction()) + (weight if found else 0)


def _yes(outcome: Any) -> list[tuple[str, bool]]:
    """Return the results of an outcome that are yes or no."""
    plain = as_data(outcome)
    if isinstance(plain, bool):
        return [("", plain)]
    parts = plain.items() if isinstance(plain, dict) else ()
    return [(name, value) for name, value in parts if isinstance(value, bool)]
