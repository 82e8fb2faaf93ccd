"""Checks of a pack against its engine: steps of creation, rulings, and options of ready-made groups."""

from __future__ import annotations

from collections.abc import Iterator

from sheetgen.errors import InputError, Problem, UsageError, problems_at, quoted, suggestion
from sheetgen.model.system import System
from sheetgen.rules.creation.draft import Making
from sheetgen.rules.registry import engine_of, load_engine
from sheetgen.rules.rolling import Roller, plan_of


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
