"""Lengths, boxes and the sizes of paper and cards; millimetres outside, points inside a PDF."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

POINTS_PER_MM = 72 / 25.4
POINTS_PER_CSS_PIXEL = 72 / 96


def mm(length: float) -> float:
    """Return a length of millimetres in points."""
    return length * POINTS_PER_MM


def millimetres(points: float) -> float:
    """Return a length of points in millimetres."""
    return points / POINTS_PER_MM


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height of a sheet of paper or a card in millimetres."""

    width: float
    height: float

    @property
    def turned(self) -> Size:
        """The same sheet on its side."""
        return Size(self.height, self.width)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in points, its origin at the lower left as in a PDF."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right edge."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """The y of the upper edge."""
        return self.y + self.height

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """Left, lower, right and upper edge, as a PDF gives a rectangle."""
        return self.x, self.y, self.right, self.top

    def inset(self, across: float, along: float | None = None) -> Box:
        """Return the box made smaller by `across` points left and right and `along` points below and above."""
        along = across if along is None else along
        return Box(self.x + across, self.y + along, self.width - 2 * across, self.height - 2 * along)


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stroke between two points of a page, in points."""

    x1: float
    y1: float
    x2: float
    y2: float


SHEET_PAPERS = ("a4", "letter")  # a full-page sheet is designed for both of these alike
SMALL_SHEET = "a5"  # two of these on one of A4
PEOPLE_PAPERS = (*SHEET_PAPERS, SMALL_SHEET)
PAPERS = MappingProxyType(
    {
        "a4": Size(210, 297),
        "letter": Size(215.9, 279.4),
        "a5": Size(148, 210),
        "half-letter": Size(139.7, 215.9),
        "a6": Size(105, 148),
        "legal": Size(215.9, 355.6),
    }
)
BLEED = 3.0  # mm around every card on a sheet, to be cut away
DRAWN_BLEED = 5.0  # mm that are drawn around every card, for shops that cut away more than that
# Trim sizes. A sleeve for one of the first two is loose or tight for the other.
CARDS = MappingProxyType(
    {
        "poker": Size(63.5, 88.9),
        "trading": Size(63, 88),
        "tarot": Size(70, 120),
        "us-tarot": Size(69.85, 120.65),
        "index": Size(127, 76.2),
        "a6": Size(105, 148),
    }
)


def paper_name(paper: str) -> str:
    """Return a paper as people write it: A4, Letter."""
    return paper.upper() if paper in ("a4", "a5", "a6") else paper.capitalize()
