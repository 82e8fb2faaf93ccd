"""Cards and hands as a table writes them: `KS`, `10H`, `JOKER`; a hand has six places: `7C down`, `KH up`, `gone`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from sheetgen.dice.deck import JOKER, Card, DealtCards, parse_card
from sheetgen.dice.paths import PathDice
from sheetgen.dice.source import Dice
from sheetgen.errors import LimitError, quoted
from sheetgen.model.data import Values
from sheetgen.rules.procedures.play import Play, Refused

UP, DOWN, GONE = "up", "down", "gone"


@dataclass(frozen=True, slots=True)
class Held:
    """A card that lies in a hand, face-up or face-down."""

    card: Card
    up: bool

    def __str__(self) -> str:
        return f"{self.card} {UP if self.up else DOWN}"


Hand: TypeAlias = "tuple[Held | None, ...]"


def bad(path: str, takes: str, rule: str = "") -> Refused:
    """The refusal of a parameter: which one, and what it takes."""
    return Refused("bad_parameter", f"{path}: {takes}", rule)


def read_card(text: str, path: str) -> Card:
    """The card that a word writes; Refused names the parameter."""
    try:
        return parse_card(text)
    except ValueError as error:
        raise bad(path, f"takes a card: {error}; not {quoted(text)}") from None


def read_cards(texts: tuple[str, ...], path: str) -> tuple[Card, ...]:
    """The cards of a list, top card first."""
    return tuple(read_card(text, f"{path}[{number}]") for number, text in enumerate(texts, 1))


def read_hand(play: Play, entries: tuple[str, ...], path: str) -> Hand:
    """The hand of six places that a list writes, leftmost first (`SIX-014`)."""
    return hand_of(play.values, entries, path)


def hand_of(values: Values, entries: tuple[str, ...], path: str) -> Hand:
    """The hand of six places that a list writes, leftmost first; Refused names what is no hand (`SIX-014`)."""
    places = values.number("hand.places")
    if len(entries) != places:
        takes = f"takes {places} places, each a card with {UP} or {DOWN}, or {GONE}; {len(entries)} are given"
        raise bad(path, takes, "SIX-014")
    return tuple(_place(entry, f"{path}[{number}]") for number, entry in enumerate(entries, 1))


def _place(entry: str, path: str) -> Held | None:
    if entry == GONE:
        return None
    card, _, face = entry.partition(" ")
    if face not in (UP, DOWN):
        raise bad(path, f"takes a card with {UP} or {DOWN}, such as KS {UP}, or {GONE}; not {quoted(entry)}", "SIX-014")
    return Held(read_card(card, path), face == UP)


def written(hand: Hand) -> tuple[str, ...]:
    """The hand as a list writes it."""
    return tuple(GONE if held is None else str(held) for held in hand)


def written_cards(cards: tuple[Card, ...]) -> tuple[str, ...]:
    """Cards as a list writes them."""
    return tuple(map(str, cards))


def placed(hand: Hand, position: int, held: Held | None) -> Hand:
    """The hand with another card, or none, at a position from 1."""
    return (*hand[: position - 1], held, *hand[position:])


def spoken(values: Values, card: Card) -> str:
    """The card in words: the king of spades."""
    if card.is_joker:
        return "the joker"
    path = f"cards.names.{card.rank}"
    return f"the {values.text(path) if values.has(path) else card.rank} of {values.text(f'suits.{card.suit}')}"


def reduction(values: Values, card: Card) -> int:
    """By how much a card lowers a Critical Number when it may be used (`SIX-041`)."""
    return 0 if card.is_joker else values.number(f"cards.reduces.{card.rank}")


def standing(values: Values, card: Card) -> int:
    """How high a card stands in a draw for turn order (`SIX-017`, `SIX-074`, `SIX-Q5`)."""
    return values.number(f"cards.standing.{card.rank or JOKER}")


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
