"""Procedures: the rules of a game as named, typed, pure functions that take dice and say what they did.

    @procedure("GAM-133", say="a quickie against a fixed difficulty")
    def check(play: Play, *, skill: Level, difficulty: Number = 8) -> Check: …

The name of the function is the procedure's; its keyword arguments are the parameters, a trailing underscore dropped.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, get_type_hints

from sheetgen.model.data import Data
from sheetgen.rules.parameters import FREE_TEXT, Parameter, read_arguments
from sheetgen.rules.play import Play

F = TypeVar("F", bound=Callable[..., Any])


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

    def arguments(self, given: Data, play: Play) -> dict[str, Any]:
        """The typed arguments that plain data states; Wrong names the parameter and what it takes."""
        declared = {each.name for each in self.parameters}
        ignored = tuple(name for name in (*FREE_TEXT, "do") if name not in declared)
        return read_arguments(given, self.parameters, "", play.values, ignored=ignored)

    def run(self, play: Play, arguments: Mapping[str, Any]) -> Any:
        """The outcome of playing it with these arguments."""
        return self.work(play, **{self.keywords[name]: value for name, value in arguments.items()})


def procedure(*rules: str, say: str, policies: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Declares a function as a procedure that follows these rules; `policies` names how its choices may be made."""

    def declare(work: F) -> F:
        name = work.__name__.rstrip("_")
        work.__procedure__ = declared(work, name=name, say=say, rules=rules, policies=policies)  # type: ignore[attr-defined]
        return work

    return declare


def declared(
    work: Callable[..., Any], *, name: str, say: str, rules: tuple[str, ...] = (), policies: tuple[str, ...] = ()
) -> Procedure:
    """The procedure that a function with annotated keyword arguments makes."""
    hints = get_type_hints(work, include_extras=True)
    parameters, keywords = [], {}
    for argument, about in list(inspect.signature(work).parameters.items())[1:]:
        keywords[argument.rstrip("_")] = argument
        default = {} if about.default is inspect.Parameter.empty else {"default": about.default}
        parameters.append(Parameter(argument.rstrip("_"), hints[argument], **default))
    return Procedure(name, say, rules, work, tuple(parameters), hints.get("return"), policies, keywords)


def procedures_in(module: object) -> dict[str, Procedure]:
    """Every procedure that a module declares, by name."""
    found = {}
    for value in vars(module).values():
        made = getattr(value, "__procedure__", None)
        if isinstance(made, Procedure) and made.work.__module__ == getattr(module, "__name__", ""):
            found[made.name] = made
    return found
