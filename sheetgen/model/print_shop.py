"""What a print shop asks of the files that it is sent."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

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
MOST_INK = 2.0  # of 4 that our colours lay on a spot: what every press takes
LEAST_PAPER = 0.2  # of 1: where black leaves less, colours beside it thin out, so that black type stays black alone
