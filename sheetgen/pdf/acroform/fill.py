"""Somebody's form with answers in it: a form still, open to change.

What could act on its own goes: scripts, links that lead outside, attachments, calculations, XFA, usage rights. The same
answers make the same bytes.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, String
from pikepdf.sanitize import Sanitizer

from sheetgen.pdf.acroform.field_tree import DEEPEST
from sheetgen.pdf.acroform.field_values import Answer, Desk, Shortfall
from sheetgen.pdf.acroform.reader import Found, fields_of
from sheetgen.pdf.acroform.tolerant_access import dictionaries, whole
from sheetgen.pdf.fonts.embedding import embed, embed_added
from sheetgen.pdf.fonts.face import Face, FaceName
from sheetgen.pdf.fonts.user_font import AddedFont
from sheetgen.pdf.form.catalog import finish
from sheetgen.pdf.writer import PageTree, Writer

_RICH = 1 << 25

Answers = Mapping[str, str]
Faces = Mapping[FaceName, Face]


def filled(
    source: pikepdf.Pdf, shown: str, answers: Answers, faces: Faces, *, added: Sequence[AddedFont] = ()
) -> tuple[bytes, tuple[Shortfall, ...]]:
    """The form with these answers by field name, still a form, and what found no room; InputError as `read`.

    The fonts `added` set what the faces lack.
    """
    clean(source)
    found, desk = fields_of(source, shown), Desk(source, faces, added)
    for answer in answered(desk, found, answers):
        _put(answer)
    _settle(source, desk, found)
    return saved(source, desk), tuple(desk.shortfalls)


def clean(source: pikepdf.Pdf) -> None:
    """Takes out what acts on its own, and what says that nobody may change the form."""
    scrub = Sanitizer().remove_javascript().remove_external_access().remove_attachments().remove_multimedia()
    scrub.apply(source)
    for key in ("/Perms", "/NeedsRendering"):
        if key in source.Root:
            del source.Root[key]
    form = source.Root.get("/AcroForm")
    if not isinstance(form, Dictionary):
        source.Root.AcroForm = source.make_indirect(Dictionary(Fields=Array()))


def answered(desk: Desk, found: Iterable[Found], answers: Answers) -> list[Answer]:
    """The answers that fields take, and what must be drawn of those that are left as they are."""
    made = []
    for each in found:
        name = each.blank.name
        answer = desk.answer(each, answers[name]) if name in answers else None
        answer = answer if answer is not None else desk.unseen(each)
        if answer is not None:
            made.append(answer)
    return made


def _put(answer: Answer) -> None:
    """Writes an answer into the dictionaries of its field and widgets."""
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


def _settle(source: pikepdf.Pdf, desk: Desk, found: Iterable[Found]) -> None:
    """Leaves a form that every reader shows as it is: no pictures asked for, no order of calculations, no XFA."""
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
            top = _top(home)
            if top.objgen not in known:
                known.add(top.objgen)
                listed.append(top)


def _font_to_type_in(form: Object) -> None:
    """The font that readers type in where a form names none."""
    if not isinstance(form.get("/DR"), Dictionary):
        form.DR = Dictionary()
    if not isinstance(form.DR.get("/Font"), Dictionary):
        form.DR.Font = Dictionary()
    if "/Helv" not in form.DR.Font:
        helvetica = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        helvetica.Encoding = Name.WinAnsiEncoding
        form.DR.Font.Helv = helvetica


def _top(home: Object) -> Object:
    for _ in range(DEEPEST):
        above = home.get("/Parent")
        if not isinstance(above, Dictionary):
            break
        home = above
    return home


def saved(source: pikepdf.Pdf, desk: Desk) -> bytes:
    """The file, with the faces that answers were set in, cut to their letters."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(_type_case(desk))) as case:
        fonts = case.pages[0].obj.Resources.Font
        for name in sorted(fonts.keys()):  # a set: its order is another one in every process
            desk.resources.Font[name] = source.copy_foreign(fonts[name])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pikepdf.exceptions.PageCopyWarning)  # of widgets that have no name
            save = partial(source.save, object_stream_mode=pikepdf.ObjectStreamMode.generate, encryption=False)
            save(out, deterministic_id=True)
    return out.getvalue()


def _type_case(desk: Desk) -> bytes:
    """A PDF of one empty page that holds the fonts that are needed."""
    parts: list[bytes] = []
    writer = Writer(parts.append)
    fonts = []
    for font, letters in sorted(desk.letters.items()):
        if letters and font in desk.fonts:
            fonts.append(b"%b %d 0 R" % (font, embed(writer, desk.fonts[font], letters)))
        elif letters:
            fonts.append(b"%b %d 0 R" % (font, embed_added(writer, desk.added[font], letters)))
    pages = PageTree(writer)
    pages.add(b"/MediaBox[0 0 9 9]/Resources<</Font<<%b>>>>" % b"".join(fonts))
    finish(writer, pages.close(b""), title="", author="", language="en", entries=b"")
    return b"".join(parts)
