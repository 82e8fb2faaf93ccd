"""Several sheets on a page: where each is, what is drawn around them, and that they are the sheets they always were."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable

import pikepdf
import pypdf
import pytest
from PIL import Image

from sheetgen.geometry import Box, Line, Size, millimetres
from sheetgen.pdf.fonts.bundled import label_font
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import Compositor, Placed, Plate, Row, Stamp
from sheetgen.press.drawn_marks import drawn_marks
from sheetgen.press.marks import RULER_LABEL, Marks

Look = Callable[..., Image.Image]

WIDTH, HEIGHT = 419.53, 595.28  # A5, the size of the small sheet
PLACES = tuple(Box(30 + x * WIDTH, 40 + y * HEIGHT, WIDTH, HEIGHT) for y in (1, 0) for x in (0, 1))
MARKS = tuple(
    (Line(10, 40, 25, 40), *(Line(30 + x * WIDTH, 10, 30 + x * WIDTH, 30) for x in range(n))) for n in range(4)
)
RULE = Line(100, 15, 241.73, 15)
PAPER = Size(millimetres(900), millimetres(1300))
DRAWN = drawn_marks(PAPER, [Marks(lines, rule=RULE) for lines in MARKS], label_font(RULER_LABEL))
PLATE = Plate(900, 1300, PLACES, DRAWN)
MOVE = re.compile(rb"q 1 0 0 1 (\S+) (\S+) cm")


def laid(form: Form, count: int, more: Form | None = None, **values: str) -> tuple[bytes, list[Placed]]:
    """So many people on plates of four, and where each went."""
    parts: list[bytes] = []
    stamp = Stamp(form, parts.append, title="Cards", author="The tests", more=more, plate=PLATE)
    placed = [stamp.add(Row(f"Person {at}", {"name": f"Person {at}", **values})) for at in range(1, count + 1)]
    stamp.close()
    return b"".join(parts), placed


def contents(data: bytes) -> list[bytes]:
    """The contents of each page, its streams one after another."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert pdf.check_pdf_syntax() == []
        return [b"\n".join(stream.read_bytes() for stream in page.Contents) for page in pdf.pages]


@pytest.mark.parametrize(("count", "pages"), [(1, 1), (4, 1), (5, 2), (9, 3)])
def test_pages_are_filled_one_after_another(form: Form, count: int, pages: int) -> None:
    data, placed = laid(form, count)
    reader = pypdf.PdfReader(io.BytesIO(data))
    assert len(reader.pages) == pages
    assert {tuple(map(float, page.mediabox)) for page in reader.pages} == {(0, 0, 900, 1300)}
    assert [each.first_page for each in placed] == [1 + at // 4 for at in range(count)]
    assert [reader.get_destination_page_number(item) + 1 for item in reader.outline] == [p.first_page for p in placed]
    for at in range(count):
        assert f"Person {at + 1}" in reader.pages[at // 4].extract_text()


def test_each_sheet_is_moved_to_its_place(form: Form) -> None:
    first, second = contents(laid(form, 6)[0])
    wanted = [(round(box.x, 2), round(box.y, 2)) for box in PLACES]
    assert [(float(x), float(y)) for x, y in MOVE.findall(first)] == wanted
    assert [(float(x), float(y)) for x, y in MOVE.findall(second)] == wanted[:2]
    for page in (first, second):
        assert page.split().count(b"q") == page.split().count(b"Q")


def test_a_sheet_on_a_plate_is_the_sheet_that_stands_alone(form: Form) -> None:
    sheet = Compositor(form).sheet(Row("Person 1", {"name": "Person 1"}))
    data, _ = laid(form, 1)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        streams = [stream.read_bytes() for stream in pdf.pages[0].Contents]
    assert zlib.decompress(sheet.pages[0][1]) in streams


def test_marks_are_those_for_so_many_sheets(form: Form) -> None:
    with pikepdf.open(io.BytesIO(laid(form, 6)[0])) as pdf:
        shown = [page.Contents[0].read_bytes() for page in pdf.pages]
        drawings = pdf.pages[0].resources["/XObject"]
        full, rest = (drawings[f"/M{filled}"].read_bytes() for filled in (4, 2))
    assert shown == [b"/M4 Do\n", b"/M2 Do\n"]
    assert full.count(b" m ") - rest.count(b" m ") == len(MARKS[3]) - len(MARKS[1])
    assert b"10 40 m 25 40 l" in rest
    assert b".25 w" in rest


def test_the_rule_says_how_long_it_is(form: Form) -> None:
    text = pypdf.PdfReader(io.BytesIO(laid(form, 1)[0])).pages[0].extract_text()
    assert RULER_LABEL in text


def test_what_does_not_fit_goes_on_in_the_next_place(form: Form, more: Form) -> None:
    story = " ".join(f"word{at}" for at in range(500))
    data, placed = laid(form, 2, more, story=story)
    taken = [each.pages for each in placed]
    assert taken[0] == taken[1] > 1
    assert placed[0].continued == ("Story",)
    reader = pypdf.PdfReader(io.BytesIO(data))
    assert len(reader.pages) == -(-sum(taken) // 4)
    words = " ".join(page.extract_text() for page in reader.pages).replace("…", " ").split()
    assert all(words.count(f"word{at}") == 2 for at in range(500))


def test_the_same_people_are_the_same_bytes(form: Form) -> None:
    assert laid(form, 7)[0] == laid(form, 7)[0]


def test_both_renderers_see_the_same(
    form: Form, seen_by_poppler: Look, seen_by_mupdf: Look, worst_spot: Callable[..., int]
) -> None:
    data, _ = laid(form, 3, grit="8", story="Owes Old Bram a boat.")
    assert worst_spot(seen_by_poppler(data), seen_by_mupdf(data)) < 60


def test_an_italic_without_a_letter_gives_way_to_its_upright(form: Form) -> None:
    """Greek and Cyrillic have no italics in the bundle: such a text is set upright rather than refused."""
    data, _ = laid(form, 1, remark="Ωμέγα Київ")
    assert "Ωμέγα Київ" in pypdf.PdfReader(io.BytesIO(data)).pages[0].extract_text()
