"""Fonts cut to what is shown, held against fontTools reading the same bytes."""

from __future__ import annotations

import io

import pytest
from fontTools.ttLib import TTFont

from sheetgen.pdf.fonts.bundled import font_path, load_face
from sheetgen.pdf.fonts.face import Face, FaceName
from sheetgen.pdf.fonts.shaping import subset_characters, subset_glyphs

NAME = FaceName("Source Serif Pro", 700)


@pytest.fixture(scope="module")
def face() -> Face:
    return load_face(NAME)


def drawn(program: bytes) -> set[int]:
    """The numbers of the glyphs that have an outline."""
    font = TTFont(io.BytesIO(program))
    return {number for number, name in enumerate(font.getGlyphOrder()) if font["glyf"][name].numberOfContours}


def test_what_is_used_keeps_its_outline_and_its_width(face: Face) -> None:
    used = [face.outlines[face.glyphs[char]] for char in "Łódź"]
    program, new = subset_glyphs(face.program, used)
    whole, cut = TTFont(io.BytesIO(face.program)), TTFont(io.BytesIO(program))
    for old in used:
        before, after = whole.getGlyphName(old), cut.getGlyphName(new[old])
        assert (
            whole["glyf"][before].getCoordinates(whole["glyf"])[0] == cut["glyf"][after].getCoordinates(cut["glyf"])[0]
        )
        assert whole["hmtx"][before][0] == cut["hmtx"][after][0]


def test_every_other_outline_is_dropped(face: Face) -> None:
    program, new = subset_glyphs(face.program, [face.outlines[face.glyphs[char]] for char in "Aq"])
    assert drawn(program) == set(new.values()) == {0, 1, 2}


def test_the_box_of_a_missing_character_goes_where_nothing_is_to_be_shown(face: Face) -> None:
    program, new = subset_glyphs(face.program, [0, face.outlines[face.glyphs["A"]]])
    assert drawn(program) == {1}
    assert new[0] == 0


def test_a_cut_font_is_whole_and_holds_no_more_than_readers_of_pdf_need(face: Face) -> None:
    program, _ = subset_glyphs(face.program, [1])
    with TTFont(io.BytesIO(program), checkChecksums=2) as font:
        assert {*font.reader.keys()} <= {"glyf", "head", "hhea", "hmtx", "loca", "maxp", "cvt ", "fpgm", "prep"}


def test_characters_get_numbers_in_the_font_that_is_left() -> None:
    program, numbers = subset_characters(font_path(NAME).read_bytes(), map(ord, "Aż語"))
    assert set(numbers) == {ord("A"), ord("ż")}
    assert set(numbers.values()) <= drawn(program)
