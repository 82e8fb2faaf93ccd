"""The columns of a page: texts that share the height of theirs, and those that stand in another if they are cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from sheetgen.pdf.form.columns import ColumnText, Left, TextColumn, moved
from sheetgen.pdf.form.field_text import cleaned
from sheetgen.pdf.form.form import STANDING, Field
from sheetgen.pdf.form.text_fitting import AREA_STEP, THINGS, Fitted

_MOST_COUNTS = 4  # times that a list is set anew since “and 9 more” is shorter than “and 10 more”

Fit = Callable[..., tuple[Fitted, bytes]]  # how a text fits a field that ends in `mark`, and what shows it
Marks = Mapping[str, str]
# The operators for what a place or boxes to mark hold, none if they say nothing, and its height.
Block = Callable[[Field, Mapping[str, str]], tuple[bytes, float]]


def flows(field: Field) -> bool:
    """Return whether a field stands where its column has room for it."""
    return bool(field.column) and (field.kind in STANDING or field.rises)


@dataclass(frozen=True, slots=True)
class _Try:
    """Columns as they were set: what they lost and how much smaller they are, the operators, and the ends of fields."""

    drawn: bytes
    left: Left
    marks: Marks
    shrunk: float

    @property
    def loss(self) -> tuple[bool, bool, int, float]:
        """How bad it is: a text lost whole that is no list, one that goes on elsewhere, letters lost, smaller type.

        One step smaller is no loss: what has a place on all cards stays there.
        """
        fields = [field for field, _ in self.left]
        lost, parted = any(field.spare for field in fields), any(not field.counted for field in fields)
        return lost, parted, sum(len(text) for _, text in self.left), max(self.shrunk - AREA_STEP, 0.0)


class PageColumns:
    """Sets the columns of one page; titles are set as in the field `heading`."""

    def __init__(self, columns: Sequence[Sequence[Field]], heading: Field | None, fit: Fit, block: Block) -> None:
        self._columns, self._heading, self._fit, self._block = columns, heading, fit, block
        self._deals = list(_dealt(columns))

    def drawn(self, values: Mapping[str, str], marks: Marks, mark: str) -> tuple[bytes, Left, Marks]:
        """Return the operators for all columns, by field what found no room, and what fields end in that are cut.

        Texts stand where their template has them, unless less is lost in another of the columns they may stand in.
        """
        best: _Try | None = None
        for areas in self._deals:
            found = self._tried(areas, values, marks, mark)
            if best is None or found.loss < best.loss:
                best = found
            if not any(best.loss):
                break
        return (b"", [], marks) if best is None else (best.drawn, best.left, best.marks)

    def _tried(self, areas: Sequence[Sequence[Field]], values: Mapping[str, str], marks: Marks, mark: str) -> _Try:
        found = _Try(b"", [], marks, 0.0)
        for fields, texts in zip(self._columns, areas, strict=True):
            more = self._shared(fields, texts, values, found.marks, mark)
            left, shrunk = [*found.left, *more.left], max(found.shrunk, more.shrunk)
            found = _Try(found.drawn + more.drawn, left, more.marks, shrunk)
        return found

    def _shared(
        self, fields: Sequence[Field], areas: Sequence[Field], values: Mapping[str, str], marks: Marks, mark: str
    ) -> _Try:
        """Set the texts of a column; lines in it that stay empty give it their room."""
        own = [field for field in fields if field.kind in STANDING]
        lines = [field for field in fields if field.kind not in STANDING and values.get(field.name)]
        used = [field.border.y for field in lines if not field.rises]
        top = min(used, default=max(field.border.top for field in fields))
        risen, risen_left, top = self._risen([field for field in lines if field.rises], values, top)
        texts = [text for field in areas if (text := self._text(field, values)) is not None]
        if not texts:
            return _Try(risen, risen_left, marks, 0.0)
        ends = dict(marks)

        def marked(field: Field, text: str) -> tuple[Fitted, bytes]:
            return self._fit(field, text, mark=ends.get(field.name, mark))

        column = TextColumn(marked, top, min(field.box.y for field in own), self._heading)
        texts, out = column.pared(texts)
        drawn, left = column.shared(texts)
        for _ in range(_MOST_COUNTS):
            listed = [(field.name, rest.count(THINGS) + 1) for field, rest in left if field.counted]
            counts = {name: f" and {count} more{marks.get(name, '')}" for name, count in listed}
            if all(ends.get(name) == count for name, count in counts.items()):
                break
            ends |= counts
            drawn, left = column.shared(texts)
        return _Try(risen + drawn, [*risen_left, *left, *out], ends, column.shrunk)

    def _text(self, field: Field, values: Mapping[str, str]) -> ColumnText | None:
        """Return what stands in a field, if that says anything."""
        if field.kind == "place" or field.boxes:
            drawn, height = self._block(field, values)
            return ColumnText(field, "", drawn=drawn, height=height) if drawn else None
        text = cleaned(values.get(field.name, ""), field)
        return ColumnText(field, text, "" if field.untitled else field.title) if text else None

    def _risen(self, lines: Sequence[Field], values: Mapping[str, str], top: float) -> tuple[bytes, Left, float]:
        """Set a row of lines below the last that says something; return where what follows begins, too."""
        parts, left, end = list[bytes](), Left(), top
        for field in lines:
            text = cleaned(values[field.name], field)
            by = top - field.border.top
            fitted, shown = self._fit(field, text)
            parts.append(moved(shown, 0.0, by))
            left += [(field, text)] if fitted.rest else []
            end = min(end, field.border.y + by)
        return b"".join(parts), left, end


def _dealt(columns: Sequence[Sequence[Field]]) -> Iterator[list[list[Field]]]:
    """Yield the texts of each column as its template has them, then with more and more of those in others that may."""
    first = {fields[0].column: next(field for field in fields if field.kind in STANDING) for fields in columns}
    free = [field for fields in columns for field in fields if field.kind in STANDING and field.moves in first]
    for chosen in sorted(product((False, True), repeat=len(free)), key=sum):
        away = [field for field, goes in zip(free, chosen, strict=True) if goes]
        yield [
            [field for field in fields if field.kind in STANDING and field not in away]
            + [_moved_to(first[fields[0].column], field) for field in away if field.moves == fields[0].column]
            for fields in columns
        ]


def _moved_to(other: Field, field: Field) -> Field:
    """Return the field as wide as another one, and where that is."""
    box = replace(field.box, x=other.box.x, width=other.box.width)
    return replace(field, box=box, border=replace(field.border, x=other.border.x, width=other.border.width))
