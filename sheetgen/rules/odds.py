"""Exact odds: a procedure run over every path of its dice, equal results merged, the weights kept as fractions."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import sqrt
from typing import Any

from sheetgen.dice.paths import AtLeast, Budget, Tail, merged
from sheetgen.dice.source import Dice, Seeded
from sheetgen.errors import LimitError, UsageError, quoted, suggestion
from sheetgen.model.procedures import Results, readable
from sheetgen.model.system import System
from sheetgen.notebook import table
from sheetgen.rules.procedures.play import NOTES, Play, Settled
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import rulings_of

MOST_STEPS = 450_000  # of work that exact odds may take: some two seconds on a slow machine
UNNAMED = object()  # what a mapping without the name has
AT_ONCE = 100  # samples between two looks at how fast they are counted
TRIES = 20  # plays that show what a procedure without this result has instead
COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
}
ASKED = re.compile(r"(?P<name>[^<>=]*?)\s*(?:(?P<sign>>=|<=|==|=|>|<)\s*(?P<value>.*))?", re.DOTALL)
Number = (int, Fraction, Decimal)


@dataclass(frozen=True, slots=True)
class Odds:
    """What a result may come to and how likely each is.

    `bound` is the most that loops without end, where they are cut off, can add to any of these. A count at which one
    was cut off is an `AtLeast`: its row holds that many or more. With `samples` the probabilities were counted, not
    worked out, and `error` is their largest standard error. `notes` say what of the question made no difference.
    """

    of: str
    odds: tuple[tuple[object, Fraction], ...]
    bound: Fraction = Fraction()
    samples: int = 0
    error: float = 0.0
    notes: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        return table([self.of or "result", "chance", ""], [[value, p, f"{float(p):.1%}"] for value, p in self.odds])

    def chance(self, value: object) -> Fraction:
        """Return how likely a value is."""
        return next((weight for found, weight in self.odds if found == value), Fraction())

    @property
    def mean(self) -> Fraction:
        """The mean of a result that is a number; UsageError for any other.

        What was cut off is left out, and a count of so many or more goes in as so many.
        """
        total = Fraction()
        for value, weight in self.odds:
            if isinstance(value, bool) or not isinstance(value, Number):
                ask = "" if self.of else "; --of asks for one result"
                raise UsageError(f"{self.of or 'the whole'} has no mean: it may be {quoted(readable(value))}{ask}")
            total += Fraction(value) * weight
        return total / (sum((weight for _, weight in self.odds), Fraction()) or 1)


@dataclass(frozen=True, slots=True)
class Question:
    """What odds are asked of: the path to a result, and what it is compared with, if anything."""

    path: tuple[str, ...]
    sign: str = ""
    value: str = ""

    def answer(self, found: object) -> object:
        """Return the result, or whether it compares as asked; Tail where a loop that was cut off leaves it open."""
        if not self.sign or found is UNNAMED:
            return found
        wanted = _number(self.value)
        if isinstance(found, Number) and not isinstance(found, bool) and wanted is not None:
            if isinstance(found, AtLeast) and (wanted > found or (wanted == found and self.sign not in (">=", "<"))):
                raise Tail
            return COMPARED[self.sign](Fraction(found), wanted)
        if self.sign == "=":
            return self.value.strip().casefold() in (readable(found).casefold(), str(found).casefold())
        if found is None:
            return False
        message = f"{'.'.join(self.path)} cannot be compared with {quoted(self.sign + self.value)}"
        raise UsageError(f"{message}: it may be {quoted(readable(found))}; ask with = and a value")


def asked_of(text: str) -> Question:
    """Return the question that `total`, `levels.Grit`, `total>=11` or `winner=a` asks; UsageError for other text."""
    found = ASKED.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"{quoted(text)} is no question; ask for RESULT, RESULT>=NUMBER or RESULT=VALUE")
    sign, value = (found["sign"] or "").replace("==", "="), (found["value"] or "").strip()
    if sign and (not found["name"] or not value):
        raise UsageError(f"{quoted(text)} takes a result before {sign} and a value after it")
    if sign and sign != "=" and _number(value) is None:
        raise UsageError(f"{quoted(text)} takes a number after {sign}")
    return Question(tuple(found["name"].split(".")) if found["name"] else (), sign, value)


def _asked_of(procedure: Procedure, text: str) -> Question:
    question = asked_of(text)
    if question.path and is_dataclass(procedure.outcome):
        _field(procedure.outcome, question.path[0])
    return question


def _number(text: str) -> Fraction | None:
    try:
        number = Decimal(text) if len(text) < 20 else Decimal("NaN")
    except InvalidOperation:
        return None
    return Fraction(number) if number.is_finite() and abs(number.adjusted()) < 20 else None


def exact_odds(
    system: System, procedure: Procedure, arguments: Mapping[str, Any], *, of: str = "", policy: str = ""
) -> Odds:
    """Return the exact odds of one result of a procedure; LimitError when they would take too long to work out."""
    rulings, parts, budget = rulings_of(system), dict[Any, Any](), Budget(MOST_STEPS)
    question = _asked_of(procedure, of)

    def rule(dice: Dice) -> object:
        play = Play(system, dice, rulings=rulings, policy=policy, parts=parts, budget=budget, asked=question.path)
        try:
            return question.answer(_picked(procedure.run(play, arguments), question.path))
        except Settled as settled:
            return question.answer(_picked(settled.value, question.path[1:]))

    missing = _Missing(system, procedure, arguments, question.path, rulings)
    try:
        found = merged(rule, budget)
    except (LimitError, RecursionError):
        ways = f"{procedure.name}: {of or 'the whole outcome'} can come about in too many ways to follow each one"
        samples = "--samples 100000 estimates it from that many plays"
        raise LimitError(f"{ways}{missing.hint()}; {samples}") from None
    chances = _named_outcomes(dict(found.chances()), question, missing.error)
    odds = tuple(sorted(chances.items(), key=_rank))
    opened = sum((weight for value, weight in odds if _is_open(value)), Fraction())
    return Odds(of, odds, 1 - sum(chances.values(), Fraction()) + opened, notes=tuple(parts.get(NOTES, ())))


def sampled_odds(
    system: System,
    procedure: Procedure,
    arguments: Mapping[str, Any],
    *,
    of: str = "",
    policy: str = "",
    samples: int,
    seed: int,
    progress: Callable[[int], None] = lambda done: None,
) -> Odds:
    """Return the odds as counted in a number of plays, with the largest standard error stated."""
    rulings, counts, question = rulings_of(system), dict[object, int](), _asked_of(procedure, of)
    for number in range(samples):
        dice = Seeded(f"odds\0{seed}\0{number}".encode())
        play = Play(system, dice, rulings=rulings, policy=policy)
        value = question.answer(_picked(procedure.run(play, arguments), question.path))
        counts[value] = counts.get(value, 0) + 1
        if number % AT_ONCE == AT_ONCE - 1:
            progress(number + 1)
    missing = _Missing(system, procedure, arguments, question.path, rulings)
    chances = _named_outcomes(
        {value: Fraction(count, samples) for value, count in counts.items()}, question, missing.error
    )
    odds = tuple(sorted(chances.items(), key=_rank))
    error = max(sqrt(float(weight * (1 - weight)) / samples) for _, weight in odds)
    return Odds(of, odds, samples=samples, error=error)


def _picked(outcome: Any, path: Iterable[str]) -> object:
    """Return the result of a path of names within an outcome, or all of it; None within a result that does not apply.

    UsageError for a name that a record does not have; UNNAMED where a mapping does not have it this time.
    """
    for name in path:
        if outcome is None:
            return None
        if isinstance(outcome, Mapping):
            if name not in outcome:
                return UNNAMED
            outcome = outcome[name]
        else:
            outcome = getattr(outcome, _field(outcome, name))
    return outcome


def _field(outcome: object, name: str) -> str:
    """Return the field of a record that tells the result of that name."""
    names = {field.name.rstrip("_"): field.name for field in fields(outcome)} if is_dataclass(outcome) else {}
    if name not in names:
        there = f"; there are {', '.join(names)}" if names else ": it is one value"
        raise UsageError(f"no result {quoted(name)}{suggestion(name, names) or there}")
    return names[name]


def _named_outcomes(
    chances: dict[object, Fraction], question: Question, missing: Callable[[], UsageError]
) -> dict[object, Fraction]:
    """Return the chances with the answer for None where a mapping lacks the name; UsageError when it always does."""
    if UNNAMED not in chances:
        return chances
    if len(chances) == 1:
        raise missing()
    weight, instead = chances.pop(UNNAMED), question.answer(None)
    return {**chances, instead: chances.get(instead, Fraction()) + weight}


@dataclass(frozen=True, slots=True)
class _Missing:
    """What is there instead of a result that a procedure may not have, as some plays of it show."""

    system: System
    procedure: Procedure
    arguments: Mapping[str, Any]
    path: tuple[str, ...]
    rulings: Mapping[str, str]

    def _results(self, path: tuple[str, ...]) -> list[object]:
        dice = (Seeded(f"names\0{number}".encode()) for number in range(TRIES))
        plays = (Play(self.system, each, rulings=self.rulings) for each in dice)
        return [_picked(self.procedure.run(play, self.arguments), path) for play in plays]

    def error(self) -> UsageError:
        """Return the error with the nearest name, or with those that some plays have."""
        found = [inside for inside in self._results(self.path[:-1]) if isinstance(inside, Mapping)]
        names = dict.fromkeys(str(name) for inside in found for name in inside)
        there = f"; there are {', '.join(sorted(names))}" if names else f": {'.'.join(self.path[:-1])} is empty"
        return UsageError(f"no result {quoted('.'.join(self.path))}{suggestion(self.path[-1], names) or there}")

    def hint(self) -> str:
        """Return what to ask instead of a result of too many ways; UsageError if no play has that result."""
        found = self._results(self.path)
        if all(each is UNNAMED for each in found):
            raise self.error()
        if not self.path and is_dataclass(self.procedure.outcome):
            names = (field.name.rstrip("_") for field in fields(self.procedure.outcome))
            return f"; --of asks for one result: {', '.join(names)}"
        for each in found:
            if isinstance(each, Mapping) and len(each) > 1:
                return f"; --of {quoted('.'.join((*self.path, str(next(iter(each))))))} asks for one of them"
        return ""


def _is_open(value: object) -> bool:
    """Return whether a value is, or holds, a count at which a loop was cut off."""
    if is_dataclass(value):
        return any(_is_open(getattr(value, each.name)) for each in fields(value))
    if isinstance(value, Results):
        return any(map(_is_open, value.values()))
    return isinstance(value, AtLeast)


def _rank(entry: tuple[object, Fraction]) -> tuple[bool, object]:
    value = entry[0]
    return (False, value) if isinstance(value, Number) else (True, str(value))
