"""Records: mappings whose keys are declared, each with what it takes, its default and a line of help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from sheetgen.content.yaml.decode import composed, fields
from sheetgen.content.yaml.decoders import Decoder, Definitions, Schema, Scope
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar

T = TypeVar("T")

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
    nodes: Mapping[str, Node]
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
        if self._open and isinstance(node, MappingNode):
            may = (*may, *(other.text for other, _ in node.entries))
        nodes = fields(node, scope.problems, what=what, needs=self._needs, may=may)
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
