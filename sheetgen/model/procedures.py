"""Procedures: what they come to, frozen records of named results, all of it hashable; and those that a pack states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from sheetgen.dice.paths import AtLeast
from sheetgen.errors import Place
from sheetgen.model.data import Data, Word

K = TypeVar("K")
V = TypeVar("V")
RECKONING = "reckoning"  # the family of them, as `play` names it
Operand: TypeAlias = "Word | Formula"


class Named(Mapping[K, V], Generic[K, V]):
    """An immutable, hashable mapping, so that outcomes that hold one can be counted and compared."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[K, V]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return self._items == other._items if isinstance(other, Named) else super().__eq__(other)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"Named({self._items!r})"


class Results(Named[str, Any]):
    """The outcome of a procedure that a pack states: each result by its name, which is an attribute as well."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(tuple(self._items.values()))  # a procedure names its results in one order

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name.rstrip("_") not in self:
            raise AttributeError(name)
        return self[name.rstrip("_")]

    def __repr__(self) -> str:
        return f"Results({', '.join(f'{name}={value!r}' for name, value in self.items())})"


def spread(record: Any, prefix: str = "") -> dict[str, Any]:
    """Return the fields of a record by name, each behind the prefix."""
    return {prefix + each.name: getattr(record, each.name) for each in fields(record)}


def as_data(value: object) -> object:
    """Return an outcome as dicts, lists, strings and numbers; results that do not apply (None) are left out of records.

    A count at which a loop was cut off is the words "12 or more", so that nobody takes it for 12.
    """
    if is_dataclass(value) and not isinstance(value, type):
        parts = {each.name.rstrip("_"): as_data(getattr(value, each.name)) for each in fields(value)}
        return {name: part for name, part in parts.items() if part is not None}
    if isinstance(value, Results):
        return {name: as_data(part) for name, part in value.items() if part is not None}
    if isinstance(value, Mapping):
        return {str(key): as_data(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted((as_data(item) for item in value), key=str)
    if isinstance(value, (tuple, list)):
        return [as_data(item) for item in value]
    if isinstance(value, (Fraction, AtLeast)):
        return str(value)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def readable(value: object) -> str:
    """Return a result for a reader: yes or no, names with their values, lists with commas, "none" for nothing.

    Between records, which have commas of their own, stand semicolons.
    """
    plain = as_data(value)
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    if isinstance(plain, dict):
        return ", ".join(f"{name} {readable(item)}" for name, item in plain.items())
    if isinstance(plain, list):
        between = "; " if any(isinstance(each, Mapping) for each in plain) else ", "
        return between.join(map(readable, plain)) or "none"
    return "none" if plain is None else str(plain)


@dataclass(frozen=True, slots=True)
class Example:
    """One case of an examples file; `do` names the procedure, `given` holds the rest of its parameters.

    `dice_for` are the faces for each trait, by role, in the order of the sheet of the game that plays, before `dice`.
    """

    id: str
    rules: tuple[str, ...]
    do: Word
    given: Mapping[Word, Data]
    dice: tuple[int, ...]
    cards: tuple[str, ...]
    expect: Mapping[Word, Data]
    place: Place
    note: str = ""
    dice_for: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def faces(self, order: Iterable[str]) -> tuple[int, ...]:
        """Return the faces in which its dice fall where traits stand in this order, by role."""
        by_trait = (face for role in order for face in self.dice_for.get(role, ()))
        return *by_trait, *self.dice


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice that fell together, or a card that was drawn, and what for; `summed` dice were rolled for their total.

    `dropped` are the places, from 0, of dice that did not count.
    """

    purpose: str
    faces: tuple[int, ...] = ()
    sides: int = 6
    summed: bool = False
    card: str = ""
    dropped: frozenset[int] = frozenset()

    @property
    def kept(self) -> tuple[int, ...]:
        """The faces that counted."""
        return tuple(face for at, face in enumerate(self.faces) if at not in self.dropped)

    def keeping(self, faces: Iterable[int]) -> Throw:
        """Return it with all faces dropped but these."""
        left, dropped = list(faces), set[int]()
        for at, face in enumerate(self.faces):
            if face in left:
                left.remove(face)
            else:
                dropped.add(at)
        return replace(self, dropped=frozenset(dropped))

    def __str__(self) -> str:
        return f"{self.purpose}: {self.card or ', '.join(map(str, self.faces))}"


@dataclass(frozen=True, slots=True)
class PlayedCase:
    """A case as it was played: what was thrown in its order, the log, and what it came to (nothing if refused)."""

    throws: tuple[Throw, ...]
    log: tuple[str, ...]
    outcome: Any = None


@dataclass(frozen=True, slots=True)
class Formula:
    """An operation (`sum`, `divide`, `if`…) and its parts by key: operands, lists or mappings of them, or words."""

    do: str
    parts: Mapping[str, Operand | tuple[Operand, ...] | Mapping[Word, Operand]]
    place: Place

    def operand(self, key: str) -> Operand:
        """Return the one operand under a key."""
        part = self.parts[key]
        assert isinstance(part, (Word, Formula))
        return part

    def operands(self, key: str) -> tuple[Operand, ...]:
        """Return the operands of the list under a key."""
        part = self.parts[key]
        assert isinstance(part, tuple)
        return part

    def word(self, key: str) -> Word:
        """Return the word under a key; an empty one for a key that is absent."""
        part = self.parts.get(key, "")
        return part if isinstance(part, Word) else Word(str(part), self.place)


@dataclass(frozen=True, slots=True)
class Takes:
    """What one parameter takes: a kind of value, whatever narrows it, and what stands for it when it is not given."""

    kind: str
    narrowed: Word | tuple[Word, ...] | Takes
    place: Place
    default: Data | None = None
    every: bool = False
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """When a procedure refuses: a condition, a code for programs and a sentence for people."""

    condition: Operand
    code: str
    say: Word
    rule: str
    place: Place


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log with the rules it follows; with a condition only where that holds, or else another line."""

    say: Word
    rules: tuple[str, ...] | None
    condition: Operand | None
    otherwise: Word | None
    place: Place


@dataclass(frozen=True, slots=True)
class Reckoning:
    """A whole procedure: parameters, working values and results by name, refusals, and lines of the log."""

    name: str
    say: str
    place: Place
    takes: Mapping[Word, Takes]
    results: Mapping[Word, Operand]
    first: Mapping[Word, Operand]
    refuses: tuple[Refusal, ...]
    tells: tuple[LogLine, ...]
    rules: tuple[str, ...]
    about: str = ""
