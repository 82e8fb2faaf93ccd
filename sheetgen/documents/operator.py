"""Operators as plain data for their cards: who they are, what they are best at, and what a card is worth to them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from sheetgen.documents.card import card_values
from sheetgen.documents.deck.pips import SHAPES
from sheetgen.documents.deck.woodcut import Block, disc, drawn, ray
from sheetgen.model.character import Character
from sheetgen.model.system import System

MINUS = "\u2212"
_NAME, _WIDE = 14.0, 0.186  # pt; the width of a letter in mm for each pt
_ROOM = 55.0  # mm, for a name


def operator(system: System, character: Character, figures: Mapping[str, str]) -> dict[str, object]:
    """What a card tells of an Operator."""
    values = card_values(system, character, figures)
    name = character.text("name")
    return {
        "name": name,
        "known": f"the card of {name}",
        "title_size": round(min(_NAME, _ROOM / (_WIDE * max(len(name), 1))), 2),
        "trade": values.get("card.trade", ""),
        "method": figures.get("method", ""),
        "lucky": figures.get("lucky", ""),
        "things": values.get("gear", ""),
        "story": ". ".join(filter(None, (_sentence(character.text("manner")), character.text("hook")))),
        "met": {method: figures.get(f"met.{method}", "") for method in system.values.names("methods")},
        "again": values.get("seed", ""),
    }


def deck_data(system: System) -> dict[str, object]:
    """What all cards of Operators have in common: what cards are worth, the Strikes, the places of a hand."""
    values = system.values
    reduces = values.numbers("cards.reduces")
    worth = [
        {"ranks": _span([rank for rank, _ in found]), "off": f"{MINUS}{off}"}
        for off, found in ((off, list(each)) for off, each in groupby(reduces.items(), key=lambda each: each[1]))
    ]
    return {
        "shapes": dict(SHAPES),
        "badge": badge(Block(system.accent, system.accent, system.tone.ink_saver), values.number("hand.places")),
        "worth": worth,
        "strikes": list(range(1, values.number("strikes.removal") + 1)),
        "places": list(range(1, values.number("hand.places") + 1)),
    }


def badge(block: Block, chambers: int) -> str:
    """A cylinder around a number, its chambers at the rim; the inside of an SVG that reaches 22 from the middle."""
    ring = drawn(disc(0, 0, 21), fill="none", line=block.dark, width=1.2)
    places = (ray(15.4, at * 360 / chambers) for at in range(chambers))
    bores = "".join(block.solid(disc(x, y, 3.1), block.dark, width=0.8) for x, y in places)
    return ring + bores + drawn(disc(0, 0, 10.4), fill="none", line=block.dark, width=0.7)


def _span(ranks: list[str]) -> str:
    return ranks[0] if len(ranks) == 1 else f"{ranks[0]}\u2013{ranks[-1]}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
