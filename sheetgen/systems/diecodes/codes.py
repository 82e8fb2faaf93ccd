"""Die codes (ledger part B), how 3d+2 is read, written and reckoned, and the luck (part F) that doubles them.

Inside the engine a code is its worth in pips, three to the die; what is worth less than one die is no code at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from sheetgen.errors import quoted
from sheetgen.model.system import System
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure

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


_WRITTEN = re.compile(r"([1-9][0-9]{0,2})d(?:\+([0-9]))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Codes:
    """How this pack writes codes: so many pips make a die (`DIE-009`)."""

    per_die: int

    def read(self, text: str, what: str, *, empty: bool = False) -> int:
        """The worth in pips of a written code; Refused names `what` is wrong. With `empty`, `none` is worth nothing."""
        word = text.strip()
        if empty and word == NONE:
            return 0
        match = _WRITTEN.fullmatch(word)
        plus = match and match[2]
        if not match or int(match[1]) > MOST_DICE or (plus and not 1 <= int(plus) < self.per_die):
            or_none = f", or {NONE}" if empty else ""
            takes = f"takes a die code such as 3d or 3d+{self.per_die - 1}{or_none}"
            raise Refused("code", f"{what}: {takes}, not {quoted(text)}", "DIE-Q31")
        return self.per_die * int(match[1]) + int(plus or 0)

    def write(self, pips: int) -> str:
        """The code of that worth, or `none` when it does not come to a die (`DIE-Q1`)."""
        return self.raised(pips) if pips >= self.per_die else NONE

    def raised(self, pips: int) -> str:
        """So many pips on top of a code: 2d, 1d+1, or a bare 2 when they are less than a die."""
        dice, plus = divmod(pips, self.per_die)
        return f"{dice}d" + (f"+{plus}" if plus else "") if dice > 0 else str(pips)

    def kept(self, pips: int) -> int:
        """The pips themselves, or nothing when they do not come to a die (`DIE-Q1`)."""
        return pips if pips >= self.per_die else 0


def codes_in(system: System) -> Codes:
    """How a pack writes codes."""
    return Codes(system.values.number("pips.die"))


def codes_of(play: Play) -> Codes:
    """How the pack at this table writes codes."""
    return codes_in(play.system)


@procedure("DIE-006 DIE-007 DIE-009 DIE-Q31", say="what a written die code stands for", results="dice plus pips")
def parse(play: Play, *, text: str) -> tuple[int, int, int]:
    """Dice, plus and worth in pips of a code (`DIE-009`); Refused when it is not on the ladder."""
    codes = codes_of(play)
    pips = codes.read(text, "text")
    dice, plus = divmod(pips, codes.per_die)
    play.tell(f"{codes.write(pips)}: {dice} dice added up, {plus} more; worth {pips} pips", "DIE-006", "DIE-009")
    return dice, plus, pips


@procedure("DIE-008 DIE-009 DIE-011", say="a code so many steps up or down the ladder", results="code")
def steps(play: Play, *, code: str, steps: Pips) -> str:
    """The code that many pips higher, or lower for a negative number (`DIE-008`)."""
    codes = codes_of(play)
    return _worked_out(play, codes.read(code, "code"), steps, f"{steps:+d} steps", "DIE-008")


@procedure("DIE-010 DIE-011 DIE-Q1", say="a code with dice and pips added or taken away", results="code")
def change(play: Play, *, code: str, dice: Dice = 0, pips: Pips = 0) -> str:
    """The code after whole dice and single pips; pips carry into dice (`DIE-010`, `DIE-011`)."""
    codes = codes_of(play)
    more = codes.per_die * dice + pips
    return _worked_out(play, codes.read(code, "code"), more, f"{dice:+d} dice, {pips:+d} pips", "DIE-010", "DIE-011")


@procedure("DIE-047 DIE-Q5", say="a code doubled, as luck doubles it", results="code")
def double(play: Play, *, code: str) -> str:
    """Twice the worth in pips, written as a proper code (`DIE-Q5`)."""
    codes = codes_of(play)
    pips = codes.read(code, "code")
    more = pips * (play.values.number("luck.factor") - 1)
    return _worked_out(play, pips, more, "doubled", "DIE-047", "DIE-Q5")


@procedure("DIE-008 DIE-202", say="every code from one rung of the ladder to another", results="codes")
def ladder(play: Play, *, from_: str, to: str) -> tuple[str, ...]:
    """The codes from the lower to the higher one, both included (`DIE-008`)."""
    codes = codes_of(play)
    low, high = codes.read(from_, "from"), codes.read(to, "to")
    if low > high:
        raise Refused("order", f"from {codes.write(low)} to {codes.write(high)} the ladder leads down", "DIE-008")
    rungs = tuple(codes.write(pips) for pips in range(low, high + 1))
    play.tell(f"{len(rungs)} rungs: {', '.join(rungs)}", "DIE-008")
    return rungs


def _worked_out(play: Play, pips: int, more: int, how: str, *rules: str) -> str:
    codes = codes_of(play)
    code = codes.write(pips + more)
    rules = (*rules, "DIE-Q1") if code == NONE else rules
    play.tell(f"{codes.write(pips)}, {how}: {'no dice left' if code == NONE else code}", *rules)
    return code


@procedure(
    "DIE-045 DIE-046 DIE-047 DIE-050 DIE-051 DIE-053 DIE-054",
    say="a luck point spent: every code doubled for a round, or death cheated",
    results="now at_end owed",
)
def luck(
    play: Play,
    *,
    points: Count,
    effect: Literal["double", "cheat_death"],
    manner: Manner = "unheroic",
    bonus: bool | None = None,
    explanation: str = "",
    doubled: bool = False,
    doomed: bool = True,
) -> tuple[int, int, int]:
    """What is left of the points and what comes back when the adventure ends (`DIE-053`, `DIE-Q18`).

    Refused without a point (`DIE-054`), for doubling what is `doubled` already (`DIE-Q19`), and for cheating a death
    that is not certain (`doomed`, `DIE-050`) or without telling how (`DIE-051`).
    """
    if effect == "double":
        if doubled:
            raise Refused("doubled", "doubled: the codes double only once in a round", "DIE-Q19")
    elif not doomed:
        raise Refused("doomed", "doomed: a death is cheated when a failed roll leaves nothing but death", "DIE-050")
    elif not explanation.strip():
        raise Refused("explanation", "explanation: the player must tell how the escape came about", "DIE-051")
    now = spend(play, points)
    if effect == "double":
        factor = play.values.number("luck.factor")
        play.tell(f"a luck point: every stat and skill counts {factor} times its code this round", "DIE-047")
    else:
        play.tell(f"a luck point, and the character is safe: {explanation.strip()}", "DIE-050", "DIE-051")
    owed = comes_back(play, manner, bonus)
    play.tell(f"{now} held now, {now + owed} when the adventure ends", "DIE-053")
    return now, now + owed, owed


def spend(play: Play, points: int) -> int:
    """The points left when one is spent; Refused when none is held (`DIE-054`)."""
    cost = play.values.number("luck.cost")
    if points < cost:
        raise Refused("points", f"points: a luck point can be spent only if held, and {points} are", "DIE-054")
    return points - cost


def comes_back(play: Play, manner: str, bonus: bool | None) -> int:
    """The points owed for a spent one when the adventure ends (`DIE-053`); no word on the bonus: by `DIE-Q18`."""
    with_extra = play.ruling("DIE-Q18") == "extra point" if bonus is None else bonus
    back, extra = play.values.number(f"luck.back.{manner}"), play.values.number(f"luck.extra.{manner}")
    owed = back + extra * with_extra
    play.tell(f"the manner was {manner}: {owed or 'nothing'} comes back when the adventure ends", "DIE-053")
    return owed
