"""Getting better (section 7): how long a step takes, and training a second thing beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.gamers.checks import CheckOutcome, Help, difficulty_or, outcome_of, roll_of
from sheetgen.systems.gamers.terms import Difficulty, Level


@dataclass(frozen=True, slots=True)
class SecondTraining(CheckOutcome):
    """Whether a second thing may be trained at the same time, and the check that decided it."""

    permitted: bool


@procedure("GAM-124", "GAM-Q25", say="may a second thing be trained at the same time", policies=("wise", "none", "all"))
@taking(Help)
def second_training(play: Play, aid: Help, *, skill: Level = 0, difficulty: Difficulty | None = None) -> SecondTraining:
    """Whether the check succeeds that the GM may ask for; Grit, for instance, may complement it."""
    number = difficulty_or(play, difficulty, "training.second")
    found: dict[str, Any] = outcome_of(roll_of(play, aid.side(skill), against=number), number)
    play.tell("a second thing may be trained" if found["success"] else "one thing at a time", "GAM-124")
    return SecondTraining(**found, permitted=found["success"])
