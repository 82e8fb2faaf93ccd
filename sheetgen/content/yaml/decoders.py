"""Decoders: what a value in a file may be, said once for reading, for JSON Schema and for the reference.

A decoder reads a node to a value, and describes what it takes: `schema` for JSON Schema (draft-07), `str` in words for
the reference. Whatever a decoder cannot use becomes a problem at its place, and a harmless value of the right type.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any, Generic, TypeVar

from sheetgen.content.yaml.decode import (
    Problems,
    choice,
    decimal,
    items,
    mapping_entries,
    number,
    one_line,
    switch,
    text,
)
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, Sequence
from sheetgen.errors import Place, quoted, suggestion
from sheetgen.model.data import EMPTY, Values, Word

T = TypeVar("T")
U = TypeVar("U")
Schema = dict[str, Any]

_SCALAR = ["string", "number", "boolean"]
_MOST = 10_000


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
class FreeText(Decoder[str]):
    """Any scalar as it was written, of several lines if need be."""

    longest: int = 2000
    empty: bool = False
    blank = ""

    def read(self, node: Node, scope: Scope, what: str) -> str:
        return text(node, scope.problems, what=what, longest=self.longest, empty=self.empty)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": [*_SCALAR, "null"] if self.empty else _SCALAR, "maxLength": self.longest}

    def __str__(self) -> str:
        return f"text of up to {self.longest:,} characters" if self.longest < 1000 else "text"


class OneLine(FreeText):
    """A text without line break or tab."""

    def read(self, node: Node, scope: Scope, what: str) -> str:
        return one_line(node, scope.problems, what=what, longest=self.longest, empty=self.empty)

    def __str__(self) -> str:
        return f"line of up to {self.longest:,} characters" if self.longest < 1000 else "line"


class PlacedText(FreeText):
    """A text that remembers its place, without blank lines around it."""

    blank = Word("", Place(""))

    def read(self, node: Node, scope: Scope, what: str) -> Word:
        return Word(super().read(node, scope, what).strip("\n"), node.place)


@dataclass(frozen=True)
class WholeNumber(Decoder[int]):
    """A plain whole number within limits."""

    low: int
    high: int

    @property
    def blank(self) -> Any:
        return self.low

    def read(self, node: Node, scope: Scope, what: str) -> int:
        return number(node, scope.problems, what=what, low=self.low, high=self.high)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def __str__(self) -> str:
        return f"whole number, {self.low} to {self.high:,}"


@dataclass(frozen=True)
class DecimalNumber(Decoder[Decimal]):
    """A plain number, whole or with a decimal point, within limits."""

    low: Decimal | int
    high: Decimal | int

    @property
    def blank(self) -> Any:
        return Decimal(self.low)

    def read(self, node: Node, scope: Scope, what: str) -> Decimal:
        return decimal(node, scope.problems, what=what, low=self.low, high=self.high)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "number", "minimum": float(self.low), "maximum": float(self.high)}

    def __str__(self) -> str:
        return f"number, {self.low} to {self.high}"


class YesNo(Decoder[bool]):
    """Yes or no, true or false, on or off."""

    blank = False

    def read(self, node: Node, scope: Scope, what: str) -> bool:
        return switch(node, scope.problems, what=what)

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [{"type": "boolean"}, {"type": "string", "pattern": "^(yes|Yes|YES|no|No|NO|on|On|off|Off)$"}]}

    def __str__(self) -> str:
        return "yes or no"


@dataclass(frozen=True)
class ChoiceOf(Decoder[str]):
    """One of a few words."""

    words: tuple[str, ...]
    what: str = ""

    @property
    def blank(self) -> Any:
        return next(iter(self.words), "")

    def read(self, node: Node, scope: Scope, what: str) -> str:
        return choice(node, scope.problems, self.words, what=self.what or what)

    def schema(self, definitions: Definitions) -> Schema:
        return {"enum": list(self.words)}

    def __str__(self) -> str:
        return f"one of {', '.join(f'`{word}`' for word in self.words)}"


@dataclass(frozen=True)
class NameOf(Decoder[Any]):
    """A name of a kind that the scope knows.

    The value is the name, or with `where`, which says where such names are defined, what the name stands for.
    """

    kind: str
    what: str = ""
    where: str = ""
    blank = ""

    def read(self, node: Node, scope: Scope, what: str) -> Any:
        names, problems = scope.names.get(self.kind, ()), scope.naming(self.kind)
        if not self.where:
            return choice(node, problems, names, what=self.what or self.kind)
        name = text(node, problems, what=self.what or self.kind)
        if name not in names:
            near = suggestion(name, names) or f"; see {self.where}"
            problems.add(node.place, f"unknown {self.what or self.kind} {quoted(name)}{near}")
            return next(iter(_stands_for(names).values()), name)
        return _stands_for(names)[name]

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": _SCALAR}

    def __str__(self) -> str:
        return f"name of {_with_article(self.what or self.kind)}"


def _stands_for(names: Collection[str]) -> Mapping[str, Any]:
    return names if isinstance(names, Mapping) else {name: name for name in names}


def _with_article(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


@dataclass(frozen=True)
class ListOf(Decoder[tuple[T, ...]]):
    """A list, of `exactly` so many entries if that is set; messages call each entry `each`, or as the list."""

    entry: Decoder[T]
    most: int = _MOST
    each: str = ""
    exactly: int = 0
    meaning: str = ""  # what the entries of a list of exactly so many are

    @property
    def blank(self) -> Any:
        return (self.entry.blank,) * self.exactly if self.exactly else ()

    def read(self, node: Node, scope: Scope, what: str) -> tuple[T, ...]:
        entry, each = self.entry, self.each or what
        found = items(node, scope.problems, lambda item: entry.read(item, scope, each), what=what, most=self.most)
        if self.exactly and len(found) != self.exactly:
            if isinstance(node, Sequence):
                scope.add(node.place, f"{what} takes {self.meaning or f'{self.exactly} entries'}")
            return self.blank  # type: ignore[no-any-return]
        return found

    def schema(self, definitions: Definitions) -> Schema:
        inside = self.entry.schema(Definitions(definitions.found))  # lists are never merged: what is here is all
        limits = {"minItems": self.exactly} if self.exactly else {}
        return {"type": "array", "items": inside, "maxItems": self.exactly or self.most} | limits

    def __str__(self) -> str:
        return self.meaning or f"list of {self.entry}"


@dataclass(frozen=True)
class OneOrMore(Decoder[tuple[T, ...]]):
    """One value, or a list of them."""

    entry: Decoder[T]
    most: int = _MOST
    blank = ()

    def read(self, node: Node, scope: Scope, what: str) -> tuple[T, ...]:
        if isinstance(node, Sequence):
            return ListOf(self.entry, self.most).read(node, scope, what)
        return (self.entry.read(node, scope, what),)

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [self.entry.schema(definitions), ListOf(self.entry, self.most).schema(definitions)]}

    def __str__(self) -> str:
        return f"{self.entry}, or a list of them"


@dataclass(frozen=True)
class MapOf(Decoder[dict[Any, T]]):
    """A mapping with free keys, each read by `key` where that is given; messages call a value `each` with its {key}."""

    value: Decoder[T]
    key: Decoder[Any] | None = None
    most: int = _MOST
    each: str = ""
    blank: Any = dict  # made anew each time

    def read(self, node: Node, scope: Scope, what: str) -> dict[Any, T]:
        found = mapping_entries(node, scope.problems, what=what, most=self.most).items()
        if self.key is None:
            return {name: self._value(key, node, scope) for name, (key, node) in found}
        name_of = partial(self.key.read, scope=scope, what=f"name in {what}")
        return {name_of(key): self._value(key, node, scope) for _, (key, node) in found}

    def _value(self, key: Scalar, node: Node, scope: Scope) -> T:
        if self.each:
            return self.value.read(node, scope, self.each.replace("{key}", key.text))
        return self.value.under(key, node, scope)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "object", "additionalProperties": self.value.schema(definitions), "maxProperties": self.most}

    def __str__(self) -> str:
        return f"mapping: {self.key or 'name'} → {self.value}"


@dataclass(frozen=True)
class Either(Decoder[Any]):
    """A mapping in full, or something short in its place."""

    short: Decoder[Any]
    full: Decoder[Any]

    @property
    def blank(self) -> Any:
        return self.short.blank

    def read(self, node: Node, scope: Scope, what: str) -> Any:
        return (self.full if isinstance(node, MappingNode) else self.short).read(node, scope, what)

    def under(self, key: Scalar, node: Node, scope: Scope) -> Any:
        return (self.full if isinstance(node, MappingNode) else self.short).under(key, node, scope)

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [self.short.schema(definitions), self.full.schema(definitions)]}

    def __str__(self) -> str:
        return f"{self.short}, or {self.full}"


@dataclass(frozen=True)
class Then(Decoder[U]):
    """What a function makes of a value that was read, with its node to place problems at."""

    first: Decoder[Any]
    make: Callable[[Any, Node, Scope], U]

    @property
    def blank(self) -> Any:
        return self.first.blank

    def read(self, node: Node, scope: Scope, what: str) -> U:
        return self.make(self.first.read(node, scope, what), node, scope)

    def schema(self, definitions: Definitions) -> Schema:
        return self.first.schema(definitions)

    def __str__(self) -> str:
        return str(self.first)


@dataclass(frozen=True)
class Later(Decoder[Any]):
    """The node itself, described by a decoder: how it is read depends on other keys of its record."""

    described: Decoder[Any]
    blank = None

    def read(self, node: Node, scope: Scope, what: str) -> Any:
        return node

    def schema(self, definitions: Definitions) -> Schema:
        return self.described.schema(definitions)

    def __str__(self) -> str:
        return str(self.described)
