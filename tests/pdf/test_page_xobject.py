"""Pages of any PDF carried into another file as drawings."""

from __future__ import annotations

import io
from collections.abc import Callable

import pikepdf
import pytest
from PIL import Image
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas

from sheetgen.pdf.form.compile import backgrounds
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import Row, Stamp


@pytest.fixture(scope="module")
def foreign() -> bytes:
    """Two pages that another library drew, with a picture, a standard font, and traps for whoever renumbers objects."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A5, invariant=True)
    for text in ("first page: 12 0 R", "second page: ) ("):
        canvas.drawString(50, 400, text)
        canvas.drawInlineImage(Image.effect_noise((40, 40), 80), 50, 200)
        canvas.drawImage(_reader(), 150, 200)
        canvas.showPage()
    canvas.save()
    with pikepdf.open(io.BytesIO(out.getvalue())) as pdf:
        pdf.pages[0].Resources["/Odd#20Name"] = pikepdf.Array([pikepdf.String("99 0 R"), 1, True, None])
        pdf.pages[0].Resources["/Loop"] = pdf.make_indirect(pikepdf.Dictionary(Back=pdf.pages[0].Resources))
        pdf.save(out := io.BytesIO())
    return out.getvalue()


def _reader() -> object:
    from reportlab.lib.utils import ImageReader

    return ImageReader(Image.effect_noise((40, 40), 80))


def test_the_pages_look_as_they_did(
    foreign: bytes, seen_by_poppler: Callable[..., Image.Image], worst_spot: Callable[..., int]
) -> None:
    shared, drawn = backgrounds(foreign)
    form = Form(pages=(A5, A5), fields=(), shared=shared, backgrounds=drawn, faces=())
    parts: list[bytes] = []
    stamp = Stamp(form, parts.append, title="t", author="a")
    stamp.add(Row("both pages", {}))
    stamp.close()
    carried = b"".join(parts)
    with pikepdf.open(io.BytesIO(carried)) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert len(pdf.pages) == 2
    for page in (1, 2):
        assert worst_spot(seen_by_poppler(foreign, page=page), seen_by_poppler(carried, page=page)) < 10


def test_strings_that_look_like_references_stay_strings(foreign: bytes) -> None:
    shared, _ = backgrounds(foreign)
    assert any(b"<" + b"99 0 R".hex().encode() + b">" in item.text for item in shared)


def test_every_stream_is_compressed(foreign: bytes) -> None:
    shared, _ = backgrounds(foreign)
    assert all(b"/Filter" in item.text for item in shared if item.stream is not None)
