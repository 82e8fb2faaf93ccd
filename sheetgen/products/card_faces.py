"""Cards made: their pages, and what of them goes to a printer at home, to a print shop, or on a screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sheetgen.geometry import CARDS
from sheetgen.pdf.rasterize import pictures
from sheetgen.press.pages import at_nought, picked
from sheetgen.products.card_sheets import Cut, Cutting, cut
from sheetgen.workspace.archive import archive
from sheetgen.workspace.write import Write, slugs

BACK = "back"


@dataclass(frozen=True, slots=True)
class Faces:
    """The cards of a deck as PDF, each page with BLEED around its trim box, and the names of the cards in order.

    The pages are all fronts and, last, the one back that they share; or fronts and backs by turns.
    """

    data: bytes
    size: str
    names: tuple[str, ...]
    shared: bool = True


def sheets(faces: Faces, cutting: Cutting) -> Cut:
    """The cards on paper, to be cut out; UsageError if not even one fits on it."""
    return cut(faces.data, CARDS[faces.size], cutting, shared=faces.shared)


def singles(faces: Faces, *, backs: bool = True) -> bytes:
    """A page for each front, and behind it its back if backs are wanted, with TrimBox and BleedBox for print shops."""
    fronts = range(1, len(faces.names) + 1)
    if faces.shared:
        last = len(faces.names) + 1
        wanted = [page for front in fronts for page in ((front, last) if backs else (front,))]
    else:
        wanted = [page for front in fronts for page in ((2 * front - 1, 2 * front) if backs else (2 * front - 1,))]
    return at_nought(picked(faces.data, wanted))


def write_pictures(faces: Faces, write: Write, *, backs: bool = True) -> None:
    """A ZIP of a PNG for each face, at 300 dots an inch and cut to size: 01-help.png, …, back.png."""
    with archive(write) as add:
        for (name, is_back), picture in zip(_files(faces), pictures(faces.data), strict=True):
            if backs or not is_back:
                add(f"{name}.png", lambda take, picture=picture: take(picture))  # type: ignore[misc]


def _files(faces: Faces) -> Iterator[tuple[str, bool]]:
    """The name of the file of each page, and whether it is a back."""
    digits = max(2, len(str(len(faces.names))))
    for number, stem in enumerate(slugs(faces.names), 1):
        yield f"{number:0{digits}}-{stem}", False
        if not faces.shared:
            yield f"{number:0{digits}}-{stem}-{BACK}", True
    if faces.shared:
        yield BACK, True
