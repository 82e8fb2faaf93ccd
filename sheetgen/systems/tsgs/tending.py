"""Tending the dying (ledger, section L): one try, and a whole race against the last round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.abilities import Level
from sheetgen.systems.tsgs.pools import Makings, Some, pool_of
from sheetgen.systems.tsgs.reading import Taken
from sheetgen.systems.tsgs.rolls import POLICIES, rolled
from sheetgen.systems.tsgs.skills import Skill
from sheetgen.systems.tsgs.wounds import Condition, rounds_of

Injury = Annotated[int, Whole(1, 99)]
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
