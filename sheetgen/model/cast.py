"""What turns rolled numbers into somebody: names, trades, manners, belongings, and when each of them fits."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache

from sheetgen.model.character import Value
from sheetgen.model.data import Data, Word

Condition = tuple[str, frozenset[int]]

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that fit a character of whom every condition holds: a trait, or an option, at one of these levels.

    `names` lists the things, or tags of things, that the words mean, where their names do not show it.
    """

    say: str
    fits: tuple[Condition, ...] = ()
    names: tuple[str, ...] = ()

    def means(self, thing: str, tags: Collection[str] = ()) -> bool:
        """Whether the phrase means a thing: one that it names, by name or tag; else one whose name has its words."""
        if self.names:
            return thing in self.names or not set(self.names).isdisjoint(tags)
        return has_words(thing, self.say)


@dataclass(frozen=True, slots=True)
class Occupation:
    """A trade: the skills it lives by, best first, whom it fits, and what it brings along."""

    name: str
    skills: tuple[str, ...]
    fits: tuple[Condition, ...] = ()
    gear: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Archetype:
    """A part to be cast: which attributes matter most, what is bought first, and what dice may add to it.

    `gives` is what everyone of this kind has, by field; own names, manners and hooks stand in for those of the pack.
    """

    name: str
    say: str
    attributes: tuple[str, ...] = ()
    core: Mapping[str, int] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    occupations: tuple[str, ...] = ()
    gives: Mapping[str, Value] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    manners: tuple[Phrase, ...] = ()
    hooks: tuple[Phrase, ...] = ()


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
    tags: tuple[str, ...] = ()
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
class Thing:
    """A thing with facts that the engine of the game reads: a weapon’s damage, an armour’s worth, tags."""

    name: str
    facts: Mapping[Word, Data]
    fits: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class GearList:
    """What a skill brings: plain things and better ones."""

    basic: tuple[Phrase, ...]
    advanced: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class NameSet:
    """First names and family names that belong together, and whom they fit."""

    given: tuple[str, ...]
    family: tuple[str, ...]
    fits: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Cast:
    """All of a pack's material for making people; `given` and `family` hold the names of all `name_sets` too."""

    given: tuple[str, ...] = ()
    family: tuple[str, ...] = ()
    name_sets: tuple[NameSet, ...] = ()
    languages: tuple[str, ...] = ()
    relations: tuple[Phrase, ...] = ()
    occupations: Mapping[str, Occupation] = field(default_factory=dict)
    archetypes: Mapping[str, Archetype] = field(default_factory=dict)
    manners: tuple[Phrase, ...] = ()
    hooks: tuple[Phrase, ...] = ()
    specialties: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)
    familiarities: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)
    weapons: Mapping[str, Weapon] = field(default_factory=dict)
    armours: Mapping[str, Armour] = field(default_factory=dict)
    things: Mapping[str, Thing] = field(default_factory=dict)
    gear: Mapping[str, GearList] = field(default_factory=dict)
    belongings: tuple[Phrase, ...] = ()


def has_words(text: str, words: str) -> bool:
    """Whether a text has these words next to each other, as whole words in either case: `crossbow` has no `bow`."""
    return f" {_spaced(words)} " in f" {_spaced(text)} "


@lru_cache(maxsize=1 << 14)
def _spaced(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def fits(conditions: tuple[Condition, ...], levels: Mapping[str, int]) -> bool:
    """Whether every condition holds; one on a trait that the character lacks does not."""
    for trait, allowed in conditions:  # noqa: SIM110  # asked of every phrase, and a generator takes three times as long
        if levels.get(trait) not in allowed:
            return False
    return True
