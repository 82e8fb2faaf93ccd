"""Playing cards: how they are written, and where the next one comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from sheetgen.dice.paths import PathDice
from sheetgen.dice.source import Dice
from sheetgen.dice.ways import ways_of_highest
from sheetgen.errors import SheetgenError, shortened

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("C", "D", "S", "H")
JOKER = "JOKER"


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A card: rank and suit letter, or a joker, which has neither."""

    rank: str = ""
    suit: str = ""

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}" or JOKER

    @property
    def is_joker(self) -> bool:
        """Whether it is a joker."""
        return not self.rank


def parse_card(text: str) -> Card:
    """Return the card that a text such as KS, 10H or JOKER writes; ValueError says what a card looks like."""
    if text == JOKER:
        return Card()
    rank, suit = text[:-1], text[-1:]
    if rank not in RANKS or suit not in SUITS:
        raise ValueError(f"a card is a rank ({', '.join(RANKS)}) and a suit ({', '.join(SUITS)}), or {JOKER}")
    return Card(rank, suit)


def full_deck(jokers: int = 2) -> tuple[Card, ...]:
    """Return the 52 cards in suit order, with jokers at the end."""
    return (*(Card(rank, suit) for suit in SUITS for rank in RANKS), *(Card(),) * jokers)


def _place(card: Card) -> int:
    """Return the place of a card in a new deck."""
    return SUITS.index(card.suit) * len(RANKS) + RANKS.index(card.rank) if card.rank else len(SUITS) * len(RANKS)


class Cards(Protocol):
    """Where the next card comes from."""

    def draw(self, purpose: str) -> Card:
        """Return the next card, taken for a purpose."""

    def best(self, count: int, worth: Callable[[Card], int], purpose: str) -> Card:
        """Return the card of most worth among the next ones; of equal ones that which a new deck has last."""


class ScriptedCards:
    """Cards that come as listed; too few or cards left over are errors."""

    def __init__(self, cards: Iterable[str]) -> None:
        self.left = [parse_card(card) for card in cards]

    def draw(self, purpose: str) -> Card:
        """Return the next card of the script."""
        if not self.left:
            raise SheetgenError(f"not enough cards: {purpose} takes one more")
        return self.left.pop(0)

    def best(self, count: int, worth: Callable[[Card], int], purpose: str) -> Card:
        """Return the card of most worth among the next ones of the script."""
        return max((self.draw(purpose) for _ in range(count)), key=lambda card: (worth(card), _place(card)))

    def finish(self) -> None:
        """Raise SheetgenError that tells which cards nobody drew, if there are any."""
        if self.left:
            raise SheetgenError(f"cards left over: {shortened(', '.join(map(str, self.left)))}")


class DealtCards:
    """Cards from a shuffled deck; dice that follow every path follow every card."""

    def __init__(self, deck: Iterable[Card], dice: Dice) -> None:
        self.left, self.dice = list(deck), dice

    def draw(self, purpose: str) -> Card:
        """Return a card of those left, each as likely as the others."""
        if not self.left:
            raise SheetgenError(f"{purpose}: the deck is empty")
        return self.left.pop(self.dice.choose(len(self.left), purpose))

    def best(self, count: int, worth: Callable[[Card], int], purpose: str) -> Card:
        """Return the card of most worth among the next ones.

        Dice that follow every path follow each card once, by how often it is the best; then no card is left to draw.
        """
        if count > len(self.left):
            raise SheetgenError(f"{purpose}: the deck is empty")

        def order(card: Card) -> tuple[int, int]:
            return worth(card), _place(card)

        if not isinstance(self.dice, PathDice):
            return max((self.draw(purpose) for _ in range(count)), key=order)
        rising = sorted(self.left, key=order)
        self.left.clear()
        return rising[self.dice.branch(ways_of_highest(count, len(rising)))]

    def finish(self) -> None:
        """Do nothing: a deck may have cards left."""
