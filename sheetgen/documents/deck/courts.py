"""The court cards of a deck: a frame, a figure above the belt, and the same figure turned below it; lengths in mm."""

from __future__ import annotations

from sheetgen.documents.deck.busts import BUSTS
from sheetgen.documents.deck.pips import suit
from sheetgen.documents.deck.regalia import arm, belt, buckle
from sheetgen.documents.deck.woodcut import Block, drawn, moved

WIDE, HIGH = 20.9, 39.2  # half the frame
FALL = 7.7  # how far the belt falls from the middle to the frame
_TILT = 20.2


def court(block: Block, rank: str, letter: str) -> str:
    """The picture of a court card about its middle; it looks the same turned half a circle."""
    half = _half(block, rank, letter)
    name = f"{rank}{letter}"
    clip = (
        f'<clipPath id="upper-{name}"><path d="M-{WIDE}-{HIGH}H{WIDE}V{FALL}L-{WIDE}-{FALL}Z"/></clipPath>'
        f'<clipPath id="frame-{name}"><path d="M-{WIDE}-{HIGH}H{WIDE}V{HIGH}H-{WIDE}Z"/></clipPath>'
    )
    upper = f'<g clip-path="url(#upper-{name})">{half}</g>'
    strap = belt(block, rank, letter, length=24)
    across = moved(strap + moved(strap, turn=180), turn=_TILT)
    frame = drawn(f"M-{WIDE}-{HIGH}H{WIDE}V{HIGH}H-{WIDE}Z", line=block.dark, width=0.45)
    return (
        f"<defs>{clip}</defs>{upper}{moved(upper, turn=180)}"
        f'<g clip-path="url(#frame-{name})">{across}</g>{buckle(block, letter)}{frame}'
    )


def _half(block: Block, rank: str, letter: str) -> str:
    cloth, trim = block.of(letter), block.other(letter)
    sleeve, cuff = {"J": (cloth, trim), "Q": (trim, cloth), "K": (cloth, trim)}[rank]
    figure = moved(BUSTS[rank](block, letter), -2.4)
    held = moved(arm(block, letter, sleeve, cuff), 14, -8.4)
    return moved(figure + held, size=1.05) + suit(block, letter, size=8.4, x=5.2 - WIDE, y=5.8 - HIGH)
