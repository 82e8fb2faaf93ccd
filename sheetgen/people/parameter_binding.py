"""Characters as parameters: what `@FILE:NAME` fills in, by the pack's `uses:` table."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.model.cast import Weapon
from sheetgen.model.character import Character
from sheetgen.model.data import Data, Word
from sheetgen.model.system import System
from sheetgen.people.character_files import read_party
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

SLOT = "{with}"
TOLD = "told."


def used(project: Project, pack: Pack, procedure: str, *, parameter: str, words: str, what: str) -> dict[str, object]:
    """The parameters, by dotted path, that a character fills in; `what` is the skill or weapon it uses.

    UsageError when the pack has no such use, the file no such person, or the person no such level.
    """
    _table(pack.system, procedure, parameter)
    person = person_named(project, pack, words, parameter)
    return filling(pack.system, procedure, parameter, person, what)


def filling(system: System, procedure: str, parameter: str, character: Character, what: str) -> dict[str, object]:
    """What a character fills in for a parameter of a procedure, by dotted path."""
    table = _table(system, procedure, parameter)
    named = {str(path): str(source) for path, source in table.items() if str(source).startswith(TOLD)}
    values = _told(system, character, named, what, parameter)
    for path, source in table.items():
        if str(path) not in values:
            values[str(path)] = filled(system, character, source, what, parameter)
    return {path: value for path, value in values.items() if value is not None}


def _told(
    system: System, character: Character, named: Mapping[str, str], what: str, parameter: str
) -> dict[str, object]:
    """What the engine knows a character to mean, for each path that names it as `told.NAME`."""
    if not named:
        return {}
    told = engine_of(system).told(system, character, what)
    for source in named.values():
        if source.removeprefix(TOLD) not in told:
            raise UsageError(f"{parameter}: the pack's uses name {quoted(source)}, which nothing fills in")
    return {path: told[source.removeprefix(TOLD)] for path, source in named.items()}


def _table(system: System, procedure: str, parameter: str) -> Mapping[Word, Data]:
    table = system.uses.get(procedure, {}).get(parameter)
    if table is None:
        known = [f"{name} {each}" for name, inner in system.uses.items() for each in inner]
        near = f"; it can fill {', '.join(known)}" if known else ""
        raise UsageError(f"{parameter}: {system.title} does not say what a character fills in here{near}")
    return table


def person_named(project: Project, pack: Pack, words: str, parameter: str) -> Character:
    """The character that FILE:NAME means; UsageError when there is none."""
    name, _, person = words.rpartition(":")
    if not name:
        raise UsageError(f"{parameter}: write @FILE:NAME, not {quoted('@' + words)}")
    party = read_party(project, project.where / name)
    if party.pack.system.id != pack.system.id:
        raise UsageError(f"{parameter}: {name} holds characters of {party.pack.system.title}")
    return _person(party.characters, person, name)


def _person(characters: tuple[Character, ...], name: str, file: str) -> Character:
    """The character of that name, or of that first name if only one has it."""
    exact = [each for each in characters if each.text("name") == name]
    first = [each for each in characters if each.text("name").partition(" ")[0] == name]
    if exact or len(first) == 1:
        return (exact or first)[0]
    names = [each.text("name") for each in characters]
    raise UsageError(f"{file} has no {quoted(name)}{suggestion(name, names)}")


def filled(system: System, character: Character, source: Data, what: str, parameter: str) -> object:
    """The value that a source stands for, for this character using `what`.

    Sources: `GROUP.ROLE` and `GROUP.{with}` (a level), `name`, `weapon.size`, `weapon.kind`, `weapon.injury` (levels of
    the attributes that add to it), `armour.worn`, and `=word` for the word itself; `filling` also knows `told.NAME`.
    """
    if isinstance(source, Mapping):
        return {str(key): filled(system, character, each, what, parameter) for key, each in source.items()}
    if isinstance(source, tuple):
        return [filled(system, character, each, what, parameter) for each in source]
    if source.startswith("="):
        return source[1:]
    if source == "name":
        return character.text("name")
    if source == "armour.worn":
        return _worn(system, character)
    if SLOT in source and not what:
        raise UsageError(f"{parameter}: say with which skill or weapon, such as with=Melee")
    weapon = _weapon(system, character, what)
    if source.startswith("weapon."):
        return _of_weapon(system, character, source, weapon, parameter)
    return _level(system, character, source.replace(SLOT, weapon.skill if weapon is not None else what), parameter)


def _weapon(system: System, character: Character, what: str) -> Weapon | None:
    """The weapon of that name, or the first one owned that the skill of that name wields."""
    if what in system.cast.weapons:
        return system.cast.weapons[what]
    owned = (system.cast.weapons[thing] for thing in character.lines("gear") if thing in system.cast.weapons)
    return next((weapon for weapon in owned if weapon.skill == what), None)


def _of_weapon(system: System, character: Character, source: str, weapon: Weapon | None, parameter: str) -> object:
    kind = _kind(weapon)
    if source == "weapon.kind":
        return kind
    if source == "weapon.size":
        return weapon.size if weapon is not None else system.values.text("injury.unarmed")
    if source != "weapon.injury":
        raise UsageError(f"{parameter}: the pack's uses name {quoted(source)}, which nothing fills in")
    roles = system.values.at(f"injury.adds.{kind}")
    return [_level(system, character, f"attributes.{role}", parameter) for role in roles]


def _kind(weapon: Weapon | None) -> str:
    if weapon is None:
        return "unarmed"
    if weapon.strength is not None:
        return "firearm"
    return "bow" if weapon.bow is not None else "thrown" if weapon.thrown else "held"


def _worn(system: System, character: Character) -> object:
    owned = [system.cast.armours[thing] for thing in character.lines("gear") if thing in system.cast.armours]
    return [{"coverage": each.coverage, "rating": each.rating} for each in owned] or None


def _level(system: System, character: Character, path: str, parameter: str) -> int:
    role = path.partition(".")[2]
    trait = system.by_role.get(role)
    if trait is None:
        things = [*system.by_role, *system.cast.weapons]
        raise UsageError(f"{parameter}: no skill or weapon is called {quoted(role)}{suggestion(role, things)}")
    group = system.group_of[trait.name]
    level = character.numbers(group.name).get(trait.name, group.default)
    if level is None:
        raise UsageError(f"{parameter}: {character.text('name')} has no {trait.name}")
    return level


def best_weapon(system: System, character: Character) -> str:
    """What a character would fight with: the weapon it owns and wields best, or the skill of bare hands."""
    owned = [system.cast.weapons[thing] for thing in character.lines("gear") if thing in system.cast.weapons]
    if not owned:
        has = system.values.has("injury.unarmed_skill")
        return system.values.text("injury.unarmed_skill") if has else ""
    return max(owned, key=lambda weapon: _level(system, character, f"skills.{weapon.skill}", "weapon")).name
