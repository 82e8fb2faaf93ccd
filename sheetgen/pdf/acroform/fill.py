"""A given form with answers in it: still fillable, or flattened with its pages once for each person.

What could act on its own goes: scripts, links that lead outside, attachments, calculations, XFA, usage rights. The same
answers make the same bytes.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import pikepdf
from pikepdf import Array, Dictionary, FormFieldFlag, Matrix, Name, Object, Rectangle, String
from pikepdf.sanitize import Sanitizer

from sheetgen.errors import InputError, Place, Problem, quoted
from sheetgen.model.acroform import OFF, Acroform
from sheetgen.pdf.acroform.field_values import FieldAnswer, FieldEditor, Shortfall, appearances_shown, faces_for
from sheetgen.pdf.acroform.reader import (
    HIDDEN,
    PRINTED,
    FormField,
    array,
    dictionaries,
    fields_of,
    fields_on_pages,
    inside,
    lineage,
    number,
    whole,
)
from sheetgen.pdf.fonts.embedding import embed_used
from sheetgen.pdf.fonts.face import AddedFont, Face, FaceName
from sheetgen.pdf.writer import PageTree, Writer, finish, media_box, pdf_dict

_RICH = int(FormFieldFlag.tx_rich_text)
_PAGE_KEYS = ("/MediaBox", "/CropBox", "/Rotate", "/UserUnit", "/TrimBox", "/BleedBox")
_LABEL = 12
IDENTITY = (1, 0, 0, 1, 0, 0)
_OF_THE_PAGES = ("/StructTreeRoot", "/MarkInfo", "/Outlines", "/Names", "/Dests", "/OpenAction", "/PageLabels")

Answers = Mapping[str, str]
Faces = Mapping[FaceName, Face]


def fill_form(
    source: pikepdf.Pdf, shown: str, answers: Answers, faces: Faces, *, added: Sequence[AddedFont] = ()
) -> tuple[bytes, tuple[Shortfall, ...]]:
    """Return the form with these answers by field name, still a form, and what found no room; InputError as `read`.

    The fonts `added` set what the faces lack.
    """
    _sanitize(source)
    found, editor = fields_of(source, shown), FieldEditor(source, faces, added)
    for answer in _answers(editor, found, answers):
        _write_answer(answer)
    _settle(source, editor, found)
    return _saved(source, editor), tuple(editor.shortfalls)


def draw_values(source: pikepdf.Pdf, shown: str, load: Callable[[FaceName, Iterable[str]], Face]) -> None:
    """Give every field whose value has no picture in the file one, in our faces, which `load` returns for letters.

    Where the form asks viewers to draw all texts anew (NeedAppearances), they are drawn, too. InputError with the name
    of each field whose value cannot be drawn whole, and for a form that only Adobe’s own reader shows.
    """
    wanted = [each for each in fields_on_pages(source, shown) if each.blank.value and each.blank.unseen]
    letters = {char for each in wanted for char in each.blank.value}
    letters.update(char for each in wanted for _, shown_as in each.blank.options for char in shown_as)
    form = Acroform(len(source.pages), tuple(each.blank for each in wanted))
    editor = FieldEditor(source, {name: load(name, letters) for name in faces_for(form)})
    for each in wanted:
        answer = editor.drawn(each)
        if answer is not None:
            _write_answer(answer)
    if editor.shortfalls:
        way_out = "print the form to a new PDF first, in the program that shows it"
        problems = (f"field {quoted(each.name)}: {each.message}; {way_out}" for each in editor.shortfalls)
        raise InputError(tuple(Problem(Place(shown), each) for each in problems))
    _embed_faces(source, editor)
    source.Root.AcroForm.NeedAppearances = False


def _sanitize(source: pikepdf.Pdf) -> None:
    """Remove what acts on its own, and what forbids to change the form."""
    scrub = Sanitizer().remove_javascript().remove_external_access().remove_attachments().remove_multimedia()
    scrub.apply(source)
    for key in ("/Perms", "/NeedsRendering"):
        if key in source.Root:
            del source.Root[key]


def _answers(editor: FieldEditor, found: Iterable[FormField], answers: Answers) -> list[FieldAnswer]:
    """Return the answers that fields take, and what has to be drawn of fields that stay as they are."""
    made = []
    for each in found:
        name = each.blank.name
        answer = editor.answer(each, answers[name]) if name in answers else None
        answer = answer if answer is not None else editor.complete(each)
        if answer is not None:
            made.append(answer)
    return made


def _write_answer(answer: FieldAnswer) -> None:
    """Write an answer into the dictionaries of its field and widgets."""
    for home in answer.found.homes:
        home.V = answer.value
        for key in ("/RV", "/DS", "/I", "/TI"):
            if key in home:
                del home[key]
        if "/Ff" in home:
            home.Ff = whole(home.Ff) & ~_RICH
        if answer.chosen >= 0:
            home.I, home.TI = Array([answer.chosen]), answer.first
    for widget, picture, state in answer.shown:
        if picture is not None:
            widget.AP = Dictionary(N=picture)
        if state:
            widget.AS = Name(f"/{state}")


def _settle(source: pikepdf.Pdf, editor: FieldEditor, found: Iterable[FormField]) -> None:
    """Make every reader show the form as it is: nothing to draw anew or to calculate, no XFA, all fields listed."""
    form = source.Root.AcroForm
    for key in ("/XFA", "/CO", "/SigFlags"):
        if key in form:
            del form[key]
    form.NeedAppearances = False
    if "/DA" not in form:
        form.DA = String("/Helv 0 Tf 0 g")
        _font_to_type_in(form)
    listed = form.get("/Fields")
    if not isinstance(listed, Array):
        form.Fields = listed = Array()
    known = {each.objgen for each in dictionaries(listed)}
    for each in found:
        for home in each.homes:
            top = list(lineage(home))[-1]
            if top.objgen not in known:
                known.add(top.objgen)
                listed.append(top)


def _font_to_type_in(form: Object) -> None:
    """Add the font that readers type in where a form names none."""
    if not isinstance(form.get("/DR"), Dictionary):
        form.DR = Dictionary()
    if not isinstance(form.DR.get("/Font"), Dictionary):
        form.DR.Font = Dictionary()
    if "/Helv" not in form.DR.Font:
        helvetica = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        helvetica.Encoding = Name.WinAnsiEncoding
        form.DR.Font.Helv = helvetica


def _saved(source: pikepdf.Pdf, editor: FieldEditor) -> bytes:
    """Return the bytes of the file, with the faces of its answers, cut to the letters used."""
    out = io.BytesIO()
    _embed_faces(source, editor)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pikepdf.exceptions.PageCopyWarning)  # of widgets that have no name
        save = partial(source.save, object_stream_mode=pikepdf.ObjectStreamMode.generate, encryption=False)
        save(out, deterministic_id=True)
    return out.getvalue()


def _embed_faces(source: pikepdf.Pdf, editor: FieldEditor) -> None:
    """Add the faces that answers are set in, cut to their letters."""
    with pikepdf.open(io.BytesIO(_font_file(editor))) as holder:
        fonts = holder.pages[0].obj.Resources.Font
        for name in sorted(fonts.keys()):  # a set: its order is another one in every process
            editor.resources.Font[name] = source.copy_foreign(fonts[name])


def _font_file(editor: FieldEditor) -> bytes:
    """Return a PDF of one empty page whose resources are the fonts that are needed."""
    parts: list[bytes] = []
    writer = Writer(parts.append)
    fonts = embed_used(writer, editor.fonts, editor.added, editor.letters)
    pages = PageTree(writer)
    pages.add(b"%b/Resources%b" % (media_box(9, 9), pdf_dict(Font=fonts)))
    finish(writer, pages.close(b""), title="", author="")
    return b"".join(parts)


def flatten_form(
    source: pikepdf.Pdf,
    shown: str,
    people: Sequence[tuple[str, Answers]],
    faces: Faces,
    *,
    added: Sequence[AddedFont] = (),
) -> tuple[bytes, tuple[tuple[Shortfall, ...], ...]]:
    """Return the pages once for each of the people, who have a title and answers, and for each what found no room.

    With several people each has a bookmark.
    """
    _sanitize(source)
    found, editor = fields_of(source, shown), FieldEditor(source, faces, added)
    count, shortfalls = len(source.pages), []
    forms = [_form(source, page) for page in source.pages]
    listed = [dictionaries(page.obj.get("/Annots")) for page in source.pages]
    for _, answers in people:
        editor.shortfalls = []
        now: dict[tuple[int, int], Object | None] = {}
        for answer in _answers(editor, found, answers):
            now.update({widget.objgen: _shown_stream(widget, made, state) for widget, made, state in answer.shown})
        for at in range(count):
            drawings = [drawn for each in listed[at] for drawn in _appearances_of(each, now)]
            _add_page(source, source.pages[at].obj, forms[at], drawings)
        shortfalls.append(tuple(editor.shortfalls))
    _drop_fields(source, count)
    if len(people) > 1:
        with source.open_outline() as outline:
            outline.root.extend(pikepdf.OutlineItem(title, at * count, "Fit") for at, (title, _) in enumerate(people))
    return _saved(source, editor), tuple(shortfalls)


def label_fields(source: pikepdf.Pdf, shown: str, faces: Faces) -> bytes:
    """Return the pages with the name of each field in its place, for buttons its end, or their state, in red."""
    _sanitize(source)
    found, editor = fields_of(source, shown), FieldEditor(source, faces)
    pages = list(source.pages)
    drawings: list[list[tuple[bytes, Object]]] = [[] for _ in pages]
    for each in found:
        blank = each.blank
        answer = editor.answer(each, blank.name) if blank.kind in ("line", "area") else None
        for at, (spot, widget) in enumerate(zip(blank.spots, each.widgets, strict=True)):
            if answer is not None and isinstance(picture := answer.shown[at][1], pikepdf.Stream):
                drawings[spot.page].append((_placing(picture, [number(edge) for edge in array(widget.Rect)]), picture))
            elif answer is None:
                label = spot.state if blank.kind == "radio" else blank.name.split()[-1][-_LABEL:]
                picture, width, height = editor.label(label)
                place = [spot.box.x, spot.box.y, spot.box.x + width, spot.box.y + height]
                drawings[spot.page].append((_placing(picture, place), picture))
    for page, drawn in zip(pages, drawings, strict=True):
        _add_page(source, page.obj, _form(source, page), drawn)
    _drop_fields(source, len(pages))
    return _saved(source, editor)


def _drop_fields(source: pikepdf.Pdf, count: int) -> None:
    """Remove the first `count` pages, which had the fields, and what belongs to them."""
    del source.pages[:count]
    for key in ("/AcroForm", "/Threads", *_OF_THE_PAGES):
        if key in source.Root:
            del source.Root[key]


def _form(source: pikepdf.Pdf, page: pikepdf.Page) -> Object:
    """Return the whole page as a form XObject."""
    form = source.make_indirect(page.as_form_xobject(handle_transformations=False))
    form.BBox = Array([float(each) for each in page.mediabox])
    return form


def _shown_stream(widget: Object, picture: Object | None, state: str) -> Object | None:
    """Return the stream that an answer shows on a widget."""
    if picture is None:
        drawn = inside(widget, "/AP", "/N", f"/{state or OFF}")
    else:
        drawn = picture.get(f"/{state or OFF}") if isinstance(picture, Dictionary) else picture
    return drawn if isinstance(drawn, pikepdf.Stream) else None


def _appearances_of(widget: Object, now: Mapping[tuple[int, int], Object | None]) -> Iterator[tuple[bytes, Object]]:
    """Yield the matrix and the appearance of what an annotation shows on paper, if it shows anything."""
    flags, is_answered = whole(widget.get("/F")), widget.objgen in now
    if flags & HIDDEN or not (flags & PRINTED or is_answered) or widget.get("/Subtype") in (Name.Popup, Name.Link):
        return
    picture = now[widget.objgen] if is_answered else next(appearances_shown(widget), None)
    place = [number(each) for each in array(widget.get("/Rect"))]
    if picture is not None and len(place) == 4:
        yield _placing(picture, place), picture


def _placing(picture: Object, place: Sequence[float]) -> bytes:
    """Return the matrix that fits an appearance, turned by its own matrix, into a place (ISO 32000-1, 12.5.5)."""
    x1, y1, x2, y2 = (number(each) for each in array(picture.get("/BBox")))
    turned = Matrix(*([number(each) for each in array(picture.get("/Matrix"))] or IDENTITY))
    box = turned.transform(Rectangle(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)))
    across = abs(place[2] - place[0]) / float(box.width) if box.width else 1.0
    along = abs(place[3] - place[1]) / float(box.height) if box.height else 1.0
    x, y = min(place[0], place[2]) - float(box.llx) * across, min(place[1], place[3]) - float(box.lly) * along
    return b" ".join([b"%.5g 0 0 %.5g" % (across, along), b"%.2f %.2f cm" % (x, y)])


def _add_page(source: pikepdf.Pdf, like: Object, form: Object, drawings: Sequence[tuple[bytes, Object]]) -> None:
    """Add a page that shows a form XObject and, over it, the drawings in their places."""
    drawn = Dictionary(P=form)
    parts = [b"q /P Do Q\n"]
    for at, (matrix, picture) in enumerate(drawings):
        drawn[f"/A{at}"] = picture
        parts.append(b"q %b /A%d Do Q\n" % (matrix, at))
    page = Dictionary(Type=Name.Page, Resources=Dictionary(XObject=drawn))
    page.MediaBox = Array([0, 0, 612, 792])
    for key in _PAGE_KEYS:
        value = next((each[key] for each in lineage(like) if key in each), None)
        if value is not None:
            page[key] = value
    page.Contents = source.make_stream(b"".join(parts))
    source.pages.append(pikepdf.Page(source.make_indirect(page)))
