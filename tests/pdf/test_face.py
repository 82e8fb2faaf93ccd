"""Faces for stamping: which characters they set, under which numbers, how wide."""

from __future__ import annotations

import pytest

from sheetgen.pdf.fonts.bundled import load_face
from sheetgen.pdf.fonts.face import Face, FaceName
from sheetgen.pdf.writer import literal


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
    assert face.string("Aż") == literal(face.glyphs["A"].to_bytes(2, "big") + face.glyphs["ż"].to_bytes(2, "big"))


def test_glyphs_whose_numbers_have_brackets_in_them_are_escaped(face: Face) -> None:
    number = next(glyph for glyph in face.glyphs.values() if glyph % 256 == ord("("))
    letter = next(letter for letter, glyph in face.glyphs.items() if glyph == number)
    assert face.string(letter) == b"(%b\\()" % bytes([number // 256])
