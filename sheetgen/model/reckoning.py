"""Procedures that a pack states in formulas: what they take, refuse, work out and tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sheetgen.errors import Place
from sheetgen.model.data import Data, Word

RECKONING = "reckoning"  # the family of them, as `play` names it

Operand: TypeAlias = "Word | Formula"


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
