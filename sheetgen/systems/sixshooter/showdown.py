"""Sections C and M together: two Operators sit down, are dealt their hands, and meet in a contest to its end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from sheetgen.dice.deck import Card, Cards, DealtCards
from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import OneOf
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.attempts import Stake, best_card, play_roll
from sheetgen.systems.sixshooter.cards import Piles, written
from sheetgen.systems.sixshooter.contests import WINNERS, Fought, Loser, fought_out
from sheetgen.systems.sixshooter.figures import numbers_to_beat
from sheetgen.systems.sixshooter.luck import Operator, is_removed, read_luck
from sheetgen.systems.sixshooter.table import dealt_hands
from sheetgen.systems.sixshooter.terms import Count, Descriptor, Method, Number, Positive, own_method

Spends = Literal["all", "high", "none"]


@dataclass(frozen=True, slots=True)
class Rival:
    """One Operator of a showdown; without a `method` it is the one of the Descriptor.

    `spends` is how the player handles face-up cards: the best one on each exchange, only jacks and better, or none. An
    `opponent` of that strength is the GM's: a challenge, not an Operator.
    """

    descriptor: Descriptor
    lucky: tuple[Number, ...] = ()
    strikes: Count = 0
    method: Method | None = None
    spends: Spends = "high"
    turn_up: Positive | None = None
    name: str = ""
    archetype: str = ""
    opponent: Annotated[str, OneOf("opponents")] | None = None


@dataclass(frozen=True, slots=True)
class Showdown:
    """Who lost, who won, after how many exchanges; the hands at the end and how many cards each has lost."""

    loser: Loser
    winner: Loser
    exchanges: int
    a_hand: tuple[str, ...]
    b_hand: tuple[str, ...]
    cards_lost: Named[str, int]
    strikes: Named[str, int]
    removed: Named[str, bool]


@procedure(
    "SIX-013 SIX-014 SIX-015 SIX-040 SIX-043 SIX-053 SIX-054 SIX-061 SIX-062 SIX-063 SIX-H3",
    say="two Operators are dealt their hands and fight it out, until one gains a Strike",
)
def showdown(play: Play, *, a: Rival, b: Rival, jokers: Count = 0) -> Showdown:
    """A contest from the shuffle to its end, with cards in every exchange and no wagers.

    The rest of the cards is the central deck, which is empty where cards are scripted. Against an `opponent` the other
    one tries again and again by the method of the Descriptor, until the challenge is overcome or a third Strike falls.
    """
    if a.opponent or b.opponent:
        return _against_opponent(play, a, b, jokers)
    names = a.name or "Operator A", b.name or "Operator B"
    if names[0] == names[1]:
        names = f"{names[0]} (a)", f"{names[1]} (b)"
    rivals = dict(zip(names, (a, b), strict=True))
    opened = {name: rival.turn_up for name, rival in rivals.items() if rival.turn_up is not None}
    hands, deck = dealt_hands(play, names, jokers, opened)

    def stake(letter: str, name: str) -> Stake:
        rival = rivals[name]
        one = Operator(rival.descriptor, written(hands[name]), rival.lucky, rival.strikes, name)
        method = rival.method or own_method(play.values, rival.descriptor)
        return Stake(read_luck(play, f"{letter}.", one), method, path=f"{letter}.")

    def staked(play: Play, side: Stake) -> Stake:
        return staked_by(play, side, rivals[side.luck.who].spends)

    first, second = stake("a", names[0]), stake("b", names[1])
    start = Fought((staked(play, first), staked(play, second)), Piles(cards_left(deck), ()))
    end = fought_out(play, start, further=staked)
    lucks = {letter: side.luck for letter, side in zip("ab", end.sides, strict=True)}
    return Showdown(
        loser=end.loser,
        winner=WINNERS[end.loser],
        exchanges=end.exchanges,
        a_hand=written(lucks["a"].hand),
        b_hand=written(lucks["b"].hand),
        cards_lost=Named({letter: luck.hand.count(None) for letter, luck in lucks.items()}),
        strikes=Named({letter: luck.strikes for letter, luck in lucks.items()}),
        removed=Named({letter: is_removed(play, luck.strikes) for letter, luck in lucks.items()}),
    )


def _against_opponent(play: Play, a: Rival, b: Rival, jokers: int) -> Showdown:
    """An Operator alone against the challenge that an opponent is (`SIX-055`, `SIX-058`)."""
    if a.opponent and b.opponent:
        message = "two opponents of the GM do not roll against each other: one of the two must be an Operator"
        raise Refused("two_opponents", message, "SIX-002")
    letter: Loser = "b" if a.opponent else "a"
    other: Loser = "a" if a.opponent else "b"
    one, foe = (b, a) if a.opponent else (a, b)
    name = one.name or "the Operator"
    cns, needed = numbers_to_beat(play.values, foe.descriptor, foe.opponent or "")
    hands, deck = dealt_hands(play, (name,), jokers, {} if one.turn_up is None else {name: one.turn_up})
    operator = Operator(one.descriptor, written(hands[name]), one.lucky, one.strikes, name)
    luck, piles = read_luck(play, f"{letter}.", operator), Piles(cards_left(deck), ())
    method, successes, tries = one.method or own_method(play.values, one.descriptor), 0, 0
    while successes < needed and not is_removed(play, luck.strikes):
        staked = staked_by(play, Stake(luck, method, path=f"{letter}."), one.spends)
        played = play_roll(play, staked, cns[method], piles)
        luck, piles = played.stake.luck, replace(played.piles, laid=())
        successes, tries = successes + played.overcome, tries + 1
    won = successes >= needed
    return Showdown(
        loser=other if won else letter,
        winner=letter if won else other,
        exchanges=tries,
        a_hand=written(luck.hand) if letter == "a" else (),
        b_hand=written(luck.hand) if letter == "b" else (),
        cards_lost=Named({letter: luck.hand.count(None), other: 0}),
        strikes=Named({letter: luck.strikes, other: 0}),
        removed=Named({letter: is_removed(play, luck.strikes), other: False}),
    )


def cards_left(deck: Cards) -> tuple[Card, ...]:
    """Return the cards that nobody was dealt, in the order in which they will come."""
    if not isinstance(deck, DealtCards):
        return ()
    return tuple(deck.draw("the central deck") for _ in range(len(deck.left)))


def staked_by(play: Play, side: Stake, spends: Spends) -> Stake:
    """Return what a side puts on an exchange: a face-up card as its player handles them, and no wager."""
    use = None if spends == "none" else best_card(play.values, side.luck, side.method)
    held = side.luck.hand[use - 1] if use is not None else None
    if spends == "high" and held is not None and held.card.rank not in play.values.names("cards.names"):
        use = None
    return replace(side, use=use)
