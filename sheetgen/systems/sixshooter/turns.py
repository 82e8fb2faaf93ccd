"""Section D: who goes first when several players want the same challenge."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.dice.deck import Card, Cards
from sheetgen.rules.play import Play, Refused
from sheetgen.rules.procedure import procedure
from sheetgen.systems.sixshooter.cards import bad, spoken, standing, written_cards
from sheetgen.systems.sixshooter.operators import Count
from sheetgen.systems.sixshooter.piles import Piles, draw, lay, read_piles, renewed
from sheetgen.systems.sixshooter.table import check_players, fresh_deck


@dataclass(frozen=True, slots=True)
class TurnOrder:
    """Who goes when, how many cards that took, and both piles afterwards if they were given."""

    order: tuple[str, ...]
    discarded: int
    deck: tuple[str, ...] | None = None
    discard: tuple[str, ...] | None = None


class _Draws:
    """Cards for one turn order: from piles on the table if there are any, else from the deck that is dealt."""

    def __init__(self, play: Play, piles: Piles | None, cards: Cards | None) -> None:
        self.play, self.piles, self.cards, self.count = play, piles, cards, 0

    def draw(self, who: str) -> Card:
        """The next card, discarded straight away (`SIX-016`)."""
        card: Card | None = None
        if self.piles is not None:
            card, self.piles = draw(self.play, self.piles)
        elif self.cards is not None:
            card = self.cards.draw(f"turn order, {who}")
        if card is None:
            raise Refused("no_cards", "deck: takes at least one card to draw for turn order", "SIX-016")
        if self.piles is not None:
            self.piles = renewed(self.play, lay(self.piles, card))
        self.count += 1
        return card


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
    draws = _Draws(play, piles, fresh_deck(play, jokers) if deck is None and len(players) > 1 else None)
    order = _settled(play, players, draws, 0) if len(players) > 1 else players
    play.tell(f"Turn order: {', '.join(order)}", "SIX-017")
    if draws.piles is None:
        return TurnOrder(order, draws.count)
    left = draws.piles
    return TurnOrder(order, draws.count, written_cards(left.deck), written_cards(left.discard or ()))


def _settled(play: Play, group: tuple[str, ...], draws: _Draws, redraws: int) -> tuple[str, ...]:
    """The order within a group: a card each in seat order, then ties from the highest down, each settled completely."""
    drawn = {name: draws.draw(name) for name in group}
    shown = ", ".join(f"{name} {spoken(play.values, card).removeprefix('the ')}" for name, card in drawn.items())
    play.tell(f"Drawn and discarded: {shown}", "SIX-016")
    by_height: dict[int, list[str]] = {}
    for name, card in drawn.items():
        by_height.setdefault(standing(play.values, card), []).append(name)
    order: list[str] = []
    for height in sorted(by_height, reverse=True):
        tied = tuple(by_height[height])
        if len(tied) > 1:
            play.again(redraws, "turn order")
            play.tell(f"{' and '.join(tied)} tie and draw again", "SIX-018")
            tied = _settled(play, tied, draws, redraws + 1)
        order += tied
    return tuple(order)
