"""What the court of a deck holds: a thing for each suit in a raised hand, and the belt that parts the halves.

Each is drawn about a point of its own, in mm.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from sheetgen.documents.deck.pips import suit
from sheetgen.documents.deck.woodcut import HAIR, PAPER, Block, cylinder, disc, moved, number, star

_LEAF = "M0-8C2.4-11.4 4.6-11.3 5.4-10.6C4.8-8.4 2.4-7 0-8Z"


def revolver(block: Block, letter: str) -> str:
    """A revolver, muzzle up, its grip at the origin."""
    ink = block.dark
    frame = (
        "M-2-11.6H2C3-11.6 3.3-10.6 3.3-9.6V-6.4L4.9-7.9L5.6-7L3.8-4.6C4.2-2.4 5.4-.4 5.6 2.8L1.2 3.4"
        "C1 .4.4-2.6-1.2-4.8L-2.4-5.4V-8Z"
    )
    barrel = "M-1.5-23.4H1.5V-11H-1.5ZM1.5-23.4H2.3L2.1-21.6H1.5Z"
    return moved(
        block.solid("M-2.6-20H-1.5V-11H-2.6Z", ink)
        + block.solid(barrel, ink)
        + block.solid(frame, ink)
        + block.solid("M-3.5-12.4H2C2.4-12.4 2.6-12.2 2.6-11.8V-7.2C2.6-6.8 2.4-6.6 2-6.6H-3.5Z", ink, edge=PAPER)
        + "".join(block.cut(f"M-2.8 {y}H1", ink, width=0.45) for y in (-11.1, -9.5, -7.9))
        + block.cut("M.3-22.6V-13.4", ink, width=0.25)
        + block.line("M-1.8-5.8C-5.4-6.4-5.2-2.2-1.2-3M-2.2-5.2L-3.2-3.8", width=0.6),
        -1.1,
        0,
        turn=4,
    )


def glass(block: Block, letter: str) -> str:
    """A reading glass that shows the suit."""
    ink = block.dark
    return (
        block.solid(disc(0, -19.2, 5), ink, edge=PAPER, width=0.8)
        + block.solid("M-.7-14.2H.7L1.1-2H-1.1Z", ink)
        + block.solid("M-1.3-14.6H1.3V-12.2H-1.3Z", block.red, edge=PAPER, width=0.25)
        + block.hole(disc(0, -19.2, 3.8), ink)
        + suit(block, letter, size=5.4, y=-19.2)
        + block.line("M-3.1-20.8C-2.7-21.7-2-22.2-1.2-22.5", width=0.4)
    )


def key(block: Block, letter: str) -> str:
    """A key held by its bow, its bit on top."""
    ink = block.dark
    return (
        block.solid("M-.75-24H.75V-6H-.75Z", ink)
        + block.solid("M.5-23.2H5V-20.7H3.5V-19.7H5V-17.2H.5V-18.6H1.9V-20H.5Z", ink)
        + block.solid("M-1.5-10.6H1.5V-9.4H-1.5ZM-1.2-12.6H1.2V-11.7H-1.2Z", block.red)
        + block.solid(disc(0, -5.2, 3.9), ink)
        + block.hole(disc(0, -5.2, 2.5), ink)
        + suit(block, letter, size=3.2, y=-5.5)
    )


def rose(block: Block, letter: str) -> str:
    """A rose on its stem."""
    red = block.red
    petals = (
        "M-4.8-20.4C-5.6-17.2-3-14.4 0-14.4C3-14.4 5.6-17.2 4.8-20.4C4.7-22.4 3-24 0-24C-3-24-4.7-22.4-4.8-20.4Z",
        "M-4.6-20.4C-3-18.6-1.6-18.2 0-18.2C1.6-18.2 3-18.6 4.6-20.4",
        "M-2.9-21.6C-2.4-19.6-1-19 .1-19C1.4-19 2.7-19.8 2.8-21.4C2.8-22.6 1.4-23.2.2-23.1C-1-23-1.6-22.2-1.4-21.4"
        "C-1.2-20.6-.2-20.2.6-20.6C1.2-21 1.2-21.8.5-22",
        "M-4.3-18.8C-3.4-16.6-1.8-15.8 0-16.4C1.8-15.8 3.4-16.6 4.3-18.8",
    )
    leaf = block.solid(_LEAF, block.dark) + block.cut("M.8-8.3C2.2-9.2 3.4-9.9 4.4-10.3", block.dark, width=HAIR)
    return (
        block.line("M0-14.6C-.5-10 .4-6 0-1", width=0.9)
        + leaf
        + moved(leaf, -0.2, -20.4, turn=180)
        + block.solid("M-3.2-16.2L-1-14.2L0-12.6L1-14.2L3.2-16.2L2.4-13.9L0-12.3L-2.4-13.9Z", block.dark)
        + block.solid(petals[0], red, edge=PAPER, width=0.6)
        + "".join(block.cut(each, red, width=0.34) for each in petals[1:])
    )


HELD: MappingProxyType[str, Callable[[Block, str], str]] = MappingProxyType(
    {"C": revolver, "D": glass, "S": key, "H": rose}
)


def arm(block: Block, letter: str, sleeve: str, cuff: str) -> str:
    """A raised fist about the origin around what it holds, with a cuff, and a sleeve of a colour below it."""
    fingers = "".join(
        block.plain(f"M-2.4 {y}H2C2.9 {y} 2.9 {b} 2 {b}H-2.4C-3.3 {b}-3.3 {y}-2.4 {y}Z")
        for y, b in ((number(-2.9 + at * 1.45), number(-1.45 + at * 1.45)) for at in range(4))
    )
    thumb = block.plain("M-2.7-1.9C-3.6-3.4-2.7-4.5-1.5-3.9C-.4-3.3.4-2.2.2-1.4C0-.7-1-.8-1.5-1.4Z")
    below = block.solid("M-3.7 5.8H3.7L5.6 24H-7Z", sleeve, edge=PAPER)
    band = block.solid("M-4 2.7H4L4.3 6.4H-4.3Z", cuff, edge=PAPER)
    return HELD[letter](block, letter) + below + band + fingers + thumb


def belt(block: Block, rank: str, letter: str, *, length: float) -> str:
    """The right half of a belt along the x axis; turned half a circle about the origin it becomes the whole."""
    cloth, trim = block.of(letter), block.other(letter)
    ground, half, inside = {
        "J": (block.dark, 2.9, _shells),
        "Q": (trim, 2.6, _lozenges),
        "K": (cloth, 2.8, _stars),
    }[rank]
    strap = block.solid(f"M0-{half}H{length}V{half}H0Z", ground)
    rim = number(half - 0.7)
    edges = block.cut(f"M0-{rim}H{length}M0 {rim}H{length}", ground, width=0.28)
    return strap + edges + inside(block, ground, length)


def _shells(block: Block, ground: str, length: float) -> str:
    """Cartridges in their loops."""
    shapes = (
        block.hole(f"M{x - 0.75:g} 1.7V-.4C{x - 0.75:g}-2.6 {x + 0.75:g}-2.6 {x + 0.75:g}-.4V1.7Z", ground)
        + block.line(f"M{x - 0.75:g} .6H{x + 0.75:g}", width=0.8, colour=ground)
        for x in range(6, int(length) + 3, 2)
    )
    return "".join(shapes)


def _lozenges(block: Block, ground: str, length: float) -> str:
    shapes = (
        block.hole(f"M{x}-1.3L{x + 1.1:g} 0L{x} 1.3L{x - 1.1:g} 0Z", ground)
        + block.hole(disc(x + 1.5, 0, 0.35), ground)
        for x in range(6, int(length) + 3, 3)
    )
    return "".join(shapes)


def _stars(block: Block, ground: str, length: float) -> str:
    shapes = (
        block.hole(star(x, 0, 1.5), ground) + block.hole(disc(x + 2, 0, 0.45), ground)
        for x in range(7, int(length) + 3, 4)
    )
    return "".join(shapes)


def buckle(block: Block, letter: str) -> str:
    """The cylinder in the middle of a belt, which looks the same turned half a circle."""
    return block.plain(disc(0, 0, 4.9)) + cylinder(block, block.of(letter), radius=4.3)
