"""Rolling a character: the plan a table settled, its steps compiled once, and one stream of dice a step.

A character is a pure function of (pack, method with its options, archetype, seed, index). Number 4,711 of a run is the
same alone, in a batch, and on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sheetgen.dice.source import Dice, Recorded, Seeded
from sheetgen.errors import SheetgenError, UsageError, quoted, suggestion
from sheetgen.model.character import Character, Origin, Value
from sheetgen.model.system import Option, Step, System
from sheetgen.rules.creation.draft import ROLLED, Draft, Making, RollPlan, StepFunction
from sheetgen.rules.creation.steps import members_of
from sheetgen.rules.registry import engine_of

Compiled = tuple[Step, StepFunction, bytes]

TOGETHER = 100  # characters of a batch that take each step one after another


def plan_of(
    system: System, *, method: str = "", archetype: str = "", options: Mapping[str, str] | None = None
) -> RollPlan:
    """Return the plan of these choices, completed with defaults; UsageError with a line for each wrong word.

    An archetype arranges attributes and buys skills unless the method or the option says otherwise.
    """
    creation, cast = system.creation, system.cast
    if not creation.methods:
        raise UsageError(f"{system.title} has no way to make characters: its pack has no creation.yaml")
    called, given, wrong = cast.archetype_words, dict[str, str](), list[str]()
    level = creation.level(options or {})
    wrong += [*_unknown(method, creation.methods, "method", system)]
    wrong += _unknown(archetype, called, "archetype", system, cast.archetypes)
    if level is not None and level.method:
        if method and method != level.method:
            wrong.append(f"level {level.name} is made by the method {level.method}, not by {method}")
        wrong += _unknown(level.method, creation.methods, "method", system)
        method = level.method
    if not method and archetype in called:
        method = called[archetype].method
    if not method:
        method = "arrange" if archetype and "arrange" in creation.methods else next(iter(creation.methods))
    for name, value in (options or {}).items():
        unknown = _unknown(name, creation.options, "option", system)
        wrong += unknown
        try:
            given[name] = value if unknown else checked_option(creation.options[name], value, system)
        except UsageError as error:
            wrong.append(str(error))
    if wrong:
        raise UsageError("\n".join(wrong))
    usual = level.options if level is not None else {}
    settled = {name: given.get(name, usual.get(name, each.default)) for name, each in creation.options.items()}
    if (
        archetype
        and settled.get("skills") == ROLLED
        and "skills" not in given
        and "bought" in creation.options["skills"].steps
    ):
        settled["skills"] = "bought"
    return RollPlan(method, called.get(archetype), settled)


def cast_and_level(system: System, words: str) -> tuple[str, dict[str, str]] | None:
    """Return the archetype that a few words mean, and the option for a level before it; None if there is no such one.

    `strong guard` is a guard with level=strong, and `strong` alone anybody of that level.
    """
    called, strength = system.cast.archetype_words, system.creation.strength
    if words in called:
        return words, {}
    level, _, archetype = words.partition(" ")
    if strength is None or level not in strength.levels or (archetype and archetype not in called):
        return None
    return archetype, {strength.name: level}


def unusual_words(system: System, origin: Origin) -> tuple[str, Mapping[str, str]]:
    """Return the method and the options that have to be named to roll somebody again; "" for the usual method.

    All of them where the pack does not know the archetype any more.
    """
    if not origin.archetype and not origin.options:
        first = next(iter(system.creation.methods), "")  # as `plan_of` has it, which each sheet of a run would ask
        return origin.method if origin.method != first else "", {}
    try:
        strength = system.creation.strength
        level = {strength.name: origin.options[strength.name]} if strength and strength.name in origin.options else {}
        usual = plan_of(system, archetype=origin.archetype, options=level)
    except UsageError:
        return origin.method, origin.options
    method = origin.method if origin.method != usual.method else ""
    unusual = {name: value for name, value in origin.options.items() if usual.options.get(name) != value}
    return method, level | unusual


def _unknown(
    name: str, names: Mapping[str, object], what: str, system: System, listed: Iterable[str] = ()
) -> list[str]:
    """Return what is wrong with a name, in a line; nothing if it is known or was not given.

    Where no known name is near, those `listed` are told, or else all of them.
    """
    if not name or name in names:
        return []
    near = suggestion(name, names) or f"; {system.title} has {', '.join(listed or names) or 'none'}"
    return [f"unknown {what} {quoted(name)}{near}"]


def checked_option(option: Option, value: str, system: System) -> str:
    """The value of an option as the steps read it: a level as its group writes it, a switch as yes or no."""
    if option.kind == "switch":
        words = {"yes": "yes", "on": "yes", "true": "yes", "no": "no", "off": "no", "false": "no"}
        if value.lower() not in words:
            raise UsageError(f"option {option.name} takes yes or no, not {quoted(value)}")
        return words[value.lower()]
    if option.kind in ("step", "strength"):
        if option.kind == "strength" and value not in option.among:
            raise UsageError(f"{system.title} has no {option.name} {quoted(value)}; it has {', '.join(option.levels)}")
        if option.steps and value not in option.steps:
            raise UsageError(f"option {option.name} takes {' or '.join(option.steps)}, not {quoted(value)}")
        return value
    if option.kind == "word":
        if value not in (*option.among, ROLLED):
            near = suggestion(value, option.among) or f": {', '.join(option.among)}, or {ROLLED}"
            raise UsageError(f"option {option.name}: unknown word {quoted(value)}{near}")
        return value
    if option.kind == "members":
        try:
            members_of(value, [trait.name for trait in system.group(option.of).members])
        except ValueError as error:
            names = [trait.name for trait in system.group(option.of).members]
            near = suggestion(str(error), names) or f": all, none, or some of {', '.join(names)}"
            raise UsageError(f"option {option.name}: unknown name {quoted(str(error))}{near}") from None
        return value
    return value if value == ROLLED else _checked_level(option, value, system)


def _checked_level(option: Option, value: str, system: System) -> str:
    trait = system.by_role[option.of]
    span, scale = trait.start, system.group_of[trait.name].scale
    level = scale.read(value)
    if level is None or level not in span:
        low, high = scale.write(span.low), scale.write(span.high)
        raise UsageError(f"option {option.name} takes {low} to {high}, or {ROLLED}; not {quoted(value)}")
    return scale.plain(level)


def plan_again(system: System, origin: Origin) -> RollPlan:
    """The plan by which a character was rolled; UsageError if its game has changed so that it cannot be told."""
    plan = plan_of(system, method=origin.method, archetype=origin.archetype, options=origin.options)
    defaults = {name: option.default for name, option in system.creation.options.items()}
    return replace(plan, options={**defaults, **{name: plan.options[name] for name in origin.options}})


class Roller:
    """Rolls the characters of one run; its steps are compiled once. A step named in `rerolled` has its own seed."""

    def __init__(
        self,
        system: System,
        plan: RollPlan,
        seed: int,
        rerolled: Mapping[str, int] | None = None,
        known: dict[tuple[str, int, int], Compiled] | None = None,
    ) -> None:
        """Compile the steps but those that are `known`, as another roller of this plan compiled them."""
        self.system, self.plan, self.seed = system, plan, seed
        self._known: dict[tuple[str, int, int], Compiled] = {} if known is None else known
        creation = system.creation
        self.slots = creation.slots(plan.method, plan.options)
        self._level = creation.level(plan.options)
        self.rerolled = {slot: at for slot, at in (rerolled or {}).items() if slot in self.slots}
        seeds = {self.rerolled.get(slot, seed) for slot in self.slots}
        self._run = seeds.pop() if len(seeds) == 1 else seed  # everything rolled again is a run of its own
        self._engine = engine_of(system)
        self._steps = [self._compiled(slot, self.rerolled.get(slot, seed)) for slot in self.slots]
        self._names = {
            group.name: [(trait.role, trait.name, trait.default) for trait in group.members] for group in system.groups
        }
        self._order = tuple(spec.name for spec in system.fields)
        self._words = [(option, plan.options[option.name]) for option in creation.options.values() if option.among]
        self._changed = {name: value for name, value in plan.options.items() if value != creation.options[name].default}

    def again(self, rerolled: Mapping[str, int]) -> Roller:
        """Return the roller of the same run with these steps rolled again; no step is compiled twice."""
        return Roller(self.system, self.plan, self.seed, rerolled, self._known)

    def roll(self, index: int) -> Character:
        """Return character number `index` of the run, from 1."""
        return self._together((index,))[0]

    def roll_all(self, indices: Sequence[int]) -> Iterator[Character]:
        """The characters of these numbers in their order, each as it is alone."""
        for start in range(0, len(indices), TOGETHER):
            some = indices[start : start + TOGETHER]
            try:
                together = self._together(some)
            except SheetgenError:  # comes again at its place, after those that can be made
                yield from map(self.roll, some)
            else:
                yield from together

    def _together(self, indices: Sequence[int]) -> list[Character]:
        """The characters, step by step rather than one by one: a step is a third faster for being taken repeatedly."""
        drafts = [(self.begun(index), index.to_bytes(8, "big")) for index in indices]
        for _, step, key in self._steps:
            for draft, number in drafts:
                step(draft, Seeded(key + number))
                if draft.given is not None:
                    draft.keep()
        return [self.finished(draft) for draft, _ in drafts]

    def explain(self, index: int) -> tuple[Character, tuple[str, ...]]:
        """The same character with the log of how it was rolled, line by line with rule IDs."""
        log: list[str] = []
        draft = self.begun(index, log)
        number = index.to_bytes(8, "big")
        for slot, (step, run, key) in zip(self.slots, self._steps, strict=True):
            _heading(log, step, self.rerolled.get(slot))
            run(draft, Recorded(Seeded(key + number), lambda roll: log.append(f"  {roll}")))
            draft.keep()
        return self.finished(draft), tuple(log)

    def with_dice(self, index: int, dice_for: Callable[[str], Dice]) -> Character:
        """Return a character whose dice come from elsewhere, asked for by the name of the step."""
        draft = self.begun(index)
        for step, run, _ in self._steps:
            run(draft, dice_for(step.name))
            draft.keep()
        return self.finished(draft)

    def begun(self, index: int, log: list[str] | None = None) -> Draft:
        """Return a new draft with the chosen options; an option left to the dice is rolled for each character."""
        draft = Draft(index, self.plan.archetype, log)
        for option, word in self._words:
            number = option.among.index(word) if word != ROLLED else self._picked(option, index)
            draft.words[option.name], draft.levels[option.name] = option.among[number], number
            if word != option.default or word == ROLLED:
                draft.tell(f"{option.name}: {option.among[number]}")
        return draft

    def _picked(self, option: Option, index: int) -> int:
        key = "\0".join((self.system.id, option.name, str(self.seed), str(index)))
        return Seeded(key.encode()).choose(len(option.among), option.name)

    def making(self, slot: str, seed: int | None = None) -> Making:
        """Return the arguments of the step maker of a slot, with the seed of the run or another one."""
        creation, plan = self.system.creation, self.plan
        option = creation.options.get(slot)
        chosen = option.steps[plan.options[slot]] if option is not None and option.steps else slot
        step = creation.steps[chosen]
        if self._level is not None and chosen in self._level.steps:
            step = replace(step, params={**step.params, **self._level.steps[chosen]})
        return Making(self.system, step, plan, self.seed if seed is None else seed, self._run)

    def _compiled(self, slot: str, seed: int) -> Compiled:
        key = (slot, seed, self._run)
        if key not in self._known:
            making = self.making(slot, seed)
            self._known[key] = making.step, self._engine.steps[making.step.do](making), making.key("dice") + b"\0"
        return self._known[key]

    def take(self, slot: str, draft: Draft, seed: int | None = None) -> None:
        """Take one step with a draft, by its own seed or another one; a log gets the dice."""
        _, run, stream = self._compiled(slot, self.rerolled.get(slot, self.seed) if seed is None else seed)
        dice: Dice = Seeded(stream + draft.index.to_bytes(8, "big"))
        log = draft.log
        if log is not None:
            dice = Recorded(dice, lambda roll: log.append(f"  {roll}"))
        run(draft, dice)
        draft.keep()

    def values(self, draft: Draft) -> dict[str, Value]:
        """Return the values of a draft by the fields of a character file."""
        made: dict[str, Value] = dict(draft.values)
        for group, levels in draft.groups.items():
            traits = self._names[group]
            made[group] = {name: levels[role] for role, name, usual in traits if levels.get(role, usual) != usual}
        return {name: made[name] for name in self._order if name in made}

    def finished(self, draft: Draft) -> Character:
        """The character that a draft has become."""
        values = self.values(draft)
        archetype = self.plan.archetype.name if self.plan.archetype else ""
        origin = Origin(self.plan.method, self.seed, draft.index, archetype, self._changed, self.rerolled)
        return Character(self.system.id, values, origin)


def _heading(log: list[str], step: Step, seed: int | None) -> None:
    rule = f" [{step.rule}]" if step.rule else ""
    again = f", again by seed {seed}" if seed is not None else ""
    log.append(f"{step.name[:1].upper()}{step.name[1:]}{rule}{again}")
