"""Faces cut in plain Python, held against fontTools reading the same bytes."""

from __future__ import annotations

import io

import pytest
from fontTools.ttLib import TTFont

from sheetgen.pdf.fonts.bundled import load_face
from sheetgen.pdf.fonts.face import Face, FaceName, trimmed


@pytest.fixture(scope="module")
def face() -> Face:
    return load_face(FaceName("Source Serif Pro", 700))


def test_widths_are_those_of_the_font_file(face: Face) -> None:
    assert face.width("Łódź", 10) == pytest.approx(sum(face.advances[face.glyphs[char]] for char in "Łódź") / 100)


def test_every_character_has_a_glyph_of_its_own(face: Face) -> None:
    assert len(set(face.glyphs.values())) == len(face.glyphs)
    assert face.width(" ", 10) == face.width("\u00a0", 10)


def test_missing_characters_are_named_once_in_order(face: Face) -> None:
    assert face.missing("Łódź Ωμέγα Київ") == ""
    assert face.missing("語a🐉語") == "語🐉"


@pytest.mark.parametrize("mark", ["\u0301", "\u202e", "\u200b", "\x07"])
def test_marks_and_controls_cannot_be_stamped(face: Face, mark: str) -> None:
    assert face.missing(f"a{mark}b") == mark


def test_a_text_becomes_two_bytes_a_letter(face: Face) -> None:
    assert face.encode("Aż") == face.glyphs["A"].to_bytes(2, "big") + face.glyphs["ż"].to_bytes(2, "big")


def test_a_cut_program_keeps_outlines_and_numbers_of_what_is_used(face: Face) -> None:
    used = [face.glyphs[char] for char in "Łódź"]
    whole, cut = TTFont(io.BytesIO(face.program)), TTFont(io.BytesIO(trimmed(face.program, used)))
    for number in used:
        before, after = (font["glyf"][font.getGlyphName(number)] for font in (whole, cut))
        assert before.getCoordinates(whole["glyf"])[0] == after.getCoordinates(cut["glyf"])[0]
        assert whole["hmtx"][whole.getGlyphName(number)][0] == cut["hmtx"][cut.getGlyphName(number)][0]


def test_a_cut_program_drops_every_other_outline(face: Face) -> None:
    cut = TTFont(io.BytesIO(trimmed(face.program, [face.glyphs["A"], face.glyphs["q"]])))
    drawn = {number for number, name in enumerate(cut.getGlyphOrder()) if cut["glyf"][name].numberOfContours}
    assert drawn == {0, face.glyphs["A"], face.glyphs["q"]}


def test_checksums_hold(face: Face) -> None:
    with TTFont(io.BytesIO(trimmed(face.program, [face.glyphs["A"]])), checkChecksums=2) as font:
        assert font["maxp"].numGlyphs == face.glyphs["A"] + 1
