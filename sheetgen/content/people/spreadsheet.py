"""Tables of characters: each row becomes the nodes that the same character would be in YAML, places included.

A place here is the line in which a row begins and the number of its cell. The columns of a text may be separated by
commas, semicolons or tabs; the header tells. Workbooks are read in `content.people.workbook`. In a cell that holds
several things each has a line of its own, or a `|` before it in lists of a trait; a backslash makes the next character
plain text, and `\\n` is a line break inside one thing.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Several
from dataclasses import dataclass, replace

from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.encoding import ORDINARY, FileLimit, decoded
from sheetgen.content.yaml.nodes import Mapping, Node, Scalar, Sequence, parse
from sheetgen.errors import InputError, Place, Problem, quoted, suggestion
from sheetgen.model.character import OWN, OWN_PREFIX, PICTURE
from sheetgen.model.system import System

GROUP = "group"  # the column that names the group which the characters are
MOST_COLUMNS = 500
LARGEST_CELL = 1_000_000
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab"}
GUARDED = ("=", "+", "-", "@", "\t", "\r", "'")  # a cell that begins so has a ' before it, or it might run as a formula

_QUOTED_CELL = re.compile(r'"(?:[^"]|"")*"')
_ENTRY = re.compile(r"((?:\\.|[^\\])*?): (.*)")
_ITEM = re.compile(r"(?:\\.|[^|])*")
_ESCAPE = re.compile(r"\\([\\n|:])")


@dataclass(frozen=True, slots=True)
class CsvRow:
    """The cells of one row, and the line in which it begins."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of one game in a table, of equal length below a header, and the system that they name."""

    file: str
    header: CsvRow
    rows: tuple[CsvRow, ...]
    system: Scalar


def read_csv(data: bytes, file: str, problems: Problems, *, most: FileLimit = ORDINARY) -> tuple[Grid, ...]:
    """Return the rows of a CSV or TSV file, a grid for each game; InputError where there is none to go by.

    A row that does not fit the header is noted as a problem and left out, as is everything behind an open quote.
    """
    rows = read_rows(data, file, problems, most=most, columns="system, name and so on")
    return grids([replace(row, cells=tuple(map(_unguarded, row.cells))) for row in rows], file, problems)


def grids(rows: Several[CsvRow], file: str, problems: Problems) -> tuple[Grid, ...]:
    """Return a grid for each game that rows below a header name, in the order of the first row of each.

    A row that names no game is of that above it. InputError when there is no header, no row or no game to go by.
    """
    if rows:
        _check_header(rows[0], file)
    if len(rows) < 2:
        if not problems.found:
            message = f"no row below the header {_quoted_cells(rows[0].cells)} (write one for each character)"
            problems.add(Place(file, rows[0].line, 1), message)
        raise InputError(problems.found)
    header, *body = rows
    at = header.cells.index("system")
    named = next((row for row in body if row.cells[at]), None)
    if named is None:
        problems.add(Place(file, body[0].line, at + 1), "this row names no system (write gamers or the like)")
        raise InputError(problems.found)
    found: dict[str, Grid] = {}
    rows_of: dict[str, list[CsvRow]] = {}
    for row in body:
        named = row if row.cells[at] else named
        system = Scalar(named.cells[at], Place(file, named.line, at + 1), True)
        found.setdefault(system.text, Grid(file, header, (), system))
        rows_of.setdefault(system.text, []).append(row)
    return tuple(replace(grid, rows=tuple(rows_of[name])) for name, grid in found.items())


def read_rows(
    data: bytes, file: str, problems: Problems, *, most: FileLimit = ORDINARY, columns: str = "title, text and so on"
) -> list[CsvRow]:
    """Return the rows of any CSV file that are as long as its first, which names the columns; others are problems.

    InputError for an empty file and for one that is no text.
    """
    text = decoded(data, file, most=most)
    if not text.strip():
        message = f"this CSV file is empty (its first row must name the columns: {columns})"
        raise InputError([Problem(Place(file, 1, 1), message)])
    delimiter, start = _delimiter(text)
    return list(_rows(text, delimiter, start, file, problems))


def _check_header(header: CsvRow, file: str) -> None:
    """InputError for a header that names no system or cannot be one; the rows below are no help then."""
    count = len(header.cells)
    if count > MOST_COLUMNS:
        message = f"has {count:,} columns; the most is {MOST_COLUMNS} (delete those that hold no character)"
    elif "system" in header.cells:
        return
    elif count == 1:
        fix = "part its columns by commas, semicolons or tabs, one of them named system"
        message = f"this header is a single column, {_quoted_cells(header.cells)} ({fix})"
    else:
        near = [name for name in header.cells if suggestion(name, ("system",))]
        fix = f"call {quoted(near[0])} so" if near else "add one, with the name of the game in each row"
        message = f'this table has no column "system" among {_quoted_cells(header.cells)} ({fix})'
    raise InputError([Problem(Place(file, header.line, 1), message)])


def _quoted_cells(cells: tuple[str, ...]) -> str:
    return quoted(", ".join(cells[:6]))


def _delimiter(text: str) -> tuple[str, int]:
    """What parts the columns, and the line of the header: the second if the first says `sep=;`, as Excel writes."""
    first = text.partition("\n")[0]
    if first[:4].casefold() == "sep=" and first[4:] in DELIMITERS:
        return first[4:], 2
    head = _QUOTED_CELL.sub("", first)
    return max(DELIMITERS, key=head.count), 1


def _rows(text: str, delimiter: str, start: int, file: str, problems: Problems) -> Iterator[CsvRow]:
    """The rows that can be used, the header first; the rest is noted."""
    csv.field_size_limit(LARGEST_CELL)
    lines = io.StringIO(text, newline="")
    for _ in range(1, start):
        next(lines)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    line, width = start, 0
    try:
        for cells in reader:
            begun, line = line, start + reader.line_num
            if not any(cells):
                continue
            while len(cells) > max(width, 1) and not cells[-1]:
                del cells[-1]
            if not width:
                width = len(cells)
                yield CsvRow(begun, tuple(name.strip() for name in cells))
                continue
            if len(cells) == width:
                yield CsvRow(begun, tuple(cells))
                continue
            message = f"this row has {len(cells):,} cells, the header {width:,}: {_quoted_cells(tuple(cells))}"
            problems.add(Place(file, begun, 1), f"{message} (mend its {DELIMITERS[delimiter]}s and quotes)")
    except csv.Error:
        rest = text.split("\n", line - 1)[-1]
        cell, message = _broken(rest, delimiter)
        problems.add(Place(file, line, cell), message)


def _broken(text: str, delimiter: str) -> tuple[int, str]:
    """Which cell of the row at the start of the text ends the reading, and why."""
    position = 0
    row = quoted(text.partition("\n")[0])
    for cell in range(1, text.count(delimiter) + 2):
        if text[position : position + 1] == '"':
            closed = _QUOTED_CELL.match(text, position)
            if closed is None or closed.end() - position > LARGEST_CELL:
                return cell, f'a quote opens here and is never closed: {row} (add " where the text ends)'
            position = closed.end()
            if text[position : position + 1] not in (delimiter, "\n", ""):
                more = closed.group().count("\n")
                where = f", {more} line{'s' if more > 1 else ''} further down" if more else ""
                return cell, f'text goes on after the closing quote{where}: {row} (write "" for a quote inside a cell)'
        else:
            begun = position
            ends = [end for end in (text.find(delimiter, position), text.find("\n", position)) if end >= 0]
            position = min(ends, default=len(text))
            if position - begun > LARGEST_CELL:
                break
        position += 1
    return cell, f"a cell has more than {LARGEST_CELL:,} characters: {row} (shorten it)"


def characters_of(
    grid: Grid, system: System, problems: Problems, *, beside: Iterable[System] = (), keep: bool = False
) -> Node:
    """Return the grid as nodes: a mapping with `system` and `characters`, as `read_characters` takes it.

    Columns that begin with `x-` are somebody's own and kept; with `keep` all are that no game knows. Those that only
    the games `beside` know must be empty here. InputError for other columns, before any row is judged by what it lacks.
    """
    kinds: dict[str, str] = {spec.name: spec.kind for spec in system.fields}
    header, top = grid.header, Place(grid.file, grid.header.line, 1)
    known, unknown = columns_of(system), Problems()
    others = {column: each.title for each in beside for column in columns_of(each) if column not in known}
    own = set[str]()
    for number, column in enumerate(header.cells, 1):
        at = replace(top, column=number)
        if column in header.cells[: number - 1] and column:
            unknown.add(at, f"column {quoted(column)} stands twice (keep one)")
        elif column in known or column in others:
            continue
        elif column.startswith(OWN_PREFIX) or (keep and column):
            own.add(column)
        elif column or any(row.cells[number - 1] for row in grid.rows):
            near = suggestion(column, known) or f" (--keep-columns keeps it, as does the name {OWN_PREFIX}{column})"
            unknown.add(at, f"unknown column {quoted(column)}{near}")
    if unknown.found:
        raise InputError([*problems.found, *unknown.found])
    made = []
    for row in grid.rows:
        made.append(_character(grid, row, kinds, own, problems))
        for number, (column, cell) in enumerate(zip(header.cells, row.cells, strict=True), 1):
            if cell.strip() and column in others:
                message = f"{system.title} has no {quoted(column)}, that is of {others[column]} (leave the cell empty)"
                problems.add(Place(grid.file, row.line, number), message)
    people = (Scalar("characters", top, True), Sequence(tuple(made), top))
    group = () if GROUP in kinds else _group(grid)
    return Mapping(((Scalar("system", top, True), grid.system), *group, people), top)


def _group(grid: Grid) -> tuple[tuple[Scalar, Node], ...]:
    """The group that the first row names which names one: its title and, in a second line, what is said of it."""
    at = grid.header.cells.index(GROUP) if GROUP in grid.header.cells else -1
    row = next((row for row in grid.rows if at >= 0 and row.cells[at].strip()), None)
    if row is None:
        return ()
    place = Place(grid.file, row.line, at + 1)
    title, _, say = row.cells[at].strip().partition("\n")
    said = [("title", title), ("say", say.replace("\n", " "))]
    about = tuple((Scalar(name, place, True), Scalar(text, place, True)) for name, text in said if text)
    return ((Scalar(GROUP, place, True), Mapping(about, place)),)


def columns_of(system: System) -> dict[str, None]:
    """Return the columns that a file of this game may have: one a field, for levels one a trait."""
    names = ["system", GROUP, PICTURE, "rolled"]
    for spec in system.fields:
        traits = system.group(spec.name).members if spec.kind == "levels" else ()
        names += [f"{spec.name}.{trait.name}" for trait in traits] if traits else [spec.name]
    return dict.fromkeys(names)


def _character(grid: Grid, row: CsvRow, kinds: dict[str, str], own: set[str], problems: Problems) -> Node:
    file = grid.file
    entries: list[tuple[Scalar, Node]] = []
    levels: dict[str, list[tuple[Scalar, Node]]] = {}
    kept: list[tuple[Scalar, Node]] = []
    for number, (column, text) in enumerate(zip(grid.header.cells, row.cells, strict=True), 1):
        if not text or column == "system" or (column == GROUP and column not in kinds):
            continue
        at = Place(file, row.line, number)
        if column in own:
            kept.append((Scalar(column, at, True), Scalar(text, at, True)))
            continue
        group, _, trait = column.partition(".")
        if column not in kinds and column not in ("rolled", PICTURE):
            levels.setdefault(group, []).append((Scalar(trait, at, True), Scalar(text.strip(), at, False)))
            continue
        node = (
            _origin_node(text, at, problems)
            if column == "rolled"
            else _cell(text, kinds.get(column, "text"), column, at, problems)
        )
        if node is not None:
            entries.append((Scalar(column, at, True), node))
    place = Place(file, row.line, 1)
    entries += [(Scalar(group, place, True), Mapping(tuple(found), place)) for group, found in levels.items()]
    if kept:
        entries.append((Scalar(OWN, place, True), Mapping(tuple(kept), place)))
    return Mapping(tuple(entries), place)


def _unguarded(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(GUARDED) else cell


def _cell(text: str, kind: str, column: str, at: Place, problems: Problems) -> Node:
    if kind in ("text", "choice"):
        return Scalar(text, at, True)
    lines = [line for line in text.split("\n") if line.strip()]
    if kind == "list":
        return Sequence(tuple(_unescaped(line, at) for line in lines), at)
    entries: list[tuple[Scalar, Node]] = []
    for line in lines:
        key, colon, rest = line.rpartition(": ")
        if kind != "ratings" and (entry := _ENTRY.fullmatch(line)):
            key, colon, rest = entry[1], ":", entry[2]
        if not colon:
            problems.add(at, f'{column}: {quoted(line)} is no "name: value" (write one on each line of the cell)')
            continue
        value: Node = Scalar(rest.strip(), at, False) if kind == "ratings" else _unescaped(rest, at)
        if kind == "list per trait":
            value = Sequence(tuple(_unescaped(item, at) for item in _items(rest)), at)
        entries.append((_unescaped(key, at), value))
    return Mapping(tuple(entries), at)


def _items(text: str) -> Iterator[str]:
    """The parts between the bars, without the one space that stands on each side of a bar."""
    position = 0
    while found := _ITEM.match(text, position):
        item, end = found.group(), found.end()
        if end < len(text):
            item = item.removesuffix(" ")
        yield item.removeprefix(" ") if position else item
        if end >= len(text):
            return
        position = end + 1


def _unescaped(text: str, at: Place) -> Scalar:
    return Scalar(_ESCAPE.sub(lambda found: "\n" if found[1] == "n" else found[1], text), at, True)


def _origin_node(text: str, at: Place, problems: Problems) -> Node | None:
    """How the character was rolled, every place that of the cell; nothing if the cell is damaged."""
    try:
        return _moved(parse(text.encode(), at.file), at)
    except InputError as error:
        problems.add(at, f"rolled: {error.problems[0].message}")
        return None


def _moved(node: Node, at: Place) -> Node:
    if isinstance(node, Scalar):
        return replace(node, place=at)
    if isinstance(node, Sequence):
        return Sequence(tuple(_moved(item, at) for item in node.items), at)
    return Mapping(tuple((replace(key, place=at), _moved(value, at)) for key, value in node.entries), at)
