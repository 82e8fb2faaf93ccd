"""Section D: who goes first when several players want the same challenge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import perm

from sheetgen.dice.deck import RANKS, SUITS, Card, Cards
from sheetgen.dice.paths import PathDice, Ways
from sheetgen.errors import LimitError
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.cards import (
    Piles,
    bad,
    draw,
    lay,
    read_piles,
    renewed,
    spoken,
    standing,
    written_cards,
)
from sheetgen.systems.sixshooter.creation import Count
from sheetgen.systems.sixshooter.table import check_jokers, check_players, fresh_deck

MOST_FOLLOWED = 3  # players whose draws exact odds follow; a fourth ties in too many ways


@dataclass(frozen=True, slots=True)
class TurnOrder:
    """Who goes when, how many cards that took, and both piles afterwards if they were given."""

    order: tuple[str, ...]
    discarded: int
    deck: tuple[str, ...] | None = None
    discard: tuple[str, ...] | None = None


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
    *("SIX-016", "SIX-017", "SIX-018", "SIX-020", "SIX-072", "SIX-074"),
    say="a card each: who goes first at a challenge",
)
def turn_order(
    play: Play,
    *,
    players: tuple[str, ...],
    jokers: Count = 0,
    deck: tuple[str, ...] | None = None,
    discard: tuple[str, ...] = (),
    shuffled: tuple[str, ...] | None = None,
) -> TurnOrder:
    """The order of turns for these players, given in seat order; cards come from `deck` if it is given.

    Source: SIX-016 to SIX-018, SIX-020; ranking SIX-Q5, SIX-074; ties SIX-Q6. No Lucky Number is triggered (SIX-Q7),
    and the order lasts for the whole challenge (SIX-Q8). `jokers` are those in a deck that is not given.
    """
    check_players(play, players)
    if not players:
        raise bad("players", "takes at least one name")
    if len(players) == 1:
        play.tell(f"{players[0]} is alone: no card is drawn", "SIX-016")
    piles = None if deck is None else read_piles(deck, discard, shuffled)
    order, source = players, Source(piles)
    if len(players) > 1:
        source = _source(play, len(players), jokers, piles)
        order, source = _settled(play, players, source, 0, last=True)
    play.tell(f"Turn order: {', '.join(order)}", "SIX-017")
    left = source.piles
    if left is None:
        return TurnOrder(order, source.count)
    return TurnOrder(order, source.count, written_cards(left.deck), written_cards(left.discard or ()))


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
