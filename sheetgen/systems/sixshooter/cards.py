"""What parameters of Six Shooter take; cards and hands as a table writes them: `KS`, `10H`, `JOKER`.

A hand has six places: `7C down`, `KH up`, `gone`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypeAlias

from sheetgen.dice.deck import JOKER, Card, DealtCards, full_deck, parse_card
from sheetgen.dice.source import Dice
from sheetgen.errors import quoted
from sheetgen.model.data import Values
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused

Descriptor: TypeAlias = Annotated[str, OneOf("descriptors")]
Method: TypeAlias = Annotated[str, OneOf("methods")]
Count: TypeAlias = Annotated[int, Whole(0, 99)]
Positive: TypeAlias = Annotated[int, Whole(1, 99)]
Number: TypeAlias = Annotated[int, Whole(-99, 99)]
IMPOSSIBLE: Literal["Impossible"] = "Impossible"
CN: TypeAlias = Number | Literal["Impossible"]
Effective: TypeAlias = int | Literal["Impossible"]
Result: TypeAlias = Literal["success", "success_at_cost", "failure", "automatic", "not_possible"]
SIGNS = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC")
UP, DOWN, GONE = "up", "down", "gone"
Hand: TypeAlias = "tuple[Held | None, ...]"


def bad(path: str, takes: str, rule: str = "") -> Refused:
    """The refusal of a parameter: which one, and what it takes."""
    return Refused("bad_parameter", f"{path}: {takes}", rule)


def strikes_text(count: int) -> str:
    """How many Strikes, in words."""
    return f"{count} Strike" if count == 1 else f"{count} Strikes"


def own_method(values: Values, descriptor: str) -> str:
    """The method that a Descriptor is best at (`SIX-005`)."""
    return values.text(f"descriptors.{descriptor}")


def suit_of(values: Values, method: str) -> str:
    """The letter of the suit that belongs to a method (`SIX-005`, `SIX-042`)."""
    return values.text(f"methods.{method}")


def is_lucky_number(values: Values, number: int) -> bool:
    """Whether a number may be a Lucky Number at all (`SIX-010`)."""
    return values.number("lucky.least") <= number <= values.number("lucky.most")


def check_lucky(values: Values, lucky: tuple[int, ...], path: str) -> None:
    """Refuses numbers that cannot be lucky, and more of them than an Operator may hold (`SIX-010`, `SIX-067`)."""
    low, high, most = (values.number(f"lucky.{name}") for name in ("least", "most", "held"))
    for number in lucky:
        if not low <= number <= high:
            message = f"{path}: takes whole numbers from {low} to {high}, not {number}"
            raise Refused("lucky_out_of_range", message, "SIX-010")
    if len(lucky) > most:
        raise bad(path, f"takes at most {most} Lucky Numbers, not {len(lucky)}", "SIX-067")


@dataclass(frozen=True, slots=True)
class Held:
    """A card that lies in a hand, face-up or face-down."""

    card: Card
    up: bool

    def __str__(self) -> str:
        return f"{self.card} {UP if self.up else DOWN}"


def read_card(text: str, path: str) -> Card:
    """The card that a word writes; Refused names the parameter."""
    try:
        return parse_card(text)
    except ValueError as error:
        raise bad(path, f"takes a card: {error}; not {quoted(text)}") from None


def read_cards(texts: tuple[str, ...], path: str) -> tuple[Card, ...]:
    """The cards of a list, top card first."""
    return tuple(read_card(text, f"{path}[{number}]") for number, text in enumerate(texts, 1))


def read_hand(values: Values, entries: tuple[str, ...], path: str) -> Hand:
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


def heard(values: Values, text: str) -> Card | None:
    """Return the card that a player wrote: `the king of spades`, `KS`, `K♠`, `10 H`; None if it is none."""
    words = [word for word in text.casefold().split() if word not in ("the", "of")]
    short = "".join(words).upper().translate(SIGNS)
    for card in full_deck(jokers=1):
        names = [word for word in spoken(values, card).casefold().split() if word not in ("the", "of")]
        if short == str(card) or words == names:
            return card
    return None


def reduction(values: Values, card: Card) -> int:
    """By how much a card lowers a Critical Number when it may be used (`SIX-041`)."""
    return 0 if card.is_joker else values.number(f"cards.reduces.{card.rank}")


def standing(values: Values, card: Card) -> int:
    """How high a card stands in a draw for turn order (`SIX-017`, `SIX-074`, `SIX-Q5`)."""
    return values.number(f"cards.standing.{card.rank or JOKER}")


@dataclass(frozen=True, slots=True)
class Given:
    """Both piles as a table states them, and the order in which the next new deck comes out if it is scripted."""

    deck: tuple[str, ...] = ()
    discard: tuple[str, ...] | None = None
    shuffled: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class LeftPiles:
    """Both piles as they lie afterwards."""

    deck: tuple[str, ...]
    discard: tuple[str, ...] | None = None


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

    @property
    def left(self) -> LeftPiles:
        """The results that tell how the piles lie afterwards."""
        return LeftPiles(written_cards(self.deck), None if self.discard is None else written_cards(self.discard))


def read_piles(given: Given) -> Piles:
    """The piles that a table states."""
    discard, shuffled = (
        None if cards is None else read_cards(cards, name)
        for name, cards in (("discard", given.discard), ("shuffled", given.shuffled))
    )
    return Piles(read_cards(given.deck, "deck"), discard, shuffled)


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
    new = piles.shuffled
    if new is None:
        left, dice = list(piles.discard), shuffling(play)
        new = tuple(left.pop(dice.choose(len(left), "shuffling the discard pile")) for _ in piles.discard)
    elif sorted(new) != sorted(piles.discard):
        pile = ", ".join(map(str, piles.discard))
        raise bad("shuffled", f"takes the discard pile in its new order, that is {pile}", "SIX-020")
    play.tell(f"The deck is used up: the {len(new)} discarded cards are shuffled into a new one", "SIX-020")
    return replace(piles, deck=new, discard=(), shuffled=None)


def shuffling(play: Play) -> Dice:
    """What shuffles cards: the source of the cards, which may differ from the dice rolled by hand."""
    return play.cards.dice if isinstance(play.cards, DealtCards) else play.dice
