"""Opposed and static rolls (ledger, sections D, F and G), and who takes bonus dice when nobody scripts them.

The policies: `none` declines every bonus die; `all` takes every one, at once; `wise` takes them while the roll does not
go one's own way. Whoever is ahead, or has reached the difficulty, keeps what is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from sheetgen.rules.procedures.parameters import Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.tsgs.dice_pool import (
    POLICIES,
    BonusOrder,
    Count,
    Dice,
    Level,
    SideName,
    Skill,
    Standing,
    bonus_die,
    first_throw,
    signed,
    whole_throw,
    with_bonus_die,
)

Winner = Literal["a", "b", "none"]
Decider = Literal["result", "dice", "tie"]
Throw = Callable[[Play, int, str], Standing]
Pools = tuple[int, int]
Names = tuple[str, str]
Ends = tuple[Standing, Standing]


@dataclass(frozen=True, slots=True)
class Roller:
    """Whoever rolls: the pool, or the level of an ability and all else that the pool is built from."""

    pool: Dice | None = None
    level: Level | None = None
    skill: Skill = "none"
    unskilled: Dice = 0
    bonuses: Dice = 0
    penalties: Dice = 0
    wounds: Count = 0
    physical: bool = False
    against_wounds: bool = False


@dataclass(frozen=True, slots=True)
class Side(Roller):
    """One side of an opposed roll."""

    name: str = ""


class Attempt(NamedTuple):
    """The dice of a roll against wounds, and how it went."""

    pool: int
    result: int
    dice_rolled: int
    bonus_left: int
    success: bool


class Verdict(NamedTuple):
    """Who wins an opposed roll, and by what."""

    winner: Winner
    decided_by: Decider


@procedure(
    "TSG-012 TSG-022 TSG-028 TSG-029 TSG-030 TSG-031 TSG-032 TSG-072 TSG-073 TSG-086 TSG-087",
    say="how many dice a roll has",
    results="dice",
)
def pool(
    play: Play,
    *,
    level: Level,
    skill: Skill = "none",
    unskilled: Dice = 0,
    bonuses: Dice = 0,
    penalties: Dice = 0,
    wounds: Count = 0,
    physical: bool = False,
    against_wounds: bool = False,
) -> int:
    """The dice for a level with its skill and everything that adds or takes (`TSG-028` to `TSG-032`, `TSG-072`)."""
    roller = Roller(None, level, skill, unskilled, bonuses, penalties, wounds, physical, against_wounds)
    dice = pool_of(play, roller, "The pool")
    play.tell(f"Roll {dice} dice" if dice != 1 else "Roll 1 die", "TSG-028")
    return dice


def pool_of(play: Play, roller: Roller, who: str) -> int:
    """All parts added up, and only then kept from falling below none (`TSG-029` to `TSG-032`, `TSG-Q13`)."""
    parts = _pool_parts(play, roller)
    total = sum(part[0] for part in parts)
    dice = max(total, play.values.number("pool.least"))
    if play.log is not None and len(parts) > 1:
        first, *others = parts
        terms = [f"{first[0]} {first[1]}", *(f"{'−' if n < 0 else '+'} {abs(n)} {what}" for n, what, _ in others)]
        floor = ("TSG-032",) if total < dice else ()
        rules = dict.fromkeys((*(part[2] for part in parts), *floor))
        play.tell(f"{who}: {' '.join(terms)} = {dice} {'die' if dice == 1 else 'dice'}", *rules)
    return dice


def _pool_parts(play: Play, roller: Roller) -> tuple[tuple[int, str, str], ...]:
    """Each part of a pool that counts, the first always: how many dice, what for, by which rule."""
    values, skill = play.values, roller.skill
    first = (roller.pool or 0, "dice", "TSG-029")
    if roller.level is not None:
        first = (values.number(f"levels.{roller.level}.dice"), f"for {roller.level}", "TSG-028")
    hampered = roller.wounds > 0 and roller.physical and not roller.against_wounds
    others = (
        (values.number(f"skills.dice.{skill}"), f"for skill {skill}", "TSG-030"),
        (-roller.unskilled if skill == "none" else 0, "unskilled", "TSG-022"),
        (roller.bonuses, "bonus", "TSG-031"),
        (-roller.penalties, "penalty", "TSG-031"),
        (-values.number("pool.wound_penalty") * hampered, "wounded", "TSG-072"),
    )
    return (first, *(part for part in others if part[0]))


def _checked_pool(play: Play, roller: Roller, path: str, who: str) -> int:
    """The dice of a pool as given or built from a level; Wrong unless it is just one of them."""
    if (roller.pool is None) == (roller.level is None):
        raise Wrong(f"{path}pool", "takes the number of dice, unless level says which level is rolled")
    return pool_of(play, roller, who)


@procedure(
    "TSG-004 TSG-035 TSG-037 TSG-038 TSG-039 TSG-040 TSG-044 TSG-H4",
    say="a roll against a difficulty that the GM sets",
    results="result dice_rolled success bonus_left",
    policies=POLICIES,
)
@taking(Roller)
def static(
    play: Play, roller: Roller, *, difficulty: Count, again: Count = 0, bonus_taken: Dice | None = None
) -> tuple[int, int, bool, int]:
    """Whether a pool reaches the difficulty (`TSG-044`); `bonus_taken` of the bonus dice, or as the policy says.

    Each time that the same was tried before, `again`, takes dice (`TSG-H4`).
    """
    if again:
        less = again * play.values.number("house.again")
        play.tell(f"Tried before: −{less}", "TSG-H4")
        roller = replace(roller, penalties=roller.penalties + less)
    end = _rolled_against(play, _checked_pool(play, roller, "", "The pool"), difficulty, bonus_taken, "The roll")
    return end.result, end.dice_rolled, end.result >= difficulty, end.bonus_left


def attempt(play: Play, roller: Roller, difficulty: int, bonus_taken: int | None, who: str) -> Attempt:
    """A roll by somebody against a difficulty, from the pool on."""
    dice = pool_of(play, roller, who)
    end = _rolled_against(play, dice, difficulty, bonus_taken, who)
    return Attempt(dice, end.result, end.dice_rolled, end.bonus_left, end.result >= difficulty)


def _rolled_against(play: Play, dice: int, difficulty: int, bonus_taken: int | None, who: str) -> Standing:
    end = play.part(_against, dice, difficulty, bonus_taken, who)
    verdict = "success" if end.result >= difficulty else "failure"
    play.tell(f"{who}: {signed(end.result)} against {difficulty}: {verdict}", "TSG-044")
    return end


def _against(play: Play, dice: int, difficulty: int, bonus_taken: int | None, who: str) -> Standing:
    if bonus_taken is not None:
        standing = play.part(first_throw, dice, who)
        for _ in range(bonus_taken):
            standing = with_bonus_die(play, standing, who)
        return standing
    return play.decide(
        {
            "none": lambda: play.part(first_throw, dice, who),
            "all": lambda: play.part(whole_throw, dice, who),
            "wise": lambda: play.part(_until_reached, play.part(first_throw, dice, who), difficulty, who),
        },
        "bonus dice",
    )


def _until_reached(play: Play, standing: Standing, difficulty: int, who: str) -> Standing:
    if standing.result >= difficulty or not standing.bonus_left:
        return standing
    return play.part(_until_reached, with_bonus_die(play, standing, who), difficulty, who)


@procedure(
    "TSG-004 TSG-035 TSG-036 TSG-037 TSG-038 TSG-039 TSG-040 TSG-041 TSG-042 TSG-043",
    say="one pool against another",
    results="a b winner decided_by",
    policies=POLICIES,
)
def opposed(
    play: Play, *, a: Side, b: Side, bonus_order: BonusOrder = None
) -> tuple[Standing, Standing, Winner, Decider]:
    """Who wins (`TSG-041` to `TSG-043`); bonus dice in `bonus_order`, all others declined, or as the policy says."""
    names = a.name or "Side a", b.name or "Side b"
    pools = _checked_pool(play, a, "a.", names[0]), _checked_pool(play, b, "b.", names[1])
    if play.asked_for("winner", "decided_by"):
        found = play.part(verdict, pools, bonus_order, names)
        play.settled(winner=found.winner, decided_by=found.decided_by)
    return play.part(_contest, pools, bonus_order, names)


def _contest(
    play: Play, pools: Pools, bonus_order: BonusOrder, names: Names
) -> tuple[Standing, Standing, Winner, Decider]:
    ends = _ends(play, pools, bonus_order, names, None, whole=True)
    return (*ends, *_decided(play, *ends, names))


def verdict(
    play: Play, pools: Pools, bonus_order: BonusOrder, names: Names, level_is_enough: SideName | None = None
) -> Verdict:
    """Who wins an opposed roll; `level_is_enough` names the side that a dead-level end serves.

    Where nobody reads the dice, no more is kept of them than how far the sides are apart: odds have less to follow.
    """
    return _decided(play, *_ends(play, pools, bonus_order, names, level_is_enough, whole=play.log is not None), names)


def _ends(
    play: Play, pools: Pools, bonus_order: BonusOrder, names: Names, level_is_enough: SideName | None, *, whole: bool
) -> Ends:
    """Where both sides end, with all their dice or just as far apart: pools, then bonus dice as scripted or decided."""

    def thrown(throw: Throw) -> Ends:
        return _thrown(play, throw, pools, names) if whole else play.part(_thrown_apart, throw, pools, names)

    def wisely() -> Ends:
        a, b = thrown(first_throw)
        race = Race(_lead(a, b), a.bonus_left, b.bonus_left, level_is_enough)
        if not whole:
            return Standing(*play.part(_final_lead, race, names), 0), Standing(0, 0, 0)
        by_a, by_b = play.part(_raced, race, names)
        return a.gained(*by_a), b.gained(*by_b)

    if bonus_order is None:
        ways = {"none": lambda: thrown(first_throw), "all": lambda: thrown(whole_throw), "wise": wisely}
        return play.decide(ways, "bonus dice")
    a, b = thrown(first_throw)
    for side in bonus_order:
        if side == "a":
            a = with_bonus_die(play, a, names[0], "a")
        else:
            b = with_bonus_die(play, b, names[1], "b")
    return a, b


def _thrown(play: Play, throw: Throw, pools: Pools, names: Names) -> Ends:
    return play.part(throw, pools[0], names[0]), play.part(throw, pools[1], names[1])


def _thrown_apart(play: Play, throw: Throw, pools: Pools, names: Names) -> Ends:
    """The simplest two standings that are as far apart as those thrown."""
    a, b = _thrown(play, throw, pools, names)
    return Standing(*_lead(a, b), a.bonus_left), Standing(0, 0, b.bonus_left)


def _decided(play: Play, a: Standing, b: Standing, names: Names) -> Verdict:
    """Higher result, then more dice, then nobody (`TSG-041` to `TSG-043`)."""
    score = f"{names[0]} {signed(a.result)}, {names[1]} {signed(b.result)}"
    lead, dice = _lead(a, b), f"{a.dice_rolled} against {b.dice_rolled} dice"
    winner: SideName = "a" if lead > NOTHING else "b"
    if lead.result:
        play.tell(f"{score}: {names[winner == 'b']} wins", "TSG-041")
        return Verdict(winner, "result")
    if lead.dice:
        play.tell(f"{score}, {dice}: {names[winner == 'b']} wins by dice", "TSG-042")
        return Verdict(winner, "dice")
    play.tell(f"{score}, {dice}: a tie", "TSG-043")
    return Verdict("none", "tie")


# Bonus dice taken wisely (`TSG-Q9`): each side adds dice while it is not ahead, the one behind first. Nothing counts
# but how far the sides are apart, so that odds work each such race out once.


class Gain(NamedTuple):
    """A result, and how many dice it was rolled with: of one side, or what one side has more than the other."""

    result: int
    dice: int

    def plus(self, other: Gain) -> Gain:
        """Both together."""
        return Gain(self.result + other.result, self.dice + other.dice)

    def reversed(self) -> Gain:
        """The lead as the other side sees it."""
        return Gain(-self.result, -self.dice)


NOTHING = Gain(0, 0)


def _lead(own: Standing, other: Standing) -> Gain:
    return Gain(own.result - other.result, own.dice_rolled - other.dice_rolled)


@dataclass(frozen=True, slots=True)
class Race:
    """Two sides that may add dice: what `a` has more than `b`, the dice each has left, and whom a dead level serves."""

    lead: Gain
    a_left: int
    b_left: int
    level_serves: SideName | None

    def turn(self) -> SideName | None:
        """Who adds a die now, if anybody does; on a dead level the starter is asked first."""
        if self.a_left and self.lead < (0, self.level_serves != "a"):
            return "a"
        return "b" if self.b_left and self.lead.reversed() < (0, self.level_serves != "b") else None

    def after(self, side: SideName, gain: Gain) -> Race:
        """The race once a side has added dice."""
        if side == "a":
            return Race(self.lead.plus(gain), self.a_left - gain.dice, self.b_left, self.level_serves)
        return Race(self.lead.plus(gain.reversed()), self.a_left, self.b_left - gain.dice, self.level_serves)


def _raced(play: Play, race: Race, names: Names) -> tuple[Gain, Gain]:
    """What the dice that each side adds bring it."""
    side = race.turn()
    if side is None:
        return NOTHING, NOTHING
    gain = Gain(play.part(bonus_die, names[side == "b"]), 1)
    by_a, by_b = play.part(_raced, race.after(side, gain), names)
    return (gain.plus(by_a), by_b) if side == "a" else (by_a, gain.plus(by_b))


def _final_lead(play: Play, race: Race, names: Names) -> Gain:
    """Who leads in the end, by the smallest lead of the same side: by result, else by dice (`TSG-041`, `TSG-042`)."""
    side = race.turn()
    if side is None:
        result, dice = (min(max(part, -1), 1) for part in race.lead)
        return Gain(result, 0 if result else dice)
    gain = Gain(play.part(bonus_die, names[side == "b"]), 1)
    return play.part(_final_lead, race.after(side, gain), names)
