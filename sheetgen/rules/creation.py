"""Rolling a character: the plan a table settled, its steps compiled once, and one stream of dice a step.

A character is a pure function of (pack, method with its options, archetype, seed, index). Number 4,711 of a run is the
same alone, in a batch, and on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sheetgen.dice.source import Dice, Recorded, Seeded
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.model.character import Character, Origin, Value
from sheetgen.model.system import Option, Step, System
from sheetgen.rules.draft import ROLLED, Draft, Making, Plan, StepFunction, level_of
from sheetgen.rules.registry import engine_of
from sheetgen.rules.steps import members_of

Compiled = tuple[Step, StepFunction, bytes]


def plan_of(system: System, *, method: str = "", archetype: str = "", options: Mapping[str, str] | None = None) -> Plan:
    """What a table settled, completed with defaults; UsageError names a wrong word and the nearest right one.

    An archetype arranges attributes and buys skills unless the method or the option says otherwise.
    """
    creation, cast = system.creation, system.cast
    if not creation.methods:
        raise UsageError(f"{system.title} has no way to make characters: its pack has no creation.yaml")
    given = dict(options or {})
    _known(method, creation.methods, "method", system)
    _known(archetype, cast.archetypes, "archetype", system)
    if not method:
        method = "arrange" if archetype and "arrange" in creation.methods else next(iter(creation.methods))
    for name, value in given.items():
        _known(name, creation.options, "option", system)
        given[name] = _checked(creation.options[name], value, system)
    settled = {name: given.get(name, option.default) for name, option in creation.options.items()}
    if (
        archetype
        and settled.get("skills") == ROLLED
        and "skills" not in given
        and "bought" in creation.options["skills"].steps
    ):
        settled["skills"] = "bought"
    return Plan(method, cast.archetypes.get(archetype), settled)


def _known(name: str, names: Mapping[str, object], what: str, system: System) -> None:
    if name and name not in names:
        near = suggestion(name, names) or f"; {system.title} has {', '.join(names) or 'none'}"
        raise UsageError(f"unknown {what} {quoted(name)}{near}")


def _checked(option: Option, value: str, system: System) -> str:
    """The value of an option as the steps read it: a level as its group writes it, a switch as yes or no."""
    if option.kind == "switch":
        words = {"yes": "yes", "on": "yes", "true": "yes", "no": "no", "off": "no", "false": "no"}
        if value.lower() not in words:
            raise UsageError(f"option {option.name} takes yes or no, not {quoted(value)}")
        return words[value.lower()]
    if option.kind == "step":
        if value not in option.steps:
            raise UsageError(f"option {option.name} takes {' or '.join(option.steps)}, not {quoted(value)}")
        return value
    if option.kind == "members":
        try:
            members_of(value, [trait.name for trait in system.group(option.of).members])
        except ValueError as error:
            names = [trait.name for trait in system.group(option.of).members]
            near = suggestion(str(error), names) or f": all, none, or some of {', '.join(names)}"
            raise UsageError(f"option {option.name}: unknown name {quoted(str(error))}{near}") from None
        return value
    return value if value == ROLLED else _level(option, value, system)


def _level(option: Option, value: str, system: System) -> str:
    trait = system.by_role[option.of]
    span, level = trait.start, level_of(value)
    if level is None or level not in span:
        low, high = system.write(trait.name, span.low), system.write(trait.name, span.high)
        raise UsageError(f"option {option.name} takes {low} to {high}, or {ROLLED}; not {quoted(value)}")
    return system.write(trait.name, level)


class Roller:
    """Rolls the characters of one run; making one compiles the steps."""

    def __init__(self, system: System, plan: Plan, seed: int) -> None:
        self.system, self.plan, self.seed = system, plan, seed
        engine = engine_of(system)
        creation = system.creation
        self._steps: list[Compiled] = []
        for name in creation.methods[plan.method].steps:
            option = creation.options.get(name)
            chosen = option.steps[plan.options[option.name]] if option is not None and option.steps else str(name)
            step = creation.steps[chosen]
            making = Making(system, step, plan, seed)
            self._steps.append((step, engine.steps[step.do](making), making.key("dice") + b"\0"))
        self._names = {
            group.name: ({trait.role: trait.name for trait in group.members}, group.default) for group in system.groups
        }
        self._order = tuple(spec.name for spec in system.fields)
        self._changed = {name: value for name, value in plan.options.items() if value != creation.options[name].default}

    def roll(self, index: int) -> Character:
        """Character number `index` of the run, from 1."""
        draft = Draft(index, self.plan.archetype)
        number = index.to_bytes(8, "big")
        for _, step, key in self._steps:
            step(draft, Seeded(key + number))
        return self._finished(draft)

    def explain(self, index: int) -> tuple[Character, tuple[str, ...]]:
        """The same character with the log of how it was rolled, line by line with rule IDs."""
        log: list[str] = []
        draft = Draft(index, self.plan.archetype, log)
        number = index.to_bytes(8, "big")
        for step, run, key in self._steps:
            _heading(log, step)
            run(draft, Recorded(Seeded(key + number), lambda roll: log.append(f"  {roll}")))
        return self._finished(draft), tuple(log)

    def with_dice(self, index: int, dice_for: Callable[[str], Dice]) -> Character:
        """A character whose dice come from elsewhere, asked for by the name of the step."""
        draft = Draft(index, self.plan.archetype)
        for step, run, _ in self._steps:
            run(draft, dice_for(step.name))
        return self._finished(draft)

    def _finished(self, draft: Draft) -> Character:
        made: dict[str, Value] = dict(draft.values)
        for group, levels in draft.groups.items():
            names, unwritten = self._names[group]
            made[group] = {names[role]: levels[role] for role in names if levels.get(role, unwritten) != unwritten}
        values = {name: made[name] for name in self._order if name in made}
        archetype = self.plan.archetype.name if self.plan.archetype else ""
        origin = Origin(self.plan.method, self.seed, draft.index, archetype, self._changed)
        return Character(self.system.id, values, origin)


def _heading(log: list[str], step: Step) -> None:
    rule = f" [{step.rule}]" if step.rule else ""
    log.append(f"{step.name[:1].upper()}{step.name[1:]}{rule}")
