"""Sections C and M together: two Operators sit down, are dealt their hands, and meet in a contest to its end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from sheetgen.dice.deck import Card, Cards, DealtCards
from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.attempts import Position
from sheetgen.systems.sixshooter.cards import Hand, Piles, bad, written
from sheetgen.systems.sixshooter.challenges import CN, IMPOSSIBLE, Effective, check_cn
from sheetgen.systems.sixshooter.contests import WINNERS, fought_out
from sheetgen.systems.sixshooter.creation import Count, Descriptor, Method, Number, own_method
from sheetgen.systems.sixshooter.luck import is_removed, read_luck
from sheetgen.systems.sixshooter.table import dealt_hands
from sheetgen.systems.sixshooter.using import Stake, best_card
from sheetgen.systems.sixshooter.versus import Loser

Spends = Literal["all", "high", "none"]
LETTERS = ("a", "b")


@dataclass(frozen=True, slots=True)
class Rival:
    """One Operator of a showdown; without a `method` it is the one of the Descriptor.

    `spends` is how the player handles face-up cards: the best one on each exchange, only jacks and better, or none.
    """

    descriptor: Descriptor
    lucky: tuple[Number, ...] = ()
    strikes: Count = 0
    method: Method | None = None
    spends: Spends = "high"
    turn_up: Position | None = None
    name: str = ""
    archetype: str = ""


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
    *("SIX-013", "SIX-014", "SIX-015", "SIX-040", "SIX-043", "SIX-053", "SIX-054", "SIX-061", "SIX-062", "SIX-063"),
    say="two Operators are dealt their hands and fight it out, until one gains a Strike",
)
def showdown(play: Play, *, a: Rival, b: Rival, jokers: Count = 0) -> Showdown:
    """A contest between two Operators from the shuffle to its end, with the rest of the cards as the central deck.

    Source: hands by SIX-013 to SIX-015, the contest by SIX-061 to SIX-063 with cards in every exchange and no wagers.
    The central deck of scripted cards is empty.
    """
    names = _names(a, b)
    rivals = dict(zip(names, (a, b), strict=True))
    opened = {name: rival.turn_up for name, rival in rivals.items() if rival.turn_up is not None}
    hands, deck = dealt_hands(play, names, jokers, opened)

    def staked(play: Play, side: Stake) -> Stake:
        return _staked(play, side, rivals[side.luck.who].spends)

    first, second = (
        _stake(play, letter, name, hands[name], rivals[name]) for letter, name in zip(LETTERS, names, strict=True)
    )
    central = Piles(_left(deck), ())
    fought = fought_out(play, (staked(play, first), staked(play, second)), central, further=staked)
    lucks = dict(zip(LETTERS, (side.luck for side in fought.sides), strict=True))
    return Showdown(
        loser=fought.loser,
        winner=WINNERS[fought.loser],
        exchanges=fought.exchanges,
        a_hand=written(lucks["a"].hand),
        b_hand=written(lucks["b"].hand),
        cards_lost=Named({letter: luck.hand.count(None) for letter, luck in lucks.items()}),
        strikes=Named({letter: luck.strikes for letter, luck in lucks.items()}),
        removed=Named({letter: is_removed(play, luck.strikes) for letter, luck in lucks.items()}),
    )


def _names(a: Rival, b: Rival) -> tuple[str, str]:
    first, second = a.name or "Operator A", b.name or "Operator B"
    return (first, second) if first != second else (f"{first} (a)", f"{second} (b)")


def _stake(play: Play, letter: str, name: str, hand: Hand, rival: Rival) -> Stake:
    luck = read_luck(
        play,
        f"{letter}.",
        hand=written(hand),
        lucky=rival.lucky,
        strikes=rival.strikes,
        takes=True,
        who=name,
    )
    method = rival.method or own_method(play.values, rival.descriptor)
    return Stake(rival.descriptor, method, luck, path=f"{letter}.")


def _left(deck: Cards) -> tuple[Card, ...]:
    """The cards that nobody was dealt, in the order in which they will come."""
    if not isinstance(deck, DealtCards):
        return ()
    return tuple(deck.draw("the central deck") for _ in range(len(deck.left)))


def _staked(play: Play, side: Stake, spends: Spends) -> Stake:
    """What a side puts on an exchange: a face-up card as its player handles them, and no wager."""
    use = None if spends == "none" else best_card(play.values, side.descriptor, side.method, side.luck)
    held = side.luck.hand[use - 1] if use is not None else None
    if spends == "high" and held is not None and held.card.rank not in play.values.names("cards.names"):
        use = None
    return replace(side, use=use)


Enough = Annotated[int, Whole(1, 99)]


@dataclass(frozen=True, slots=True)
class Try:
    """One try at a challenge: the die, absent if none was rolled, and the effective Critical Number."""

    effective: CN
    die: Annotated[int, Whole(1, 99)] | None = None


@dataclass(frozen=True, slots=True)
class Combat:
    """The challenges that a fight comes to, one Critical Number each."""

    challenges: tuple[Effective, ...]


@dataclass(frozen=True, slots=True)
class FailureCost:
    """How many tries failed, and whether that is enough for the agreed effect."""

    failures: int
    applied: bool


def read_try(play: Play, tried: Try, path: str) -> tuple[bool, bool]:
    """Whether a try overcomes the challenge, and whether the hand is rolled (`SIX-023`, `SIX-025`, `SIX-Q34`)."""
    values, die, effective = play.values, tried.die, tried.effective
    if effective == IMPOSSIBLE:
        return False, False
    if die is not None and die > values.number("die.sides"):
        raise bad(f"{path}.die", f"takes a face from 1 to {values.text('die.sides')}, not {die}")
    if effective <= values.number("critical.automatic"):
        return True, False
    if die is None:
        raise bad(f"{path}.die", f"is missing: a die is rolled against {effective}", "SIX-022")
    return die >= effective, die <= effective


@procedure("SIX-055", say="what a fight comes to: a challenge for each enemy, or one for the crowd")
def combat(
    play: Play, *, enemies: Enough, cn: CN, model: Literal["each", "crowd"] = "each", crowd: CN | None = None
) -> Combat:
    """The challenges of a fight against enemies of this Critical Number; `crowd` is the number of all of them at once.

    Source: SIX-055. How much higher the number of a crowd is, the GM decides.
    """
    for path, number in (("cn", cn), ("crowd", crowd)):
        if number is not None and number != IMPOSSIBLE:
            check_cn(play.values, number, path)
    if model == "each":
        play.tell(f"{enemies} enemies, {enemies} challenges of Critical Number {cn}", "SIX-055")
        return Combat((cn,) * enemies)
    if crowd is None:
        raise bad("crowd", "is missing: a crowd has a Critical Number of its own", "SIX-055")
    if crowd != IMPOSSIBLE and (cn == IMPOSSIBLE or crowd <= cn):
        raise bad("crowd", f"takes a Critical Number above that of one enemy, {cn}; not {crowd}", "SIX-055")
    play.tell(f"{enemies} enemies as one crowd: one challenge of Critical Number {crowd}", "SIX-055")
    return Combat((crowd,))


@procedure("SIX-057", say="the optional effect of having failed so many times")
def failure_cost(play: Play, *, after: Enough, attempts: tuple[Try, ...]) -> FailureCost:
    """Whether these tries hold enough failures for an effect that the table agreed on, such as being knocked out.

    Source: SIX-057.
    """
    read = [read_try(play, tried, f"attempts[{number}]") for number, tried in enumerate(attempts, 1)]
    failures = sum(not overcome for overcome, _ in read)
    applied = failures >= after
    what = "the agreed effect applies" if applied else "no effect yet"
    play.tell(f"{failures} failures of {after}: {what}", "SIX-057")
    return FailureCost(failures, applied)
