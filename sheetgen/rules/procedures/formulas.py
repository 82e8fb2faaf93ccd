"""Formulas of the procedures that a pack states: each is checked when its pack is read, then worked out by names.

A formula has a kind: number, decimal, yes or no, text, list, set, or values by name. What is not given is absent;
whatever is worked out of something absent is absent too, and no comparison with it holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from typing import Any, Literal, TypeAlias

from sheetgen.errors import InputError, Place, Problem, among, quoted, suggestion
from sheetgen.model.data import Data, Word
from sheetgen.model.procedures import Formula, Named, Operand, readable
from sheetgen.model.system import System, TraitGroup
from sheetgen.rules.procedures.play import Play

MOST_PATHS = 2000
_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?")
HOLE = re.compile(r"\{([^{}]*?)(:\+)?\}")
_SWITCH = {"yes": True, "true": True, "no": False, "false": False}

Base = Literal["number", "decimal", "yes or no", "text", "list", "set", "values"]


@dataclass(frozen=True, slots=True)
class ValueKind:
    """What a formula comes to: `of` for lists and values by name, `words` where all texts or names are known."""

    base: Base
    of: ValueKind | None = None
    words: tuple[str, ...] | None = None
    absent: bool = False

    @property
    def hint(self) -> Any:
        """The kind as a Python type."""
        inner = self.of.hint if self.of else str
        plain: Any = {
            "number": int,
            "decimal": Decimal,
            "yes or no": bool,
            "text": Literal[self.words] if self.words else str,
            "list": tuple[inner, ...],  # type: ignore[valid-type]
            "set": frozenset[inner],  # type: ignore[valid-type]
            "values": Named[str, inner],  # type: ignore[valid-type]
        }[self.base]
        return plain | None if self.absent else plain

    def __str__(self) -> str:
        return f"{self.base} of {self.of}" if self.of else self.base


NUMBER, DECIMAL, FLAG, TEXT = ValueKind("number"), ValueKind("decimal"), ValueKind("yes or no"), ValueKind("text")


class Case:
    """One play of a procedure: what its parameters are, and what has been worked out so far."""

    def __init__(self, play: Play, given: Mapping[str, Any], formulas: Mapping[str, Worked]) -> None:
        self.play, self.found, self._formulas = play, dict(given), formulas

    def value(self, name: str) -> Any:
        """What has this name, worked out when it is first needed."""
        if name not in self.found:
            self.found[name] = self._formulas[name].work(self)
        return self.found[name]


@dataclass(frozen=True, slots=True)
class Worked:
    """A formula that was checked: its kind, and how it is worked out."""

    kind: ValueKind
    work: Callable[[Case], Any]


def plain(data: Data, place: Place) -> tuple[Any, ValueKind]:
    """What stands in a pack as a number, text, list or values by name, with its kind."""
    if isinstance(data, str):
        if not _NUMBER.fullmatch(data):
            return str(data), ValueKind("text", words=(str(data),))
        return (Decimal(data), DECIMAL) if "." in data else (int(data), NUMBER)
    if isinstance(data, Mapping):
        inner = {str(name): plain(item, place) for name, item in data.items()}
        kind = joined((each for _, each in inner.values()), place)
        return Named({name: value for name, (value, _) in inner.items()}), ValueKind("values", kind, tuple(inner))
    each = [plain(item, place) for item in data]
    return tuple(value for value, _ in each), ValueKind("list", joined((kind for _, kind in each), place))


def joined(kinds: Iterable[ValueKind], place: Place) -> ValueKind:
    """The one kind that all of these are; InputError where they are too different."""
    found = TEXT
    for number, kind in enumerate(kinds):
        found = _common_kind(found, kind, place) if number else kind
    return found


def _common_kind(one: ValueKind, other: ValueKind, place: Place) -> ValueKind:
    bases = {one.base, other.base}
    if len(bases) > 1 and bases != {"number", "decimal"}:
        raise wrong(place, f"is now a {one}, now a {other} (write the same kind in all places)")
    base: Base = "decimal" if "decimal" in bases else one.base
    words = None if one.words is None or other.words is None else tuple(dict.fromkeys((*one.words, *other.words)))
    return ValueKind(
        base, _common_kind(one.of, other.of, place) if one.of and other.of else None, words, one.absent or other.absent
    )


def wrong(place: Place, message: str) -> InputError:
    """An error at a place."""
    return InputError([Problem(place, message)])


Operation: TypeAlias = "Callable[[Maker, Formula], Worked]"


class Maker:
    """Formulas checked and made ready, in the order of the pack: each may use the names that came before it.

    `names` has the kind of each name, None for one that is wrong itself.
    """

    def __init__(
        self,
        system: System,
        operations: Mapping[str, Operation],
        names: Mapping[str, ValueKind | None] | None = None,
    ) -> None:
        self.system, self.operations = system, operations
        self.names: dict[str, ValueKind | None] = dict(names or {})
        self.depth = 0

    def within(self, **names: ValueKind) -> Maker:
        """The same with some more names."""
        inner = Maker(self.system, self.operations, {**self.names, **names})
        inner.depth = self.depth + 1
        return inner

    def worked(self, operand: Operand) -> Worked:
        """The formula made ready; InputError at what is wrong with it."""
        if isinstance(operand, Formula):
            if operand.do not in self.operations:
                raise InputError([])  # its own mistake is known already
            return self.operations[operand.do](self, operand)
        if _NUMBER.fullmatch(operand):
            value, kind = plain(operand, operand.place)
            return Worked(kind, lambda case: value)
        if operand in self.names:
            return self._named_value(operand)
        if operand in _SWITCH:
            switch = _SWITCH[operand]
            return Worked(FLAG, lambda case: switch)
        if "." in operand or self.system.values.has(operand):
            return self.looked_up(operand)
        near = suggestion(operand, self.names) or self._there("; a word of its own is {say: …}")
        raise wrong(operand.place, f"unknown name {quoted(operand)}{near}")

    def _there(self, else_: str = "") -> str:
        return f" (there are {', '.join(self.names)}{else_})" if self.names else ""

    def _named_value(self, name: str) -> Worked:
        kind = self.names[name]
        if kind is None:
            raise InputError([])  # its own mistake is known already
        return Worked(kind, lambda case: case.value(name))

    def looked_up(self, path: Word, otherwise: Worked | None = None) -> Worked:
        """What stands at a path of the pack's values, for each way to fill in its names."""
        holes = [self._hole(name, path) for name, _ in HOLE.findall(path)]
        ways = list(product(*(words for _, words in holes)))[: MOST_PATHS + 1]
        if len(ways) > MOST_PATHS:
            raise wrong(path.place, f"{quoted(path)} stands for more than {MOST_PATHS:,} paths")
        found, kinds = {}, [] if otherwise is None else [otherwise.kind]
        for way in ways:
            filled = _path_with(path, way)
            if self.system.values.has(filled):
                found[way], kind = plain(self.system.values.at(filled), path.place)
                kinds.append(kind)
            elif otherwise is None:
                self.at(Word(filled, path.place))
        names = [name for name, _ in holes]
        absent = any(each is not None and each.absent for each in map(self.names.get, names))
        kind = joined(kinds, path.place)

        def work(case: Case) -> Any:
            way = tuple(case.value(name) for name in names)
            if None in way:
                return None
            return found[way] if way in found or otherwise is None else otherwise.work(case)

        return Worked(replace(kind, absent=kind.absent or absent), work)

    def at(self, path: Word) -> Data:
        """What the pack has at a path; InputError with the nearest name."""
        values = self.system.values
        if not values.has(path):
            above, _, last = path.rpartition(".")
            near = suggestion(last, values.names(above)) if above and values.has(above) else ""
            raise wrong(path.place, f"values: {path} is missing{near}")
        return values.at(path)

    def group(self, name: Word) -> TraitGroup:
        """The group of traits of that name."""
        groups = {group.name: group for group in self.system.groups}
        if name not in groups:
            raise wrong(name.place, f"unknown trait group {quoted(name)}{among(name, groups)}")
        return groups[name]

    def _hole(self, name: str, path: Word) -> tuple[str, tuple[str, ...]]:
        kind = self._named_value(self.known(name, path.place)).kind
        if kind.base != "text" or kind.words is None:
            raise wrong(path.place, f"{quoted(name)} in {quoted(path)} must be a word from a list that is known")
        return name, kind.words

    def known(self, name: str, place: Place) -> str:
        """A name that there is."""
        if name not in self.names:
            raise wrong(place, f"unknown name {quoted(name)}{suggestion(name, self.names) or self._there()}")
        return name

    def line(self, text: Word) -> Callable[[Case], str]:
        """A text whose {names} and {paths} are filled in; `{name:+}` shows the sign of a number."""
        pieces: list[tuple[str, Worked | None, bool]] = []
        end = 0
        for hole in HOLE.finditer(text):
            part = self.worked(Word(hole[1], text.place))
            if hole[2] and part.kind.base not in ("number", "decimal"):
                raise wrong(text.place, f"{hole[0]}: only a number has a sign")
            pieces.append((text[end : hole.start()], part, bool(hole[2])))
            end = hole.end()
        rest = text[end:]
        if not pieces:
            return lambda case: rest

        def work(case: Case) -> str:
            return (
                "".join(before + as_text(part.work(case), sign) if part else before for before, part, sign in pieces)
                + rest
            )

        return work

    def number(self, operand: Operand) -> Worked:
        """A formula that must come to a number."""
        return self._as(operand, ("number", "decimal"), "a number")

    def flag(self, operand: Operand) -> Worked:
        """A formula that must come to yes or no; absent is no."""
        part = self._as(operand, ("yes or no",), "yes or no")
        return Worked(FLAG, lambda case: bool(part.work(case))) if part.kind.absent else part

    def text(self, operand: Operand) -> Worked:
        """A formula that must come to a text."""
        return self._as(operand, ("text",), "a word")

    def items(self, operand: Operand) -> Worked:
        """A formula that must come to a list, a set or values by name; its work gives a tuple of the items."""
        part = self._as(operand, ("list", "set", "values"), "a list")
        if part.kind.base == "values":
            return Worked(part.kind, lambda case: tuple((part.work(case) or {}).values()))
        return Worked(part.kind, lambda case: tuple(part.work(case) or ()))

    def _as(self, operand: Operand, bases: tuple[str, ...], what: str) -> Worked:
        part = self.worked(operand)
        if part.kind.base not in bases:
            raise wrong(operand.place, f"takes {what}, not {part.kind}")
        return part

    def flat(self, operands: Sequence[Operand], what: str, *bases: str) -> tuple[list[Worked], ValueKind]:
        """Operands of a kind, and lists of them, each giving a tuple; with the kind that they all are."""
        parts, kinds = [], []
        for operand in operands:
            part = self.worked(operand)
            if part.kind.of is not None:
                part = self.items(operand)
                kinds.append(part.kind.of or TEXT)
            else:
                kinds.append(part.kind)
                part = Worked(part.kind, lambda case, work=part.work: (work(case),))  # type: ignore[misc]
            if bases and kinds[-1].base not in bases:
                raise wrong(operand.place, f"takes {what}, not {part.kind}")
            parts.append(part)
        return parts, joined(kinds, operands[0].place if operands else Place(""))


def _path_with(path: str, way: Iterable[str]) -> str:
    words = iter(way)
    return HOLE.sub(lambda hole: next(words), path)


def as_text(value: Any, sign: bool) -> str:
    """A value as the log shows it."""
    if sign and value is not None:
        return f"{value:+}"
    return str(value) if isinstance(value, (int, Decimal)) and not isinstance(value, bool) else readable(value)
