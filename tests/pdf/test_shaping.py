"""Added fonts: which files are taken, which glyphs show a text, and how these lead back to it."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from fontTools.ttLib import TTFont
from fontTools.ttLib.sfnt import calcChecksum

from sheetgen.errors import InputError
from sheetgen.pdf.fonts.face import AddedFont, lettered
from sheetgen.pdf.fonts.shaping import Run, Shaper, read_font, script_of

Make = Callable[..., bytes]
FATHA = "\u064e"


@pytest.fixture(scope="module")
def font(small_font: Make) -> AddedFont:
    return read_font(small_font(), "small.ttf")


@pytest.fixture(scope="module")
def shaper(font: AddedFont) -> Shaper:
    return Shaper(font, b"/X0")


def names(font: AddedFont, run: Run) -> list[str]:
    """The glyphs of a run by name, from left to right."""
    with TTFont(io.BytesIO(font.data)) as file:
        return [file.getGlyphName(glyph.number) for glyph in run.glyphs]


def refused(data: bytes) -> str:
    with pytest.raises(InputError) as caught:
        read_font(data, "bad.ttf")
    return str(caught.value)


def test_a_font_tells_its_name_measures_and_characters(font: AddedFont) -> None:
    assert str(font.face.name) == "SmallFont-Regular 400"
    assert (font.face.ascent, font.face.descent, font.face.cap_height) == (900, -200, 700)
    assert {"A", "山", "א", "ب"} <= font.face.glyphs.keys()
    assert font.face.width("山", 10) == pytest.approx(font.face.advances[font.face.glyphs["山"]] / 100)


@pytest.mark.parametrize(
    ("allowed", "reason"),
    [
        (0x0002, "may not be embedded: its maker forbids it (OS/2 fsType: restricted licence)"),
        (0x0100, "may only be embedded whole, and we embed what is used (OS/2 fsType: no subsetting)"),
        (0x0200, "may not be embedded with its outlines: its maker forbids it (OS/2 fsType: bitmaps only)"),
    ],
)
def test_a_font_that_may_not_be_embedded_is_refused_with_the_reason(
    small_font: Make, allowed: int, reason: str
) -> None:
    assert refused(small_font("A", allowed=allowed)) == f"bad.ttf: {reason}"


@pytest.mark.parametrize("allowed", [0, 0x0004, 0x0008, 0x000A])
def test_a_font_that_may_be_embedded_is_taken(small_font: Make, allowed: int) -> None:
    assert read_font(small_font("A", allowed=allowed), "good.ttf").face.glyphs == {"A": 1}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is not a TrueType font"),
        (b"%PDF-1.7", "is not a TrueType font"),
        (b"ttcf" + bytes(100), "is a collection of several fonts: give one of them as a .ttf file"),
        (b"OTTO" + bytes(100), "has PostScript outlines"),
        (b"\0\1\0\0\0\3", "is damaged"),
        (b"\0\1\0\0" + bytes(20), "is not a whole TrueType font: it has no table cmap"),
    ],
)
def test_what_is_no_font_is_refused_in_one_line(data: bytes, reason: str) -> None:
    message = refused(data)
    assert message.startswith(f"bad.ttf: {reason}")
    assert "\n" not in message


def test_a_font_cut_off_anywhere_is_refused(small_font: Make) -> None:
    whole = small_font()
    for end in range(4, len(whole) - 3, 97):
        assert refused(whole[:end]) == "bad.ttf: is damaged: it is cut off"


@pytest.mark.parametrize("table", ["OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp"])
def test_a_font_with_a_turned_bit_in_a_table_is_refused(small_font: Make, table: str) -> None:
    data = bytearray(small_font())
    with TTFont(io.BytesIO(data)) as file:
        entry = file.reader.tables[table]
    data[entry.offset + 2] ^= 0x10
    assert refused(bytes(data)) == f"bad.ttf: is damaged: its table {table} is not what its checksum says"


def test_a_glyph_made_of_nonsense_is_told_when_it_is_needed(small_font: Make) -> None:
    """The checksum fits, so that the file looks whole until its first glyph is drawn."""
    data = bytearray(small_font("Ab"))
    with TTFont(io.BytesIO(data)) as file:
        entry, begin = file.reader.tables["glyf"], file["loca"][1]
    at = entry.offset + begin
    data[at : at + 14] = b"\xff\xff" + data[at + 2 : at + 10] + b"\x00\x00\xff\xff"  # composed of what is not there
    fitting = calcChecksum(data[entry.offset : entry.offset + entry.length])
    listed = data.index(b"glyf")
    data[listed + 4 : listed + 8] = fitting.to_bytes(4, "big")
    with pytest.raises(InputError, match=r"bad\.ttf: is damaged: glyph 1 cannot be read"):
        Shaper(read_font(bytes(data), "bad.ttf"), b"/X0").run("A", rtl=False)


def test_a_font_that_cannot_be_cut_is_refused(small_font: Make) -> None:
    """Its header is not marked as one, and the checksum fits."""
    data = bytearray(small_font("Ab"))
    with TTFont(io.BytesIO(data)) as file:
        entry = file.reader.tables["head"]
    data[entry.offset + 12] ^= 1
    table = bytearray(data[entry.offset : entry.offset + entry.length])
    table[8:12] = bytes(4)
    listed = data.index(b"head")
    data[listed + 4 : listed + 8] = calcChecksum(table).to_bytes(4, "big")
    assert refused(bytes(data)) == "bad.ttf: is damaged: nothing can be cut out of it"


def test_letters_take_the_form_of_their_place_from_right_to_left(font: AddedFont, shaper: Shaper) -> None:
    run = shaper.run("ببب", rtl=True)
    assert names(font, run) == ["beh.fina", "beh.medi", "beh.init"]
    assert run.width == 650 + 350 + 300


def test_a_ligature_stands_for_both_its_letters(font: AddedFont, shaper: Shaper) -> None:
    """The glyph is lam, and one without ink is alef: readers put characters in order by where they stand."""
    run = shaper.run("لا", rtl=True)
    alef, lam = run.glyphs
    assert names(font, replace(run, glyphs=(lam,))) == ["lam_alef"]
    assert run.letters == (lettered(lam.number, "ل"), lettered(alef.number, "\u0627"))
    assert alef.number >= len(font.advances)
    assert (alef.width, alef.advance, run.width) == (0, 0, 700)
    assert run.spelled == ()


def test_a_mark_is_moved_onto_its_letter(font: AddedFont, shaper: Shaper) -> None:
    run = shaper.run("ب" + FATHA, rtl=True)
    mark = next(glyph for glyph, name in zip(run.glyphs, names(font, run), strict=True) if name == "fatha")
    assert (mark.advance, mark.y) == (0, 200)
    assert run.high == 900


def test_letters_out_of_order_are_spelled(font: AddedFont, shaper: Shaper) -> None:
    """The sign for i is written before the letter that it follows."""
    run = shaper.run("कि", rtl=False)
    assert names(font, run) == ["u093F", "u0915"]
    assert run.spelled == ((0, 2, "कि"),)


def test_plain_text_needs_no_spelling(shaper: Shaper) -> None:
    run = shaper.run("山田", rtl=False)
    assert run.spelled == ()
    assert [letter.partition(" ")[2] for letter in run.letters] == ["山", "田"]
    assert (run.low, run.high) == (100, 850)


def test_brackets_are_turned_round_and_spelled_where_text_reads_from_the_right(font: AddedFont, shaper: Shaper) -> None:
    run = shaper.run("(אב", rtl=True)
    assert names(font, run) == ["u05D1", "u05D0", "u0029"]
    assert run.spelled == ((2, 3, "("),)


def test_a_joiner_needs_no_glyph(shaper: Shaper) -> None:
    assert shaper.has("ب\u200dب\u200cب")
    assert len(shaper.run("ب\u200c", rtl=True).glyphs) == 1
    assert not shaper.has("ب\u202eب")


@pytest.mark.parametrize(("char", "script"), [("A", "Latn"), ("山", "Hani"), ("ب", "Arab"), (",", ""), (" ", "")])
def test_each_character_has_a_script_or_all_of_them(char: str, script: str) -> None:
    assert script_of(char) == script


def test_a_glyph_says_its_own_character_if_it_ever_stands_for_it(font: AddedFont) -> None:
    paren = font.face.glyphs[")"]
    assert font.used([lettered(paren, "("), lettered(paren, ")")]) == {paren: ")"}
    assert font.used([lettered(paren, ""), lettered(paren, "(")]) == {paren: "("}


def test_fonts_are_told_apart_by_what_is_in_them(small_font: Make) -> None:
    one, same, other = (read_font(small_font(text), name) for text, name in (("A", "1"), ("A", "2"), ("Ab", "3")))
    assert one.digest == same.digest != other.digest
    assert repr(one) == repr(same)
