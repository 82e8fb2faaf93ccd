"""Healing (ledger, section M): sleep, treatment, how often, and days of rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.abilities import Level
from sheetgen.systems.tsgs.attacks import AllowedOutcome
from sheetgen.systems.tsgs.initiative import Times
from sheetgen.systems.tsgs.reading import Taken
from sheetgen.systems.tsgs.rolls import POLICIES, Makings, Points, Some, pool_of, rolled
from sheetgen.systems.tsgs.skills import Skill
from sheetgen.systems.tsgs.wounds import Condition, rounds_of

Cause = Literal["sleep", "treatment"]
Injury = Annotated[int, Whole(1, 99)]


@dataclass(frozen=True, slots=True)
class HealOutcome:
    """A healing roll, and the wound points left after it."""

    pool: int
    result: int
    dice_rolled: int
    bonus_left: int
    success: bool
    wounds: int


@dataclass(frozen=True, slots=True)
class RecoverOutcome:
    """Days of rest: the wound points left, and on which day the last one closed (None: not within these days)."""

    wounds: int
    days: int | None


@procedure("TSG-073", "TSG-075", "TSG-076", say="a healing roll after sleep or treatment", policies=POLICIES)
def heal(
    play: Play,
    *,
    tough: Level,
    wounds: Injury,
    cause: Cause,
    bonus_taken: Taken = None,
    bonuses: Some = 0,
    penalties: Some = 0,
) -> HealOutcome:
    """Toughness against the wounds, no penalty for them; success closes one (`TSG-075`, `TSG-076`, `TSG-Q29`)."""
    return healed(play, Makings(tough, bonuses=bonuses, penalties=penalties), wounds, cause, bonus_taken)


def healed(play: Play, makings: Makings, wounds: int, cause: Cause, bonus_taken: int | None) -> HealOutcome:
    """One healing roll."""
    who = "After sleep" if cause == "sleep" else "After treatment"
    pool = pool_of(play, makings, who)
    roll = rolled(play, pool, wounds, bonus_taken, who)
    left = max(wounds - play.values.number("healing.removes"), 0) if roll.success else wounds
    play.tell(f"{who}: {left} wound point{'' if left == 1 else 's'} left", "TSG-075" if cause == "sleep" else "TSG-076")
    return HealOutcome(pool, roll.result, roll.dice_rolled, roll.bonus_left, roll.success, left)


@procedure("TSG-075", "TSG-077", say="whether another healing roll may be made today")
def heal_allowed(
    play: Play,
    *,
    cause: Cause,
    treated_today: Times = 0,
    incidents: Times = 0,
    incident_rolls_used: Times = 0,
) -> AllowedOutcome:
    """Sleep always; treatment once a day, and once more for each incident (`TSG-077`, `TSG-Q30`)."""
    if cause == "sleep":
        play.tell("Every normal night's sleep allows a roll", "TSG-075")
        return AllowedOutcome(True)
    daily = treated_today < play.values.number("healing.treatments_a_day")
    spare = incidents - incident_rolls_used
    allowed = daily or spare > 0
    why = "the day's treatment" if daily else f"{max(spare, 0)} left for incidents"
    play.tell(f"Treatment {'allowed' if allowed else 'refused'}: {why}", "TSG-077", "TSG-Q30")
    return AllowedOutcome(allowed)


@procedure(
    "TSG-075",
    "TSG-076",
    "TSG-077",
    say="days of rest until the wounds are closed, with or without a medic",
    policies=POLICIES,
)
def recover(
    play: Play,
    *,
    tough: Level,
    wounds: Points,
    days: Annotated[int, Whole(1, 60)],
    medic: bool = False,
    incidents: Times = 0,
    bonuses: Some = 0,
    penalties: Some = 0,
) -> RecoverOutcome:
    """Each day treatment, if a medic is there, then sleep; incidents add to day 1 (`TSG-075` to `TSG-077`)."""
    makings = Makings(tough, bonuses=bonuses, penalties=penalties)
    daily = play.values.number("healing.treatments_a_day") if medic else 0
    return play.part(_rest, makings, wounds, Bed(1, days, daily, incidents if medic else 0))


@dataclass(frozen=True, slots=True)
class Bed:
    """The day it is, the last day, the treatments of each day, and those that incidents still allow."""

    day: int
    days: int
    daily: int
    extra: int


def _rest(play: Play, makings: Makings, wounds: int, bed: Bed) -> RecoverOutcome:
    if not wounds:
        return RecoverOutcome(0, bed.day - 1)
    if bed.day > bed.days:
        return RecoverOutcome(wounds, None)
    play.tell(f"Day {bed.day}, {wounds} wound point{'' if wounds == 1 else 's'}")
    for cause in ("treatment",) * (bed.daily + bed.extra) + ("sleep",):
        if wounds:
            wounds = play.part(_closes, makings, wounds, cause)
    return play.part(_rest, makings, wounds, Bed(bed.day + 1, bed.days, bed.daily, 0))


def _closes(play: Play, makings: Makings, wounds: int, cause: Cause) -> int:
    return healed(play, makings, wounds, cause, None).wounds


Lasting = Annotated[int, Whole(1, 60)]


@dataclass(frozen=True, slots=True)
class TendOutcome:
    """What tending the dying comes to."""

    pool: int
    result: int
    dice_rolled: int
    bonus_left: int
    success: bool
    condition: Condition
    rounds: int | None


@dataclass(frozen=True, slots=True)
class RescueOutcome:
    """Whether the dying one was saved, at which try, and for how many rounds the sleep will last."""

    saved: bool
    tries: int
    rounds: int | None


@procedure("TSG-069", "TSG-071", say="tending somebody who is dying", policies=POLICIES)
def tend(
    play: Play,
    *,
    clever: Level,
    skill: Skill = "none",
    victim_wounds: Injury,
    bonus_taken: Taken = None,
    bonuses: Some = 0,
    penalties: Some = 0,
) -> TendOutcome:
    """Cleverness, with Medical if any, against all the victim's wounds (`TSG-071`, `TSG-Q24`)."""
    makings = Makings(clever, skill, bonuses=bonuses, penalties=penalties)
    return play.part(tended, makings, victim_wounds, bonus_taken, "Tending")


def tended(play: Play, makings: Makings, victim_wounds: int, bonus_taken: int | None, who: str) -> TendOutcome:
    """One try at tending: on success the victim is only unconscious, for a fresh count of rounds."""
    pool = pool_of(play, makings, who)
    roll = rolled(play, pool, victim_wounds, bonus_taken, who)
    rounds = None
    if roll.success:
        play.tell("The victim is no longer dying", "TSG-071")
        rounds = rounds_of(play, "unconscious", "The victim")
    condition: Condition = "unconscious" if roll.success else "dying"
    return TendOutcome(pool, roll.result, roll.dice_rolled, roll.bonus_left, roll.success, condition, rounds)


@procedure(
    "TSG-070",
    "TSG-071",
    say="tending the dying again and again, until it works or the last round is over",
    policies=POLICIES,
)
def rescue(
    play: Play,
    *,
    clever: Level,
    skill: Skill = "none",
    victim_wounds: Injury,
    rounds: Lasting | None = None,
    helpers: Annotated[int, Whole(1, 9)] = 1,
    bonuses: Some = 0,
    penalties: Some = 0,
) -> RescueOutcome:
    """A try a round for each helper while the victim lives (`TSG-070`, `TSG-071`, `TSG-Q23`, `TSG-Q24`)."""
    left = rounds_of(play, "dying", "The victim") if rounds is None else rounds
    makings = Makings(clever, skill, bonuses=bonuses, penalties=penalties)
    return play.part(_raced, makings, victim_wounds, 1, left * helpers)


def _raced(play: Play, makings: Makings, victim_wounds: int, number: int, tries: int) -> RescueOutcome:
    if number > tries:
        play.tell("The last round is over, and so is the victim", "TSG-070")
        return RescueOutcome(False, tries, None)
    saved, rounds = play.part(_tried, makings, victim_wounds, f"Try {number}")
    if saved:
        return RescueOutcome(True, number, rounds)
    return play.part(_raced, makings, victim_wounds, number + 1, tries)


def _tried(play: Play, makings: Makings, victim_wounds: int, who: str) -> tuple[bool, int | None]:
    attempt = tended(play, makings, victim_wounds, None, who)
    return attempt.success, attempt.rounds
