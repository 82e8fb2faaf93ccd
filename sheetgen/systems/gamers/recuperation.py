"""Recuperation (section 13): one day of rest, and day after day until all is healed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.gamers.checks import PLAIN, Block, CheckOutcome, Help, difficulty_or, outcome_of, roll_of
from sheetgen.systems.gamers.complements import Complement
from sheetgen.systems.gamers.healing import State, led_by, mended
from sheetgen.systems.gamers.injury import injure, state_of
from sheetgen.systems.gamers.specialties import effective
from sheetgen.systems.gamers.terms import (
    Difficulty,
    Kind,
    Level,
    Levels,
    require_names,
    require_triad,
    signed,
)

Surroundings = Annotated[str, OneOf("recuperation.difficulty")]


@dataclass(frozen=True, slots=True)
class RestOutcome(CheckOutcome):
    """A day's check, and the levels it gives back or takes."""

    change: int


@procedure(
    *("GAM-232", "GAM-233", "GAM-234", "GAM-235", "GAM-236", "GAM-Q25", "GAM-Q64"),
    say="one day of recuperation",
    policies=("wise", "none", "all"),
)
@taking(Help)
def recuperate(
    play: Play,
    aid: Help,
    *,
    surroundings: Surroundings,
    level: Level,
    worst_state: State = "unconscious",
    skill: Level = 0,
    difficulty: Difficulty | None = None,
) -> RestOutcome:
    """The day's change: +1 on a success, +3 on a triumph, -1 on a balls-up, else nothing.

    `level` is that of Endurance or Grit: it confirms the roll, and helps where it is listed among the complements,
    as an attending Physician or Psychologist does; a table that adds it (`GAM-Q25`) leaves it out of them.
    """
    values = play.values
    number = difficulty_or(play, difficulty, f"recuperation.difficulty.{surroundings}")
    leads = effective(play, level, aid.specialty_applies)
    worst = values.number(f"recuperation.dm.{worst_state}")
    play.tell(f"{surroundings}: {number} to reach; {worst_state} at the worst: {signed(worst)}", "GAM-233", "GAM-234")
    led = replace(aid, specialty_applies=False, attribute=leads if aid.attribute is None else aid.attribute)
    rolled = roll_of(play, led.side(skill, led_by(play, leads)[0], worst), against=number)
    found: dict[str, Any] = outcome_of(rolled, number)
    change = values.number(f"recuperation.change.{_result(rolled, found['success'])}")
    play.tell(f"the day's change: {change:+d}", "GAM-236")
    return RestOutcome(**found, change=change)


def _result(rolled: Block, success: bool) -> str:
    if rolled.rank != PLAIN:
        return "triumph" if rolled.triumph else "balls_up"
    return "success" if success else "failure"


@dataclass(frozen=True, slots=True)
class Convalescence:
    """Days of rest, the levels after them, the state, and whether all is healed."""

    days: int
    levels: Named[str, int]
    state: str
    healed: bool


@procedure("GAM-232", "GAM-236", "GAM-Q64", "GAM-Q69", say="rest, day after day, until healed")
def convalesce(
    play: Play,
    *,
    kind: Kind,
    levels: Levels,
    full: Levels,
    surroundings: Surroundings,
    worst_state: State = "unconscious",
    rests_on: str = "Endurance",
    level: Level = 0,
    attendant: Level | None = None,
    order: tuple[str, ...] = (),
    days: Annotated[int, Whole(0, 999)] = 999,
) -> Convalescence:
    """The levels after days of rest: gains go where the player's order says, a further injury where the die falls.

    The check rests on Endurance or Grit at its present level: from `levels` where it is one of them, else `level`.
    """
    names = require_triad(play, kind, levels)
    require_triad(play, kind, full, "full")
    require_names("order", order, names, "GAM-Q64")
    now, rested = play.rounds(
        _day,
        Named({name: levels[name] for name in names}),
        *(Named(full), order, Rest(kind, surroundings, worst_state, rests_on, level, attendant)),
        goes_on=lambda now: any(now[name] < full[name] for name in names),
        what="days of rest",
        most=days,
        counted=play.needs("days"),
        begins=lambda day: play.tell(f"day {day}", "GAM-232"),
    )
    healed = all(now[name] >= full[name] for name in names)
    return Convalescence(rested, now, state_of(play, kind, now), healed)


@dataclass(frozen=True, slots=True)
class Rest:
    """What stays the same from day to day: the kind of injury, where one rests, on what, and who attends."""

    kind: Kind
    surroundings: str
    worst_state: str
    rests_on: str
    level: int
    attendant: int | None


def _day(
    play: Play, now: Named[str, int], full: Named[str, int], order: tuple[str, ...], rest: Rest
) -> Named[str, int]:
    """The levels after one more day of rest."""
    lead = now.get(rest.rests_on, rest.level)
    change = play.part(_change, rest.surroundings, rest.worst_state, lead, rest.attendant)
    if change < 0:
        return play.part(_injured, rest.kind, -change, now)
    return Named(mended(now, full, order, change)[0])


def _injured(play: Play, kind: Kind, injury: int, levels: Named[str, int]) -> Named[str, int]:
    """The levels after a further injury."""
    return injure(play, kind=kind, injury=injury, levels=levels).levels


def _change(play: Play, surroundings: str, worst_state: str, lead: int, attendant: int | None) -> int:
    """What one day of rest gives back or takes, with the attribute it rests on and the attendant as helpers."""
    helpers = (*led_by(play, lead)[1], *((Complement(skill=attendant),) if attendant is not None else ()))
    day = recuperate(play, surroundings=surroundings, level=lead, worst_state=worst_state, complements=helpers)
    return day.change
