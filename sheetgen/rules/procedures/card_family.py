"""The family `drawn cards`: the best of some cards of a fresh deck, against a target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from sheetgen.dice.deck import JOKER, RANKS, DealtCards, full_deck
from sheetgen.errors import among, quoted
from sheetgen.rules.procedures.family_words import FamilyWords
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.result_families import Advantage
from sheetgen.rules.procedures.sum_families import Number, against

LOWEST, MOST_JOKERS, MOST_WORTH = 2, 2, 99
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts", "": "joker"}
BLACK, RED = "black", "red"
Suit = Literal["clubs", "diamonds", "spades", "hearts", "joker"]
Colour = Literal["black", "red", "joker"]


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """The card that counts: its worth with the bonus against a target, its suit and its colour."""

    total: int
    success: bool
    margin: int
    suit: Suit
    colour: Colour


def drawn_cards(words: FamilyWords) -> Callable[..., DrawnCard]:
    """Draw a card of a fresh deck; its worth and a bonus against a target. Advantage draws more: the best one counts.

    A number is worth itself, J to A are worth 11 to 14, unless `worth` says so otherwise; `jokers` are above all: 15,
    or one more than the highest worth.
    """
    words.only("jokers", "worth")
    jokers = words.number("jokers", "0")
    if jokers > MOST_JOKERS:
        raise words.wrong(f"a deck has 0 to {MOST_JOKERS} jokers", words.step.params.get("jokers"))  # type: ignore[call-overload]
    deck, worth, name = full_deck(jokers), _worth(words), words.step.name

    def roll(play: Play, *, target: Number, bonus: Number = 0, advantage: Advantage = 0) -> DrawnCard:
        cards = DealtCards(deck, play.dice) if isinstance(play.cards, DealtCards) else play.cards
        sign = 1 if advantage >= 0 else -1
        best = cards.best(abs(advantage) + 1, lambda card: sign * worth[card.rank or JOKER], name)
        total = worth[best.rank or JOKER] + bonus
        found = against(play, total, target, f"{best}{f' {bonus:+}' if bonus else ''}")
        colour: Colour = "joker" if best.is_joker else RED if best.suit in "DH" else BLACK  # type: ignore[assignment]
        return DrawnCard(total, found.success, found.margin, SUIT_NAMES[best.suit], colour)  # type: ignore[arg-type]

    return roll


def _worth(words: FamilyWords) -> dict[str, int]:
    """Return what each rank is worth; a joker is worth more than every card unless its own worth is given."""
    joker = len(RANKS) + LOWEST
    found = {rank: at for at, rank in enumerate(RANKS, LOWEST)} | {JOKER: joker}
    given = words.step.params.get("worth", {})  # type: ignore[call-overload]
    if not isinstance(given, Mapping):
        raise words.wrong("worth names ranks and what they count: {A: 1, J: 10}", given)
    for rank, number in given.items():
        if rank not in found:
            raise words.wrong(f"worth: no card is {quoted(rank)}{among(rank, found)}", rank)
        if not (str(number).isascii() and str(number).isdigit() and int(str(number)) <= MOST_WORTH):
            raise words.wrong(f"worth: {rank} counts a whole number from 0 to {MOST_WORTH}", rank)
        found[str(rank)] = int(str(number))
    return found if JOKER in given else found | {JOKER: max(joker, *(found[rank] + 1 for rank in RANKS))}
