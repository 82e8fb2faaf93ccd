"""CSV files of characters: each row becomes the nodes that the same character would be in YAML, places included."""

from __future__ import annotations

import csv
import io

from sheetgen.content.decode import Problems
from sheetgen.content.encoding import decoded
from sheetgen.content.nodes import Mapping, Node, Scalar, Sequence, parse
from sheetgen.errors import InputError, Place
from sheetgen.model.system import System

MOST_COLUMNS = 500
LARGEST_CELL = 100_000


def parse_rows(data: bytes, file: str, system: System, problems: Problems) -> Node:
    """A file of characters as nodes: a mapping with `system` and `characters`, as `read_characters` takes it."""
    rows = _rows(decoded(data, file), file, problems)
    if not rows:
        problems.add(Place(file, 1, 1), "this CSV file is empty: its first row must name the columns")
        return Mapping((), Place(file))
    (_, header), *body = rows
    if len(header) > MOST_COLUMNS:
        problems.add(Place(file, 1, 1), f"has {len(header):,} columns; the most is {MOST_COLUMNS}")
        return Mapping((), Place(file))
    made = [_character(header, cells, Place(file, line, 1), system, problems) for line, cells in body if any(cells)]
    top = Place(file, 1, 1)
    return Mapping(
        (
            (Scalar("system", top, False), Scalar(system.id, top, False)),
            (Scalar("characters", top, False), Sequence(tuple(made), top)),
        ),
        top,
    )


def first_system(data: bytes, file: str, problems: Problems) -> str:
    """The system that the first row below the header names in the column `system`."""
    rows = _rows(decoded(data, file), file, Problems())
    if len(rows) < 2 or "system" not in rows[0][1]:
        problems.add(Place(file, 1, 1), "this CSV file names no system: it needs a column `system` and a row below it")
        return ""
    at = rows[0][1].index("system")
    return rows[1][1][at] if at < len(rows[1][1]) else ""


def _rows(text: str, file: str, problems: Problems) -> list[tuple[int, list[str]]]:
    csv.field_size_limit(LARGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for row in reader:
            if row and rows and len(row) != len(rows[0][1]):
                message = f"this row has {len(row)} cells, the header {len(rows[0][1])}: {', '.join(row[:3])} …"
                problems.add(Place(file, line, 1), message)
            elif row:
                rows.append((line, row))
            line = reader.line_num + 1
    except csv.Error as error:
        problems.add(Place(file, line, 1), f"cannot be read as CSV from here on ({error})")
    return rows


def _character(header: list[str], cells: list[str], place: Place, system: System, problems: Problems) -> Node:
    entries: list[tuple[Scalar, Node]] = []
    levels: dict[str, list[tuple[Scalar, Node]]] = {}
    kinds = {spec.name: spec.kind for spec in system.fields}
    for number, (column, cell) in enumerate(zip(header, cells, strict=True), 1):
        text = cell[1:] if cell.startswith("'") else cell
        at = Place(place.file, place.line, number)
        group, dot, trait = column.partition(".")
        if not text or column == "system":
            continue
        if dot and kinds.get(group) == "levels":
            levels.setdefault(group, []).append((Scalar(trait, at, False), Scalar(text, at, False)))
            continue
        entries.append((Scalar(column, at, False), _cell(text, kinds.get(column, "text"), column, at, problems)))
    entries += [(Scalar(group, place, False), Mapping(tuple(found), place)) for group, found in levels.items()]
    return Mapping(tuple(entries), place)


def _cell(text: str, kind: str, column: str, at: Place, problems: Problems) -> Node:
    if column == "rolled":
        return _rolled(text, at, problems)
    if kind in ("text", "levels"):
        return Scalar(text, at, False)
    lines = [line for line in text.splitlines() if line.strip()]
    if kind == "list":
        return Sequence(tuple(Scalar(line, at, False) for line in lines), at)
    entries: list[tuple[Scalar, Node]] = []
    for line in lines:
        key, colon, rest = line.rpartition(": ") if kind == "ratings" else line.partition(": ")
        if not colon:
            problems.add(at, f'{column}: write "name: value", a line each')
            continue
        value: Node = Scalar(rest, at, False)
        if kind == "list per trait":
            value = Sequence(tuple(Scalar(item.strip(), at, False) for item in rest.split(" | ")), at)
        entries.append((Scalar(key, at, False), value))
    return Mapping(tuple(entries), at)


def _rolled(text: str, at: Place, problems: Problems) -> Node:
    try:
        return parse(text.encode(), at.file)
    except InputError as error:
        for problem in error.problems:
            problems.add(at, f"rolled: {problem.message}")
        return Mapping((), at)
