"""Sheets with text in added fonts: set where it belongs, read back as it was, and nothing else touched."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import pikepdf
import pymupdf
import pypdf
import pytest
from fontTools.ttLib import TTFont
from PIL import Image, ImageChops

from sheetgen.pdf.fonts.face import AddedFont
from sheetgen.pdf.fonts.shaping import read_font
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import Compositor, Placed, Row, Stamp, Unprintable

Make = Callable[..., bytes]
Look = Callable[..., Image.Image]


@pytest.fixture(scope="module")
def font(small_font: Make) -> AddedFont:
    return read_font(small_font(), "small.ttf")


@pytest.fixture(scope="module")
def chinese(small_font: Make) -> AddedFont:
    return read_font(small_font("山田太郎"), "chinese.ttf")


@pytest.fixture(scope="module")
def hebrew(small_font: Make) -> AddedFont:
    return read_font(small_font("אב "), "hebrew.ttf")


def printed(
    form: Form, rows: Sequence[dict[str, str]], added: Sequence[AddedFont], more: Form | None = None, **options: bool
) -> tuple[bytes, list[Placed]]:
    parts: list[bytes] = []
    stamp = Stamp(form, parts.append, title="t", author="a", more=more, added=added, **options)
    placed = [stamp.add(Row(row.get("name", ""), row)) for row in rows]
    stamp.close()
    return b"".join(parts), placed


def contents(data: bytes) -> list[bytes]:
    with opened(data) as pdf:
        return [page.Contents.read_bytes() for page in pdf.pages]


def opened(data: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(data))


def read_back(data: bytes) -> str:
    with pymupdf.open(stream=data, filetype="pdf") as document:
        return "\n".join(page.get_text() for page in document)


def test_text_reads_back_as_it_was(form: Form, font: AddedFont) -> None:
    row = {"name": "山田太郎", "remark": "(אב)", "story": "الباب لا\nकि कि\nAb 「山」"}
    data, _ = printed(form, [row], [font])
    text = read_back(data)
    for words in ("山田太郎", "אב", "الباب", "لا", "कि", "「山」"):
        assert words in text
    with opened(data) as pdf:
        assert pdf.check_pdf_syntax() == []


def test_a_ligature_reads_back_in_every_reader(form: Form, font: AddedFont) -> None:
    data, _ = printed(form, [{"name": "لا"}], [font])
    assert "لا" in read_back(data)
    assert "لا" in pypdf.PdfReader(io.BytesIO(data)).pages[0].extract_text()


def test_only_the_glyphs_used_are_embedded(form: Form, font: AddedFont) -> None:
    data, _ = printed(form, [{"name": "山ب"}], [font])
    with opened(data) as pdf:
        used = pdf.pages[0].resources.Font["/X0"]
        assert str(used.BaseFont).endswith("+SmallFont-Regular")
        file = TTFont(io.BytesIO(used.DescendantFonts[0].FontDescriptor.FontFile2.read_bytes()))
        shown = used.DescendantFonts[0].CIDToGIDMap.read_bytes()
    widths = [file["hmtx"][name][0] for name in file.getGlyphOrder()]
    for char in "山ب":
        number = font.face.glyphs[char]
        assert widths[shown[2 * number + 1]] == font.advances[number]
    assert len(widths) == 3


def test_ordinary_text_is_untouched_by_fonts_that_it_does_not_need(
    form: Form, more: Form, font: AddedFont, stamped: Callable[..., bytes]
) -> None:
    rows = [{"name": "Łódź Ωμέγα", "grit": "8", "story": "word " * 400}]
    plain, _ = printed(form, rows, [], more)
    assert printed(form, rows, [font], more)[0] == plain


def test_the_first_font_that_has_all_of_a_text_sets_it(
    form: Form, font: AddedFont, chinese: AddedFont, hebrew: AddedFont
) -> None:
    row = {"name": "山田", "remark": "אב", "story": "山אב"}
    page = contents(printed(form, [row], [chinese, hebrew, font], pictures=False)[0])[0]
    assert [page.count(name) for name in (b"/X0 ", b"/X1 ", b"/X2 ")] == [1, 1, 1]


def test_where_none_has_all_of_it_each_character_takes_the_first_that_has_it(
    form: Form, chinese: AddedFont, hebrew: AddedFont
) -> None:
    data, _ = printed(form, [{"story": "Ines 山田 אב!"}], [chinese, hebrew], pictures=False)
    with opened(data) as pdf:
        named = [str(font.BaseFont).partition("+")[2] for font in pdf.pages[0].resources.Font.values()]
    assert named == ["SheetgenSerif-400", "SmallFont-Regular", "SmallFont-Regular"]
    text = read_back(data)
    assert "Ines" in text
    assert "山田" in text
    assert "אב" in text


def test_what_no_font_has_is_refused_by_name(form: Form, font: AddedFont) -> None:
    with pytest.raises(Unprintable) as caught:
        printed(form, [{"name": "山語🐉\u202e"}], [font])
    assert str(caught.value) == (
        'Name: no bundled or added font can print "語" (U+8A9E CJK UNIFIED IDEOGRAPH-8A9E), '
        '"🐉" (U+1F409 DRAGON), "\\u202e" (U+202E RIGHT-TO-LEFT OVERRIDE)'
    )


def test_long_text_goes_on_behind_the_sheet_whole(form: Form, more: Form, chinese: AddedFont) -> None:
    story = "山田太郎" * 300
    data, (placed,) = printed(form, [{"name": "Ines", "story": story}], [chinese], more)
    assert placed.continued == ("Story",)
    text = read_back(data)
    assert "Story:" in text
    assert [text.count(char) for char in "山田太郎"] == [300] * 4


@pytest.mark.parametrize("text", ["山" * 400, "अ" * 3 + "山", "لا " * 300, "אב " * 300])
@pytest.mark.parametrize("name", ["name", "story"])
def test_ink_stays_in_its_box(form: Form, font: AddedFont, text: str, name: str, seen_by_mupdf: Look) -> None:
    """Only the pixels of the field may differ from those of an empty sheet."""
    text = text.replace("अ", "क")
    full, empty = (seen_by_mupdf(printed(form, [row], [font])[0], dpi=144) for row in ({name: text}, {}))
    (box,) = [field.border for field in form.fields if field.name == name]
    left, right = box.x * 2 - 2, box.right * 2 + 2
    top, bottom = full.height - box.top * 2 - 2, full.height - box.y * 2 + 2
    spots = ImageChops.difference(full, empty).point(lambda grey: 255 * (grey > 40)).getbbox()
    assert spots
    x1, y1, x2, y2 = spots
    assert left <= x1 < x2 <= right + 1
    assert top <= y1 < y2 <= bottom + 1


def test_poppler_and_mupdf_see_the_same(
    form: Form, font: AddedFont, seen_by_poppler: Look, seen_by_mupdf: Look, worst_spot: Callable[..., int]
) -> None:
    row = {"name": "山田 الباب", "mind": "山", "remark": "بَ لا", "story": "कि (אב) Ab\n「山」、الباب"}
    data, _ = printed(form, [row], [font])
    assert worst_spot(seen_by_poppler(data), seen_by_mupdf(data)) < 60


def test_sheets_composed_elsewhere_make_the_same_file(form: Form, font: AddedFont) -> None:
    rows = [{"name": f"{'山田太郎'[at % 4]} {'بא'[at % 2]}", "grit": "لا"[: 1 + at % 2]} for at in range(20)]
    whole, _ = printed(form, rows, [font])
    parts: list[bytes] = []
    stamp = Stamp(form, parts.append, title="t", author="a", added=[font])
    for share in (rows[:7], rows[7:]):
        worker = Compositor(form, added=[font])
        for row in share:
            sheet = worker.sheet(Row(row["name"], row))
            stamp.add_resources(worker.new_resources())
            stamp.put(sheet)
    stamp.close()
    assert b"".join(parts) == whole


def test_a_paragraph_keeps_its_direction_when_it_is_wrapped(form: Form, font: AddedFont) -> None:
    """The second line begins with Latin letters, which stand at its right end."""
    (field,) = [field for field in form.fields if field.name == "story"]
    word = "A" * int(field.box.width / (0.61 * field.size) * 0.7)
    text = "ب" * 60 + " " + word + " א"
    data, _ = printed(form, [{"story": text}], [font], pictures=False)
    with pymupdf.open(stream=data, filetype="pdf") as document:
        words = {said: x for x, *_, said, _, _, _ in document[0].get_text("words")}
    assert words["א"] < words[word]
