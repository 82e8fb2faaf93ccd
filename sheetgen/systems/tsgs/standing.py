"""What a character file means at the table: levels by pair, skills as they count, weapons, and how it fights."""

from __future__ import annotations

from sheetgen.dice.source import Scripted
from sheetgen.model.cast import Item
from sheetgen.model.character import Character
from sheetgen.model.data import Word
from sheetgen.model.outcome import Named
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.tsgs.attacks import FISTS
from sheetgen.systems.tsgs.combatants import Combatant
from sheetgen.systems.tsgs.rolls import Makings, pool_of
from sheetgen.systems.tsgs.skills import skill_label, universal_in
from sheetgen.systems.tsgs.wounds import Weapon, wound_points

NONE, BASIC = "none", "basic"
WEAPON_FACTS = ("kind", "lethal")


def quiet(system: System) -> Play:
    """A table at which nothing is rolled or told, for the rules that only reckon."""
    return Play(system, Scripted(()))


def levels_by_pair(system: System, character: Character) -> dict[str, str]:
    """The level of every pair, by the pair's role; what is not written is normal (`TSG-012`)."""
    group, written = system.group("abilities"), character.numbers("abilities")
    return {trait.role: group.scale.plain(written.get(trait.name, group.default or 0)) for trait in group.members}


def skill_levels(system: System, character: Character) -> dict[str, str]:
    """Every skill held, by role, as the procedures write it; what everybody can do is held at least plainly."""
    group, written = system.group("skills"), character.numbers("skills")
    free = universal_in(system.values, character.text("setting"))
    held = {trait.role: written.get(trait.name, 0) for trait in group.members}
    names = {role: group.scale.plain(level) for role, level in held.items() if level}
    return {role: names.get(role, BASIC) for role in held if role in names or role in free}


def labels(system: System, character: Character) -> list[str]:
    """The skills that were paid for, as a sheet has them: `Riding`, `Dagger +1` (`TSG-021`)."""
    pluses = {name: level - 1 for name, level in character.numbers("skills").items() if level}
    pluses.update({name: level - 1 for name, level in character.numbers("own").items() if level})
    return [skill_label(name, plus) for name, plus in pluses.items()]


def arms(system: System, character: Character) -> dict[str, Item]:
    """The weapons among somebody's belongings, by the words that name them there."""
    things = system.cast.things
    named = {line: things.get(line) or things.get(line.casefold()) for line in character.lines("gear")}
    return {line: thing for line, thing in named.items() if thing is not None and _is_weapon(thing)}


def _is_weapon(thing: Item) -> bool:
    return all(isinstance(thing.facts.get(name), Word) for name in WEAPON_FACTS)  # type: ignore[call-overload]


def weapon_of(thing: Item) -> Weapon:
    """The weapon that a thing of the pack is."""
    facts = {str(name): str(value) for name, value in thing.facts.items()}
    lethal = facts["lethal"].lower() in ("yes", "true", "on")
    return Weapon(facts["kind"], facts.get("size") or None, lethal, name=thing.name)  # type: ignore[arg-type]


def skill_for(system: System, thing: Item | None) -> str:
    """The skill that trains a weapon, or bare hands; nothing for what needs no learning."""
    if thing is None:
        return system.values.text("skills.unarmed")
    return str(thing.facts.get("skill", ""))  # type: ignore[call-overload]


def fighter(system: System, character: Character, thing: Item | None) -> Combatant:
    """Somebody as a fight knows them, armed with a thing or with bare hands (`TSG-025`, `TSG-027`, `TSG-092`)."""
    values, held, tally = system.values, skill_levels(system, character), character.numbers("tally")
    names = {trait.role: trait.name for trait in system.group("tally").members}
    trained = skill_for(system, thing)
    skill = held.get(trained, NONE) if trained else BASIC
    untrained = values.number("skills.unskilled_weapon") if skill == NONE and thing is not None else 0
    defend, dodge = values.text("skills.dodges_with"), values.text("skills.dodge")
    return Combatant(
        name=character.text("name"),
        levels=Named(levels_by_pair(system, character)),
        attack_skill=skill,
        unskilled=untrained,
        defend=defend,
        defend_skill=held.get(dodge, NONE),
        medical=held.get(values.text("tending.skill"), NONE),
        weapon=weapon_of(thing) if thing is not None else FISTS,
        ignores=tally.get(names["ignores"], 0),
        wounds=tally.get(names["wounds"], 0),
    )


def best_armed(system: System, character: Character) -> Item | None:
    """The weapon with which somebody rolls most dice, the harder hit first; None where bare hands roll more."""
    play, ways = quiet(system), (*arms(system, character).values(), None)
    return max(ways, key=lambda thing: attack_dice(play, fighter(system, character, thing)))


def attack_dice(play: Play, armed: Combatant, roll: str = "") -> tuple[int, int]:
    """The dice of an attack by somebody unhurt, and the wound points of a hit (`TSG-058` to `TSG-066`).

    Without a roll, the one that a fight would use.
    """
    used = roll or armed.attacker(play).roll
    level = armed.levels[used]
    pool = pool_of(play, Makings(level, armed.attack_skill, armed.unskilled), armed.name)
    return pool, wound_points(play, used, level, armed.weapon, 0)
