"""Opposed checks (ledger D, E, F): two or more against each other, roll-offs, and chases made of such checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, TypeVar

from sheetgen.dice.paths import AtLeast, Tail
from sheetgen.model.procedures import Named
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.checks import (
    Price,
    Ratings,
    Roller,
    mode_of,
    net_of,
    price_of,
    quality_of,
    reading,
    throw,
)
from sheetgen.systems.genesix.gear import Count, Delta, Mode, Most, Row

T = TypeVar("T")
ChaseEnd: TypeAlias = Literal["caught", "escaped", "running"]


@dataclass(frozen=True, slots=True)
class Contestant(Roller):
    """One side of an opposed check: who rolls, and whether a power is used."""

    unnatural: bool = False


@dataclass(frozen=True, slots=True)
class Entrant(Contestant):
    """One of several sides, by name."""

    who: str = ""


@dataclass(frozen=True)
class OpposedOutcome:
    """What a contest came to: Delta is the winner's lead, 0 after a roll-off."""

    a_mode: Mode
    a_kept: tuple[int, ...]
    a_result: int
    a_row: Row
    b_mode: Mode
    b_kept: tuple[int, ...]
    b_result: int
    b_row: Row
    winner: str
    delta: int
    quality: str
    tie_rounds: int


Priced: TypeAlias = tuple[OpposedOutcome, Price | None, Price | None]  # a price only for a side that used a power


@dataclass(frozen=True, slots=True)
class ContestOutcome:
    """What a contest of several sides came to; Delta is the lead over the next best."""

    results: Named[str, int]
    rows: Named[str, str]
    winner: str
    delta: int
    quality: str
    tie_rounds: int
    prices: Named[str, Price]


def show(play: Play, ratings: Ratings, net: int) -> tuple[Mode, tuple[int, ...], int, str]:
    """What one side shows: the mode, the dice that count, the result and the reading (GEN-012)."""
    kept = throw(play, net, "the opposed check")
    result = sum(kept) + ratings.total
    play.tell(f"{' + '.join(map(str, kept))} {ratings} = {result}", "GEN-007", "GEN-012")
    return mode_of(net), kept, result, reading(play, kept)


def show_result(play: Play, ratings: Ratings, net: int, read: bool) -> tuple[int, str]:
    """The result and, if it is to be `read`, the reading: where many sides meet, odds tell no more apart."""
    _, _, result, row = show(play, ratings, net)
    return result, row if read else ""


def shown(play: Play, show: Callable[..., T], side: Contestant, name: str, *args: Any) -> T:
    """What a side shows with all that bears on its roll, worked out as a part of its own (GEN-012, GEN-265)."""
    play.tell(f"{name}:")
    net = net_of(play, side.advantage, side.disadvantage, burdened=side.burdened)
    return play.part(show, side.ratings, net, *args)


def roll_off_round(play: Play, names: tuple[str, ...]) -> tuple[str, ...]:
    """Who shows the highest of one bare die each (GEN-014, GEN-Q7)."""
    faces = play.dice.roll(len(names), play.values.number("dice.sides"), f"roll-off, {' then '.join(names)}")
    dice = list(zip(names, faces, strict=True))
    ahead = tuple(name for name, face in dice if face == max(faces))
    end = f"{ahead[0]} wins" if len(ahead) == 1 else "again"
    play.tell(f"Roll-off: {', '.join(f'{name} {face}' for name, face in dice)}: {end}", "GEN-014")
    return ahead


def roll_off(play: Play, names: tuple[str, ...]) -> tuple[str, int]:
    """Who wins a tie, and after how many rounds of bare dice (GEN-014).

    Where odds cut the loop off, those still level are alike, so each is as likely to win: who wins stays exact, and
    only the number of rounds is open: that many or more.
    """
    rounds = 0
    try:
        while len(names) > 1:
            play.again(rounds, "the roll-off")
            names = play.part(roll_off_round, names)
            rounds += 1
    except Tail:
        return names[play.dice.choose(len(names), "the roll-off")], AtLeast(rounds)
    return names[0], rounds


def tie_winner(play: Play, names: tuple[str, ...]) -> str:
    """Who wins a tie, for odds that do not ask after how many rounds."""
    return roll_off(play, names)[0]


def compare(
    play: Play, one: int, other: int, names: tuple[str, str], *, counted: bool = True
) -> tuple[str, int, str, int]:
    """Which of two results wins, its lead, how well, and the rounds of a roll-off if they are `counted` (GEN-013)."""
    winner, delta, rounds = "a" if one > other else "b", abs(one - other), 0
    if not delta:
        play.tell(f"{one} against {other}: a tie", "GEN-014")
        ahead, rounds = play.part(roll_off, names) if counted else (play.part(tie_winner, names), 0)
        winner = "a" if ahead == names[0] else "b"
    quality = quality_of(play, True, delta)
    lead = f"by {delta}{', a wild success' if quality == 'wild' else ''}" if delta else "after a roll-off"
    play.tell(f"{one} against {other}: {names[winner == 'b']} wins {lead}", "GEN-013")
    return winner, delta, quality, rounds


def contest_of(play: Play, a: Contestant, b: Contestant, *, names: tuple[str, str] = ("a", "b")) -> Priced:
    """Two sides against each other; the winner is "a" or "b", `names` are for the log (GEN-012 to GEN-014)."""
    first, second = shown(play, show, a, names[0]), shown(play, show, b, names[1])
    winner, delta, quality, rounds = compare(play, first[2], second[2], names)
    a_price, b_price = (
        price_of(play, name, winner == letter, delta) if side.unnatural else None
        for side, name, letter in ((a, names[0], "a"), (b, names[1], "b"))
    )
    return OpposedOutcome(*first, *second, winner, delta, quality, rounds), a_price, b_price


def refuse_circumstances(harmful: int, helpful: int) -> None:
    """Circumstances move a target number, and an opposed check has none (GEN-Q8)."""
    for name, number in (("harmful", harmful), ("helpful", helpful)):
        if number:
            message = f"{name}: an opposed check has no target number to move; give Advantage or Disadvantage instead"
            raise Refused("opposed_circumstance", message, "GEN-Q8")


@procedure(
    "GEN-012 GEN-013 GEN-014 GEN-033 GEN-120 GEN-202 GEN-214 GEN-265",
    say="two against each other",
    results="* a_price b_price",
)
def opposed(play: Play, *, a: Contestant, b: Contestant, harmful: Count = 0, helpful: Count = 0) -> Priced:
    """An opposed check: all dice of a, all dice of b, then roll-offs; GEN-012 to GEN-014."""
    refuse_circumstances(harmful, helpful)
    return contest_of(play, a, b)


@procedure("GEN-012 GEN-013 GEN-014 GEN-214", say="three or more sides against each other")
def contest(play: Play, *, sides: tuple[Entrant, ...], harmful: Count = 0, helpful: Count = 0) -> ContestOutcome:
    """The highest result wins; only those tied for it roll off; GEN-Q27."""
    refuse_circumstances(harmful, helpful)
    names = [side.who for side in sides]
    if len(sides) < 2 or not all(names) or len(set(names)) < len(names):
        raise Refused("sides", "sides: takes two or more, each with a `who` of its own", "GEN-Q27")
    rolls = {side.who: shown(play, show_result, side, side.who, play.needs("rows")) for side in sides}
    best, second = sorted((result for result, _ in rolls.values()), reverse=True)[:2]
    winner, rounds = play.part(roll_off, tuple(name for name in names if rolls[name][0] == best))
    delta = best - second
    play.tell(f"{winner} wins with {best}, {delta} ahead of the next", "GEN-013")
    prices = {side.who: price_of(play, side.who, side.who == winner, delta) for side in sides if side.unnatural}
    return ContestOutcome(
        Named({name: result for name, (result, _) in rolls.items()}),
        Named({name: row for name, (_, row) in rolls.items()}),
        *(winner, delta, quality_of(play, True, delta), rounds),
        Named(prices),
    )


@procedure("GEN-009 GEN-014", say="which of two normal checks is ahead", results="winner tie_rounds")
def rank(play: Play, *, a_delta: Delta, b_delta: Delta) -> tuple[str, int]:
    """The higher Delta is ahead, a roll-off if they are equal; GEN-Q5."""
    if a_delta == b_delta:
        return play.part(roll_off, ("a", "b"))
    winner = "a" if a_delta > b_delta else "b"
    play.tell(f"Delta {a_delta} against {b_delta}: {winner} is ahead", "GEN-009")
    return winner, 0


@dataclass(frozen=True, slots=True)
class Exchange:
    """What both sides of an exchange came to, and the gap after it."""

    quarry: int
    pursuer: int
    gap: int


@dataclass(frozen=True, slots=True)
class Chase:
    """A chase as it stands: the gap, the gap that is an escape, the end if it has come, how many exchanges, and which.

    Odds know no exchanges: they merge what stands alike.
    """

    gap: int
    escape: int | None
    stands: ChaseEnd = "running"
    exchanges: int = 0
    course: tuple[Exchange, ...] = ()


def new_chase(play: Play, head_start: int | None, escape: int | None, standard: bool) -> Chase:
    """A chase with the marks that the GM set, else those of the standard chase, else none (GEN-108, GEN-Q10)."""
    usual = play.values.number("chase.standard.head_start" if standard else "chase.head_start")
    if standard and escape is None:
        escape = play.values.number("chase.standard.escape")
    start = usual if head_start is None else head_start
    mark = f"away at {escape}" if escape is not None else "no escape mark"
    play.tell(f"Head start {start}, {mark}", "GEN-018", *(("GEN-108",) if standard else ()))
    return Chase(start, escape)


def moved(play: Play, chase: Chase, delta: int) -> Chase:
    """The chase after an exchange, its gap never shown under the mark of capture (GEN-018, GEN-019, GEN-Q10)."""
    caught, gap, number = play.values.number("chase.caught"), chase.gap + delta, chase.exchanges + 1
    stands: ChaseEnd = "caught" if gap <= caught else "running"
    if stands == "running" and chase.escape is not None and gap >= chase.escape:
        stands = "escaped"
    end = {"caught": "caught", "escaped": "away", "running": "the chase goes on"}[stands]
    gap = max(gap, caught)
    play.tell(f"Exchange {number}: gap {chase.gap} {delta:+d} = {gap}: {end}", "GEN-018", "GEN-019")
    return Chase(gap, chase.escape, stands, number, chase.course)


@procedure("GEN-018 GEN-019 GEN-108", say="a chase from the Deltas of its exchanges", results="gaps outcome ended_at")
def chase(
    play: Play,
    *,
    deltas: tuple[Delta, ...] = (),
    head_start: Count | None = None,
    escape: Count | None = None,
    standard: bool = False,
) -> tuple[tuple[int, ...], ChaseEnd, int | None]:
    """The gap after each exchange, Deltas from the quarry's side; what comes after the end is not read; GEN-Q10."""
    now, gaps = new_chase(play, head_start, escape, standard), list[int]()
    for delta in deltas:
        if now.stands == "running":
            now = moved(play, now, delta)
            gaps.append(now.gap)
    return tuple(gaps), now.stands, None if now.stands == "running" else now.exchanges


def results_of_exchange(play: Play, quarry: Contestant, pursuer: Contestant) -> tuple[int, int]:
    """What both sides of one exchange come to; a tie leaves the gap, so nothing is rolled off (GEN-Q10)."""
    return shown(play, show, quarry, "The quarry")[2], shown(play, show, pursuer, "The pursuer")[2]


def lead_of_quarry(play: Play, quarry: Contestant, pursuer: Contestant) -> int:
    """The Delta of one exchange from the quarry's side."""
    ahead, behind = results_of_exchange(play, quarry, pursuer)
    return ahead - behind


def run_on(play: Play, chase: Chase, quarry: Contestant, pursuer: Contestant) -> Chase:
    """The chase after one more exchange; odds know neither its number nor, once it has ended, the gap."""
    if play.explores:
        after = moved(play, chase, play.part(lead_of_quarry, quarry, pursuer))
        return replace(after, exchanges=0, gap=after.gap if after.stands == "running" else 0)
    ahead, behind = results_of_exchange(play, quarry, pursuer)
    after = moved(play, chase, ahead - behind)
    return replace(after, course=(*chase.course, Exchange(ahead, behind, after.gap)))


@procedure(
    "GEN-012 GEN-018 GEN-019 GEN-108 GEN-120",
    say="a chase rolled to its end",
    results="outcome ended_at gap course",
)
def pursuit(
    play: Play,
    *,
    quarry: Contestant,
    pursuer: Contestant,
    head_start: Count | None = None,
    escape: Count | None = None,
    standard: bool = False,
    most: Most | None = 20,
) -> tuple[ChaseEnd, int | None, int | None, tuple[Exchange, ...] | None]:
    """A whole chase of at most so many exchanges, or to its end; the quarry rolls first; GEN-018, GEN-019, GEN-Q10.

    `course` are its exchanges; odds have none.
    """
    end, count = play.rounds(
        run_on,
        new_chase(play, head_start, escape, standard),
        *(quarry, pursuer),
        goes_on=lambda chase: chase.stands == "running",
        what="exchanges of the chase",
        most=most,
        counted=play.needs("ended_at"),
    )
    if end.stands == "running":
        return end.stands, None, end.gap, end.course or None
    return end.stands, count, None, end.course or None
