"""Stamping: what is on the pages, that it holds against whatever people are called, and how small it stays."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pikepdf
import pypdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from sheetgen.geometry import Box
from sheetgen.pdf.form.compile import compile_form
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import Compositor, Placed, Row, Stamp, Unprintable

Stamping = Callable[..., bytes]
Look = Callable[..., Image.Image]

INES = {
    "name": "Ines Okafor", "grit": "8", "mind": "A", "out": "x", "remark": "knows herself",
    "story": "Owes Old Bram a boat.\nThe boat — “Petrel” — is on the bottom.",
}  # fmt: skip


def texts(data: bytes) -> list[str]:
    """The text of each page as pypdf reads it."""
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]


def faults(data: bytes) -> list[str]:
    """What qpdf finds wrong with the file."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return pdf.check_pdf_syntax()


def test_a_row_is_a_page_with_its_values(stamped: Stamping) -> None:
    (text,) = texts(stamped([INES]))
    for value in (INES["name"], "8", "A", INES["remark"], "Owes Old Bram a boat.", "The boat — “Petrel” — is on"):
        assert value in text


def test_a_printed_word_turns_bold_where_its_field_says_anything(empty: Path, seen_by_poppler: Look) -> None:
    style = "@page { size: 40mm 20mm; margin: 2mm } body { font: 12pt 'Source Sans Pro'; margin: 0 }"
    over = "position: absolute; left: 0; top: 0; width: 30mm; height: 6mm; border: none; padding: 0; appearance: auto"
    word = (
        f"<span style='color: #555'>Melee</span><input name=melee data-over=Melee style='{over}; font: 600 12pt serif'>"
    )
    form = compile_form(f"<style>{style}</style>{word}", root=empty, name="words")
    darkest = []
    for values in ({}, {"melee": "3"}):
        parts: list[bytes] = []
        stamp = Stamp(form, parts.append, title="Words", author="The tests")
        stamp.add(Row("one", values))
        stamp.close()
        darkest.append(seen_by_poppler(b"".join(parts)).getextrema()[0])
    assert darkest[0] > 60 > darkest[1]


def test_the_file_is_sound(stamped: Stamping, more: Form) -> None:
    rows = [INES, {}, {"name": "Łódź Ωμέγα Київ", "story": "word " * 900}]
    assert faults(stamped(rows, more)) == []
    assert faults(stamped([])) == []


def test_the_file_says_what_it_is(stamped: Stamping) -> None:
    reader = pypdf.PdfReader(io.BytesIO(stamped([INES, {"name": "Łódź"}])))
    assert (reader.metadata.title, reader.metadata.author) == ("Small sheets", "The tests")
    root = reader.trailer["/Root"]
    assert (root["/Lang"], root["/ViewerPreferences"]["/DisplayDocTitle"]) == ("en", True)
    assert [(item.title, reader.get_destination_page_number(item)) for item in reader.outline] == [
        ("Ines Okafor", 0), ("Łódź", 1),
    ]  # fmt: skip


@pytest.mark.parametrize("pictures", [True, False])
def test_the_same_rows_are_the_same_bytes(stamped: Stamping, more: Form, pictures: bool) -> None:
    rows = [INES, {"name": "W" * 400, "story": "long " * 400}]
    assert stamped(rows, more, pictures=pictures) == stamped(rows, more, pictures=pictures)


def test_a_sheet_does_not_depend_on_those_before_it(form: Form) -> None:
    fresh, used = Compositor(form), Compositor(form)
    for at in range(50):
        used.sheet(Row("other", {"name": f"Number {at}", "grit": str(at), "story": "x " * at}))
    assert used.sheet(Row("Ines", INES)) == fresh.sheet(Row("Ines", INES))


def test_sheets_composed_elsewhere_make_the_same_file(form: Form, stamped: Stamping) -> None:
    rows = [{"name": f"Number {at}", "grit": str(at % 5)} for at in range(20)]
    parts: list[bytes] = []
    stamp = Stamp(form, parts.append, title="Small sheets", author="The tests")
    for share in (rows[:7], rows[7:]):
        worker = Compositor(form)
        for row in share:
            sheet = worker.sheet(Row(row["name"], row))
            stamp.add_resources(worker.new_resources())
            stamp.put(sheet)
    stamp.close()
    assert b"".join(parts) == stamped(rows)


def test_poppler_and_mupdf_see_the_same(
    stamped: Stamping, seen_by_poppler: Look, seen_by_mupdf: Look, worst_spot: Callable[..., int]
) -> None:
    data = stamped([INES])
    assert worst_spot(seen_by_poppler(data), seen_by_mupdf(data)) < 60


def test_with_pictures_or_without_the_page_looks_alike(
    stamped: Stamping, seen_by_poppler: Look, worst_spot: Callable[..., int]
) -> None:
    with_them, without = (seen_by_poppler(stamped([INES], pictures=pictures)) for pictures in (True, False))
    assert worst_spot(with_them, without) == 0


def test_a_frame_is_drawn_only_around_a_value(form: Form, stamped: Stamping, seen_by_poppler: Look) -> None:
    page = seen_by_poppler(stamped([{"grit": "8"}]), dpi=144)
    grit, mind = (next(field for field in form.fields if field.name == name) for name in ("grit", "mind"))
    assert edge(page, grit.border) < 60
    assert edge(page, mind.border) > 100


def edge(page: Image.Image, box: Box) -> int:
    """The darkest grey just inside the left edge of a box, on a page drawn at two pixels a point."""
    x, y = round(box.x * 2), page.height - round((box.y + box.height / 2) * 2)
    return min(page.getpixel((x + dx, y)) for dx in range(3))


def test_a_tick_with_a_frame_is_a_ring(form: Form) -> None:
    """What stands beneath, such as the rung of a ladder, stays to be read."""
    ringed = replace(form, fields=tuple(replace(field, frame=1.5) for field in form.fields if field.kind == "tick"))
    parts: list[bytes] = []
    stamp = Stamp(ringed, parts.append, title="Ladders", author="The tests", pictures=False)
    stamp.add(Row("Ines", {"out": "x"}))
    stamp.close()
    (page,) = pypdf.PdfReader(io.BytesIO(b"".join(parts))).pages
    drawn = page.get_contents().get_data()
    assert b"q 1.5 w" in drawn
    assert b" RG " not in drawn


def test_a_tick_needs_no_face_of_its_own(empty: Path, small_page: Callable[..., str]) -> None:
    """A box to tick in a family that no text of the form is set in: forms carry faces for text alone."""
    tick = "<input type=checkbox class=tick name=out title=Out style=\"font-family: 'Source Sans Pro'\">"
    form = compile_form(small_page("<input class=name name=name title=Name>" + tick), root=empty, name="ticks")
    assert {face.name.family for face in form.faces} == {"Source Serif Pro"}
    sheet = Compositor(form, pictures=False).sheet(Row("Ada", {"name": "Ada", "out": "x"}))
    ((_, contents),) = sheet.pages
    assert b"1 J 1 j" in zlib.decompress(contents)  # the two strokes of a check mark


def test_what_does_not_fit_goes_on_behind_the_sheet(stamped: Stamping, more: Form, form: Form) -> None:
    story = " ".join(f"word{at}" for at in range(600))
    parts: list[bytes] = []
    stamp = Stamp(form, parts.append, title="t", author="a", more=more)
    assert stamp.add(Row("Bram", {"name": "Bram"})) == Placed(1, 1)
    placed = stamp.add(Row("Ines", {"name": "Ines", "story": story}))
    assert (placed.first_page, placed.continued) == (2, ("Story",))
    assert placed.pages > 2
    assert stamp.add(Row("Marrow", {"name": "Marrow"})) == Placed(2 + placed.pages, 1)
    stamp.close()
    pages = texts(b"".join(parts))
    assert all("Ines" in page for page in pages[1 : 1 + placed.pages])
    assert "Story: word" in pages[2]
    words = " ".join(pages[1 : 1 + placed.pages]).replace("…", " ").split()
    assert [word for word in words if word.startswith("word")] == story.split()


def test_without_a_continuation_form_a_cut_is_marked_and_told(form: Form) -> None:
    parts: list[bytes] = []
    stamp = Stamp(form, parts.append, title="t", author="a")
    placed = stamp.add(Row("Ines", {"story": "word " * 500}))
    stamp.close()
    assert placed == Placed(1, 1, ("Story",))
    assert "…" in texts(b"".join(parts))[0]


def test_what_no_font_has_is_refused_before_anything_is_written(form: Form) -> None:
    parts: list[bytes] = []
    stamp = Stamp(form, parts.append, title="t", author="a")
    stamp.add(Row("Ines", INES))
    before = len(parts)
    with pytest.raises(Unprintable) as caught:
        stamp.add(Row("dragon", {"name": "Bram", "grit": "7", "story": "a 🐉 語"}))
    assert len(parts) == before
    assert (
        str(caught.value)
        == 'Story: no bundled font can print "🐉" (U+1F409 DRAGON), "語" (U+8A9E CJK UNIFIED IDEOGRAPH-8A9E)'
    )
    stamp.add(Row("Marrow", {"name": "Marrow"}))
    stamp.close()
    assert [page.split("\n")[1] for page in texts(b"".join(parts))] == ["Ines Okafor", "Marrow"]


@pytest.mark.parametrize("char", ["\u202e", "\u200d", "\x00", "\x1b", "\ud800", "\u0336"])
def test_what_would_disturb_a_page_is_refused_by_name(stamped: Stamping, char: str) -> None:
    with pytest.raises(Unprintable) as caught:
        stamped([{"name": f"a{char}b"}])
    assert f"U+{ord(char):04X}" in str(caught.value)
    assert str(caught.value).isprintable()


def test_accents_print_alike_composed_or_not(stamped: Stamping) -> None:
    assert stamped([{"remark": "Rene\u0301e"}]) != b""
    assert "Renée" in texts(stamped([{"remark": "Rene\u0301e"}]))[0]


@pytest.mark.parametrize(
    "name",
    [
        ") Tj ET Q 0 0 500 500 re f (",
        "back\\slash \\) \\( ((",
        "<b>Bob</b> & {{ 7*7 }} %PDF",
        "Łódź Ωμέγα Київ",
        "Œuvre ½ – — “x” ’y’ … −3",
        "M\u00a0N",
    ],
)
def test_any_name_is_printed_as_it_is(
    stamped: Stamping, name: str, seen_by_poppler: Look, seen_by_mupdf: Look, worst_spot: Callable[..., int]
) -> None:
    data = stamped([{"name": name, "story": name}])
    assert faults(data) == []
    assert " ".join(texts(data)[0].split()).count(" ".join(name.split())) == 2
    assert worst_spot(seen_by_poppler(data), seen_by_mupdf(data)) < 60


@pytest.mark.parametrize("name", ["W" * 400, "W" * 60, "A " * 300, "\u00e9" * 500])
def test_a_name_however_long_stays_in_its_box(form: Form, stamped: Stamping, name: str, seen_by_mupdf: Look) -> None:
    """Only the pixels of the field may differ from those of an empty sheet."""
    full, empty = (seen_by_mupdf(stamped([row]), dpi=144) for row in ({"name": name}, {}))
    box = form.fields[0].border
    left, right = box.x * 2 - 2, box.right * 2 + 2
    top, bottom = full.height - box.top * 2 - 2, full.height - box.y * 2 + 2
    spots = [
        (x, y)
        for y in range(full.height)
        for x in range(full.width)
        if abs(full.getpixel((x, y)) - empty.getpixel((x, y))) > 40
    ]
    assert spots
    assert all(left <= x <= right and top <= y <= bottom for x, y in spots)


PRINTABLE = st.text(st.sampled_from("abcxyz ABCXYZ 0123456789 ()\\<>[]/%'\r\t\n–—…“”éłżΩμКиї½−"), max_size=80)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(name=PRINTABLE, grit=PRINTABLE, story=PRINTABLE)
def test_any_text_gives_a_sound_file_with_that_text(
    stamped: Stamping, more: Form, name: str, grit: str, story: str
) -> None:
    data = stamped([{"name": name, "grit": grit, "story": story}], more)
    assert faults(data) == []
    found = "".join(texts(data)).replace("…", "")
    for value in (name, grit, story):
        for letter in set(value) - set(" \r\t\n…"):
            assert letter in found


def test_a_thousand_sheets_stay_small(stamped: Stamping) -> None:
    def rows(count: int) -> list[dict[str, str]]:
        return [
            {"name": f"Person Number {at}", "grit": str(at % 9), "mind": "7", "remark": "quiet"} for at in range(count)
        ]

    grown = len(stamped(rows(1100))) - len(stamped(rows(100)))
    assert grown / 1000 < 300


def test_a_long_file_has_a_page_tree_of_levels_and_every_bookmark(stamped: Stamping) -> None:
    data = stamped([{"name": f"Person {at}"} for at in range(2600)])
    reader = pypdf.PdfReader(io.BytesIO(data))
    assert len(reader.pages) == 2600
    assert "Person 2599" in reader.pages[2599].extract_text()
    assert len(reader.outline) == 2600
    assert len(reader.trailer["/Root"]["/Pages"]["/Kids"]) == 2
    assert faults(data) == []
