"""Difficulty bands and tests (ledger part D): a total against a number, or against another total."""

# ruff: noqa: PT028  (the procedure of the game is called test)

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from sheetgen.dice.paths import Tail
from sheetgen.errors import quoted, suggestion
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.diecodes.codes import NONE, codes_of
from sheetgen.systems.diecodes.rounds import Flags, Uses, flagged
from sheetgen.systems.diecodes.wild import Wild, throw

SCALES = ("task", "range")
Scale = Literal["task", "range"]
AnyNumber = Annotated[int, Whole(-999, 999)]
Number: TypeAlias = AnyNumber | Annotated[str, OneOf("bands.task")] | Annotated[str, OneOf("bands.range")]


@dataclass(frozen=True, slots=True)
class BandOutcome:
    """A band of a scale with its limits; `none` for a number in no band, no upper limit for an open one."""

    band: str
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class BandNumber:
    """The number that stands for a band when the GM names none, and the limits of the band."""

    number: int
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """A test: what was rolled, whether it reached the number, and by how much (short of it: negative)."""

    rolled_code: str
    number: int
    total: int
    success: bool
    margin: int
    auto_fail: bool
    wild_total: int
    extra: tuple[int, ...]

    __test__ = False


@dataclass(frozen=True, slots=True)
class OpposedOutcome:
    """A contest: both totals and who wins, or `none`."""

    a_rolled_code: str
    b_rolled_code: str
    a_total: int
    b_total: int
    winner: str


@dataclass(frozen=True, slots=True)
class CompareOutcome:
    """Who has the higher total, or `none`."""

    winner: str


def number_of(play: Play, number: int | str) -> int:
    """The number itself, or the one that stands for a band that the GM named (`DIE-107`)."""
    if isinstance(number, int):
        return number
    scale = next(scale for scale in SCALES if number in play.values.names(f"bands.{scale}"))
    stands_for = play.values.number(f"bands.{scale}.{number}.middle")
    play.tell(f"{number} and no number: {stands_for}", "DIE-107")
    return stands_for


def _limits(play: Play, scale: str, band: str) -> tuple[int, int | None]:
    path = f"bands.{scale}.{band}"
    high = play.values.number(f"{path}.to") if play.values.has(f"{path}.to") else None
    return play.values.number(f"{path}.from"), high


@procedure("DIE-026", "DIE-027", "DIE-028", "DIE-029", "DIE-Q14", say="which band a number lies in")
def band(play: Play, *, number: AnyNumber, scale: Scale = "task") -> BandOutcome:
    """The band of a number and its limits; `none` below the first band and beyond the last (`DIE-029`, `DIE-Q14`)."""
    for name in play.values.names(f"bands.{scale}"):
        low, high = _limits(play, scale, name)
        if low <= number and (high is None or number <= high):
            play.tell(f"{number} is {name}: {low} {'or more' if high is None else f'to {high}'}", "DIE-029")
            return BandOutcome(name, low, high)
    play.tell(f"{number} lies in no band", "DIE-029", "DIE-Q14")
    return BandOutcome(NONE, None, None)


@procedure("DIE-027", "DIE-028", "DIE-029", "DIE-107", say="the number that stands for a band")
def band_default(play: Play, *, band: str, scale: Scale = "task") -> BandNumber:
    """The middle of a band, and its limits (`DIE-107`); Refused when the scale has no such band."""
    names = tuple(play.values.names(f"bands.{scale}"))
    if band not in names:
        takes = f"takes {', '.join(names[:-1])} or {names[-1]}"
        raise Refused("band", f"band: {takes}, not {quoted(band)}{suggestion(band, names)}", "DIE-029")
    number = play.values.number(f"bands.{scale}.{band}.middle")
    play.tell(f"{band}: {number}", "DIE-107")
    return BandNumber(number, *_limits(play, scale, band))


@procedure(
    *("DIE-003", "DIE-004", "DIE-005", "DIE-024", "DIE-025", "DIE-026", "DIE-034", "DIE-047", "DIE-058", "DIE-061"),
    *("DIE-062", "DIE-066", "DIE-068", "DIE-107", "DIE-120", "DIE-122"),
    say="a test of a stat or skill against a number",
)
@taking(Flags)
def test(play: Play, flags: Flags, *, code: str, number: Number, wild: Wild = "table") -> TestOutcome:
    """Success when the total reaches the number (`DIE-024`); with no dice left it fails by itself (`DIE-Q1`)."""
    pips, _ = flagged(play, code, "code", flags)
    code, aim = codes_of(play).write(pips), number_of(play, number)
    try:
        rolled = throw(play, pips, wild, aim=aim)
    except Tail:
        play.settled(rolled_code=code, number=aim, success=True, auto_fail=False)
        raise
    margin = rolled.total - aim
    if not pips:
        play.tell("the attempt fails by itself", "DIE-Q1")
        return TestOutcome(code, aim, 0, False, margin, True, 0, ())
    came = f"success by {margin}" if margin >= 0 else f"failure by {-margin}"
    play.tell(f"{rolled.total} against {aim}: {came}", "DIE-024", "DIE-003")
    return TestOutcome(code, aim, rolled.total, margin >= 0, margin, False, rolled.wild_total, rolled.extra)


@procedure("DIE-025", "DIE-030", "DIE-120", "DIE-121", "DIE-122", say="a contest: the higher total wins")
def opposed(
    play: Play,
    *,
    a: str,
    b: str,
    wild: Wild = "table",
    a_uses: Uses = 1,
    a_running: bool = False,
    a_wounded: bool = False,
    a_prepared: bool = False,
    a_doubled: bool = False,
    b_uses: Uses = 1,
    b_running: bool = False,
    b_wounded: bool = False,
    b_prepared: bool = False,
    b_doubled: bool = False,
) -> OpposedOutcome:
    """Side `a` rolls in full, then side `b`; the higher total wins, a tie nobody (`DIE-030`, `DIE-Q12`)."""
    left, _ = flagged(play, a, "a", Flags(a_uses, a_running, a_wounded, a_prepared, a_doubled))
    right, _ = flagged(play, b, "b", Flags(b_uses, b_running, b_wounded, b_prepared, b_doubled))
    a_total, b_total = play.part(total_of, left, wild, "a"), play.part(total_of, right, wild, "b")
    codes = codes_of(play)
    winner = _winner(play, a_total, b_total)
    return OpposedOutcome(codes.write(left), codes.write(right), a_total, b_total, winner)


def total_of(play: Play, pips: int, wild: Wild, who: str) -> int:
    """The total of a roll by itself: all that a contest asks of it."""
    return throw(play, pips, wild, who=who).total


@procedure("DIE-030", say="who wins with these totals")
def compare(play: Play, *, a_total: AnyNumber, b_total: AnyNumber) -> CompareOutcome:
    """The side with the higher total, or `none` for a tie (`DIE-030`, `DIE-Q12`)."""
    return CompareOutcome(_winner(play, a_total, b_total))


def _winner(play: Play, a_total: int, b_total: int) -> str:
    if a_total == b_total:
        play.tell(f"{a_total} against {b_total}: nobody wins, nothing changes", "DIE-030", "DIE-Q12")
        return NONE
    winner = "a" if a_total > b_total else "b"
    play.tell(f"{a_total} against {b_total}: {winner} wins", "DIE-030")
    return winner
