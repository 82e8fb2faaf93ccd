"""Faces for the court of a deck, part by part: the axis of a face is x = 0, its eyes are 22 mm above the belt."""

from __future__ import annotations

from sheetgen.documents.deck.pips import SHAPES
from sheetgen.documents.deck.woodcut import HAIR, Block, disc, moved, polygon

HEAD = "M-5.7-27V-20C-5.7-16.6-3.4-13 0-13C3.4-13 5.7-16.6 5.7-20V-27Z"
HEART = "M-5.5-27V-20.6C-5.5-16.8-2.6-13.4 0-12.6C2.6-13.4 5.5-16.8 5.5-20.6V-27Z"
_NARROW = "M1.1-22C1.9-22.7 3.6-22.8 4.6-22.1C3.8-21.4 2.1-21.2 1.1-22Z"
_WIDE = "M1-22C1.8-23.2 3.8-23.4 4.9-22.3C4-21.3 2-21.1 1-22Z"
_MASK = (
    "M0-23.5C1.6-24.4 4-25.2 6.4-24.2C6.6-21.4 5.2-19.4 3-19.5C1.5-19.6 1-20.7 0-21"
    "C-1-20.7-1.5-19.6-3-19.5C-5.2-19.4-6.6-21.4-6.4-24.2C-4-25.2-1.6-24.4 0-23.5Z"
)
_BEARDS = {
    "full": "M-6-20.6C-4.6-18-3-17.4-1.6-17.2H1.6C3-17.4 4.6-18 6-20.6C6.6-15 5-10 0-6.6C-5-10-6.6-15-6-20.6Z",
    "round": "M-6-22C-5.4-17.4-4-15.2 0-14.8C4-15.2 5.4-17.4 6-22C7.4-15 5.6-9.4 0-8.2C-5.6-9.4-7.4-15-6-22Z",
    "goatee": "M0-15.2C1.1-15.2 2-14.4 2.1-13C2.2-10.8 1-8.6 0-6.6C-1-8.6-2.2-10.8-2.1-13C-2-14.4-1.1-15.2 0-15.2Z",
}
_STRANDS = {
    "full": "M4.6-16.6C4.4-13.4 3-10.8 1.2-9M2.8-15C2.6-13 1.8-11 .5-9.4",
    "round": "M5.5-17.6C5.3-14.4 4.4-12 2.8-10.4M3.6-14.6C3.3-12.8 2.4-11.2 1.2-10.2M1.4-14C1.3-12.4.8-11.2 0-10.2",
    "goatee": "M.6-13.4C.7-11.6.4-10 .1-8.8",
}
_WHISKERS = {
    "full": "M0-18.4C1.6-19.4 4-18.8 4.6-16C3-16 1-16.4 0-17.2Z",
    "handlebar": "M0-18.3C1.6-18.9 3-17.7 4.4-17.7C5.4-17.7 6-18.4 5.7-19.7C7.3-18.4 6.7-16.2 4.9-16"
    "C3-15.8 1.2-16.4 0-17.1Z",
    "drooping": "M0-18.4C2.2-19 4.2-17.8 4.7-15.2C5.1-12.6 4.7-10 4-7.6C3.2-9.8 3.2-12.8 2.3-14.8"
    "C1.6-16.2.9-16.8 0-17Z",
}


def mirrored(inside: str) -> str:
    """A drawing with its mirror image about the axis of the face."""
    return f'{inside}<g transform="scale(-1 1)">{inside}</g>'


def hatched(block: Block, left: float, right: float, top: float, bottom: float, *, step: float = 0.75) -> str:
    """The shade on a cheek: short lines between two edges."""
    lines = [top + step * at for at in range(int((bottom - top) / step))]
    return block.line("".join(f"M{left:g} {y:g}L{right:g} {y - 0.7:g}" for y in lines), width=HAIR)


def zigzag(x: float, y: float, to_x: float, to_y: float, *, teeth: int, high: float) -> str:
    """The path of a zigzag between two points."""
    across, along = to_x - x, to_y - y
    length = float((across**2 + along**2) ** 0.5)
    points = []
    for at in range(2 * teeth + 1):
        part, side = at / (2 * teeth), high / length if at % 2 else 0
        points.append((x + across * part - along * side, y + along * part + across * side))
    return polygon(points, closed=False)


def eyes(block: Block, *, brow: float = 0.9) -> str:
    """Narrow eyes under straight brows."""
    one = block.plain(_NARROW, width=HAIR) + block.dot(2.8, -22.05, 0.62)
    return mirrored(one + block.line("M.9-23.2L2.4-23.6L5-23", width=brow))


def lashes(block: Block) -> str:
    """Wide eyes with lashes under arched brows."""
    one = block.plain(_WIDE, width=HAIR) + block.dot(2.9, -22.2, 0.78)
    one += block.line("M.9-22C1.8-23.3 3.9-23.5 5.2-22.1L5.7-22.9", width=0.5)
    return mirrored(one + block.line("M1-24.2C2.2-25.1 4-25.1 5.3-24.1", width=0.36))


def mask(block: Block) -> str:
    """Eyes in a black mask."""
    ink = block.dark
    one = block.hole("M1.2-21.9C2-23 3.9-23.1 4.9-22.3C4.2-21.2 2.2-20.8 1.2-21.9Z", ink)
    return block.solid(_MASK, ink) + mirrored(one + block.dot(2.9, -22.05, 0.66))


def glasses(block: Block) -> str:
    """Round glasses, to be put on eyes."""
    rims = mirrored(block.line(disc(2.9, -21.9, 2.35), width=0.42) + block.line("M5.2-22.3L6-22.8", width=0.42))
    return rims + block.line("M-.6-22.2C-.3-22.6.3-22.6.6-22.2", width=0.42)


def patch(block: Block) -> str:
    """A patch over one eye, on a strap."""
    shape = "M.9-22.4C1.2-23.8 4.8-24 5.1-22.6C5.2-20.6 4.2-19.6 3-19.6C1.8-19.6.9-20.8.9-22.4Z"
    strap = block.line("M1-22.8C-2-24-4-24.8-5.7-25.2M5-22.8L5.8-23.4", width=0.5)
    return strap + block.solid(shape, block.dark)


def monocle(block: Block) -> str:
    """A glass for one eye, on a chain."""
    chain = block.line("M5-20.6C6.4-17 6.6-12 5.4-6", width=0.34)
    return chain + block.line(disc(2.9, -21.9, 2.5), width=0.55)


def nose(block: Block, *, small: bool = False) -> str:
    """A nose in one line."""
    if small:
        return block.line("M-.3-21.5C-.2-20-.9-19-.8-18.5C-.4-18.1.4-18.1.8-18.5", width=0.28)
    return block.line("M-.6-22L-1.1-19.2C-.6-18.7.6-18.7 1.1-19.2L.9-20", width=0.3)


def lips(block: Block) -> str:
    """A painted mouth."""
    return block.solid("M-1.9-16.3C-1.2-17-.5-17.1 0-16.7C.5-17.1 1.2-17 1.9-16.3C1-15.2-1-15.2-1.9-16.3Z", block.red)


def smile(block: Block) -> str:
    """A mouth that is a little crooked."""
    return block.line("M-1.9-16.2C-.8-15.5 1.2-15.4 2.4-16.8", width=0.4)


def beard(block: Block, kind: str) -> str:
    """A beard with its strands: full, round or a goatee."""
    ink = block.dark
    return block.solid(_BEARDS[kind], ink) + mirrored(block.cut(_STRANDS[kind], ink, width=0.3))


def whiskers(block: Block, kind: str) -> str:
    """A moustache: full, handlebar or drooping."""
    return mirrored(block.solid(_WHISKERS[kind], block.dark)) + (
        mirrored(block.cut(_WHISKERS[kind].removesuffix("Z"), block.dark, width=0.3)) if kind == "full" else ""
    )


def stubble(block: Block) -> str:
    """Three days without a razor."""
    dots = [(x / 2, y / 2) for y in range(-34, -27) for x in range(-8, 9) if (x + y) % 3 == 0 and abs(x) + y < -24]
    return "".join(block.dot(x, y, 0.13) for x, y in dots if abs(x) > 2 or y > -15.2)


def printed(block: Block, letter: str, places: list[tuple[float, float]], ground: str, *, size: float = 1.5) -> str:
    """Little suits cut out of cloth."""
    one = block.hole(SHAPES[letter], ground)
    return "".join(moved(one, x, y, size=size / 10) for x, y in places)
