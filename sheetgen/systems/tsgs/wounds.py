"""Wounds (ledger, sections L and M): the points a hit deals, toughness, falling, dying, and how all that heals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from sheetgen.rules.procedures.parameters import Whole, Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.dice_pool import (
    POLICIES,
    Ability,
    AttackKind,
    Cause,
    Condition,
    Count,
    Dice,
    Injury,
    Lasting,
    Level,
    Skill,
)
from sheetgen.systems.tsgs.rolls import Roller, attempt
from sheetgen.systems.tsgs.traits import rank

Healed = tuple[int, int, int, int, bool, int]
Tended = tuple[int, int, int, int, bool, Condition, int | None]
Rest = tuple[int, int]  # the wound points left, and the days so far
Rescue = tuple[bool, int, int | None]


@dataclass(frozen=True, slots=True)
class Weapon:
    """What an attack is made with; bare hands have no size."""

    kind: AttackKind
    size: Literal["small", "one-handed", "larger"] | None = None
    lethal: bool = False
    name: str = ""

    @property
    def words(self) -> str:
        """Its name, or its size and kind."""
        return self.name or " ".join(filter(None, (self.size, self.kind)))


class Hurt(NamedTuple):
    """All wound points somebody has now, and whether the blow that brought the last of them could kill."""

    wounds: int
    lethal: bool


@dataclass(frozen=True, slots=True)
class ToughnessOutcome:
    """The toughness roll after a wound, and what becomes of the victim."""

    pool: int
    difficulty: int
    result: int
    dice_rolled: int
    bonus_left: int
    success: bool
    condition: Condition
    rounds: int | None


@procedure("TSG-065 TSG-066 TSG-085 TSG-092", say="the wound points that a hit deals", results="wound_points")
def extra_wounds(play: Play, *, roll_used: Ability, level: Level, weapon: Weapon, ignores: Count = 0) -> int:
    """One point for the hit, what weapon and level add, less what the victim ignores (`TSG-065`, `TSG-066`)."""
    values = play.values
    hit, more = values.number("wounds.hit"), additional(play, roll_used, level, weapon)
    points = max(hit + more - ignores, values.number("wounds.least"))
    less = f" − {ignores} ignored" if ignores else ""
    rules = ["TSG-065", *(["TSG-066"] if more else []), *(["TSG-092"] if ignores else [])]
    plus = f" + {more} for {level} {roll_used} with {weapon.words}" if more else ""
    play.tell(f"The hit: {hit}{plus}{less} = {points} wound point{'' if points == 1 else 's'}", *rules)
    return points


def additional(play: Play, roll_used: str, level: str, weapon: Weapon) -> int:
    """What the row for this roll and weapon adds for the level or the nearest below it (`TSG-066`, `TSG-Q18`)."""
    values = play.values
    if weapon.kind == "melee" and weapon.size is None:
        raise Wrong("weapon.size", "takes small, one-handed or larger for a melee weapon, and is missing")
    row = f"wounds.additional.{roll_used}.{weapon.size if weapon.kind == 'melee' else weapon.kind}"
    if not values.has(row):
        return 0
    reached = [each for each in values.names(row) if rank(values, each) <= rank(values, level)]
    best = max(reached, key=lambda each: rank(values, each), default=None)
    return values.number(f"{row}.{best}") if best else 0


@procedure("TSG-067 TSG-068 TSG-069 TSG-070 TSG-073", say="whether somebody just wounded stays up", policies=POLICIES)
def toughness(
    play: Play,
    *,
    level: Level,
    wounds: Count,
    lethal: bool,
    bonus_taken: Dice | None = None,
    bonuses: Dice = 0,
    penalties: Dice = 0,
) -> ToughnessOutcome:
    """Toughness against all wound points, no penalty for them; failure fells (`TSG-067` to `TSG-070`, `TSG-073`)."""
    roller = Roller(level=level, bonuses=bonuses, penalties=penalties)
    return play.part(stands_up, roller, Hurt(wounds, lethal), bonus_taken, "Toughness")


def stands_up(play: Play, roller: Roller, hurt: Hurt, bonus_taken: int | None, who: str) -> ToughnessOutcome:
    """The toughness roll against all wounds, with the rounds until waking or death when it fails."""
    roll = attempt(play, roller, hurt.wounds, bonus_taken, who)
    condition: Condition = "wounded" if hurt.wounds else "fine"
    rounds = None
    if not roll.success:
        condition = "dying" if hurt.lethal else "unconscious"
        rounds = rounds_of(play, condition, who)
    return ToughnessOutcome(**roll._asdict(), difficulty=hurt.wounds, condition=condition, rounds=rounds)


def rounds_of(play: Play, condition: Literal["unconscious", "dying"], who: str) -> int:
    """How many rounds somebody lies there before waking, or before dying (`TSG-069`, `TSG-070`, `TSG-Q35`)."""
    count, sides = (play.values.number(f"wounds.{condition}.{name}") for name in ("count", "sides"))
    purpose = "rounds to live" if condition == "dying" else "rounds out cold"
    rounds = play.dice.total(count, sides, f"{who}: {purpose}")
    span = f"{rounds} round{'' if rounds == 1 else 's'}"
    if condition == "dying":
        play.tell(f"{who}: dying, and dead after {span} unless tended", "TSG-068", "TSG-070")
    else:
        play.tell(f"{who}: unconscious for {span}", "TSG-069")
    return rounds


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
    play.tell(f"{who}: {in_points(left)} left", "TSG-075" if cause == "sleep" else "TSG-076")
    return (*roll, left)


def in_points(wounds: int) -> str:
    """Return so many wound points in words."""
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
    play.tell(f"Day {day}, {in_points(wounds)}")
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
