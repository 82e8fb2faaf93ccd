"""Weapons and armour as people own them: what the pack says of each, and how well somebody handles a weapon."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from sheetgen.model.cast import Item, has_words
from sheetgen.model.character import Character
from sheetgen.model.system import System

WEAPONS, ARMOURS = "weapons", "armours"
YES = ("yes", "true", "on")

Strikes = Literal["held", "thrown", "bow", "firearm"]


@dataclass(frozen=True, slots=True)
class WeaponKind:
    """A weapon: its skill, its size, its weight in kg, and how its range is found (`GAM-180` to `GAM-183`).

    `bow` multiplies Strength; `strength` is the weapon’s own.
    """

    name: str
    skill: str
    size: str
    kg: Decimal
    thrown: bool
    bow: Decimal | None
    strength: int | None

    @property
    def strikes(self) -> Strikes:
        """How it strikes, which decides what adds to its injury (`GAM-213`)."""
        if self.strength is not None:
            return "firearm"
        return "bow" if self.bow is not None else "thrown" if self.thrown else "held"


@dataclass(frozen=True, slots=True)
class ArmourKind:
    """An armour: coverage and rating (`GAM-200`, `GAM-202`)."""

    name: str
    coverage: int
    rating: int


def weapon(item: Item) -> WeaponKind:
    """The weapon that an item is; InputError where a fact is missing or wrong."""
    return WeaponKind(
        item.name,
        item.text("skill"),
        item.text("size"),
        item.number("kg"),
        item.text("thrown") in YES,
        item.number("bow") if item.has("bow") else None,
        item.whole("strength") if item.has("strength") else None,
    )


def weapons_of(system: System, character: Character) -> list[WeaponKind]:
    """The weapons that a character owns, in their order."""
    return [weapon(item) for item in system.owned(WEAPONS, character.lines("gear"))]


def armour_of(system: System, character: Character) -> list[ArmourKind]:
    """The pieces of armour that a character owns, in their order."""
    owned = system.owned(ARMOURS, character.lines("gear"))
    return [ArmourKind(item.name, item.whole("coverage"), item.whole("rating")) for item in owned]


def attack_bonus(system: System, character: Character, arm: WeaponKind, skill: int) -> int:
    """What an attack with a weapon adds to two dice.

    The skill, one higher where its specialty names the weapon (`GAM-100`), never past F; less for a weapon that is
    not among what the skill is familiar with, and for any other one at skill 0 (`GAM-071`, `GAM-105`).
    """
    values, trait = system.values, system.by_role.get(arm.skill)
    name, own = arm.name.casefold(), trait.name if trait is not None else arm.skill
    if skill and is_special(system, arm, character.notes("specialties").get(own, "")):
        return min(skill + values.number("quickie.specialty"), trait.range.high if trait is not None else skill)
    familiar = [thing.casefold() for thing in character.lists("familiarities").get(own, ())]
    known = name in familiar if familiar or not skill else True
    return skill if known else skill + values.number("quickie.unfamiliar")


def is_special(system: System, arm: WeaponKind, specialty: str) -> bool:
    """Whether a specialty of the weapon's skill means the weapon.

    The pack's phrase of these words says what it names; words of a player's own mean a weapon that has them in its
    name, or whose name is among them, as whole words.
    """
    if not specialty:
        return False
    phrases = system.cast.specialties.get(arm.skill, ())
    phrase = next((each for each in phrases if each.say.casefold() == specialty.casefold()), None)
    if phrase is not None and phrase.names:
        return phrase.means(arm.name, system.cast.tags(arm.name))
    return has_words(arm.name, specialty) or has_words(specialty, arm.name)
