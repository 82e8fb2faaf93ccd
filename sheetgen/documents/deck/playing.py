"""A deck of cards as drawings: 52 faces and two jokers, each the inside of an SVG about the middle of the card; in mm.

What a card is worth in the game shows in a corner, as so many loaded chambers of a cylinder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from sheetgen.dice.deck import JOKER, Card, full_deck
from sheetgen.documents.deck.courts import HIGH, WIDE, court
from sheetgen.documents.deck.jokers import JOKERS
from sheetgen.documents.deck.pips import ace, pips, suit
from sheetgen.documents.deck.woodcut import Block, cylinder, drawn, moved, star
from sheetgen.documents.figures.icons import RED
from sheetgen.documents.figures.svg import SERIF
from sheetgen.geometry import Size
from sheetgen.model.data import Values
from sheetgen.model.system import System

EDGE = 6.3  # from the left edge of a card to the middle of its index
RANK, BASE, SUIT, BELOW = 7.9, 9.2, 4.0, 13.1  # the size of a rank, its baseline; the size and the middle of its suit
LIGHT, HINT = 6.7, 2.4  # how far down the cylinder in the corner stands, and its radius
NARROW = 0.72  # how wide the two figures of a ten are drawn


@dataclass(frozen=True, slots=True)
class Face:
    """A face of the deck: the card, what it is called, and the inside of its SVG."""

    card: Card
    title: str
    inside: str


def faces(system: System, size: Size) -> Iterator[Face]:
    """Every face of a system’s deck, suit by suit, the jokers last."""
    block = Block(system.accent, system.tone.of(RED), saver=system.tone.ink_saver)
    jokers = iter(JOKERS)
    for card in full_deck(len(JOKERS)):
        if card.is_joker:
            yield Face(card, JOKER.capitalize(), _joker(block, next(jokers)(block), size))
        else:
            yield Face(card, called(system.values, card), _suited(block, card, system, size))


def called(values: Values, card: Card) -> str:
    """What a card is called: king of spades."""
    path = f"cards.names.{card.rank}"
    rank = values.text(path) if values.has(path) else card.rank
    return f"{rank} of {values.text(f'suits.{card.suit}')}"


def _suited(block: Block, card: Card, system: System, size: Size) -> str:
    """A card of a suit: its picture, and in the corners its index and what it is worth."""
    rank, letter = card.rank, card.suit
    values = system.values
    worth, chambers = values.number(f"cards.reduces.{rank}"), values.number("hand.places")
    loads = cylinder(block, block.of(letter), radius=HINT, chambers=max(chambers, worth), loaded=worth)
    corner = _index(block, rank, letter, size) + moved(loads, size.width / 2 - EDGE, LIGHT - size.height / 2)
    return _picture(block, rank, letter, system.title) + corner + moved(corner, turn=180)


def _picture(block: Block, rank: str, letter: str, title: str) -> str:
    if rank == "A":
        return ace(block, letter) + (_maker(block, title) if letter == "S" else "")
    return court(block, rank, letter) if rank in "JQK" else pips(block, rank, letter)


def _index(block: Block, rank: str, letter: str, size: Size) -> str:
    """Rank over suit in the upper left corner."""
    x, y = EDGE - size.width / 2, -size.height / 2
    shown = _words(rank, size=RANK, colour=block.of(letter))
    return moved(shown, x, y + BASE, size=1, wide=NARROW if len(rank) > 1 else 0) + suit(
        block, letter, size=SUIT, x=x, y=y + BELOW
    )


def _maker(block: Block, title: str) -> str:
    """The name of the game, as the ace of spades bears its maker’s."""
    return moved(_words(title.upper(), size=2.6, colour=block.dark, spaced=0.5), 0.25, 36.4)


def _joker(block: Block, picture: str, size: Size) -> str:
    """A joker: its picture in a frame, and its name down the corners."""
    x, y = EDGE - size.width / 2, -size.height / 2
    corner = moved(block.solid(star(0, 0, 2.6), block.red), x, y + 6.6)
    corner += "".join(
        moved(_words(each, size=4.1, colour=block.dark), x, y + 13.1 + 3.7 * at) for at, each in enumerate(JOKER)
    )
    frame = drawn(f"M-{WIDE}-{HIGH}H{WIDE}V{HIGH}H-{WIDE}Z", line=block.dark, width=0.45)
    return frame + picture + corner + moved(corner, turn=180)


def _words(text: str, *, size: float, colour: str, spaced: float = 0) -> str:
    """Words in the middle of a point of their baseline."""
    between = f' letter-spacing="{spaced:g}"' if spaced else ""
    return (
        f'<text text-anchor="middle" font-family="{SERIF}" font-weight="700" font-size="{size:g}"{between} '
        f'fill="{colour}">{escape(text)}</text>'
    )
