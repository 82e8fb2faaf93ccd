"""Figures for the sheet, what a character fills in for procedures, and what makes one illegal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

from sheetgen.errors import Problem
from sheetgen.model.character import Character
from sheetgen.model.data import Values
from sheetgen.model.system import System
from sheetgen.model.wording import capital
from sheetgen.systems.gamers.creation import (
    WEAPONS,
    WeaponKind,
    armour_of,
    attack_bonus,
    native_level,
    weapon,
    weapons_of,
)

MOST_ARMS, MOST_ARMOURS, LOAD_STEPS = 3, 1, 3
_NO_RANGE = "—"
_NUMBER = re.compile(r"\d+")
THROWN_KG = (Decimal(1), Decimal(2))


def throw_range(values: Values, strength: int, weapon_kg: Decimal) -> int:
    """The greatest distance of a throw in metres: Strength² / kg, 1 kg at least, halves up (`GAM-180`, `GAM-Q44`)."""
    return _nearest(Decimal(strength * strength) / max(weapon_kg, values.decimal("throw.least_kg")))


def bow_range(strength: int, multiplier: Decimal) -> int:
    """The greatest range of a bow in metres: (Strength × multiplier)² (`GAM-182`, `GAM-Q45`)."""
    return _nearest((strength * multiplier) ** 2)


def firearm_range(weapon_strength: int) -> int:
    """The greatest range of a firearm in metres: the square of its own Strength (`GAM-183`)."""
    return weapon_strength * weapon_strength


def _nearest(metres: Decimal) -> int:
    return int(metres.quantize(Decimal(1), ROUND_HALF_UP))


def injury_bonus(values: Values, level: int) -> int:
    """What an attribute adds to injury: +1 at A and one more a level (`GAM-212`, `GAM-Q53`)."""
    return max(level - values.number("injury.bonus_above"), 0)


def weight(values: Values, strength: int) -> int:
    """Body weight in kg (`GAM-029`)."""
    return strength * values.number("weight.kg_a_level")


def load_steps(strength: int, count: int) -> tuple[int, ...]:
    """The loads in kg up to which Endurance, Reflexes and Strength fall by 0, 1, 2… (`GAM-242`)."""
    return tuple(strength * step for step in range(1, count + 1))


def loads_carried(levels: Sequence[int], count: int) -> int:
    """How many of `count` load steps can be carried: step n takes n off each level and must leave all above 0.

    The first step takes nothing off (`GAM-Q66`).
    """
    return max(min([count, *levels]), 1)


def figures(system: System, character: Character) -> Mapping[str, str]:
    """Every figure of the sheet by name; a figure whose traits the character lacks is left out."""
    by_name = character.levels(group.name for group in system.groups)
    levels = {system.traits[name].role: level for name, level in by_name.items() if name in system.traits}
    found = {**_body(system, levels), **_language(system, character, levels), **_level_meanings(system, levels)}
    found.update(_arms(system, character, levels))
    found.update(_armour(system, character))
    return found


def _body(system: System, levels: Mapping[str, int]) -> dict[str, str]:
    values, found = system.values, dict[str, str]()
    strength = levels.get(values.text("load.step"))
    if strength is not None:
        found["load"] = _loads(values, strength, levels)
        found["throw"] = " / ".join(str(throw_range(values, strength, kg)) for kg in THROWN_KG) + " m"
        found["weight"] = f"{weight(values, strength)} kg"
    paces, speed = levels.get(values.text("move.paces")), levels.get(values.text("move.kilometres"))
    if paces is not None:
        found["move"] = f"{paces} paces · {speed} km/h"
    bonuses = [levels.get(values.text(f"injury.{kind}")) for kind in ("physical", "ranged", "minds")]
    if None not in bonuses:
        found["bonus"] = " / ".join(f"+{injury_bonus(values, level or 0)}" for level in bonuses)
    return found


def _loads(values: Values, strength: int, levels: Mapping[str, int]) -> str:
    """The loads in kg, with a dash for each that would bring an attribute it lowers to 0."""
    lowered = values.at("load.lowers")
    carried = loads_carried([levels[str(name)] for name in lowered if str(name) in levels], LOAD_STEPS)
    loads = [str(kg) if step < carried else "—" for step, kg in enumerate(load_steps(strength, LOAD_STEPS))]
    return " / ".join(loads) + " kg"


def _language(system: System, character: Character, levels: Mapping[str, int]) -> dict[str, str]:
    """The tongues, the native one first; then what all in the game’s world speak (`common`)."""
    spoken = dict(character.numbers("languages"))
    native, mind = character.text("native"), levels.get(system.values.text("language.from"))
    if native and mind is not None:
        free = native_level(system.tables["native language"], mind)
        spoken = {native: free + spoken.pop(native, 0), **spoken}
    common = system.values.numbers("language.common") if system.values.has("language.common") and spoken else {}
    spoken |= {name: max(spoken.get(name, 0), level) for name, level in common.items()}
    return {"languages": " · ".join(f"{name} {level}" for name, level in spoken.items())} if spoken else {}


def _level_meanings(system: System, levels: Mapping[str, int]) -> dict[str, str]:
    """What a level means, for each trait that has a table of meanings."""
    found = {}
    for trait in system.banded:
        level = levels.get(trait.role)
        if level is not None:
            found[f"word.{trait.role}"] = system.tables[trait.bands].row(level)["word"]
    return found


def _arms(system: System, character: Character, levels: Mapping[str, int]) -> dict[str, str]:
    """The rows of the weapon table, best roll and then worst injury first and bare hands last; the rest is noted."""
    owned = weapons_of(system, character)
    adds = {weapon.name: attack_bonus(system, character, weapon, levels.get(weapon.skill, 0)) for weapon in owned}
    rows = [_arm_row(system, weapon, levels, adds[weapon.name]) for weapon in dict.fromkeys(owned)]
    rows.sort(key=lambda row: (-int(row["adds"]), *(-int(number) for number in _NUMBER.findall(row["injury"] + "+0"))))
    grown = any(weapon.kg == 0 and weapon.skill == _unarmed_skill(system.values) for weapon in owned)
    hands = () if grown else (_unarmed(system, levels),)  # a beast has none beside its teeth
    first, rest = rows[: MOST_ARMS - len(hands)], rows[MOST_ARMS - len(hands) :]
    found = {f"thing.{row['name'].casefold()}": f"{row['roll']}, {row['injury']}" for row in rest}
    for number, row in enumerate((*first, *hands), 1):
        reach = row["range"] if row["range"] != _NO_RANGE else ""
        says = ", ".join(filter(None, (row["roll"], f"injury {row['injury']}", reach)))
        found.update({f"arms.{number}.{name}": text for name, text in {**row, "says": says}.items()})
    return found


def _arm_row(system: System, weapon: WeaponKind, levels: Mapping[str, int], adds: int) -> dict[str, str]:
    values = system.values
    strength = levels.get(values.text("injury.physical"), 0)
    bonus = 0
    row = {"name": capital(weapon.name), "roll": _attack(values, adds), "adds": str(adds)}
    if weapon.strength is None:
        bonus += injury_bonus(values, strength)
    if weapon.thrown or weapon.bow is not None or weapon.strength is not None:
        bonus += injury_bonus(values, levels.get(values.text("injury.ranged"), 0))
        row["range"] = f"{_reach(values, weapon, strength)} m"
    else:
        row["range"] = _NO_RANGE
    row["injury"] = _injury(values, weapon.size, bonus)
    return row


def _reach(values: Values, weapon: WeaponKind, strength: int) -> int:
    if weapon.strength is not None:
        return firearm_range(weapon.strength)
    return throw_range(values, strength, weapon.kg) if weapon.bow is None else bow_range(strength, weapon.bow)


def _unarmed_skill(values: Values) -> str:
    return values.text("injury.unarmed_skill") if values.has("injury.unarmed_skill") else ""


def _unarmed(system: System, levels: Mapping[str, int]) -> dict[str, str]:
    values = system.values
    bonus = injury_bonus(values, levels.get(values.text("injury.physical"), 0))
    skill = levels.get(_unarmed_skill(values), 0)
    return {
        "name": "Bare hands",
        "range": _NO_RANGE,
        "roll": _attack(values, skill),
        "adds": str(skill),
        "injury": _injury(values, values.text("injury.unarmed"), bonus),
    }


def _attack(values: Values, adds: int) -> str:
    dice = f"{values.number('quickie.dice.count')}d{values.number('quickie.dice.sides')}"
    return dice + (f"{adds:+}".replace("-", "−") if adds else "")


def _injury(values: Values, size: str, bonus: int) -> str:
    return f"{values.number(f'injury.dice.{size}')}d{values.number('injury.sides')}" + (f"+{bonus}" if bonus else "")


def _armour(system: System, character: Character) -> dict[str, str]:
    worn = armour_of(system, character)
    worn.sort(key=lambda armour: -armour.rating)
    found = {f"thing.{each.name.casefold()}": f"under {each.coverage}, {each.rating}" for each in worn[MOST_ARMOURS:]}
    for number, armour in enumerate(worn[:MOST_ARMOURS], 1):
        found[f"armour.{number}.name"] = capital(armour.name)
        found[f"armour.{number}.coverage"] = str(armour.coverage)
        found[f"armour.{number}.rating"] = str(armour.rating)
        found[f"armour.{number}.says"] = f"under {armour.coverage} stops {armour.rating}"
    return found


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    """The values that a pack's `uses:` may name, for a character who uses a skill or a weapon.

    `with` is the skill, `weapon.size` and `weapon.kind` how the weapon strikes (bare hands without one),
    `weapon.injury` the levels that add to its injury (`GAM-213`), `armour.worn` the pieces worn.
    """
    arm, values = _arm(system, character, what), system.values
    kind = arm.strikes if arm is not None else "unarmed"
    adds = [_level_of(system, character, str(role)) for role in values.at(f"injury.adds.{kind}")]
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
    return max(owned, key=lambda arm: _level_of(system, character, arm.skill) or 0).name


def _arm(system: System, character: Character, what: str) -> WeaponKind | None:
    """The weapon of that name, or the first one owned that the skill of that name wields."""
    listed = system.cast.items.get(WEAPONS, {})
    if what in listed:
        return weapon(listed[what])
    return next((arm for arm in weapons_of(system, character) if arm.skill == what), None)


def _level_of(system: System, character: Character, role: str) -> int | None:
    """The level of a trait, the default of its group where nothing is written down; None if there is neither."""
    trait = system.by_role.get(role)
    if trait is None:
        return None
    group = system.group_of[trait.name]
    return character.numbers(group.name).get(trait.name, trait.default)


def judge(system: System, character: Character) -> tuple[Problem, ...]:
    """The problems of a character: languages beyond what its levels pay for (`GAM-096`, `GAM-Q19`)."""
    spoken = character.numbers("languages")
    paid = character.numbers("skills").get(system.values.text("language.skill"), 0)
    if sum(spoken.values()) <= paid:
        return ()
    message = f"languages add up to {sum(spoken.values())}, but Languages is at {paid}"
    return (Problem(character.places.get("languages", character.place), message, "GAM-096"),)
