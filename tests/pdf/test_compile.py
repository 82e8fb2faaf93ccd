"""HTML to a form: fields where CSS puts them, a background without values, problems named."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pypdf
import pytest

from sheetgen.errors import InputError
from sheetgen.geometry import mm
from sheetgen.pdf.fonts.face import FaceName
from sheetgen.pdf.form.compile import compile_form
from sheetgen.pdf.form.form import Field, Form


@pytest.fixture
def field(form: Form) -> Callable[[str], Field]:
    return lambda name: next(field for field in form.fields if field.name == name)


def test_weasyprint_still_hands_out_boxes_and_rectangles(empty: Path, sheet_html: str) -> None:
    """The shape of `Page.forms` has changed between versions before: this is the one `compile.py` reads."""
    from sheetgen.pdf.flow import layout

    document = layout.lay_out(sheet_html, [], root=empty, name="x", forms=True)
    ((key, inputs),) = document.pages[0].forms.items()
    assert key is None
    for box, rectangle in inputs:
        assert box.element.tag in ("input", "textarea")
        x1, y1, x2, y2 = rectangle
        assert (x1, y1) == (box.content_box_x(), box.content_box_y())
        assert (x2 - x1, y2 - y1) == pytest.approx((box.width, box.height))


def test_boxes_lie_where_css_puts_them(field: Callable[[str], Field], form: Form) -> None:
    assert form.pages == ((pytest.approx(mm(148), abs=0.01), pytest.approx(mm(210), abs=0.01)),)
    name = field("name")
    assert name.border.x == pytest.approx(mm(12), abs=0.01)
    assert (name.border.width, name.border.height) == pytest.approx((mm(70), mm(10)), abs=0.01)
    assert name.box.height == pytest.approx(mm(10) - 0.75, abs=0.01)
    assert name.border.top < form.pages[0][1] - mm(12)


def test_padding_lies_between_box_and_border(field: Callable[[str], Field]) -> None:
    story = field("story")
    assert story.box.x - story.border.x == pytest.approx(mm(2) + 0.5, abs=0.01)
    assert story.border.top - story.box.top == pytest.approx(mm(1) + 0.5, abs=0.01)


def test_css_becomes_type(field: Callable[[str], Field]) -> None:
    remark = field("remark")
    assert (remark.face, remark.size, remark.align) == (FaceName("Source Serif Pro", 400, True), 9, "right")
    assert remark.colour == (0.2, 0.2, 0.2)
    assert field("grit").align == "center"
    assert field("story").leading == pytest.approx(mm(6), abs=0.01)


def test_attributes_become_rules(field: Callable[[str], Field]) -> None:
    assert (field("grit").frame, field("name").frame) == (0.9, 0)
    assert field("grit").radius == pytest.approx(mm(1), abs=0.01)
    assert (field("story").floor, field("name").floor) == (8, 7)
    assert (field("story").valign, field("name").valign) == ("top", "middle")
    assert (field("out").kind, field("out").title) == ("tick", "Knocked out")


def test_the_background_has_labels_but_no_values_and_no_widgets(stamped: Callable[..., bytes]) -> None:
    reader = pypdf.PdfReader(io.BytesIO(stamped([{}])))
    text = reader.pages[0].extract_text()
    assert "A small sheet" in text
    assert "never" not in text
    assert "/AcroForm" not in reader.trailer["/Root"]


def test_compiling_twice_gives_the_same_bytes(form: Form, empty: Path, sheet_html: str) -> None:
    assert compile_form(sheet_html, root=empty, name="small sheet").to_bytes() == form.to_bytes()


def test_a_form_of_two_pages_numbers_its_fields_by_page(empty: Path, small_page: Callable[..., str]) -> None:
    body = "<input name=one><div style='break-before:page'><input name=two></div>"
    form = compile_form(small_page(body), root=empty, name="two")
    assert [(field.name, field.page) for field in form.fields] == [("one", 0), ("two", 1)]
    assert len(form.pages) == len(form.backgrounds) == 2


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("<input title=Grit>", 'needs a name (its title is "Grit")'),
        ("<input name=x type=date>", 'has the type "date"'),
        ("<select name=x><option>a</option></select>", "may only be an <input> or a <textarea>"),
        ("<input name=x data-floor=seven>", 'data-floor="seven", which is no number'),
        ("<input name=x data-frame=-1>", 'data-frame="-1", which is no number'),
        ("<input name=x style='font-family:monospace'>", 'is set in "monospace"'),
        ("<input name=x style='height:2mm'>", "lower than its smallest type"),
        ("<input name=x style='transform:rotate(90deg)'>", "may not be turned"),
        ("<input name=x data-valign=centre>", 'data-valign="centre"'),
        ("<textarea name=x data-boxes=hits></textarea>", "has data-boxes: only a <textarea> with data-column can"),
        ("<input name=x data-column=all data-boxes=hits>", "has data-boxes: only a <textarea> with data-column can"),
    ],
)
def test_what_cannot_be_printed_is_named(body: str, says: str, empty: Path, small_page: Callable[..., str]) -> None:
    with pytest.raises(InputError) as caught:
        compile_form(small_page(body), root=empty, name="sheet.html")
    assert says in str(caught.value)
    assert str(caught.value).startswith("sheet.html: ")


@pytest.mark.parametrize(
    ("rest", "says"),
    [
        ("data-after=none", 'has data-after="none": only text'),
        ("data-column=x", 'data-column="x", which no <textarea>'),
        ("data-place=none", 'data-place="none", but no data-block'),
        ("data-fill=none", 'data-fill="none", but no data-block'),
        ("data-fill=b data-block=b data-below=x", 'data-below="x", but no data-stack'),
        ("style='font-size: 0'", "has type of no size"),
        ("style='line-height: 0'", "has type of no size"),
        ("type=checkbox data-rises=yes", "may only be text"),
    ],
)
def test_an_input_that_needs_another_one_names_it(
    rest: str, says: str, empty: Path, small_page: Callable[..., str]
) -> None:
    """Each of these ended in a traceback, once somebody had a value for it."""
    with pytest.raises(InputError) as caught:
        compile_form(small_page(f"<input name=x {rest}>"), root=empty, name="sheet.html")
    assert says in str(caught.value)


@pytest.mark.parametrize("name", ["page", "heading"])
def test_what_is_set_as_text_is_no_box_to_tick(name: str, empty: Path, small_page: Callable[..., str]) -> None:
    with pytest.raises(InputError, match=f'input "{name}" may only be text'):
        compile_form(small_page(f"<input name={name} type=checkbox>"), root=empty, name="sheet.html")


def test_columns_are_tried_with_few_texts_that_may_move(empty: Path, small_page: Callable[..., str]) -> None:
    """Each one more doubles what is tried for everybody."""
    areas = "".join(
        f"<textarea name=a{at} data-column=x data-moves=y style='height: 9mm'></textarea>" for at in range(7)
    )
    with pytest.raises(InputError, match='input "a6" has data-moves: no more than 6 of a page may'):
        compile_form(small_page(f"{areas}<textarea name=b data-column=y></textarea>"), root=empty, name="sheet.html")


def test_all_problems_come_at_once(empty: Path, small_page: Callable[..., str]) -> None:
    with pytest.raises(InputError) as caught:
        compile_form(small_page("<input><input name=x type=date><p>語</p>"), root=empty, name="sheet.html")
    assert len(caught.value.problems) == 3
