"""What a character file of Six Shooter must keep beyond the shapes and ranges that its pack declares."""

from __future__ import annotations

from collections.abc import Iterator

from sheetgen.dice.deck import JOKER
from sheetgen.errors import Problem, quoted
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Refused
from sheetgen.systems.sixshooter.cards import Hand, hand_of
from sheetgen.systems.sixshooter.parameters import LUCK, lucky_numbers


def judge(system: System, character: Character) -> tuple[Problem, ...]:
    """The problems of an Operator: one Lucky Number held twice (`SIX-Q29`), or a hand that no deal gives."""
    return (*_luck(system, character), *_hand(system, character))


def _luck(system: System, character: Character) -> Iterator[Problem]:
    held = lucky_numbers(system, character)
    if len(set(held)) < len(held):
        message = f"{held[0]} stands twice among the Lucky Numbers: the second must be another one"
        yield Problem(character.places.get(LUCK, character.place), message, "SIX-Q29")


def _hand(system: System, character: Character) -> Iterator[Problem]:
    """A hand has six places (`SIX-014`), each a card up or down or gone, and no card of a deck twice (`SIX-013`)."""
    entries = character.lines("hand")
    if not entries:
        return
    place = character.places.get("hand", character.place)
    try:
        hand: Hand = hand_of(system.values, entries, "hand")
    except Refused as refused:
        yield Problem(place, refused.message, refused.rule or "SIX-014")
        return
    cards = [str(held.card) for held in hand if held is not None]
    for card in dict.fromkeys(cards):
        most = system.values.number("jokers.most") if card == JOKER else 1
        if cards.count(card) > most:
            yield Problem(place, f"hand: {quoted(card)} lies there {cards.count(card)} times", "SIX-013")
