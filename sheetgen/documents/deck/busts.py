"""Jack, queen and king of a deck from the hat to the belt: outlaws, gamblers and marshals, each suit in its own manner.

Clubs are dangerous, diamonds sharp, spades sly and hearts charming. The axis of the face is x = 0, the middle of the
card y = 0; lengths in mm.
"""

from __future__ import annotations

from sheetgen.documents.deck import hats, heads
from sheetgen.documents.deck.heads import mirrored
from sheetgen.documents.deck.pips import suit
from sheetgen.documents.deck.woodcut import PAPER, Block, disc, moved, star

_CAPE = (
    "M-4.6-13.4C-8-10.6-13.4-10.2-16-6.6C-17.6-4-18.4 3-18.6 12H18.6C18.4 3 17.6-4 16-6.6C13.4-10.2 8-10.6 4.6-13.4"
    "L0-4Z"
)
_SCARF = (
    "M-6.6-20.4C-3.6-18.9 3.6-18.9 6.6-20.4C6.5-16.4 5.4-13 3.4-10.6C2.2-9 1-7.6 0-5.6"
    "C-1-7.6-2.2-9-3.4-10.6C-5.4-13-6.5-16.4-6.6-20.4Z"
)
_KERCHIEF = "M-4.8-14.2C-2-11.9 2-11.9 4.8-14.2L5.6-11.6C3.4-9.6 1.6-7.8 0-4.4C-1.6-7.8-3.4-9.6-5.6-11.6Z"
_COAT = "M-4.6-13.4C-8-11-13-10.4-16-7C-17.8-4.6-18.6 3-18.8 12H18.8C18.6 3 17.8-4.6 16-7C13-10.4 8-11 4.6-13.4L0 0Z"
_BARE = "M-2.6-15V-11.4C-3-9.4-9-8.8-12-6.6C-14.6-4.6-15.6 0-16 12H16C15.6 0 14.6-4.6 12-6.6C9-8.8 3-9.4 2.6-11.4V-15Z"
_SLEEVE = "M8.4-8.6C11-11 16.4-9.8 17.8-5.4C18.6-2.6 18.6 4 18 12H6C6.4 4 7-4 8.4-8.6Z"
_BODICE = "M-9-6.4C-6-3.2-2-2.4 0-.8C2-2.4 6-3.2 9-6.4L11 12H-11Z"


def jack(block: Block, letter: str) -> str:
    """The outlaw: a wide hat, a bandana, a serape over the shoulders."""
    cloth, trim, ink = block.of(letter), block.other(letter), block.dark
    hair = block.solid("M-6.2-26C-7.6-22-7.6-18-6.6-14L-4-12H4L6.6-14C7.6-18 7.6-22 6.2-26Z", ink)
    neck = block.plain("M-3-15V-9H3V-15Z")
    dressed = hair + neck + block.solid(_CAPE, cloth, edge=PAPER) + _stripes(block, letter, cloth)
    face = block.plain(heads.HEAD) + heads.hatched(block, 3.9, 5.5, -24.2, -17)
    return dressed + face + _outlaw(block, letter, trim) + hats.wide_hat(block, cloth, trim)


def _outlaw(block: Block, letter: str, scarf: str) -> str:
    """The face of a jack, and where his bandana is."""
    if letter in "CD":
        folds = "M-5.4-19C-4.4-15-2.4-11.4-.6-9.4M5.4-19C4.4-15 2.4-11.4.6-9.4M0-18.2V-16.6"
        dots = [(0, -15), (-2.2, -16.6), (2.2, -16.6), (-1.5, -13), (1.5, -13), (0, -11), (-4, -17.6), (4, -17.6)]
        nose = block.line("M-.7-21.6L-1-19.6M.7-21.6L1-19.6", width=0.2)
        glasses = heads.glasses(block) if letter == "D" else ""
        cloth = block.solid(_SCARF, scarf, edge=PAPER, width=0.4) + block.cut(folds, scarf, width=0.3)
        return heads.eyes(block) + nose + cloth + heads.printed(block, letter, dots, scarf) + glasses
    knotted = block.solid(_KERCHIEF, scarf, edge=PAPER, width=0.4)
    knotted += heads.printed(block, letter, [(-3, -11.4), (0, -10.4), (3, -11.4), (-1.1, -8.6), (1.1, -8.6)], scarf)
    nose = heads.nose(block)
    if letter == "S":
        return heads.stubble(block) + heads.mask(block) + nose + heads.smile(block) + knotted
    return heads.eyes(block, brow=0.6) + nose + heads.whiskers(block, "handlebar") + heads.smile(block) + knotted


def _stripes(block: Block, letter: str, ground: str) -> str:
    """The woven stripes of a serape, which run down beside the opening at the neck."""
    woven = ""
    for at in range(5):
        x, y = 5.6 + 2.6 * at, -11.3 + 1.05 * at
        if at % 2:
            teeth = {"S": 7, "H": 5, "D": 9, "C": 6}[letter]
            woven += block.cut(heads.zigzag(x, y, x - 7.1, y + 17.3, teeth=teeth, high=1), ground, width=0.42)
        else:
            woven += block.cut(f"M{x:g} {y:g}L{x - 7.1:g} {y + 17.3:g}", ground, width=0.42)
    return mirrored(woven)


def queen(block: Block, letter: str) -> str:
    """The gambler: dressed for the table, the suit at her throat."""
    cloth, trim, ink = block.of(letter), block.other(letter), block.dark
    throat = block.solid("M-2.9-12.6C-1-11.8 1-11.8 2.9-12.6V-10.2C1-9.4-1-9.4-2.9-10.2Z", ink)
    cameo = block.plain(disc(0, -8.4, 2)) + suit(block, letter, size=2.7, y=-8.4)
    collar = block.line("M-8.6-8.7C-8.2-6.8-8.6-5.4-7.8-4.6M8.6-8.7C8.2-6.8 8.6-5.4 7.8-4.6", width=0.2)
    frill = [(0, -1.2), (2.2, -2.4), (4.5, -3.3), (6.7, -4.6), (8.2, -6.4)]
    ruffle = "".join(block.plain(disc(x, y, 1.35)) for x, y in frill)
    sleeve = block.solid(_SLEEVE, cloth, edge=PAPER) + block.cut(
        "M10-8.6C8.8-5 8.4 0 8.2 6M12.4-9C11.6-5 11.2 0 11 6M14.9-8C14.6-5 14 0 13.8 6", cloth, width=0.3
    )
    head = block.plain(heads.HEART) + heads.nose(block, small=True) + heads.lips(block) + heads.lashes(block)
    drop = mirrored(block.solid(star(5.9, -17.2, 1, rays=4), trim, edge=PAPER, width=0.2))
    behind, before = _coiffure(block, letter, cloth, trim)
    dress = block.solid(_BODICE, cloth) + mirrored(sleeve) + mirrored(ruffle)
    mole = block.dot(3, -16.9, 0.28)
    worn = before + ("" if letter == "H" else drop)
    return behind + block.plain(_BARE) + collar + throat + cameo + dress + head + mole + worn


def _coiffure(block: Block, letter: str, cloth: str, trim: str) -> tuple[str, str]:
    """The hair of a queen behind her head, and her hat and what lies before her face."""
    ink = block.dark
    fringe = block.solid(
        "M-5.7-25C-5.8-22.6-4.8-22.2-4.5-24.2C-2-24-.6-24.6.4-26C1.6-24.6 3.4-24.2 4.7-24.4"
        "C5-22.2 5.8-22.6 5.7-25V-26.2H-5.7Z",
        ink,
    )
    bob = mirrored(
        block.solid("M3-27C8.4-27 9.6-19 7.4-12.8C6.2-11.8 4.6-12.4 3.6-14L5.6-20Z", ink)
        + block.cut("M6.6-24C8.2-20 7.6-16 6.4-13.6", ink, width=0.28)
    )
    curls = mirrored(
        "".join(
            _curl(block, x, y, r)
            for x, y, r in ((6.4, -13.2, 1.8), (7.6, -16.4, 2.1), (7.3, -20.2, 2.3), (6, -23.8, 2.5))
        )
    )
    braid = mirrored(
        "".join(
            block.solid(
                f"M{6.6 + at * 0.35:g} {-17.4 + at * 2.1:g}l1.9 1.5l-1.9 1.5l-1.9-1.5Z", ink, edge=PAPER, width=0.25
            )
            for at in range(6)
        )
        + block.solid("M5-27C8.6-25 8.4-19 7.4-16.4C6-15.8 5-17 4.6-19Z", ink)
    )
    if letter == "S":
        return bob, fringe + hats.plumed_hat(block, cloth, trim)
    if letter == "H":
        return curls, hats.roses(block)
    if letter == "D":
        return bob, fringe + heads.glasses(block) + hats.top_hat(block, letter, cloth, trim)
    return braid, fringe + hats.feathered_hat(block, cloth, trim)


def _curl(block: Block, x: float, y: float, r: float) -> str:
    turn = f"M{x - r * 0.5:g} {y:g}A{r * 0.5:g} {r * 0.5:g} 0 1 1 {x:g} {y + r * 0.5:g}"
    return block.solid(disc(x, y, r), block.dark, edge=PAPER, width=0.3) + block.cut(turn, block.dark, width=0.28)


def king(block: Block, letter: str) -> str:
    """The marshal: a tall hat with a crown for its band, a beard, a star with the suit on it."""
    cloth, trim, ink = block.of(letter), block.other(letter), block.dark
    locks = block.solid("M5.4-26C7.6-23 7.8-18 7-13.4C5.6-12.4 4.6-13 4-14.4L5.4-20Z", ink)
    lapel = block.solid("M4.4-13.6L8.8-11.4L7.6-7.6L9.2-6.2L0 9L1-3Z", trim, edge=PAPER, width=0.4)
    return (
        mirrored(locks + block.cut("M6.2-23C7-20 6.8-17 6-14.4", ink, width=0.28))
        + block.solid(_COAT, cloth, edge=PAPER)
        + block.plain("M-4-13L0 9L4-13Z")
        + block.plain("M-3.2-15V-11.6L0-8.6L3.2-11.6V-15Z")
        + mirrored(lapel)
        + mirrored(block.plain("M0-8.8L3.4-13.2L5-10.6L2.4-6.6Z"))
        + block.solid("M-1.6-7L0-8.4L1.6-7L.5-5.4L1 2H-1L-.5-5.4Z", ink, edge=PAPER)
        + block.plain(heads.HEAD)
        + heads.hatched(block, 3.9, 5.5, -24.2, -19)
        + heads.eyes(block, brow=1)
        + heads.nose(block)
        + _marshal(block, letter)
        + _badge(block, letter)
        + hats.crowned_hat(block, letter, cloth, trim)
    )


def _marshal(block: Block, letter: str) -> str:
    """The beard of a king, and what else is on his face."""
    lip = block.solid("M-1.4-15.6C-.6-15 .6-15 1.4-15.6C.8-14.6-.8-14.6-1.4-15.6Z", block.red, edge=PAPER, width=0.2)
    if letter == "C":
        return heads.beard(block, "full") + lip + heads.whiskers(block, "full")
    if letter == "H":
        return heads.smile(block) + heads.beard(block, "round")
    if letter == "D":
        return heads.beard(block, "goatee") + heads.whiskers(block, "handlebar") + heads.monocle(block)
    return heads.stubble(block) + heads.smile(block) + heads.whiskers(block, "drooping") + heads.patch(block)


def _badge(block: Block, letter: str) -> str:
    """A star with a ball on each point."""
    balls = [(0, -4.4), (4.18, -1.36), (2.59, 3.56), (-2.59, 3.56), (-4.18, -1.36)]
    points = "".join(block.plain(disc(x, y, 0.5)) for x, y in balls)
    plate = block.plain(star(0, 0, 4.4, waist=0.5), width=0.4)
    return moved(plate + points + suit(block, letter, size=2.8), 7.4, -6.4, size=0.86)


BUSTS = {"J": jack, "Q": queen, "K": king}
