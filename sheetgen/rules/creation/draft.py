"""The draft of a character, the plan of a run, and what a step of creation is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from sheetgen.dice.notation import Notation, NotationError, parse_notation
from sheetgen.dice.source import Dice
from sheetgen.errors import InputError, Problem, among, quoted, suggestion
from sheetgen.model.cast import Archetype, Condition, NameSet, Occupation
from sheetgen.model.character import Value
from sheetgen.model.data import Data, Word
from sheetgen.model.system import FieldSpec, Option, Step, System, Table, Trait, TraitGroup

T = TypeVar("T")
ALL, NONE, ROLLED = "all", "none", "rolled"


@dataclass(frozen=True, slots=True)
class RollPlan:
    """The choices made before rolling; `options` holds every option's value, defaults included."""

    method: str
    archetype: Archetype | None = None
    options: Mapping[str, str] = field(default_factory=dict)


class Draft:
    """A character while its steps are taken; mutable. Levels go by role, not by printed name.

    No step changes `given`, which the archetype fixes. `before_swap` has, by group, the levels before a step let them
    change places, without those that are fixed. `levels` also holds the number of each option's word.
    """

    __slots__ = (
        "age",
        "archetype",
        "before_swap",
        "friend",
        "given",
        "groups",
        "index",
        "levels",
        "log",
        "names",
        "occupation",
        "values",
        "words",
    )

    def __init__(self, index: int, archetype: Archetype | None, log: list[str] | None = None) -> None:
        self.index = index
        self.archetype = archetype
        self.log = log
        self.groups: dict[str, dict[str, int]] = {}
        self.before_swap: dict[str, dict[str, int]] = {}
        self.levels: dict[str, int] = {}
        self.values: dict[str, Value] = {}
        self.occupation: Occupation | None = None
        self.friend = self.age = ""
        self.names: NameSet | None = None
        self.words: dict[str, str] = {}
        self.given: Given | None = None

    def tell(self, line: str) -> None:
        """Add a line to the log, if there is one."""
        if self.log is not None:
            self.log.append(f"  {line}")

    def keep(self) -> None:
        """Restore the values that the archetype fixes; a list that holds all of them may be longer."""
        if self.given is None:
            return
        for group, levels in self.given.groups.items():
            self.groups.setdefault(group, {}).update(levels)
            self.levels.update(levels)
        for name, value in self.given.values.items():
            made = self.values.get(name)
            if not (isinstance(value, tuple) and isinstance(made, tuple) and set(value) <= set(made)):
                self.values[name] = value


@dataclass(frozen=True, slots=True)
class Given:
    """The values that an archetype fixes: levels by group and role, and other fields."""

    groups: Mapping[str, Mapping[str, int]]
    values: Mapping[str, Value]


StepFunction = Callable[[Draft, Dice], None]


@dataclass(frozen=True)
class Making:
    """The arguments of a step maker: the game, the step's own words, the plan, and the seed of the step.

    That is the seed of the run unless the step is rolled again; `run` is the seed of the run in any case.
    """

    system: System
    step: Step
    plan: RollPlan
    seed: int
    run: int = 0

    def wrong(self, message: str, at: Data | None = None) -> InputError:
        """Return an error at the step, or at the word that is wrong."""
        place = at.place if isinstance(at, Word) else self.step.place
        return InputError([Problem(place, f"step {self.step.name}: {message}")])

    def data(self, name: str) -> Data:
        """Return a parameter of the step; InputError where it is missing."""
        if name not in self.step.params:
            raise self.wrong(f"needs {name}")
        return self.step.params[name]  # type: ignore[index]

    def word(self, name: str) -> Word:
        """Return a parameter that must be one word."""
        data = self.data(name)
        if not isinstance(data, Word):
            raise self.wrong(f"{name} must be one word", data)
        return data

    def words(self, name: str) -> tuple[Word, ...]:
        """Return a parameter that must be a list of words."""
        listed = self.data(name)
        if not isinstance(listed, tuple) or not all(isinstance(word, Word) for word in listed):
            raise self.wrong(f"{name} must be a list of words", listed)
        return tuple(word for word in listed if isinstance(word, Word))

    def only(self, *names: str) -> None:
        """Raise InputError for parameters that the step does not take."""
        for name in self.step.params:
            if name not in names:
                raise self.wrong(f"unknown key {quoted(name)}{among(name, names)}", name)

    def _entry_named(self, word: Word, known: Mapping[str, T], what: str, there: str = "") -> T:
        """Return the thing of that name; InputError with the nearest one, or with what is there, if there is none."""
        if word not in known:
            near = suggestion(word, known) or (f"; {there} {', '.join(known) or 'none'}" if there else "")
            raise self.wrong(f"unknown {what} {quoted(word)}{near}", word)
        return known[word]

    def group(self, name: str = "group") -> TraitGroup:
        """Return the trait group that a parameter names."""
        return self._entry_named(self.word(name), {group.name: group for group in self.system.groups}, "trait group")

    def field(self, name: str, *kinds: str) -> FieldSpec:
        """Return the field of the character that a parameter names, which must be of one of these kinds."""
        word = self.word(name)
        spec = self._entry_named(word, {spec.name: spec for spec in self.system.fields}, "field", "sheet.yaml has")
        if spec.kind not in kinds:
            raise self.wrong(f"{name} takes a field that is: {' or '.join(kinds)}; {word} is: {spec.kind}", word)
        return spec

    def trait(self, name: str) -> Trait:
        """Return the trait that a parameter names."""
        return self.named_trait(self.word(name))

    def named_trait(self, word: Word) -> Trait:
        """Return the trait of that name or role."""
        return self._entry_named(word, {**self.system.by_role, **self.system.traits}, "trait")

    def dice(self) -> Notation:
        """Return the dice that a parameter writes."""
        word = self.word("dice")
        try:
            return parse_notation(word)
        except NotationError as error:
            raise self.wrong(error.message, word) from None

    def table(self, name: str = "table") -> Table:
        """Return the table that a parameter names."""
        return self._entry_named(self.word(name), self.system.tables, "table")

    def number(self, name: str) -> int:
        """Return the number a parameter states, or the value of the pack whose path it gives."""
        word = self.word(name)
        if word.isascii() and word.isdigit() and len(word) < 5:
            return int(word)
        if not self.system.values.has(word):
            near = suggestion(word, self.system.values.outermost)
            raise self.wrong(f"{name}: the pack has no value {quoted(word)}{near}", word)
        return self.system.values.number(word)

    def option(self, name: str, kind: str) -> Option:
        """Return the option of a kind that a parameter names."""
        return self.named_option(self.word(name), kind)

    def named_option(self, word: Word, kind: str) -> Option:
        """Return the option of that name, which must be of that kind."""
        option = self._entry_named(word, self.system.creation.options, "option")
        if option.kind != kind:
            raise self.wrong(f"option {word} must be one that says `is: {kind}`", word)
        return option

    def chosen(self, option: Option) -> str:
        """Return the value of an option in the plan."""
        return self.plan.options.get(option.name, option.default)

    @cached_property
    def settled(self) -> dict[str, int]:
        """The levels and options, by role or name, that are the same for everybody of the run."""
        system, words = self.system, self.plan.options
        levels = {
            option.of: system.group_of[system.by_role[option.of].name].scale.read(words[name]) or 0
            for name, option in system.creation.options.items()
            if option.kind == "level" and words.get(name, ROLLED) != ROLLED
        }
        return levels | {
            name: option.among.index(words[name])
            for name, option in system.creation.options.items()
            if words.get(name) in option.among and system.spec(name) is None
        }

    def may_fit(self, conditions: Sequence[Condition]) -> bool:
        """Return whether something may fit anybody of this run, by what is settled for everybody."""
        settled = self.settled
        return all(settled.get(name, min(allowed, default=0)) in allowed for name, allowed in conditions)

    def key(self, *words: object) -> bytes:
        """Return a key for shuffled orders that belong to the run and the step, not to one character."""
        arch = self.plan.archetype.name if self.plan.archetype else ""
        return "\0".join(map(str, (self.system.id, self.plan.method, arch, self.seed, self.step.name, *words))).encode()


def copy_of(draft: Draft, log: list[str] | None = None) -> Draft:
    """Return a copy of a draft that writes to another log."""
    twin = Draft(draft.index, draft.archetype)
    for name in Draft.__slots__:
        setattr(twin, name, _copy(getattr(draft, name)))
    twin.log = log
    return twin


def _copy(part: Any) -> Any:
    return {name: _copy(each) for name, each in part.items()} if isinstance(part, dict) else part


def set_field(system: System, draft: Draft, name: str, value: Value | None) -> None:
    """Set a field of a draft, or clear it, in place of what steps made of it and of what is given there."""
    before = draft.values.get(name)
    if any(group.name == name for group in system.groups):
        _set_levels(system, draft, name, value if isinstance(value, Mapping) else {})
    elif value is None:
        draft.values.pop(name, None)
    else:
        draft.values[name] = value
    if name == "occupation" and value != before:
        draft.occupation = system.cast.occupations.get(value) if isinstance(value, str) else None
    if draft.friend and draft.friend == _first_name(before):
        draft.friend = _first_name(value)
    if draft.given is not None:
        groups = {group: levels for group, levels in draft.given.groups.items() if group != name}
        values = {field: each for field, each in draft.given.values.items() if field != name}
        draft.given = replace(draft.given, groups=groups, values=values)


def _set_levels(system: System, draft: Draft, name: str, levels: Mapping[str, Any]) -> None:
    """Set the levels of a group, by name, where the draft has them by role; one left out is at the default."""
    group = system.group(name)
    draft.groups[name] = {trait.role: levels[trait.name] for trait in group.members if trait.name in levels}
    for trait in group.members:
        if trait.name in levels:
            draft.levels[trait.role] = levels[trait.name]
        elif group.default is not None:
            draft.levels.pop(trait.role, None)


def _first_name(people: Value | None) -> str:
    return next(iter(people), "").partition(",")[0] if isinstance(people, Mapping) else ""
