"""Values in fields: tidied, checked letter by letter, fitted into the box, written as text or as rows of boxes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sheetgen.errors import SheetgenError, printable, quoted
from sheetgen.geometry import Box, mm
from sheetgen.pdf.fonts.face import ABOVE, BELOW, EM, Face
from sheetgen.pdf.form.form import Field
from sheetgen.pdf.form.text_fitting import MARK, Fitted, Measure, fit
from sheetgen.pdf.writer import number

_NAMED, _DIGITS = 5, 3
_BLANKS = re.compile(r"[ \t\r\n]+")
_SPACES = re.compile(r"[ \t]+")
_NEWLINES = re.compile(r"\r\n?")
_BETWEEN, _CLOSE = 3 / 8, 1 / 8  # from square to square, and where there are many, as parts of their side
_BEHIND_FIVE = 0.3  # of a square: more behind each fifth
FIVE = 5
_SIDE, _GAP, _GAP_OF_FIVES, _BEHIND_TITLE, _ABOVE = mm(4), mm(1.5), mm(1.5), mm(2), mm(0.8)  # in rows of boxes
_GREY = (0.47, 0.47, 0.47)


class Unprintable(SheetgenError):
    """A value with a character that its font does not have; the message names field, character and code point.

    `added` is true when fonts that the user added do not have it either.
    """

    def __init__(self, title: str, missing: str, added: bool = False) -> None:
        self.title, self.missing, self.added = title, missing, added
        super().__init__(title, missing, added)

    def __str__(self) -> str:
        named = ", ".join(_character_name(char) for char in self.missing[:_NAMED])
        more = f" and {len(self.missing) - _NAMED} more" if len(self.missing) > _NAMED else ""
        fonts = "bundled or added font" if self.added else "bundled font"
        return f"{self.title}: no {fonts} can print {named}{more}"


def cleaned(text: str, field: Field) -> str:
    """Return the text composed (NFC), its blanks plain; newlines stay in an area."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip(" ")
    text = unicodedata.normalize("NFC", text)
    if field.kind == "area":
        text = _NEWLINES.sub("\n", text) if "\r" in text else text
        return (_SPACES.sub(" ", text) if "  " in text or "\t" in text else text).strip(" \n")
    return _BLANKS.sub(" ", text).strip(" ")


def check(field: Field, face: Face, text: str) -> None:
    """Raise Unprintable for a character that the face lacks."""
    if missing := face.missing(text.replace("\n", "")):
        raise Unprintable(field.title, missing)


def fitted_in(
    field: Field, measure: Measure, text: str, *, mark: str = MARK, leading: float = 0.0, reach: float = 1.0
) -> Fitted:
    """Return the cleaned text as the field can hold it, its lines high enough for their ink.

    A face measures with KeyError for a character that it lacks: see `check`.
    """
    return fit(
        text,
        width=field.box.width,
        height=field.box.height,
        measure=measure,
        size=field.size,
        floor=field.floor,
        leading=leading or field.leading,
        lines="many" if field.kind == "area" else "one",
        mark=mark,
        reach=reach,
    )


def _character_name(char: str) -> str:
    return f"{printable(quoted(char))} (U+{ord(char):04X} {unicodedata.name(char, 'without a name')})"


# Characters that stand on the baseline: in a low box they may sit lower than those that hang below it.
_STANDING = frozenset("0123456789ABCDEFGHIKLMNOPRSTUVWXYZabcdefhiklmnorstuvwxz+-−–—.…·:!?’“”″′½×→ ")
# The distance of a Bézier handle that makes a quarter of a circle.
_ROUND = 0.5523


class LineSetter:
    """Sets lines in one field in one face; `font` names the face among the resources (`/F0`).

    Where lines begin depends on their size and number and on whether the last one stands on the baseline: for lines
    that are flush left all but what they say is written once.
    """

    def __init__(self, field: Field, face: Face, font: bytes) -> None:
        self.field, self.face, self.font = field, face, font
        self._written: dict[tuple[float, int, bool], bytes] = {}

    def set_lines(self, fitted: Fitted) -> bytes:
        """Return the text object that shows the fitted lines in the field."""
        lines = fitted.lines
        standing = _STANDING.issuperset(lines[-1])
        if self.field.align != "left" or "" in lines:
            written = self._text_object(fitted.size, lines, standing)
        else:
            key = fitted.size, len(lines), standing
            written = self._written.get(key, b"")
            if not written:
                written = self._written[key] = self._text_object(fitted.size, lines, standing)
        return written % tuple([self.face.string(line) for line in lines if line])

    def _text_object(self, size: float, lines: Sequence[str], standing: bool) -> bytes:
        """Return the text object for such lines, with `%b` for the string of each that is not empty."""
        moves = [b"%b%%bTj" % move for move in self._moved(size, lines, standing) if move]
        shown = coloured(b"BT%b %b Tf%b ET\n" % (self.font, number(size), b"".join(moves)), self.field.colour)
        return _over_white(self.field, shown) if self.field.kind == "over" else shown

    def _moved(self, size: float, lines: Sequence[str], standing: bool) -> Iterator[bytes]:
        """Yield what moves to where each line begins, from where the one before began; nothing for an empty one."""
        field = self.field
        leading = field.leading * size / field.size
        y = first_baseline(field, self.face, size, leading * (len(lines) - 1), below=0.0 if standing else BELOW)
        before_x = before_y = 0.0
        for index, line in enumerate(lines):
            width = (
                0.0 if field.align == "left" else self.face.width(line, size)
            )  # only what is not flush left needs it
            x, at = start_of(field, width), round(y - index * leading, 2)
            yield b" %b %b Td" % (number(x - before_x), number(at - before_y)) if line else b""
            if line:
                before_x, before_y = x, at


def first_baseline(
    field: Field, face: Face, size: float, further: float, *, above: float = ABOVE, below: float = BELOW
) -> float:
    """Return the y of the first baseline when `further` points lie between it and the last.

    `above` and `below` are how far the ink reaches from the baselines, in em. Text in the middle is centred by its
    capitals. At the top it stands where CSS puts it, half the leading above, and in every case within the box as long
    as that holds the block at all.
    """
    box = field.box
    highest, lowest = box.top - above * size, box.y + below * size + further
    if field.valign == "bottom":
        y = box.y + BELOW * size + further
    elif field.valign == "middle":
        y = box.y + (box.height + further - face.cap_height * size / EM) / 2
    else:
        leading = field.leading * size / field.size
        y = box.top - (leading + (face.ascent + face.descent) * size / EM) / 2
    return round(max(min(y, highest), lowest), 2)


def frame(field: Field) -> bytes:
    """Return a rounded rectangle stroked in the field's frame width, its outer edge on the border of the field."""
    inner = field.border.inset(field.frame / 2)
    radius = max(0.0, min(field.radius - field.frame / 2, inner.width / 2, inner.height / 2))
    path = (
        outline(inner, radius)
        if radius
        else b"%b %b %b %b re" % _pdf_numbers(inner.x, inner.y, inner.width, inner.height)
    )
    return b"q %b w %b S Q\n" % (number(field.frame), path)


def _over_white(field: Field, shown: bytes) -> bytes:
    """Return the text on white, which hides the quiet word of the background beneath it; extracted, it stands once."""
    box = field.box
    white = b"q 1 g %b %b %b %b re f Q\n" % _pdf_numbers(box.x, box.y, box.width, box.height)
    return white + b"/Span<</ActualText<FEFF>>>BDC\n%bEMC\n" % shown


def check_mark(field: Field) -> bytes:
    """Return a tick of two strokes across the inside of the field."""
    box = field.box
    points = [box.x + box.width * x for x in (0.16, 0.42, 0.86)], [box.y + box.height * y for y in (0.5, 0.2, 0.84)]
    (x1, x2, x3), (y1, y2, y3) = points
    path = b"%b %b m %b %b l %b %b l" % _pdf_numbers(x1, y1, x2, y2, x3, y3)
    stroke = number(max(0.8, 0.14 * min(box.width, box.height)))
    return b"q %b RG %b w 1 J 1 j %b S Q\n" % (b" ".join(_pdf_numbers(*field.colour)), stroke, path)


def counted(name: str, text: str) -> int:
    """Return the number that a value is; SheetgenError for one that is none, or too large to be drawn."""
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise SheetgenError(f"{quoted(name)} is {quoted(text)}, which is no number of up to {_DIGITS} digits")
    return int(text)


def bar(field: Field, text: str) -> bytes:
    """Return a bar that is so many hundredths of its field long, in a frame that is as long as the field."""
    box, (red, green, blue) = field.box, field.colour
    width = box.width * min(counted(field.name, text), 100) / 100
    frame = b"q .5 G 0.35 w %b %b %b %b re S Q\n" % _pdf_numbers(box.x, box.y, box.width, box.height)
    return frame + b"%b %b %b rg %b %b %b %b re f 0 g\n" % _pdf_numbers(
        red, green, blue, box.x, box.y, round(width, 2), box.height
    )


def squares(field: Field, text: str) -> bytes:
    """Return so many empty squares for a pencil, as high as their field, in fives where there are more.

    Where so many have no room else, they stand closer together, and are smaller only if that is not enough.
    """
    box, (red, green, blue), count = field.box, field.colour, max(counted(field.name, text), 1)
    if not box.height:
        return b""
    fives = (count - 1) // 5 * _BEHIND_FIVE
    room = (box.width / box.height - count - fives) / max(count - 1, 1)
    between = min(max(room, _CLOSE), _BETWEEN)
    wide = count + (count - 1) * between + fives
    side = min(box.height, box.width / wide)
    start, low = (box.right - side * wide if field.align == "right" else box.x), box.y + (box.height - side) / 2
    steps = [start + side * (at * (1 + between) + at // 5 * _BEHIND_FIVE) for at in range(count)]
    path = b" ".join(b"%b %b %b %b re" % _pdf_numbers(round(x, 2), round(low, 2), side, side) for x in steps)
    return b"q %b %b %b RG 0.5 w 1 j %b S Q\n" % (*_pdf_numbers(red, green, blue), path)


def start_of(field: Field, width: float) -> float:
    """Return the x where a line of that width begins."""
    if field.align == "left":
        return round(field.box.x, 2)
    spare = field.box.width - width
    return round(field.box.x + (spare / 2 if field.align == "center" else spare), 2)


def coloured(shown: bytes, colour: tuple[float, float, float]) -> bytes:
    """Return the text in its colour; black is what a page begins with."""
    if not any(colour):
        return shown
    return b"%b rg %b0 g\n" % (b" ".join(_pdf_numbers(*colour)), shown)


def outline(box: Box, radius: float) -> bytes:
    """Return the path of a rectangle with round corners."""
    x, y, right, top = box.x, box.y, box.right, box.top
    hold = radius * (1 - _ROUND)
    steps = [
        b"%b %b m" % _pdf_numbers(x + radius, y),
        b"%b %b l" % _pdf_numbers(right - radius, y),
        b"%b %b %b %b %b %b c" % _pdf_numbers(right - hold, y, right, y + hold, right, y + radius),
        b"%b %b l" % _pdf_numbers(right, top - radius),
        b"%b %b %b %b %b %b c" % _pdf_numbers(right, top - hold, right - hold, top, right - radius, top),
        b"%b %b l" % _pdf_numbers(x + radius, top),
        b"%b %b %b %b %b %b c" % _pdf_numbers(x + hold, top, x, top - hold, x, top - radius),
        b"%b %b l" % _pdf_numbers(x, y + radius),
        b"%b %b %b %b %b %b c h" % _pdf_numbers(x, y + hold, x + hold, y, x + radius, y),
    ]
    return b" ".join(steps)


def _pdf_numbers(*values: float) -> tuple[bytes, ...]:
    return tuple(number(value) for value in values)


def mark_rows(field: Field, wide: float, count: int) -> tuple[Field, list[tuple[Field, int]], float]:
    """Return the place of a title so many points wide, each row with how many boxes it has, and the height of all.

    The places stand from 0 to the right and upwards. The title has a line of its own where fewer rows are enough
    without it.
    """
    begin = wide + _BEHIND_TITLE if wide else 0.0
    beside, across = _to_a_row(field.box.width - begin), max(_to_a_row(field.box.width), 1)
    above = -(-count // beside) > 1 - (-count // across) if beside else True
    begin, each = (0.0, across) if above else (begin, beside)
    sizes = [min(each, count - at) for at in range(0, count, each)]
    lines = len(sizes) + above
    height = lines * field.leading + _ABOVE
    top = height - _ABOVE

    def row(at: int, x: float, tall: float) -> Field:
        y = top - at * field.leading - (field.leading + tall) / 2
        box = Box(x, y, field.box.width - x, tall)
        return replace(field, box=box, border=box, valign="middle", align="left", kind="line")

    rows = [(replace(row(at + above, begin, _SIDE), colour=_GREY), size) for at, size in enumerate(sizes)]
    return row(0, 0.0, field.leading), rows, height


def _to_a_row(width: float) -> int:
    """Return how many boxes a row of that width holds: whole fives, or as many as there is room for."""
    count = 0
    while count * (_SIDE + _GAP) + count // FIVE * _GAP_OF_FIVES + _SIDE <= width:
        count += 1
    return count - count % FIVE if count >= FIVE else count
