"""Wounds (ledger, section L): the points a hit deals, the toughness roll, falling and dying."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from sheetgen.rules.procedures.parameters import Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.abilities import rank
from sheetgen.systems.tsgs.rolls import Roller, attempt
from sheetgen.systems.tsgs.terms import POLICIES, Ability, AttackKind, Condition, Count, Dice, Level


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
