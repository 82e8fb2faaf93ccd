"""Fonts measured, and cut to what is shown, by HarfBuzz: outlines for a PDF, and whole small fonts for web pages."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable

import uharfbuzz as hb

from sheetgen.pdf.fonts.user_font import AddedFont, UnusableFont

FEATURES = ("kern", "lnum", "tnum", "liga")
# What a PDF reader needs nothing of where text is given by glyph numbers (ISO 32000-1, 9.9).
_UNUSED = (
    *("BASE", "CBDT", "CBLC", "COLR", "CPAL", "DSIG", "GDEF", "GPOS", "GSUB", "JSTF", "LTSH", "MATH", "OS/2", "PCLT"),
    *("SVG ", "VDMX", "VORG", "cmap", "gasp", "hdmx", "kern", "meta", "name", "post", "sbix", "vhea", "vmtx"),
)


def advances(data: bytes) -> dict[int, float]:
    """Return the width of each character of a font, in em."""
    face = hb.Face(hb.Blob(data))
    font = hb.Font(face)
    return {code: font.get_glyph_h_advance(font.get_nominal_glyph(code)) / face.upem for code in face.unicodes}


def subset_glyphs(program: bytes, glyphs: Iterable[int]) -> tuple[bytes, dict[int, int]]:
    """Return the TrueType font with the outlines of these glyphs and of their parts alone, and the new number of each.

    Glyph 0 is the box of a missing character unless it is among `glyphs`: then it is empty. UnusableFont for a font
    that is too damaged to be cut.
    """
    wanted = _to_embed()
    wanted.glyph_set.update(glyphs)
    if 0 in wanted.glyph_set:
        wanted.flags &= ~hb.SubsetFlags.NOTDEF_OUTLINE
    try:
        plan = hb.SubsetPlan(hb.Face(hb.Blob(program)), wanted)
        return bytes(plan.execute().blob.data), dict(plan.old_to_new_glyph_mapping)
    except RuntimeError:
        raise UnusableFont("is damaged: nothing can be cut out of it") from None


def subset_characters(data: bytes, codes: Iterable[int]) -> tuple[bytes, dict[int, int]]:
    """Return the TrueType font with the outlines of only these characters, and the glyph number of each it has."""
    wanted = _to_embed()
    wanted.unicode_set.update(codes)
    plan = hb.SubsetPlan(hb.Face(hb.Blob(data)), wanted)
    new = plan.old_to_new_glyph_mapping
    return bytes(plan.execute().blob.data), {code: new[old] for code, old in plan.unicode_to_old_glyph_mapping.items()}


def _to_embed() -> hb.SubsetInput:
    wanted = hb.SubsetInput()
    wanted.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NOTDEF_OUTLINE | hb.SubsetFlags.NO_LAYOUT_CLOSURE
    wanted.drop_table_tag_set.update(map(_tag, _UNUSED))
    return wanted


def _tag(name: str) -> int:
    return int.from_bytes(name.encode("ascii"), "big")


def subset_letters(data: bytes, letters: Iterable[str], *, shaped: bool = False) -> bytes:
    """Return the font with these letters alone, and what kerns and joins them; `shaped` keeps what scripts need."""
    wanted = hb.SubsetInput()
    wanted.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NOTDEF_OUTLINE
    wanted.unicode_set.update(map(ord, letters))
    if not shaped:
        wanted.layout_feature_tag_set.clear()
        wanted.layout_feature_tag_set.update(map(_tag, FEATURES))
    return bytes(hb.subset(hb.Face(hb.Blob(data)), wanted).blob.data)


def carried_fonts(fonts: Iterable[AddedFont], text: str, lacking: str) -> list[tuple[str, str]]:
    """Return each font that a page needs for letters that it is `lacking`, cut to its text: family, and address."""
    found, left = list[tuple[str, str]](), set(lacking)
    for number, font in enumerate(fonts, 1):
        if any(char in font.face.glyphs for char in left):
            data = subset_letters(font.data, sorted(set(text)), shaped=True)
            found.append((f"Added {number}", f"data:font/ttf;base64,{b64encode(data).decode()}"))
            left -= set(font.face.glyphs)
    return found
