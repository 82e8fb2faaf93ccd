"""The two jokers of a deck: a steer’s skull with the bells of a fool on its horns, and a coyote in a hat; in mm."""

from __future__ import annotations

from sheetgen.documents.deck.courts import HIGH, WIDE
from sheetgen.documents.deck.heads import mirrored
from sheetgen.documents.deck.woodcut import BOLD, HAIR, PAPER, Block, cylinder, disc, moved, polygon, ray, star

_HORN = (
    "M5.6-12.4C9.6-10.2 13.4-11 15.6-14.6C17.4-18 17.4-22.4 15.6-27.4"
    "C19.8-23.6 21.2-16.8 18.8-11.6C16.2-6 10.4-4 5.8-6Z"
)
_SKULL = (
    "M0-16.4C3.4-16.4 6.4-15 7.4-12C8.4-9 8.4-6.4 9.4-4C9.6-1 8.4 1.4 7 3C5.4 5 5 8 4.8 11.4C4.6 14.4 5 16.6 4 19"
    "C3 21.2 1.6 21.6 0 21.6C-1.6 21.6-3 21.2-4 19C-5 16.6-4.6 14.4-4.8 11.4C-5 8-5.4 5-7 3C-8.4 1.4-9.6-1-9.4-4"
    "C-8.4-6.4-8.4-9-7.4-12C-6.4-15-3.4-16.4 0-16.4Z"
)


def skull(block: Block) -> str:
    """The first joker, in the dark ink."""
    ink, red = block.dark, block.red
    bands = "M7.4-12L7.2-5.4M10.6-11.5L11-5.2M13.4-12.4L15.2-7.4M15.8-14.6L19.4-12M17-17.6L20-17.6M17-21L19.8-22.4"
    horn = block.solid(_HORN, red) + block.cut(bands, red, width=0.7) + moved(bell(block, red), 15.4, -28)
    socket = "M2.4-3.4C4-5.4 7-5.4 8-3.4C8.2-1.2 6.6 1 4.6 1C3 .8 2-1.4 2.4-3.4Z"
    side = (
        horn
        + block.solid("M7.4-12.6C10.6-14 13-12.6 13.6-10.2C11.6-8.8 9-9 7.6-10Z", ink, edge=PAPER)
        + block.line("M4.4 3.6C3.4 6.4 3.2 9 3.2 12M8.2-1C7.4-.2 6.8 .8 6.6 2M2-15.4C2.6-13.8 3.6-13 5-12.6", width=0.3)
    )
    teeth = "M-3.4 18.6H3.4M-2.2 18.6V20.9M-.75 18.6V21.3M.75 18.6V21.3M2.2 18.6V20.9"
    face = (
        block.plain(_SKULL, width=BOLD)
        + mirrored(block.solid(socket, ink) + block.solid("M.5 9.4C2 10.4 2.6 13 2.2 15.6C1.2 16 .5 14.6 .5 13Z", ink))
        + block.line(teeth, width=0.35)
        + block.line("M-.2 2.4L.5 4L-.3 5.4L.3 7", width=0.3)
        + mirrored(block.line("M3.6-3C4.4-3.8 5.8-3.8 6.6-3", width=HAIR, colour=ink if block.saver else PAPER))
        + moved(cylinder(block, red, radius=4), 0, -10)
    )
    return rays(block) + ruff(block, ink, red) + mirrored(side) + face


def bell(block: Block, colour: str) -> str:
    """A fool’s bell about the origin."""
    return (
        block.solid(disc(0, 0, 2), block.dark, edge=PAPER)
        + block.cut("M-1.8-.2C-.6.3.6.3 1.8-.2M0 .3V1.4", block.dark, width=0.3)
        + block.hole(disc(0, 0.9, 0.32), block.dark)
        + block.solid("M-.6-2.6H.6V-1.7H-.6Z", colour)
    )


def ruff(block: Block, colour: str, other: str) -> str:
    """A fool’s collar: points that fall to both sides, each with a bell."""
    tips = [(-17, 21.6), (-10.4, 29.6), (0, 33), (10.4, 29.6), (17, 21.6)]
    points = ""
    for at in (0, 4, 1, 3, 2):
        x, y = tips[at]
        shape = f"M{x * 0.34 - 4.6:g} 9L{x:g} {y:g}L{x * 0.34 + 4.6:g} 9Z"
        points += block.solid(shape, other if at % 2 else colour, edge=PAPER, width=0.5)
        points += moved(bell(block, colour), x, y)
    return points


def coyote(block: Block) -> str:
    """The second joker, in red."""
    ink, red = block.dark, block.red
    ear = block.solid("M4-10L13.4-22.4C15-17 14.6-11 12.4-6Z", red, edge=PAPER) + block.solid(
        "M8.2-10.4L12.6-18.4C13-15 12.6-12 11.4-9Z", ink
    )
    cheek = "M0-11H8.4C12-9.6 14-6 16.4-.4L12.6 .6L14.4 4.6L10.4 4.8L11 8.4C7.4 9 4.8 11.6 3.4 16.6C2.6 19 1.4 20 0 20Z"
    muzzle = "M0-4C1.4-2 2.4 1.4 3.8 4.2C6.6 3.8 9.2 4.6 11 8.4C7.4 9 4.8 11.6 3.4 16.6C2.6 19 1.4 20 0 20Z"
    eye = block.hole("M3.2-2.6C5-4.8 8-4.8 9.8-3C8.2-1 5-.8 3.2-2.6Z", red) + block.dot(6.2, -3, 1.15)
    wink = block.cut("M3-2.4C5-1 8-1.2 9.8-3.2", red, width=0.6)
    brow = block.cut("M2.6-5.8C5-7.6 8-7.6 10.4-5.8", red, width=0.4)
    hairs = block.line("M6.4 9.8L8 12M8.6 8.9L10 10.8", width=0.3)
    half = block.solid(cheek, red) + block.plain(muzzle, width=0.35) + brow + hairs
    nose = block.solid("M-3 14.6C-2 13.4 2 13.4 3 14.6C2.6 17 1.4 18.4 0 18.6C-1.4 18.4-2.6 17-3 14.6Z", ink)
    card = (
        block.plain("M-10.6 20.4L9.2 17.4L11 28.6L-8.8 31.6Z", width=0.4)
        + moved(block.solid(star(0, 0, 3.6), red), 0.3, 24.6, turn=-9)
        + moved(block.solid(star(0, 0, 1.1), ink), -7.6, 22.2)
        + moved(block.solid(star(0, 0, 1.1), ink), 8, 26.8)
    )
    lip = block.plain("M-4.6 17C-2.4 21.6 2.4 21.6 4.6 17C3.4 18.8 1.6 19.8 0 19.8C-1.6 19.8-3.4 18.8-4.6 17Z")
    seam = block.cut("M0-11V-5", red, width=0.3)
    head = moved(ruff(block, red, ink), 0, 6) + mirrored(ear) + mirrored(half) + seam + eye + moved(wink, wide=-1)
    return rays(block) + moved(head + card + lip + nose + _hat(block), 0, -5)


def _hat(block: Block) -> str:
    """A hat between the ears of a coyote."""
    ink, red = block.dark, block.red
    crown = "M-8-13C-8.6-20-8-27.4-4.6-28.2C-2.4-28.6-1.4-26.8 0-26.8C1.4-26.8 2.4-28.6 4.6-28.2C8-27.4 8.6-20 8-13Z"
    brim = "M-17.4-15.6C-12-12.8-7-12.4 0-12.4C7-12.4 12-12.8 17.4-15.6C16-10.8 9-8.6 0-8.6C-9-8.6-16-10.8-17.4-15.6Z"
    return (
        block.solid(crown, ink)
        + block.cut("M-3.2-26.6C-4-24.6-4-23-3.6-21.4M3.2-26.6C4-24.6 4-23 3.6-21.4M0-26V-22.4", ink, width=0.35)
        + block.solid("M-8.1-17.6C-4-16.6 4-16.6 8.1-17.6V-12C4-11-4-11-8.1-12Z", red, edge=PAPER, width=0.4)
        + "".join(block.hole(star(x, y, 1.2), red) for x, y in ((-5.2, -14.8), (0, -14.4), (5.2, -14.8)))
        + block.solid(brim, ink, edge=PAPER, width=0.4)
        + block.cut("M-14-12.9C-9-10.4 9-10.4 14-12.9", ink, width=0.3)
        + moved(bell(block, red), -17.4, -15.4)
        + moved(bell(block, red), 17.4, -15.4)
    )


def rays(block: Block) -> str:
    """Fine rays from the middle of a card to the frame of a court."""
    lines = ""
    for at in range(72):
        across, along = ray(1, at * 5)
        length = min(WIDE / max(abs(across), 0.001), HIGH / max(abs(along), 0.001)) - 1.2
        near = 29 if at % 2 else 32
        if length > near:
            lines += polygon([ray(near, at * 5), ray(length, at * 5)], closed=False)
    return block.line(lines, width=0.18)


JOKERS = (skull, coyote)
