"""Attack and defence (ledger, section K): which ability may be rolled, and an attack with all that follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.abilities import NORMAL, Ability, Level
from sheetgen.systems.tsgs.reading import Taken
from sheetgen.systems.tsgs.rolls import (
    POLICIES,
    BonusOrder,
    Makings,
    Points,
    Some,
    Verdict,
    Winner,
    pool_of,
    rolled,
    verdict,
)
from sheetgen.systems.tsgs.skills import Skill
from sheetgen.systems.tsgs.wounds import Condition, Injury, ToughnessOutcome, Weapon, stands_up_to, wound_points

FISTS = Weapon("barehanded", name="bare hands")


@dataclass(frozen=True, slots=True)
class Attacker:
    """Who attacks, what is rolled for it, and with which weapon."""

    roll: Ability
    level: Level = NORMAL
    skill: Skill = "none"
    weapon: Weapon = FISTS
    wounds: Points = 0
    unskilled: Some = 0
    bonuses: Some = 0
    penalties: Some = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Defender:
    """Who is attacked; one who is helpless cannot defend at all."""

    roll: Ability = "agility"
    level: Level = NORMAL
    skill: Skill = "none"
    tough: Level = NORMAL
    wounds: Points = 0
    ignores: Points = 0
    helpless: bool = False
    unskilled: Some = 0
    bonuses: Some = 0
    penalties: Some = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class AllowedOutcome:
    """Whether it is allowed."""

    allowed: bool


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """An attack: who won the roll, the wounds, and what becomes of the defender."""

    winner: Winner
    decided_by: Literal["result", "dice", "tie"]
    hit: bool
    wound_points: int
    total_wounds: int
    toughness: ToughnessOutcome | None
    condition: Condition
    rounds: int | None


@procedure(
    "TSG-058",
    "TSG-059",
    "TSG-060",
    "TSG-061",
    "TSG-062",
    "TSG-063",
    say="whether an ability may be rolled for an attack or a defence",
)
def roll_allowed(
    play: Play,
    *,
    side: Literal["attack", "defence"],
    kind: Literal["melee", "thrown", "missile", "barehanded"],
    roll: Ability,
    martial_arts: bool = False,
    gm_clever: bool = False,
    running: bool = False,
    can_shove: bool = False,
) -> AllowedOutcome:
    """Whether the roll is one of those for this attack, and its condition holds (`TSG-058` to `TSG-063`)."""
    holds = {
        "always": True,
        "martial_arts": martial_arts,
        "gm_clever": gm_clever,
        "running": running,
        "can_shove": can_shove,
    }
    path = f"rolls.{side}.{kind}.{roll}"
    needs = play.values.text(path) if play.values.has(path) else "never"
    allowed = holds.get(needs, False)
    when = {"always": "", "never": ", never by default"}.get(needs, f", which needs {needs.replace('_', ' ')}")
    verdict = "allowed" if allowed else "not allowed"
    against = "against" if side == "defence" else "for"
    play.tell(
        f"{roll.capitalize()} {against} a {kind} attack{when}: {verdict}", _ROLL_RULES.get((side, roll), "TSG-079")
    )
    return AllowedOutcome(allowed)


_ROLL_RULES = {
    ("attack", "strength"): "TSG-058",
    ("attack", "dexterity"): "TSG-058",
    ("attack", "agility"): "TSG-059",
    ("attack", "cleverness"): "TSG-060",
    ("defence", "agility"): "TSG-061",
    ("defence", "speed"): "TSG-062",
    ("defence", "strength"): "TSG-063",
}


@procedure(
    "TSG-047",
    "TSG-058",
    "TSG-060",
    "TSG-061",
    "TSG-064",
    "TSG-065",
    "TSG-066",
    "TSG-067",
    "TSG-068",
    "TSG-069",
    "TSG-070",
    "TSG-072",
    "TSG-073",
    "TSG-092",
    say="an attack, its wounds, and the toughness roll that follows",
    policies=POLICIES,
)
def attack(
    play: Play,
    *,
    attacker: Attacker,
    defender: Defender,
    bonus_order: BonusOrder = None,
    toughness_bonus: Taken = None,
) -> AttackOutcome:
    """Opposed rolls, side a attacking; a hit wounds, and wounds call for toughness (`TSG-064` to `TSG-073`)."""
    roll = play.part(strike, attacker, defender, bonus_order)
    hit = roll.winner == "a"
    points = wound_points(play, attacker.roll, attacker.level, attacker.weapon, defender.ignores) if hit else 0
    play.settled(winner=roll.winner, decided_by=roll.decided_by, hit=hit, wound_points=points)
    victim = Victim(defender.name or "the defender", defender.tough, defender.wounds)
    harm = harmed(play, victim, points, attacker.weapon.lethal, toughness_bonus)
    return AttackOutcome(
        roll.winner, roll.decided_by, hit, points, harm.total_wounds, harm.toughness, harm.condition, harm.rounds
    )


def strike(play: Play, attacker: Attacker, defender: Defender, bonus_order: BonusOrder) -> Verdict:
    """The rolls of an attack; a level end is a miss, the helpless resist with a difficulty (`TSG-Q15`, `TSG-Q42`)."""
    who = attacker.name or "The attacker"
    whom = defender.name or "the defender"
    answer = "which cannot be resisted" if defender.helpless else f"against {defender.roll}"
    play.tell(f"{who} attacks {whom} with {attacker.weapon.words}: {attacker.roll}, {answer}", "TSG-064")
    own = pool_of(play, _makings(attacker), who)
    if defender.helpless:
        taken = None if bonus_order is None else len(bonus_order)
        alone = rolled(play, own, play.values.number("helpless.difficulty"), taken, who)
        return Verdict("a" if alone.success else "none", "result")
    names = who, f"{whom[0].upper()}{whom[1:]}"
    other = pool_of(play, _makings(defender), names[1])
    both = verdict(play, (own, other), bonus_order, names, "b")
    hits = both.winner == "a"
    play.tell(f"{names[0]} {'hits' if hits else 'misses'}", "TSG-064", *(["TSG-Q15"] if both.winner == "none" else []))
    return both


def _makings(side: Attacker | Defender) -> Makings:
    return Makings(side.level, side.skill, side.unskilled, side.bonuses, side.penalties, side.wounds > 0)


def landed(play: Play, attacker: Attacker, defender: Defender, bonus_order: BonusOrder) -> tuple[bool, int]:
    """Whether an attack hits, and for how many wound points."""
    hit = strike(play, attacker, defender, bonus_order).winner == "a"
    if not hit:
        return False, 0
    return True, wound_points(play, attacker.roll, attacker.level, attacker.weapon, defender.ignores)


@dataclass(frozen=True, slots=True)
class Victim:
    """Somebody who may just have been wounded, as before the blow."""

    name: str
    tough: str
    wounds: int


@dataclass(frozen=True, slots=True)
class Harm:
    """What wound points did to somebody."""

    total_wounds: int
    toughness: ToughnessOutcome | None
    condition: Condition
    rounds: int | None


def harmed(play: Play, victim: Victim, points: int, lethal: bool, bonus_taken: Taken) -> Harm:
    """All points of a blow added, then one toughness roll if there were any (`TSG-067`, `TSG-Q21`, `TSG-Q37`)."""
    total = victim.wounds + points
    if not points:
        return Harm(total, None, "wounded" if total else "fine", None)
    who = f"Toughness of {victim.name}"
    roll = play.part(stands_up_to, Makings(victim.tough), Injury(total, lethal), bonus_taken, who)
    return Harm(total, roll, roll.condition, roll.rounds)
