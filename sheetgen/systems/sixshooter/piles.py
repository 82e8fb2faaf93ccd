"""The central deck and the discard pile: drawing from one, laying on the other, and shuffling when the deck is out.

A pile that nobody keeps track of (`discard` absent) is never shuffled in: the deck simply ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sheetgen.dice.deck import Card, DealtCards
from sheetgen.dice.paths import PathDice
from sheetgen.dice.source import Dice
from sheetgen.errors import LimitError
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.sixshooter.cards import bad, read_cards

MOST_STEPS = 3  # rolls with all that hangs on them, or cards, that exact odds follow one after another


@dataclass(frozen=True, slots=True)
class Piles:
    """Both piles as they lie: the deck top card first, the discard pile first card first.

    `shuffled` is the order in which the next new deck comes out, if it is scripted; `laid` is what was discarded
    since the piles were read.
    """

    deck: tuple[Card, ...] = ()
    discard: tuple[Card, ...] | None = None
    shuffled: tuple[Card, ...] | None = None
    laid: tuple[Card, ...] = ()


def read_piles(
    deck: tuple[str, ...], discard: tuple[str, ...] | None = None, shuffled: tuple[str, ...] | None = None
) -> Piles:
    """The piles that the parameters of those names state."""
    return Piles(
        read_cards(deck, "deck"),
        None if discard is None else read_cards(discard, "discard"),
        None if shuffled is None else read_cards(shuffled, "shuffled"),
    )


def lay(piles: Piles, card: Card) -> Piles:
    """The piles with a card discarded."""
    pile = None if piles.discard is None else (*piles.discard, card)
    return replace(piles, discard=pile, laid=(*piles.laid, card))


def draw(play: Play, piles: Piles) -> tuple[Card | None, Piles]:
    """The top card and the piles without it; no card if there is none to draw (`SIX-Q9`)."""
    piles = renewed(play, piles)
    if not piles.deck:
        play.tell("The deck is out and cannot be renewed: that draw is lost", "SIX-Q9")
        return None, piles
    return piles.deck[0], replace(piles, deck=piles.deck[1:])


def renewed(play: Play, piles: Piles) -> Piles:
    """The piles with the discard pile shuffled into a new deck if the deck is used up (`SIX-020`, `SIX-Q9`)."""
    if piles.deck or not piles.discard:
        return piles
    if piles.shuffled is None:
        new = _shuffled(play, piles.discard)
    else:
        new = piles.shuffled
        if sorted(new) != sorted(piles.discard):
            pile = ", ".join(map(str, piles.discard))
            raise bad("shuffled", f"takes the discard pile in its new order, that is {pile}", "SIX-020")
    play.tell(f"The deck is used up: the {len(new)} discarded cards are shuffled into a new one", "SIX-020")
    return replace(piles, deck=new, discard=(), shuffled=None)


def countable(play: Play, steps: int, what: str) -> None:
    """Refuses exact odds at once where following every way would take for ever; play at a table goes on."""
    if isinstance(play.dice, PathDice) and steps > MOST_STEPS:
        raise LimitError(f"{what} can go in too many ways to follow each one")


def shuffling(play: Play) -> Dice:
    """What shuffles cards: the source of the cards, which may differ from the dice rolled by hand."""
    return play.cards.dice if isinstance(play.cards, DealtCards) else play.dice


def _shuffled(play: Play, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    left, order = list(cards), list[Card]()
    while left:
        order.append(left.pop(shuffling(play).choose(len(left), "shuffling the discard pile")))
    return tuple(order)
