"""What procedures of TSGS take, and the dice read (ledger, section E): successes, snake eyes, boxcars, bonus dice.

A pool is read by what its faces do, so that odds branch on counts and not on faces. With a log the faces are asked for
one by one, because the table wants to see them; the same dice fall either way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from sheetgen.dice.source import Reading, Recorded, Scripted, classified
from sheetgen.rules.procedures.parameters import OneOf, Whole, Wrong
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure

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


@dataclass(frozen=True, slots=True)
class CountOutcome:
    """What the faces of a roll say before any bonus die."""

    successes: int
    ones: int
    sixes: int
    result: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one side of a roll stands: its result, the dice it has rolled, and the bonus dice it may still add."""

    result: int
    dice_rolled: int
    bonus_left: int

    def gained(self, result: int, dice: int) -> Standing:
        """The same after so many bonus dice, which brought so much."""
        return Standing(self.result + result, self.dice_rolled + dice, self.bonus_left - dice)


@procedure("TSG-002 TSG-033 TSG-034 TSG-035 TSG-040", say="successes, snake eyes and boxcars of dice as they lie")
def count(play: Play, *, pool: Dice | None = None) -> CountOutcome:
    """Successes, ones, sixes and the result of a pool, or of all dice that were typed in (`TSG-033` to `TSG-035`)."""
    if pool is None:
        dice = play.dice
        while isinstance(dice, Recorded):
            dice = dice.source
        if not isinstance(dice, Scripted):
            raise Wrong("pool", "is missing: say how many dice, or type the faces in")
        pool = len(dice.left)
    return _thrown(play, pool, "The roll")


def _thrown(play: Play, dice: int, who: str) -> CountOutcome:
    """A pool thrown and read; nothing is rolled for a pool of no dice (`TSG-033` to `TSG-035`, `TSG-Q12`)."""
    if not dice:
        play.tell(f"{who}: no dice to roll, result 0", "TSG-032")
        return CountOutcome(0, 0, 0, 0)
    faces, read = _read(play, dice, who)
    if play.log is not None:
        rules = ("TSG-033", *(["TSG-034"] if read.ones else []), *(["TSG-035"] if read.sixes else []))
        play.tell(f"{who}, {_counted(dice, 'die', 'dice')}: {faces} = {_in_words(read)}", *rules)
    return read


def _in_words(read: CountOutcome) -> str:
    text = _counted(read.successes, "success", "successes")
    if read.ones:
        text += f" − {read.ones} for {'a 1' if read.ones == 1 else '1s'} = {signed(read.result)}"
    if read.sixes:
        dice = "a bonus die" if read.sixes == 1 else f"{read.sixes} bonus dice"
        text += f"; {'the 6 allows' if read.sixes == 1 else 'the 6s allow'} {dice}"
    return text


def first_throw(play: Play, pool: int, who: str) -> Standing:
    """Where a side stands after its pool, before any bonus die; equal standings are one for odds."""
    read = _thrown(play, pool, who)
    return Standing(read.result, pool, read.sixes)


def bonus_die(play: Play, who: str) -> int:
    """What one bonus die brings: 1, 0 or −1; a six on it offers no more (`TSG-035`, `TSG-037` to `TSG-039`)."""
    faces, read = _read(play, 1, f"{who}, bonus die")
    if play.log is not None:
        brings = {1: "one success more", 0: "nothing more"}.get(read.result, "one success less")
        rules = ("TSG-038",) if read.ones else ("TSG-037", "TSG-039") if read.sixes else ("TSG-039",)
        play.tell(f"{who} adds a bonus die: {faces}, {brings}", *rules)
    return read.result


def with_bonus_die(play: Play, standing: Standing, who: str, side: str = "") -> Standing:
    """The standing after one more bonus die; Refused when no six is left to allow it (`TSG-035`, `TSG-037`).

    Odds follow rolls with any number of sixes, and take as many bonus dice as each allows.
    """
    if standing.bonus_left:
        return standing.gained(play.part(bonus_die, who), 1)
    if play.explores:
        return standing
    of = f" for side {side}" if side else ""
    raise Refused("too_many_bonus_dice", f"one bonus die too many{of}: each 6 of the pool allows one", "TSG-037")


def whole_throw(play: Play, pool: int, who: str) -> Standing:
    """Where a side stands that takes every bonus die, and so may roll each at once (`TSG-035`)."""
    standing = play.part(first_throw, pool, who)
    return standing.gained(play.part(_all_bonus_dice, standing.bonus_left, who), standing.bonus_left)


def _all_bonus_dice(play: Play, left: int, who: str) -> int:
    if not left:
        return 0
    return play.part(bonus_die, who) + play.part(_all_bonus_dice, left - 1, who)


def _read(play: Play, dice: int, purpose: str) -> tuple[str, CountOutcome]:
    """The faces in words, if a log wants them, and what they say."""
    values, text = play.values, ""
    sides = values.number("reading.sides")
    reading, effects = _effects(sides, *(values.at(f"reading.{name}") for name in ("success", "minus", "bonus")))
    if play.log is None:
        counts = play.dice.pool(dice, sides, reading, purpose)
    else:
        faces = play.dice.roll(dice, sides, purpose)
        counts, text = classified(faces, reading), ", ".join(map(str, faces))
    successes, ones, sixes = (
        sum(number for number, effect in zip(counts, effects, strict=True) if effect[kind]) for kind in range(3)
    )
    return text, CountOutcome(successes, ones, sixes, successes - ones)


@cache
def _effects(sides: int, *kinds: object) -> tuple[Reading, tuple[tuple[bool, ...], ...]]:
    """The faces grouped by what they do: whether they are a success, take one away, offer a bonus die."""
    groups: dict[tuple[bool, ...], list[int]] = {}
    for face in range(1, sides + 1):
        groups.setdefault(tuple(str(face) in kind for kind in kinds), []).append(face)  # type: ignore[operator]
    return tuple(map(tuple, groups.values())), tuple(groups)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def signed(number: int) -> str:
    """The number with a real minus sign."""
    return str(number).replace("-", "−")
