"""Where text stands in its box; and the stamp held against a slow, obvious reference drawn with reportlab."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from PIL import Image, ImageChops
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from sheetgen.geometry import Box
from sheetgen.pdf.fonts.bundled import font_path
from sheetgen.pdf.form.field_text import ABOVE, BELOW, first_baseline, frame
from sheetgen.pdf.form.form import Field, Form

VALUES = {"name": "Ines Okafor", "grit": "8", "mind": "½", "remark": "knows Łódź"}


@pytest.fixture
def field(form: Form) -> Field:
    """A line of the form moved to a simple place: 100 by 30 points from (10, 20), type of 12."""
    return replace(form.fields[0], box=Box(10, 20, 100, 30), size=12, leading=15, valign="middle")


@pytest.mark.parametrize("valign", ["top", "middle", "bottom"])
@pytest.mark.parametrize("further", [0, 10, 17.9])
@pytest.mark.parametrize("standing", [True, False])
def test_ink_stays_in_the_box(form: Form, field: Field, valign: str, further: float, standing: bool) -> None:
    face = form.face(field.face)
    y = first_baseline(replace(field, valign=valign), face, 12, further, below=0.0 if standing else BELOW)
    assert y + ABOVE * 12 <= field.box.top + 0.01
    assert y - further - (0 if standing else BELOW * 12) >= field.box.y - 0.01


def test_capitals_stand_in_the_middle(form: Form, field: Field) -> None:
    face = form.face(field.face)
    y = first_baseline(field, face, 12, 0, below=0.0)
    assert y + face.cap_height * 12 / 2000 == pytest.approx(35, abs=0.01)


def test_a_frame_lies_inside_the_border(field: Field) -> None:
    drawing = frame(replace(field, border=Box(10, 20, 100, 30), frame=2, radius=0))
    assert drawing == b"q 2 w 11 21 98 28 re S Q\n"
    assert frame(replace(field, frame=2, radius=5)).count(b" c") == 4


def reference(form: Form) -> bytes:
    """The values drawn one by one in the middle of their boxes, with whole fonts and no cleverness."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=form.pages[0], invariant=True)
    for field in form.fields:
        if field.name in VALUES:
            font = str(field.face)
            pdfmetrics.registerFont(TTFont(font, font_path(field.face)))
            canvas.setFont(font, field.size)
            canvas.setFillColorRGB(*field.colour)
            y = field.box.y + field.box.height / 2 - form.face(field.face).cap_height * field.size / 2000
            if field.align == "center":
                canvas.drawCentredString(field.box.x + field.box.width / 2, y, VALUES[field.name])
            elif field.align == "right":
                canvas.drawRightString(field.box.right, y, VALUES[field.name])
            else:
                canvas.drawString(field.box.x, y, VALUES[field.name])
            if field.frame:
                inner = field.border.inset(field.frame / 2)
                canvas.setLineWidth(field.frame)
                canvas.roundRect(inner.x, inner.y, inner.width, inner.height, field.radius - field.frame / 2)
    canvas.save()
    return out.getvalue()


def test_the_stamp_agrees_with_the_reference(
    form: Form,
    stamped: Callable[..., bytes],
    seen_by_poppler: Callable[..., Image.Image],
    worst_spot: Callable[..., int],
) -> None:
    plain, filled = seen_by_poppler(stamped([{}]), dpi=144), seen_by_poppler(stamped([VALUES]), dpi=144)
    expected = ImageChops.darker(plain, seen_by_poppler(reference(form), dpi=144))
    assert worst_spot(filled, expected) < 25
    assert worst_spot(filled, plain) > 100
