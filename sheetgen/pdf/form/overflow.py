"""Where a value goes on that is too long for its field: into the notes or a card's story, onto the back, or onto pages
of its own.

Each part of a sheet goes, as a whole, to the first of these places that has the room, and the field says which. But a
list in a row of a table goes on in the next, where rows are left: those are named `HEAD.N.COLUMN`, with N from 1. What
a row holds breaks between two things, never within one; the columns beside it stay empty where it goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, Protocol

from sheetgen.pdf.form.field_text import Unprintable
from sheetgen.pdf.form.form import Field
from sheetgen.pdf.form.text_fitting import LONGEST_THING, MARK, THINGS, Measure, fit

NOTES = "notes"
ON = "»"  # before where a text goes on: italic faces have no arrow
SPARE = "pencil.history."  # lines for a story that nobody has written yet
FEW = 9  # as many things of a list go untold before somebody gets one more card; people who are rolled stay on one
NO_PLACE = " (no place on the sheet)"
NO_ROOM = " (no room on the card)"
_ROW = re.compile(r"(?P<head>.+)\.(?P<at>[1-9]\d*)\.(?P<column>\w+)")
_COMMA = re.compile(r", (?![^()]*\))")  # between two things of a list in a row, never within their brackets

Left = Sequence[tuple[Field, str]]
Pages = list[tuple[int, bytes]]
_NO_MARKS: Mapping[str, str] = MappingProxyType({})


class FieldSetter(Protocol):
    """What sets values in the fields of a form."""

    fields: dict[str, Field]

    def rest(self, field: Field, text: str, mark: str) -> str:
        """Return what a field that ends in this mark cannot hold of a text."""

    def pages(self, values: Mapping[str, str], marks: Mapping[str, str] = _NO_MARKS) -> tuple[Pages, Left]:
        """Return the pages with these values, whose fields end in `marks` where they are cut, and what does not fit."""

    def measure(self, field: Field, text: str) -> Measure | None:
        """Return the widths of texts like this one, if the face of the field has all of its letters."""


class Section(NamedTuple):
    """A text under its title, and the field that it was set in, if there is one."""

    title: str
    text: str
    field: Field | None = None


@dataclass(frozen=True, slots=True)
class Spill:
    """The pages of a sheet with what went into notes and onto the back.

    `elsewhere` is what finds no room on it, and `told` the titles of that, or what it is of things that stand nowhere.
    """

    pages: Pages
    elsewhere: Sequence[Section]
    told: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Placed:
    """The values of a sheet with what went to other places of it; `marks` are the ends of the fields that are cut."""

    values: Mapping[str, str]
    marks: Mapping[str, str]
    elsewhere: Sequence[str]  # titles of what finds no room on the sheet


def part_of(field: Field) -> str:
    """Return the title under which a field goes on: that of its list, if it is a row of one."""
    return field.part or field.title.rstrip("0123456789 ") or field.title


def joined(texts: Iterable[str]) -> str:
    """Return the rests of one part as one text."""
    return THINGS.join(dict.fromkeys(filter(None, texts)))


def spilled(
    setter: FieldSetter, values: Mapping[str, str], left: Left, unplaced: Sequence[tuple[str, str]], *, on: str = ""
) -> Spill:
    """Return where everything goes that was `left` or has no field; `on` is what says that a page follows, if one may.

    A list in the rows of a table goes on in the next of these first. Of one that is counted a few things may go untold
    where a page may follow; where it follows anyway, it has all that was cut.
    """
    gone_on = _gone_on(setter, values, [field for field, _ in left])
    if gone_on != values:
        values, (_, left) = gone_on, setter.pages(gone_on)
    placed = _placed(setter, values, left, unplaced, on=on or MARK)
    pages, left = setter.pages(placed.values, placed.marks)
    whole = on and (placed.elsewhere or any(rest.count(THINGS) >= FEW for field, rest in left if field.counted))
    if whole:
        ends = dict.fromkeys((field.name for field, _ in left if field.counted), on)
        pages, left = setter.pages(placed.values, {**ends, **placed.marks})
    sections: dict[str, list[Section]] = {title: [] for title in placed.elsewhere}
    dropped: list[str] = []
    for field, rest in left:
        title = part_of(field)
        if title in placed.elsewhere and not field.counted:
            sections[title].append(Section(title, rest, field))
        elif field.counted and whole:
            own = setter.fields[field.name]
            text = placed.values[field.name] if own.counted else rest
            sections.setdefault(title, []).append(Section(title, text, own))
        elif field.counted:
            dropped.append(f"{title}: {rest}{NO_ROOM}")
    told = {title: title for title, found in sections.items() if found}
    for title, text in unplaced:
        if title in placed.elsewhere:
            sections[title].append(Section(title, text))
            if on:
                told.setdefault(title, f"{title}{NO_PLACE}")
    elsewhere = [
        Section(title, joined(each.text for each in found), found[0].field)
        for title, found in sections.items()
        if found
    ]
    return Spill(pages, elsewhere if on else (), (*told.values(), *dropped))


def _placed(
    setter: FieldSetter, values: Mapping[str, str], left: Left, unplaced: Sequence[tuple[str, str]], *, on: str
) -> _Placed:
    """Return the first place that has the room for each part of what was left."""
    parts: dict[str, list[Field]] = {}
    for field in (field for field, _ in left if not field.counted):
        parts.setdefault(part_of(field), []).append(field)
    own = {title: text for title, text in unplaced}
    places = (_Notes(setter), _AboveStory(setter, left), _Back(setter))
    given, marks, elsewhere = dict(values), dict[str, str](), list[str]()
    for title in dict.fromkeys([*parts, *own]):
        fields = parts.get(title, [])
        own_place = any(field.column or field.name not in values for field in fields)  # no box to be measured alone
        for place in () if own_place else places:
            rests = [_rest_of_field(setter, field, values[field.name], place.mark) for field in fields]
            if not place.takes(given, fields, title, joined([*rests, own.get(title, "")])):
                continue
            marks.update((field.name, place.mark) for field in fields)
            break
        else:
            marks.update((field.name, on) for field in fields)
            elsewhere.append(title)
    return _Placed(given, marks, elsewhere)


def _rest_of_field(setter: FieldSetter, field: Field, text: str, mark: str) -> str:
    """Return what a field cannot hold; a line is repeated whole, since half a line says nothing."""
    return text if field.kind == "line" else setter.rest(field, text, mark)


def _run_in(text: str) -> str:
    """Return a list of short lines as one paragraph."""
    lines = text.split("\n")
    return THINGS.join(lines) if max(map(len, lines)) <= LONGEST_THING else text


class _Notes:
    mark = f" {ON} notes"

    def __init__(self, setter: FieldSetter) -> None:
        self._setter, self._field = setter, setter.fields.get(NOTES)

    def takes(self, given: dict[str, str], fields: Sequence[Field], title: str, text: str) -> bool:
        """Put a text behind what the notes say already; return whether there was room."""
        if self._field is None or self._field.kind != "area" or self._field in fields:
            return False
        said = "\n".join(filter(None, (given.get(NOTES), f"{title}: {_run_in(text)}")))
        try:
            if self._setter.rest(self._field, said, MARK):
                return False
        except Unprintable:
            return False  # which is told of the text itself, in its own place
        given[NOTES] = said
        return True


class _AboveStory:
    """Long names and trades, told whole above the text of a card that takes them, in the column that it shares."""

    mark = f" {ON} below"

    def __init__(self, setter: FieldSetter, left: Left) -> None:
        self._setter, self._cut = setter, {field.name for field, _ in left}
        self._story = next((field.name for field in setter.fields.values() if field.takes), "")

    def takes(self, given: dict[str, str], fields: Sequence[Field], title: str, text: str) -> bool:
        """Put a line before the story of a card; return whether all but counted lists keep what they had."""
        if not self._story or not fields or any(field.kind != "line" for field in fields):
            return False
        said = "\n".join(filter(None, (f"{title}: {text}", given.get(self._story))))
        try:
            left = self._setter.pages({**given, self._story: said})[1]
        except Unprintable:
            return False
        if any(field.name not in self._cut and (field.spare or not field.counted) for field, _ in left):
            return False
        given[self._story], self._cut = said, {field.name for field, _ in left}
        return True


class _Back:
    mark = f" {ON} over"

    def __init__(self, setter: FieldSetter) -> None:
        self._setter = setter
        self._lines = [field for name, field in setter.fields.items() if name.startswith(SPARE) and field.page]

    def takes(self, given: dict[str, str], fields: Sequence[Field], title: str, text: str) -> bool:
        """Put a text on free lines, unless the rows of the back list it anyway; return whether there was room."""
        if len(fields) == 1 and self._lists(fields[0].name, given):
            return True
        if not self._lines or not (measure := self._setter.measure(self._lines[0], f"{title}: {text}")):
            return False
        said, lines = f"{title}: {_run_in(text)}", dict[str, str]()
        for field in (field for field in self._lines if not given.get(field.name)):
            fitted = fit(
                said.replace("\n", " "), width=field.box.width, height=field.size * 1.1, measure=measure,
                size=field.size, floor=field.size, leading=field.leading, lines="many", mark="",
            )  # fmt: skip
            lines[field.name], said = " ".join(fitted.lines), fitted.rest
            if not said:
                given.update(lines)
                return True
        return False

    def _lists(self, name: str, given: Mapping[str, str]) -> bool:
        rows = [row for row in given if row.startswith(f"{name}.")]
        return bool(rows) and all(
            row in self._setter.fields and not self._setter.rest(self._setter.fields[row], given[row], MARK)
            for row in rows
        )


def _gone_on(setter: FieldSetter, values: Mapping[str, str], cut: Iterable[Field]) -> Mapping[str, str]:
    """Return the values with the lists of `cut` rows gone on in further ones of their table, if there are enough."""
    given = dict(values)
    found = (_ROW.fullmatch(field.name) for field in cut if field.kind == "area")
    for head, column in dict.fromkeys((match["head"], match["column"]) for match in found if match):
        given = _moved(setter, given, head, column) or given
    return given


def _moved(setter: FieldSetter, given: Mapping[str, str], head: str, column: str) -> dict[str, str] | None:
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


def _pieces(setter: FieldSetter, field: Field, text: str) -> Iterator[str]:
    """Yield as much of a list as a row holds, again and again; a thing that is too long has a row of its own."""
    held = ""
    for thing in _COMMA.split(text):
        longer = f"{held}, {thing}" if held else thing
        if held and setter.rest(field, f"{longer},", ""):
            yield f"{held},"
            longer = thing
        held = longer
    yield held
