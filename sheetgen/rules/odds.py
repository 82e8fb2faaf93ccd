"""Exact odds: a procedure run over every path of its dice, equal results merged, the weights kept as fractions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from sheetgen.dice.paths import Budget, every_path, merged
from sheetgen.dice.source import Dice, Seeded
from sheetgen.errors import LimitError, UsageError, quoted, suggestion
from sheetgen.model.outcome import told
from sheetgen.model.system import System
from sheetgen.rules.play import Play
from sheetgen.rules.procedure import Procedure
from sheetgen.rules.registry import engine_of, rulings_of

MOST_PATHS = 200_000
MOST_BRANCHES = 1_500_000
WHOLE = ""


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

    def rule(dice: Dice) -> object:
        play = Play(system, dice, rulings=rulings, policy=policy, parts=parts, budget=budget)
        return _picked(procedure.run(play, arguments), of)

    try:
        found = merged(every_path(rule, most=MOST_PATHS, budget=budget))
    except LimitError:
        message = (
            f"{procedure.name} has more than {MOST_PATHS:,} paths or {MOST_BRANCHES:,} branches with these parameters"
        )
        raise LimitError(f"{message}; give fewer dice, or --samples 100000 for an estimate") from None
    total = sum((weight for _, weight in found), Fraction())
    return Odds(of, tuple(sorted(found, key=_rank)), 1 - total)


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
    odds = tuple(sorted(((value, Fraction(count, samples)) for value, count in counts.items()), key=_rank))
    error = max(sqrt(float(weight * (1 - weight)) / samples) for _, weight in odds)
    return Odds(of, odds, samples=samples, error=error)


def _picked(outcome: Any, of: str) -> object:
    """The result of a dotted name within an outcome, or all of it."""
    for name in of.split(".") if of else ():
        names = _names(outcome)
        if name not in names:
            raise UsageError(f"no result {quoted(name)}{suggestion(name, names) or '; there are ' + ', '.join(names)}")
        outcome = outcome[name] if isinstance(outcome, Mapping) else getattr(outcome, names[name])
    return outcome if of else _hashable(told(outcome))


def _names(outcome: Any) -> dict[str, str]:
    if isinstance(outcome, Mapping):
        return {str(name): str(name) for name in outcome}
    return {name.rstrip("_"): name for name in getattr(outcome, "__dataclass_fields__", {})}


def _hashable(value: object) -> object:
    if isinstance(value, dict):
        return tuple((name, _hashable(item)) for name, item in value.items())
    return tuple(_hashable(item) for item in value) if isinstance(value, list) else value


def _rank(entry: tuple[object, Fraction]) -> tuple[bool, object]:
    value = entry[0]
    return (False, value) if isinstance(value, (int, Fraction)) else (True, str(value))
