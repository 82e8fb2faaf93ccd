"""What the procedures of TSGS take, by the names that the rules have for it."""

from __future__ import annotations

from typing import Annotated, Literal

from sheetgen.rules.procedures.parameters import OneOf, Whole

Level = Annotated[str, OneOf("levels")]
Ability = Annotated[str, OneOf("pairs")]
Skill = Annotated[str, OneOf("skills.dice")]
NORMAL: Level = "Normal"

Dice = Annotated[int, Whole(0, 60)]
Count = Annotated[int, Whole(0, 99)]
Digit = Annotated[int, Whole(0, 9)]
Lasting = Annotated[int, Whole(1, 60)]
Injury = Annotated[int, Whole(1, 99)]

SideName = Literal["a", "b"]
BonusOrder = tuple[SideName, ...] | None
POLICIES = ("none", "all", "wise")

Kind = Literal["pc", "npc"]
AttackKind = Literal["melee", "thrown", "missile", "barehanded"]
Condition = Literal["fine", "wounded", "unconscious", "dying"]
Cause = Literal["sleep", "treatment"]
AttackMove = Literal["before_attack", "after_attack"]
HoldMove = Literal["initiative", "before_action", "after_action"]
