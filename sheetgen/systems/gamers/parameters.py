"""What a GAMERS character fills in for the parameters of a procedure: weapon, armour, and the skill that is used."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.systems.gamers.gear import WEAPONS, WeaponKind, armour_of, weapon, weapons_of


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    """The values that a pack's `uses:` may name, for a character who uses a skill or a weapon.

    `with` is the skill, `weapon.size` and `weapon.kind` how the weapon strikes (bare hands without one),
    `weapon.injury` the levels that add to its injury (`GAM-213`), `armour.worn` the pieces worn.
    """
    arm, values = _arm(system, character, what), system.values
    kind = arm.strikes if arm is not None else "unarmed"
    adds = [_level(system, character, str(role)) for role in values.at(f"injury.adds.{kind}")]
    worn = [{"coverage": each.coverage, "rating": each.rating} for each in armour_of(system, character)]
    return {
        "with": arm.skill if arm is not None else what,
        "weapon.kind": kind,
        "weapon.size": arm.size if arm is not None else values.text("injury.unarmed"),
        "weapon.injury": adds if None not in adds else None,
        "armour.worn": worn or None,
    }


def best_weapon(system: System, character: Character) -> str:
    """What a character would fight with: the weapon it owns and wields best, or the skill of bare hands."""
    owned = weapons_of(system, character)
    if not owned:
        has = system.values.has("injury.unarmed_skill")
        return system.values.text("injury.unarmed_skill") if has else ""
    return max(owned, key=lambda arm: _level(system, character, arm.skill) or 0).name


def _arm(system: System, character: Character, what: str) -> WeaponKind | None:
    """The weapon of that name, or the first one owned that the skill of that name wields."""
    listed = system.cast.items.get(WEAPONS, {})
    if what in listed:
        return weapon(listed[what])
    return next((arm for arm in weapons_of(system, character) if arm.skill == what), None)


def _level(system: System, character: Character, role: str) -> int | None:
    """The level of a trait, the default of its group where nothing is written down; None if there is neither."""
    trait = system.by_role.get(role)
    if trait is None:
        return None
    group = system.group_of[trait.name]
    return character.numbers(group.name).get(trait.name, group.default)
