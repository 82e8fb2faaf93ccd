"""Coming round and healing (sections 12 and 13): trying to wake, waiting, first aid, trauma care."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import OneOf
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.gamers.checks import CheckOutcome, Help, difficulty_or, outcome_of, roll_of
from sheetgen.systems.gamers.complements import Complement
from sheetgen.systems.gamers.injury import state_of
from sheetgen.systems.gamers.specialties import effective
from sheetgen.systems.gamers.terms import (
    Difficulty,
    Kind,
    Level,
    Levels,
    kind_of,
    printed,
    require_names,
    require_triad,
    words,
)

State = Annotated[str, OneOf("recuperation.dm")]


@dataclass(frozen=True, slots=True)
class WakeOutcome(CheckOutcome):
    """Whether an unconscious character wakes, and the check that decided it."""

    wakes: bool


def led_by(play: Play, level: int) -> tuple[int, tuple[Complement, ...]]:
    """How an attribute leads a check: as its first complement, or added like a skill (`GAM-Q25`)."""
    return (level, ()) if play.ruling("GAM-Q25") == "added" else (0, (Complement(attribute=level),))


@procedure(
    "GAM-221", "GAM-Q25", "GAM-Q60", say="trying to wake, with Grit or Endurance", policies=("wise", "none", "all")
)
@taking(Help)
def wake_try(
    play: Play,
    aid: Help,
    *,
    level: Level,
    skill: Level = 0,
    difficulty: Difficulty | None = None,
) -> WakeOutcome:
    """Whether the character wakes, the zeroed attribute still at 0; once a round, for one action.

    `level` is the present level of Grit or Endurance: it is brought in before any other help, with its specialty
    where that applies, and confirms the roll unless `attribute` names another level.
    """
    number = difficulty_or(play, difficulty, "waking.difficulty")
    leads = effective(play, level, aid.specialty_applies)
    added, first = led_by(play, leads)
    confirms = leads if aid.attribute is None else aid.attribute
    led = replace(aid, specialty_applies=False, complements=(*first, *aid.complements), attribute=confirms)
    found: dict[str, Any] = outcome_of(roll_of(play, led.side(skill, added), against=number), number)
    play.tell("awake, and able to act" if found["success"] else "still out", "GAM-221", "GAM-Q60")
    return WakeOutcome(**found, wakes=found["success"])


@dataclass(frozen=True, slots=True)
class WaitOutcome:
    """The state, the minutes until the character comes round by waiting, and the levels then."""

    state: str
    wakes_after_minutes: int | None
    levels: Named[str, int]


@procedure("GAM-224", "GAM-225", "GAM-226", "GAM-Q61", say="coming round by waiting")
def wake_by_time(play: Play, *, kind: Kind, full: Levels, levels: Levels, state: State | None = None) -> WaitOutcome:
    """How long until the character comes round, and with which levels; never, for the dead and the disabled.

    `state` is the state as trauma care has left it, where that is no longer what the levels say.
    """
    names = require_triad(play, kind, levels)
    require_triad(play, kind, full, "full")
    now = state or state_of(play, kind, levels)
    after = {name: levels[name] for name in names}
    if not play.values.has(f"waking.minutes.{now}"):
        play.tell(f"{now}: waiting changes nothing", *(() if now == "up" else ("GAM-226",)))
        return WaitOutcome(now, None, Named(after))
    minutes, least = play.values.number(f"waking.minutes.{now}"), play.values.number("waking.least")
    halves = now == words(play.values, f"injury.states.{kind}")[1]
    for name in names:
        if not after[name]:
            half = full[name] // play.values.number("waking.share") if halves else least
            after[name] = min(max(half, least), full[name])
            play.tell(f"{printed(play, name)} is back at {after[name]}", "GAM-224" if halves else "GAM-225")
    play.tell(f"{now}: comes round after {minutes} minutes", "GAM-224" if halves else "GAM-225")
    return WaitOutcome(now, minutes, Named(after))


@dataclass(frozen=True, slots=True)
class FirstAidOutcome(CheckOutcome):
    """The check, the levels that came back, the levels now, and the state they mean."""

    recovered: int
    levels: Named[str, int]
    state: str


def mended(
    levels: Mapping[str, int], full: Mapping[str, int], order: tuple[str, ...], points: int
) -> tuple[dict[str, int], int]:
    """The levels with that many given back in order, never past the full level; and how many were used."""
    after, left = dict(levels), points
    for name in (*order, *levels):
        gain = min(left, max(full[name] - after[name], 0))
        after[name] += gain
        left -= gain
    return after, points - left


@procedure("GAM-230", "GAM-Q62", say="first aid: some levels back at once", policies=("wise", "none", "all"))
@taking(Help)
def first_aid(
    play: Play,
    aid: Help,
    *,
    skill: Level,
    levels: Levels,
    full: Levels,
    order: tuple[str, ...] = (),
    difficulty: Difficulty | None = None,
    tried: bool = False,
) -> FirstAidOutcome:
    """What Physician, or Psychology for the mind, gives back: 1d6 levels on a success, in the order the player names.

    One attempt for each patient and conflict (`tried` refuses another); it does not help the dead or the disabled.
    """
    kind = kind_of(play, levels)
    require_triad(play, kind, levels)
    require_triad(play, kind, full, "full")
    require_names("order", order, levels, "GAM-Q62")
    _require_fresh(tried, "first aid", "GAM-Q62")
    if not any(levels.values()):
        raise Refused("beyond_help", f"first aid does not help the {state_of(play, kind, levels)}", "GAM-Q62")
    values = play.values
    number = difficulty_or(play, difficulty, "first_aid.difficulty")
    found: dict[str, Any] = outcome_of(roll_of(play, aid.side(skill), against=number), number)
    after, recovered = dict(levels), 0
    if found["success"]:
        points = play.dice.total(values.number("first_aid.dice"), values.number("first_aid.sides"), "levels given back")
        after, recovered = mended(levels, full, order, points)
        now = ", ".join(f"{printed(play, name)} {level}" for name, level in after.items())
        play.tell(f"first aid gives {points}, {recovered} of them needed: {now}", "GAM-230")
    return FirstAidOutcome(**found, recovered=recovered, levels=Named(after), state=state_of(play, kind, after))


def _require_fresh(tried: bool, what: str, rule: str) -> None:
    if tried:
        raise Refused("tried", f"{what} was tried already after this conflict", rule)


@dataclass(frozen=True, slots=True)
class TraumaOutcome(CheckOutcome):
    """The check, and the state it leaves."""

    state: str


@procedure(
    "GAM-226", "GAM-231", "GAM-Q63", say="trauma care for the dead or disabled", policies=("wise", "none", "all")
)
@taking(Help)
def trauma_care(
    play: Play,
    aid: Help,
    *,
    skill: Level,
    state: State,
    difficulty: Difficulty | None = None,
    tried: bool = False,
) -> TraumaOutcome:
    """The state after the one attempt: severely wounded on a success, else as it was."""
    values = play.values
    worst = {words(values, f"injury.states.{kind}")[-1] for kind in ("physical", "mental")}
    if state not in worst:
        message = f"trauma care is for the {' or '.join(sorted(worst))}, not for the {state}"
        raise Refused("not_needed", message, "GAM-231")
    _require_fresh(tried, "trauma care", "GAM-Q63")
    number = difficulty_or(play, difficulty, "trauma_care.difficulty")
    side = aid.side(skill, values.number("trauma_care.dm"))
    found: dict[str, Any] = outcome_of(roll_of(play, side, against=number), number)
    left = values.text("trauma_care.leaves") if found["success"] else state
    play.tell(f"the patient is {left}", "GAM-231", "GAM-Q63")
    return TraumaOutcome(**found, state=str(left))
