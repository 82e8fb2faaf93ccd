"""Zones of a screen on its columns: each moment under its head, columns full to the foot, by a search that is bounded.

Moments keep their order, and so does the first zone of each; the others change places within their moment where that
fills the columns better. The same zones are always packed alike. Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeAlias

from sheetgen.errors import Place

MOVABLE = 8  # zones of a moment that may change places: the next so many that are not placed yet
FULL = 0.3  # of a column free, at the most, where its boxes are stretched to its foot
BEAM = 24  # arrangements of the first columns that are gone on with, the best ones

# What it costs when a moment goes on in the next column, on the next panel, and when two zones change places, where a
# column a tenth emptier than the others costs a hundredth.
_BROKEN, _TORN, _SWAPPED = 0.0012, 0.04, 0.0004
_NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class Zone:
    """A box under a head: its key, its moment, its height, and the panel it must stand on, if any.

    `rows` can each take a little air, `more` are the heights of what may be added to it, in order, such as people;
    `in_rows` says that each of these is a row, too. `title` is how much of its height its own title takes.
    """

    key: str
    moment: int
    height: float
    rows: int
    place: Place
    panel: int = 0
    more: tuple[float, ...] = ()
    in_rows: bool = False
    title: float = 0.0

    def grown(self, room: float) -> tuple[float, int]:
        """Return the height with as much added as the room takes, and how many things that are."""
        height, count = self.height, 0
        for each in self.more:
            if height + each > room:
                break
            height, count = height + each, count + 1
        return height, count


ZoneColumn: TypeAlias = tuple[Zone, ...]
ZoneColumns: TypeAlias = tuple[ZoneColumn, ...]
_State: TypeAlias = tuple[int, int]  # moments that are placed whole, and which zones of the next one are, as bits


@dataclass(frozen=True, slots=True)
class ZoneGaps:
    """The height of a moment's head, and what is free below it, between zones, and above the next head."""

    head: float
    below: float
    zone: float
    moment: float

    def height(self, column: ZoneColumn) -> float:
        """Return the height of a column with the heads of its moments, and without what may be added."""
        total, before = 0.0, None
        for zone in column:
            if zone.moment == before:
                total += self.zone
            else:
                total += (0.0 if before is None else self.moment) + self.head + self.below
            total, before = total + zone.height, zone.moment
        return total


@dataclass(frozen=True, slots=True)
class Strip:
    """The columns that are to be filled: how many panels, how many columns each, how high they are."""

    panels: int
    columns: int
    room: float

    @property
    def total(self) -> int:
        """The number of columns."""
        return self.panels * self.columns


def packed(zones: Sequence[Zone], strip: Strip, gaps: ZoneGaps) -> ZoneColumns:
    """Return the zones of each column, filled as evenly as can be found; an empty tuple if they have no room."""
    if not zones:
        return ((),) * strip.total
    moments = tuple(tuple(each) for _, each in groupby(zones, key=lambda zone: zone.moment))
    search = _Search(moments, strip, gaps, _usual_free(zones, strip, gaps))
    for least in (search.usual + 0.2, 1.0):  # columns much emptier than usual only where it must be
        found = search.columns(least)
        if found:
            return found
    return ()


def _usual_free(zones: Sequence[Zone], strip: Strip, gaps: ZoneGaps) -> float:
    """Return the part of a column that would stay free if all were filled alike."""
    used = gaps.height(tuple(zones)) + (strip.total - 1) * gaps.head + sum(sum(zone.more) for zone in zones)
    return max(0.0, 1 - used / (strip.total * strip.room))


@dataclass(frozen=True, slots=True)
class _Search:
    moments: tuple[tuple[Zone, ...], ...]
    strip: Strip
    gaps: ZoneGaps
    usual: float

    def columns(self, most_free: float) -> ZoneColumns:
        """Return the best columns found; none of them but the last is left freer than said."""
        states: dict[_State, tuple[float, ZoneColumns]] = {(0, 0): (0.0, ())}
        end = (len(self.moments), 0)
        for number in range(self.strip.total):
            found: dict[_State, tuple[float, ZoneColumns]] = {}
            best = sorted(states.items(), key=lambda each: (each[1][0], each[0]))[:BEAM]
            for state, (cost, columns) in best:
                for column, after in self._fillings(state, number // self.strip.columns + 1):
                    more = self._cost(column, after, number, most_free if after != end else 1.0)
                    if cost + more < found.get(after, (_NEVER, ()))[0]:
                        found[after] = cost + more, (*columns, column)
            states = found
        return states[end][1] if end in states else ()

    def _fillings(self, state: _State, panel: int) -> Iterator[tuple[ZoneColumn, _State]]:
        """Yield what a column may hold, with what is placed then: some of a moment, or all and some of the next."""
        start, placed = state
        yield (), state
        column, height = ZoneColumn(), 0.0
        for at in range(start, len(self.moments)):
            zones = self.moments[at]
            if zones[0].panel not in (0, panel):
                return
            height += (self.gaps.moment if column else 0.0) + self.gaps.head + self.gaps.below
            left = [each for each in range(len(zones)) if not placed >> each & 1]
            for bits, extra in self._choices(zones, left[:MOVABLE], self.strip.room - height, first=not placed):
                chosen = tuple(zones[each] for each in left if bits >> each & 1)
                whole = len(chosen) == len(left)
                yield (*column, *chosen), (at + 1, 0) if whole else (at, placed | bits)
                if whole:
                    column, height = (*column, *chosen), height + extra
                    break
            else:
                return
            placed = 0

    def _choices(
        self, zones: Sequence[Zone], left: list[int], room: float, *, first: bool
    ) -> Iterator[tuple[int, float]]:
        """Yield which zones fit below a head, as bits, and their height; all of them last."""
        sums = [(0, -self.gaps.zone)]
        for each in left:
            added = [(bits | 1 << each, height + self.gaps.zone + zones[each].height) for bits, height in sums]
            sums = (sums if not (first and each == 0) else []) + [pair for pair in added if pair[1] <= room]
        yield from (pair for pair in sums if pair[0])

    def _cost(self, column: ZoneColumn, after: _State, number: int, most_free: float) -> float:
        """Return how bad a column is: freer or fuller than usual, its last moment broken, zones that changed places."""
        if not column:
            return 1.0 - 0.001 * (number % self.strip.columns) - 0.00001 * number  # rather the last ones stay empty
        height = self.gaps.height(column)
        room = self.strip.room - height
        for zone in column:
            room -= zone.grown(zone.height + room)[0] - zone.height
        free = room / self.strip.room
        if free > most_free:
            return _NEVER
        placed = after[1]
        cost = (free - self.usual) ** 2
        if placed:
            torn = (number + 1) % self.strip.columns == 0
            cost += _TORN if torn else _BROKEN
            cost += _SWAPPED * sum(1 for each in range(placed.bit_length()) if not placed >> each & 1)
        return cost


@dataclass(frozen=True, slots=True)
class PlacedZone:
    """A zone with its column, where it begins and how high it is; `air` for each row, `count` of what is added."""

    zone: Zone
    column: int
    y: float
    height: float
    air: float
    count: int


@dataclass(frozen=True, slots=True)
class PlacedHead:
    """The head of a moment: its first column, where it begins, and how many columns it runs across."""

    moment: int
    column: int
    y: float
    across: int = 1


@dataclass(frozen=True, slots=True)
class Filled:
    """A column with what may be added to its zones added; `free` is the part of its height that nothing stands on."""

    zones: ZoneColumn
    counts: Mapping[str, int]
    free: float


def filled(column: ZoneColumn, room: float, gaps: ZoneGaps) -> Filled:
    """Return a column with as much more in its zones as there is room for."""
    left, counts, zones = room - gaps.height(column), dict[str, int](), list[Zone]()
    for zone in column:
        height, count = zone.grown(zone.height + max(left, 0.0))
        left -= height - zone.height
        counts[zone.key] = count
        zones.append(replace(zone, height=height, more=()))
    return Filled(tuple(zones), counts, max(left, 0.0) / room)


def with_spare(column: Filled, room: float, gaps: ZoneGaps, offers: Sequence[Zone]) -> Filled:
    """Return a column with the offers at its foot that it has room for, in their order, each with as much as it takes.

    Each has a head of its own instead of its title, or, where no more than a line would have room below it, stands
    under the last head; but never under that of another offer.
    """
    zones, counts, left = column.zones, dict(column.counts), column.free * room
    for offer in offers:
        headed, height = replace(offer, height=offer.height - offer.title, title=0.0), gaps.height(zones)
        ways = [(headed, 1)]
        if len(zones) == len(column.zones) > 0:
            ways = [(headed, 2), (replace(offer, moment=zones[-1].moment), 1)]
        for each, least in ways:
            lead = gaps.height((*zones, each)) - height - each.height
            grown, count = each.grown(left - lead)
            if count >= min(least, len(each.more)) and lead + grown <= left:
                zones = (*zones, replace(each, height=grown, rows=each.rows + count, more=()))
                counts[each.key] = count
                left -= lead + grown
                break
    return Filled(zones, counts, max(left, 0.0) / room)


def placed_column(
    column: Filled, number: int, top: float, room: float, gaps: ZoneGaps, *, air: float
) -> tuple[list[PlacedHead], list[PlacedZone]]:
    """Return where heads and zones of a column stand, the last one at the foot.

    What is free widens the rows, by `air` each at the most, and then the boxes; in a column that is far from FULL the
    boxes stay as high as their words, and end above its foot.
    """
    zones, left = column.zones, column.free * room
    rows = {zone.key: zone.rows + zone.in_rows * column.counts[zone.key] for zone in zones}
    total = sum(rows.values())
    each = min(left / total, air) if total else 0.0
    wider = (left - each * total) / len(zones) if zones and column.free <= FULL else 0.0
    heads, found, y, before = list[PlacedHead](), list[PlacedZone](), top, -1
    for zone in zones:
        if zone.moment != before:
            y += gaps.moment if found else 0.0
            heads.append(PlacedHead(zone.moment, number, round(y, 3)))
            y += gaps.head + gaps.below
        else:
            y += gaps.zone
        height = zone.height + each * rows[zone.key] + wider
        count = column.counts[zone.key]
        found.append(PlacedZone(zone, number, round(y, 3), round(height, 3), round(each, 3), count))
        y, before = y + height, zone.moment
    return heads, found


def joined_heads(heads: Sequence[PlacedHead], columns: int) -> list[PlacedHead]:
    """Return the heads, with one across the columns of a panel where a moment stands at the top of several."""
    found = list[PlacedHead]()
    tops = {min(each.y for each in heads)} if heads else set()
    for head in heads:
        before = next((at for at, each in enumerate(found) if each.column + each.across == head.column), None)
        if head.y in tops and before is not None:
            last = found[before]
            if last.y == head.y and last.moment == head.moment and last.column // columns == head.column // columns:
                found[before] = replace(last, across=last.across + 1)
                continue
        found.append(head)
    return found
