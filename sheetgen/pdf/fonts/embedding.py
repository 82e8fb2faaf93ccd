"""Embeds a face in a PDF: the outlines of the letters used, their widths, and a map from glyphs to text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from itertools import groupby

from sheetgen.errors import InputError, Place, Problem
from sheetgen.pdf.fonts.face import ABOVE, BELOW, EM, AddedFont, Face, FaceName, UnusableFont
from sheetgen.pdf.writer import Ref, Writer, pdf_dict

# Font descriptor flags, ISO 32000-1, table 123.
_SERIF, _SYMBOLIC, _ITALIC = 2, 4, 64
_CMAP_HEAD = b"""/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
"""
_CMAP_TAIL = b"endcmap CMapName currentdict /CMap defineresource pop end end"
_LARGEST_BLOCK = 100


def embed(writer: Writer, face: Face, letters: Iterable[str]) -> int:
    """Write the face with the outlines of these letters; return the object number of the font."""
    used = face.used(letters)
    return embed_glyphs(writer, face, used, font_name(face.name, tag=_tag(used)))


def embed_added(writer: Writer, font: AddedFont, letters: Iterable[str]) -> int:
    """Write an added font with the outlines of these letters (see `face.lettered`); return its object number."""
    used = font.used(letters)
    try:
        return embed_glyphs(writer, font.face, used, f"{_tag(used)}+{font.face.name.family}")
    except UnusableFont as error:
        raise InputError([Problem(Place(font.shown), str(error))]) from None


def embed_used(
    writer: Writer,
    faces: Mapping[bytes, Face],
    added: Mapping[bytes, AddedFont],
    letters: Mapping[bytes, Iterable[str]],
) -> dict[str, Ref]:
    """Write the faces and added fonts that letters are needed of; return them as entries of a resource dictionary."""
    found = {font: embed(writer, face, letters[font]) for font, face in faces.items() if letters.get(font)}
    found |= {font: embed_added(writer, each, letters[font]) for font, each in added.items() if letters.get(font)}
    return {font.decode().removeprefix("/"): Ref(number) for font, number in found.items()}


def embed_glyphs(writer: Writer, face: Face, used: dict[int, str], name: str) -> int:
    """Write the face with the outlines of the glyphs used, each with its text, under that name; return its number."""
    from sheetgen.pdf.fonts.shaping import subset_glyphs  # imports uharfbuzz

    shown = {number: face.outlines[number] for number in used}
    program, cut = subset_glyphs(face.program, shown.values())
    outlines = writer.deflated(program, b"/Length1 %d" % len(program))
    descriptor = writer.pack(_descriptor(face, name, outlines))
    glyph_map = writer.deflated(_glyph_map({number: cut[glyph] for number, glyph in shown.items()}))
    descendant = pdf_dict(
        Type="Font",
        Subtype="CIDFontType2",
        BaseFont=name,
        CIDSystemInfo=dict(Registry=b"(Adobe)", Ordering=b"(Identity)", Supplement=0),
        FontDescriptor=Ref(descriptor),
        CIDToGIDMap=Ref(glyph_map),
        DW=0,
        W=_widths(face, used),
    )
    parts = [Ref(writer.pack(descendant))]
    to_text = Ref(writer.deflated(to_unicode(used)))
    font = dict(Type="Font", Subtype="Type0", BaseFont=name, Encoding="Identity-H")
    return writer.pack(pdf_dict(**font, DescendantFonts=parts, ToUnicode=to_text))


def _glyph_map(shown: Mapping[int, int]) -> bytes:
    """Return the embedded glyph for each number in the text (ISO 32000-1, table 117: CIDToGIDMap)."""
    pairs = bytearray(2 * max(shown, default=0) + 2)
    for number, glyph in shown.items():
        pairs[2 * number : 2 * number + 2] = glyph.to_bytes(2, "big")
    return bytes(pairs)


def _descriptor(face: Face, name: str, outlines: int) -> bytes:
    return pdf_dict(
        Type="FontDescriptor",
        FontName=name,
        Flags=_SYMBOLIC | (_SERIF if "Serif" in face.name.family else 0) | (_ITALIC if face.name.italic else 0),
        FontBBox=face.bounds,
        ItalicAngle=round(face.angle),
        Ascent=round(ABOVE * EM),  # readers that set what is typed into a field centre it by these heights
        Descent=-round(BELOW * EM),
        CapHeight=round(face.cap_height),
        StemV=50 + face.name.weight // 10,  # a usual guess; readers use it only where they must replace the font
        FontFile2=Ref(outlines),
    )


def font_name(face: FaceName, *, tag: str) -> str:
    """Return the PostScript name of a cut face: one of ours, since the licence reserves the original's."""
    family = "Serif" if "Serif" in face.family else "Sans"
    return f"{tag}+Sheetgen{family}-{face.weight}{'Italic' if face.italic else ''}"


def to_unicode(used: dict[int, str]) -> bytes:
    """Return the character map from glyph numbers to text (ISO 32000-1, 9.10.3)."""
    pairs = [
        b"<%04X> <%b>" % (glyph, text.encode("utf-16-be").hex().encode())
        for glyph, text in sorted(used.items())
        if text
    ]
    blocks = [pairs[at : at + _LARGEST_BLOCK] for at in range(0, len(pairs), _LARGEST_BLOCK)]
    body = b"".join([b"%d beginbfchar\n%b\nendbfchar\n" % (len(block), b"\n".join(block)) for block in blocks])
    return _CMAP_HEAD + body + _CMAP_TAIL


def _widths(face: Face, used: Iterable[int]) -> list[object]:
    """Return the widths of the glyphs used, in runs of consecutive numbers."""
    found = list[object]()
    for _, run in groupby(enumerate(sorted(used)), key=lambda pair: pair[1] - pair[0]):
        glyphs = [glyph for _, glyph in run]
        found += [glyphs[0], [face.advances[glyph] for glyph in glyphs]]
    return found


def _tag(used: Iterable[int]) -> str:
    """Return the six letters that distinguish subsets of a font in its name."""
    digest = hashlib.blake2b(repr(sorted(used)).encode(), digest_size=6).digest()
    return "".join(chr(ord("A") + byte % 26) for byte in digest)
