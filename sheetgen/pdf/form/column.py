"""Columns: texts one below the other, each as high as its lines, so that none has empty lines while another is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from sheetgen.geometry import Box
from sheetgen.pdf.form.form import Field, Form
from sheetgen.pdf.form.text_fitting import AREA_STEP, Fitted
from sheetgen.pdf.writer import number

_RULE, _HAIRLINE = 0.75, 0.35  # above a text with a title, and above one without
_ROOMY, _TIGHT = (1.2, 1.4), (0.6, 0.9)  # above and below a rule
_TINY = 1e-6

Setter = Callable[[Field, str], tuple[Fitted, bytes]]  # how a text fits a field, and what shows it there


@dataclass(frozen=True, slots=True)
class ColumnText:
    """A text of a column, under a title or none, and the field that says how it is set and how wide."""

    field: Field
    text: str
    title: str = ""


class TextColumn:
    """Sets texts from `top` down to `bottom` (points); titles are set as in the field `heading`."""

    def __init__(self, setter: Setter, top: float, bottom: float, heading: Field | None = None) -> None:
        self._setter, self._top, self._bottom, self._heading = setter, top, bottom, heading
        self._gaps = _ROOMY

    def filled(self, texts: Iterable[ColumnText]) -> tuple[bytes, list[ColumnText]]:
        """Return the operators for as many texts as there is room for, and what is left of the others."""
        parts: list[bytes] = []
        left: list[ColumnText] = []
        y = self._top
        for each in texts:
            room = y - self._bottom - self._above(each)
            if left or room < each.field.leading * 2 - _TINY:
                left.append(each)
                continue
            drawn, used, rest = self._placed(each, y, room)
            parts.append(drawn)
            y -= used + each.field.leading / 2
            if rest:
                left.append(replace(each, text=rest))
        return b"".join(parts), left

    def shared(self, texts: Sequence[ColumnText]) -> tuple[bytes, list[tuple[Field, str]]]:
        """Return the operators for all texts, and by field what found no room.

        All are set as small as it takes, down to their floors, and then closer to the rules between them. If that is
        not enough, each keeps the height of its own field, as far as it needs that, and what is spare goes to the first
        that need more.
        """
        room, set_small, needs = self._set_small(texts)
        if sum(needs) > room + _TINY:
            self._gaps = _TIGHT
            room, set_small, needs = self._set_small(texts)
        if sum(needs) > room + _TINY:
            needs = _allotted(set_small, needs, room)
        parts: list[bytes] = []
        left: list[tuple[Field, str]] = []
        y = self._top + self._gaps[0]
        for asked, each, height in zip(texts, set_small, needs, strict=True):
            drawn, used, rest = self._placed(each, y, height)
            parts.append(drawn)
            y -= used
            if rest:
                left.append((asked.field, rest))
        return b"".join(parts), left

    def _set_small(self, texts: Sequence[ColumnText]) -> tuple[float, list[ColumnText], list[float]]:
        """Return the room for the lines of all texts, these as small as it takes, and the heights that they need."""
        top = self._top + self._gaps[0]  # the first rule takes the place of what ends above it
        room = top - self._bottom - sum(map(self._above, texts))
        shrink = 0.0
        while True:
            set_small = [replace(each, field=_smaller(each.field, shrink)) for each in texts]
            needs = [self._height(each, room) for each in set_small]
            if sum(needs) <= room + _TINY or all(each.field.size <= each.field.floor for each in set_small):
                return room, set_small, needs
            shrink += AREA_STEP

    def _above(self, each: ColumnText) -> float:
        """Return the height of what stands above a text: a rule and its title."""
        heading = self._heading.border.height if self._heading is not None and each.title else 0.0
        return sum(self._gaps) + heading

    def _height(self, each: ColumnText, room: float) -> float:
        """Return the height of the lines of a text, more than the room if it does not fit."""
        field = _boxed(each.field, self._bottom, room)
        fitted, _ = self._setter(field, each.text)
        return len(fitted.lines) * field.leading + (room if fitted.rest else 0.0)

    def _placed(self, each: ColumnText, top: float, room: float) -> tuple[bytes, float, str]:
        """Return the operators for a text and what stands above it, the height that they take, and what did not fit."""
        above = self._above(each)
        field = _boxed(each.field, top - above - room, room)
        fitted, shown = self._setter(field, each.text)
        titled = self._heading is not None and each.title
        parts = [_rule(field, top - self._gaps[0], _RULE if titled else _HAIRLINE)]
        if self._heading is not None and each.title:
            height = self._heading.border.height
            box = Box(field.box.x, top - sum(self._gaps) - height, field.box.width, height)
            parts.append(self._setter(replace(self._heading, box=box), each.title)[1])
        parts.append(shown)
        leading = field.leading * fitted.size / field.size
        return b"".join(parts), above + min(len(fitted.lines) * leading, room), fitted.rest


def _smaller(field: Field, by: float) -> Field:
    """Return the field with type that is smaller by some points, but not below its floor."""
    size = max(field.size - by, field.floor)
    return replace(field, size=size, leading=field.leading * size / field.size)


def _boxed(field: Field, bottom: float, height: float) -> Field:
    """Return the field at another height; its type does not shrink there."""
    box = Box(field.box.x, bottom, field.box.width, height + _TINY)
    return replace(field, box=box, floor=field.size, valign="top")


def _allotted(texts: Sequence[ColumnText], needs: Sequence[float], room: float) -> list[float]:
    """Return the height in whole lines for each text when there is not enough for all; lists are counted last."""
    lines = [each.field.leading for each in texts]
    own = [1 if each.field.counted else max(1, int(each.field.border.height / each.field.leading)) for each in texts]
    given = [min(need, count * line) for need, count, line in zip(needs, own, lines, strict=True)]
    while sum(given) > room and max(given) > max(lines):
        at = given.index(max(given))
        given[at] -= lines[at]
    for at in sorted(range(len(texts)), key=lambda at: texts[at].field.counted):
        spare = max(0.0, room - sum(given))
        given[at] += min(needs[at] - given[at], int(spare / lines[at] + _TINY) * lines[at])
    return given


def _rule(field: Field, y: float, width: float) -> bytes:
    """Return a rule across a column: black, or grey if it is a hairline."""
    points = b" ".join(number(round(each, 2)) for each in (field.box.x, y, field.box.width))
    x, at, across = points.split()
    grey = b"0" if width == _RULE else b".6"
    return b"%b g %b %b %b %b re f 0 g\n" % (grey, x, at, across, number(-width))


def columns_of(form: Form, page: int) -> list[list[Field]]:
    """Return the columns of a page, each with its fields."""
    inside = [field for field in form.fields if field.column and field.page == page]
    return [[field for field in inside if field.column == name] for name in dict.fromkeys(f.column for f in inside)]
