"""Characters as tables, a row each: CSV and TSV as text, .xlsx and .ods as workbooks, of one game or of several.

Nothing in a table is ever a formula. In text, where a spreadsheet would take a cell for one, it gets a `'` in front; in
workbooks every cell says of itself that it is text, or a number. XlsxWriter writes .xlsx row by row. An .ods is three
small files in an archive and written here: the libraries for it take ten times as long and put the time of day into it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from itertools import chain
from types import MappingProxyType
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from sheetgen.content.people.spreadsheet import GROUP, GUARDED
from sheetgen.documents.export.characters import about_group, origin_words
from sheetgen.errors import LimitError, quoted
from sheetgen.model.cast import GroupTitle
from sheetgen.model.character import PICTURE, Character, Value
from sheetgen.model.system import System

BYTE_ORDER_MARK = "\ufeff"  # without one, some spreadsheets take UTF-8 for another encoding
SHEET_NAME = "Characters"
LONGEST_XLSX_CELL = 32_767  # characters, and the library leaves out longer texts without a word
MOST_XLSX_ROWS = 1_048_576
_SAME_DAY = datetime(1980, 1, 1)
_ENDING = re.compile(r"[\\\n|]")
_NUMBER = re.compile(r"-\d{1,9}", re.ASCII)
_COLON = re.compile(r":(?= |$)")
_SPACES = re.compile(r"\t|^ +|(?<= ) +")

Cell = str | int
Row = dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Listed:
    """Characters of one game for a table, the group that they are, and the name by which the game is found."""

    system: System
    characters: Iterable[Character]
    group: GroupTitle | None = None
    named: str = ""


@dataclass(frozen=True, slots=True)
class _Table:
    columns: list[str]
    rows: Iterator[Row]


def table_bytes(form: str, listed: Sequence[Listed]) -> Iterator[bytes]:
    """Yield the pieces of a file with everybody, in the format of a suffix: one of `TABLES`.

    Each row names its game and its group, if there is one: its title and, in a second line, what is said of it.
    LimitError for what the format cannot hold.
    """
    return TABLES[form](_table(listed))


def _table(listed: Sequence[Listed]) -> _Table:
    """Return the columns of everybody in order, `rolled` last, and the rows."""
    people = [(each, list(each.characters)) for each in listed]
    columns = dict.fromkeys(["system"])
    if any(each.group is not None and each.system.spec(GROUP) is None for each in listed):
        columns[GROUP] = None
    columns |= dict.fromkeys(name for each in listed for name in _columns(each.system))
    everybody = list(chain.from_iterable(some for _, some in people))
    if any(each.picture for each in everybody):
        columns[PICTURE] = None
    columns |= dict.fromkeys(name for each in everybody for name in each.own)
    return _Table([*columns, "rolled"], (_row(each, character) for each, some in people for character in some))


def _columns(system: System) -> Iterator[str]:
    """Yield the columns of a game: one a field, one a trait for levels."""
    for spec in system.fields:
        if spec.kind == "levels":
            yield from (f"{spec.name}.{trait.name}" for trait in system.group(spec.name).members)
        else:
            yield spec.name


def _row(listed: Listed, character: Character) -> Row:
    system = listed.system
    row: Row = dict(character.own)
    if listed.group is not None and system.spec(GROUP) is None:
        row[GROUP] = "\n".join(about_group(listed.group).values())
    for spec in system.fields:
        if spec.name not in character.values:
            continue
        value = character.values[spec.name]
        if spec.kind == "levels":
            scale = system.group(spec.name).scale
            for trait, level in character.numbers(spec.name).items():
                row[f"{spec.name}.{trait}"] = level if scale.numeric else scale.plain(level)
        else:
            row[spec.name] = _cell(value)
    if character.picture is not None:
        row[PICTURE] = character.picture.written
    if character.origin is not None:
        row["rolled"] = "{" + ", ".join(origin_words(character)) + "}"
    return row | {"system": listed.named or system.id}


def _cell(value: Value) -> str:
    """Return a value as the text of one cell: a line for each thing it holds, bars between the items of a trait."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return "\n".join(_escaped(item) for item in value)
    # The colons of a name are marked where they could be taken for the one behind it.
    rows = ((_COLON.sub(r"\\:", _escaped(key)), item) for key, item in value.items())
    return "\n".join(
        f"{key}: {' | '.join(map(_escaped, item)) if isinstance(item, tuple) else _escaped(str(item))}"
        for key, item in rows
    )


def _escaped(text: str) -> str:
    """Return the text with a backslash before what would end it in a cell, as `content.spreadsheet` undoes it."""
    return _ENDING.sub(lambda found: "\\n" if found[0] == "\n" else f"\\{found[0]}", text)


def _delimited(table: _Table, delimiter: str) -> Iterator[str]:
    buffer = io.StringIO()
    buffer.write(BYTE_ORDER_MARK)
    writer = csv.DictWriter(buffer, table.columns, delimiter=delimiter, lineterminator="\n")
    writer.writerow({column: _guarded(column) for column in table.columns})
    for row in table.rows:
        writer.writerow({column: _guarded(cell) for column, cell in row.items()})
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _guarded(cell: Cell) -> str:
    text = str(cell)
    return f"'{text}" if text.startswith(GUARDED) and not _NUMBER.fullmatch(text) else text


def _xlsx(table: _Table) -> Iterator[bytes]:
    import xlsxwriter

    buffer = io.BytesIO()
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(buffer, options) as book:
        book.set_properties({"created": _SAME_DAY})
        bold, sheet = book.add_format({"bold": True}), book.add_worksheet(SHEET_NAME)
        sheet.freeze_panes(1, 0)
        for at, column in enumerate(table.columns):
            sheet.write_string(0, at, column, bold)
        for number, row in enumerate(table.rows, 1):
            if number >= MOST_XLSX_ROWS:
                raise LimitError(f"an .xlsx holds {MOST_XLSX_ROWS - 1:,} characters at the most: write a .csv")
            for at, column in enumerate(table.columns):
                cell = row.get(column, "")
                if isinstance(cell, int):
                    sheet.write_number(number, at, cell)
                elif len(cell) > LONGEST_XLSX_CELL:
                    what = f"{column} of {quoted(str(row.get('name', '')))} has {len(cell):,} characters"
                    raise LimitError(f"{what}; a cell of an .xlsx holds {LONGEST_XLSX_CELL:,}: write a .csv or .ods")
                elif cell:
                    sheet.write_string(number, at, cell)
    yield buffer.getvalue()


_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns:"
_SPREADSHEET = "application/vnd.oasis.opendocument.spreadsheet"
_MANIFEST = (
    f'<?xml version="1.0" encoding="UTF-8"?>\n<manifest:manifest xmlns:manifest="{_NAMESPACE}manifest:1.0" '
    f'manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="{_SPREADSHEET}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
)
_CONTENT = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content '
    + " ".join(f'xmlns:{name}="{_NAMESPACE}{name}:1.0"' for name in ("office", "table", "text"))
    + f' office:version="1.2"><office:body><office:spreadsheet><table:table table:name="{SHEET_NAME}">'
)
_END = "</table:table></office:spreadsheet></office:body></office:document-content>"


def _ods(table: _Table) -> Iterator[bytes]:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        archive.writestr(_entry("mimetype", ZIP_STORED), _SPREADSHEET)
        archive.writestr(_entry("META-INF/manifest.xml"), _MANIFEST)
        with archive.open(_entry("content.xml"), "w", force_zip64=False) as content:
            content.write(f"{_CONTENT}{_ods_row(table.columns)}".encode())
            for row in table.rows:
                content.write(_ods_row(row.get(column, "") for column in table.columns).encode())
            content.write(_END.encode())
    yield buffer.getvalue()


def _entry(name: str, compression: int = ZIP_DEFLATED) -> ZipInfo:
    entry = ZipInfo(name)  # of the first day that an archive knows, whenever it is made
    entry.compress_type = compression
    return entry


def _ods_row(cells: Iterable[Cell]) -> str:
    return f"<table:table-row>{''.join(map(_ods_cell, cells))}</table:table-row>"


def _ods_cell(cell: Cell) -> str:
    if cell == "":
        return "<table:table-cell/>"
    if isinstance(cell, int):
        said = f'office:value-type="float" office:value="{cell}"'
        return f"<table:table-cell {said}><text:p>{cell}</text:p></table:table-cell>"
    exact = f'"{escape(cell)}"'.replace("\n", "&#10;").replace("\t", "&#9;")
    lines = "".join(f"<text:p>{_SPACES.sub(_space, escape(line))}</text:p>" for line in cell.split("\n"))
    said = f'office:value-type="string" office:string-value={exact}'
    return f"<table:table-cell {said}>{lines}</table:table-cell>"


def _space(found: re.Match[str]) -> str:
    """Return white space as elements, where the text alone would lose it."""
    return "<text:tab/>" if found[0] == "\t" else f'<text:s text:c="{len(found[0])}"/>'


def _encoded(delimiter: str) -> Callable[[_Table], Iterator[bytes]]:
    return lambda table: (piece.encode() for piece in _delimited(table, delimiter))


TABLES = MappingProxyType({".csv": _encoded(","), ".tsv": _encoded("\t"), ".xlsx": _xlsx, ".ods": _ods})
