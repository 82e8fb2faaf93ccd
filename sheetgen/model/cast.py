"""What turns rolled numbers into somebody: names, trades, manners, belongings, and when each of them fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

Condition = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that fit a character whose traits lie within every condition (trait, lowest, highest)."""

    say: str
    fits: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Occupation:
    """A trade: the skills it lives by, best first, whom it fits, and what it brings along."""

    name: str
    skills: tuple[str, ...]
    fits: tuple[Condition, ...] = ()
    gear: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Archetype:
    """A part to be cast: which attributes matter most, what is bought first, and what dice may add to it."""

    name: str
    say: str
    attributes: tuple[str, ...]
    core: Mapping[str, int]
    also: tuple[str, ...]
    occupations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon: its skill, its size, its weight in kg, and how its range is found (`GAM-180` to `GAM-183`)."""

    name: str
    skill: str
    size: str
    kg: Decimal
    thrown: bool = False
    bow: Decimal | None = None
    strength: int | None = None
    fits: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Armour:
    """An armour: coverage, rating (`GAM-200`, `GAM-202`) and weight in kg."""

    name: str
    coverage: int
    rating: int
    kg: Decimal
    fits: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class GearList:
    """What a skill brings: plain things and better ones."""

    basic: tuple[Phrase, ...]
    advanced: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Cast:
    """All of a pack's material for making people."""

    given: tuple[str, ...]
    family: tuple[str, ...]
    languages: tuple[str, ...]
    relations: tuple[Phrase, ...]
    occupations: Mapping[str, Occupation]
    archetypes: Mapping[str, Archetype]
    manners: tuple[Phrase, ...]
    hooks: tuple[Phrase, ...]
    specialties: Mapping[str, tuple[Phrase, ...]]
    familiarities: Mapping[str, tuple[Phrase, ...]]
    weapons: Mapping[str, Weapon]
    armours: Mapping[str, Armour]
    gear: Mapping[str, GearList]
    belongings: tuple[Phrase, ...]


def fits(conditions: tuple[Condition, ...], levels: Mapping[str, int]) -> bool:
    """Whether every condition holds; one on a trait that the character lacks does not."""
    for trait, low, high in conditions:
        level = levels.get(trait)
        if level is None or not low <= level <= high:
            return False
    return True
