"""Checks of a pack against its engine: steps of creation, rulings, options of ready-made groups, and `uses:`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sheetgen.errors import InputError, Problem, UsageError, problems_at, quoted, suggestion
from sheetgen.model.data import Data, Word
from sheetgen.model.system import System
from sheetgen.rules.creation.draft import Making
from sheetgen.rules.procedures.parameters import Parameter, parameter_at, record_parameters, records_in
from sheetgen.rules.registry import engine_of, load_engine
from sheetgen.rules.rolling import Roller, plan_of

SLOT = "{with}"
OLD_PREFIX = "told."
WRITTEN = ("text", "choice")


def audit(system: System) -> tuple[Problem, ...]:
    """Return every problem of a pack that only its engine can find, each once."""
    found: list[Problem] = []
    for look in (check_rulings, check_steps, check_groups):
        try:
            found += look(system)
        except InputError as error:
            found += error.problems
    return tuple(dict.fromkeys(found))


def check_rulings(system: System) -> tuple[Problem, ...]:
    """Return the problems of a pack's `rulings`: points that the engine does not leave open, or unknown ways."""
    points = engine_of(system).rulings  # which also makes the procedures of the pack's own rolls
    problems = []
    for point, way in system.rulings.items():
        if point not in points:
            message = f"rulings: {quoted(point)} cannot be ruled otherwise{suggestion(point, points)}"
            problems.append(Problem(getattr(point, "place", system.place), message))
        elif way not in points[point]:
            message = f"rulings: {point} takes {' or '.join(points[point])}, not {quoted(way)}"
            problems.append(Problem(getattr(point, "place", system.place), message))
    return tuple(problems)


def check_steps(system: System) -> tuple[Problem, ...]:
    """Return the problems of a pack's creation: unknown steps, and wrong parameters of steps.

    Rolls that are wrong are the problem of those steps only that make them.
    """
    if not system.creation.methods:
        return ()
    try:
        engine, plan = load_engine(system.engine), plan_of(system)
    except KeyError:
        return ()  # which `check_rulings` tells
    problems: list[Problem] = []
    for step in system.creation.steps.values():
        if step.do not in engine.steps:
            near = suggestion(step.do, engine.steps) or f" (one of: {', '.join(engine.steps)})"
            message = f"unknown step {quoted(step.do)}{near}"
            problems.append(Problem(step.do.place, message))
            continue
        try:
            engine.steps[step.do](Making(system, step, plan, 0))
        except InputError as error:
            problems += error.problems
    return (*problems, *(() if problems else _level_problems(system)))


def _level_problems(system: System) -> Iterator[Problem]:
    """Yield the problems of the levels that opponents may have: wrong methods, options, steps and parameters."""
    strength = system.creation.strength
    if strength is None:
        return
    slots = {str(slot) for method in system.creation.methods.values() for slot in method.steps}
    for level in strength.levels.values():
        for slot in sorted(level.after.keys() - slots):
            near = suggestion(slot, slots)
            yield Problem(level.place, f"level {level.name}: after: no method has a step {slot}{near}")
        try:
            options = {strength.name: level.name}
            Roller(system, plan_of(system, options={**level.options, **options}), 0)
        except InputError as error:
            yield from error.problems
        except UsageError as error:
            yield from problems_at(level.place, error, f"level {level.name}")


def check_groups(system: System) -> tuple[Problem, ...]:
    """Return the problems of a pack's ready-made groups: options that take no such value."""
    problems: list[Problem] = []
    for group in system.ready_groups.values():
        for member in group.members:
            try:
                options = {**group.options, **member.options}
                plan_of(system, method=member.method or group.method, archetype=member.archetype, options=options)
            except UsageError as error:
                problems += problems_at(member.place, error)
    return tuple(problems)


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
