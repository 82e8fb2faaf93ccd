"""HTML with inputs to a Form: WeasyPrint lays the page out once, and what it knows of each input becomes a field.

The pages behind the fields become form XObjects with all they use, ready to stand in another file under new numbers.
"""

from __future__ import annotations

import io
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pikepdf

from sheetgen.errors import Place, Problem, quoted
from sheetgen.geometry import POINTS_PER_CSS_PIXEL, Box
from sheetgen.pdf.fonts.bundled import FAMILIES, SANS, SERIF, load_face
from sheetgen.pdf.fonts.face import FaceName
from sheetgen.pdf.form.form import HEADING, PAGE, STANDING, Align, Field, Form, Kind, Shared, Valign

if TYPE_CHECKING:
    from weasyprint import Document


# What ties a page to its own file and means nothing in another.
_LEFT_BEHIND = frozenset({"/Parent", "/StructParent", "/StructParents", "/Metadata", "/PieceInfo", "/LastModified"})
FLOOR = 7.0
TEXTLESS = ("tick", "code", "bar", "squares", "stack", "fill", "place", "picture")
_DRAWN: tuple[Kind, ...] = ("code", "bar", "squares", "stack", "fill", "place", "picture", "over")  # by `data-`
_GENERIC = {"serif": SERIF, "sans-serif": SANS}
_ALIGN: dict[str, Align] = {"right": "right", "end": "right", "center": "center"}
_VALIGN: dict[str, Valign] = {"top": "top", "middle": "middle", "bottom": "bottom"}
_DECIMALS, _LEAST = 3, 1.0  # points of type
_MOST_MOVING = 6  # each one more doubles what is tried for everybody


def backgrounds(data: bytes) -> tuple[tuple[Shared, ...], tuple[int, ...]]:
    """Return the objects that draw the pages of a PDF, numbered from 1, and the number of each page's drawing."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        carrier = _Carrier()
        drawn = tuple(carrier.number(pdf.make_indirect(page.as_form_xobject())) for page in pdf.pages)
        return carrier.carried(), drawn


class _Carrier:
    """Numbers all objects that are reachable from those asked for, and writes each as text and stream."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self._waiting: list[pikepdf.Object] = []

    def number(self, item: pikepdf.Object) -> int:
        """Return the number of an indirect object; one seen for the first time joins those to carry."""
        if item.objgen not in self._numbers:
            self._numbers[item.objgen] = len(self._numbers) + 1
            self._waiting.append(item)
        return self._numbers[item.objgen]

    def carried(self) -> tuple[Shared, ...]:
        """Return all objects in the order of their numbers."""
        done: list[Shared] = []
        while len(done) < len(self._waiting):
            done.append(self._shared(self._waiting[len(done)]))
        return tuple(done)

    def _shared(self, item: pikepdf.Object) -> Shared:
        if not isinstance(item, pikepdf.Stream):
            return Shared(self._serialized(item, top=True))
        stream = item.read_raw_bytes()
        entries = {key: value for key, value in item.stream_dict.items() if key != "/Length"}
        more = b""
        if "/Filter" not in entries:
            stream, more = zlib.compress(stream, 9), b"/Filter /FlateDecode"
        return Shared(self._dictionary(entries, more + b"/Length %d" % len(stream)), stream)

    def _serialized(self, item: object, *, top: bool = False) -> bytes:
        if isinstance(item, pikepdf.Object) and item.is_indirect and not top:
            return b"%d 0 R" % self.number(item)
        if isinstance(item, pikepdf.Array):
            return b"[" + b" ".join(self._serialized(part) for part in item) + b"]"
        if isinstance(item, pikepdf.Dictionary):
            return self._dictionary(dict(item.items()))
        if isinstance(item, pikepdf.String):
            # In hexadecimal, so that no string can look like a reference.
            return b"<" + bytes(item).hex().encode("ascii") + b">"
        return item.unparse() if isinstance(item, pikepdf.Object) else _scalar(item)

    def _dictionary(self, entries: dict[str, pikepdf.Object], more: bytes = b"") -> bytes:
        parts = [
            pikepdf.Name(key).unparse() + b" " + self._serialized(entries[key])
            for key in sorted(entries)
            if key not in _LEFT_BEHIND
        ]
        return b"<<" + b"".join(parts) + more + b">>"


def _scalar(item: object) -> bytes:
    """Return a number, a truth value or nothing, which pikepdf hands out as Python values."""
    match item:
        case None:
            return b"null"
        case bool():
            return b"true" if item else b"false"
        case int() | Decimal():
            return format(item, "f" if isinstance(item, Decimal) else "d").encode("ascii")
    raise TypeError(f"no way to write {type(item).__name__} into a PDF")


def compile_form(html: str, *, root: Path, name: str) -> Form:
    """Return the form in the page: its background without values, and a field for each named input, in reading order.

    Only files below `root` can be used; `name` is what messages call the form. Raises InputError with every problem
    found: those of `flow`, an input without a name, a `data-` attribute that is no number, a font not bundled.
    """
    from sheetgen.pdf.flow import layout  # imports WeasyPrint

    data = b""
    fields: tuple[Field, ...] = ()
    pages: tuple[tuple[float, float], ...] = ()
    resources: tuple[tuple[str, str, str], ...] = ()
    with layout.collect_problems(name) as problems:
        document = layout.lay_out(html, problems, root=root, name=name, forms=True)
        pages = tuple((_points(page.width), _points(page.height)) for page in document.pages)
        fields = tuple(fields_of(document, problems, name=name))
        misfits = (f"input {quoted(field.name)} {what}" for field, what in _misfits(fields))
        problems.extend(Problem(Place(name), said) for said in misfits)
        data = layout.to_pdf(without_widgets(document), problems, name=name)
        resources = tuple(sorted(document.url_fetcher.served))
    shared, drawn = backgrounds(data)
    used = dict.fromkeys(field.face for field in fields if field.kind not in TEXTLESS)
    used |= dict.fromkeys(face.upright for face in used)
    return Form(pages, fields, shared, drawn, tuple(load_face(face) for face in used), resources)


def without_widgets(document: Document) -> Document:
    """Return the same document with its inputs drawn but no longer fields of the PDF."""
    for page in document.pages:
        page.forms = {None: []}
    return document


def fields_of(document: Document, problems: list[Problem], *, name: str) -> list[Field]:
    """Return the field of each input, from WeasyPrint 70's `Page.forms`: lists of (box, rectangle in CSS pixels)."""
    found = []
    for number, page in enumerate(document.pages):
        for inputs in page.forms.values():
            for box, rectangle in inputs:
                reader = _Reader(box, Place(name), problems)
                found.append(reader.field(number, page.height, rectangle))
    return found


def _misfits(fields: Sequence[Field]) -> Iterator[tuple[Field, str]]:
    """Yield the fields that need another one which is not there, each with what is wrong with it."""
    texts = {(each.page, each.name) for each in fields if each.kind not in TEXTLESS}
    columns = {(each.page, each.column) for each in fields if each.kind in STANDING}
    stacks = {(each.page, each.name) for each in fields if each.kind == "stack"}
    blocks = {each.block for each in fields if each.kind not in ("fill", "place")}
    moving = Counter[int]()
    for field in fields:
        moving[field.page] += bool(field.moves)
        if field.moves and moving[field.page] > _MOST_MOVING:
            yield field, f"has data-moves: no more than {_MOST_MOVING} of a page may"
        if field.after and not {(field.page, field.name), (field.page, field.after)} <= texts:
            yield field, f"has data-after={quoted(field.after)}: only text stands behind another text of its page"
        if field.column and (field.page, field.column) not in columns:
            yield field, f"has data-column={quoted(field.column)}, which no <textarea> of its page has"
        if field.kind in ("fill", "place") and field.block not in blocks:
            yield field, f"has data-{field.kind}={quoted(field.block)}, but no data-block is called so"
        for name in field.below:
            if (field.page, name) not in stacks:
                yield field, f"has data-below={quoted(name)}, but no data-stack of its page is called so"


class _Reader:
    """Reads one input; what is wrong with it goes to `problems`."""

    def __init__(self, box: Any, place: Place, problems: list[Problem]) -> None:
        self._box, self._style, self._attributes = box, box.style, box.element.attrib
        self._place, self._problems = place, problems
        self._name = self._attributes.get("name", "").strip()

    def field(self, page: int, height: float, rectangle: tuple[float, float, float, float]) -> Field:
        if not self._name:
            self._fault(f"needs a name (its title is {quoted(self._attributes.get('title', ''))})")
        if self._box.element.tag not in ("input", "textarea"):
            self._fault("may only be an <input> or a <textarea>")
        kind = self._field_kind()
        leading, _ = self._strut()
        size = _points(self._style["font_size"])
        floor = min(max(self._number("data-floor", FLOOR), _LEAST), size)
        self._check_box(rectangle, floor=0 if kind in TEXTLESS else floor)
        if kind not in TEXTLESS and not (size and leading):
            self._fault("has type of no size")
        if kind in TEXTLESS and (self._name in (PAGE, HEADING) or "data-rises" in self._attributes):
            self._fault("may only be text")
        if "data-boxes" in self._attributes and not (kind == "area" and self._attributes.get("data-column")):
            self._fault("has data-boxes: only a <textarea> with data-column can have boxes to mark")
        return Field(
            name=self._name,
            title=self._attributes.get("title", "").strip() or self._name,
            page=page,
            kind=kind,
            box=_box(rectangle, height),
            border=self._border(rectangle, height),
            face=self._face(),
            size=size,
            floor=floor,
            align=_ALIGN.get(self._style["text_align_all"], "left"),
            valign=self._valign("top" if kind == "area" else "middle"),
            leading=leading,
            colour=self._colour(),
            frame=self._number("data-frame", 0.0),
            radius=self._radius(),
            longest=int(self._number("maxlength", 0)),
            value=self._value(kind),
            part=self._attributes.get("data-part", "").strip(),
            column=self._attributes.get("data-column", "").strip(),
            counted="data-counted" in self._attributes,
            spare="data-spare" in self._attributes,
            kept="data-kept" in self._attributes,
            takes="data-takes" in self._attributes,
            boxes=self._attributes.get("data-boxes", ""),
            untitled="data-untitled" in self._attributes,
            plain="data-plain" in self._attributes,
            low="data-low" in self._attributes,
            rises="data-rises" in self._attributes,
            moves=self._attributes.get("data-moves", ""),
            notes=self._attributes.get("data-notes", "").strip(),
            block=self._attributes.get(f"data-{kind}" if kind in ("fill", "place") else "data-block", ""),
            below=tuple(self._attributes.get("data-below", "").split()),
            after=self._attributes.get("data-after", ""),
        )

    def _field_kind(self) -> Kind:
        for kind in _DRAWN:
            if f"data-{kind}" in self._attributes:
                return kind
        if self._box.element.tag == "textarea":
            return "area"
        asked = self._attributes.get("type", "text")
        if asked not in ("text", "checkbox"):
            self._fault(f"has the type {quoted(asked)}: only text and checkbox can be printed")
        return "tick" if asked == "checkbox" else "line"

    def _check_box(self, rectangle: tuple[float, float, float, float], *, floor: float) -> None:
        x1, y1, x2, y2 = rectangle
        if abs(x2 - x1 - self._box.width) > 0.01 or abs(y2 - y1 - self._box.height) > 0.01:
            self._fault("may not be turned or scaled")
        elif _points(y2 - y1) < floor:
            self._fault(f"is {_points(y2 - y1):g} pt high inside, lower than its smallest type of {floor:g} pt")

    def _valign(self, default: Valign) -> Valign:
        asked = self._attributes.get("data-valign", default)
        if asked not in _VALIGN:
            self._fault(f"has data-valign={quoted(asked)}: only {', '.join(_VALIGN)} are known")
        return _VALIGN.get(asked, default)

    def _value(self, kind: Kind) -> str:
        if kind == "tick":
            return "on" if "checked" in self._attributes else ""
        return str(self._attributes.get("data-over" if kind == "over" else "data-value", ""))

    def _border(self, rectangle: tuple[float, float, float, float], height: float) -> Box:
        x1, y1, x2, y2 = rectangle
        box = self._box
        left, top = box.border_left_width + box.padding_left, box.border_top_width + box.padding_top
        right, bottom = box.border_right_width + box.padding_right, box.border_bottom_width + box.padding_bottom
        return _box((x1 - left, y1 - top, x2 + right, y2 + bottom), height)

    def _face(self) -> FaceName:
        families = [_GENERIC.get(family, family) for family in self._style["font_family"]]
        family = next((family for family in families if family in FAMILIES), "")
        if families[0] != family:
            self._fault(f"is set in {quoted(families[0])}: values need one of {', '.join(FAMILIES)}")
        return FaceName(family or SERIF, self._style["font_weight"], self._style["font_style"] != "normal")

    def _strut(self) -> tuple[float, float]:
        from weasyprint.text.line_break import strut

        height, baseline = strut(self._style)
        return _points(height), _points(baseline)

    def _colour(self) -> tuple[float, float, float]:
        red, green, blue = self._style["color"].to("srgb").coordinates[:3]
        return round(red, _DECIMALS), round(green, _DECIMALS), round(blue, _DECIMALS)

    def _radius(self) -> float:
        across, along = self._box.border_top_left_radius
        return _points(min(across, along))

    def _number(self, attribute: str, default: float) -> float:
        text = self._attributes.get(attribute, "").strip()
        try:
            number = float(text) if text else default
        except ValueError:
            number = -1.0
        if not 0 <= number <= 1000:
            self._fault(f"has {attribute}={quoted(text)}, which is no number from 0 to 1000")
            return default
        return number

    def _fault(self, what: str) -> None:
        self._problems.append(Problem(self._place, f"input {quoted(self._name)} {what}"))


def _box(rectangle: tuple[float, float, float, float], height: float) -> Box:
    """Return the box in points from the lower left of a rectangle in CSS pixels from the upper left."""
    x1, y1, x2, y2 = rectangle
    return Box(_points(x1), _points(height - y2), _points(x2 - x1), _points(y2 - y1))


def _points(pixels: float) -> float:
    return round(pixels * POINTS_PER_CSS_PIXEL, _DECIMALS)
