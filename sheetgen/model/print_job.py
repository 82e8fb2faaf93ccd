"""A print job: the sheets to print, how, and what to do with them by hand; and the decks that a pack declares."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from sheetgen.geometry import Box, Size, paper_name

# What a PDF calls the edge over which its sheets are turned (ISO 32000-2, table 147); "" for sheets with one side.
DUPLEX = MappingProxyType({"": "Simplex", "long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge"})

# Under which name a page keeps what stands on it (press/pieces.py), and the date that such an entry must have: always
# the same, so that the same pages are the same bytes.
PIECES, PIECES_DATE = "/Sheetgen", "D:20000101000000Z"


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


Shift = tuple[float, float]


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


RULES = "rules"  # the deck of reference cards, which every pack has whose rules have a `card`
MOST_IN_DECK = 100  # people


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
