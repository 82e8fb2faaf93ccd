"""The stamp held against a slow and obvious way: reportlab draws each line of each value over the empty page."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pikepdf
import pytest
from PIL import Image
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from sheetgen.pdf.fonts.bundled import font_path
from sheetgen.pdf.fonts.face import Face
from sheetgen.pdf.form.field_text import cleaned, first_baseline, fitted_in, start_of
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.text_fitting import MARK

Look = Callable[..., Image.Image]
CLOSE = 45  # a lost letter makes more

VALUES = [
    {"name": "Wilhelmina Übermäßig-Đorđević y Ångström von Łódź-Περικλής Очень", "notes": "word " * 70},
    {"name": "A", "notes": "Первая строка\nΆλλη σελίδα\nthird, with (brackets) and \\ backslash"},
    {"name": "I\u0301n\u0303e\u0302s O’Brien — “Six” ½ − ×", "notes": "unbreakable" * 30},
]


def drawn(form: Form, values: dict[str, str], empty: bytes) -> bytes:
    """The first page of the form with the values drawn one line after another."""
    faces: dict[object, Face] = {face.name: face for face in form.faces}
    made = BytesIO()
    canvas = Canvas(made, pagesize=form.pages[0])
    for field in form.fields:
        if field.page or field.kind == "tick" or not values.get(field.name):
            continue
        face = faces[field.face]
        text = cleaned(values[field.name], field)
        fitted = fitted_in(field, face.width, text, mark=MARK)
        name = str(font_path(field.face).stem)
        pdfmetrics.registerFont(TTFont(name, str(font_path(field.face))))
        if field.frame:
            inner = field.border.inset(field.frame / 2)
            canvas.setLineWidth(field.frame)
            canvas.roundRect(inner.x, inner.y, inner.width, inner.height, max(field.radius - field.frame / 2, 0))
        canvas.setFillColorRGB(*field.colour)
        canvas.setFont(name, fitted.size)
        leading = field.leading * fitted.size / field.size
        y = first_baseline(field, face, fitted.size, leading * (len(fitted.lines) - 1))
        for number, line in enumerate(fitted.lines):
            canvas.drawString(start_of(field, face.width(line, fitted.size)), y - number * leading, line)
    canvas.save()
    with pikepdf.open(BytesIO(empty)) as page, pikepdf.open(made) as over:
        page.pages[0].add_overlay(over.pages[0])
        result = BytesIO()
        page.save(result)
    return result.getvalue()


@pytest.mark.parametrize("values", VALUES, ids=["long", "scripts", "signs"])
def test_the_fast_path_looks_like_the_slow_one(
    form: Form,
    stamped: Callable[..., bytes],
    seen_by_mupdf: Look,
    worst_spot: Callable[[Image.Image, Image.Image], int],
    values: dict[str, str],
) -> None:
    upright = {field.name for field in form.fields if field.kind != "tick" and not field.face.italic}
    shown = {name: values["notes" if "note" in name else "name"] for name in upright}
    slow = seen_by_mupdf(drawn(form, shown, stamped([{}])))
    for pictures in (True, False):
        assert worst_spot(seen_by_mupdf(stamped([shown], pictures=pictures)), slow) < CLOSE
    assert worst_spot(seen_by_mupdf(stamped([{**shown, "name": "Nobody"}])), slow) > CLOSE
