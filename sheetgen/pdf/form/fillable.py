"""The fillable sheet: a compiled form with its fields kept as fields that a PDF reader can type into.

WeasyPrint writes such fields without appearance or alignment and embeds whole fonts for them. Here every widget has an
appearance, so that all readers show the same, and each face is cut to Latin, Greek and Cyrillic letters.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from sheetgen.errors import SheetgenError
from sheetgen.geometry import Box
from sheetgen.pdf.fonts.embedding import embed_used
from sheetgen.pdf.fonts.face import FaceName
from sheetgen.pdf.form.compositor import Row
from sheetgen.pdf.form.field_text import LineSetter, check, check_mark, cleaned, fitted_in, frame
from sheetgen.pdf.form.form import CONTINUED, HEADING, PAGE, PART, Field, Form, write_shared
from sheetgen.pdf.form.page_numbers import PageNumbers, places_in
from sheetgen.pdf.writer import PageTree, Ref, Writer, finish, literal, media_box, number, pdf_dict, pdf_value, words

# What can be typed: Latin with its extensions A, modern Greek, Cyrillic, the punctuation and signs of ordinary text.
_RANGES = ((0x20, 0x17F), (0x218, 0x21B), (0x384, 0x3CE), (0x400, 0x45F), (0x490, 0x491), (0x2010, 0x203A))
_SIGNS = "€№™←↑→↓−×≈≠≤≥½⅓⅔¼¾✓●○■□"
LETTERS = frozenset({chr(code) for first, last in _RANGES for code in range(first, last + 1)} | set(_SIGNS))

_PRINTED = 1 << 2
_MULTILINE, _UNSCROLLED = 1 << 12, 1 << 23
_QUADDING = {"left": 0, "center": 1, "right": 2}


def continued(form: Form, more: Form, row: Row) -> Form:
    """Return the form with continuation pages behind it for what it has no field for: a field each, under its title.

    Raises Unprintable for a character that the face of the text lacks.
    """
    area = next(field for field in more.fields if field.name == CONTINUED)
    heading = next((field for field in more.fields if field.name == HEADING), None)
    others = [field for field in more.fields if field.name not in (CONTINUED, HEADING, PART)]
    left = [(title, cleaned(text if heading else f"{title}: {text}", area)) for title, text in row.unplaced]
    above = heading.border.height if heading else 0.0
    at = 0
    while left:
        placed = [replace(field, value=row.values.get(field.name, "")) for field in others]
        y = area.box.top
        while left and y - above - area.box.y >= min(2 * area.leading, area.box.height - above):
            (title, text), y, at = left.pop(0), y - above, at + 1
            face = more.face_for(area.face, text.replace("\n", ""))
            check(area, face, text)
            room = replace(area, box=_below(area.box, y, y - area.box.y), floor=area.size)
            fitted = fitted_in(room, face.width, text, mark="")
            if len(fitted.rest) >= len(text):
                raise SheetgenError("the continuation form has no room for a line of text")
            box = _below(area.box, y, min((len(fitted.lines) + 0.6) * area.leading, y - area.box.y))
            if heading:
                over = _below(area.box, y + above, above)
                placed.append(replace(heading, name=f"continued.{at}.title", value=title, box=over, border=over))
            said = text.removesuffix(fitted.rest).rstrip()
            placed.append(replace(room, name=f"continued.{at}", title=title, value=said, box=box, border=box))
            y = box.y - area.leading / 2
            if fitted.rest:
                left.insert(0, (title, fitted.rest))
                break
        form = form.followed_by(replace(more, fields=tuple(placed)))
    return form


def _below(box: Box, top: float, height: float) -> Box:
    """Return a part of a box by its upper edge and height."""
    return Box(box.x, top - height, box.width, height)


def fillable_form(form: Form, *, title: str, author: str) -> bytes:
    """Return a compiled form as a PDF to type into, in the order of its fields.

    Raise Unprintable for a value that its face cannot show.
    """
    numbered = places_in([form], {b"/F%d" % index: face for index, face in enumerate(form.faces)})
    form = replace(form, fields=tuple(field for field in form.fields if field.name != PAGE))
    parts: list[bytes] = []
    writer = Writer(parts.append)
    backgrounds = write_shared(writer, form.shared, form.backgrounds)
    pages = [writer.reserve() for _ in form.pages]
    letters = LETTERS.union(*(field.value for field in form.fields))
    fonts = {face.name: b"/F%d" % index for index, face in enumerate(form.faces)}
    named = {fonts[face.name]: face for face in form.faces}
    embedded = embed_used(writer, named, {}, {font: letters & face.glyphs.keys() for font, face in named.items()})
    dingbats = Ref(writer.pack(pdf_dict(Type="Font", Subtype="Type1", BaseFont="ZapfDingbats")))
    resources = Ref(writer.pack(pdf_dict(Font={**embedded, "ZaDb": dingbats})))
    widget_writer = _WidgetWriter(writer, form, fonts, resources, pages)
    widgets, fields = widget_writer.widgets()
    tree = PageTree(writer)
    numbers = PageNumbers(writer, numbered)
    contents = writer.stream(b"/B Do\n")
    for at, (page, size, drawn) in enumerate(zip(pages, form.pages, backgrounds, strict=True)):
        about = b"%b/Resources%b" % (media_box(*size), pdf_dict(Font=embedded, XObject={"B": Ref(drawn)}))
        on_page = [widget for field, widget in zip(form.fields, widgets, strict=True) if field.page == at]
        shown = (contents, numbers.on(at, at + 1), pdf_value(on_page))
        tree.add(about + b"/Contents[%d 0 R%b]/Tabs/A/Annots%b" % shown, page)
    numbers.close(len(form.pages), {})
    acroform = dict(Fields=fields, DR=resources, NeedAppearances=False)
    finish(writer, tree.close(b""), title=title, author=author, AcroForm=acroform)
    return b"".join(parts)


class _WidgetWriter:
    """Writes the widgets of a form; those of one name become one field."""

    def __init__(
        self, writer: Writer, form: Form, fonts: dict[FaceName, bytes], resources: Ref, pages: list[int]
    ) -> None:
        self._writer, self._form, self._fonts, self._resources, self._pages = writer, form, fonts, resources, pages

    def widgets(self) -> tuple[list[Ref], list[Ref]]:
        """Return the number of each field's widget in the form's order, and the numbers of the fields of the dialog."""
        numbers: dict[str, list[Ref]] = {name: [] for name in self._form.names}
        several = Counter(field.name for field in self._form.fields)
        parents = {name: Ref(self._writer.reserve()) for name, count in several.items() if count > 1}
        widgets = []
        for field in self._form.fields:
            tie = {"Parent": parents[field.name]} if field.name in parents else _field_entries(field)
            entries = {**self._widget_entries(field), **self._style(field), **tie}
            widget = Ref(self._writer.pack(pdf_dict(Type="Annot", Subtype="Widget", **entries)))
            numbers[field.name].append(widget)
            widgets.append(widget)
        for field in self._form.fields:
            if parent := parents.pop(field.name, None):
                entries = {**_field_entries(field), **self._style(field)}
                self._writer.pack(pdf_dict(**entries, Kids=numbers[field.name]), parent)
                numbers[field.name] = [parent]
        return widgets, [number for found in numbers.values() for number in found]

    def _widget_entries(self, field: Field) -> dict[str, object]:
        box = field.border if field.kind == "tick" else field.box
        about = dict(Rect=box.corners, P=Ref(self._pages[field.page]), F=_PRINTED, BS={"W": 0})
        if field.kind != "tick":
            return {
                **about,
                "AP": {"N": self._appearance(field, box, b"/Tx BMC\n%bEMC" % self._appearance_text(field, box))},
            }
        here = _at_origin(field, box)
        mark = frame(here) if field.frame else check_mark(here)
        states = {"On": self._appearance(field, box, mark), "Off": self._appearance(field, box, b"")}
        return {**about, "MK": {"CA": b"(4)"}, "AS": _state(field), "AP": {"N": states}}

    def _style(self, field: Field) -> dict[str, object]:
        """Return how a reader sets what is typed."""
        if field.kind == "tick":
            return {"DA": b"(/ZaDb 0 Tf 0 g)"}
        colour = b" ".join([number(part) for part in field.colour])
        style = b"%b %b Tf %b rg" % (self._fonts[field.face], number(field.size), colour)
        return {"DA": literal(style), "Q": _QUADDING[field.align]}

    def _appearance_text(self, field: Field, box: Box) -> bytes:
        text = cleaned(field.value, field)
        if not text:
            return b""
        face = self._form.face_for(field.face, text.replace("\n", ""))
        check(field, face, text)
        fitted = fitted_in(field, face.width, text)
        if not fitted.lines:
            return b""
        return b"q\n%bQ\n" % LineSetter(_at_origin(field, box), face, self._fonts[face.name]).set_lines(fitted)

    def _appearance(self, field: Field, box: Box, drawing: bytes) -> Ref:
        """Return a stream for this widget alone: what fills a form in replaces the stream of that number."""
        about = b"/Type/XObject/Subtype/Form/BBox[0 0 %b %b]" % (number(box.width), number(box.height))
        if field.kind != "tick":
            about += b"/Resources %d 0 R" % self._resources
        return Ref(self._writer.stream(drawing, about))


def _field_entries(field: Field) -> dict[str, object]:
    about = dict(T=words(field.name), TU=words(field.title))
    if field.kind == "tick":
        return {**about, "FT": "Btn", "V": _state(field)}
    flags = _UNSCROLLED | (_MULTILINE if field.kind == "area" else 0)
    value = words(cleaned(field.value, field))
    return {**about, "FT": "Tx", "Ff": flags, "MaxLen": field.longest or None, "V": value}


def _state(field: Field) -> str:
    return "On" if field.value else "Off"


def _at_origin(field: Field, box: Box) -> Field:
    """Return the field as its appearance stream sees it: the lower left of its widget is the origin."""
    inner, outer = (replace(each, x=each.x - box.x, y=each.y - box.y) for each in (field.box, field.border))
    return replace(field, box=inner, border=outer)
