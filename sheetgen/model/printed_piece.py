"""What two results show, piece by piece, and how the later one differs: cards, pages and sheets, by what they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from sheetgen.geometry import Box

SAME, MOVED, CHANGED, NEW, GONE = "same", "moved", "changed", "new", "gone"
KINDS = (CHANGED, NEW, GONE, MOVED, SAME)


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
