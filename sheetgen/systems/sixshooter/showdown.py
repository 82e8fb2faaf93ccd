"""Sections C and M together: two Operators sit down, are dealt their hands, and meet in a contest to its end.

Several on two sides do the same: against what the GM has, or against other Operators, until one side is out of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from sheetgen.dice.deck import Card, Cards, DealtCards
from sheetgen.model.procedures import Named
from sheetgen.rules.procedures.parameters import OneOf
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.attempts import Stake, best_card, play_roll
from sheetgen.systems.sixshooter.cards import Count, Descriptor, Method, Number, Piles, Positive, own_method, written
from sheetgen.systems.sixshooter.characters import numbers_to_beat
from sheetgen.systems.sixshooter.contests import WINNERS, Fought, Loser, fought_out
from sheetgen.systems.sixshooter.luck import Luck, Operator, is_removed, read_luck
from sheetgen.systems.sixshooter.table import dealt_hands

FOES = 2
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


@dataclass(frozen=True, slots=True)
class Contender(Rival):
    """Somebody of one of two sides, with a name of their own."""

    side: str = ""


@dataclass(frozen=True, slots=True)
class Contended:
    """What a standoff left of somebody: the cards lost, and the Strikes."""

    name: str
    cards_lost: int
    strikes: int


Ended = tuple[str, int, tuple[Contended, ...], tuple[str, ...]]


@procedure(
    "SIX-013 SIX-014 SIX-015 SIX-040 SIX-053 SIX-054 SIX-055 SIX-058 SIX-061 SIX-062",
    say="several on two sides, until one side is out of it",
    results="winner rounds fighters down",
)
def standoff(play: Play, *, fighters: tuple[Contender, ...], jokers: Count = 0) -> Ended:
    """Operators try in turn, as listed, to overcome the first opponent who is left, until a third Strike removes them.

    Against other Operators the first two meet in a contest; who loses it is out, and the next one steps up (`SIX-062`).
    Hands are dealt once, and cards that are lost stay lost.
    """
    sides = tuple(dict.fromkeys(each.side for each in fighters))
    if len(sides) != FOES:
        raise Refused("sides", f"fighters: stand on two sides, not {len(sides)}", "SIX-061")
    given = {side: [each for each in fighters if each.side == side] for side in sides}
    gms = [side for side in sides if all(each.opponent for each in given[side])]
    mixed = [side for side in sides if side not in gms and any(each.opponent for each in given[side])]
    if len(gms) == FOES or mixed:
        message = "opponents of the GM do not roll: one whole side must be Operators, the other opponents or Operators"
        raise Refused("two_opponents", message, "SIX-002")
    operators = [each for each in fighters if not each.opponent]
    turned = {each.name: each.turn_up for each in operators if each.turn_up is not None}
    hands, deck = dealt_hands(play, tuple(each.name for each in operators), jokers, turned)
    lucks = {
        each.name: read_luck(
            play,
            f"{each.name}.",
            Operator(each.descriptor, written(hands[each.name]), each.lucky, each.strikes, each.name),
        )
        for each in operators
    }
    piles = Piles(cards_left(deck), ())
    if gms:
        return _overcome(play, fighters, (next(side for side in sides if side not in gms), gms[0]), lucks, piles)
    return _meet(play, fighters, sides, lucks, piles)


def _stake(play: Play, each: Contender, luck: Luck) -> Stake:
    method = each.method or own_method(play.values, each.descriptor)
    return staked_by(play, Stake(luck, method, path=f"{each.name}."), each.spends)


def _overcome(
    play: Play, fighters: tuple[Contender, ...], sides: tuple[str, str], lucks: dict[str, Luck], piles: Piles
) -> Ended:
    """Challenge upon challenge (`SIX-055`, `SIX-058`)."""
    operators = [each for each in fighters if each.side == sides[0]]
    numbers = {
        each.name: numbers_to_beat(play.values, each.descriptor, each.opponent or "")
        for each in fighters
        if each.side == sides[1]
    }
    needed, count = {name: each[1] for name, each in numbers.items()}, 0

    def playing(each: Contender) -> bool:
        return not is_removed(play, lucks[each.name].strikes)

    while any(needed.values()) and any(map(playing, operators)):
        count += 1
        play.tell(f"Turn {count}", "SIX-055")
        for each in operators:
            foe = next((name for name, left in needed.items() if left), None)
            if foe is None or not playing(each):
                continue
            stake = _stake(play, each, lucks[each.name])
            played = play_roll(play, stake, numbers[foe][0][stake.method], piles)
            lucks[each.name], piles = played.stake.luck, replace(played.piles, laid=())
            needed[foe] -= played.overcome
    won = not any(needed.values())
    down = tuple(
        each.name
        for each in fighters
        if (each.name in needed and not needed[each.name]) or (each.name in lucks and not playing(each))
    )
    return sides[0] if won else sides[1], count, _contenders_left(fighters, lucks), down


def _meet(
    play: Play, fighters: tuple[Contender, ...], sides: tuple[str, ...], lucks: dict[str, Luck], piles: Piles
) -> Ended:
    """Contest upon contest: who loses one is out of it, and both are where both gain a Strike (`SIX-062`)."""
    waiting = {side: [each for each in fighters if each.side == side] for side in sides}
    by_name, exchanges, down = {each.name: each for each in fighters}, 0, list[str]()

    def further(play: Play, stake: Stake) -> Stake:
        return staked_by(play, stake, by_name[stake.luck.who].spends)

    while all(waiting.values()):
        pair = tuple(waiting[side][0] for side in sides)
        stakes = tuple(_stake(play, each, lucks[each.name]) for each in pair)
        end = fought_out(play, Fought(stakes, piles), further=further)
        exchanges, piles = exchanges + end.exchanges, replace(end.piles, laid=())
        for letter, each, side, stake in zip("ab", pair, sides, end.sides, strict=True):
            lucks[each.name] = stake.luck
            if end.loser in (letter, "both"):
                down.append(each.name)
                waiting[side].pop(0)
    left = [side for side in sides if waiting[side]]
    return left[0] if left else "none", exchanges, _contenders_left(fighters, lucks), tuple(down)


def _contenders_left(fighters: tuple[Contender, ...], lucks: Mapping[str, Luck]) -> tuple[Contended, ...]:
    """What is left of everybody; opponents of the GM have neither cards nor Strikes."""
    return tuple(
        Contended(each.name, lucks[each.name].hand.count(None), lucks[each.name].strikes)
        if each.name in lucks
        else Contended(each.name, 0, 0)
        for each in fighters
    )
