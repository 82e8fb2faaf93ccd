"""Section M: Operator against Operator, one exchange of dice, and exchanges until a Strike or a concession."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from sheetgen.model.procedures import Named
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.sixshooter.attempts import Side, Stake, best_card, check_stake, followed, read_stake, spend
from sheetgen.systems.sixshooter.cards import (
    Count,
    Given,
    LeftPiles,
    Piles,
    read_piles,
    strikes_text,
    written,
    written_cards,
)
from sheetgen.systems.sixshooter.challenges import Off, with_strikes
from sheetgen.systems.sixshooter.luck import Luck, is_removed, roll_your_hand, struck

Lower = Literal["a", "b", "both"]
Loser = Literal["a", "b", "both", "none"]
WINNERS: dict[Loser, Loser] = {"a": "b", "b": "a", "both": "none"}
HANDS = ("a_hand", "b_hand", "a_helper_hand", "b_helper_hand", "deck", "discard")


@dataclass(frozen=True, slots=True)
class LeftOfBoth:
    """Both Operators as a contest leaves them."""

    a_hand: tuple[str, ...]
    b_hand: tuple[str, ...]
    a_helper_hand: tuple[str, ...] | None
    b_helper_hand: tuple[str, ...] | None
    strikes: Named[str, int]
    removed: Named[str, bool]


@dataclass(frozen=True, slots=True)
class Fought:
    """Exchanges as played: both stakes and the piles as they now lie, who lost if anybody, and how many there were.

    `scores`, places `rolled` and `loser` are those of the last exchange. In the middle of a contest `exchanges` only
    tells whether there was one.
    """

    sides: tuple[Stake, ...]
    piles: Piles
    loser: Loser = "none"
    exchanges: int = 0
    scores: tuple[int, int] = (0, 0)
    rolled: tuple[int | None, int | None] = (None, None)


def exchange(play: Play, a: Stake, b: Stake, piles: Piles, *, alike: bool = False) -> Fought:
    """One exchange: both declare, both roll, and whoever is lower pays.

    With `alike`, odds ask for neither hands nor scores: only who is lower is told, and places are not told apart.
    Each side's Strikes, card and wager act on the other's die (SIX-061 to SIX-063, SIX-Q23).
    """
    check_stake(play, a)
    check_stake(play, b)
    off_b, a, piles = spend(play, a, piles)
    off_a, b, piles = spend(play, b, piles)
    throwers = (a.luck.who, a.method, b.luck, off_a), (b.luck.who, b.method, a.luck, off_b)
    score_a, score_b = play.part(_order if alike else _scores, *throwers)
    if score_a == score_b:
        play.tell(f"{score_a} to {score_b}: equal, so both Roll Their Hands", "SIX-061")
    else:
        low = a.luck.who if score_a < score_b else b.luck.who
        play.tell(f"{score_a} to {score_b}: {low} is lower and must Roll Their Hand", "SIX-061")
    a_rolled, luck_a, piles = play.part(_settled, a, score_a - score_b, piles, alike)
    b_rolled, luck_b, piles = play.part(_settled, b, score_b - score_a, piles, alike)
    hit_a, hit_b = luck_a.strikes > a.luck.strikes, luck_b.strikes > b.luck.strikes
    loser: Loser = "both" if hit_a and hit_b else "a" if hit_a else "b" if hit_b else "none"
    sides = replace(a, luck=luck_a), replace(b, luck=luck_b)
    return Fought(sides, piles, loser, 1, (score_a, score_b), (a_rolled, b_rolled))


Thrower = tuple[str, str, Luck, Off]  # who, by which method, against whose luck, and what that one takes off


def _scores(play: Play, a: Thrower, b: Thrower) -> tuple[int, int]:
    """What both dice come to."""
    sides = play.values.number("die.sides")
    dice = [play.dice.roll(1, sides, f"{who}: {method}")[0] for who, method, _, _ in (a, b)]
    return _score(play, a[0], dice[0], *a[2:]), _score(play, b[0], dice[1], *b[2:])


def _order(play: Play, a: Thrower, b: Thrower) -> tuple[int, int]:
    """Who is higher, as 1 against 0, or 0 against 0."""
    ours, theirs = _scores(play, a, b)
    return int(ours > theirs), int(theirs > ours)


def _score(play: Play, who: str, die: int, other: Luck, off: Off) -> int:
    """A die as the opponent's Strikes raise it and the opponent's card or wager lowers it (`SIX-063`, `SIX-Q23`)."""
    raised = with_strikes(play, die, other.strikes)
    line = f"{who} rolls {die}"
    if other.strikes:
        make = "makes" if other.strikes == 1 else "make"
        line += f", {strikes_text(other.strikes)} of {other.who} {make} it {raised}"
    if off.by:
        line += f", {off.because} takes {off.by} off: {raised - off.by}"
    play.tell(line, "SIX-063" if other.strikes or off.by else "SIX-061")
    return raised - off.by


def _settled(play: Play, stake: Stake, margin: int, piles: Piles, alike: bool) -> tuple[int | None, Luck, Piles]:
    """The place rolled if any, and the luck and piles of a side that is ahead by a margin (`SIX-061`, `SIX-Q24`)."""
    luck = stake.luck
    if stake.wager and margin < 0:
        luck = struck(play, luck, stake.wager, "SIX-051", "SIX-Q24")
    elif stake.wager:
        play.tell(f"The wager of {luck.who} vanishes", "SIX-051", "SIX-Q24")
    if margin > 0 or is_removed(play, luck.strikes):
        return None, luck, piles
    face, luck, piles = roll_your_hand(play, luck, piles)
    if alike:
        return None, followed(play, luck, stake.method), replace(piles, laid=())
    return face, luck, piles


def tell_loser(play: Play, end: Fought) -> None:
    """A line on whoever loses by a Strike (`SIX-062`, `SIX-Q25`)."""
    if end.loser == "both":
        play.tell("Both gain a Strike: both lose", "SIX-062", "SIX-Q25")
    elif end.loser != "none":
        play.tell(f"{end.sides[end.loser == 'b'].luck.who} gains a Strike and loses the contest", "SIX-062")


def left_of_both(play: Play, end: Fought) -> LeftOfBoth:
    """Both Operators as the last exchange leaves them."""
    a, b = end.sides
    strikes = {"a": a.luck.strikes, "b": b.luck.strikes}
    a_helper, b_helper = (None if side.helper is None else written(side.helper.hand) for side in end.sides)
    return LeftOfBoth(
        *(written(a.luck.hand), written(b.luck.hand), a_helper, b_helper),
        Named(strikes),
        Named({letter: is_removed(play, count) for letter, count in strikes.items()}),
    )


def read_sides(play: Play, a: Side, b: Side) -> tuple[Stake, Stake]:
    """What both sides put on their first roll."""
    return read_stake(play, a, "Operator A", "a.", "a."), read_stake(play, b, "Operator B", "b.", "b.")


@procedure(
    "SIX-034 SIX-035 SIX-036 SIX-037 SIX-038 SIX-040 SIX-041 SIX-042 SIX-043 SIX-044 SIX-045 SIX-049 SIX-050 SIX-051",
    "SIX-052 SIX-053 SIX-054 SIX-061 SIX-062 SIX-063 SIX-073",
    say="Operator against Operator: one exchange of dice",
    results="scores lower a_rolled_hand b_rolled_hand * loser discarded *",
)
@taking(Given)
def versus(
    play: Play, given: Given, *, a: Side, b: Side
) -> tuple[Named[str, int], Lower, int | None, int | None, LeftOfBoth, Loser, tuple[str, ...], LeftPiles]:
    """One exchange of a contest; dice fall in this order: roll of a, roll of b, then the hand of a, the hand of b.

    Cards, wagers and helpers are those of other rolls; the loser has gained a Strike (SIX-Q23, SIX-Q24, SIX-Q26).
    """
    end = exchange(play, *read_sides(play, a, b), read_piles(given))
    tell_loser(play, end)
    one, other = end.scores
    lower: Lower = "both" if one == other else "a" if one < other else "b"
    scores, laid = Named({"a": one, "b": other}), written_cards(end.piles.laid)
    return scores, lower, *end.rolled, left_of_both(play, end), end.loser, laid, end.piles.left


@procedure(
    "SIX-061 SIX-062 SIX-063",
    say="a whole contest between Operators: exchanges until a Strike or a concession",
    policies=("none", "all"),
    results="loser winner conceded exchanges * *",
)
@taking(Given)
def contest(
    play: Play, given: Given, *, a: Side, b: Side, concedes: Literal["a", "b"] | None = None, after: Count = 0
) -> tuple[Loser, Loser, bool, int, LeftOfBoth, LeftPiles]:
    """A contest to its end; what `a` and `b` use and wager goes on the first exchange, later cards by the policy.

    `concedes` gives up once `after` exchanges have decided nothing.
    """
    start = Fought(read_sides(play, a, b), read_piles(given))
    end = fought_out(play, start, further=_next, most=None if concedes is None else after)
    loser, conceded = end.loser, end.loser == "none"
    if concedes and conceded:
        loser = concedes
        play.tell(f"{end.sides[loser == 'b'].luck.who} concedes and loses the contest", "SIX-062")
    return loser, WINNERS[loser], conceded, end.exchanges, left_of_both(play, end), end.piles.left


def fought_out(
    play: Play, start: Fought, *, further: Callable[[Play, Stake], Stake], most: int | None = None
) -> Fought:
    """Exchanges until a Strike falls (SIX-062), or `most` of them; `further` stakes each one but the first."""
    alike = play.explores and start.piles.discard is None and not play.needs(*HANDS)
    end, count = play.rounds(
        _fought,
        start,
        *(further, alike),
        goes_on=lambda fought: fought.loser == "none",
        what="a contest",
        most=most,
        counted=play.needs("exchanges"),
        begins=lambda number: play.tell(f"Exchange {number}", "SIX-061"),
    )
    tell_loser(play, end)
    return replace(end, exchanges=count)


def _fought(play: Play, before: Fought, further: Callable[[Play, Stake], Stake], alike: bool) -> Fought:
    """One exchange, with cards and wagers as stated if it is the first; no more than the next one needs to know."""
    a, b = before.sides
    if before.exchanges:
        a, b = further(play, a), further(play, b)
    after = exchange(play, a, b, before.piles, alike=alike)
    sides = after.sides
    if alike and after.loser != "none":
        sides = tuple(replace(each, luck=replace(each.luck, hand=())) for each in sides)
    elif alike:
        sides = tuple(replace(each, luck=followed(play, each.luck, each.method)) for each in sides)
    return Fought(sides, replace(after.piles, laid=()), after.loser, 1)


def _next(play: Play, side: Stake) -> Stake:
    """What a side puts on a further exchange: a card by the policy, no wager."""
    use = play.decide(
        {"none": lambda: None, "all": lambda: best_card(play.values, side.luck, side.method)},
        "a card for the exchange",
    )
    return replace(side, use=use, wager=0, helper_use=None)
