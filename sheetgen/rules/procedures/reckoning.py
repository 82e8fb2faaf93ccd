"""Procedures made from the formulas that a pack states under `play`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Annotated, Any, Literal

from sheetgen.errors import InputError, Problem, quoted, suggestion
from sheetgen.model.data import Word, place_of
from sheetgen.model.procedures import LogLine, Operand, Reckoning, Refusal, Results, Takes
from sheetgen.model.system import System
from sheetgen.rules.procedures.formulas import DECIMAL, FLAG, NUMBER, TEXT, Case, Maker, ValueKind, Worked, plain, wrong
from sheetgen.rules.procedures.operations import OPERATIONS
from sheetgen.rules.procedures.parameters import OneOf, Parameter, Whole, Wrong, is_absent, read
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import Procedure, outcome_record

_SPAN = re.compile(r"(-?[0-9]{1,9}) to (-?[0-9]{1,9})")
_SIMPLE: Mapping[str, tuple[Any, ValueKind]] = {
    "yes or no": (bool, FLAG),
    "text": (str, TEXT),
    "decimal": (Decimal, DECIMAL),
}
_MOST_NAMED = 16

Check = Callable[[Any], None]


def reckoned(reckoning: Reckoning, system: System) -> Procedure:
    """The procedure that a pack states; InputError with every mistake in it."""
    return _Making(reckoning, system).procedure()


class _Making:
    """A procedure being made: what is wrong so far, and its formulas."""

    def __init__(self, reckoning: Reckoning, system: System) -> None:
        self.reckoning, self.system = reckoning, system
        self.problems: list[Problem] = []
        self.checks: dict[str, Check] = {}
        self.maker = Maker(system, OPERATIONS)
        self.formulas: dict[str, Worked] = {}

    def procedure(self) -> Procedure:
        """The whole procedure. A result may have the name of a parameter: only lines of the log mean the result."""
        stated, names = self.reckoning, self.maker.names
        parameters = tuple(each for name, takes in stated.takes.items() if (each := self._parameter(name, takes)))
        for name, operand in stated.first.items():
            self._name(name, operand)
        refuses = [self._tried(self._refusal, each) for each in stated.refuses]
        results = {str(name): self._result(name, operand) for name, operand in stated.results.items()}
        names.update((name, worked.kind if worked else None) for name, worked in results.items())
        tells = [self._tried(self._log_line, each) for each in stated.tells]
        if self.problems:
            raise InputError(self.problems)
        made: dict[str, Worked] = {name: worked for name, worked in results.items() if worked}
        outcome = outcome_record(stated.name, tuple((name, worked.kind.hint) for name, worked in made.items()))
        checks, formulas = self.checks, self.formulas

        def work(play: Play, **given: Any) -> Any:
            play.values  # noqa: B018  (for odds one step)
            case = Case(play, {**defaults, **given}, formulas)
            for name, check in checks.items():
                check(case.found[name])
            for refuse in refuses:
                refuse(case)
            for name in formulas:
                case.value(name)  # before results take the place of parameters
            found = {name: worked.work(case) for name, worked in made.items()}
            case.found.update(found)
            for tell in tells:
                tell(case)
            return Results(found)

        work.__doc__ = stated.about or stated.say
        defaults = {each.name: each.default for each in parameters if not each.needed}
        return Procedure(
            stated.name,
            stated.say,
            stated.rules,
            work,
            parameters,
            outcome,
            (),
            {each.name: each.name for each in parameters},
        )

    def _tried(self, work: Callable[[Any], Any], each: Any) -> Any:
        """What the work gives; what is wrong is noted under the name of the procedure."""
        try:
            return work(each)
        except InputError as error:
            name = self.reckoning.name
            self.problems += [Problem(each.place, f"play {name}: {each.message}") for each in error.problems]
            return None

    def _name(self, name: Word, operand: Operand) -> Worked | None:
        """A formula, known by its name to those that come after it."""
        if name in self.maker.names:
            self.problems.append(
                Problem(name.place, f"play {self.reckoning.name}: the name {quoted(name)} stands twice")
            )
        worked: Worked | None = self._tried(self.maker.worked, operand)
        self.maker.names[name] = worked.kind if worked else None
        if worked:
            self.formulas[name] = worked
        return worked

    def _result(self, name: Word, operand: Operand) -> Worked | None:
        if name in self.reckoning.takes:
            return self._tried(self.maker.worked, operand)  # type: ignore[no-any-return]
        worked = self._name(name, operand)
        return Worked(worked.kind, lambda case: case.value(name)) if worked else None

    def _refusal(self, refusal: Refusal) -> Callable[[Case], None]:
        condition, say = self.maker.flag(refusal.condition), self.maker.line(refusal.say)

        def refuse(case: Case) -> None:
            if condition.work(case):
                raise Refused(refusal.code, say(case), refusal.rule)

        return refuse

    def _log_line(self, line: LogLine) -> Callable[[Case], None]:
        condition = self.maker.flag(line.condition) if line.condition is not None else None
        say, rules = self.maker.line(line.say), self.reckoning.rules if line.rules is None else line.rules
        otherwise = self.maker.line(line.otherwise) if line.otherwise is not None else None

        def tell(case: Case) -> None:
            holds = condition is None or condition.work(case)
            if holds or otherwise is not None:
                case.play.tell(say(case) if holds or otherwise is None else otherwise(case), *rules)

        return tell

    def _parameter(self, name: Word, takes: Takes) -> Parameter | None:
        """The parameter, known by its name from here on."""
        found = self._tried(lambda each: self._type(name, each), takes)
        self.maker.names[name] = None
        if found is None:
            return None
        wanted, kind = found
        if takes.default is None:
            self.maker.names[name] = kind
            return Parameter(str(name), wanted)
        if is_absent(takes.default):
            self.maker.names[name] = replace(kind, absent=True)
            return Parameter(str(name), wanted, None)
        self.maker.names[name] = kind
        try:
            return Parameter(str(name), wanted, read(takes.default, wanted, str(name), self.system.values))
        except Wrong as error:
            self.problems.append(
                Problem(place_of(takes.default, takes.place), f"play {self.reckoning.name}: default: {error}")
            )
            return None

    def _type(self, name: Word, takes: Takes) -> tuple[Any, ValueKind]:
        """The Python type of a parameter, and its kind."""
        narrowed = takes.narrowed
        if isinstance(narrowed, Takes):
            wanted, kind = self._type(name, narrowed)
            if takes.kind == "list of":
                return tuple[wanted, ...], ValueKind("list", kind)  # type: ignore[valid-type]
            return Mapping[str, wanted], ValueKind("values", kind)  # type: ignore[valid-type]
        if isinstance(narrowed, tuple):
            words = tuple(map(str, narrowed))
            return Literal[words], ValueKind("text", words=words)
        if takes.kind == "named in":
            _, kind = plain(self.maker.at(narrowed), narrowed.place)
            if kind.base != "values":
                raise wrong(narrowed.place, f"values: {narrowed} must hold named values")
            return Annotated[str, OneOf(str(narrowed))], ValueKind("text", words=kind.words)
        if takes.kind == "is":
            return self._simple(narrowed)
        traits = self.maker.group(narrowed).members
        roles = tuple(trait.role for trait in traits)
        self.checks[str(name)] = _names_check(str(name), roles, takes)
        if takes.kind == "member of":
            return str, ValueKind("text", words=roles)
        low, high = min(trait.range.low for trait in traits), max(trait.range.high for trait in traits)
        return Mapping[str, Annotated[int, Whole(low, high)]], ValueKind("values", NUMBER, roles)

    def _simple(self, word: Word) -> tuple[Any, ValueKind]:
        span = _SPAN.fullmatch(word)
        if span:
            return Annotated[int, Whole(int(span[1]), int(span[2]))], NUMBER
        if word not in _SIMPLE:
            near = suggestion(word, _SIMPLE) or f" (write {', '.join(_SIMPLE)}, or whole numbers such as 0 to 15)"
            raise wrong(word.place, f"unknown kind of parameter {quoted(word)}{near}")
        return _SIMPLE[word]


def _names_check(what: str, roles: tuple[str, ...], takes: Takes) -> Check:
    """Refuses names that are not those of traits in the group, and the lack of one where it takes every one."""

    def check(given: Any) -> None:
        names = () if given is None else (given,) if isinstance(given, str) else tuple(given)
        for name in names:
            if name not in roles:
                there = f"; there are {', '.join(roles)}" if len(roles) < _MOST_NAMED else ""
                message = f"{what}: unknown name {quoted(name)}{suggestion(name, roles) or there}"
                raise Refused(what, message, takes.rule)
        missing = [role for role in roles if role not in names] if takes.every and given is not None else []
        if missing:
            raise Refused(what, f"{what}: {', '.join(missing)} missing", takes.rule)

    return check
