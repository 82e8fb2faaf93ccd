"""Checks of a pack's `uses:`: which procedures and parameters a character fills in, and from where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sheetgen.errors import Problem, quoted, suggestion
from sheetgen.model.data import Data, Word
from sheetgen.model.system import System
from sheetgen.rules.procedures.parameters import Parameter, parameter_at, record_parameters, records_in
from sheetgen.rules.registry import engine_of

SLOT = "{with}"
OLD_PREFIX = "told."
WRITTEN = ("text", "choice")


def is_plain_source(system: System, source: str) -> bool:
    """Return whether a source is the same for everybody: a whole number, or the path of one word of the values."""
    number = source.removeprefix("-")
    if number.isascii() and number.isdigit():
        return True
    return system.values.has(source) and isinstance(system.values.at(source), Word)


def check_uses(system: System) -> tuple[Problem, ...]:
    """Return the problems of a pack's `uses`: unknown procedures and parameters, and sources that nothing fills in."""
    known = engine_of(system).procedures if system.uses else {}
    problems = list[Problem]()
    for name, tables in system.uses.items():
        if name not in known:
            message = f"uses: no procedure is called {quoted(name)}{suggestion(name, known)}"
            place = next((path.place for table in tables.values() for path in table), system.place)
            problems.append(Problem(place, message))
            continue
        for table in tables.values():
            for path, source in table.items():
                problems += _path_problems(path, known[name].parameters, name)
                problems += _source_problems(system, source, name)
    return tuple(problems)


def _path_problems(path: Word, parameters: tuple[Parameter, ...], name: str) -> Iterator[Problem]:
    if parameter_at(parameters, path) is None:
        paths = tuple(_paths(parameters))
        near = suggestion(path, paths) or f" (there are {', '.join(paths)})"
        yield Problem(path.place, f"uses: {name} takes no {quoted(path)}{near}")


def _paths(parameters: tuple[Parameter, ...]) -> Iterator[str]:
    """Yield the paths of what can be filled in, in one level of records."""
    for each in parameters:
        record = next(iter(records_in(each.wanted)), None)
        inner = record_parameters(record) if record is not None else ()
        yield from (f"{each.name}.{part.name}" for part in inner) if inner else (each.name,)


def _source_problems(system: System, source: Data, name: str) -> Iterator[Problem]:
    """Yield what is wrong with a source; what an engine fills in is known only when somebody is there."""
    if isinstance(source, Mapping | tuple):
        for each in source.values() if isinstance(source, Mapping) else source:
            yield from _source_problems(system, each, name)
        return
    group, dot, role = source.partition(".")
    groups = {each.name: each for each in system.groups}
    if group in groups and dot:
        trait = system.by_role.get(role)
        if SLOT not in role and trait not in groups[group].members:
            own = [word for each in groups[group].members for word in (each.role, each.name)]
            there = f"{system.group_of[trait.name].name}.{role}" if trait is not None else ""
            near = f" (did you mean {quoted(there)}?)" if there else suggestion(role, own)
            yield Problem(source.place, f"uses: {name}: {group} has no trait {quoted(role)}{near}")
        return
    spec = system.spec(source)
    if source.startswith("=") or is_plain_source(system, source) or (spec is not None and spec.kind in WRITTEN):
        return
    if not system.engine:
        fields = (each.name for each in system.fields if each.kind in WRITTEN)
        near = suggestion(source, (*(f"{each}.{SLOT}" for each in groups), *fields, *system.values.outermost)) or (
            " (write GROUP.TRAIT, GROUP.{with}, a field, a value of the pack, a number, or =word)"
        )
        yield Problem(source.place, f"uses: {name}: nothing fills in {quoted(source)}{near}")
