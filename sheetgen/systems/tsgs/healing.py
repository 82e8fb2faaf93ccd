"""Healing (ledger, sections L and M): tending the dying, sleep, treatment, how often, and days of rest."""

from __future__ import annotations

from typing import Annotated

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.rolls import Roller, attempt
from sheetgen.systems.tsgs.terms import POLICIES, Cause, Condition, Count, Dice, Injury, Lasting, Level, Skill
from sheetgen.systems.tsgs.wounds import rounds_of

Healed = tuple[int, int, int, int, bool, int]
Tended = tuple[int, int, int, int, bool, Condition, int | None]
Rest = tuple[int, int]  # the wound points left, and the days so far
Rescue = tuple[bool, int, int | None]


@procedure(
    "TSG-073 TSG-075 TSG-076",
    say="a healing roll after sleep or treatment",
    policies=POLICIES,
    results="pool result dice_rolled bonus_left success wounds",
)
def heal(
    play: Play,
    *,
    tough: Level,
    wounds: Injury,
    cause: Cause,
    bonus_taken: Dice | None = None,
    bonuses: Dice = 0,
    penalties: Dice = 0,
) -> Healed:
    """Toughness against the wounds, no penalty for them; success closes one (`TSG-075`, `TSG-076`, `TSG-Q29`)."""
    return _healed(play, Roller(level=tough, bonuses=bonuses, penalties=penalties), wounds, cause, bonus_taken)


def _healed(play: Play, roller: Roller, wounds: int, cause: str, bonus_taken: int | None) -> Healed:
    who = f"After {cause}"
    roll = attempt(play, roller, wounds, bonus_taken, who)
    left = max(wounds - play.values.number("healing.removes"), 0) if roll.success else wounds
    play.tell(f"{who}: {_points(left)} left", "TSG-075" if cause == "sleep" else "TSG-076")
    return (*roll, left)


def _points(wounds: int) -> str:
    return f"{wounds} wound point{'' if wounds == 1 else 's'}"


@procedure(
    "TSG-075 TSG-076 TSG-077",
    say="days of rest until the wounds are closed, with or without a medic",
    policies=POLICIES,
    results="wounds days",
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
) -> tuple[int, int | None]:
    """Each day treatment, if a medic is there, then sleep; incidents add to day 1 (`TSG-075` to `TSG-077`).

    The wound points left, and the day on which the last one closed, if it did within these days.
    """
    roller = Roller(level=tough, bonuses=bonuses, penalties=penalties)
    treatments = play.values.number("healing.treatments_a_day") if medic else 0
    (left, day), _ = play.rounds(
        *(_day, (wounds, 0), roller, treatments, incidents if medic else 0),
        goes_on=lambda rest: rest[0] > 0,
        what="days of rest",
        most=days,
        counted=False,
    )
    return left, None if left else day


def _day(play: Play, rest: Rest, roller: Roller, treatments: int, incidents: int) -> Rest:
    """How it stands after one more day of rest."""
    wounds, day = rest[0], rest[1] + 1
    play.tell(f"Day {day}, {_points(wounds)}")
    for cause in ("treatment",) * (treatments + incidents * (day == 1)) + ("sleep",):
        if wounds:
            wounds = play.part(_closes, roller, wounds, cause)
    return wounds, day


def _closes(play: Play, roller: Roller, wounds: int, cause: str) -> int:
    return _healed(play, roller, wounds, cause, None)[-1]


@procedure(
    "TSG-069 TSG-071",
    say="tending somebody who is dying",
    policies=POLICIES,
    results="pool result dice_rolled bonus_left success condition rounds",
)
def tend(
    play: Play,
    *,
    clever: Level,
    skill: Skill = "none",
    victim_wounds: Injury,
    bonus_taken: Dice | None = None,
    bonuses: Dice = 0,
    penalties: Dice = 0,
) -> Tended:
    """Cleverness, with Medical if any, against all the victim's wounds (`TSG-071`, `TSG-Q24`)."""
    roller = Roller(level=clever, skill=skill, bonuses=bonuses, penalties=penalties)
    return play.part(tended, roller, victim_wounds, bonus_taken, "Tending")


def tended(play: Play, roller: Roller, victim_wounds: int, bonus_taken: int | None, who: str) -> Tended:
    """One try at tending: on success the victim is only unconscious, for a fresh count of rounds."""
    roll = attempt(play, roller, victim_wounds, bonus_taken, who)
    if not roll.success:
        return (*roll, "dying", None)
    play.tell("The victim is no longer dying", "TSG-071")
    return (*roll, "unconscious", rounds_of(play, "unconscious", "The victim"))


@procedure(
    "TSG-070 TSG-071",
    say="tending the dying again and again, until it works or the last round is over",
    policies=POLICIES,
    results="saved tries rounds",
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
) -> Rescue:
    """A try a round for each helper while the victim lives (`TSG-070`, `TSG-071`, `TSG-Q23`, `TSG-Q24`).

    The number of tries, and the rounds for which somebody saved will sleep.
    """
    left = rounds_of(play, "dying", "The victim") if rounds is None else rounds
    roller = Roller(level=clever, skill=skill, bonuses=bonuses, penalties=penalties)
    start: Rescue = (False, 0, None)
    rescue, _ = play.rounds(
        *(_try, start, roller, victim_wounds),
        goes_on=lambda so_far: not so_far[0],
        what="tries",
        most=left * helpers,
        counted=False,
    )
    if not rescue[0]:
        play.tell("The last round is over, and so is the victim", "TSG-070")
    return rescue


def _try(play: Play, so_far: Rescue, roller: Roller, victim_wounds: int) -> Rescue:
    """How it stands after one more try."""
    number = so_far[1] + 1
    saved, rounds = play.part(_saved, roller, victim_wounds, f"Try {number}")
    return saved, number, rounds


def _saved(play: Play, roller: Roller, victim_wounds: int, who: str) -> tuple[bool, int | None]:
    *_, saved, _, rounds = tended(play, roller, victim_wounds, None, who)
    return saved, rounds
