"""Characters as parameters: what `@FILE:NAME` fills in, by the pack's `uses:` table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from sheetgen.content.people.characters import meant_by
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.model.character import Character
from sheetgen.model.data import Data, Word
from sheetgen.model.system import System
from sheetgen.people.character_files import places_called, read_party
from sheetgen.rules.engine_check import OLD_PREFIX, SLOT, WRITTEN, is_plain_source
from sheetgen.rules.procedures.parameters import Parameter, parameter_at, takes_text
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project


def character_parameters(
    project: Project, pack: Pack, procedure: str, *, parameter: str, words: str, what: str
) -> dict[str, object]:
    """Return the parameters, by dotted path, that a character fills in; `what` is the skill or weapon it uses.

    UsageError when the pack has no such use, the file no such person, or the person no such level.
    """
    _table(pack.system, procedure, parameter)
    person = person_named(project, pack, words, parameter)
    return parameters_from(pack.system, procedure, parameter, person, what)


def parameters_from(
    system: System, procedure: str, parameter: str, character: Character, what: str
) -> dict[str, object]:
    """Return the values that a character gives for a parameter of a procedure, by dotted path."""
    work = engine_of(system).procedures.get(procedure)
    taken, found = work.parameters if work is not None else (), dict[str, object]()
    binding = _Binding(system, character, what, parameter)  # what the engine gives is worked out once for all
    for path, source in _table(system, procedure, parameter).items():
        found[str(path)] = binding.value(source, parameter_at(taken, path))
    return {path: value for path, value in found.items() if value is not None}


class _Binding:
    """The sources of a pack's `uses:` as values, for a character that uses a skill or a weapon."""

    def __init__(self, system: System, character: Character, what: str, parameter: str) -> None:
        self.system, self.character, self.parameter = system, character, parameter
        self.what = _spelled_out(system, what, parameter)

    @cached_property
    def _engine_parameters(self) -> Mapping[str, object]:
        """The parameters that the engine of the game gives for the character."""
        return engine_of(self.system).parameters(self.system, self.character, self.what)

    def value(self, source: Data, taken: Parameter | None) -> object:
        """Return the value that a source stands for, as the parameter `taken` takes it, where the procedure has it.

        Sources: `GROUP.ROLE` and `GROUP.{with}` (a level), the name of a field that is a text or a choice (what it
        says, None for nothing), `=word` for the word itself, the parameters of the engine by their names, with or
        without `told.` in front, whole numbers, and paths of the pack's values.
        """
        if isinstance(source, Mapping):
            return {str(key): self.value(each, taken) for key, each in source.items()}
        if isinstance(source, tuple):
            return [self.value(each, taken) for each in source]
        if source.startswith("="):
            return source[1:]
        group, _, role = source.partition(".")
        if any(each.name == group for each in self.system.groups):
            return self._level_argument(role.replace(SLOT, self._role()) if SLOT in role else role, taken)
        spec = self.system.spec(source)
        if spec is not None and spec.kind in WRITTEN:
            return self.character.text(source) or None
        own = source.removeprefix(OLD_PREFIX)
        if own not in self._engine_parameters and is_plain_source(self.system, source):
            return str(self.system.values.at(source)) if self.system.values.has(source) else str(source)
        if SLOT in source or own not in self._engine_parameters:
            raise UsageError(f"{self.parameter}: the pack's uses name {quoted(source)}, which nothing fills in")
        return self._engine_parameters[own]

    def _role(self) -> str:
        if not self.what:
            raise UsageError(f"{self.parameter}: say with which skill or weapon, such as with=Melee")
        return str(self._engine_parameters.get("with", self.what))

    def _level_argument(self, role: str, taken: Parameter | None) -> int | str:
        """Return a level, or the words that write it where the parameter takes those: a die of a ladder, a code."""
        trait = self.system.by_role.get(role) or self.system.traits.get(role)
        if trait is None:
            known = [*self.system.by_role, *self.system.cast.kinds]
            raise UsageError(f"{self.parameter}: no skill or weapon is called {quoted(role)}{suggestion(role, known)}")
        group = self.system.group_of[trait.name]
        level = self.character.numbers(group.name).get(trait.name, trait.default)
        if level is None:
            raise UsageError(f"{self.parameter}: {self.character.text('name')} has no {trait.name}")
        if taken is None or group.scale.numeric:
            return level
        written = group.scale.plain(level)
        return written if takes_text(taken, written, self.system.values) else level


def _spelled_out(system: System, word: str, parameter: str) -> str:
    """Return the trait that a short name means, or the word itself; UsageError for a short name of several traits."""
    if word in system.by_role or word in system.traits:
        return word
    meant = meant_by(system.all_traits(), word)
    if len(meant) > 1:
        raise UsageError(f"{parameter}: {quoted(word)} may be {' or '.join(meant)}: say which")
    return meant[0] if meant else word


def _table(system: System, procedure: str, parameter: str) -> Mapping[Word, Data]:
    table = system.uses.get(procedure, {}).get(parameter)
    if table is None:
        known = [f"{name} {each}" for name, inner in system.uses.items() for each in inner]
        near = f"; it can fill {', '.join(known)}" if known else ""
        raise UsageError(f"{parameter}: {system.title} does not say what a character fills in here{near}")
    return table


def person_named(project: Project, pack: Pack, words: str, parameter: str) -> Character:
    """Return the character that FILE:NAME means; UsageError when there is none."""
    name, _, person = words.rpartition(":")
    if not name:
        raise UsageError(f"{parameter}: write @FILE:NAME, not {quoted('@' + words)}")
    party = read_party(project, project.where / name)
    if party.pack.system.id != pack.system.id:
        raise UsageError(f"{parameter}: {name} holds characters of {party.pack.system.title}")
    return _person(party.characters, person, name)


def _person(characters: tuple[Character, ...], name: str, file: str) -> Character:
    """Return the character of that name, or whose first name or other words of the name these are, if only one's."""
    names = [each.text("name") for each in characters]
    exact = [at for at, each in enumerate(names) if each == name][:1]
    near = [at for at, each in enumerate(names) if name in short_names(each)]
    found = exact or (near if len(near) == 1 else places_called(names, name))
    if len(found) == 1:
        return characters[found[0]]
    told = f" alone (it may be {', '.join(names[at] for at in found)})" if found else suggestion(name, names)
    raise UsageError(f"{file} has no {quoted(name)}{told}")


def short_names(name: str) -> tuple[str, ...]:
    """Return how else somebody may be called: `Old Marn, guard 2` is also "Old Marn", "Old" and "guard 2"."""
    own, _, part = name.partition(", ")
    return tuple(filter(None, (own, own.partition(" ")[0], part, part.partition(" ")[0])))
