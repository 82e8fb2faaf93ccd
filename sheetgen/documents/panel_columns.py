"""The places of pieces on the panels of a screen or the pages of a reference: columns filled evenly.

Pieces keep their order. A moment that runs on in the next column says so there; that is avoided where it can be, and
more so from one panel to the next. Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from sheetgen.errors import Place

# What a column costs that breaks a moment, within a panel and between panels, and one that stays empty, where an
# unfilled tenth of a column costs a hundredth.
_BROKEN, _TORN, _EMPTY = 0.012, 0.07, 1.2
_NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class Board:
    """Panels or pages: the paper of each, its columns, and what is kept free around them.

    Where panels of a screen meet, `fold` more is free, since the paper folds there or disappears in a pocket.
    """

    width: float
    height: float
    panels: int
    columns: int
    outer: float
    top: float
    bottom: float
    gutter: float
    fold: float = 0.0

    @property
    def column(self) -> float:
        """The width of a column, the same on all panels."""
        free = 2 * self.outer + self.fold + (self.columns - 1) * self.gutter
        return round((self.width - free) / self.columns, 3)

    @property
    def room(self) -> float:
        """The height of a column."""
        return self.height - self.top - self.bottom

    def left(self, panel: int) -> float:
        """Return where the columns of a panel begin, counted from 0."""
        if panel == 0:
            return self.outer
        return self.outer + (self.fold if panel == self.panels - 1 else self.fold / 2)

    def x(self, column: int) -> float:
        """Return where a column begins on its panel; columns are counted over all panels, from 0."""
        panel, at = divmod(column, self.columns)
        return round(self.left(panel) + at * (self.column + self.gutter), 3)


@dataclass(frozen=True, slots=True)
class Piece:
    """An indivisible piece: its key, its height, its moment, and the panel it must stand on, if any.

    `lead` is the height of its moment's heading, `again` of the line that says that the moment runs on.
    """

    key: str
    height: float
    moment: int
    lead: float
    again: float
    place: Place
    panel: int = 0


Columns: TypeAlias = tuple[tuple[Piece, ...], ...]


@dataclass(frozen=True, slots=True)
class Gaps:
    """What is free between pieces of a moment and before the next one, and how much each may be stretched."""

    piece: float
    moment: float
    stretch: float


@dataclass(frozen=True, slots=True)
class Overfull:
    """The first piece for which there is no room, the panel where it would have to stand, and the height it lacks."""

    piece: Piece
    panel: int
    over: float


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A part with the column and the height at which it begins: a piece, or the heading of one (`head` or `again`)."""

    piece: Piece
    kind: str
    column: int
    y: float


@dataclass(frozen=True, slots=True)
class Column:
    """Pieces one below another; `runs_on` if the moment of the first began in an earlier column."""

    pieces: tuple[Piece, ...]
    runs_on: bool

    def height(self, gaps: Gaps) -> float:
        """Return the height of the column, headings and gaps included."""
        if not self.pieces:
            return 0.0
        first = self.pieces[0]
        total = first.height + (first.again if self.runs_on else first.lead)
        for before, piece in pairwise(self.pieces):
            total += piece.height + (gaps.piece if before.moment == piece.moment else gaps.moment + piece.lead)
        return total


def taken(columns: Columns) -> Iterator[Column]:
    """Yield each column with whether its first moment began before it."""
    before = -1
    for pieces in columns:
        yield Column(pieces, bool(pieces) and pieces[0].moment == before)
        before = pieces[-1].moment if pieces else before


def arranged(pieces: Sequence[Piece], board: Board, gaps: Gaps) -> Columns:
    """Return the pieces of each column, all panels over, filled as evenly as their order allows.

    Return an empty tuple if no arrangement fits.
    """
    total, count = board.panels * board.columns, len(pieces)
    best = [[_NEVER] * (count + 1) for _ in range(total + 1)]
    begun = [[0] * (count + 1) for _ in range(total + 1)]
    best[0][0] = 0.0
    for number in range(total):
        for start in range(count + 1):
            for end in range(start, count + 1) if best[number][start] < _NEVER else ():
                column = Column(tuple(pieces[start:end]), _runs_on(pieces, start))
                cost = best[number][start] + _cost(column, number, board, gaps)
                if end > start and cost == _NEVER:
                    break
                if cost < best[number + 1][end]:
                    best[number + 1][end], begun[number + 1][end] = cost, start
    if best[total][count] == _NEVER:
        return ()
    found, end = list[tuple[Piece, ...]](), count
    for number in range(total, 0, -1):
        start = begun[number][end]
        found.append(tuple(pieces[start:end]))
        end = start
    return tuple(reversed(found))


def _cost(column: Column, number: int, board: Board, gaps: Gaps) -> float:
    """Return how bad a column is; never allowed where it is too high or some of it belongs on another panel."""
    panel, at = divmod(number, board.columns)
    if not column.pieces:
        return _EMPTY - 0.001 * at - 0.00001 * number  # rather the last of a panel than the first, and of the last one
    left = board.room - column.height(gaps)
    if left < 0 or any(piece.panel not in (0, panel + 1) for piece in column.pieces):
        return _NEVER
    free = left / board.room
    return free * free + (0.0 if not column.runs_on else _BROKEN if at else _TORN)


def _runs_on(pieces: Sequence[Piece], start: int) -> bool:
    return 0 < start < len(pieces) and pieces[start - 1].moment == pieces[start].moment


def overfull(pieces: Sequence[Piece], board: Board, gaps: Gaps) -> Overfull:
    """Return the first piece that fails when pieces that cannot be arranged are put down one below another."""
    number, start = 0, 0
    for at, piece in enumerate(pieces):
        if piece.panel - 1 > number // board.columns:
            number, start = (piece.panel - 1) * board.columns, at
        last = (piece.panel or board.panels) * board.columns - 1
        while (over := Column(tuple(pieces[start : at + 1]), _runs_on(pieces, start)).height(gaps) - board.room) > 0:
            if number >= last or start == at:
                rest = [each for each in pieces[at + 1 :] if not piece.panel or each.panel == piece.panel]
                more = sum(each.height + gaps.piece for each in rest) if number >= last else 0.0
                return Overfull(piece, min(number, last) // board.columns + 1, over + more)
            number, start = number + 1, at
        if number > last:
            return Overfull(piece, piece.panel, Column(tuple(pieces[start : at + 1]), False).height(gaps))
    raise ValueError("there is room for all of them")


def placed(columns: Columns, board: Board, gaps: Gaps) -> tuple[PlacedPiece, ...]:
    """Return where each piece and each heading stands.

    What a column has left widens its gaps as far as they stretch.
    """
    found = list[PlacedPiece]()
    for number, column in enumerate(taken(columns)):
        many = len(column.pieces) - 1
        more = min((board.room - column.height(gaps)) / many, gaps.stretch) if many > 0 else 0.0
        y, before = board.top, None
        for piece in column.pieces:
            if before is not None:
                y += more + (gaps.piece if before == piece.moment else gaps.moment)
            if before != piece.moment:
                again = before is None and column.runs_on
                found.append(PlacedPiece(piece, "again" if again else "head", number, round(y, 3)))
                y += piece.again if again else piece.lead
            found.append(PlacedPiece(piece, "piece", number, round(y, 3)))
            y, before = y + piece.height, piece.moment
    return tuple(found)
