"""Somebody's form printed flat: its pages once for each of the people, answers and all, and no form any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name, Object

from sheetgen.model.acroform import OFF
from sheetgen.pdf.acroform.field_tree import DEEPEST
from sheetgen.pdf.acroform.field_values import Desk, Shortfall, pictured
from sheetgen.pdf.acroform.fill import Answers, Faces, answered, clean, saved
from sheetgen.pdf.acroform.reader import fields_of
from sheetgen.pdf.acroform.tolerant_access import array, dictionaries, inside, number, whole
from sheetgen.pdf.fonts.user_font import AddedFont

_HIDDEN, _PRINTED = (1 << 1) | (1 << 5), 1 << 2
_PAGE_KEYS = ("/MediaBox", "/CropBox", "/Rotate", "/UserUnit", "/TrimBox", "/BleedBox")
_LABEL = 12
_OF_THE_PAGES = (
    "/StructTreeRoot",
    "/MarkInfo",
    "/Outlines",
    "/Names",
    "/Dests",
    "/OpenAction",
    "/PageLabels",
    "/Threads",
)


def flattened(
    source: pikepdf.Pdf,
    shown: str,
    people: Sequence[tuple[str, Answers]],
    faces: Faces,
    *,
    added: Sequence[AddedFont] = (),
) -> tuple[bytes, tuple[tuple[Shortfall, ...], ...]]:
    """The pages once for each of the people, given by title and answers; and for each what found no room.

    With several people each has a bookmark.
    """
    clean(source)
    found, desk = fields_of(source, shown), Desk(source, faces, added)
    count, told = len(source.pages), []
    forms = [_form(source, page) for page in source.pages]
    listed = [dictionaries(page.obj.get("/Annots")) for page in source.pages]
    for _, answers in people:
        desk.shortfalls = []
        now: dict[tuple[int, int], Object | None] = {}
        for answer in answered(desk, found, answers):
            now.update({widget.objgen: _picture(widget, made, state) for widget, made, state in answer.shown})
        for at in range(count):
            drawings = [drawn for each in listed[at] for drawn in _drawn(each, now)]
            _add_page(source, source.pages[at].obj, forms[at], drawings)
        told.append(tuple(desk.shortfalls))
    _drop_fields(source, count)
    if len(people) > 1:
        with source.open_outline() as outline:
            outline.root.extend(pikepdf.OutlineItem(title, at * count, "Fit") for at, (title, _) in enumerate(people))
    return saved(source, desk), tuple(told)


def labelled(source: pikepdf.Pdf, shown: str, faces: Faces) -> bytes:
    """The pages with the name of each field in it; for a button the end of it, or what it stands for, in red."""
    clean(source)
    found, desk = fields_of(source, shown), Desk(source, faces)
    pages = list(source.pages)
    drawings: list[list[tuple[bytes, Object]]] = [[] for _ in pages]
    for each in found:
        blank = each.blank
        answer = desk.answer(each, blank.name) if blank.kind in ("line", "area") else None
        for at, (spot, widget) in enumerate(zip(blank.spots, each.widgets, strict=True)):
            if answer is not None and isinstance(picture := answer.shown[at][1], pikepdf.Stream):
                drawings[spot.page].append((_placing(picture, [number(edge) for edge in array(widget.Rect)]), picture))
            elif answer is None:
                label = spot.state if blank.kind == "radio" else blank.name.split()[-1][-_LABEL:]
                picture, width, height = desk.label(label)
                place = [spot.box.x, spot.box.y, spot.box.x + width, spot.box.y + height]
                drawings[spot.page].append((_placing(picture, place), picture))
    for page, drawn in zip(pages, drawings, strict=True):
        _add_page(source, page.obj, _form(source, page), drawn)
    _drop_fields(source, len(pages))
    return saved(source, desk)


def _drop_fields(source: pikepdf.Pdf, count: int) -> None:
    """Takes out the first pages, which had the fields, and what belongs to them."""
    del source.pages[:count]
    for key in ("/AcroForm", *_OF_THE_PAGES):
        if key in source.Root:
            del source.Root[key]


def _form(source: pikepdf.Pdf, page: pikepdf.Page) -> Object:
    """The page as something to be drawn on others, whole."""
    form = source.make_indirect(page.as_form_xobject(handle_transformations=False))
    form.BBox = Array([float(each) for each in page.mediabox])
    return form


def _picture(widget: Object, picture: Object | None, state: str) -> Object | None:
    """The stream that an answer shows on a widget."""
    if picture is None:
        drawn = inside(widget, "/AP", "/N", f"/{state or OFF}")
    else:
        drawn = picture.get(f"/{state or OFF}") if isinstance(picture, Dictionary) else picture
    return drawn if isinstance(drawn, pikepdf.Stream) else None


def _drawn(widget: Object, now: Mapping[tuple[int, int], Object | None]) -> Iterator[tuple[bytes, Object]]:
    """The matrix and the picture of what an annotation shows on paper; nothing if it shows nothing there."""
    flags, is_answered = whole(widget.get("/F")), widget.objgen in now
    if flags & _HIDDEN or not (flags & _PRINTED or is_answered) or widget.get("/Subtype") in (Name.Popup, Name.Link):
        return
    picture = now[widget.objgen] if is_answered else next(pictured(widget), None)
    place = [number(each) for each in array(widget.get("/Rect"))]
    if picture is not None and len(place) == 4:
        yield _placing(picture, place), picture


def _placing(picture: Object, place: Sequence[float]) -> bytes:
    """What moves a picture into its place (ISO 32000-1, 12.5.5): its box, turned by its own matrix, fills it."""
    x1, y1, x2, y2 = (number(each) for each in array(picture.get("/BBox")))
    a, b, c, d, e, f = [number(each) for each in array(picture.get("/Matrix"))] or (1, 0, 0, 1, 0, 0)
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in (x1, x2) for y in (y1, y2)]
    left, low = min(x for x, _ in corners), min(y for _, y in corners)
    width, height = max(x for x, _ in corners) - left, max(y for _, y in corners) - low
    across = abs(place[2] - place[0]) / width if width else 1.0
    along = abs(place[3] - place[1]) / height if height else 1.0
    x, y = min(place[0], place[2]) - left * across, min(place[1], place[3]) - low * along
    return b" ".join([b"%.5g 0 0 %.5g" % (across, along), b"%.2f %.2f cm" % (x, y)])


def _add_page(source: pikepdf.Pdf, like: Object, form: Object, drawings: Sequence[tuple[bytes, Object]]) -> None:
    """Adds a page that shows a form and, over it, the pictures in their places."""
    drawn = Dictionary(P=form)
    parts = [b"q /P Do Q\n"]
    for at, (matrix, picture) in enumerate(drawings):
        drawn[f"/A{at}"] = picture
        parts.append(b"q %b /A%d Do Q\n" % (matrix, at))
    page = Dictionary(Type=Name.Page, Resources=Dictionary(XObject=drawn))
    page.MediaBox = Array([0, 0, 612, 792])
    for key in _PAGE_KEYS:
        value = _inherited(like, key)
        if value is not None:
            page[key] = value
    page.Contents = source.make_stream(b"".join(parts))
    source.pages.append(pikepdf.Page(source.make_indirect(page)))


def _inherited(page: Object, key: str) -> Object | None:
    """What a page has of this, itself or from above."""
    for _ in range(DEEPEST):
        if key in page:
            return page[key]
        above = page.get("/Parent")
        if not isinstance(above, Dictionary):
            break
        page = above
    return None
