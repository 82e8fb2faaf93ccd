"""Workbooks of characters (.xlsx, .ods) as rows of text: what their cells show, whatever formulas stand behind it.

They come from strangers: this runs in a confined process. Calamine reads both formats, computes nothing and follows no
link; it is written in Rust and comes as one wheel without dependencies (openpyxl reads only .xlsx, and
builds on the XML reader of Python).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from io import BytesIO
from xml.parsers.expat import ParserCreate
from zipfile import BadZipFile, ZipFile

from sheetgen.content.people.spreadsheet import MOST_COLUMNS, CsvRow
from sheetgen.content.yaml.encoding import FileLimit
from sheetgen.errors import SHEET_END, InputError, Place, Problem, column_letters, quoted

WORKBOOKS = (".xlsx", ".ods")
MOST_UNPACKED = 300_000_000  # bytes
MOST_PARTS = 2_000

LONGEST_COUNT = 9  # digits
_TABLE, _OFFICE = (f"urn:oasis:names:tc:opendocument:xmlns:{part}:1.0" for part in ("table", "office"))
_UNCOUNTED = re.compile(rb'<c r="([A-Z]{1,3}[0-9]{1,7})"[^>]*><f[^>]*(?:/>|>[^<]*</f>)(?:<v/>|<v></v>)?</c>')


@dataclass(frozen=True, slots=True)
class WorkbookSheet:
    """A sheet with a header: the name for its places, and its rows, as long as the header."""

    file: str
    rows: tuple[CsvRow, ...]


@dataclass(frozen=True, slots=True)
class Workbook:
    """The sheets of a workbook that hold people, what is wrong with their rows, and a note on each other sheet."""

    sheets: tuple[WorkbookSheet, ...]
    problems: tuple[Problem, ...]
    notes: tuple[Problem, ...]


def read_workbook(data: bytes, file: str, *, most: FileLimit, ours: bool = True) -> Workbook:
    """Return a workbook with the sheets whose first row has a column `system`.

    A workbook of another program, which is not `ours`, need have none: then each sheet counts that has rows below its
    first one, or if some have a column `name`, these alone. InputError for what is no workbook, holds more than a file
    may, or has no such sheet.
    """
    import python_calamine

    _check_archive(data, file)
    try:
        with python_calamine.load_workbook(BytesIO(data)) as book:
            found = [_sheet(book, name, file, most, ours=ours) for name in book.sheet_names]
    except python_calamine.CalamineError as error:
        reason = str(error).splitlines()[0][:100] if str(error) else "no reason is given"
        raise InputError([Problem(Place(file), f"this workbook cannot be read: {reason}")]) from None
    sheets = [sheet for sheet, _ in found if sheet.rows and "system" in sheet.rows[0].cells]
    if not ours:
        filled = [sheet for sheet, _ in found if len(sheet.rows) > 1]
        named = [sheet for sheet in filled if _is_named(sheet)]
        sheets = [sheet for sheet in filled if sheet in sheets] or named or filled
    elif not sheets:
        seen = quoted(", ".join(cell for sheet, _ in found for row in sheet.rows[:1] for cell in row.cells[:6]))
        message = f'no sheet has a column "system" in its first row, only {seen} (add one, with the name of the game)'
        raise InputError([Problem(Place(file), message)])
    wrong = [problem for sheet, problems in found if sheet in sheets for problem in problems]
    column = "system" if ours or any("system" in sheet.rows[0].cells for sheet in sheets) else "name"
    others = [sheet for sheet, _ in found if sheet not in sheets and (_is_named(sheet) if ours else sheet.rows[1:])]
    said = f"left out, as its first row has no column {quoted(column)} (add one if it holds people)"
    notes = [Problem(Place(sheet.file.removesuffix(SHEET_END)), said) for sheet in others]
    return Workbook(tuple(sheets), (*wrong, *_formulas_without_values(data, file)), tuple(notes))


def _is_named(sheet: WorkbookSheet) -> bool:
    """Return whether a sheet has a column of names, as one of people has."""
    return bool(sheet.rows) and "name" in map(str.casefold, sheet.rows[0].cells)


def _check_archive(data: bytes, file: str) -> None:
    """Raise InputError for what is no archive, or would be far too large unpacked."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            parts = archive.infolist()
    except (BadZipFile, ValueError, OSError, NotImplementedError):
        message = "this is no workbook: .xlsx and .ods are archives (save it again from the spreadsheet)"
        raise InputError([Problem(Place(file), message)]) from None
    size = sum(part.file_size for part in parts)
    if len(parts) > MOST_PARTS or size > MOST_UNPACKED:
        message = f"a workbook of {len(parts):,} parts and {size / 1_000_000:,.0f} MB unpacked is too large (split it)"
        raise InputError([Problem(Place(file), message)])


def _sheet(book: object, name: str, file: str, most: FileLimit, *, ours: bool) -> tuple[WorkbookSheet, list[Problem]]:
    """Return a sheet as rows, and a problem for each that has cells beyond the header."""
    place = Place(f"{file}:{name}{SHEET_END}")
    rows: list[CsvRow] = []
    problems: list[Problem] = []
    width = cells = 0
    for line, row in _rows(book, name):
        found = [_text(cell) for cell in row]
        while found and not found[-1]:
            found.pop()
        if not found:
            continue
        if not width:
            width = len(found)
            if width > MOST_COLUMNS or (ours and "system" not in map(str.strip, found)):
                return WorkbookSheet(place.file, (CsvRow(line, tuple(found[:MOST_COLUMNS])),)), []
            rows.append(CsvRow(line, tuple(map(str.strip, found))))
            continue
        cells += len(found)
        if cells > most.values:
            raise InputError([Problem(Place(place.file), f"more than {most.values:,} cells ({most.advice})")])
        if len(found) > width:
            at = next(at for at, text in enumerate(found[width:], width + 1) if text)
            message = f"no name stands above this cell in row {rows[0].line} (name the column {column_letters(at)})"
            problems.append(Problem(Place(place.file, line, at), message))
        rows.append(CsvRow(line, tuple([*found, *[""] * (width - len(found))][:width])))
    return WorkbookSheet(place.file, tuple(rows)), problems


def _rows(book: object, name: str) -> Iterator[tuple[int, list[object]]]:
    """Yield the rows of a sheet from column A on, each with its number."""
    sheet = book.get_sheet_by_name(name)  # type: ignore[attr-defined]  # the library has no types for what it opens
    if sheet.start is None:
        return
    top, left = sheet.start
    for line, row in enumerate(sheet.to_python(skip_empty_area=True), top + 1):
        yield line, [""] * left + row


def _text(cell: object) -> str:
    """Return what a cell shows: 3 for 3.0, dates and times as the ISO has them."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, (datetime, date, time)):
        return cell.isoformat(" ") if isinstance(cell, datetime) else cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    return str(cell).replace("\r\n", "\n").replace("\r", "\n")


def _formulas_without_values(data: bytes, file: str) -> Iterator[Problem]:
    """Yield a problem for each formula that no program has worked out, so that its cell shows nothing."""
    message = "a formula that was never worked out (open the file in a spreadsheet and save it)"
    with ZipFile(BytesIO(data)) as archive:
        for part in archive.namelist():
            if part.startswith("xl/worksheets/") and part.endswith(".xml"):
                for cell in _UNCOUNTED.findall(archive.read(part)):
                    yield Problem(Place(f"{file}:{cell.decode()}"), message)
            elif part == "content.xml" and b":formula=" in (content := archive.read(part)):
                for sheet, line, column in _OdsFormulas(content).uncounted:
                    yield Problem(Place(f"{file}:{sheet}{SHEET_END}", line, column), message)


class _OdsFormulas:
    """The cells of an .ods, by sheet, row and column, that have a formula and show nothing."""

    def __init__(self, content: bytes) -> None:
        self.uncounted: list[tuple[str, int, int]] = []
        self._sheet, self._row, self._column, self._next_row, self._next_column = "", 1, 1, 1, 1
        self._empty = False  # within a formula without a value, as long as no text has come
        reader = ParserCreate(namespace_separator=" ")
        reader.StartElementHandler, reader.EndElementHandler = self._begin, self._end
        reader.CharacterDataHandler = self._text
        reader.Parse(content, True)

    def _begin(self, name: str, about: Mapping[str, str]) -> None:
        if name == f"{_TABLE} table":
            self._sheet, self._next_row = about.get(f"{_TABLE} name", ""), 1
        elif name == f"{_TABLE} table-row":
            self._row, self._next_column = self._next_row, 1
            self._next_row += _times(about.get(f"{_TABLE} number-rows-repeated"))
        elif name in (f"{_TABLE} table-cell", f"{_TABLE} covered-table-cell"):
            self._column = self._next_column
            self._next_column += _times(about.get(f"{_TABLE} number-columns-repeated"))
            shows = any(entry.startswith(_OFFICE) and entry.endswith("value") for entry in about)
            self._empty = f"{_TABLE} formula" in about and not shows

    def _end(self, name: str) -> None:
        if self._empty and name.startswith(_TABLE) and name.endswith("table-cell"):
            self.uncounted.append((self._sheet, self._row, self._column))
            self._empty = False

    def _text(self, text: str) -> None:
        self._empty = self._empty and not text.strip()


def _times(repeated: str | None) -> int:
    return int(repeated) if repeated and repeated.isdecimal() and len(repeated) < LONGEST_COUNT else 1
