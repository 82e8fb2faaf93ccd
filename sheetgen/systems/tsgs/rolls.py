"""Opposed and static rolls (ledger, sections F and G), and who takes bonus dice when nobody scripts them.

The policies: `none` declines every bonus die; `all` takes every one, at once; `wise` takes them while the roll does not
go one's own way. Whoever is ahead, or has reached the difficulty, keeps what is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from sheetgen.rules.procedures.parameters import Whole, Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.tsgs.abilities import Level
from sheetgen.systems.tsgs.races import Gain, Race, SideName, final_lead, raced
from sheetgen.systems.tsgs.reading import (
    Dice,
    Standing,
    Taken,
    first_throw,
    signed,
    whole_throw,
    with_bonus_die,
)
from sheetgen.systems.tsgs.skills import Skill

Some = Annotated[int, Whole(0, 60)]
Points = Annotated[int, Whole(0, 99)]


@dataclass(frozen=True, slots=True)
class PoolOutcome:
    """How many dice are rolled."""

    dice: int


@dataclass(frozen=True, slots=True)
class Makings:
    """Everything that a pool is built from: a level, or the dice themselves, and what adds or takes."""

    level: str | None
    skill: str = "none"
    unskilled: int = 0
    bonuses: int = 0
    penalties: int = 0
    hampered: bool = False
    dice: int = 0

    def parts(self, play: Play) -> tuple[tuple[int, str, str], ...]:
        """Each part that counts, the first always: how many dice, what for, by which rule."""
        values = play.values
        first = (self.dice, "dice", "TSG-029")
        if self.level is not None:
            first = (values.number(f"levels.{self.level}.dice"), f"for {self.level}", "TSG-028")
        others = (
            (values.number(f"skills.dice.{self.skill}"), f"for skill {self.skill}", "TSG-030"),
            (-self.unskilled if self.skill == "none" else 0, "unskilled", "TSG-022"),
            (self.bonuses, "bonus", "TSG-031"),
            (-self.penalties, "penalty", "TSG-031"),
            (-values.number("pool.wound_penalty") * self.hampered, "wounded", "TSG-072"),
        )
        return (first, *(part for part in others if part[0]))


def makings_of(pool: int | None, level: str | None, path: str, **more: Any) -> Makings:
    """What a roll is built from: its dice as given or the level of an ability; Wrong unless it is just one of them."""
    if (pool is None) == (level is None):
        raise Wrong(f"{path}pool", "takes the number of dice, unless level says which level is rolled")
    return Makings(level, dice=pool or 0, **more)


def pool_of(play: Play, makings: Makings, who: str) -> int:
    """All parts added up, and only then kept from falling below none (`TSG-029` to `TSG-032`, `TSG-Q13`)."""
    parts = makings.parts(play)
    dice = max(sum(part[0] for part in parts), play.values.number("pool.least"))
    if play.log is not None and len(parts) > 1:
        first, *others = parts
        terms = [f"{first[0]} {first[1]}", *(f"{'−' if n < 0 else '+'} {abs(n)} {what}" for n, what, _ in others)]
        floor = ("TSG-032",) if sum(part[0] for part in parts) < dice else ()
        play.tell(f"{who}: {' '.join(terms)} = {dice} dice", *dict.fromkeys(part[2] for part in parts), *floor)
    return dice


@procedure(
    "TSG-012",
    "TSG-022",
    "TSG-028",
    "TSG-029",
    "TSG-030",
    "TSG-031",
    "TSG-032",
    "TSG-072",
    "TSG-073",
    "TSG-086",
    "TSG-087",
    say="how many dice a roll has",
)
def pool(
    play: Play,
    *,
    level: Level,
    skill: Skill = "none",
    unskilled: Some = 0,
    bonuses: Some = 0,
    penalties: Some = 0,
    wounds: Points = 0,
    physical: bool = False,
    against_wounds: bool = False,
) -> PoolOutcome:
    """The dice for a level with its skill and everything that adds or takes (`TSG-028` to `TSG-032`, `TSG-072`)."""
    hampered = wounds > 0 and physical and not against_wounds
    makings = Makings(level, skill, unskilled, bonuses, penalties, hampered)
    dice = pool_of(play, makings, "The pool")
    play.tell(f"Roll {dice} dice" if dice != 1 else "Roll 1 die", "TSG-028")
    return PoolOutcome(dice)


POLICIES = ("none", "all", "wise")
Difficulty = Annotated[int, Whole(0, 99)]
Winner = Literal["a", "b", "none"]
BonusOrder = tuple[SideName, ...] | None
Ends = tuple[Standing, Standing]
Throw = Callable[[Play, int, str], Standing]


@dataclass(frozen=True, slots=True)
class Roller:
    """Whoever rolls: the pool, or the level and all else that the pool is built from."""

    pool: Dice | None = None
    level: Level | None = None
    skill: Skill = "none"
    unskilled: Some = 0
    bonuses: Some = 0
    penalties: Some = 0
    wounds: Points = 0
    physical: bool = False
    against_wounds: bool = False

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
class Side(Roller):
    """One side of an opposed roll."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class StaticOutcome:
    """A roll against a difficulty."""

    result: int
    dice_rolled: int
    success: bool
    bonus_left: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who wins an opposed roll, and by what."""

    winner: Winner
    decided_by: Literal["result", "dice", "tie"]


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
@taking(Roller)
def static(play: Play, roller: Roller, *, difficulty: Difficulty, bonus_taken: Taken = None) -> StaticOutcome:
    """Whether a pool reaches the difficulty (`TSG-044`); `bonus_taken` of the bonus dice, or as the policy says."""
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
    if play.asked_for("winner", "decided_by"):
        found = play.part(verdict, pools, bonus_order, names)
        play.settled(winner=found.winner, decided_by=found.decided_by)
    return play.part(_contest, pools, bonus_order, names)


def _contest(play: Play, pools: tuple[int, int], bonus_order: BonusOrder, names: tuple[str, str]) -> OpposedOutcome:
    ends = _rolled(play, pools, bonus_order, names, None, whole=True)
    found = _decided(play, *ends, names)
    return OpposedOutcome(*ends, found.winner, found.decided_by)


def verdict(
    play: Play,
    pools: tuple[int, int],
    bonus_order: BonusOrder,
    names: tuple[str, str],
    level_is_enough: SideName | None = None,
) -> Verdict:
    """Who wins an opposed roll; `level_is_enough` names the side that a dead-level end serves.

    Where nobody reads the dice, no more is kept of them than how far the sides are apart: odds have less to follow.
    """
    ends = _rolled(play, pools, bonus_order, names, level_is_enough, whole=play.log is not None)
    return _decided(play, *ends, names)


def _rolled(
    play: Play,
    pools: tuple[int, int],
    bonus_order: BonusOrder,
    names: tuple[str, str],
    level_is_enough: SideName | None,
    *,
    whole: bool,
) -> Ends:
    """Where both sides end: their pools, and then the bonus dice as scripted, or by the policy."""
    thrown, wisely = (_thrown, _wisely) if whole else (_thrown_apart, _wisely_apart)
    if bonus_order is not None:
        return _scripted(play, *thrown(play, first_throw, pools, names), bonus_order, names)
    return play.decide(
        {
            "none": lambda: thrown(play, first_throw, pools, names),
            "all": lambda: thrown(play, whole_throw, pools, names),
            "wise": lambda: wisely(play, *thrown(play, first_throw, pools, names), names, level_is_enough),
        },
        "bonus dice",
    )


def _thrown(play: Play, throw: Throw, pools: tuple[int, int], names: tuple[str, str]) -> Ends:
    return play.part(throw, pools[0], names[0]), play.part(throw, pools[1], names[1])


def _thrown_apart(play: Play, throw: Throw, pools: tuple[int, int], names: tuple[str, str]) -> Ends:
    return play.part(_apart, throw, pools, names)


def _apart(play: Play, throw: Throw, pools: tuple[int, int], names: tuple[str, str]) -> Ends:
    """The simplest two standings that are as far apart as those thrown."""
    a, b = _thrown(play, throw, pools, names)
    return Standing(*_lead(a, b), a.bonus_left), Standing(0, 0, b.bonus_left)


def _wisely(play: Play, a: Standing, b: Standing, names: tuple[str, str], level_is_enough: SideName | None) -> Ends:
    race = Race(_lead(a, b), a.bonus_left, b.bonus_left, level_is_enough)
    by_a, by_b = play.part(raced, race, names)
    return a.gained(*by_a), b.gained(*by_b)


def _wisely_apart(
    play: Play, a: Standing, b: Standing, names: tuple[str, str], level_is_enough: SideName | None
) -> Ends:
    race = Race(_lead(a, b), a.bonus_left, b.bonus_left, level_is_enough)
    return Standing(*play.part(final_lead, race, names), 0), Standing(0, 0, 0)


def _scripted(
    play: Play, a: Standing, b: Standing, order: tuple[SideName, ...], names: tuple[str, str]
) -> tuple[Standing, Standing]:
    for side in order:
        if side == "a":
            a = with_bonus_die(play, a, names[0], "a")
        else:
            b = with_bonus_die(play, b, names[1], "b")
    return a, b


def _lead(own: Standing, other: Standing) -> Gain:
    return Gain(own.result - other.result, own.dice_rolled - other.dice_rolled)


def _decided(play: Play, a: Standing, b: Standing, names: tuple[str, str]) -> Verdict:
    """Higher result, then more dice, then nobody (`TSG-041` to `TSG-043`)."""
    score = f"{names[0]} {signed(a.result)}, {names[1]} {signed(b.result)}"
    if a.result != b.result:
        winner: SideName = "a" if a.result > b.result else "b"
        play.tell(f"{score}: {names[winner == 'b']} wins", "TSG-041")
        return Verdict(winner, "result")
    dice = f"{a.dice_rolled} against {b.dice_rolled} dice"
    if a.dice_rolled != b.dice_rolled:
        winner = "a" if a.dice_rolled > b.dice_rolled else "b"
        play.tell(f"{score}, {dice}: {names[winner == 'b']} wins by dice", "TSG-042")
        return Verdict(winner, "dice")
    play.tell(f"{score}, {dice}: a tie", "TSG-043")
    return Verdict("none", "tie")
