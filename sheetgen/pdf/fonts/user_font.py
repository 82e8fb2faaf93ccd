"""Fonts that a user adds for what the bundled ones lack: what is needed of one, and what speaks against it."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from sheetgen.errors import InputError, Place, Problem
from sheetgen.pdf.fonts.face import EM, Face, offsets_of, parts_of, tables_of

_NEEDED = ("cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp")
_COLLECTION, _POSTSCRIPT, _TRUETYPE = b"ttcf", b"OTTO", (b"\0\1\0\0", b"true")
_HEAD_MAGIC = 0x5F0F3CF5
_DEEPEST = 8
# OS/2 fsType: what the maker of a font allows (OpenType 1.9).
_LICENCE, _RESTRICTED, _WHOLE_ONLY, _BITMAPS_ONLY = 0x000F, 0x0002, 0x0100, 0x0200


class Unusable(Exception):
    """Why a file is not taken as a font, in words that follow its name."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What the tables of a font say of it, in units of which there are `per_em` to the em."""

    per_em: int
    advances: tuple[int, ...]
    ascent: int
    descent: int
    cap_height: int
    weight: int
    angle: float
    bounds: tuple[int, int, int, int]
    outlines: tuple[int, ...]  # where each begins in glyf, and where the last ends
    glyf: bytes


@dataclass(frozen=True, slots=True, eq=False)
class AddedFont:
    """A font of the user's: the whole file for the shaper, a face for embedding, and a digest of the file.

    `shown` is the file as the user named it.
    """

    shown: str = field(repr=False)
    data: bytes = field(repr=False)
    digest: str
    face: Face = field(repr=False)
    tables: Tables = field(repr=False)

    def ink(self, glyph: int, depth: int = 0) -> tuple[int, int]:
        """How far a glyph reaches below and above the baseline, in thousandths of the em; InputError if damaged."""
        tables = self.tables
        try:
            outline = tables.glyf[tables.outlines[glyph] : tables.outlines[glyph + 1]]
            if not outline:
                return 0, 0
            _, _, low, _, high = struct.unpack_from(">5h", outline)
            for part in parts_of(outline):
                if depth > _DEEPEST:
                    raise IndexError(part)
                self.ink(part, depth + 1)
        except (struct.error, IndexError):
            raise InputError([Problem(Place(self.shown), f"is damaged: glyph {glyph} cannot be read")]) from None
        return low * EM // tables.per_em, -(-high * EM // tables.per_em)

    def used(self, letters: Iterable[str]) -> dict[int, str]:
        """What each glyph among the letters stands for: what a reader copies, the character of its own if it can be."""
        found: dict[int, str] = {}
        for letter in sorted(letters):
            number, _, text = letter.partition(" ")
            glyph = int(number)
            before = found.get(glyph, "")
            if not before or self.face.glyphs.get(text) == glyph != self.face.glyphs.get(before):
                found[glyph] = text
        return found


def lettered(glyph: int, text: str) -> str:
    """A glyph and the text it stands for as one of the letters that a file needs; no text where others say it."""
    return f"{glyph} {text}"


def tables_read(data: bytes) -> Tables:
    """The tables of a font file; Unusable if it is none, has no TrueType outlines, or may not be embedded."""
    if data[:4] == _COLLECTION:
        raise Unusable("is a collection of several fonts: give one of them as a .ttf file")
    if data[:4] == _POSTSCRIPT:
        raise Unusable("has PostScript outlines, and only TrueType outlines can be embedded: use its .ttf file")
    if data[:4] not in _TRUETYPE:
        raise Unusable("is not a TrueType font")
    try:
        tables = tables_of(data)
        missing = [tag for tag in _NEEDED if tag not in tables]
        if missing:
            raise Unusable(f"is not a whole TrueType font: it has no table {missing[0]}")
        _check_licence(tables.get("OS/2", b""))
        return _read(tables)
    except (struct.error, IndexError, UnicodeDecodeError):
        raise Unusable("is damaged") from None


def _check_licence(os2: bytes) -> None:
    if len(os2) < 10:
        return
    (allowed,) = struct.unpack_from(">H", os2, 8)
    if allowed & _LICENCE == _RESTRICTED:
        raise Unusable("may not be embedded: its maker forbids it (OS/2 fsType: restricted licence)")
    if allowed & _BITMAPS_ONLY:
        raise Unusable("may not be embedded with its outlines: its maker forbids it (OS/2 fsType: bitmaps only)")
    if allowed & _WHOLE_ONLY:
        raise Unusable("may only be embedded whole, and we embed what is used (OS/2 fsType: no subsetting)")


def _read(tables: dict[str, bytes]) -> Tables:
    head, hhea, os2 = tables["head"], tables["hhea"], tables.get("OS/2", b"")
    (magic,) = struct.unpack_from(">L", head, 12)
    (per_em,) = struct.unpack_from(">H", head, 18)
    (count,) = struct.unpack_from(">H", tables["maxp"], 4)
    ascent, descent = struct.unpack_from(">hh", hhea, 4)
    (full,) = struct.unpack_from(">H", hhea, 34)
    outlines = offsets_of(head, tables["loca"])
    if magic != _HEAD_MAGIC or not 16 <= per_em <= 16384 or not count or not 0 < full <= count:
        raise Unusable("is damaged")
    ordered = all(begin <= end for begin, end in pairwise(outlines))
    if len(outlines) <= count or not ordered or outlines[-1] > len(tables["glyf"]):
        raise Unusable("is damaged: its outlines are not where it says")
    widths = struct.unpack_from(f">{2 * full}H", tables["hmtx"])[::2]
    if len(tables["hmtx"]) < 4 * full + 2 * (count - full):
        raise Unusable("is damaged: it lacks widths")
    (weight,) = struct.unpack_from(">H", os2, 4) if len(os2) >= 6 else (400,)
    (caps,) = struct.unpack_from(">h", os2, 88) if len(os2) >= 90 else (0,)
    (angle,) = struct.unpack_from(">l", tables["post"], 4) if len(tables.get("post", b"")) >= 8 else (0,)
    return Tables(
        per_em=per_em,
        advances=(*widths, *widths[-1:] * (count - full)),
        ascent=ascent,
        descent=descent,
        cap_height=caps or ascent * 3 // 4,
        weight=weight,
        angle=angle / 0x10000,
        bounds=struct.unpack_from(">4h", head, 36),
        outlines=outlines,
        glyf=tables["glyf"],
    )
