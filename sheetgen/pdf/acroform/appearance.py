"""The appearance streams of widgets: background and border as the form states them, and our text or mark. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.geometry import Box
from sheetgen.model.acroform import Blank
from sheetgen.pdf.fonts.face import ABOVE, BELOW, Face, FaceName
from sheetgen.pdf.form.field_text import LineSetter, check_mark, coloured, first_baseline, fitted_in
from sheetgen.pdf.form.form import Field
from sheetgen.pdf.form.text_fitting import Fitted, fit
from sheetgen.pdf.writer import number

FLOOR = 6.0  # points: smaller type only where the form itself asks for it, or has no more room
LEADING = 1.16
_LARGEST, _AREA, _LISTED = 24.0, 11.0, 10.0  # points: type where the form leaves its size open
_OF_HEIGHT = 0.74
_PAD = 2.0
_CHOSEN = b"0.85 0.89 0.95 rg"

Colour = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class WidgetFrame:
    """The size of a widget as one reads it, in points, with its ground and border; colours are grey, RGB or CMYK."""

    width: float
    height: float
    fill: Colour = ()
    stroke: Colour = ()
    border: float = 0.0
    style: str = "S"

    def drawn(self) -> bytes:
        """Return the operators that draw ground and border."""
        parts = []
        if self.fill:
            parts.append(
                b"q %b 0 0 %b re f Q\n" % (_colour(self.fill, b"g rg k"), _pdf_numbers(self.width, self.height))
            )
        if self.stroke and self.border:
            parts.append(b"q %b %b w%b Q\n" % (_colour(self.stroke, b"G RG K"), number(self.border), self._edges()))
        return b"".join(parts)

    def dividers(self, cells: int) -> bytes:
        """Return the operators that draw the lines between so many cells."""
        if not (self.stroke and self.border):
            return b""
        across = (self.width * at / cells for at in range(1, cells))
        lines = b" ".join([b"%b m %b l S" % (_pdf_numbers(x, 0), _pdf_numbers(x, self.height)) for x in across])
        return b"q %b %b w %b Q\n" % (_colour(self.stroke, b"G RG K"), number(self.border), lines)

    def _edges(self) -> bytes:
        half = self.border / 2
        if self.style == "U":
            return b" 0 %b m %b l S" % (number(half), _pdf_numbers(self.width, half))
        dashed = b" [3] 0 d" if self.style == "D" else b""
        return dashed + b" %b re S" % _pdf_numbers(half, half, self.width - self.border, self.height - self.border)


@dataclass(frozen=True, slots=True)
class WidgetStyle:
    """How the text of a field is set in one of its widgets; `font` names the face in the resources."""

    blank: Blank
    ground: WidgetFrame
    face: Face
    font: bytes

    @property
    def field(self) -> Field:
        """The field as text fitting takes one; the origin is the lower left corner of the widget."""
        blank, ground, area = self.blank, self.ground, self.blank.kind == "area"
        across = ground.border + min(_PAD, ground.width / 10)
        along = ground.border + (min(_PAD, ground.height / 10) if area else 0.0)
        outside = Box(0, 0, ground.width, ground.height)
        box = outside.inset(min(across, ground.width / 3), min(along, ground.height / 3))
        size = blank.size or _open_size(box.height, area=area)
        return Field(
            name=blank.name,
            title=blank.name,
            page=0,
            kind="area" if area else "line",
            box=box,
            border=outside,
            face=self.face.name,
            size=size,
            floor=min(FLOOR, size, box.height),
            align=blank.align,
            valign="top" if area else "middle",
            leading=LEADING * size,
            colour=blank.colour,
        )

    def text(self, text: str) -> tuple[bytes, Fitted]:
        """Return the appearance with this cleaned text, and how it fitted."""
        field = self.field
        fitted = fitted_in(field, self.face.width, text) if text else Fitted(field.size, ())
        shown = LineSetter(field, self.face, self.font).set_lines(fitted) if fitted.lines else b""
        return self.whole(shown), fitted

    def comb(self, text: str) -> bytes:
        """Return the appearance with each character in a cell of its own, and lines between the cells."""
        field, face, cells = self.field, self.face, self.blank.longest
        cell = self.ground.width / cells
        widest = max((face.width(char, 1.0) for char in text), default=0.0)
        size = min(field.size, field.box.height / (ABOVE + BELOW), 0.92 * cell / widest if widest else field.size)
        y = first_baseline(field, face, size, 0.0, below=0.0)
        free = cells - len(text)
        first = {"left": 0, "center": free // 2, "right": free}[field.align]
        parts = [b"BT%b %b Tf" % (self.font, number(size))]
        before_x = before_y = 0.0
        for at, char in enumerate(text, first):
            x = round(cell * (at + 0.5) - face.width(char, size) / 2, 2)
            parts.append(b" %b Td%bTj" % (_pdf_numbers(x - before_x, y - before_y), face.string(char)))
            before_x, before_y = x, y
        shown = coloured(b"".join([*parts, b" ET\n"]), field.colour) if text else b""
        return self.whole(shown, between=self.ground.dividers(cells))

    def listed(self, chosen: int) -> tuple[bytes, int, str]:
        """Return the appearance of a list with one choice marked, the number of the first shown, and its letters."""
        field, options = self.field, [shown for _, shown in self.blank.options]
        size = self.blank.size or _LISTED
        leading = LEADING * size
        room = max(int(field.box.height / leading), 1)
        first, edge = max(min(chosen, len(options) - room), 0), self.ground.border
        parts, lines = [], []
        for row, option in enumerate(options[first : first + room]):
            low = field.box.top - (row + 1) * leading
            if first + row == chosen:
                bar = _pdf_numbers(edge, low, self.ground.width - 2 * edge, leading)
                parts.append(b"q %b %b re f Q\n" % (_CHOSEN, bar))
            line = self._cut(option, field.box.width, size)
            at = _pdf_numbers(field.box.x, low + 0.3 * size)
            text = b"BT%b %b Tf %b Td%bTj ET\n" % (self.font, number(size), at, self.face.string(line))
            parts.append(coloured(text, field.colour))
            lines.append(line)
        return self.whole(b"".join(parts)), first, "".join(lines)

    def _cut(self, option: str, width: float, size: float) -> str:
        """Return as much of a choice as fits the width, without letters that the face lacks."""
        line = "".join(char for char in option if not self.face.missing(char))
        return (
            fit(
                line,
                width=width,
                height=size,
                measure=self.face.width,
                size=size,
                floor=size,
                leading=size,
                lines="one",
            ).lines[0]
            if line
            else ""
        )

    def whole(self, shown: bytes, *, between: bytes = b"") -> bytes:
        """Return the ground with the text behind it, marked as the part that a reader may replace."""
        return b"%b%b/Tx BMC\n%bEMC" % (self.ground.drawn(), between, b"q\n%bQ\n" % shown if shown else b"")


def mark_appearance(ground: WidgetFrame, colour: tuple[float, float, float], *, dot: bool) -> bytes:
    """Return the appearance of a box with a tick, or with a dot, for a form that has none of its own."""
    side = 0.76 * min(ground.width, ground.height)
    if dot:
        middle = _pdf_numbers(ground.width / 2, ground.height / 2)
        parts = _colour(colour, b"G RG K"), number(0.7 * side), middle, middle
        return ground.drawn() + b"q %b %b w 1 J %b m %b l S Q\n" % parts
    box = Box((ground.width - side) / 2, (ground.height - side) / 2, side, side)
    field = Field("", "", 0, "tick", box, box, FaceName(""), side, side, "left", "middle", side, colour)
    return ground.drawn() + check_mark(field)


def _open_size(height: float, *, area: bool) -> float:
    """Return the type size in points where the form sets none: as the height allows, in areas at most ordinary text."""
    fits = round(max(min(height * _OF_HEIGHT, _LARGEST), 2.0), 1)
    return min(fits, _AREA) if area else fits


def _colour(colour: Colour, operators: bytes) -> bytes:
    """Return a colour followed by the operator for its number of parts."""
    return _pdf_numbers(*colour) + b" " + operators.split()[{1: 0, 3: 1, 4: 2}[len(colour)]]


def _pdf_numbers(*values: float) -> bytes:
    return b" ".join([number(value) for value in values])
