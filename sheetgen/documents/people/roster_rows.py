"""What the rows of a roster hold: each person's name, what stands below it, and the lines of every column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sheetgen.documents.people.roster_columns import GUTTER, TEXT_PT, Ruler
from sheetgen.documents.people.sheet import with_level
from sheetgen.model.character import Character
from sheetgen.model.people_pages import Roster, RosterColumn, boxes_of, filled
from sheetgen.model.system import System
from sheetgen.model.wording import DOT, NO_BREAK, capital

MOST_ROWS = 30  # of one table of a sheet, such as weapons
NAME_PT = 11.0
EVERYBODY = ""
NOTHING = "—"  # in a line of which another column says something


@dataclass(frozen=True, slots=True)
class Person:
    """A person on a list: the character, the text of every field of the sheet, and the heading it stands under."""

    character: Character
    values: Mapping[str, str]
    heading: str = EVERYBODY


@dataclass(frozen=True, slots=True)
class RosterRow:
    """A row: the number of the person, here and in a run, name and trade, the cells of all columns, the width of it."""

    number: int
    index: int
    name: str
    under: str
    cells: tuple[tuple[str, ...], ...]
    width: float
    folded: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  # below a block, by its first column

    def shown(self, at: int) -> tuple[str, ...]:
        """Return the lines of a cell, with what is folded below them."""
        return (*self.cells[at], *self.folded.get(at, ())[:1])


def own_name(character: Character) -> str:
    """Return the name of somebody in a group without the part behind it: `Ilse Marr` of `Ilse Marr, guard 2`."""
    own, _ = character.name_and_part
    return own if character.origin is not None and character.origin.group else character.text("name")


def row_of(system: System, roster: Roster, person: Person, number: int, ruler: Ruler, *, group: bool) -> RosterRow:
    """Return the row of a person; on the page of a `group` the part in it stands below the name, without a number."""
    character = person.character
    name, under = character.text("name"), _under(system, roster, person)
    if group and own_name(character) != name:
        name, under = own_name(character), _with_part(character, under)
    width = max(ruler(name, NAME_PT, bold=True), ruler(under, TEXT_PT)) + GUTTER
    origin = character.origin
    index = origin.index if origin is not None and not origin.group else 0
    return RosterRow(number, index, name, under, _cells(system, roster, person), width)


def _with_part(character: Character, under: str) -> str:
    """Return the part that somebody has in a group before what they are; alone if that says as much, or nothing."""
    _, part = character.name_and_part
    if not under or f" {part} ".casefold() in f" {under} ".casefold():
        return under or capital(part)
    trade = character.text("occupation")
    lower = under[:1].lower() + under[1:] if trade[:1].islower() else under
    return f"{capital(part)}{DOT}{lower}"


def _under(system: System, roster: Roster, person: Person) -> str:
    """Return what stands below a name; nothing that the name has behind a comma, such as a part in a group."""
    told = person.values.get(roster.under, "").replace("\n", ", ")
    _, part = person.character.name_and_part
    return with_level(system, person.character, "" if told.casefold() == part.casefold() else told)


def _cells(system: System, roster: Roster, person: Person) -> tuple[tuple[str, ...], ...]:
    """Return the lines of each column; columns of the same rows have a line for each row, empty or not."""
    cells: list[tuple[str, ...]] = []
    for block in roster.blocks:
        columns = [roster.columns[at] for at in block]
        if len(block) > 1:
            cells += _in_rows(columns, person.values, last=block == roster.blocks_alike(block)[-1])
        else:
            cells.append(_cell(system, columns[0], person.character, person.values))
    return tuple(cells)


def _in_rows(columns: Sequence[RosterColumn], values: Mapping[str, str], *, last: bool) -> list[tuple[str, ...]]:
    """Return the lines of columns of the same rows; the last block of these tells how many more rows there are."""
    named = [column.row for column in columns if column.row is not None]
    first = named[0][2]
    end = first + max(len(column.shows) for column in columns)

    def told(number: int) -> tuple[str, ...]:
        found = (values.get(f"{rows}.{number}.{name}", "") for rows, name, _ in named)
        return tuple(text.replace("\n", ", ") for text in found)

    lines = [tuple(text or NOTHING for text in told(number)) for number in range(first, end) if any(told(number))]
    more = sum(any(told(number)) for number in range(end, MOST_ROWS)) if last else 0
    if more and lines:
        lines[-1] = (f"{lines[-1][0]}{DOT}and {more} more", *lines[-1][1:])
    return list(zip(*lines, strict=True)) if lines else [()] * len(columns)


def _cell(system: System, column: RosterColumn, character: Character, values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the lines of one cell; of ticks, one line that says how many."""
    if column.of and not character.values.get(column.of):
        return ()
    if column.ticks:
        count = boxes_of(column.ticks, values)
        return (str(count),) if count else ()
    if column.best:
        levels = sorted(character.numbers(column.best).items(), key=lambda rated: -rated[1])[: column.most]
        return (DOT.join(f"{name}{NO_BREAK}{system.write(name, level)}" for name, level in levels),) if levels else ()
    lines = (filled(line, values).replace("\n", ", ") for line in column.shows)
    return tuple(line for line in lines if line)


def line_texts(system: System, roster: Roster, person: Person) -> Iterator[tuple[str, str]]:
    """Yield title and text of each part of a person's line: the name, what stands below it, then each column."""
    yield "Name", person.character.text("name")
    spec = system.spec(roster.under)
    yield spec.title if spec is not None else "", _under(system, roster, person)
    for column, cell in zip(roster.columns, _cells(system, roster, person), strict=True):
        yield column.hint or column.title, "".join(cell)


def folded(roster: Roster, rows: Sequence[RosterRow]) -> tuple[Roster, list[RosterRow]]:
    """Return a roster without columns that are folded, and its rows, which have these below what is in front.

    What half of them have keeps its column, unless a skin's own need the room.
    """
    crowded = any(column.own for column in roster.columns)
    blocks = {block[-1] + 1: block[0] for block in roster.blocks if len(block) > 1}
    gone = {
        at: blocks[at]
        for at, column in enumerate(roster.columns)
        if column.folded and at in blocks and (crowded or 2 * sum(bool(row.cells[at]) for row in rows) <= len(rows))
    }
    kept = [at for at in range(len(roster.columns)) if at not in gone]
    below = ({first: row.cells[at] for at, first in gone.items() if row.cells[at]} for row in rows)
    return _with_columns(roster, [replace(row, folded=each) for row, each in zip(rows, below, strict=True)], kept)


def without_the_empty(roster: Roster, rows: Sequence[RosterRow]) -> tuple[Roster, list[RosterRow]]:
    """Return a roster and its rows without columns in which nobody has anything, such as armour that nobody wears.

    Of columns of the same rows the first stays, which says what each line is.
    """
    firsts = {block[0] for block in roster.blocks if len(block) > 1}
    kept = [
        at
        for at, column in enumerate(roster.columns)
        if at in firsts or column.pencil or not column.shows or any({*row.cells[at]} - {NOTHING} for row in rows)
    ]
    return _with_columns(roster, rows, kept)


def _with_columns(roster: Roster, rows: Sequence[RosterRow], kept: Sequence[int]) -> tuple[Roster, list[RosterRow]]:
    """Return a roster and its rows with these columns only."""

    def cut(row: RosterRow) -> RosterRow:
        folded = {kept.index(at): lines for at, lines in row.folded.items()}
        return replace(row, cells=tuple(row.cells[at] for at in kept), folded=folded)

    return replace(roster, columns=tuple(roster.columns[at] for at in kept)), [*map(cut, rows)]


def columns_of(
    rows: Sequence[RosterRow], count: int
) -> tuple[list[list[tuple[str, ...]]], list[list[tuple[str, ...]]]]:
    """Return the cells of so many columns, without and with what is folded below them."""
    cells = [[row.cells[at] for row in rows] for at in range(count)]
    return cells, [[row.shown(at) for row in rows] for at in range(count)]
