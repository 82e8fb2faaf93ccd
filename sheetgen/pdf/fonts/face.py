"""Faces as the stamp needs them: glyphs, widths and outlines of letters; and fonts that a user adds, checked whole.

A face has the glyphs of every character it can set, under numbers that never change; what is embedded in a file are
only the outlines that the file shows (see `shaping.subset_glyphs`).
"""

from __future__ import annotations

import struct
from codecs import charmap_encode
from collections.abc import Iterable
from dataclasses import dataclass, field

from sheetgen.pdf.writer import literal

EM = 1000
# How far ink reaches above and below the baseline, in em, accents aside: together the height `fit` gives a line.
ABOVE, BELOW = 0.76, 0.24
# Words come again and again: up to how long they are, and how many, their widths are kept.
_WORD, _MOST_MEASURED = 16, 10_000
_ESCAPED = [literal(bytes([byte]))[1:-1] for byte in range(256)]  # each byte as a PDF string holds it
_NEEDED = ("cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp")
_COLLECTION, _POSTSCRIPT, _TRUETYPE = b"ttcf", b"OTTO", (b"\0\1\0\0", b"true")
_ENTRY = struct.Struct(">4sLLL")
_FIRST_ENTRY = 12
_PIECE = 1 << 16
# OS/2 fsType: what the maker of a font allows (OpenType 1.9).
_LICENCE, _RESTRICTED, _WHOLE_ONLY, _BITMAPS_ONLY = 0x000F, 0x0002, 0x0100, 0x0200


@dataclass(frozen=True, slots=True)
class FaceName:
    """A face as CSS asks for it: family, weight from 100 to 900, upright or italic."""

    family: str
    weight: int = 400
    italic: bool = False

    @property
    def upright(self) -> FaceName:
        """The same face upright: italics have fewer alphabets."""
        return FaceName(self.family, self.weight)

    def __str__(self) -> str:
        return f"{self.family} {self.weight}{' italic' if self.italic else ''}"


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One font file ready for stamping; lengths are in thousandths of the em, `program` is a TrueType file.

    `glyphs` gives each character's number, `advances` each number's width, `outlines` the glyph of the program that
    each number shows: characters that look alike have numbers of their own, or text copied from a PDF would have
    no-break spaces for spaces. Number 0, and what shows glyph 0, shows nothing.
    """

    name: FaceName
    ascent: float
    descent: float
    cap_height: float
    angle: float
    bounds: tuple[int, int, int, int]
    glyphs: dict[str, int] = field(repr=False)
    advances: tuple[int, ...] = field(repr=False)
    program: bytes = field(repr=False)
    outlines: tuple[int, ...] = field(repr=False)
    # Both follow from the above; strings are measured and encoded without a loop of Python's.
    _widths: dict[str, int] = field(init=False, repr=False)
    _encoded: dict[int, bytes] = field(init=False, repr=False)
    _measured: dict[str, int] = field(init=False, repr=False, default_factory=dict)  # words met before

    def __post_init__(self) -> None:
        object.__setattr__(self, "_widths", {char: self.advances[glyph] for char, glyph in self.glyphs.items()})
        encoded = {ord(char): _ESCAPED[glyph >> 8] + _ESCAPED[glyph & 255] for char, glyph in self.glyphs.items()}
        object.__setattr__(self, "_encoded", encoded)

    def width(self, text: str, size: float) -> float:
        """Return the width of the text in points at `size` points; KeyError for a character that the face lacks."""
        units = self._measured.get(text)
        if units is None:
            units = sum(map(self._widths.__getitem__, text))
            if len(text) <= _WORD:
                if len(self._measured) >= _MOST_MEASURED:
                    self._measured.clear()
                self._measured[text] = units
        return units * size / EM

    def missing(self, text: str) -> str:
        """Return the characters of the text that the face cannot set, each once, in their order."""
        if self.glyphs.keys() >= set(text):
            return ""
        return "".join(dict.fromkeys(char for char in text if char not in self.glyphs))

    def used(self, letters: Iterable[str]) -> dict[int, str]:
        """Return what each of these letters' glyphs stands for."""
        return {self.glyphs[letter]: letter for letter in sorted(letters)}

    def string(self, text: str) -> bytes:
        """Return the PDF string that shows the text under Identity-H: the numbers of its glyphs, of two bytes each.

        Ask `missing` first: a letter that the font lacks is a UnicodeEncodeError.
        """
        return b"(%b)" % charmap_encode(text, "strict", self._encoded)[0]


class UnusableFont(Exception):
    """A file that cannot be used as a font; the message follows the name of the file."""


@dataclass(frozen=True, slots=True, eq=False)
class AddedFont:
    """A font of the user's: the whole file for the shaper, a face for embedding, and a digest of the file.

    `shown` is the file as the user named it, `advances` the width of each glyph in units, `per_em` of them to the em.
    """

    shown: str = field(repr=False)
    data: bytes = field(repr=False)
    digest: str
    face: Face = field(repr=False)
    per_em: int
    advances: tuple[int, ...] = field(repr=False)

    def used(self, letters: Iterable[str]) -> dict[int, str]:
        """Return the text that each glyph among the letters stands for, its own character where it has one."""
        found: dict[int, str] = {}
        for letter in sorted(letters):
            number, _, text = letter.partition(" ")
            glyph = int(number)
            before = found.get(glyph, "")
            if not before or self.face.glyphs.get(text) == glyph != self.face.glyphs.get(before):
                found[glyph] = text
        return found


def lettered(glyph: int, text: str) -> str:
    """Return a glyph and the text it stands for, which may be empty, as one word of a file's set of letters."""
    return f"{glyph} {text}"


def tables_of(data: bytes) -> dict[str, bytes]:
    """Return the tables of a TrueType font that may be embedded; UnusableFont for any other or damaged file."""
    if data[:4] == _COLLECTION:
        raise UnusableFont("is a collection of several fonts: give one of them as a .ttf file")
    if data[:4] == _POSTSCRIPT:
        raise UnusableFont("has PostScript outlines, and only TrueType outlines can be embedded: use its .ttf file")
    if data[:4] not in _TRUETYPE:
        raise UnusableFont("is not a TrueType font")
    tables = whole_tables(data)
    missing = [tag for tag in _NEEDED if tag not in tables]
    if missing:
        raise UnusableFont(f"is not a whole TrueType font: it has no table {missing[0]}")
    _check_licence(tables.get("OS/2", b""))
    return tables


def whole_tables(data: bytes) -> dict[str, bytes]:
    """Return the tables of a font file by tag; UnusableFont if it is cut off or a checksum does not fit."""
    try:
        (count,) = struct.unpack_from(">H", data, 4)
        entries = [_ENTRY.unpack_from(data, _FIRST_ENTRY + _ENTRY.size * index) for index in range(count)]
    except struct.error:
        raise UnusableFont("is damaged: it is cut off") from None
    found = {}
    for tag, checksum, offset, length in entries:
        name, table = tag.decode("ascii", "replace"), data[offset : offset + length]
        if len(table) != length:
            raise UnusableFont("is damaged: it is cut off")
        if _checksum(table, of_head=name == "head") != checksum:
            raise UnusableFont(f"is damaged: its table {name.strip()} is not what its checksum says")
        found[name] = table
    return found


def _checksum(table: bytes, *, of_head: bool) -> int:
    """Return the sum of a table's 32-bit words (OpenType 1.9); the file's own sum in `head` counts as zero."""
    if of_head:
        table = table[:8] + bytes(4) + table[12:]
    words = table + bytes(-len(table) % 4)
    pieces = (words[at : at + _PIECE] for at in range(0, len(words), _PIECE))
    return sum(sum(struct.unpack(f">{len(piece) // 4}L", piece)) for piece in pieces) & 0xFFFFFFFF


def licence_refusal(data: bytes) -> str:
    """Return why the maker of a font forbids what we do with it, or nothing; a file that is no font says nothing."""
    try:
        (count,) = struct.unpack_from(">H", data, 4)
        entries = [_ENTRY.unpack_from(data, _FIRST_ENTRY + _ENTRY.size * index) for index in range(count)]
        _check_licence(next((data[at : at + size] for tag, _, at, size in entries if tag == b"OS/2"), b""))
    except struct.error:
        return ""
    except UnusableFont as error:
        return str(error)
    return ""


def _check_licence(os2: bytes) -> None:
    if len(os2) < 10:
        return
    (allowed,) = struct.unpack_from(">H", os2, 8)
    if allowed & _LICENCE == _RESTRICTED:
        raise UnusableFont("may not be embedded: its maker forbids it (OS/2 fsType: restricted licence)")
    if allowed & _BITMAPS_ONLY:
        raise UnusableFont("may not be embedded with its outlines: its maker forbids it (OS/2 fsType: bitmaps only)")
    if allowed & _WHOLE_ONLY:
        raise UnusableFont("may only be embedded whole, and we embed what is used (OS/2 fsType: no subsetting)")
