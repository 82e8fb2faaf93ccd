"""Lists in the rows of a table: one that is too long for its row goes on in the next, and the others move down.

The fields of a row are named `HEAD.N.COLUMN`, with N from 1. What a row holds of a list breaks between two things of
it, never within one; the columns beside it stay empty where it goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from sheetgen.pdf.form.field_text import Unprintable
from sheetgen.pdf.form.form import Field

BETWEEN = ", "  # the things of a list in a row
_ROW = re.compile(r"(?P<head>.+)\.(?P<at>[1-9]\d*)\.(?P<column>\w+)")


class RowSetter(Protocol):
    """What knows the fields of a form and how much of a text each holds."""

    fields: dict[str, Field]

    def rest(self, field: Field, text: str, mark: str) -> str:
        """Return what a field that ends in this mark cannot hold of a text."""


def run_on(setter: RowSetter, values: Mapping[str, str], cut: Iterable[Field]) -> Mapping[str, str]:
    """Return the values with the lists of `cut` rows gone on in further ones of their table, if there are enough."""
    given = dict(values)
    found = (_ROW.fullmatch(field.name) for field in cut if field.kind == "area")
    for head, column in dict.fromkeys((match["head"], match["column"]) for match in found if match):
        given = _moved(setter, given, head, column) or given
    return given


def _moved(setter: RowSetter, given: Mapping[str, str], head: str, column: str) -> dict[str, str] | None:
    """Return the values with the rows of one table set anew, or None if it has too few."""
    rows = _numbers(head, given)
    lines: list[dict[str, str]] = []
    for row in rows:
        begin = f"{head}.{row}."
        told = {name.removeprefix(begin): text for name, text in given.items() if name.startswith(begin)}
        field = setter.fields.get(f"{begin}{column}")
        if field is None:
            return None
        try:
            pieces = [*_pieces(setter, field, told.get(column, ""))]
        except Unprintable:
            return None  # which is told of the row itself
        lines += [{**told, column: pieces[0]}, *({column: piece} for piece in pieces[1:])]
    if any(f"{head}.{at}.{name}" not in setter.fields for at, line in enumerate(lines, 1) for name in line):
        return None
    kept = {name: text for name, text in given.items() if not _is_of(head, name)}
    return kept | {f"{head}.{at}.{name}": text for at, line in enumerate(lines, 1) for name, text in line.items()}


def _is_of(head: str, name: str) -> bool:
    match = _ROW.fullmatch(name)
    return match is not None and match["head"] == head


def _numbers(head: str, given: Mapping[str, str]) -> Sequence[int]:
    """Return the rows of a table that say something, in their order."""
    found = (_ROW.fullmatch(name) for name, text in given.items() if text)
    return sorted({int(match["at"]) for match in found if match and match["head"] == head})


def _pieces(setter: RowSetter, field: Field, text: str) -> Iterator[str]:
    """Yield as much of a list as a row holds, again and again; a thing that is too long has a row of its own."""
    held = ""
    for thing in text.split(BETWEEN):
        longer = f"{held}{BETWEEN}{thing}" if held else thing
        if held and setter.rest(field, f"{longer},", ""):
            yield f"{held},"
            longer = thing
        held = longer
    yield held
