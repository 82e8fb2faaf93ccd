"""Rows of values to the contents of pages: the hot path.

A value that was set before costs a dictionary look-up: the operators that set a text are kept by field and text. Short
values (levels, scores, marks) and the frames around them become pictures, small form XObjects drawn by name, so that a
page holds little more than what only it has. A row composes alike whatever came before it.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from sheetgen.errors import SheetgenError
from sheetgen.pdf.fonts.face import AddedFont, Face, FaceName
from sheetgen.pdf.form.columns import ColumnText, Stacks, TextColumn, columns_of, followed, moved
from sheetgen.pdf.form.field_text import (
    LineSetter,
    Unprintable,
    bar,
    check,
    check_mark,
    cleaned,
    counted,
    fitted_in,
    frame,
    mark_rows,
    squares,
)
from sheetgen.pdf.form.form import CONTINUED, HEADING, PART, Field, Form, NewResources, Resources
from sheetgen.pdf.form.overflow import ON, Section, joined, spilled
from sheetgen.pdf.form.page_columns import PageColumns, flows
from sheetgen.pdf.form.text_fitting import MARK, Fitted, Measure
from sheetgen.pdf.pictures import FINE, portrait_of, qr_operators

if TYPE_CHECKING:
    from sheetgen.pdf.form.font_fallback import FallbackFonts


_LEVEL, _PICTURED, _KEPT_PER_FIELD = 4, 3, 400
_NO_MARKS: Mapping[str, str] = MappingProxyType({})

Fonts = Mapping[FaceName, tuple[Face, bytes]]


@dataclass(frozen=True, slots=True)
class Row:
    """One character to print: the title of its bookmark, a value for each field name; a tick is on when not empty.

    `unplaced` are titles and texts without a field, for continuation pages. `form` names one of the form's `others`.
    """

    title: str
    values: Mapping[str, str]
    unplaced: Sequence[tuple[str, str]] = ()
    form: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The pages of one row, and the titles of what stands on continuation pages, marked where no field is for it.

    A page is the background it stands on (form pages first, then the continuation's) and its compressed contents.
    `dpi` is how coarse a portrait is where it is printed, if it is coarser than it should be.
    """

    title: str
    pages: tuple[tuple[int, bytes], ...]
    continued: tuple[str, ...] = ()
    dpi: int = 0


class Compositor:
    """Composes rows for one form, and for the continuation form `more` where text is too long.

    `fonts` are the faces under their names on the page. Without `pictures` every value is set in the page itself, for
    a file of few sheets. What the faces of the forms cannot show is set in the fonts `added`.
    """

    def __init__(
        self, form: Form, more: Form | None = None, *, pictures: bool = True, added: Sequence[AddedFont] = ()
    ) -> None:
        faces = {face.name: face for part in (*form.all, more) if part for face in part.faces}
        fonts = {name: (face, b"/F%d" % index) for index, (name, face) in enumerate(faces.items())}
        self.fonts, self._needs = {font: face for face, font in fonts.values()}, Resources()
        self.added = {b"/X%d" % index: font for index, font in enumerate(added)}
        begun = partial(_PageComposer, fonts=fonts, needs=self._needs, fallback=self._fallback())
        self._forms, first = dict[str, _PageComposer](), 0
        for at, (name, part) in enumerate((("", form), *form.others.items())):
            prefix, pictured = b"/v%d_" % at if at else b"/v", _PICTURED if pictures else 0
            self._forms[name] = begun(part, prefix=prefix, first=first, pictured=pictured)
            first += len(part.pages)
        self._form = self._forms[""]
        self._more = begun(more, prefix=b"/w", first=first, pictured=0) if more else None
        if more and CONTINUED not in more.names:
            raise ValueError(f"a continuation form needs an area named {CONTINUED!r}")

    def sheet(self, row: Row) -> Sheet:
        """Return the row as pages; raises Unprintable for a character that the field's face does not have."""
        self._form, continued = self._forms.get(row.form, self._forms[""]), tuple[str, ...]()
        pages, left = self._form.pages(row.values)
        if left and self._form.stacks is not None:  # which have tried all of their places already
            rests = {field.title: joined(rest for each, rest in left if each.title == field.title) for field, _ in left}
            continued, sections = tuple(rests), [Section(*each) for each in rests.items()]
            more = self._continued(row, self._more, sections, before=1) if self._more is not None else []
            pages = self._form.pages({**row.values, PART: f"1 of {len(more) + 1}"})[0] + more if more else pages
        elif left or row.unplaced:
            pages, continued = self._spilled(row, left)
        return Sheet(row.title, tuple(pages), continued, self._form.dpi)

    def _spilled(self, row: Row, left: list[tuple[Field, str]]) -> tuple[list[tuple[int, bytes]], tuple[str, ...]]:
        """Return the pages with what was left over in other places, and the titles of what has pages of its own."""
        on = "" if self._more is None else f" {ON} {self._more.fields[CONTINUED].part or 'next page'}"
        spill = spilled(self._form, row.values, left, row.unplaced, on=on)
        more = self._continued(row, self._more, spill.elsewhere) if self._more is not None and spill.elsewhere else []
        return [*spill.pages, *more], tuple(spill.told)

    def _fallback(self) -> FallbackFonts | None:
        """Return what sets text in the added fonts, if there are any."""
        if not self.added:
            return None
        from sheetgen.pdf.form.font_fallback import FallbackFonts  # imports uharfbuzz

        return FallbackFonts(self.added)

    def new_resources(self) -> NewResources:
        """Return the pictures and letters needed since the last call: a page can be shown only where they are known."""
        return self._needs.take_new()

    def _continued(
        self, row: Row, more: _PageComposer, sections: Sequence[Section], *, before: int = 0
    ) -> list[tuple[int, bytes]]:
        """Return the pages that take what was left over, section by section under its title.

        What shared a column keeps its type. Their other fields show the row's values, and they count with so many
        `before` them.
        """
        area = more.fields[CONTINUED]
        name = row.values.get("name") or row.title
        heading = more.fields.get(HEADING)
        column = TextColumn(partial(more.fitted, mark=""), area.box.top, area.box.y, heading)
        if heading is None:
            sections = [each._replace(text=f"{each.title}: {each.text}") for each in sections]
        said = [(cleaned(each.text, area), each) for each in sections]
        texts = [ColumnText(_like(each.field, area), text, each.title) for text, each in said if text]
        filled: list[bytes] = []
        while texts:
            try:
                drawn, left = column.filled(texts)
            except Unprintable as error:
                title = next((each.title for each in texts if set(error.missing) & set(each.text)), error.title)
                raise Unprintable(title, error.missing, error.added) from None
            if left == texts:
                raise SheetgenError("the continuation form has no room for a line of text")
            filled.append(drawn)
            texts = left
        pages: list[tuple[int, bytes]] = []
        for at, drawn in enumerate(filled, before + 1):
            part = f"{at} of {before + len(filled)}" if before + len(filled) > 1 else ""
            pages += more.pages({**row.values, "name": name, PART: part, HEADING: ""}, drawn=drawn)[0]
        return pages


@dataclass(slots=True)
class _Slot:
    """A field, its drawings so far by text, and the name of its pictures; a tick needs no more."""

    field: Field
    picture: bytes
    kept: dict[str, bytes]


@dataclass(slots=True)
class _TextSlot(_Slot):
    """A field for text; `upright` sets what an italic face has no letters for."""

    setter: LineSetter
    upright: LineSetter

    def setter_for(self, text: str) -> LineSetter:
        """Return what sets a text of this field: its face, if that has the letters."""
        lacking = self.field.face.italic and self.setter.face.missing(text.replace("\n", ""))
        return self.upright if lacking else self.setter


class _PageComposer:
    """Composes the pages of one form, whose backgrounds are numbered from `first`."""

    def __init__(
        self,
        form: Form,
        fonts: Fonts,
        needs: Resources,
        fallback: FallbackFonts | None,
        *,
        prefix: bytes,
        first: int,
        pictured: int,
    ) -> None:
        self._needs, self._fallback, self._pictured, self._first = needs, fallback, pictured, first
        self._left: list[tuple[Field, str]] = []
        self._marks, self.dpi = _NO_MARKS, 0
        self.fields = {field.name: field for field in reversed(form.fields)}
        self._fonts = fonts
        slots = [_slot_of(field, b"%b%d" % (prefix, at), fonts) for at, field in enumerate(form.fields)]
        heading = self.fields.get(HEADING)
        columns = [columns_of(form, page) for page in range(form.fronts)]
        self._blocks = {
            name: (page, form.pages[page][1], [field for field in form.fields if field.page == page])
            for name, page in form.blocks.items()
        }
        self._columns = [PageColumns(each, heading, self.fitted, self._block) for each in columns]
        flowing = [slot for slot in slots if slot.field.after or flows(slot.field)]
        plans = [
            [slot for slot in slots if slot.field.page == page and slot not in flowing] for page in range(form.fronts)
        ]
        self._plan = [([slot.field.name for slot in plan], [(slot.kept.get, slot) for slot in plan]) for plan in plans]
        self._slots = {(slot.field.page, slot.field.name): slot for slot in slots}
        stacked = any(field.kind == "stack" for field in form.fields)
        self.stacks = Stacks(form, self._in_block, self._flowed, first=first) if stacked else None
        after = [field for field in form.fields if field.after]
        self._after = [[field for field in after if field.page == page] for page in range(form.fronts)]

    def pages(
        self, values: Mapping[str, str], marks: Mapping[str, str] = _NO_MARKS, *, drawn: bytes = b""
    ) -> tuple[list[tuple[int, bytes]], list[tuple[Field, str]]]:
        """Return each page's background and compressed contents; and by field what did not fit.

        `marks` are what fields end in that are cut, by name, if it is no “…”; `drawn` stands on each page, too.
        """
        self._left, self._marks, self.dpi = [], marks, 0
        pages, value = [], values.get
        for number, (names, plan) in enumerate(self._plan, self._first):
            parts = [b"/B%d Do\n" % number, drawn]
            for (kept, slot), text in zip(plan, map(value, names), strict=True):
                if text:
                    parts.append(kept(text) or self._composed(slot, text))
            parts.append(self._columned(self._columns[number - self._first], values))
            parts += followed(self._after[number - self._first], values, self._line_end)
            if self.stacks is not None:
                parts.append(self.stacks.drawn(number - self._first, values, self._left))
            pages.append((number, zlib.compress(b"".join(parts), _LEVEL)))
        return pages, self._left

    def _columned(self, columns: PageColumns, values: Mapping[str, str]) -> bytes:
        """Return the operators for all columns of a page."""
        drawn, left, self._marks = columns.drawn(values, self._marks, MARK)
        self._left += left
        return drawn

    def fitted(self, field: Field, text: str, *, mark: str = MARK) -> tuple[Fitted, bytes]:
        """Return how a cleaned text fits any field with a face of the form, and what shows it there."""
        slot = _slot_of(field, b"", self._fonts)
        assert isinstance(slot, _TextSlot)
        return self._fitted(slot, text, mark)

    def rest(self, field: Field, text: str, mark: str) -> str:
        """Return what a field that ends in this mark cannot hold of a text."""
        return self.fitted(field, cleaned(text, field), mark=mark)[0].rest

    def measure(self, field: Field, text: str) -> Measure | None:
        """Return the widths of texts like this one, if the face of the field has all of its letters."""
        face = self._fonts[field.face][0]
        return None if face.missing(text.replace("\n", "")) else face.width

    def _width(self, field: Field, line: str, size: float) -> float:
        """Return how wide a line is; one that only added fonts can set is as wide as nobody knows here."""
        measure = self.measure(field, line)
        return measure(line, size) if measure else len(line) * size

    def _composed(self, slot: _Slot, text: str) -> bytes:
        """Return the operators for a text that was not set in this field before (or lately)."""
        field = slot.field
        if field.kind == "code":
            return qr_operators(field.box, text)
        if field.kind in ("bar", "squares"):
            return (bar if field.kind == "bar" else squares)(field, text)
        if field.kind == "picture":
            return self._portrait(field, text)
        if not isinstance(slot, _TextSlot):
            drawn = self._tick(slot)
        else:
            clean = cleaned(text, field)
            if not clean:
                return b""
            shows = field.value if field.kind == "over" else clean
            fitted, shown = self._fitted(slot, shows, self._marks.get(field.name, MARK))
            drawn = self._operators(slot, clean, shown)
            if fitted.rest:
                # A line is repeated whole, since half a line says nothing; an area goes on where it stopped.
                self._left.append((field, clean if field.kind == "line" else fitted.rest))
                return drawn
        if len(slot.kept) >= _KEPT_PER_FIELD:
            slot.kept.clear()
        slot.kept[text] = drawn
        return drawn

    def _line_end(self, page: int, name: str, values: Mapping[str, str], begin: float) -> tuple[bytes, float]:
        """Return the operators for a line that begins at `begin` at the earliest, and where its text ends."""
        field = self._slots[page, name].field
        text = whole = cleaned(values.get(name, ""), field)
        if not text:
            return b"", begin
        by = max(begin + field.size / 2 - field.box.x, 0.0) if begin else 0.0
        inside = replace(field, box=replace(field.box, width=field.box.width - by))
        fitted, shown = self.fitted(inside, text)
        while fitted.rest and begin and field.spare and text:
            text = text.rpartition(", ")[0]  # as an age behind a pronoun
            fitted, shown = self.fitted(inside, text)
        if (fitted.rest and begin) or text != whole:
            self._left.append((replace(field, counted=field.spare), whole[len(text) :].lstrip(", ") or whole))
        width = max((self._width(field, line, fitted.size) for line in fitted.lines), default=0.0)
        return moved(shown, by, 0.0), field.box.x + by + width

    def _in_block(self, field: Field, text: str) -> bytes:
        """Return the operators for a text in a field of a block."""
        slot = self._slots[field.page, field.name]
        return slot.kept.get(text) or self._composed(slot, text)

    def _block(self, field: Field, values: Mapping[str, str]) -> tuple[bytes, float]:
        """Return the operators for the block of a place, or for boxes to mark, and the height; none without a value."""
        if field.boxes:
            title = cleaned(values.get(field.name, ""), field)
            count = counted(field.boxes, values.get(field.boxes) or "0")
            return self._marks_drawn(field, title, count) if count else (b"", 0.0)
        page, height, fields = self._blocks[field.block]
        shown = [self._in_block(field, text) for field in fields if (text := values.get(field.name))]
        return b"".join((b"/B%d Do\n" % (self._first + page), *shown)) if shown or field.kept else b"", height

    def _marks_drawn(self, field: Field, title: str, count: int) -> tuple[bytes, float]:
        """Return the operators for rows of boxes to mark behind what they are called, and their height."""
        called, rows, height = mark_rows(field, self._width(field, title, field.size), count)
        shown = [self.fitted(called, title)[1]] if title else []
        return b"".join((*shown, *(squares(row, str(number)) for row, number in rows))), height

    def _flowed(self, field: Field, text: str) -> tuple[bytes, int, float, str]:
        """Return the operators for a text in an area, the number and distance of its lines, and what did not fit."""
        fitted, shown = self.fitted(field, cleaned(text, field))
        return shown, len(fitted.lines), field.leading * fitted.size / field.size, fitted.rest

    def _fitted(self, slot: _TextSlot, text: str, mark: str) -> tuple[Fitted, bytes]:
        """Return how a cleaned text fits its field, and the text object that shows it there."""
        field, setter = slot.field, slot.setter
        known = self._needs.knows(setter.font, text)
        if not known:
            setter = slot.setter_for(text)
            if self._fallback is not None and setter.face.missing(text.replace("\n", "")):
                mixed = self._fallback.set(field, setter.face, setter.font, text, mark=mark)
                for name, letters in mixed.letters.items():
                    self._needs.letters(name, letters)
                return mixed.fitted, mixed.shown
            check(field, setter.face, text)
        fitted = fitted_in(field, setter.face.width, text, mark=mark)
        if not fitted.lines:
            return fitted, b""
        if fitted.rest or not known:
            self._needs.letters(setter.font, "".join(fitted.lines))
        return fitted, setter.set_lines(fitted)

    def _operators(self, slot: _Slot, text: str, shown: bytes) -> bytes:
        field = slot.field
        if len(text) <= self._pictured:
            return self._drawn_picture(
                slot.picture + b"." + _name_part(text), (frame(field) if field.frame else b"") + shown
            )
        return self._framed(slot) + shown

    def _tick(self, slot: _Slot) -> bytes:
        if slot.field.frame:
            return self._framed(slot)  # a tick with a frame is a ring
        mark = check_mark(slot.field)
        return self._drawn_picture(slot.picture + b".", mark) if self._pictured else mark

    def _portrait(self, field: Field, text: str) -> bytes:
        portrait = portrait_of(text)
        if portrait is None:
            return b""
        dpi = portrait.dpi(field.border)
        if dpi < FINE:
            self.dpi = min(self.dpi or dpi, dpi)
        self._needs.picture(portrait.name, text.encode())
        return portrait.shown(field.border) + (frame(field) if field.frame else b"")

    def _framed(self, slot: _Slot) -> bytes:
        if not slot.field.frame:
            return b""
        drawing = frame(slot.field)
        return self._drawn_picture(slot.picture, drawing) if self._pictured else drawing

    def _drawn_picture(self, name: bytes, drawing: bytes) -> bytes:
        self._needs.picture(name, drawing)
        return name + b" Do\n"


def _like(field: Field | None, area: Field) -> Field:
    """Return the area with the type of a text that shared a column, no smaller than the area allows."""
    if field is None or not field.column or field.kind != "area":
        return area
    size = max(field.size, area.floor)
    return replace(area, face=field.face, colour=field.colour, size=size, leading=field.leading * size / field.size)


def _slot_of(field: Field, picture: bytes, fonts: Fonts) -> _Slot:
    """Return the slot of a field; a form has faces only for what is set as text."""
    if field.kind not in ("line", "area", "over"):
        return _Slot(field, picture, {})
    own = fonts[field.face]
    upright = fonts.get(field.face.upright, own)
    return _TextSlot(field, picture, {}, LineSetter(field, *own), LineSetter(field, *upright))


def _name_part(text: str) -> bytes:
    """Return a short text as part of a PDF name."""
    return text.encode() if text.isascii() and text.isalnum() else b"-" + text.encode("utf-16-be").hex().encode()
