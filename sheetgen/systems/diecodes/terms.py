"""What the procedures of Die Codes take, by the names that the rules have for it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from sheetgen.rules.procedures.parameters import OneOf, Whole

NONE = "none"
MOST_DICE = 100

Dice = Annotated[int, Whole(-MOST_DICE, MOST_DICE)]
Pips = Annotated[int, Whole(-3 * MOST_DICE, 3 * MOST_DICE)]
Raise = Annotated[int, Whole(-99, 99)]
Count = Annotated[int, Whole(0, 99)]
Uses = Annotated[int, Whole(1, 99)]

Scale = Literal["task", "range"]
Total = Annotated[int, Whole(-999, 999)]
Number: TypeAlias = Total | Annotated[str, OneOf("bands.task")] | Annotated[str, OneOf("bands.range")]
Wild = Literal["table", "chat"]
Manner = Annotated[str, OneOf("luck.back")]
