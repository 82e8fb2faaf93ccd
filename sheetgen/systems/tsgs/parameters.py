"""What a character fills in for the parameters of a procedure: the words that `uses:` of the pack calls `told.…`."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.model.cast import Item
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.systems.tsgs.combatants import Combatant
from sheetgen.systems.tsgs.skills import universal_in
from sheetgen.systems.tsgs.standing import (
    NONE,
    arms,
    best_armed,
    fighter,
    labels,
    levels_by_pair,
    quiet,
    skill_for,
    skill_levels,
)


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    """Everything that may be filled in; `what` is the weapon, skill or ability used, the best weapon if nothing.

    UsageError for a word that is none of these.
    """
    values, held, pairs = system.values, skill_levels(system, character), levels_by_pair(system, character)
    pair, skill, thing = _used(system, character, what)
    armed = fighter(system, character, thing)
    attack = armed.attacker(quiet(system))
    physical = {str(name) for name in values.at("wounds.physical")}
    return {
        "level": pairs[pair] if pair else None,
        "skill": held.get(skill, NONE) if skill else NONE,
        "physical": pair in physical,
        "levels": pairs,
        "roll": attack.roll,
        "roll_level": attack.level,
        "weapon": _weapon(armed),
        "weapon_skill": armed.attack_skill,
        "unskilled": armed.unskilled,
        "defend": armed.defend,
        "defend_level": pairs[armed.defend],
        "defend_skill": armed.defend_skill,
        "clever": pairs[values.text("tending.clever")],
        "medical": armed.medical,
        "tough": pairs[values.text("wounds.toughness")],
        "fast": pairs[values.text("movement.pair")],
        "ignores": armed.ignores,
        "wounds": armed.wounds,
        "xp": character.numbers("tally").get(system.by_role["xp"].name, 0),
        "skills": labels(system, character),
        "universal": sorted(universal_in(values, character.text("setting"))),
    }


def _used(system: System, character: Character, what: str) -> tuple[str, str, Item | None]:
    """The ability and the skill that a word stands for, and the weapon that goes with it."""
    values, word = system.values, what.casefold()
    things = {thing.name.casefold(): thing for thing in system.cast.things.values()}
    owned = arms(system, character)
    if not what:
        return "", "", best_armed(system, character)
    if word in things:
        thing = things[word]
        return fighter(system, character, thing).attacker(quiet(system)).roll, skill_for(system, thing), thing
    for pair in values.names("pairs"):
        if word in (pair, *(values.text(f"pairs.{pair}.{half}").casefold() for half in ("ability", "disability"))):
            return pair, "", best_armed(system, character)
    for skill in values.names("skills.usual"):
        if word == skill.casefold():
            trained = [thing for thing in owned.values() if skill_for(system, thing) == skill]
            return values.text(f"skills.usual.{skill}"), skill, next(iter(trained), None)
    known = [*things, *values.names("skills.usual"), *values.names("pairs")]
    raise UsageError(f"with: no weapon, skill or ability is called {quoted(what)}{suggestion(what, known)}")


def _weapon(armed: Combatant) -> dict[str, object]:
    weapon = armed.weapon
    found: dict[str, object] = {"kind": weapon.kind, "lethal": weapon.lethal, "name": weapon.words}
    return found if weapon.size is None else {**found, "size": weapon.size}
