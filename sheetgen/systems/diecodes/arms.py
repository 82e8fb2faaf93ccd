"""What somebody fights with: the things owned and the skill of each, how hard they hit, and how far they reach.

The pages have no figures for any weapon (`DIE-Q22`): force and reach are rules of the house (`DIE-H5`), and a table
that leaves them to the GM has none on its pages.
"""

from __future__ import annotations

from typing import NamedTuple

from sheetgen.dice.source import Scripted
from sheetgen.model.cast import Item
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.diecodes.codes import codes_in, codes_of
from sheetgen.systems.diecodes.rounds import working

HARM, ARMS, FORCE_ROLLED = "DIE-H1", "DIE-H5", "force rolled"
ARM, HAND = "arm", "hand"


class Attack(NamedTuple):
    """One way to attack: what with, the skill, its pips, the code of its force, and its reach, or a hand's."""

    name: str
    skill: str
    level: int
    force: str
    reach: str


def owned(system: System, character: Character) -> list[Item]:
    """The things in somebody's gear that the pack knows."""
    by_name = {name.casefold(): thing for name, thing in system.cast.things.items()}
    return [by_name[line.casefold()] for line in character.lines("gear") if line.casefold() in by_name]


def weapons(system: System, character: Character) -> dict[str, str]:
    """The things owned that a fight is fought with, and the skill of each; bare hands come last."""
    arms, hands = tuple(system.values.names("arms")), system.values.text("exchange.bare_hands")
    used = {thing.name: thing.text("skill") for thing in owned(system, character)}
    armed = {name: skill for name, skill in used.items() if skill in arms}
    return armed if hands in armed.values() else {**armed, hands: hands}


def attacks(system: System, character: Character, levels: dict[str, int]) -> list[Attack]:
    """The attacks by the pips of each skill, the best first, in the order of the gear where they are as good."""
    table = Play(system, Scripted(()))
    found = [
        Attack(name, skill, levels[skill], *_hits(table, character, name, skill))
        for name, skill in weapons(system, character).items()
        if skill in levels
    ]
    return sorted(found, key=lambda attack: -attack.level)


def _hits(table: Play, character: Character, name: str, skill: str) -> tuple[str, str]:
    """The code of the force of a thing, or of bare hands, and its reach; nothing where that is for the GM to say."""
    system, values = table.system, table.values
    thing = system.cast.things.get(name)
    weapon = values.text("house.unarmed") if thing is None else thing.text(ARM)
    left_to_gm = system.rulings.get(HARM, FORCE_ROLLED) != FORCE_ROLLED or {HARM, ARMS} & set(system.without)
    if left_to_gm or weapon not in values.names("house.weapons"):
        return "", ""
    path, behind = f"house.weapons.{weapon}", character.numbers("stats").get(values.text("house.harm.stat"))
    if behind is None and not values.has(f"{path}.force"):
        return "", ""
    codes = codes_in(system)
    force = force_of(table, weapon, codes.write(behind) if behind is not None else "")
    return codes.write(force), _reach(table, path, values.text(f"arms.{skill}"))


def _reach(table: Play, path: str, distance: str) -> str:
    """A hand's reach, or how far it flies: what is held may be thrown by who throws it."""
    if distance == HAND:
        return HAND
    return table.values.text(f"{path}.thrown" if table.values.has(f"{path}.thrown") else f"{path}.reach")


def force_of(play: Play, weapon: str, by: str, *, doubled: bool = False) -> int:
    """The pips that a weapon strikes with: its own, or the Strength behind it with so many dice more (`DIE-H5`)."""
    codes, path = codes_of(play), f"house.weapons.{weapon}"
    if play.values.has(f"{path}.force"):
        return codes.read(play.values.text(f"{path}.force"), "force")
    strength = working(play, codes.read(by, "by"), 0, doubled=doubled)
    return codes.kept(strength + codes.per_die * play.values.number(f"{path}.dice"))
