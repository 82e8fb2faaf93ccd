"""Procedures: the rules of a game as named, typed, pure functions that take dice and say what they did.

    @procedure("ABC-1", say="a quick roll against a fixed difficulty")
    def check(play: Play, *, skill: Level, difficulty: Number = 8) -> Check: …

The name of the function is the procedure's; its keyword arguments are the parameters, a trailing underscore dropped.
What it returns is a frozen record of results, or what `results` names: one value, or a tuple of as many as names.

    @procedure("ABC-2", say="a rating after a lesson", results="rating months")
    def learn(play: Play, *, rating: Level) -> tuple[int, int]: …

A `*` stands for every field of a record, `first_*` for the same with `first_` before each name.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, make_dataclass, replace
from functools import cache, wraps
from keyword import iskeyword
from typing import Any, Literal, TypeVar, cast, get_args, get_type_hints

from sheetgen.model.data import Data, Values
from sheetgen.model.procedures import Results
from sheetgen.rules.procedures.parameters import FREE_TEXT, Parameter, Wrong, read_arguments, takes_word
from sheetgen.rules.procedures.play import Play

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
ONLY_FOR = "__only_for__"


@dataclass(frozen=True, slots=True)
class Procedure:
    """A rule that can be played: its name, one line on it, the rules it follows, what it takes and what it comes to."""

    name: str
    say: str
    rules: tuple[str, ...]
    work: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    outcome: Any
    policies: tuple[str, ...] = ()
    keywords: Mapping[str, str] = field(default_factory=dict)
    results: tuple[tuple[str, tuple[str, ...]], ...] = ()  # names; or a prefix, and the fields of a record
    only_for: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # parameters that only some results need

    def arguments(self, given: Data, play: Play) -> dict[str, Any]:
        """The typed arguments that plain data states; Wrong names the parameter and what it takes."""
        declared = {each.name for each in self.parameters}
        ignored = tuple(name for name in (*FREE_TEXT, "do") if name not in declared)
        try:
            return read_arguments(given, self.parameters, "", play.values, ignored=ignored)
        except Wrong as wrong:
            others = tuple(self._with_hint(each, play.values) for each in wrong.others)
            first = self._with_hint(wrong, play.values)
            raise Wrong(first.path, first.takes, first.given, first.near, others) from None

    def asked_for(self, *results: str) -> Procedure:
        """Return the procedure as it is where only these results count: what others alone need may be left out."""
        spare = {name for name, users in self.only_for.items() if not set(users) & set(results)}
        parameters = (
            Parameter(each.name, each.wanted | None, None) if each.name in spare else each for each in self.parameters
        )
        return replace(self, parameters=tuple(parameters))

    def _with_hint(self, wrong: Wrong, values: Values) -> Wrong:
        """The error, with the other parameter that takes the value where exactly one does: `ability=tough`."""
        if not isinstance(wrong.given, str) or wrong.near:
            return wrong
        able = [each.name for each in self.parameters if takes_word(each, wrong.given, values)]
        others = [name for name in able if name != wrong.path]
        if len(others) != 1:
            return wrong
        return Wrong(wrong.path, wrong.takes, wrong.given, f" (did you mean {others[0]}={wrong.given}?)")

    @property
    def about(self) -> str:
        """What its docstring says of it."""
        return inspect.getdoc(self.work) or ""

    def run(self, play: Play, arguments: Mapping[str, Any]) -> Any:
        """The outcome of playing it with these arguments."""
        outcome = self.work(play, **{self.keywords[name]: value for name, value in arguments.items()})
        if not self.results:
            return outcome
        found = dict[str, Any]()
        for (name, parts), value in zip(self.results, outcome if len(self.results) > 1 else (outcome,), strict=True):
            found |= {name + part: getattr(value, part, None) for part in parts} if parts else {name: value}
        return Results(found)


def procedure(*rules: str, say: str, policies: tuple[str, ...] = (), results: str = "") -> Callable[[F], F]:
    """Declares a function as a procedure that follows these rules; `policies` names how its choices may be made.

    Each of `rules` is one ID or several with spaces between.
    `results` names what it returns, with spaces between; to other procedures it returns the values themselves.
    """

    def declare(work: F) -> F:
        name = work.__name__.rstrip("_")
        followed = tuple(" ".join(rules).split())
        made = declared(work, name=name, say=say, rules=followed, policies=policies, results=results)

        @wraps(work)
        def contained(play: Play, *args: Any, **given: Any) -> Any:
            """The procedure as part of another one, whose results are those that odds ask for."""
            asked, play.asked = play.asked, ()
            try:
                return work(play, *args, **given)
            finally:
                play.asked = asked

        contained.__procedure__ = made  # type: ignore[attr-defined]
        return cast(F, contained)

    return declare


def declared(
    work: Callable[..., Any],
    *,
    name: str,
    say: str,
    rules: tuple[str, ...] = (),
    policies: tuple[str, ...] = (),
    results: str = "",
) -> Procedure:
    """The procedure that a function with annotated keyword arguments makes."""
    hints = get_type_hints(work, include_extras=True)
    parameters, keywords = [], {}
    for argument, about in list(inspect.signature(work).parameters.items())[1:]:
        keywords[argument.rstrip("_")] = argument
        default = {} if about.default is inspect.Parameter.empty else {"default": about.default}
        parameters.append(Parameter(argument.rstrip("_"), hints[argument], **default))
    outcome, names = hints.get("return"), tuple(results.split())
    if names:
        kinds = get_args(outcome) if len(names) > 1 else (outcome,)
        stated = [(each.rstrip("*"), _record_fields(each, kind), kind) for each, kind in zip(names, kinds, strict=True)]
        shape = ((each + part, of) for each, parts, kind in stated for part, of in (parts or {"": kind}).items())
        outcome = outcome_record(name, tuple(shape))
        shown = tuple((each, tuple(parts)) for each, parts, _ in stated)
    only_for = getattr(work, ONLY_FOR, {})
    shape_of = shown if names else ()
    return Procedure(name, say, rules, work, tuple(parameters), outcome, policies, keywords, shape_of, only_for)


def needed_only_for(parameter: str, *results: str) -> Callable[[F], F]:
    """Declare that a parameter only matters to some results, and may be None where the others alone count."""

    def declare(work: F) -> F:
        setattr(work, ONLY_FOR, {parameter: results})
        return work

    return declare


def _record_fields(name: str, kind: Any) -> dict[str, Any]:
    """The fields of the record that a `*` spreads, with their types: each may be absent where the record may."""
    if not name.endswith("*"):
        return {}
    record, *absent = get_args(kind) or (kind,)
    hints = get_type_hints(record, include_extras=True)
    return {each.name: hints[each.name] | None if absent else hints[each.name] for each in fields(record)}


@cache
def outcome_record(name: str, results: tuple[tuple[str, Any], ...]) -> type:
    """The record that says of which type each result is; one named like a Python keyword has an underscore."""
    title = "".join(part.capitalize() for part in re.findall("[A-Za-z0-9]+", name))
    return make_dataclass(
        f"{title}Outcome", [(f"{each}_" if iskeyword(each) else each, kind) for each, kind in results]
    )


def worded(record: type, **words: Iterable[str]) -> Any:
    """A record as an outcome whose texts are certain words: `worded(Banded, band=bands)`."""
    kinds = get_type_hints(record, include_extras=True)
    kinds |= {name: Literal[tuple(dict.fromkeys(each))] for name, each in words.items()}
    return make_dataclass(record.__name__, list(kinds.items()), frozen=True)


def taking(*records: type) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Spreads records into parameters, so that what many procedures take stands in one place.

    The work gets the records after the table and then its own keyword arguments; the procedure that it becomes takes
    each field of the records as a keyword argument after its own, and names those first that must be given.
    """

    def spread(work: Callable[..., T]) -> Callable[..., T]:
        names = {record: tuple(each.name for each in fields(record)) for record in records}
        shared = [
            inspect.Parameter(
                each.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if each.default is MISSING else each.default,
            )
            for record in records
            for each in fields(record)
        ]
        table, *own = inspect.signature(work).parameters.values()

        @wraps(work)
        def whole(play: Any, **given: Any) -> T:
            made = [record(**{name: given.pop(name) for name in names[record] if name in given}) for record in records]
            return work(play, *made, **given)

        hints = get_type_hints(work, include_extras=True)
        for record in records:
            hints.update(get_type_hints(record, include_extras=True))
        whole.__annotations__ = hints
        takes = sorted((*own[len(records) :], *shared), key=lambda each: each.default is not inspect.Parameter.empty)
        whole.__signature__ = inspect.Signature([table, *takes])  # type: ignore[attr-defined]
        return whole

    return spread


def procedures_in(module: object) -> dict[str, Procedure]:
    """Every procedure that a module declares, by name."""
    found = {}
    for value in vars(module).values():
        made = getattr(value, "__procedure__", None)
        if isinstance(made, Procedure) and made.work.__module__ == getattr(module, "__name__", ""):
            found[made.name] = made
    return found
