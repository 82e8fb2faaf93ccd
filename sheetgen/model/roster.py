"""What a pack shows of a character in one line: the columns of its roster, and the few figures of an index."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

ROW = re.compile(r"\{(?P<rows>[^{}]+)\.(?P<number>[1-9][0-9]*)\.(?P<column>[^{}0-9][^{}]*)\}")
SLOT = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class FigureRows:
    """Figures that come in rows, such as weapons: `arms.1.name`, `arms.1.roll`.

    `noted` names the columns that stand behind a thing without a row. `also` has other words for such a row on forms of
    other people, and `columns` other words for each column.
    """

    name: str
    noted: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


# Of a pack that declares none.
USUAL_ROWS = {"arms": FigureRows("arms", ("roll", "injury")), "armour": FigureRows("armour")}


@dataclass(frozen=True, slots=True)
class RosterColumn:
    """One column: its head, and what it shows of everybody.

    `shows` has a line of text each, with the fields of a sheet in braces: `{arms.1.name} {arms.1.roll}`. `best` is a
    trait group of which the highest `most` are told. `ticks` is how many boxes to tick: a number or a field; `slots` is
    how many numbered boxes to write in. `pencil` leaves room to write beside what is printed; a column that shows
    nothing is all room. `key` is what an index tells.
    """

    title: str
    hint: str = ""
    shows: tuple[str, ...] = ()
    best: str = ""
    most: int = 3
    ticks: str = ""
    slots: int = 0
    pencil: bool = False
    key: str = ""

    @property
    def row(self) -> tuple[str, str, int] | None:
        """The rows that its lines are a column of, which one, and the first: `arms` and `roll` of `arms.1.roll`.

        The others follow, as `arms.2.roll`. None if it shows anything else.
        """
        found = [ROW.fullmatch(line) for line in self.shows]
        named = {(each["rows"], each["column"]) if each else None for each in found}
        numbers = [int(each["number"]) for each in found if each]
        rows = named.pop() if len(named) == 1 else None
        first = numbers[0] if numbers else 0
        return (*rows, first) if rows and numbers == list(range(first, first + len(found))) else None


@dataclass(frozen=True, slots=True)
class Roster:
    """The columns of a pack's roster behind number and name, the field below each name, and a reminder at the foot."""

    columns: tuple[RosterColumn, ...]
    under: str = ""
    reminder: str = ""

    @property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The columns by number, those of the same rows together: a line in one belongs to that beside it.

        Rows that begin at a later number stand beside the first ones.
        """
        found: list[list[int]] = []
        rows = [column.row[::2] if column.row and len(column.shows) > 1 else () for column in self.columns]
        for at, name in enumerate(rows):
            if found and name and rows[at - 1] == name:
                found[-1].append(at)
            else:
                found.append([at])
        return tuple(map(tuple, found))

    def blocks_alike(self, block: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the blocks, in order, that show the rows of which this one is a block."""
        rows = self.columns[block[0]].row
        return [each for each in self.blocks if (row := self.columns[each[0]].row) and rows and row[0] == rows[0]]

    @property
    def keys(self) -> tuple[RosterColumn, ...]:
        """The columns that stand in an index, too: three at the most."""
        return tuple(column for column in self.columns if column.key)


def slots_of(line: str) -> tuple[str, ...]:
    """Return the fields in the braces of a line, in order."""
    return tuple(SLOT.findall(line))


def filled(line: str, values: Mapping[str, str]) -> str:
    """Return the line with its fields filled in; nothing at all where one of them says nothing."""
    if any(not values.get(name) for name in slots_of(line)):
        return ""
    return SLOT.sub(lambda slot: values[slot[1]], line)
