"""What the parameters of GeneSix take, and how numbers and words are told."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from sheetgen.rules.procedures.parameters import OneOf, Whole

Rating: TypeAlias = Annotated[int, Whole(-99, 99)]
Count: TypeAlias = Annotated[int, Whole(0, 99)]
Marks: TypeAlias = Annotated[int, Whole(0, 999)]
Capacity: TypeAlias = Annotated[int, Whole(1, 999)]
Delta: TypeAlias = Annotated[int, Whole(-999, 999)]
Face: TypeAlias = Annotated[int, Whole(1, 6)]
Most: TypeAlias = Annotated[int, Whole(1, 60)]
Players: TypeAlias = Annotated[int, Whole(1, 99)]
Difficulty: TypeAlias = Annotated[int, Whole(-99, 99)] | Annotated[str, OneOf("difficulty")]
Threshold: TypeAlias = Capacity | Annotated[str, OneOf("challenge.sizes")]
Band: TypeAlias = Annotated[str, OneOf("range")]
Row: TypeAlias = Annotated[str, OneOf("rows")]
Effect: TypeAlias = Annotated[str, OneOf("effects")]
Tag: TypeAlias = Annotated[str, OneOf("tags")]
Hold: TypeAlias = Annotated[str, OneOf("holds")]
Size: TypeAlias = Annotated[str, OneOf("load")]
Action: TypeAlias = Annotated[str, OneOf("actions")]
Grade: TypeAlias = Annotated[str, OneOf("creation.grades")]
Event: TypeAlias = Annotated[str, OneOf("recovery")]
Use: TypeAlias = Annotated[str, OneOf("luck.uses")]
Mode: TypeAlias = Literal["normal", "advantage", "disadvantage"]
Side: TypeAlias = Literal["pc", "npc"]
Spender: TypeAlias = Literal["players", "gm"]
Track: TypeAlias = Literal["wounds", "stress"]


def spoken(word: str) -> str:
    """A reading or an effect as people say it: `critical_failure` is a critical failure."""
    return word.replace("_", " ")


def counted(number: int, thing: str) -> str:
    """A count with its noun: `1 point`, `3 points`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
