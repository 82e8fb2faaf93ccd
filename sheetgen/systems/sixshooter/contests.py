"""Section M to the end: exchanges of dice until one Operator gains a Strike or concedes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.cards import Piles, read_piles, written, written_cards
from sheetgen.systems.sixshooter.creation import Count
from sheetgen.systems.sixshooter.luck import is_removed
from sheetgen.systems.sixshooter.using import Stake, best_card, followed
from sheetgen.systems.sixshooter.versus import Loser, Side, exchange, read_side, tell_loser

POLICIES = ("none", "all")
WINNERS: dict[Loser, Loser] = {"a": "b", "b": "a", "both": "none"}

HANDS = ("a_hand", "b_hand", "a_helper_hand", "b_helper_hand", "deck", "discard")

Sides = tuple[Stake, ...]


@dataclass(frozen=True, slots=True)
class Contest:
    """Who lost, who won, after how many exchanges, and both Operators as they are left."""

    loser: Loser
    winner: Loser
    conceded: bool
    exchanges: int
    a_hand: tuple[str, ...]
    b_hand: tuple[str, ...]
    a_helper_hand: tuple[str, ...] | None
    b_helper_hand: tuple[str, ...] | None
    strikes: Named[str, int]
    removed: Named[str, bool]
    deck: tuple[str, ...]
    discard: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Fought:
    """Exchanges as played: both stakes and the piles as they now lie, who lost if anybody, and how many there were.

    In the middle of a contest `exchanges` only tells whether there was one.
    """

    sides: Sides
    piles: Piles
    loser: Loser = "none"
    exchanges: int = 0


@procedure(
    *("SIX-061", "SIX-062", "SIX-063"),
    say="a whole contest between Operators: exchanges until a Strike or a concession",
    policies=POLICIES,
)
def contest(
    play: Play,
    *,
    a: Side,
    b: Side,
    concedes: Literal["a", "b"] | None = None,
    after: Count = 0,
    deck: tuple[str, ...] = (),
    discard: tuple[str, ...] | None = None,
    shuffled: tuple[str, ...] | None = None,
) -> Contest:
    """A contest to its end; what `a` and `b` use and wager goes on the first exchange, later cards by the policy.

    `concedes` gives up once `after` exchanges have decided nothing. Source: SIX-061 to SIX-063.
    """
    fought = fought_out(
        play,
        (read_side(play, a, "a"), read_side(play, b, "b")),
        read_piles(deck, discard, shuffled),
        further=_next,
        until=None if concedes is None else after,
    )
    (side_a, side_b), piles, loser = fought.sides, fought.piles, fought.loser
    conceded = loser == "none"
    if concedes and conceded:
        loser = concedes
        play.tell(f"{(side_a if loser == 'a' else side_b).luck.who} concedes and loses the contest", "SIX-062")
    return Contest(
        loser=loser,
        winner=WINNERS[loser],
        conceded=conceded,
        exchanges=fought.exchanges,
        a_hand=written(side_a.luck.hand),
        b_hand=written(side_b.luck.hand),
        a_helper_hand=None if side_a.helper is None else written(side_a.helper.hand),
        b_helper_hand=None if side_b.helper is None else written(side_b.helper.hand),
        strikes=Named({"a": side_a.luck.strikes, "b": side_b.luck.strikes}),
        removed=Named({letter: is_removed(play, s.luck.strikes) for letter, s in (("a", side_a), ("b", side_b))}),
        deck=written_cards(piles.deck),
        discard=None if piles.discard is None else written_cards(piles.discard),
    )


def fought_out(
    play: Play, sides: Sides, piles: Piles, *, further: Callable[[Play, Stake], Stake], until: int | None = None
) -> Fought:
    """Exchanges until a Strike falls, or `until` so many have decided nothing; `further` stakes each one but the first.

    Source: SIX-062.
    """
    alike = play.explores and piles.discard is None and not play.needs(*HANDS)
    end, count = play.rounds(
        _fought,
        Fought(sides, piles),
        *(further, alike),
        goes_on=lambda fought: fought.loser == "none",
        what="a contest",
        most=until,
        counted=play.needs("exchanges"),
        begins=lambda number: play.tell(f"Exchange {number}", "SIX-061"),
    )
    tell_loser(play, end.loser, end.sides[0].luck, end.sides[1].luck)
    return replace(end, exchanges=count)


def _fought(play: Play, before: Fought, further: Callable[[Play, Stake], Stake], alike: bool) -> Fought:
    """One exchange, with cards and wagers as stated if it is the first: both sides and the piles after it."""
    a, b = before.sides
    if before.exchanges:
        a, b = further(play, a), further(play, b)
    played = exchange(play, a, b, before.piles, alike=alike)
    sides: Sides = (played.a, played.b)
    piles = replace(played.piles, laid=())
    if alike and played.loser != "none":
        sides = tuple(replace(each, luck=replace(each.luck, hand=())) for each in sides)
    elif alike:
        sides = tuple(replace(each, luck=followed(play, each.luck, each.descriptor, each.method)) for each in sides)
    return Fought(sides, piles, played.loser, 1)


def _next(play: Play, side: Stake) -> Stake:
    """What a side puts on a further exchange: a card by the policy, no wager."""
    use = play.decide(
        {"none": lambda: None, "all": lambda: best_card(play.values, side.descriptor, side.method, side.luck)},
        "a card for the exchange",
    )
    return replace(side, use=use, wager=0, helper_use=None)
