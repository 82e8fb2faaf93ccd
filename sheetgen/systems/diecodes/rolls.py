"""Rolls (ledger, parts D, E, K and O): the wild die, bands of difficulty, tests, contests, and attacks.

One die of every roll is wild: it goes on for as long as it shows a six.
"""

# ruff: noqa: PT028  (the procedure of the game is called test)

from __future__ import annotations

from typing import NamedTuple

from sheetgen.dice.paths import Tail
from sheetgen.errors import quoted, suggestion
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.diecodes.codes import NONE, Number, Scale, Total, Uses, Wild, codes_of
from sheetgen.systems.diecodes.rounds import Flags, flagged

SCALES = ("task", "range")
Attacked = tuple[str, int, bool, int | None, bool, int | None, tuple[int, ...] | None, str | None, int | None, bool]


class Rolled(NamedTuple):
    """A roll on a code: its total, what the wild die came to, and the dice that counted after its first six."""

    total: int
    wild_total: int
    extra: tuple[int, ...]


@procedure(
    "DIE-005 DIE-006 DIE-031 DIE-032 DIE-033 DIE-034 DIE-035 DIE-036 DIE-037 DIE-038 DIE-039 DIE-040 DIE-043 DIE-120",
    "DIE-122",
    say="a roll on a die code, wild die and all",
    results="total wild_total extra",
)
def roll(play: Play, *, code: str, wild: Wild = "table") -> tuple[int, int, tuple[int, ...]]:
    """The total of a code rolled as it stands (`DIE-006`, `DIE-032`); `none` takes no dice and comes to 0."""
    return _throw(play, codes_of(play).read(code, "code", empty=True), wild)


def total_of(play: Play, pips: int, wild: Wild, who: str) -> int:
    """The total of a roll by itself: all that a contest asks of it."""
    return _throw(play, pips, wild, who=who).total


def _throw(play: Play, pips: int, wild: Wild, *, who: str = "", aim: int = 0) -> Rolled:
    """A roll on a code of so many pips: the wild die, the other dice, then what the wild die runs on to (`DIE-120`).

    Odds follow the wild die for as long as it can matter whether the total reaches `aim`, and some way beyond; then
    they raise Tail, and all that is known is that it does.
    """
    codes, values = codes_of(play), play.values
    dice, plus = divmod(pips, codes.per_die)
    prefix = f"{who}: " if who else ""
    if not dice:
        play.tell(f"{prefix}no dice left, so nothing is rolled: 0", "DIE-Q1", "DIE-122")
        return Rolled(0, 0, ())
    sides, again = values.number("dice.sides"), values.number("wild.again")
    others_are = "the other die" if dice == 2 else f"the other {dice - 1} dice"
    first = play.dice.roll(1, sides, f"{prefix}the wild die")[0]
    others = play.dice.total(dice - 1, sides, f"{prefix}{others_are}") if dice > 1 else 0
    extra: tuple[int, ...] = ()
    while (extra[-1] if extra else first) == again:
        play.again(max(0, len(extra) - max(0, aim) // again), "the wild die")
        if wild == "table":  # one die at a time (DIE-032, DIE-035)
            extra += play.dice.roll(1, sides, "the wild die again")
        else:  # batches, until one is not all sixes (DIE-036, DIE-038)
            extra += play.part(_batch, values.number("wild.batch"), sides, again)
    wild_total = first + sum(extra)
    total = wild_total + others + plus
    parts = [f"wild die {' + '.join(map(str, (first, *extra)))}{f' = {wild_total}' if extra else ''}"]
    parts += [f"{others_are} {others}"] if dice > 1 else []
    parts += [f"plus {plus}"] if plus else []
    rules = ("DIE-031", "DIE-032", "DIE-033") if extra else ("DIE-031",)
    play.tell(f"{prefix}{codes.write(pips)}: {', '.join(parts)}: total {total}", *rules)
    return Rolled(total, wild_total, extra)


def _batch(play: Play, size: int, sides: int, again: int) -> tuple[int, ...]:
    """The dice of one batch that count: the sixes in front and the first die that is none (`DIE-037`)."""
    faces = play.dice.roll(size, sides, f"a batch of {size} for the wild die")
    counted = faces[: next((number for number, face in enumerate(faces, 1) if face != again), size)]
    batch, counts = (", ".join(map(str, dice)) for dice in (faces, counted))
    more = ", and another batch follows" if counted[-1] == again else ""
    play.tell(
        f"the batch is {batch}: {counts} {'counts' if len(counted) == 1 else 'count'}{more}", "DIE-037", "DIE-038"
    )
    return counted


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


@procedure("DIE-026 DIE-027 DIE-028 DIE-029 DIE-Q14", say="which band a number lies in", results="band low high")
def band(play: Play, *, number: Total, scale: Scale = "task") -> tuple[str, int | None, int | None]:
    """The band of a number and its limits; `none` below the first band and beyond the last (`DIE-029`, `DIE-Q14`).

    An open band has no upper limit.
    """
    for name in play.values.names(f"bands.{scale}"):
        low, high = _limits(play, scale, name)
        if low <= number and (high is None or number <= high):
            play.tell(f"{number} is {name}: {low} {'or more' if high is None else f'to {high}'}", "DIE-029")
            return name, low, high
    play.tell(f"{number} lies in no band", "DIE-029", "DIE-Q14")
    return NONE, None, None


@procedure("DIE-027 DIE-028 DIE-029 DIE-107", say="the number that stands for a band", results="number low high")
def band_default(play: Play, *, band: str, scale: Scale = "task") -> tuple[int, int, int | None]:
    """The middle of a band, and its limits (`DIE-107`); Refused when the scale has no such band."""
    names = tuple(play.values.names(f"bands.{scale}"))
    if band not in names:
        takes = f"takes {', '.join(names[:-1])} or {names[-1]}"
        raise Refused("band", f"band: {takes}, not {quoted(band)}{suggestion(band, names)}", "DIE-029")
    number = play.values.number(f"bands.{scale}.{band}.middle")
    play.tell(f"{band}: {number}", "DIE-107")
    return (number, *_limits(play, scale, band))


@procedure(
    "DIE-003 DIE-004 DIE-005 DIE-024 DIE-025 DIE-026 DIE-034 DIE-047 DIE-058 DIE-061 DIE-062 DIE-066 DIE-068 DIE-107",
    "DIE-120 DIE-122 DIE-H7",
    say="a test of a stat or skill against a number",
    results="rolled_code number total success margin auto_fail wild_total extra",
)
@taking(Flags)
def test(
    play: Play, flags: Flags, *, code: str, number: Number, helped: bool = False, wild: Wild = "table"
) -> tuple[str, int, int, bool, int, bool, int, tuple[int, ...]]:
    """Success when the total reaches the number (`DIE-024`); with no dice left it fails by itself (`DIE-Q1`).

    The margin is below 0 for a total short of the number. Somebody who is `helped` rolls a die more (`DIE-H7`).
    """
    pips = flagged(play, code, "code", flags, helped=helped)
    code, aim = codes_of(play).write(pips), number_of(play, number)
    try:
        rolled = _throw(play, pips, wild, aim=aim)
    except Tail:
        play.settled(rolled_code=code, number=aim, success=True, auto_fail=False)
        raise
    margin = rolled.total - aim
    if not pips:
        play.tell("the attempt fails by itself", "DIE-Q1")
        return code, aim, 0, False, margin, True, 0, ()
    came = f"success by {margin}" if margin >= 0 else f"failure by {-margin}"
    play.tell(f"{rolled.total} against {aim}: {came}", "DIE-024", "DIE-003")
    return code, aim, rolled.total, margin >= 0, margin, False, rolled.wild_total, rolled.extra


@procedure(
    "DIE-025 DIE-030 DIE-120 DIE-121 DIE-122",
    say="a contest: the higher total wins",
    results="a_rolled_code b_rolled_code a_total b_total winner",
)
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
) -> tuple[str, str, int, int, str]:
    """Side `a` rolls in full, then side `b`; the higher total wins, a tie nobody (`DIE-030`, `DIE-Q12`)."""
    left = flagged(play, a, "a", Flags(a_uses, a_running, a_wounded, a_prepared, a_doubled))
    right = flagged(play, b, "b", Flags(b_uses, b_running, b_wounded, b_prepared, b_doubled))
    a_total, b_total = play.part(total_of, left, wild, "a"), play.part(total_of, right, wild, "b")
    codes, winner = codes_of(play), compare(play, a_total=a_total, b_total=b_total)
    return codes.write(left), codes.write(right), a_total, b_total, winner


@procedure("DIE-030", say="who wins with these totals", results="winner")
def compare(play: Play, *, a_total: Total, b_total: Total) -> str:
    """The side with the higher total, or `none` for a tie (`DIE-030`, `DIE-Q12`)."""
    if a_total == b_total:
        play.tell(f"{a_total} against {b_total}: nobody wins, nothing changes", "DIE-030", "DIE-Q12")
        return NONE
    winner = "a" if a_total > b_total else "b"
    play.tell(f"{a_total} against {b_total}: {winner} wins", "DIE-030")
    return winner


@procedure(
    "DIE-024 DIE-028 DIE-030 DIE-069 DIE-070 DIE-107 DIE-120 DIE-121 DIE-122",
    say="an attack against a number, a reaction, or both",
    results="rolled_code total success margin auto_fail wild_total extra reaction_rolled_code reaction_total hit",
)
@taking(Flags)
def attack(
    play: Play,
    flags: Flags,
    *,
    code: str,
    number: Number | None = None,
    reaction: str | None = None,
    wild: Wild = "table",
    reaction_uses: Uses = 1,
    reaction_running: bool = False,
    reaction_wounded: bool = False,
    reaction_doubled: bool = False,
) -> Attacked:
    """A hit when the total reaches the number and beats the reaction (`DIE-Q13`).

    The reaction is rolled when the attack reached its number (`DIE-Q39`); without a number only the comparison counts.
    What the wild dice came to is told apart only when nobody reacts: a contest asks for totals.
    """
    pips = flagged(play, code, "code", flags)
    aim = None if number is None else number_of(play, number)
    if reaction is None:
        return _unanswered(play, pips, aim, wild)
    answering = Flags(reaction_uses, reaction_running, reaction_wounded, doubled=reaction_doubled)
    left = flagged(play, reaction, "reaction", answering)
    total = play.part(total_of, pips, wild, "the attack")
    reached, margin = _reaches(play, total, aim)
    answer = play.part(total_of, left, wild, "the reaction") if reached else None
    hit = answer is not None and total > answer
    if answer is not None:
        play.tell(f"{total} against {answer}: {'a hit' if hit else 'no hit'}", "DIE-Q13", "DIE-030")
    codes = codes_of(play)
    return codes.write(pips), total, reached, margin, not pips, None, None, codes.write(left), answer, hit


def _unanswered(play: Play, pips: int, aim: int | None, wild: Wild) -> Attacked:
    """An attack against which nobody does anything: only the number counts."""
    code = codes_of(play).write(pips)
    try:
        rolled = _throw(play, pips, wild, who="the attack", aim=aim or 0)
    except Tail:
        play.settled(rolled_code=code, success=True, hit=True, auto_fail=False)
        play.settled(reaction_rolled_code=None, reaction_total=None)
        raise
    hit, margin = _reaches(play, rolled.total, aim)
    play.tell("a hit" if hit else "no hit", "DIE-Q13")
    return code, rolled.total, hit, margin, not pips, rolled.wild_total, rolled.extra, None, None, hit


def _reaches(play: Play, total: int, aim: int | None) -> tuple[bool, int | None]:
    """Whether a total reaches the number, if there is one, and by how much (`DIE-024`); nothing rolled never does."""
    if aim is None:
        return total > 0, None
    reached = 0 < total >= aim
    play.tell(f"{total} against {aim}: {'far enough' if reached else 'not enough'}", "DIE-024")
    return reached, total - aim
