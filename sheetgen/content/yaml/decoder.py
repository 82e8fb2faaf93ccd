"""What every decoder is: what a value in a file may be, said once for reading, for JSON Schema and for the reference.

A decoder reads a node to a value, and describes what it takes: `schema` for JSON Schema (draft-07), `str` in words for
the reference. Whatever it cannot use becomes a problem at its place, and a harmless value of the right type: one pass
over a file finds every mistake in it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from sheetgen.content.yaml.nodes import Mapping, Node, Scalar, Sequence
from sheetgen.errors import InputError, Place, Problem, quoted
from sheetgen.model.data import EMPTY, Values

T = TypeVar("T")
Schema = dict[str, Any]

MOST_PROBLEMS = 500


class Problems:
    """A collector of problems; readers add to it and go on."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def add(self, place: Place, message: str, rule: str = "") -> None:
        """Note one problem; a file with several hundred of them is not read further."""
        self._found.append(Problem(place, message, rule))
        if len(self._found) >= MOST_PROBLEMS:
            raise InputError(self._found, stopped=True)

    def extend(self, error: InputError) -> None:
        """Note the problems of an error, and go on."""
        for problem in error.problems:
            self.add(problem.place, problem.message, problem.rule)

    def __len__(self) -> int:
        return len(self._found)

    def __bool__(self) -> bool:
        return True  # a collector, however empty

    def cite(self, rule: str, *, since: int) -> None:
        """Give a rule to the problems noted since there were so many."""
        self._found[since:] = [replace(problem, rule=rule) for problem in self._found[since:]]

    @property
    def found(self) -> tuple[Problem, ...]:
        """All problems so far, in the order in which they were met."""
        return tuple(self._found)

    def raise_if_any(self) -> None:
        """Raise InputError with every problem, if there is one."""
        if self._found:
            raise InputError(self._found)


@dataclass(slots=True)
class Scope:
    """What a reading needs besides the file: where problems go, and what the names in it may mean.

    `names` has the names of each kind, with what they stand for. A kind in `unsure` could not be read whole, so that an
    unknown name of that kind is no problem. `covered` collects the rule IDs met on the way; `facts` holds what else
    the reading of a value may depend on.
    """

    problems: Problems
    names: dict[str, Any] = field(default_factory=dict)
    values: Values = field(default_factory=lambda: Values(EMPTY, Place("")))
    unsure: set[str] = field(default_factory=set)
    covered: set[str] = field(default_factory=set)
    facts: dict[str, Any] = field(default_factory=dict)

    def add(self, place: Place, message: str, rule: str = "") -> None:
        """Note a problem."""
        self.problems.add(place, message, rule)

    def naming(self, kind: str) -> Problems:
        """Where unknown names of a kind go: nowhere if the kind is unsure."""
        return Problems() if kind in self.unsure else self.problems


@dataclass(slots=True)
class Definitions:
    """The records that a schema refers to, by title. Without `whole`, keys may be missing: another file has them."""

    found: dict[str, Schema] = field(default_factory=dict)
    whole: bool = True


class Decoder(ABC, Generic[T]):
    """One thing that a file may hold."""

    blank: Any  # what stands for a value that is needed and absent

    @abstractmethod
    def read(self, node: Node, scope: Scope, what: str) -> T:
        """The value of a node, called `what` in messages."""

    def under(self, key: Scalar, node: Node, scope: Scope) -> T:
        """The value of a node that stands under a free key."""
        return self.read(node, scope, key.text)

    @abstractmethod
    def schema(self, definitions: Definitions) -> Schema:
        """The JSON Schema of what is taken."""

    @abstractmethod
    def __str__(self) -> str:
        """What is taken, in a few words."""

    def parts(self) -> Iterable[Decoder[Any]]:
        """Return the decoders that this one is made of."""
        return [each for each in vars(self).values() if isinstance(each, Decoder)]


@dataclass(frozen=True)
class Wrapped(Decoder[T]):
    """What another decoder takes, read in another way."""

    takes: Decoder[Any]

    @property
    def blank(self) -> Any:
        return None

    def schema(self, definitions: Definitions) -> Schema:
        return self.takes.schema(definitions)

    def __str__(self) -> str:
        return str(self.takes)


def instead_of(node: Node, wanted: str) -> str:
    """Return `is a list, not a text`: what was found where something else was wanted."""
    if isinstance(node, Sequence):
        return f"is a list, not {wanted}"
    if isinstance(node, Mapping):
        return f"is a mapping, not {wanted}"
    if node.is_null:
        return "has no value"
    in_quotes = " in quotes" if node.quoted else ""
    return f"is {quoted(node.text)}{in_quotes}, not {wanted}"
