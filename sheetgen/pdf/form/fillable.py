"""The fillable sheet: a compiled form with its fields kept as fields that a PDF reader can type into.

WeasyPrint writes such fields without appearance or alignment and embeds whole fonts for them. Here every widget has an
appearance, so that all readers show the same, and each face is cut to Latin, Greek and Cyrillic letters.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from sheetgen.errors import SheetgenError
from sheetgen.geometry import Box
from sheetgen.pdf.fonts.embedding import embed
from sheetgen.pdf.fonts.face import FaceName
from sheetgen.pdf.form.compositor import CONTINUED, Row, section_text
from sheetgen.pdf.form.field_text import LineSetter, check, check_mark, cleaned, fitted_in, frame
from sheetgen.pdf.form.form import Field, Form, write_shared
from sheetgen.pdf.writer import PageTree, Writer, finish, literal, number, words

# What can be typed: Latin with its extensions A, modern Greek, Cyrillic, the punctuation and signs of ordinary text.
_RANGES = ((0x20, 0x17F), (0x218, 0x21B), (0x384, 0x3CE), (0x400, 0x45F), (0x490, 0x491), (0x2010, 0x203A))
_SIGNS = "€№™←↑→↓−×≈≠≤≥½⅓⅔¼¾✓●○■□"
LETTERS = frozenset({chr(code) for first, last in _RANGES for code in range(first, last + 1)} | set(_SIGNS))

_PRINTED = 1 << 2
_MULTILINE, _UNSCROLLED = 1 << 12, 1 << 23
_QUADDING = {"left": 0, "center": 1, "right": 2}


def continued(form: Form, more: Form, row: Row) -> Form:
    """Return the form with continuation pages behind it for what it has no field for, each text in a field of its own.

    Raises Unprintable for a character that the face of the text lacks.
    """
    area = next(field for field in more.fields if field.name == CONTINUED)
    text = cleaned(section_text(row.unplaced), area)
    number = 0
    while text:
        number += 1
        face = more.face_for(area.face, text.replace("\n", ""))
        check(area, face, text)
        rest = fitted_in(area, face, text, mark="").rest
        if len(rest) >= len(text):
            raise SheetgenError("the continuation form has no room for a line of text")
        values = {**row.values, CONTINUED: text.removesuffix(rest).rstrip()}
        fields = (replace(field, value=values.get(field.name, "")) for field in more.fields)
        named = (replace(field, name=f"continued.{number}") if field.name == CONTINUED else field for field in fields)
        form, text = form.followed_by(replace(more, fields=tuple(named))), rest
    return form


def fillable_form(form: Form, *, title: str, author: str, language: str = "en") -> bytes:
    """Return a compiled form as a PDF to type into, in the order of its fields.

    Raise Unprintable for a value that its face cannot show.
    """
    parts: list[bytes] = []
    writer = Writer(parts.append)
    backgrounds = write_shared(writer, form.shared, form.backgrounds)
    pages = [writer.reserve() for _ in form.pages]
    letters = LETTERS.union(*(field.value for field in form.fields))
    fonts = {face.name: b"/F%d" % index for index, face in enumerate(form.faces)}
    names = [
        b"%b %d 0 R" % (fonts[face.name], embed(writer, face, letters & face.glyphs.keys())) for face in form.faces
    ]
    dingbats = writer.pack(b"<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>")
    resources = writer.pack(b"<</Font<<%b/ZaDb %d 0 R>>>>" % (b"".join(names), dingbats))
    widget_writer = _WidgetWriter(writer, form, fonts, resources, pages)
    widgets, fields = widget_writer.widgets()
    tree = PageTree(writer)
    contents = writer.stream(b"/B Do")
    for at, (page, (width, height), drawn) in enumerate(zip(pages, form.pages, backgrounds, strict=True)):
        about = b"/MediaBox[0 0 %b %b]/Resources<</XObject<</B %d 0 R>>>>" % (number(width), number(height), drawn)
        on_page = [widget for field, widget in zip(form.fields, widgets, strict=True) if field.page == at]
        tree.add(about + b"/Contents %d 0 R/Tabs/A/Annots[%b]" % (contents, _references(on_page)), page)
    entries = b"/AcroForm<</Fields[%b]/DR %d 0 R/NeedAppearances false>>" % (_references(fields), resources)
    finish(writer, tree.close(b""), title=title, author=author, language=language, entries=entries)
    return b"".join(parts)


class _WidgetWriter:
    """Writes the widgets of a form; those of one name become one field."""

    def __init__(
        self, writer: Writer, form: Form, fonts: dict[FaceName, bytes], resources: int, pages: list[int]
    ) -> None:
        self._writer, self._form, self._fonts, self._resources, self._pages = writer, form, fonts, resources, pages

    def widgets(self) -> tuple[list[int], list[int]]:
        """Return the number of each field's widget in the form's order, and the numbers of the fields of the dialog."""
        numbers: dict[str, list[int]] = {name: [] for name in self._form.names}
        several = Counter(field.name for field in self._form.fields)
        parents = {name: self._writer.reserve() for name, count in several.items() if count > 1}
        widgets = []
        for field in self._form.fields:
            parent = parents.get(field.name, 0)
            tie = b"/Parent %d 0 R" % parent if parent else _field_entries(field)
            widget = self._writer.pack(b"<</Type/Annot/Subtype/Widget%b%b>>" % (self._widget_entries(field), tie))
            numbers[field.name].append(widget)
            widgets.append(widget)
        for field in self._form.fields:
            if parent := parents.pop(field.name, 0):
                entries = _field_entries(field) + self._style(field)
                self._writer.pack(b"<<%b/Kids[%b]>>" % (entries, _references(numbers[field.name])), parent)
                numbers[field.name] = [parent]
        return widgets, [number for found in numbers.values() for number in found]

    def _widget_entries(self, field: Field) -> bytes:
        box = field.border if field.kind == "tick" else field.box
        rectangle = b" ".join([number(edge) for edge in (box.x, box.y, box.right, box.top)])
        about = b"/Rect[%b]/P %d 0 R/F %d/BS<</W 0>>" % (rectangle, self._pages[field.page], _PRINTED)
        if field.kind == "tick":
            here = _at_origin(field, box)
            mark = frame(here) if field.frame else check_mark(here)
            on, off = self._appearance(field, box, mark), self._appearance(field, box, b"")
            state = b"/On" if field.value else b"/Off"
            return about + b"%b/MK<</CA(4)>>/AS%b/AP<</N<</On %d 0 R/Off %d 0 R>>>>" % (
                self._style(field),
                state,
                on,
                off,
            )
        drawn = self._appearance(field, box, b"/Tx BMC\n%bEMC" % self._text(field, box))
        return about + self._style(field) + b"/AP<</N %d 0 R>>" % drawn

    def _style(self, field: Field) -> bytes:
        """Return how a reader sets what is typed."""
        if field.kind == "tick":
            return b"/DA(/ZaDb 0 Tf 0 g)"
        colour = b" ".join([number(part) for part in field.colour])
        style = b"%b %b Tf %b rg" % (self._fonts[field.face], number(field.size), colour)
        return b"/DA%b/Q %d" % (literal(style), _QUADDING[field.align])

    def _text(self, field: Field, box: Box) -> bytes:
        text = cleaned(field.value, field)
        if not text:
            return b""
        face = self._form.face_for(field.face, text.replace("\n", ""))
        check(field, face, text)
        fitted = fitted_in(field, face, text)
        if not fitted.lines:
            return b""
        return b"q\n%bQ\n" % LineSetter(_at_origin(field, box), face, self._fonts[face.name]).set_lines(fitted)

    def _appearance(self, field: Field, box: Box, drawing: bytes) -> int:
        """Return a stream for this widget alone: what fills a form in replaces the stream of that number."""
        about = b"/Type/XObject/Subtype/Form/BBox[0 0 %b %b]" % (number(box.width), number(box.height))
        if field.kind != "tick":
            about += b"/Resources %d 0 R" % self._resources
        return self._writer.stream(drawing, about)


def _field_entries(field: Field) -> bytes:
    about = b"/T%b/TU%b" % (words(field.name), words(field.title))
    if field.kind == "tick":
        return about + b"/FT/Btn/V%b" % (b"/On" if field.value else b"/Off")
    flags = _UNSCROLLED | (_MULTILINE if field.kind == "area" else 0)
    longest = b"/MaxLen %d" % field.longest if field.longest else b""
    return about + b"/FT/Tx/Ff %d%b/V%b" % (flags, longest, words(cleaned(field.value, field)))


def _at_origin(field: Field, box: Box) -> Field:
    """Return the field as its appearance stream sees it: the lower left of its widget is the origin."""
    inner, outer = (replace(each, x=each.x - box.x, y=each.y - box.y) for each in (field.box, field.border))
    return replace(field, box=inner, border=outer)


def _references(numbers: list[int]) -> bytes:
    return b" ".join([b"%d 0 R" % number for number in numbers])
