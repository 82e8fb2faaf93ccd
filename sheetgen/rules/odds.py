"""Exact odds: a procedure run over every path of its dice, equal results merged, the weights kept as fractions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from math import sqrt
from typing import Any

from sheetgen.dice.paths import Budget, merged
from sheetgen.dice.source import Dice, Seeded
from sheetgen.errors import LimitError, UsageError, quoted, suggestion
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play, Settled
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import engine_of, rulings_of

MOST_BRANCHES = 400_000
UNNAMED = object()  # what a mapping without the name has


@dataclass(frozen=True, slots=True)
class Odds:
    """What a result may come to and how likely each is; `bound` is the most that cut-off loops can hold.

    With `samples` the probabilities were counted, not worked out, and `error` is their largest standard error.
    """

    of: str
    odds: tuple[tuple[object, Fraction], ...]
    bound: Fraction = Fraction()
    samples: int = 0
    error: float = 0.0

    def chance(self, value: object) -> Fraction:
        """How likely a value is."""
        return next((weight for found, weight in self.odds if found == value), Fraction())


def exact_odds(
    system: System, procedure: Procedure, arguments: Mapping[str, Any], *, of: str = "", policy: str = ""
) -> Odds:
    """The exact odds of one result of a procedure; LimitError when there are too many paths to walk."""
    engine = engine_of(system)
    rulings, parts, budget = rulings_of(system, engine), dict[Any, Any](), Budget(MOST_BRANCHES)
    asked, _, deeper = of.partition(".")

    def rule(dice: Dice) -> object:
        play = Play(system, dice, rulings=rulings, policy=policy, parts=parts, budget=budget, asked=asked)
        try:
            return _picked(procedure.run(play, arguments), of)
        except Settled as settled:
            return _picked(settled.value, deeper) if deeper else settled.value

    try:
        found = merged(rule, budget)
    except LimitError:
        message = f"{procedure.name} has more than {MOST_BRANCHES:,} branches with these parameters"
        less = "give fewer dice" if of else "ask --of one result, give fewer dice"
        raise LimitError(f"{message}; {less}, or --samples 100000 for an estimate") from None
    chances = _named(of, dict(found.chances()))
    return Odds(of, tuple(sorted(chances.items(), key=_rank)), 1 - sum(chances.values(), Fraction()))


def sampled_odds(
    system: System,
    procedure: Procedure,
    arguments: Mapping[str, Any],
    *,
    of: str = "",
    policy: str = "",
    samples: int,
    seed: int,
) -> Odds:
    """The odds as counted in a number of plays, with the largest standard error stated."""
    rulings, counts = rulings_of(system, engine_of(system)), dict[object, int]()
    for number in range(samples):
        dice = Seeded(f"odds\0{seed}\0{number}".encode())
        play = Play(system, dice, rulings=rulings, policy=policy)
        value = _picked(procedure.run(play, arguments), of)
        counts[value] = counts.get(value, 0) + 1
    chances = _named(of, {value: Fraction(count, samples) for value, count in counts.items()})
    odds = tuple(sorted(chances.items(), key=_rank))
    error = max(sqrt(float(weight * (1 - weight)) / samples) for _, weight in odds)
    return Odds(of, odds, samples=samples, error=error)


def _picked(outcome: Any, of: str) -> object:
    """The result of a dotted name within an outcome, or all of it; None within a result that does not apply.

    UsageError for a name that a record does not have; UNNAMED where a mapping does not have it this time.
    """
    for name in of.split(".") if of else ():
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
    """The field of a record that tells the result of that name."""
    names = {field.name.rstrip("_"): field.name for field in fields(outcome)} if is_dataclass(outcome) else {}
    if name not in names:
        there = f"; there are {', '.join(names)}" if names else ": it is one value"
        raise UsageError(f"no result {quoted(name)}{suggestion(name, names) or there}")
    return names[name]


def _named(of: str, chances: dict[object, Fraction]) -> dict[object, Fraction]:
    """The chances with None for outcomes whose mapping lacks the name; UsageError when none of them has it."""
    if UNNAMED not in chances:
        return chances
    if len(chances) == 1:
        raise UsageError(f"no result {quoted(of)}")
    weight = chances.pop(UNNAMED)
    return {**chances, None: chances.get(None, Fraction()) + weight}


def _rank(entry: tuple[object, Fraction]) -> tuple[bool, object]:
    value = entry[0]
    return (False, value) if isinstance(value, (int, Fraction, Decimal)) else (True, str(value))
