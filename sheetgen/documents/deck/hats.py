"""Hats for the court of a deck, on a head whose axis is x = 0; brims lie some 25 mm above the belt."""

from __future__ import annotations

from sheetgen.documents.deck.heads import printed
from sheetgen.documents.deck.pips import suit
from sheetgen.documents.deck.woodcut import PAPER, Block, disc, moved

_CROWN = "M-6.4-26.4C-6.6-31-6.2-35.4-3.6-36C-2-36.3-1.2-34.9 0-34.9C1.2-34.9 2-36.3 3.6-36C6.2-35.4 6.6-31 6.4-26.4Z"
_BRIM = (
    "M-11.6-27.6C-9.6-26-6-25.6 0-25.6C6-25.6 9.6-26 11.6-27.6C11.4-24.9 6.6-23.3 0-23.3C-6.6-23.3-11.4-24.9-11.6-27.6Z"
)
_TALL = (
    "M-6.2-27C-6.6-32-6.8-35.8-4.6-36.6C-2.6-37.2-1.6-35.6 0-35.6C1.6-35.6 2.6-37.2 4.6-36.6C6.8-35.8 6.6-32 6.2-27Z"
)
_FLAT = "M-11.4-27.1C-9-26.6-6-26.2 0-26.2C6-26.2 9-26.6 11.4-27.1C11-24.6 6.6-23.5 0-23.5C-6.6-23.5-11-24.6-11.4-27.1Z"
_POINTS = "M-6.6-25.4V-32.2L-4.4-29.7L-2.2-32.8L0-29.7L2.2-32.8L4.4-29.7L6.6-32.2V-25.4Z"
_PLUME = (
    "M7.4-26.8C9.4-30.4 8.4-34.8 4-36.3C0-37.5-5-36-6.4-32.4C-4.6-33.1-3-33-2-32.3C-3.6-31.8-4.6-30.8-5-29.4"
    "C-2-30.6 3.6-30 7.4-26.8Z"
)


def wide_hat(block: Block, colour: str, band: str) -> str:
    """An outlaw’s hat with a wide, turned-up brim."""
    dents = "M-2.6-34.6C-3.4-33-3.4-31.6-3-30.4M2.6-34.6C3.4-33 3.4-31.6 3-30.4M0-34V-31"
    return (
        block.solid(_CROWN, colour)
        + block.cut(dents, colour, width=0.3)
        + block.solid("M-6.5-29.4C-3-28.6 3-28.6 6.5-29.4V-25.4C3-24.7-3-24.7-6.5-25.4Z", band, edge=PAPER)
        + "".join(block.hole(disc(x, y, 0.5), band) for x, y in ((-4.2, -27.6), (0, -27.3), (4.2, -27.6)))
        + block.solid(_BRIM, colour, edge=PAPER)
        + block.cut("M-10.2-26C-7-24.7 7-24.7 10.2-26", colour, width=0.25)
    )


def crowned_hat(block: Block, letter: str, colour: str, band: str) -> str:
    """A marshal’s tall hat whose band is a crown."""
    return (
        block.solid(_TALL, colour)
        + block.cut("M-2.4-35.6C-3-34.8-3-34.2-2.9-33.7M2.4-35.6C3-34.8 3-34.2 2.9-33.7", colour, width=0.3)
        + block.solid(_POINTS, band, edge=PAPER, width=0.45)
        + printed(block, letter, [(x, -28) for x in (-4.4, -2.2, 0, 2.2, 4.4)], band, size=1.7)
        + block.solid(_FLAT, colour, edge=PAPER)
        + block.cut("M-9.8-25.8C-7-24.9 7-24.9 9.8-25.8", colour, width=0.25)
    )


def plumed_hat(block: Block, colour: str, plume: str) -> str:
    """A lady’s tilted hat with an ostrich feather and a veil of net."""
    barbs = (
        "M6.8-27.8C7.4-31 5.6-34 2-34.8C-1-35.4-3.6-34.6-5.2-33.2M6.6-31.4L8.4-33.2M5.2-33.6L6.4-35.6M2.8-34.6L3.2-36.4"
        "M0-35L-.4-36.6M6.6-30.4C4-31-1-31.6-3.4-30.6M5.6-32.6C3-33-.6-33.4-1.6-32.6M-2.4-34.6L-3.4-35.6"
    )
    net = "".join(f"M{x} -25.6L{x + 6} -19.4M{x} -19.4L{x + 6} -25.6" for x in (-6, -3, 0))
    knots = [(x, y) for y in (-19.4, -22.5) for x in ((-3, 0, 3) if y < -20 else (-6, -3, 0, 3, 6))]
    return (
        block.line(net, width=0.16)
        + "".join(block.dot(x, y, 0.3) for x, y in knots)
        + block.solid("M-7.4-27C-7.6-30.6-5.6-32-2-32.2C3-32.4 6.8-31 7-27.6C2-28.6-3-28.4-7.4-27Z", colour)
        + block.solid(_PLUME, plume, edge=PAPER)
        + block.cut(barbs, plume, width=0.28)
        + block.solid(
            "M-10.6-25.2C-7-28.6 6-29.8 10.8-26.8C11.9-26 10.6-25.4 8.2-26C2-27.2-4-26.4-8.4-24.6"
            "C-10.6-23.8-11.6-24.2-10.6-25.2Z",
            colour,
            edge=PAPER,
        )
    )


def top_hat(block: Block, letter: str, colour: str, band: str) -> str:
    """A lady’s top hat with the suit on its band."""
    return (
        block.solid("M-5.2-27L-5.9-35.4C-3-36.6 3-36.6 5.9-35.4L5.2-27Z", colour)
        + block.cut("M-5.5-34.9C-3-35.9 3-35.9 5.5-34.9M3.6-33.6L3.3-31.4", colour, width=0.28)
        + block.solid("M-5.5-30.6C-3-29.7 3-29.7 5.5-30.6L5.2-25.4H-5.2Z", band, edge=PAPER)
        + block.plain(disc(0, -28.7, 2.1))
        + suit(block, letter, size=3, y=-28.7)
        + block.solid(
            "M-9.4-27.2C-6-25.8 6-25.8 9.4-27.2C8.6-24.6 5-24 0-24C-5-24-8.6-24.6-9.4-27.2Z", colour, edge=PAPER
        )
    )


def roses(block: Block) -> str:
    """Piled-up hair with two roses in it."""
    ink = block.dark
    pile = "M-6.4-22.6C-8.8-29-6-36.2 0-36.2C6-36.2 8.8-29 6.4-22.6C6-25.2 3.6-26.4 1-26.2C-2-26-5-25.6-6.4-22.6Z"
    waves = (
        "M-5.4-27.4C-4.6-31.6-2.6-34 .6-35.2M-3.2-27.2C-2.6-30.6-.8-32.8 2.4-34.2M-.8-27.2C0-30 1.6-31.6 4.6-32.4"
        "M1.6-27.2C2.4-29 4-30.2 6-30.6"
    )
    bloom = (
        block.solid(
            "M-.4-2.2C-1.4-3.6-3-4-4.2-3.6C-4-2.2-2.8-1-1.6-1.2ZM1-2.2C1.6-3.8 3.2-4.4 4.4-4C4.2-2.4 3-1.2 1.8-1.2Z",
            ink,
            edge=PAPER,
            width=0.3,
        )
        + block.solid(disc(0, 0, 2.6), block.red, edge=PAPER)
        + block.cut(
            "M-2.2 .3C-1.4 1.4 1.4 1.4 2.2 .3M-1.3-.9C-1.2.3.9.4 1.2-.6C1.3-1.5.1-1.7-.2-1.1", block.red, width=0.3
        )
    )
    return (
        block.solid(pile, ink)
        + block.cut(waves, ink, width=0.3)
        + moved(bloom, -5, -28.4, turn=60)
        + moved(bloom, -2.2, -32.6, turn=20, size=0.8)
    )


def feathered_hat(block: Block, colour: str, band: str) -> str:
    """A wide hat with two feathers in its band."""
    quill = "M0 0C-2.2-3-2.2-7.6.4-11.4C2.6-7.6 2.4-3 0 0Z"
    notches = "M0-.4L.3-10M.2-4L1.3-5.4M.2-4L-1-5.2M.3-6.6L1.3-7.8M.3-6.6L-.8-7.8"
    feather = block.solid(quill, band, edge=PAPER) + block.cut(notches, band, width=0.24)
    return moved(feather, 5.2, -26.6, turn=36, size=0.86) + wide_hat(block, colour, band)
