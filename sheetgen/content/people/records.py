"""What other programs tell of people: each row of a table, or each mapping of a JSON file, as fields with a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sheetgen.content.people.characters import HEAD
from sheetgen.content.people.spreadsheet import MOST_COLUMNS, CsvRow, columns_of, read_rows
from sheetgen.content.people.workbook import WORKBOOKS, WorkbookSheet
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.encoding import FileLimit
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.content.yaml.nodes import Sequence as SequenceNode
from sheetgen.errors import InputError, Place, Problem, UsageError, quoted
from sheetgen.model.character import OWN, OWN_PREFIX
from sheetgen.model.system import System

RECORDS = (".csv", ".tsv", ".json", *WORKBOOKS)
MOST_RECORDS = 5_000
MOST = FileLimit(20_000_000, 500_000, "split it into files of fewer people")
_TRUE, _FALSE = "true", "false"
_ROLLED = "{method: "  # begins what we write of how somebody was rolled
_SAY_NOTHING = {"value", "score", "level", "rank", "total", "current", "base", "name", "label", "text", "title"}


def read_records(data: bytes, file: str, sheets: Sequence[WorkbookSheet] = ()) -> dict[str, dict[str, str]]:
    """Return for each person of a table or JSON file the place, and a text for each field by its name.

    A workbook comes as its `sheets`, since only a confined process reads it. Fields within fields are named with dots,
    entries of lists with numbers from 1; all people have the same fields, with nothing in those that they lack.
    InputError for what cannot be read.
    """
    found = dict(_of_json(data, file) if file.lower().endswith(".json") else _of_table(data, file, sheets))
    if not found:
        raise InputError([Problem(Place(file), "nobody is in this file (a row, or a mapping, for each character)")])
    if len(found) > MOST_RECORDS:
        raise UsageError(f"{file}: {MOST_RECORDS:,} people are taken at a time, not {len(found):,} (split it)")
    names = dict.fromkeys(name for record in found.values() for name in record)
    if len(names) > MOST_COLUMNS:
        raise InputError([Problem(Place(file), f"{len(names):,} fields; the most is {MOST_COLUMNS}")])
    return {place: {name: record.get(name, "") for name in names} for place, record in found.items()}


@dataclass(frozen=True, slots=True)
class FileShape:
    """What shows whether a table or JSON file is one that sheetgen writes.

    `games` are those that it names, none if it is not laid out like one of ours; `names` are its columns or the keys of
    its characters, but those that may be anything. One that is `marked` has what no other program writes.
    """

    games: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    marked: bool = False

    def fits(self, systems: Iterable[System]) -> bool:
        """Return whether these games know every name."""
        known = {"", OWN}
        for system in systems:
            known |= {*columns_of(system), *(spec.name for spec in system.fields)}
        return self.names <= known


def shape_of(data: bytes, file: str, sheets: Sequence[WorkbookSheet] = ()) -> FileShape:
    """Return the shape of a table, of a workbook's `sheets` or of a JSON file; InputError for what cannot be read."""
    if file.lower().endswith(".json"):
        node = parse(data, file, most=MOST)
        about = {key.text: value for key, value in node.entries} if isinstance(node, MappingNode) else {}
        game, people = about.get("system"), about.get("characters")
        if people is None or not isinstance(game, Scalar) or not {*about} <= {key.name for key in HEAD}:
            return FileShape()
        names = frozenset(key.text for each in _people_nodes(people) for key, _ in each.entries)
        return FileShape((game.text,), names, "format" in about)
    rows = [row for _, row in _of_table(data, file, sheets)]
    if not rows or not all({"name", "system"} <= {*row} for row in rows):
        return FileShape()
    marked = any(row.get("rolled", "").startswith(_ROLLED) for row in rows)
    header = {name for row in rows for name in row}
    names = frozenset[str]() if marked else frozenset(name for name in header if not name.startswith(OWN_PREFIX))
    return FileShape(tuple(dict.fromkeys(row["system"] for row in rows if row["system"])), names, marked)


def short_name(name: str) -> str:
    """Return the part of a name within names that says most: `grit` of `system.abilities.grit.value`, `items 1`."""
    parts = [part for part in name.split(".") if part]
    while len(parts) > 1 and parts[-1].casefold() in _SAY_NOTHING:
        parts.pop()
    return " ".join(parts[-2:] if len(parts) > 1 and parts[-1].isdigit() else parts[-1:])


def _of_table(data: bytes, file: str, sheets: Sequence[WorkbookSheet]) -> Iterator[tuple[str, Mapping[str, str]]]:
    if file.lower().endswith(WORKBOOKS):
        for sheet in sheets:
            yield from ((str(Place(sheet.file, line, 1)), record) for line, record in _of_rows(sheet.rows, sheet.file))
        return
    problems = Problems()
    rows = read_rows(data, file, problems, most=MOST, columns="name and so on")
    problems.raise_if_any()
    yield from ((f"{file}:{line}", record) for line, record in _of_rows(rows, file))


def _of_rows(rows: Sequence[CsvRow], file: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield the number of each row and its cells by the names above them; InputError for two columns of one name.

    So it is for a cell that has none above it.
    """
    heads = rows[0].cells if rows else ()
    twice = [at for at, name in enumerate(heads, 1) if name and name in heads[: at - 1]]
    wrong = [
        Problem(Place(file, rows[0].line, at), f"a second column is called {quoted(heads[at - 1])} (rename it)")
        for at in twice
    ]
    for row in rows[1:]:
        nameless = (at for at, cell in enumerate(row.cells, 1) if cell.strip() and not heads[at - 1])
        message = f"no name stands above this cell in row {rows[0].line}"
        wrong += [Problem(Place(file, row.line, at), message) for at in nameless]
    if wrong:
        raise InputError(wrong)
    yield from ((row.line, dict(zip(heads, row.cells, strict=True))) for row in rows[1:])


def _of_json(data: bytes, file: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    for node in _people_nodes(parse(data, file, most=MOST)):
        yield f"{file}:{node.place.line}:{node.place.column}", dict(_flat("", node))


def _people_nodes(node: Node) -> list[MappingNode]:
    """Return the mappings that stand for people: the only one, those of a list, or of a list within it."""
    if isinstance(node, SequenceNode):
        return [item for item in node.items if isinstance(item, MappingNode)]
    if not isinstance(node, MappingNode):
        return []
    lists = [value for _, value in node.entries if isinstance(value, SequenceNode) and _people_nodes(value)]
    named = any(key.text.casefold() == "name" for key, _ in node.entries)
    return _people_nodes(lists[0]) if len(lists) == 1 and not named else [node]


def _flat(name: str, node: Node) -> Iterator[tuple[str, str]]:
    if isinstance(node, Scalar):
        said = "" if node.is_null else node.text
        if not node.quoted and said in (_TRUE, _FALSE):
            said = "yes" if said == _TRUE else ""
        yield name, said
        return
    inside = (
        [(key.text, value) for key, value in node.entries]
        if isinstance(node, MappingNode)
        else [(str(number), item) for number, item in enumerate(node.items, 1)]
    )
    for part, value in inside:
        yield from _flat(f"{name}.{part}" if name else part, value)
