"""Getting better (section 7): how long a step takes, and training a second thing beside it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.gamers.checks import CheckOutcome, Help, difficulty_or, outcome_of, roll_of
from sheetgen.systems.gamers.terms import Difficulty, Level


@dataclass(frozen=True, slots=True)
class TrainingTime:
    """Months until the step is permanent, and until it is there provisionally (a specialty has no such stage)."""

    permanent_months: Decimal
    temporary_months: Decimal | None


@procedure("GAM-120", "GAM-121", "GAM-122", "GAM-123", "GAM-125", "GAM-Q24", say="how long training takes")
def training(
    play: Play,
    *,
    what: Literal["attribute", "feature", "skill", "specialty"],
    to_level: Annotated[int, Whole(1, 15)] | None = None,
    instructor: bool = False,
) -> TrainingTime:
    """The months for one step up to a level: skills take the time as many times as the level aimed at."""
    share = play.values.number("training.share")
    months = Decimal(play.values.number(f"training.{'instructor' if instructor else 'alone'}"))
    if what == "specialty":
        play.tell(f"a specialty: {months / share} months", "GAM-122")
        return TrainingTime(months / share, None)
    if what == "skill":
        if to_level is None:
            raise Refused("to_level", "to_level: is missing; a skill takes longer the higher it is", "GAM-123")
        months *= to_level
    play.tell(f"{what}: there after {months / share} months, permanent after {months}", "GAM-120", "GAM-121")
    return TrainingTime(months, months / share)


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
