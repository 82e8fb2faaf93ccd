"""Decoders of what holds other values: lists, mappings with free keys, and records, whose keys are declared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from sheetgen.content.yaml.decoder import Decoder, Definitions, Schema, Scope, Wrapped, instead_of
from sheetgen.content.yaml.nodes import Mapping, Node, Scalar, Sequence
from sheetgen.content.yaml.scalars import LONGEST_KEY, FreeText, composed, hint_at
from sheetgen.errors import quoted

T = TypeVar("T")
U = TypeVar("U")

_MOST = 10_000
_KEY = FreeText(LONGEST_KEY)


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
        if not isinstance(node, Sequence):
            scope.add(node.place, f'{what} {instead_of(node, "a list")} (write one "- " line for each, or [a, b])')
        elif len(node.items) > self.most:
            scope.add(node.place, f"{what} has {len(node.items):,} entries (leave {self.most:,} at most)")
        else:
            found = tuple(entry.read(item, scope, each) for item in node.items)
            if len(found) == self.exactly or not self.exactly:
                return found
            scope.add(node.place, f"{what} takes {self.meaning or f'{self.exactly} entries'}")
        return self.blank  # type: ignore[no-any-return]

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
        found = mapping_entries(node, scope, what=what, most=self.most).items()
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
        return (self.full if isinstance(node, Mapping) else self.short).read(node, scope, what)

    def under(self, key: Scalar, node: Node, scope: Scope) -> Any:
        return (self.full if isinstance(node, Mapping) else self.short).under(key, node, scope)

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [self.short.schema(definitions), self.full.schema(definitions)]}

    def __str__(self) -> str:
        return f"{self.short}, or {self.full}"


@dataclass(frozen=True)
class Then(Wrapped[U]):
    """What a function makes of a value that was read, with its node to place problems at."""

    make: Callable[[Any, Node, Scope], U]

    @property
    def blank(self) -> Any:
        return self.takes.blank

    def read(self, node: Node, scope: Scope, what: str) -> U:
        return self.make(self.takes.read(node, scope, what), node, scope)


def known(kind: str, takes: Decoder[Any]) -> Then[Any]:
    """Return a decoder of a mapping whose names are known from then on as names of a kind."""

    def note(found: Any, node: Node, scope: Scope) -> Any:
        scope.names[kind] = found
        return found

    return Then(takes, note)


class Later(Wrapped[Any]):
    """The node itself: how it is read depends on other keys of its record."""

    def read(self, node: Node, scope: Scope, what: str) -> Any:
        return node


class OrNothing(Wrapped[Any]):
    """What another decoder takes, or no value, which says as much as no key."""

    def read(self, node: Node, scope: Scope, what: str) -> Any:
        return None if node.is_null else self.takes.read(node, scope, what)

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [self.takes.schema(definitions), {"type": "null"}]}


def mapping_entries(node: Node, scope: Scope, *, what: str, most: int) -> dict[str, tuple[Scalar, Node]]:
    """Return the keys and values of a mapping with free keys, by key; the first holds if a key comes twice."""
    if not isinstance(node, Mapping):
        scope.add(node.place, f'{what} {instead_of(node, "a mapping")} (write "name: value" lines)')
        return {}
    if len(node.entries) > most:
        scope.add(node.place, f"{what} has {len(node.entries):,} entries (leave {most:,} at most)")
        return {}
    return _keys(node, scope, what=what)


def _cut_at_comma(entries: list[tuple[Scalar, Node]], key: Scalar, value: Node) -> str:
    """Return the key whose text without quotes goes on in `key`, behind a comma in `{…}`; none if it is a key."""
    keys = [each.text for each, _ in entries]
    behind = entries[max(0, keys.index(key.text) - 1)]
    cut = isinstance(behind[1], Scalar) and not behind[1].quoted and behind[1].place.line == key.place.line
    return behind[0].text if cut and behind[0] is not key and isinstance(value, Scalar) and not value.text else ""


def fields(
    node: Node, scope: Scope, *, what: str, needs: Iterable[str] = (), may: Iterable[str] = ()
) -> dict[str, Node]:
    """Return the nodes of the known keys that a mapping has; unknown, missing and double keys are noted."""
    needed = tuple(needs)
    known = dict.fromkeys((*needed, *may))
    if not isinstance(node, Mapping):
        scope.add(node.place, f"{what} {instead_of(node, 'a mapping')} ({_example(tuple(known))})")
        return {}
    found: dict[str, Node] = {}
    taken_for = ""
    entries = _keys(node, scope, what=what)
    for name, (key, value) in entries.items():
        if name in known:
            found[name] = value
            continue
        if before := _cut_at_comma(list(entries.values()), key, value):
            scope.add(key.place, f"the comma before {quoted(name)} ends {before} (put a text with a comma in quotes)")
            continue
        hint = hint_at(name, known, "known")
        taken_for += hint if "did you mean" in hint else ""
        scope.add(key.place, f"unknown key {quoted(name)} in {what}{hint}")
    for name in needed:
        # A misspelt key has said already that this one is meant.
        if name not in found and f'"{name}"' not in taken_for:
            scope.add(node.place, f'{what} lacks "{name}" (add a line "{name}: ...")')
    return found


def _keys(node: Mapping, scope: Scope, *, what: str) -> dict[str, tuple[Scalar, Node]]:
    """Each key once, with composed accents; unusable ones and second ones are noted and left out."""
    found: dict[str, tuple[Scalar, Node]] = {}
    for key, value in node.entries:
        name = _KEY.read(key, scope, f"key in {what}") if not key.is_null else key.text
        if "\n" in name:
            scope.add(key.place, f"key in {what} has a line break (write it on one line)")
        elif name in found:
            first = found[name][0].place
            scope.add(key.place, f"key {quoted(name)} stands twice in {what}, first at {first} (keep one)")
        elif name:
            found[name] = (key, value)
    return found


def _example(keys: tuple[str, ...]) -> str:
    if not keys:
        return 'write "name: value" lines'
    return "write " + " and ".join(f'"{key}: ..."' for key in keys[:2]) + (" on lines of their own" if keys[1:] else "")


NEEDED: Any = object()


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a record: its name, what it takes, a line of help, and what stands for it when it is absent.

    `to` names the parameter that takes the value and `what` is how messages call it, where those are not its name.
    """

    name: str
    takes: Decoder[Any]
    help: str
    default: Any = NEEDED
    to: str = ""
    what: str = ""

    @property
    def is_needed(self) -> bool:
        """Whether the record cannot do without it."""
        return self.default is NEEDED


@dataclass(slots=True)
class Entries:
    """A record being read: the nodes of the keys that are there, and the values so far by parameter."""

    what: str
    node: Node
    key: Scalar | None
    nodes: dict[str, Node]
    values: dict[str, Any]
    scope: Scope

    def __contains__(self, name: str) -> bool:
        return name in self.nodes

    def add(self, message: str, at: str = "") -> None:
        """Note a problem at the value of a key, or at the record where that is absent."""
        self.scope.add(self.nodes.get(at, self.node).place, message)

    def read(self, name: str, takes: Decoder[T], otherwise: T, what: str = "") -> T:
        """The value of a key that had to wait for others."""
        return takes.read(self.nodes[name], self.scope, what or name) if name in self.nodes else otherwise


class RecordOf(Decoder[T]):
    """A mapping with known keys, read to what `make` returns for their values; `check` may mend these before.

    In `what`, the name of the record in messages, {key} is the key that it stands under. `key` and `place` name the
    parameters that take that key and the place of the record. An `open` record may have other keys too. `name` is
    what schemas and the reference call it, where `what` without {key} will not do.
    """

    blank = None

    def __init__(
        self,
        what: str,
        make: Callable[..., T],
        *keys: Key,
        help: str = "",
        check: Callable[[Entries], object] | None = None,
        key: str = "",
        place: str = "",
        open: bool = False,
        name: str = "",
    ) -> None:
        self.what, self.make, self.keys, self.help = what, make, keys, help
        self.name = name or what.replace("{key}", "").strip()
        self._check, self._key, self._place, self._open = check, key, place, open
        self._needs = tuple(each.name for each in keys if each.is_needed)
        self._may = tuple(each.name for each in keys if not each.is_needed)
        self._plan = tuple(
            (each.name, each.to or each.name, each.takes, each.what or each.name, self._default(each)) for each in keys
        )

    @staticmethod
    def _default(key: Key) -> Any:
        return key.takes.blank if key.is_needed else key.default

    def read(self, node: Node, scope: Scope, what: str) -> T:
        return self._read(node, scope, self.what or what, None)

    def under(self, key: Scalar, node: Node, scope: Scope) -> T:
        return self._read(node, scope, self.what.replace("{key}", key.text) or key.text, key)

    def _read(self, node: Node, scope: Scope, what: str, key: Scalar | None) -> T:
        may = self._may
        if self._open and isinstance(node, Mapping):
            may = (*may, *(other.text for other, _ in node.entries))
        nodes = fields(node, scope, what=what, needs=self._needs, may=may)
        values: dict[str, Any] = {}
        for name, to, takes, label, default in self._plan:
            found = nodes.get(name)
            if found is not None:
                values[to] = takes.read(found, scope, label.replace("{key}", key.text) if key else label)
            else:
                values[to] = default() if default is dict else default
        if self._key and key is not None:
            values[self._key] = composed(key.text)
        if self._place:
            values[self._place] = node.place
        if self._check is not None:
            self._check(Entries(what, node, key, nodes, values, scope))
        return self.make(**values)

    def schema(self, definitions: Definitions) -> Schema:
        name = self.name.replace(" ", "-")
        if name not in definitions.found:
            definitions.found[name] = {}  # so that a record within itself ends here
            definitions.found[name] = self.outline(definitions)
        return {"$ref": f"#/definitions/{name}"}

    def outline(self, definitions: Definitions) -> Schema:
        """The schema of the record itself, with its keys."""
        described: Schema = {"type": "object"}
        if self.help:
            described["description"] = self.help
        described["properties"] = {each.name: _described(each, definitions) for each in self.keys}
        if self._needs and definitions.whole:
            described["required"] = list(self._needs)
        return described if self._open else described | {"additionalProperties": False}

    def __str__(self) -> str:
        return f"{{{self.name}}}"

    def parts(self) -> Iterable[Decoder[Any]]:
        return tuple(each.takes for each in self.keys)


def _described(key: Key, definitions: Definitions) -> Schema:
    """The schema of a key's value, with its line of help."""
    inside = key.takes.schema(definitions)
    described: Schema = {"description": key.help} | ({"allOf": [inside]} if "$ref" in inside else inside)
    if isinstance(key.default, str | int | bool) and key.default != "":
        described["default"] = key.default
    return described
