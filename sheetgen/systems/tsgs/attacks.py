"""Attack and defence (ledger, section K): which ability may be rolled, and an attack with all that follows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.dice_pool import (
    NORMAL,
    POLICIES,
    Ability,
    AttackKind,
    BonusOrder,
    Condition,
    Count,
    Dice,
    Level,
    Skill,
)
from sheetgen.systems.tsgs.rolls import Decider, Roller, Verdict, Winner, attempt, pool_of, verdict
from sheetgen.systems.tsgs.wounds import Hurt, ToughnessOutcome, Weapon, extra_wounds, stands_up

FLYING = ("thrown", "missile")
FISTS = Weapon("barehanded", name="bare hands")
Harm = tuple[int, ToughnessOutcome | None, Condition, int | None]  # all wounds, the roll, and what becomes of it


@dataclass(frozen=True, slots=True)
class Attacker:
    """Who attacks, what is rolled for it, and with which weapon."""

    roll: Ability
    level: Level = NORMAL
    skill: Skill = "none"
    weapon: Weapon = FISTS
    wounds: Count = 0
    unskilled: Dice = 0
    bonuses: Dice = 0
    penalties: Dice = 0
    distance: Literal["near", "far", "very far"] = "near"
    name: str = ""


@dataclass(frozen=True, slots=True)
class Defender:
    """Who is attacked; one who is helpless cannot defend at all."""

    roll: Ability = "agility"
    level: Level = NORMAL
    skill: Skill = "none"
    tough: Level = NORMAL
    wounds: Count = 0
    ignores: Count = 0
    helpless: bool = False
    unskilled: Dice = 0
    bonuses: Dice = 0
    penalties: Dice = 0
    cover: Literal["none", "half", "full"] = "none"
    armour: Literal["none", "light", "heavy"] = "none"
    caught: Literal["no", "off guard", "held"] = "no"
    name: str = ""


@procedure(
    "TSG-058 TSG-059 TSG-060 TSG-061 TSG-062 TSG-063",
    say="whether an ability may be rolled for an attack or a defence",
    results="allowed",
)
def roll_allowed(
    play: Play,
    *,
    side: Literal["attack", "defence"],
    kind: AttackKind,
    roll: Ability,
    martial_arts: bool = False,
    gm_clever: bool = False,
    running: bool = False,
    can_shove: bool = False,
) -> bool:
    """Whether the roll is one of those for this attack, and its condition holds (`TSG-058` to `TSG-063`)."""
    given = {"martial_arts": martial_arts, "gm_clever": gm_clever, "running": running, "can_shove": can_shove}
    path = f"rolls.{side}.{kind}.{roll}"
    needs = play.values.text(path) if play.values.has(path) else "never"
    allowed = needs == "always" or given.get(needs, False)
    when = {"always": "", "never": ", never by default"}.get(needs, f", which needs {needs.replace('_', ' ')}")
    against = f"{roll.capitalize()} {'against' if side == 'defence' else 'for'} a {kind} attack"
    rule = _ROLL_RULES.get((side, roll), "TSG-079")
    play.tell(f"{against}{when}: {'allowed' if allowed else 'not allowed'}", rule)
    return allowed


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
    "TSG-047 TSG-058 TSG-060 TSG-061 TSG-064 TSG-065 TSG-066 TSG-067 TSG-068 TSG-069 TSG-070 TSG-072 TSG-073 TSG-092 "
    "TSG-H1 TSG-H2 TSG-H3 TSG-H5 TSG-H9",
    say="an attack, its wounds, and the toughness roll that follows",
    results="winner decided_by hit wound_points total_wounds toughness condition rounds",
    policies=POLICIES,
)
def attack(
    play: Play,
    *,
    attacker: Attacker,
    defender: Defender,
    bonus_order: BonusOrder = None,
    toughness_bonus: Dice | None = None,
) -> tuple[Winner, Decider, bool, int, int, ToughnessOutcome | None, Condition, int | None]:
    """Opposed rolls, side a attacking; a hit wounds, and wounds call for toughness (`TSG-064` to `TSG-073`)."""
    roll = play.part(_strike, attacker, defender, bonus_order)
    hit, points = _landed(play, roll, attacker, defender)
    play.settled(winner=roll.winner, decided_by=roll.decided_by, hit=hit, wound_points=points)
    return (*roll, hit, points, *harmed(play, defender, points, attacker.weapon.lethal, toughness_bonus))


def _strike(play: Play, attacker: Attacker, defender: Defender, bonus_order: BonusOrder) -> Verdict:
    """The rolls of an attack; a level end is a miss, the helpless resist with a difficulty (`TSG-Q15`, `TSG-Q42`)."""
    who, whom = attacker.name or "The attacker", defender.name or "the defender"
    answer = "which cannot be resisted" if defender.helpless else f"against {defender.roll}"
    play.tell(f"{who} attacks {whom} with {attacker.weapon.words}: {attacker.roll}, {answer}", "TSG-064")
    if defender.helpless:
        taken = None if bonus_order is None else len(bonus_order)
        alone = attempt(
            play, _roller(_at_distance(play, attacker)), play.values.number("helpless.difficulty"), taken, who
        )
        return Verdict("a" if alone.success else "none", "result")
    attacker, defender = _at_distance(play, attacker), _in_cover(play, defender, attacker.weapon)
    names = who, f"{whom[0].upper()}{whom[1:]}"
    pools = pool_of(play, _roller(attacker), names[0]), pool_of(play, _roller(defender), names[1])
    both = verdict(play, pools, bonus_order, names, "b")
    level_end = ["TSG-Q15"] if both.winner == "none" else []
    play.tell(f"{names[0]} {'hits' if both.winner == 'a' else 'misses'}", "TSG-064", *level_end)
    return both


def _at_distance(play: Play, attacker: Attacker) -> Attacker:
    """The attacker with the dice that distance takes (`TSG-H3`)."""
    less = play.values.number(f"house.distance.{attacker.distance}") if attacker.weapon.kind in FLYING else 0
    if not less:
        return attacker
    play.tell(f"The target is {attacker.distance}: −{less} for the attack", "TSG-H3")
    return replace(attacker, penalties=attacker.penalties + less)


def _in_cover(play: Play, defender: Defender, weapon: Weapon) -> Defender:
    """The defender with the dice that cover gives and armour takes, and being caught (`TSG-H1`, `TSG-H2`, `TSG-H5`)."""
    if less := play.values.number(f"house.caught.{defender.caught}"):
        rule = "TSG-H9" if defender.caught == "held" else "TSG-H5"
        play.tell(f"Caught, {defender.caught}: −{less} for the defence", rule)
        defender = replace(defender, penalties=defender.penalties + less)
    if weapon.kind in FLYING and (more := play.values.number(f"house.cover.{defender.cover}")):
        play.tell(f"Cover, {defender.cover}: +{more} for the defence", "TSG-H2")
        defender = replace(defender, bonuses=defender.bonuses + more)
    if defender.roll == "speed" and (less := play.values.number(f"house.armour.{defender.armour}.hampers")):
        play.tell(f"Armour, {defender.armour}: −{less} for {defender.roll}", "TSG-H1")
        defender = replace(defender, penalties=defender.penalties + less)
    return defender


def _roller(side: Attacker | Defender) -> Roller:
    return Roller(
        None, side.level, side.skill, side.unskilled, side.bonuses, side.penalties, side.wounds, physical=True
    )


def _landed(play: Play, roll: Verdict, attacker: Attacker, defender: Defender) -> tuple[bool, int]:
    if roll.winner != "a":
        return False, 0
    weapon, ignores = attacker.weapon, defender.ignores
    return True, extra_wounds(play, roll_used=attacker.roll, level=attacker.level, weapon=weapon, ignores=ignores)


def blow(play: Play, attacker: Attacker, defender: Defender, bonus_order: BonusOrder) -> tuple[bool, int]:
    """Whether an attack hits, and for how many wound points."""
    return _landed(play, _strike(play, attacker, defender, bonus_order), attacker, defender)


def harmed(play: Play, victim: Defender, points: int, lethal: bool, bonus_taken: int | None) -> Harm:
    """All points of a blow added, then one toughness roll if there were any (`TSG-067`, `TSG-Q21`, `TSG-Q37`)."""
    total = victim.wounds + points
    if not points:
        return total, None, "wounded" if total else "fine", None
    who = f"Toughness of {victim.name or 'the defender'}"
    armour = play.values.number(f"house.armour.{victim.armour}.toughness")
    if armour:
        play.tell(f"Armour, {victim.armour}: +{armour} for toughness", "TSG-H1")
    roll = play.part(stands_up, Roller(level=victim.tough, bonuses=armour), Hurt(total, lethal), bonus_taken, who)
    return total, roll, roll.condition, roll.rounds
