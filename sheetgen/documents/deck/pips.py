"""The suits of a deck cut for large sizes, where pips stand on the number cards, and the aces; lengths in mm."""

from __future__ import annotations

from types import MappingProxyType

from sheetgen.documents.deck.woodcut import BOLD, FINE, HAIR, Block, cylinder, disc, drawn, moved

# Each in a square of ten by ten about its origin.
SHAPES = MappingProxyType(
    {
        "S": "M0-5C1.5-2.7 4.6-1 4.6 1.6C4.6 3.1 3.5 4 2.3 4C1.5 4 .85 3.6 .5 2.9C.62 3.9 1.1 4.6 2 5H-2"
        "C-1.1 4.6-.62 3.9-.5 2.9C-.85 3.6-1.5 4-2.3 4C-3.5 4-4.6 3.1-4.6 1.6C-4.6-1-1.5-2.7 0-5Z",
        "H": "M0 4.9C-1.6 2.6-4.7.7-4.7-2.1C-4.7-3.8-3.5-4.8-2.3-4.8C-1.2-4.8-.3-4.1 0-3C.3-4.1 1.2-4.8 2.3-4.8"
        "C3.5-4.8 4.7-3.8 4.7-2.1C4.7.7 1.6 2.6 0 4.9Z",
        "D": "M0-5C1.1-3.1 2.4-1.5 4 0C2.4 1.5 1.1 3.1 0 5C-1.1 3.1-2.4 1.5-4 0C-2.4-1.5-1.1-3.1 0-5Z",
        "C": "M0-4.95A2.35 2.35 0 0 1 1.75-1.03A2.35 2.35 0 1 1 .55 2.4C.7 3.6 1.2 4.5 2.1 5H-2.1"
        "C-1.2 4.5-.7 3.6-.55 2.4A2.35 2.35 0 1 1-1.75-1.03A2.35 2.35 0 0 1 0-4.95Z",
    }
)
# How far pips are moved down so that they look centred: half way to where their weight sits in the middle.
SUNK = MappingProxyType({"S": -0.33, "H": 0.45, "D": 0.0, "C": -0.15})
ASIDE, HIGH = 12.2, 28.8  # how far from the middle of a card the outer pips stand
SMALL = 5.0  # up to this size a suit is filled even where ink is spared
_THIRD = HIGH / 3
_SIDES = {
    "2": (),
    "3": (),
    "4": (HIGH,),
    "5": (HIGH,),
    "6": (HIGH, 0),
    "7": (HIGH, 0),
    "8": (HIGH, 0),
    "9": (HIGH, _THIRD),
    "10": (HIGH, _THIRD),
}
_MIDDLE = {
    "2": (-HIGH, HIGH),
    "3": (-HIGH, 0, HIGH),
    "4": (),
    "5": (0,),
    "6": (),
    "7": (-HIGH / 2,),
    "8": (-HIGH / 2, HIGH / 2),
    "9": (0,),
    "10": (-2 * _THIRD, 2 * _THIRD),
}


def places(rank: str) -> tuple[tuple[float, float], ...]:
    """Where the pips of a number card stand about its middle, from the top down."""
    rows = {y for each in _SIDES[rank] for y in (each, -each)}
    points = [(x, y) for y in rows for x in (-ASIDE, ASIDE)] + [(0.0, y) for y in _MIDDLE[rank]]
    return tuple(sorted(points, key=lambda point: (point[1], point[0])))


def suit(block: Block, letter: str, *, size: float, x: float = 0, y: float = 0, turn: float = 0) -> str:
    """A suit so many mm high with its middle at a point; a small one is filled even where ink is spared."""
    scale, colour = size / 10, block.of(letter)
    small = size <= SMALL
    shape = drawn(SHAPES[letter], fill=colour) if small else block.solid(SHAPES[letter], colour, width=BOLD / scale)
    return moved(shape, x, y, turn=turn, size=scale)


def pips(block: Block, rank: str, letter: str, *, size: float = 11) -> str:
    """The pips of a number card; those of the lower half are turned."""
    sunk = SUNK[letter] * size / 10
    shapes = (
        suit(block, letter, size=size, x=x, y=y - sunk if y > 0 else y + sunk, turn=180 if y > 0 else 0)
        for x, y in places(rank)
    )
    return "".join(f'<g class="pip">{shape}</g>' for shape in shapes)


def ace(block: Block, letter: str) -> str:
    """The picture of an ace: its suit, large, with a cylinder cut into it, in a ring of cartridges."""
    colour, scale, y = block.of(letter), 3.15, {"S": 0.9, "H": -1.3, "D": 0.0, "C": 0.45}[letter]
    shape = moved(block.solid(SHAPES[letter], colour, width=BOLD / scale), size=scale)
    inner = scale * 0.85
    inline = moved(block.cut(SHAPES[letter], colour, width=FINE / inner), 0, y * (scale - inner), size=inner)
    hub = block.hole(disc(0, y * scale, 6.4), colour) + moved(cylinder(block, colour, radius=5.6), 0, y * scale)
    shells = "".join(moved(_cartridge(block, block.other(letter)), turn=at * 15) for at in range(24))
    rings = "".join(block.line(disc(0, 0, radius), width=width) for radius, width in ((19.6, FINE), (20.3, HAIR)))
    return moved(rings + shells, size=0.965) + shape + inline + hub


def _cartridge(block: Block, colour: str) -> str:
    """A cartridge on top of the ring around an ace."""
    return block.solid("M-1.5-21.2H1.5V-21.9H1.2V-25.2H-1.2V-21.9H-1.5Z", colour) + block.plain(
        "M-1.2-25.2V-26.4C-1.2-27.6-.6-28.4 0-28.6C.6-28.4 1.2-27.6 1.2-26.4V-25.2Z", width=0.25
    )
