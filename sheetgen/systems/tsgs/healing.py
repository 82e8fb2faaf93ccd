"""Healing (ledger, sections L and M): tending the dying, sleep, treatment, how often, and days of rest."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Annotated

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.rolls import Attempt, Roller, attempt
from sheetgen.systems.tsgs.terms import POLICIES, Cause, Condition, Count, Dice, Injury, Lasting, Level, Skill
from sheetgen.systems.tsgs.wounds import rounds_of


@dataclass(frozen=True, slots=True)
class HealOutcome(Attempt):
    """A healing roll, and the wound points left after it."""

    wounds: int


@dataclass(frozen=True, slots=True)
class RecoverOutcome:
    """Days of rest: the wound points left, and on which day the last one closed (None: not within these days)."""

    wounds: int
    days: int | None


@dataclass(frozen=True, slots=True)
class TendOutcome(Attempt):
    """What tending the dying comes to."""

    condition: Condition
    rounds: int | None


@dataclass(frozen=True, slots=True)
class RescueOutcome:
    """Whether the dying one was saved, at which try, and for how many rounds the sleep will last."""

    saved: bool
    tries: int
    rounds: int | None


@procedure("TSG-073", "TSG-075", "TSG-076", say="a healing roll after sleep or treatment", policies=POLICIES)
def heal(
    play: Play,
    *,
    tough: Level,
    wounds: Injury,
    cause: Cause,
    bonus_taken: Dice | None = None,
    bonuses: Dice = 0,
    penalties: Dice = 0,
) -> HealOutcome:
    """Toughness against the wounds, no penalty for them; success closes one (`TSG-075`, `TSG-076`, `TSG-Q29`)."""
    return _healed(play, Roller(level=tough, bonuses=bonuses, penalties=penalties), wounds, cause, bonus_taken)


def _healed(play: Play, roller: Roller, wounds: int, cause: str, bonus_taken: int | None) -> HealOutcome:
    who = f"After {cause}"
    roll = attempt(play, roller, wounds, bonus_taken, who)
    left = max(wounds - play.values.number("healing.removes"), 0) if roll.success else wounds
    play.tell(f"{who}: {_points(left)} left", "TSG-075" if cause == "sleep" else "TSG-076")
    return HealOutcome(**asdict(roll), wounds=left)


def _points(wounds: int) -> str:
    return f"{wounds} wound point{'' if wounds == 1 else 's'}"


@procedure(
    *("TSG-075", "TSG-076", "TSG-077"),
    say="days of rest until the wounds are closed, with or without a medic",
    policies=POLICIES,
)
def recover(
    play: Play,
    *,
    tough: Level,
    wounds: Count,
    days: Lasting,
    medic: bool = False,
    incidents: Count = 0,
    bonuses: Dice = 0,
    penalties: Dice = 0,
) -> RecoverOutcome:
    """Each day treatment, if a medic is there, then sleep; incidents add to day 1 (`TSG-075` to `TSG-077`)."""
    roller = Roller(level=tough, bonuses=bonuses, penalties=penalties)
    treatments = play.values.number("healing.treatments_a_day") if medic else 0
    rest, _ = play.rounds(
        *(_day, RecoverOutcome(wounds, 0), roller, treatments, incidents if medic else 0),
        goes_on=lambda rest: rest.wounds > 0,
        what="days of rest",
        most=days,
        counted=False,
    )
    return replace(rest, days=None) if rest.wounds else rest


def _day(play: Play, rest: RecoverOutcome, roller: Roller, treatments: int, incidents: int) -> RecoverOutcome:
    """How it stands after one more day of rest."""
    day, wounds = (rest.days or 0) + 1, rest.wounds
    play.tell(f"Day {day}, {_points(wounds)}")
    for cause in ("treatment",) * (treatments + incidents * (day == 1)) + ("sleep",):
        if wounds:
            wounds = play.part(_closes, roller, wounds, cause)
    return RecoverOutcome(wounds, day)


def _closes(play: Play, roller: Roller, wounds: int, cause: str) -> int:
    return _healed(play, roller, wounds, cause, None).wounds


@procedure("TSG-069", "TSG-071", say="tending somebody who is dying", policies=POLICIES)
def tend(
    play: Play,
    *,
    clever: Level,
    skill: Skill = "none",
    victim_wounds: Injury,
    bonus_taken: Dice | None = None,
    bonuses: Dice = 0,
    penalties: Dice = 0,
) -> TendOutcome:
    """Cleverness, with Medical if any, against all the victim's wounds (`TSG-071`, `TSG-Q24`)."""
    roller = Roller(level=clever, skill=skill, bonuses=bonuses, penalties=penalties)
    return play.part(tended, roller, victim_wounds, bonus_taken, "Tending")


def tended(play: Play, roller: Roller, victim_wounds: int, bonus_taken: int | None, who: str) -> TendOutcome:
    """One try at tending: on success the victim is only unconscious, for a fresh count of rounds."""
    roll = attempt(play, roller, victim_wounds, bonus_taken, who)
    if not roll.success:
        return TendOutcome(**asdict(roll), condition="dying", rounds=None)
    play.tell("The victim is no longer dying", "TSG-071")
    rounds = rounds_of(play, "unconscious", "The victim")
    return TendOutcome(**asdict(roll), condition="unconscious", rounds=rounds)


@procedure(
    *("TSG-070", "TSG-071"),
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
    bonuses: Dice = 0,
    penalties: Dice = 0,
) -> RescueOutcome:
    """A try a round for each helper while the victim lives (`TSG-070`, `TSG-071`, `TSG-Q23`, `TSG-Q24`)."""
    left = rounds_of(play, "dying", "The victim") if rounds is None else rounds
    roller = Roller(level=clever, skill=skill, bonuses=bonuses, penalties=penalties)
    rescued, _ = play.rounds(
        *(_try, RescueOutcome(False, 0, None), roller, victim_wounds),
        goes_on=lambda so_far: not so_far.saved,
        what="tries",
        most=left * helpers,
        counted=False,
    )
    if not rescued.saved:
        play.tell("The last round is over, and so is the victim", "TSG-070")
    return rescued


def _try(play: Play, so_far: RescueOutcome, roller: Roller, victim_wounds: int) -> RescueOutcome:
    """How it stands after one more try."""
    number = so_far.tries + 1
    saved, rounds = play.part(_saved, roller, victim_wounds, f"Try {number}")
    return RescueOutcome(saved, number, rounds)


def _saved(play: Play, roller: Roller, victim_wounds: int, who: str) -> tuple[bool, int | None]:
    roll = tended(play, roller, victim_wounds, None, who)
    return roll.success, roll.rounds
