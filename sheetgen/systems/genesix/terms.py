"""The kinds of parameters that GeneSix procedures take, and how procedures share parameters and results."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from sheetgen.rules.procedures.parameters import OneOf, Whole

T = TypeVar("T")

Rating: TypeAlias = Annotated[int, Whole(-99, 99)]
Count: TypeAlias = Annotated[int, Whole(0, 99)]
Marks: TypeAlias = Annotated[int, Whole(0, 999)]
Capacity: TypeAlias = Annotated[int, Whole(1, 999)]
Delta: TypeAlias = Annotated[int, Whole(-999, 999)]
Face: TypeAlias = Annotated[int, Whole(1, 6)]
Difficulty: TypeAlias = Annotated[int, Whole(-99, 99)] | Annotated[str, OneOf("difficulty")]
Band: TypeAlias = Annotated[str, OneOf("range")]
Row: TypeAlias = Annotated[str, OneOf("rows")]
Effect: TypeAlias = Annotated[str, OneOf("effects")]
Tag: TypeAlias = Annotated[str, OneOf("tags")]
Hold: TypeAlias = Annotated[str, OneOf("holds")]
Mode: TypeAlias = Literal["normal", "advantage", "disadvantage"]
Side: TypeAlias = Literal["pc", "npc"]
Track: TypeAlias = Literal["wounds", "stress"]


def results(outcome: Any) -> dict[str, Any]:
    """The results of an outcome by name, for the outcome of a procedure that contains the other."""
    return {each.name: getattr(outcome, each.name) for each in fields(outcome)}


def signed(number: int, name: str) -> str:
    """A modifier as it is said at the table: `+ Attribute 2`, `- Approach 1`."""
    return f"{'-' if number < 0 else '+'} {name} {abs(number)}"


def counted(number: int, thing: str) -> str:
    """A count with its noun: `1 point`, `3 points`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
