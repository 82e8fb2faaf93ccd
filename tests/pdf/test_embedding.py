"""Fonts in a file: the letters used and no more, their widths, and the way back to text."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pikepdf
import pytest
from fontTools.ttLib import TTFont

from sheetgen.pdf.fonts.bundled import load_face
from sheetgen.pdf.fonts.embedding import embed
from sheetgen.pdf.fonts.face import Face, FaceName
from sheetgen.pdf.writer import Writer


@pytest.fixture(scope="module")
def face() -> Face:
    return load_face(FaceName("Source Sans Pro", 600, True))


@pytest.fixture
def font(face: Face) -> Iterator[pikepdf.Dictionary]:
    """The font of a file that shows five letters."""
    parts: list[bytes] = []
    writer = Writer(parts.append)
    number = embed(writer, face, "Łódź ")
    root = writer.pack(b"<</Type/Catalog/Font %d 0 R/Pages<</Type/Pages/Kids[]/Count 0>>>>" % number)
    writer.finish(root=root, info=writer.pack(b"<<>>"))
    with pikepdf.open(io.BytesIO(b"".join(parts))) as pdf:
        yield pdf.Root.Font


def test_its_name_is_ours_and_marked_as_a_subset(font: pikepdf.Dictionary) -> None:
    tag, _, name = str(font.BaseFont).partition("+")
    assert name == "SheetgenSans-600Italic"
    assert len(tag) == 7
    assert tag[1:].isupper()


def test_widths_are_those_of_the_letters(face: Face, font: pikepdf.Dictionary) -> None:
    runs = list(font.DescendantFonts[0].W)
    widths = {
        first + at: width for first, run in zip(runs[::2], runs[1::2], strict=True) for at, width in enumerate(run)
    }
    assert widths == {face.glyphs[letter]: face.advances[face.glyphs[letter]] for letter in "Łódź "}


def test_glyphs_lead_back_to_text(face: Face, font: pikepdf.Dictionary) -> None:
    lines = font.ToUnicode.read_bytes().decode().splitlines()
    assert f"<{face.glyphs['Ł']:04X}> <0141>" in lines
    assert "5 beginbfchar" in lines


def outline_of(font: pikepdf.Dictionary, number: int) -> int:
    """The glyph of the embedded program that a number in the text shows."""
    pairs = font.DescendantFonts[0].CIDToGIDMap.read_bytes()
    return int.from_bytes(pairs[2 * number : 2 * number + 2], "big")


def test_the_program_holds_these_letters_alone(face: Face, font: pikepdf.Dictionary) -> None:
    program = TTFont(io.BytesIO(font.DescendantFonts[0].FontDescriptor.FontFile2.read_bytes()))
    drawn = {number for number, name in enumerate(program.getGlyphOrder()) if program["glyf"][name].numberOfContours}
    assert {outline_of(font, face.glyphs[letter]) for letter in "Łódź"} <= drawn
    assert len(drawn) < 12
    assert "name" not in program


def test_letters_that_look_alike_share_an_outline_and_read_back_apart() -> None:
    face = load_face(FaceName("Source Serif Pro", 700))
    blank, unbroken = face.glyphs[" "], face.glyphs["\u00a0"]
    assert blank != unbroken
    assert face.outlines[blank] == face.outlines[unbroken]
