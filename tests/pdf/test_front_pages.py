"""Pages before the rows of a file: where they stand, where their links lead, and that the rows stay as they were."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pypdf
import pytest

from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import FrontPage, Row, Stamp

LIST = """<!doctype html><html lang=en><head><title>List</title><style>
@page { size: 200mm 100mm; margin: 10mm }
input { appearance: auto; display: block; border: 0; font: 12pt 'Source Sans Pro'; width: 60mm; height: 8mm }</style>
</head><body><h1 style="font: 20pt 'Source Serif Pro'">Who is where</h1>
<input name=row.1 title=First><input name=row.2 title=Second></body></html>"""


@pytest.fixture(scope="session")
def listing(empty: Path) -> Form:
    """A list of two lines, on paper of its own."""
    from sheetgen.pdf.form.compile import compile_form

    return compile_form(LIST, root=empty, name="list")


def made(form: Form, more: Form, listing: Form, *front_pages: FrontPage, sheets: int = 3) -> bytes:
    """A file of front_pages and rows; the second row goes on on a page of its own."""
    out = bytearray()
    stamp = Stamp(form, out.extend, title="T", author="A", more=more)
    stamp.lead(listing, front_pages)
    for at in range(1, sheets + 1):
        stamp.add(
            Row(f"Row {at}", {"name": f"Ines {at}", "grit": "8", "story": "a long story " * (200 if at == 2 else 1)})
        )
    stamp.close()
    return bytes(out)


def test_front_pages_stand_first_on_paper_of_their_own(form: Form, more: Form, listing: Form) -> None:
    data = made(form, more, listing, FrontPage(Row("Index", {"row.1": "Ines 1", "row.2": "Ines 2"})))
    pages = pypdf.PdfReader(io.BytesIO(data)).pages
    texts = [page.extract_text() for page in pages]
    assert "Who is where" in texts[0]
    assert "Ines 2" in texts[0]
    assert [text.count("Ines 1") for text in texts[1:]] == [1, 0, 0, 0]
    assert [round(float(page.mediabox.width) / 72 * 25.4) for page in pages] == [200, 148, 148, 148, 148]
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert [str(entry.title) for entry in pdf.open_outline().root] == ["Index", "Row 1", "Row 2", "Row 3"]


def test_links_lead_to_the_first_page_of_a_row(form: Form, more: Form, listing: Form) -> None:
    front_page = FrontPage(Row("Index", {"row.1": "third", "row.2": "second"}), {"row.1": 3, "row.2": 2})
    with pikepdf.open(io.BytesIO(made(form, more, listing, front_page))) as pdf:
        pages = [page.objgen for page in pdf.pages]
        found = [pages.index(pdf.Root.Dests[note.Dest][0].objgen) for note in pdf.pages[0].Annots]
        assert found == [4, 2]
        assert [note.Subtype for note in pdf.pages[0].Annots] == ["/Link", "/Link"]


def test_the_rows_are_the_same_with_and_without_front_pages(form: Form, more: Form, listing: Form) -> None:
    with_it = made(form, more, listing, FrontPage(Row("Index", {"row.1": "x"})))
    without = made(form, more, listing)
    contents = [
        [page.Contents.read_bytes() for page in pikepdf.open(io.BytesIO(data)).pages] for data in (with_it, without)
    ]
    assert contents[0][1:] == contents[1]


def test_the_same_rows_and_front_pages_are_the_same_bytes(form: Form, more: Form, listing: Form) -> None:
    front_page = FrontPage(Row("Index", {"row.1": "x"}), {"row.1": 1})
    assert made(form, more, listing, front_page) == made(form, more, listing, front_page)


def test_a_front_page_without_a_title_has_no_bookmark(form: Form, more: Form, listing: Form) -> None:
    data = made(form, more, listing, FrontPage(Row("Index", {})), FrontPage(Row("", {})))
    assert len(pypdf.PdfReader(io.BytesIO(data)).outline) == 4
    assert len(pypdf.PdfReader(io.BytesIO(data)).pages) == 6
