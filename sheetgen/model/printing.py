"""Printing: jobs with their sheets and steps, printers and print shops, and the pieces that two results show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from sheetgen.geometry import Box, Size, paper_name

# What a PDF calls the edge over which its sheets are turned (ISO 32000-2, table 147); "" for sheets with one side.
DUPLEX = MappingProxyType({"": "Simplex", "long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge"})

# Under which name a page keeps what stands on it (press/pieces.py), and the date that such an entry must have: always
# the same, so that the same pages are the same bytes.
PIECES, PIECES_DATE = "/Sheetgen", "D:20000101000000Z"
Shift = tuple[float, float]
RULES = "rules"  # the deck of reference cards, which every pack has whose rules have a `card`
MOST_IN_DECK = 100  # people
PDF_X = "pdf/x-1a"
# Printing conditions by their name in the registry of the ICC, with what they stand for (www.color.org, as of 2024).
CONDITIONS = MappingProxyType(
    {
        "CGATS TR 001": "SWOP (publication) printing in the USA",
        "CGATS TR 006": "GRACoL printing in the USA on coated paper",
        "FOGRA39": "offset printing on coated paper after ISO 12647-2:2004",
        "FOGRA47": "offset printing on uncoated white paper after ISO 12647-2:2004",
        "FOGRA51": "offset printing on premium coated paper after ISO 12647-2:2013",
        "FOGRA52": "offset printing on wood-free uncoated paper after ISO 12647-2:2013",
    }
)
MOST_INK = 2.0  # of 4 that our colours lay on a spot: what every press takes
LEAST_PAPER = 0.2  # of 1: where black leaves less, colours beside it thin out, so that black type stays black alone
SAME, MOVED, CHANGED, NEW, GONE = "same", "moved", "changed", "new", "gone"
KINDS = (CHANGED, NEW, GONE, MOVED, SAME)


@dataclass(frozen=True, slots=True)
class PrintStep:
    """One thing to do with the paper, and the names of the pictures that show it."""

    text: str
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PrintJob:
    """Sheets of paper to print, and what to do with them by hand.

    `kind` is how they are folded or cut: saddle, eight, cut, gutter, cards, fold-cards, or none of these. `flip` is the
    edge over which they are turned, or nothing if they are printed on one side. `size` is the sheet as it is laid, in
    mm; `cells` are the places on it in points, `front` and `back` the pages there on the first sheet as one sees them,
    on their head if negative. `steps` is the work of the hands, in order. Sheets that are `upright` stand in the file
    even if they are laid on their side. `remarks` say what is other than one might think: the scale of pages, for one.
    """

    kind: str
    what: str
    paper: str
    size: Size
    sheets: int
    flip: str
    cells: tuple[Box, ...]
    front: tuple[int, ...]
    back: tuple[int, ...]
    steps: tuple[PrintStep, ...]
    upright: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def printing(self) -> str:
        """What to tell the printer, in a line."""
        sheets = f"{self.sheets} sheet{'' if self.sheets == 1 else 's'} of {paper_name(self.paper)}"
        sides = f"on both sides, turned over the {self.flip} edge" if self.flip else "on one side"
        return f"{sheets}, printed {sides}, at actual size (100 %)"

    @property
    def advice(self) -> tuple[str, ...]:
        """The settings of the printer, what to know of the sheets, then the steps by hand."""
        return (self.printing, *self.remarks, *(step.text for step in self.steps))


@dataclass(frozen=True, slots=True)
class Printer:
    """A printer by the name its owner gave it; lengths in mm.

    `shift` is what brings backs behind their fronts: to the right and up, as one looks at the back of a sheet that
    stands upright and was turned over its long edge. `margin` is what the printer cannot print on; None if not known.
    """

    name: str
    shift: Shift = (0.0, 0.0)
    margin: float | None = None

    def moves(self, flip: str) -> Shift:
        """Return the shift of backs for sheets that are turned over that edge, upright sheets seen upright.

        Over the other edge the printer turns the backs on their head, and what it does wrong comes out the other way.
        """
        across, up = self.shift
        return (across, up) if flip == "long" else (0.0 - across, 0.0 - up)


def paled(colour: str, share: float) -> str:
    """Return a colour, #rrggbb, as it looks where only that share of it, from 0 to 1, is printed on white."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * share):02x}" for part in parts)


@dataclass(frozen=True, slots=True)
class Tone:
    """The tone of a print: `ink_saver` leaves out fills and patterns, `greyscale` every colour."""

    ink_saver: bool = False
    greyscale: bool = False

    def of(self, colour: str) -> str:
        """Return a colour, #rgb or #rrggbb, as it is printed; in greys one as light as it was (Rec. 709 luma)."""
        if not self.greyscale:
            return colour
        digits = colour.removeprefix("#")
        digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
        red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
        return "#" + f"{round(0.2126 * red + 0.7152 * green + 0.0722 * blue):02x}" * 3


@dataclass(frozen=True, slots=True)
class CustomDeck:
    """A deck of cards that a pack declares beside its reference cards: the template, and what it is given.

    A deck of people has up to `people` of them. Any other holds 52 playing cards and so many `jokers`; `ranks` and
    `suits` are paths of values with the names of the letters (`K: king`). The first of the `sizes` is the default.
    """

    name: str
    say: str
    template: str
    sizes: tuple[str, ...]
    people: int = 0
    jokers: int = 0
    ranks: str = ""
    suits: str = ""


@dataclass(frozen=True, slots=True)
class PrintShop:
    """A print shop by the name it is called by; lengths in mm.

    It takes one `file`: a PDF, or a ZIP of pictures with so many `dots` an inch. `bleed` is what it cuts away around a
    card or page, `safe` what text keeps from the cut. With a `standard` colours are inks, and meant for a `condition`
    out of CONDITIONS; `ink` is the most that may lie on a spot, in per cent of all four inks. `cards` are the sizes
    that it cuts, any if none is named; of each the side `first` comes first in a PDF, then the other one.
    """

    title: str
    file: Literal["pdf", "pictures"] = "pdf"
    bleed: float = 3.0
    safe: float = 3.0
    standard: str = ""
    condition: str = "FOGRA39"
    ink: int = 300
    dots: int = 300
    cards: tuple[str, ...] = ()
    first: Literal["front", "back"] = "front"
    name: str = ""

    @property
    def form(self) -> str:
        """The suffix of the file that it takes."""
        return ".pdf" if self.file == "pdf" else ".zip"


ANY_SHOP = PrintShop("a print shop")


@dataclass(frozen=True, slots=True)
class PrintedPiece:
    """A page of a file, or a part of one that is cut out or folded: where it stands, and what is known of it.

    `page` is that of the file, from 1, `number` the place among pieces of its kind. A `cut` piece has a `sheet`: how
    the paper is laid out that it is cut from. `flip` is the edge over which its paper is turned, if both sides are
    printed; `back` says that it stands behind another piece.
    """

    page: int
    number: int
    name: str = ""
    back: bool = False
    cut: bool = False
    folded: bool = False
    flip: str = ""
    sheet: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class PieceLook:
    """What a piece shows: its words, those near its upper and lower edge apart, and digests of its picture.

    The picture of the `body` is that between these edges. The `legend` tells of house rules on a piece without any.
    """

    words: tuple[str, ...]
    rim: tuple[str, ...]
    body: tuple[str, ...]
    picture: str
    body_picture: str
    legend: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """A piece with what it shows, and its back if it has one; `at` and `back_at` are its pages among the pieces."""

    piece: PrintedPiece
    look: PieceLook
    at: int
    name: str = ""
    back: PieceLook | None = None
    back_at: int = -1
    pages: int = 0  # of the whole file

    @property
    def called(self) -> str:
        """What a person calls it: its name, or the number of its page."""
        page = f"page {self.piece.number}"
        if self.piece.cut:
            return self.name or f"piece {self.piece.number}"
        return f"{page} ({self.name})" if self.name else page


@dataclass(frozen=True, slots=True)
class Change:
    """How a piece differs: of which kind, the old one and the new one, and the words that came and went."""

    kind: str
    old: ShownPiece | None = None
    new: ShownPiece | None = None
    words: tuple[str, ...] = ()

    @property
    def shown(self) -> ShownPiece:
        """The new piece, or the old one where there is none any more."""
        found = self.new or self.old
        assert found is not None
        return found
