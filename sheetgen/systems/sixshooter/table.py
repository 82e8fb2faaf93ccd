"""Sections C and D: dealing hands from a shuffled deck, who goes first, and what happens when the deck is used up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import perm
from typing import Literal

from sheetgen.dice.deck import RANKS, SUITS, Card, Cards, DealtCards, full_deck
from sheetgen.dice.paths import PathDice
from sheetgen.dice.ways import Ways
from sheetgen.errors import LimitError
from sheetgen.model.procedures import Named
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.cards import (
    Count,
    Given,
    Hand,
    Held,
    Number,
    Piles,
    Positive,
    bad,
    check_lucky,
    draw,
    lay,
    read_piles,
    renewed,
    shuffling,
    spoken,
    standing,
    written,
    written_cards,
)

Hands = Named[str, tuple[str, ...]]
MOST_FOLLOWED = 3  # players whose draws exact odds follow; a fourth ties in too many ways


def fresh_deck(play: Play, jokers: int) -> Cards:
    """A shuffled deck with so many jokers, or the cards that a script or the table gives (`SIX-013`, `SIX-072`)."""
    check_jokers(play, jokers)
    cards: Cards | None = play.cards
    if cards is None or isinstance(cards, DealtCards):
        if play.explores:
            raise LimitError("a shuffled deck can go in too many ways to follow each one")
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
    "SIX-013 SIX-014 SIX-015 SIX-072 SIX-Q2 SIX-Q4 SIX-Q27",
    say="six cards for everybody, one of them turned up",
    results="hands deck_left",
)
def deal(
    play: Play, *, players: tuple[str, ...], jokers: Count = 0, turn_up: Mapping[str, Positive] | None = None
) -> tuple[Hands, int]:
    """The hands of a new game; a player whose `turn_up` is not given turns up any card, as none has been seen.

    Each player in turn gets six cards in a block (SIX-Q4).
    """
    check_table(play, players, jokers, turn_up or Named({}))
    left = central_deck(play, len(players), jokers)
    play.settled(deck_left=left)
    hands, _ = dealt_hands(play, players, jokers, turn_up or Named({}))
    play.tell(f"{left} cards are left: the central deck", "SIX-013")
    return Named({name: written(hand) for name, hand in hands.items()}), left


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


@procedure(
    "SIX-013 SIX-015 SIX-070 SIX-072 SIX-Q32",
    say="the next adventure: new hands, no Strikes",
    results="hands deck_left lucky strikes",
)
def start_adventure(
    play: Play,
    *,
    lucky: Mapping[str, tuple[Number, ...]],
    jokers: Count = 0,
    turn_up: Mapping[str, Positive] | None = None,
) -> tuple[Hands, int, Named[str, tuple[int, ...]], Named[str, int]]:
    """New hands for Operators in dealing order, who keep their Lucky Numbers and have no Strikes (SIX-Q32)."""
    for name, numbers in lucky.items():
        check_lucky(play.values, numbers, f"lucky.{name}")
    start = play.values.number("strikes.start")
    check_table(play, tuple(lucky), jokers, turn_up or Named({}))
    kept, strikes = Named(dict(lucky)), Named(dict.fromkeys(lucky, start))
    play.settled(lucky=kept, strikes=strikes, deck_left=central_deck(play, len(lucky), jokers))
    hands, left = deal(play, players=tuple(lucky), jokers=jokers, turn_up=turn_up)
    play.tell(f"Everybody starts at {start} Strikes and keeps their Lucky Numbers", "SIX-070", "SIX-Q32")
    return hands, left, kept, strikes


@procedure("SIX-016 SIX-020 SIX-Q9", say="drawing from a deck that may run out", results="drawn deck discard")
def reshuffle(
    play: Play,
    *,
    reason: Literal["turn_order", "lucky_number"] = "turn_order",
    deck: tuple[str, ...],
    discard: tuple[str, ...] = (),
    draws: Count = 1,
    shuffled: tuple[str, ...] | None = None,
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """So many draws, and both piles after them; a used-up deck is renewed from the discard pile at once.

    A card drawn for turn order is discarded as it is drawn (SIX-016), one for a Lucky Number goes to a hand.
    `shuffled` is the order in which the new deck comes out.
    """
    piles, drawn = read_piles(Given(deck, discard, shuffled)), list[Card]()
    for _ in range(draws):
        card, piles = draw(play, piles)
        if card is None:
            continue
        drawn.append(card)
        play.tell(f"Drawn: {spoken(play.values, card)}", "SIX-016" if reason == "turn_order" else "SIX-054")
        piles = renewed(play, lay(piles, card) if reason == "turn_order" else piles)
    piles = renewed(play, piles)
    return written_cards(tuple(drawn)), written_cards(piles.deck), written_cards(piles.discard or ())


@dataclass(frozen=True, slots=True)
class Source:
    """Where the cards of one turn order come from: piles on the table, the deck that is dealt, or a count of heights.

    Exact odds follow `heights`, how many cards of each height are left, and no suits, which settle nothing (`SIX-Q5`);
    nor does it matter which heights are used up, only how far, so that they are kept sorted. `count` is how many cards
    were drawn.
    """

    piles: Piles | None = None
    cards: Cards | None = None
    heights: tuple[int, ...] = ()
    count: int = 0

    def drawn(self, play: Play, group: tuple[str, ...]) -> tuple[dict[str, int], Source]:
        """How high the card of each of a group stands, and the source once all are discarded (`SIX-016`)."""
        if isinstance(play.dice, PathDice) and self.heights:
            standings, left = play.dice.branch(_drawn_together(self.heights, len(group)))
            return dict(zip(group, standings, strict=True)), replace(self, heights=left, count=self.count + len(group))
        cards, piles = list[Card](), self.piles
        for name in group:
            card, piles = self._card(play, name, piles)
            cards.append(card)
        dealt = zip(group, (spoken(play.values, card).removeprefix("the ") for card in cards), strict=True)
        play.tell(f"Drawn and discarded: {', '.join(f'{name} {card}' for name, card in dealt)}", "SIX-016")
        heights = (standing(play.values, card) for card in cards)
        return dict(zip(group, heights, strict=True)), replace(self, piles=piles, count=self.count + len(group))

    def _card(self, play: Play, who: str, piles: Piles | None) -> tuple[Card, Piles | None]:
        """The next card and the piles once it is discarded."""
        card: Card | None = None
        if piles is not None:
            card, piles = draw(play, piles)
        elif self.cards is not None:
            card = self.cards.draw(f"turn order, {who}")
        if card is None:
            raise Refused("no_cards", "deck: takes at least one card to draw for turn order", "SIX-016")
        return card, None if piles is None else renewed(play, lay(piles, card))


@cache
def _drawn_together(left: tuple[int, ...], players: int) -> Ways[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Where each of so many cards stands among them, 0 the lowest, with the numbers left of each height, sorted."""
    ways: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {((), left): 1}
    for _ in range(players):
        further: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        for (drawn, rest), weight in ways.items():
            for height, number in enumerate(rest):
                if number:
                    less = (*rest[:height], number - 1, *rest[height + 1 :])
                    further[(*drawn, height), less] = weight * number
        ways = further
    alike: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    for (drawn, rest), weight in ways.items():
        ranks = {height: rank for rank, height in enumerate(sorted(set(drawn)))}
        key = tuple(ranks[height] for height in drawn), tuple(sorted(rest))
        alike[key] = alike.get(key, 0) + weight
    return Ways(tuple(alike), tuple(alike.values()), perm(sum(left), players))


@procedure(
    "SIX-016 SIX-017 SIX-018 SIX-020 SIX-072 SIX-074",
    say="a card each: who goes first at a challenge",
    results="order discarded deck discard",
)
def turn_order(
    play: Play,
    *,
    players: tuple[str, ...],
    jokers: Count = 0,
    deck: tuple[str, ...] | None = None,
    discard: tuple[str, ...] = (),
    shuffled: tuple[str, ...] | None = None,
) -> tuple[tuple[str, ...], int, tuple[str, ...] | None, tuple[str, ...] | None]:
    """The order of turns for these players, given in seat order; cards come from `deck` if it is given.

    Ranking SIX-Q5, ties SIX-Q6. No Lucky Number is triggered (SIX-Q7), and the order lasts for the whole challenge
    (SIX-Q8). `jokers` are those in a deck that is not given.
    """
    check_players(play, players)
    if not players:
        raise bad("players", "takes at least one name")
    if len(players) == 1:
        play.tell(f"{players[0]} is alone: no card is drawn", "SIX-016")
    piles = None if deck is None else read_piles(Given(deck, discard, shuffled))
    order, source = players, Source(piles)
    if len(players) > 1:
        source = _source(play, len(players), jokers, piles)
        order, source = _settled(play, players, source, 0, last=True)
    play.tell(f"Turn order: {', '.join(order)}", "SIX-017")
    left = source.piles
    if left is None:
        return order, source.count, None, None
    return order, source.count, written_cards(left.deck), written_cards(left.discard or ())


def _source(play: Play, players: int, jokers: int, piles: Piles | None) -> Source:
    if piles is not None:
        return Source(piles)
    if not isinstance(play.dice, PathDice):
        return Source(cards=fresh_deck(play, jokers))
    if players > MOST_FOLLOWED:
        raise LimitError(f"the draws of {players} players can go in too many ways to follow each one")
    check_jokers(play, jokers)
    return Source(heights=(jokers, *(len(SUITS),) * len(RANKS)))


def _settled(
    play: Play, group: tuple[str, ...], source: Source, redraws: int, last: bool
) -> tuple[tuple[str, ...], Source]:
    """The order within a group: a card each in seat order, then ties from the highest down, each settled completely.

    Nobody draws after the `last` group, so that what is left by then makes no difference.
    """
    heights, source = source.drawn(play, group)
    together = [
        tuple(name for name in group if heights[name] == height)
        for height in sorted(set(heights.values()), reverse=True)
    ]
    ties = sum(len(tied) > 1 for tied in together)
    order: list[str] = []
    for tied in together:
        if len(tied) > 1:
            ties -= 1
            play.again(redraws, "turn order")
            play.tell(f"{' and '.join(tied)} tie and draw again", "SIX-018")
            settled, source = play.part(_settled, tied, source, redraws + 1, last and not ties)
            order += settled
        else:
            order += tied
    return tuple(order), replace(source, heights=()) if last else source
