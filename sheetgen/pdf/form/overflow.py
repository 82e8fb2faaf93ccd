"""Where a value goes on that is too long for its field: into the notes or a card's story, onto the back, or onto pages
of its own.

Each part of a sheet goes, as a whole, to the first of these places that has the room, and the field says which.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from sheetgen.pdf.form.field_text import Unprintable
from sheetgen.pdf.form.form import Field
from sheetgen.pdf.form.text_fitting import LONGEST_THING, MARK, THINGS, Measure, fit

NOTES = "notes"
ON = "»"  # before where a text goes on: italic faces have no arrow
TOLD = "card.story"  # the text of a card that can take a long name, in a column with others
SPARE = "pencil.history."  # lines for a story that nobody has written yet

Section = tuple[str, str]  # title and text
Left = Sequence[tuple[Field, str]]


class FieldSetter(Protocol):
    """What sets values in the fields of a form."""

    fields: dict[str, Field]

    def rest(self, field: Field, text: str, mark: str) -> str:
        """Return what a field that ends in this mark cannot hold of a text."""

    def pages(self, values: Mapping[str, str]) -> tuple[object, Left]:
        """Return the pages with these values, and by field what does not fit on them."""

    def measure(self, field: Field, text: str) -> Measure | None:
        """Return the widths of texts like this one, if the face of the field has all of its letters."""


@dataclass(frozen=True, slots=True)
class Spill:
    """The values of a sheet with what went into notes and onto the back; `marks` are the ends of the fields cut."""

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
    setter: FieldSetter, values: Mapping[str, str], left: Left, unplaced: Sequence[Section], *, on: str
) -> Spill:
    """Return where everything goes that was `left` or has no field; `on` is what says that a page follows."""
    parts: dict[str, list[Field]] = {}
    for field in (field for field, _ in left if not field.counted):
        parts.setdefault(part_of(field), []).append(field)
    own = {title: text for title, text in unplaced}
    places = (_Notes(setter), _Told(setter), _Back(setter))
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
    return Spill(given, marks, elsewhere)


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


class _Told:
    mark = f" {ON} below"

    def __init__(self, setter: FieldSetter) -> None:
        self._setter = setter

    def takes(self, given: dict[str, str], fields: Sequence[Field], title: str, text: str) -> bool:
        """Put a line before the story of a card; return whether all but counted lists keep what they had."""
        if TOLD not in self._setter.fields or not fields or any(field.kind != "line" for field in fields):
            return False
        said = "\n".join(filter(None, (f"{title}: {text}", given.get(TOLD))))
        try:
            before, after = (self._setter.pages(values)[1] for values in (given, {**given, TOLD: said}))
        except Unprintable:
            return False
        kept = {field.name for field, _ in before}
        if any(field.name not in kept and (field.spare or not field.counted) for field, _ in after):
            return False
        given[TOLD] = said
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
