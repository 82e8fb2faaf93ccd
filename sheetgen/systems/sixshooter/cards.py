"""Cards and hands as a table writes them: `KS`, `10H`, `JOKER`; a hand has six places: `7C down`, `KH up`, `gone`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from sheetgen.dice.deck import JOKER, Card, parse_card
from sheetgen.errors import quoted
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
