"""Sections C and D: dealing hands from a shuffled deck, and shuffling anew when the central deck is used up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from sheetgen.dice.deck import Card, Cards, DealtCards, full_deck
from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.cards import (
    Hand,
    Held,
    Piles,
    bad,
    countable,
    draw,
    lay,
    read_piles,
    renewed,
    shuffling,
    spoken,
    written,
    written_cards,
)
from sheetgen.systems.sixshooter.creation import Count, Number, check_lucky

Position = Annotated[int, Whole(1, 99)]


@dataclass(frozen=True, slots=True)
class Deal:
    """Everybody's hand, and how many cards are left for the central deck."""

    hands: Named[str, tuple[str, ...]]
    deck_left: int


@dataclass(frozen=True, slots=True)
class Adventure:
    """A table at the start of an adventure: hands, Lucky Numbers and Strikes by name, and the size of the deck."""

    hands: Named[str, tuple[str, ...]]
    deck_left: int
    lucky: Named[str, tuple[int, ...]]
    strikes: Named[str, int]


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """What was drawn, and both piles afterwards."""

    drawn: tuple[str, ...]
    deck: tuple[str, ...]
    discard: tuple[str, ...]


def fresh_deck(play: Play, jokers: int) -> Cards:
    """A shuffled deck with so many jokers, or the cards that a script or the table gives (`SIX-013`, `SIX-072`)."""
    check_jokers(play, jokers)
    cards: Cards | None = play.cards
    if cards is None or isinstance(cards, DealtCards):
        countable(play, len(full_deck(jokers)), "a shuffled deck")
        return DealtCards(full_deck(jokers), shuffling(play))
    return cards


def check_jokers(play: Play, jokers: int) -> None:
    """Refuses more jokers than a deck may have (`SIX-Q27`)."""
    most = play.values.number("jokers.most")
    if jokers > most:
        raise bad("jokers", f"takes 0 to {most}, not {jokers}", "SIX-Q27")


def check_players(play: Play, players: tuple[str, ...]) -> None:
    """Refuses a name that stands twice, and more players than a deck can serve (`SIX-Q2`)."""
    twice = [name for name in dict.fromkeys(players) if players.count(name) > 1]
    if twice:
        raise bad("players", f"takes every name once; {twice[0]} stands {players.count(twice[0])} times")
    most = play.values.number("table.most")
    if len(players) > most:
        message = f"players: takes at most {most} names, not {len(players)}"
        raise Refused("too_many_operators", message, "SIX-Q2")


@procedure(
    *("SIX-013", "SIX-014", "SIX-015", "SIX-072", "SIX-Q2", "SIX-Q4", "SIX-Q27"),
    say="six cards for everybody, one of them turned up",
)
def deal(
    play: Play, *, players: tuple[str, ...], jokers: Count = 0, turn_up: Mapping[str, Position] | None = None
) -> Deal:
    """The hands of a new game; a player whose `turn_up` is not given turns up any card, as none has been seen.

    Source: SIX-013 to SIX-015; jokers SIX-072; six cards in a block to each player in turn (SIX-Q4).
    """
    check_table(play, players, jokers, turn_up or Named({}))
    left = central_deck(play, len(players), jokers)
    play.settled(deck_left=left)
    hands, _ = dealt_hands(play, players, jokers, turn_up or Named({}))
    play.tell(f"{left} cards are left: the central deck", "SIX-013")
    return Deal(Named({name: written(hand) for name, hand in hands.items()}), left)


def central_deck(play: Play, players: int, jokers: int) -> int:
    """How many cards are left for the central deck once so many players have their hands (`SIX-013`)."""
    return len(full_deck(jokers)) - play.values.number("hand.places") * players


def check_table(play: Play, players: tuple[str, ...], jokers: int, turn_up: Mapping[str, int]) -> None:
    """Refuses a table that cannot be dealt for, and a `turn_up` of nobody who plays or of no place in a hand."""
    check_jokers(play, jokers)
    check_players(play, players)
    places = play.values.number("hand.places")
    for name, position in turn_up.items():
        if name not in players:
            raise bad(f"turn_up.{name}", f"is not a player; there are {', '.join(players)}")
        if position > places:
            raise bad(f"turn_up.{name}", f"takes a place from 1 to {places}, not {position}", "SIX-015")


def dealt_hands(
    play: Play, players: tuple[str, ...], jokers: int, turn_up: Mapping[str, int]
) -> tuple[dict[str, Hand], Cards]:
    """The hand of each player with one card turned up, and the deck they were dealt from (`SIX-013` to `SIX-015`)."""
    check_table(play, players, jokers, turn_up)
    places = play.values.number("hand.places")
    deck = fresh_deck(play, jokers)
    hands: dict[str, Hand] = {}
    seen = 0
    for name in players:
        cards = tuple(deck.draw(f"a card for {name}") for _ in range(places))
        seen += sum(card.is_joker for card in cards)
        if seen > jokers:
            raise Refused("joker", f"cards: this deck holds {jokers} jokers, and {seen} were dealt", "SIX-072")
        hands[name] = _opened(play, name, cards, turn_up.get(name))
    return hands, deck


def _opened(play: Play, name: str, cards: tuple[Card, ...], position: int | None) -> Hand:
    if position is None:
        position = play.dice.choose(len(cards), f"the card that {name} turns up") + 1
    card = spoken(play.values, cards[position - 1])
    play.tell(f"{name} gets {len(cards)} cards and turns up place {position}: {card}", "SIX-014", "SIX-015")
    return tuple(Held(each, number == position) for number, each in enumerate(cards, 1))


@procedure("SIX-013", "SIX-015", "SIX-070", "SIX-072", "SIX-Q32", say="the next adventure: new hands, no Strikes")
def start_adventure(
    play: Play,
    *,
    lucky: Mapping[str, tuple[Number, ...]],
    jokers: Count = 0,
    turn_up: Mapping[str, Position] | None = None,
) -> Adventure:
    """A table whose Operators, in dealing order, bring their Lucky Numbers along, are dealt new hands and no Strikes.

    Source: SIX-070; hands anew by section C, Lucky Numbers kept (SIX-Q32).
    """
    for name, numbers in lucky.items():
        check_lucky(play.values, numbers, f"lucky.{name}")
    start = play.values.number("strikes.start")
    check_table(play, tuple(lucky), jokers, turn_up or Named({}))
    play.settled(lucky=Named(dict(lucky)), strikes=Named(dict.fromkeys(lucky, start)))
    play.settled(deck_left=central_deck(play, len(lucky), jokers))
    dealt = deal(play, players=tuple(lucky), jokers=jokers, turn_up=turn_up)
    play.tell(f"Everybody starts at {start} Strikes and keeps their Lucky Numbers", "SIX-070", "SIX-Q32")
    return Adventure(dealt.hands, dealt.deck_left, Named(dict(lucky)), Named(dict.fromkeys(lucky, start)))


@procedure("SIX-016", "SIX-020", "SIX-Q9", say="drawing from a deck that may run out")
def reshuffle(
    play: Play,
    *,
    reason: Literal["turn_order", "lucky_number"] = "turn_order",
    deck: tuple[str, ...],
    discard: tuple[str, ...] = (),
    draws: Count = 1,
    shuffled: tuple[str, ...] | None = None,
) -> Reshuffle:
    """So many draws, and both piles after them; a used-up deck is renewed from the discard pile at once.

    Source: SIX-020, SIX-Q9. A card drawn for turn order is discarded as it is drawn (SIX-016), one drawn for a Lucky
    Number goes to a hand. `shuffled` is the order in which the new deck comes out.
    """
    piles, drawn = read_piles(deck, discard, shuffled), list[Card]()
    for _ in range(draws):
        card, piles = draw(play, piles)
        if card is None:
            continue
        drawn.append(card)
        play.tell(f"Drawn: {spoken(play.values, card)}", "SIX-016" if reason == "turn_order" else "SIX-054")
        piles = renewed(play, lay(piles, card) if reason == "turn_order" else piles)
    return _piles_after(tuple(drawn), renewed(play, piles))


def _piles_after(drawn: tuple[Card, ...], piles: Piles) -> Reshuffle:
    return Reshuffle(written_cards(drawn), written_cards(piles.deck), written_cards(piles.discard or ()))
