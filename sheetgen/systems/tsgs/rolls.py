"""Opposed and static rolls (ledger, sections F and G), and who takes bonus dice when nobody scripts them.

The policies: `none` declines every bonus die; `all` takes every one, at once; `wise` takes them while the roll does not
go one's own way. Whoever is ahead, or has reached the difficulty, keeps what is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from sheetgen.rules.parameters import Whole
from sheetgen.rules.play import Play
from sheetgen.rules.procedure import procedure
from sheetgen.systems.tsgs.abilities import Level
from sheetgen.systems.tsgs.pools import Points, Some, makings_of, pool_of
from sheetgen.systems.tsgs.reading import (
    Dice,
    Standing,
    Taken,
    bonus_die,
    first_throw,
    signed,
    whole_throw,
    with_bonus_die,
)
from sheetgen.systems.tsgs.skills import Skill

POLICIES = ("none", "all", "wise")
Difficulty = Annotated[int, Whole(0, 99)]
SideName = Literal["a", "b"]
Winner = Literal["a", "b", "none"]
BonusOrder = tuple[SideName, ...] | None
Lead = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an opposed roll: its pool, or the level and all else that the pool is built from."""

    pool: Dice | None = None
    level: Level | None = None
    skill: Skill = "none"
    unskilled: Some = 0
    bonuses: Some = 0
    penalties: Some = 0
    wounds: Points = 0
    physical: bool = False
    against_wounds: bool = False
    name: str = ""

    def dice(self, play: Play, path: str, who: str) -> int:
        """How many dice it rolls."""
        hampered = self.wounds > 0 and self.physical and not self.against_wounds
        makings = makings_of(
            self.pool,
            self.level,
            path,
            skill=self.skill,
            unskilled=self.unskilled,
            bonuses=self.bonuses,
            penalties=self.penalties,
            hampered=hampered,
        )
        return pool_of(play, makings, who)


@dataclass(frozen=True, slots=True)
class StaticOutcome:
    """A roll against a difficulty."""

    result: int
    dice_rolled: int
    success: bool
    bonus_left: int


@dataclass(frozen=True, slots=True)
class OpposedOutcome:
    """A roll of two sides against each other: where each ends, who wins, and by what."""

    a: Standing
    b: Standing
    winner: Winner
    decided_by: Literal["result", "dice", "tie"]


@procedure(
    "TSG-004",
    "TSG-035",
    "TSG-037",
    "TSG-038",
    "TSG-039",
    "TSG-040",
    "TSG-044",
    say="a roll against a difficulty that the GM sets",
    policies=POLICIES,
)
def static(
    play: Play,
    *,
    pool: Dice | None = None,
    difficulty: Difficulty,
    bonus_taken: Taken = None,
    level: Level | None = None,
    skill: Skill = "none",
    unskilled: Some = 0,
    bonuses: Some = 0,
    penalties: Some = 0,
    wounds: Points = 0,
    physical: bool = False,
    against_wounds: bool = False,
) -> StaticOutcome:
    """Whether a pool reaches the difficulty (`TSG-044`); `bonus_taken` of the bonus dice, or as the policy says."""
    roller = Side(pool, level, skill, unskilled, bonuses, penalties, wounds, physical, against_wounds)
    return rolled(play, roller.dice(play, "", "The pool"), difficulty, bonus_taken, "The roll")


def rolled(play: Play, pool: int, difficulty: int, bonus_taken: int | None, who: str) -> StaticOutcome:
    """A static roll by somebody."""
    standing = play.part(_static, pool, difficulty, bonus_taken, who)
    success = standing.result >= difficulty
    verdict = "success" if success else "failure"
    play.tell(f"{who}: {signed(standing.result)} against {difficulty}: {verdict}", "TSG-044")
    return StaticOutcome(standing.result, standing.dice_rolled, success, standing.bonus_left)


def _static(play: Play, pool: int, difficulty: int, bonus_taken: int | None, who: str) -> Standing:
    if bonus_taken is not None:
        standing = play.part(first_throw, pool, who)
        for _ in range(bonus_taken):
            standing = with_bonus_die(play, standing, who)
        return standing
    return play.decide(
        {
            "none": lambda: play.part(first_throw, pool, who),
            "all": lambda: play.part(whole_throw, pool, who),
            "wise": lambda: play.part(_until_reached, play.part(first_throw, pool, who), difficulty, who),
        },
        "bonus dice",
    )


def _until_reached(play: Play, standing: Standing, difficulty: int, who: str) -> Standing:
    if standing.result >= difficulty or not standing.bonus_left:
        return standing
    return play.part(_until_reached, with_bonus_die(play, standing, who), difficulty, who)


@procedure(
    "TSG-004",
    "TSG-035",
    "TSG-036",
    "TSG-037",
    "TSG-038",
    "TSG-039",
    "TSG-040",
    "TSG-041",
    "TSG-042",
    "TSG-043",
    say="one pool against another",
    policies=POLICIES,
)
def opposed(play: Play, *, a: Side, b: Side, bonus_order: BonusOrder = None) -> OpposedOutcome:
    """Who wins (`TSG-041` to `TSG-043`); bonus dice in `bonus_order`, all others declined, or as the policy says."""
    names = a.name or "Side a", b.name or "Side b"
    pools = a.dice(play, "a.", names[0]), b.dice(play, "b.", names[1])
    return play.part(contest, pools, bonus_order, names)


def contest(
    play: Play,
    pools: tuple[int, int],
    bonus_order: BonusOrder,
    names: tuple[str, str],
    level_is_enough: SideName | None = None,
) -> OpposedOutcome:
    """An opposed roll between two named sides; `level_is_enough` names the side that a dead-level end serves."""
    if bonus_order is not None:
        a, b = _scripted(play, *_thrown(play, first_throw, pools, names), bonus_order, names)
    else:
        a, b = play.decide(
            {
                "none": lambda: _thrown(play, first_throw, pools, names),
                "all": lambda: _thrown(play, whole_throw, pools, names),
                "wise": lambda: _wisely(play, *_thrown(play, first_throw, pools, names), names, level_is_enough),
            },
            "bonus dice",
        )
    return _decided(play, a, b, names)


def _thrown(
    play: Play, throw: Callable[[Play, int, str], Standing], pools: tuple[int, int], names: tuple[str, str]
) -> tuple[Standing, Standing]:
    return play.part(throw, pools[0], names[0]), play.part(throw, pools[1], names[1])


def _scripted(
    play: Play, a: Standing, b: Standing, order: tuple[SideName, ...], names: tuple[str, str]
) -> tuple[Standing, Standing]:
    for side in order:
        if side == "a":
            a = with_bonus_die(play, a, names[0], "a")
        else:
            b = with_bonus_die(play, b, names[1], "b")
    return a, b


def _wisely(
    play: Play, a: Standing, b: Standing, names: tuple[str, str], level_is_enough: SideName | None
) -> tuple[Standing, Standing]:
    """Each side adds dice while it is not ahead: the one behind first, on a dead level the starter (`TSG-Q9`)."""
    while True:
        if a.bonus_left and not _will_do(_lead(a, b), level_is_enough == "a"):
            a = _chased(play, a, b, names[0], level_is_enough == "a")
        elif b.bonus_left and not _will_do(_lead(b, a), level_is_enough == "b"):
            starter_is_asked = bool(a.bonus_left) and level_is_enough != "a"
            b = _chased(play, b, a, names[1], level_is_enough == "b" or starter_is_asked)
        else:
            return a, b


def _lead(own: Standing, other: Standing) -> Lead:
    return own.result - other.result, own.dice_rolled - other.dice_rolled


def _will_do(lead: Lead, level_is_enough: bool) -> bool:
    return lead >= ((0, 0) if level_is_enough else (0, 1))


def _chased(play: Play, own: Standing, other: Standing, who: str, level_is_enough: bool) -> Standing:
    return own.gained(*play.part(_chase, _lead(own, other), own.bonus_left, who, level_is_enough))


def _chase(play: Play, lead: Lead, left: int, who: str, level_is_enough: bool) -> tuple[int, int]:
    """What bonus dice bring a side with that lead, and how many it takes until the lead will do or none is left."""
    if not left or _will_do(lead, level_is_enough):
        return 0, 0
    brought = play.part(bonus_die, who)
    more, used = play.part(_chase, (lead[0] + brought, lead[1] + 1), left - 1, who, level_is_enough)
    return brought + more, used + 1


def _decided(play: Play, a: Standing, b: Standing, names: tuple[str, str]) -> OpposedOutcome:
    """Higher result, then more dice, then nobody (`TSG-041` to `TSG-043`)."""
    score = f"{names[0]} {signed(a.result)}, {names[1]} {signed(b.result)}"
    if a.result != b.result:
        winner: SideName = "a" if a.result > b.result else "b"
        play.tell(f"{score}: {names[winner == 'b']} wins", "TSG-041")
        return OpposedOutcome(a, b, winner, "result")
    dice = f"{a.dice_rolled} against {b.dice_rolled} dice"
    if a.dice_rolled != b.dice_rolled:
        winner = "a" if a.dice_rolled > b.dice_rolled else "b"
        play.tell(f"{score}, {dice}: {names[winner == 'b']} wins by dice", "TSG-042")
        return OpposedOutcome(a, b, winner, "dice")
    play.tell(f"{score}, {dice}: a tie", "TSG-043")
    return OpposedOutcome(a, b, "none", "tie")
