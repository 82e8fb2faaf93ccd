"""The fillable sheet: fields with names, tooltips, order and appearances, that other programs can fill and show."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdf
import pytest
from PIL import Image

from sheetgen.pdf.form.compile import compile_form
from sheetgen.pdf.form.fillable import fillable_form
from sheetgen.pdf.form.form import Form

Look = Callable[..., Image.Image]


def fillable(html: str, *, root: Path, name: str, title: str, author: str) -> bytes:
    """The page as a PDF to type into."""
    return fillable_form(compile_form(html, root=root, name=name), title=title, author=author)


@pytest.fixture(scope="module")
def blank(empty: Path, small_page: Callable[..., str]) -> bytes:
    """A fillable page: a name, a number that stands twice, a tick, an area; one value given."""
    body = (
        "<input class=name name=name title=Name maxlength=40>"
        "<input class=number name=grit title=Grit><input class=number name=grit title='Grit again'>"
        "<input type=checkbox class=tick name=out title='Knocked out' checked>"
        "<input class=remark name=remark title=Remark value='knows Łódź'>"
        "<textarea name=story title=Story></textarea>"
    )
    return fillable(small_page(body), root=empty, name="blank", title="A blank sheet", author="The tests")


@pytest.fixture(scope="module")
def filled(blank: bytes) -> bytes:
    """The page filled in by pypdf, which has no help from us."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(blank))
    values = {"name": "Łódź Ωμέγα Київ", "grit": "8", "out": "/Off", "story": "Привіт — κόσμε, “őű”"}
    writer.update_page_form_field_values(writer.pages[0], values, auto_regenerate=False)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def widgets(data: bytes) -> list[pypdf.generic.DictionaryObject]:
    """The widgets in the order of the page, which is the order of the tabulator key."""
    return [reference.get_object() for reference in pypdf.PdfReader(io.BytesIO(data)).pages[0]["/Annots"]]


def test_the_file_is_sound_and_says_what_it_is(blank: bytes) -> None:
    with pikepdf.open(io.BytesIO(blank)) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert (pdf.Root.Lang, pdf.docinfo.Title) == ("en", "A blank sheet")
        assert not pdf.Root.AcroForm.NeedAppearances


def test_fields_have_names_tooltips_and_values(blank: bytes) -> None:
    fields = pypdf.PdfReader(io.BytesIO(blank)).get_fields() or {}
    assert {name: (field["/TU"], field["/V"]) for name, field in fields.items()} == {
        "name": ("Name", ""),
        "grit": ("Grit", ""),
        "out": ("Knocked out", "/On"),
        "remark": ("Remark", "knows Łódź"),
        "story": ("Story", ""),
    }


def test_a_name_that_stands_twice_is_one_field(blank: bytes, filled: bytes) -> None:
    twins = [widget for widget in widgets(filled) if "/Parent" in widget]
    assert len(twins) == 2
    assert all(b"Tj" in widget["/AP"]["/N"].get_data() for widget in twins)
    assert len((pypdf.PdfReader(io.BytesIO(blank)).get_fields() or {})["grit"]["/Kids"]) == 2


def test_alignment_length_and_lines_are_kept(blank: bytes) -> None:
    name, grit, _, _, remark, story = widgets(blank)
    assert [widget["/Q"] for widget in (name, grit, remark)] == [0, 1, 2]
    assert name["/MaxLen"] == 40
    assert story["/Ff"] & 1 << 12
    assert not name["/Ff"] & 1 << 12


def test_widgets_come_in_reading_order_and_print(blank: bytes) -> None:
    corners = [(-widget["/Rect"][3], widget["/Rect"][0]) for widget in widgets(blank)]
    assert corners == sorted(corners)
    assert all(widget["/F"] & 4 for widget in widgets(blank))


def test_every_widget_has_an_appearance_of_its_own(blank: bytes) -> None:
    numbers = []
    for widget in widgets(blank):
        look = widget["/AP"].raw_get("/N")
        numbers += [kept.idnum for kept in look.values()] if isinstance(look, dict) else [look.idnum]
    assert len(numbers) == len(set(numbers)) == 7


def test_the_fonts_are_cut_and_have_names_of_our_own(blank: bytes, form: Form) -> None:
    fonts = pypdf.PdfReader(io.BytesIO(blank)).trailer["/Root"]["/AcroForm"]["/DR"]["/Font"]
    names = [font.get_object()["/BaseFont"] for font in fonts.values()]
    assert [name.partition("+")[2] for name in names[:3]] == [
        "SheetgenSerif-700", "SheetgenSerif-400Italic", "SheetgenSerif-400",
    ]  # fmt: skip
    assert len(fillable_form(form, title="t", author="a")) < 40_000 * len(form.faces)


def test_what_is_filled_in_elsewhere_keeps_its_letters(filled: bytes) -> None:
    shown = [widget["/AP"]["/N"] for widget in widgets(filled)]
    assert b"?" not in shown[0].get_data()
    fields = pypdf.PdfReader(io.BytesIO(filled)).get_form_text_fields()
    assert fields["name"] == "Łódź Ωμέγα Київ"


def test_poppler_and_mupdf_show_blank_and_filled_alike(
    blank: bytes, filled: bytes, seen_by_poppler: Look, seen_by_mupdf: Look, worst_spot: Callable[..., int]
) -> None:
    assert worst_spot(seen_by_poppler(blank), seen_by_mupdf(blank)) < 60
    assert worst_spot(seen_by_poppler(filled), seen_by_mupdf(filled)) < 60
    assert worst_spot(seen_by_mupdf(blank), seen_by_mupdf(filled)) > 100


def test_without_values_it_looks_like_the_blank_sheet(
    stamped: Callable[..., bytes],
    empty: Path,
    sheet_html: str,
    seen_by_mupdf: Look,
    worst_spot: Callable[..., int],
) -> None:
    html = sheet_html.replace("never printed", "")
    page = fillable(html, root=empty, name="x", title="t", author="a")
    assert worst_spot(seen_by_mupdf(page), seen_by_mupdf(stamped([{}]))) == 0


def test_a_value_given_in_the_html_looks_like_a_stamped_one(
    stamped: Callable[..., bytes], empty: Path, sheet_html: str, seen_by_mupdf: Look, worst_spot: Callable[..., int]
) -> None:
    html = sheet_html.replace("value='never printed'", "value='Ines Okafor'").replace("never printed", "")
    page = fillable(html, root=empty, name="x", title="t", author="a")
    assert worst_spot(seen_by_mupdf(page), seen_by_mupdf(stamped([{"name": "Ines Okafor"}]))) < 20


def test_the_same_form_is_the_same_bytes(form: Form) -> None:
    assert fillable_form(form, title="t", author="a") == fillable_form(form, title="t", author="a")


def test_a_tick_with_a_frame_is_a_ring(empty: Path, small_page: Callable[..., str]) -> None:
    """What stands beneath, such as the rung of a ladder, stays to be read."""
    body = "<input type=checkbox class=tick name=rung title=Rung data-frame=1.5 checked>"
    (rung,) = widgets(fillable(small_page(body), root=empty, name="ladder", title="A ladder", author="The tests"))
    drawn = rung["/AP"]["/N"]["/On"].get_data()
    assert drawn.startswith(b"q 1.5 w 0.75 0.75 ")
    assert b" RG " not in drawn
