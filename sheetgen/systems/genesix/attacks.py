"""What a character fights with: every weapon, bare hands, words and a power, with the ratings that serve it best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.systems.genesix.characters import ratings_of
from sheetgen.systems.genesix.gear import Thing


@dataclass(frozen=True, slots=True)
class Attack:
    """A way to attack: the thing it is done with, and the ratings that are added."""

    thing: Thing
    attribute: str
    approach: str
    total: int
    power: bool = False


def attacks_of(system: System, character: Character, things: tuple[Thing, ...]) -> tuple[Attack, ...]:
    """Every way a character who carries these things can attack, weapons first, the best of them before the others.

    An attribute is added with the best approach for a fight; at the table the player names whichever is used
    (`GEN-005`). Unnaturally is left to those who have a power (`GEN-262`).
    """
    ratings = {group: ratings_of(system, character, group) for group in ("attributes", "approaches")}
    weapons = [thing for thing in things if thing.attribute]
    weapons = list(dict.fromkeys(weapons))
    found = sorted((_attack(system, thing, ratings) for thing in weapons), key=lambda attack: -attack.total)
    values = system.values
    hands = Thing("bare hands", attribute=values.text("fight.hands"))
    words = Thing("words or fear", attribute=values.text("fight.words"), track="stress")
    found += [_attack(system, hands, ratings), _attack(system, words, ratings)]
    if character.text("power"):
        found.append(_unnatural(system, character, ratings))
    return tuple(found)


def _attack(system: System, thing: Thing, ratings: Mapping[str, Mapping[str, int]]) -> Attack:
    approaches = ratings["approaches"]
    order = [str(name) for name in system.values.at("fight.approaches")]
    approach = max(order, key=lambda name: approaches.get(name, 0))
    total = ratings["attributes"].get(thing.attribute, 0) + approaches.get(approach, 0)
    return Attack(thing, thing.attribute, approach, total)


def _unnatural(system: System, character: Character, ratings: Mapping[str, Mapping[str, int]]) -> Attack:
    """An attack with the power, drawing on whichever attribute serves best (`GEN-213`)."""
    attributes, name = ratings["attributes"], system.values.text("creation.power")
    best = max((str(each) for each in system.values.at("fight.power")), key=lambda each: attributes.get(each, 0))
    total = attributes.get(best, 0) + ratings["approaches"].get(name, 0)
    return Attack(Thing(character.text("power").lower()), best, name, total, power=True)
