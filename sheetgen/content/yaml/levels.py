"""Levels, ranges of levels and dice as packs write them: `7`, `A`, `4-8`, `8-C`, `2d6`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sheetgen.content.yaml.containers import OneOrMore, fields, mapping_entries
from sheetgen.content.yaml.decoder import Decoder, Definitions, Schema, Scope
from sheetgen.content.yaml.nodes import Node, Scalar, Sequence
from sheetgen.content.yaml.scalars import ChoiceOf, FreeText, WholeNumber
from sheetgen.dice.notation import Notation, NotationError, parse_notation
from sheetgen.errors import Place, quoted, suggestion
from sheetgen.model.cast import Condition
from sheetgen.model.data import EMPTY, Data, Word
from sheetgen.model.scale import MINUS, Scale
from sheetgen.model.system import Span

HIGHEST, LOWEST = 999, -99
MOST_ENTRIES = 500_000
MOST_SPELLED = 999  # levels, in a schema

_RANGE = re.compile(r"\s*([-−]?[\w+]+)\s*[-–]\s*([-−]?[\w+]+)\s*")


def scale_in(scope: Scope, scale: Scale | None) -> Scale:
    """Return the scale that is meant, or the usual one of the game that is being read."""
    return scale or scope.facts.get("usual scale", Scale())


@dataclass(frozen=True)
class LevelOf(Decoder[int]):
    """A level as its scale writes it; without one, as the game writes levels of no group."""

    low: int = 0
    high: int = 15
    scale: Scale | None = None

    @property
    def blank(self) -> Any:
        return self.low

    def read(self, node: Node, scope: Scope, what: str) -> int:
        scale = scale_in(scope, self.scale)
        if scale.kind in ("signed", "code", "words") and isinstance(node, Scalar) and not node.is_null:
            return self._scaled(node, scope, what, scale)
        digit = isinstance(node, Scalar) and len(node.text) == 1 and node.text.isupper()
        value = scale.read(node.text) if isinstance(node, Scalar) and digit else None
        if isinstance(node, Scalar) and value is not None:
            if self.low <= value <= self.high:
                return value
            scope.add(node.place, f"{what} is {node.text} ({value}), but must be {self.low} to {self.high}")
            return self.low
        if scale.kind == "hex" and isinstance(node, Scalar) and self._is_beyond(node.text):
            fits = f"write {scale.plain(self.low)} to {scale.plain(self.high)}, which is {self.low} to {self.high}"
            scope.add(node.place, f"{what} is {quoted(node.text) if node.text[:1].isalpha() else node.text} ({fits})")
            return self.low
        return WholeNumber(self.low, self.high).read(node, scope, what)

    def _is_beyond(self, text: str) -> bool:
        """Return whether a text is another letter than those that are digits, or a number that is too low or high."""
        level = Scale().read(text)
        return text[:1].isalpha() if level is None else not self.low <= level <= self.high

    def _scaled(self, node: Scalar, scope: Scope, what: str, scale: Scale) -> int:
        low, high = self.low, self.high
        value = scale.read(node.text)
        if value is not None and low <= value <= high:
            return value
        if scale.kind == "words":
            words = (
                [scale.plain(each) for each in range(low, high + 1)] if high - low < len(scale.words) else scale.words
            )
            near = suggestion(node.text, words) or f", but must be {', '.join(words)}"
            scope.add(node.place, f"{what} is {quoted(node.text)}{near}")
        else:
            fits = f"{scale.write(low)} to {scale.write(high)}" if high < HIGHEST else f"{scale.write(low)} or more"
            if low < 0 and scale.kind == "code":
                fits = f"a code such as {scale.write(3 * scale.pips + 1)}"
            scope.add(node.place, f"{what} is {quoted(node.text)}, but must be {fits}")
        return low

    def schema(self, definitions: Definitions) -> Schema:
        number: Schema = {"type": "integer", "minimum": self.low, "maximum": self.high}
        if self.scale is None:
            return {"anyOf": [number, {"type": "string"}]}
        if self.scale.numeric and self.scale.kind != "hex":
            return {"anyOf": [number, {"type": "string", "pattern": r"^[+−-]?\d+$"}]}
        spelled = [self.scale.plain(level) for level in range(self.low, min(self.high, self.low + MOST_SPELLED) + 1)]
        if self.scale.kind == "code":
            ways = "|".join(each.replace("d", " *[dD]").replace("+", r" *\+ *") for each in spelled)
            return {"type": "string", "pattern": f"^ *({ways}) *$"}
        words: Schema = {"type": "string", "enum": spelled}
        return words if self.scale.kind == "words" else {"anyOf": [number, words]}

    def __str__(self) -> str:
        return "level"


@dataclass(frozen=True)
class LevelRange(Decoder[Span]):
    """A range of levels: one level, or two joined by a hyphen, the lower first."""

    low: int = 0
    high: int = HIGHEST
    scale: Scale | None = None

    @property
    def blank(self) -> Any:
        return Span(self.low, self.low)

    def read(self, node: Node, scope: Scope, what: str) -> Span:
        if not isinstance(node, Scalar):
            return Span(*[WholeNumber(self.low, self.high).read(node, scope, what)] * 2)
        level = LevelOf(self.low, self.high, self.scale)
        match = _RANGE.fullmatch(node.text)
        if match is None or scale_in(scope, self.scale).read(node.text) is not None:
            only = level.read(node, scope, what)
            return Span(only, only)
        first, last = (Scalar(part.replace(MINUS, "-"), node.place, False) for part in match.groups())
        before = len(scope.problems)
        low, high = level.read(first, scope, what), level.read(last, scope, what)
        if low > high and len(scope.problems) == before:
            scope.add(node.place, f"{what} runs from {match[1]} down to {match[2]}: write the lower end first")
        return Span(min(low, high), max(low, high))

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": ["integer", "string"]}

    def __str__(self) -> str:
        return "level, or range such as `4-8`"


class DiceNotation(Decoder[Notation | None]):
    """Dice such as `2d6+1`, None if refused; a problem has the column of what does not belong."""

    blank = None

    def read(self, node: Node, scope: Scope, what: str) -> Notation | None:
        written = FreeText().read(node, scope, what)
        try:
            return parse_notation(written)
        except NotationError as error:
            shift = error.column - 1 + (1 if isinstance(node, Scalar) and node.quoted else 0)
            place = Place(node.place.file, node.place.line, node.place.column + shift)
            scope.add(place, f"{what}: {error.message}")
            return None

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "string"}

    def __str__(self) -> str:
        return "dice, such as `2d6+1`"


class Conditions(Decoder[tuple[Condition, ...]]):
    """When something fits: levels by trait, and words by option; the value has roles, and numbers of words.

    The scope has the roles of traits (names of `trait`), their `scales`, and the words of `word options`.
    """

    blank = ()

    def read(self, node: Node, scope: Scope, what: str) -> tuple[Condition, ...]:
        traits, options = scope.names["trait"], scope.facts["word options"]
        if "trait" in scope.unsure:
            scope = replace(scope, problems=scope.naming("trait"))
        found: list[Condition] = []
        for key, value in fields(node, scope, what=what, may=(*traits, *options)).items():
            if key in traits:
                role = traits[key]
                asked = LevelRange(LOWEST, scale=scope.facts["scales"][role]).read(value, scope, f"fits: {key}")
                found.append((role, frozenset(range(asked.low, asked.high + 1))))
            else:
                words = options[key]
                picked = OneOrMore(ChoiceOf(words, key)).read(value, scope, f"fits: {key}")
                found.append((key, frozenset(words.index(word) for word in picked if word in words)))
        return tuple(found)

    def schema(self, definitions: Definitions) -> Schema:
        word = {"type": ["string", "integer"]}
        return {"type": "object", "additionalProperties": {"anyOf": [word, {"type": "array", "items": word}]}}

    def __str__(self) -> str:
        return "mapping: trait → range of levels, or option → its words"


class FreeMapping(Decoder[Mapping[Word, Data]]):
    """Any mapping, as plain data whose words keep their places."""

    blank = EMPTY

    def read(self, node: Node, scope: Scope, what: str) -> Mapping[Word, Data]:
        return branch(node, scope, what=what)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "object"}

    def __str__(self) -> str:
        return "mapping"


def tree(node: Node, scope: Scope) -> Data:
    """Return the node as plain data whose words keep their places; a repeated key is a problem."""
    if isinstance(node, Scalar):
        return Word(node.text, node.place)
    if isinstance(node, Sequence):
        return tuple(tree(item, scope) for item in node.items)
    return branch(node, scope, what="these values")


def branch(node: Node, scope: Scope, *, what: str) -> Mapping[Word, Data]:
    """Return a mapping as plain data whose words keep their places."""
    found = mapping_entries(node, scope, what=what, most=MOST_ENTRIES)
    return {Word(name, key.place): tree(value, scope) for name, (key, value) in found.items()}
