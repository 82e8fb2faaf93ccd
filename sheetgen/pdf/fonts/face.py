"""One face as the stamp needs it: which glyph stands for a character, how wide it is, and the outlines to embed.

A face arrives with the glyphs of every character it can set, under numbers that never change; what is embedded in a
file are only the outlines that the file shows, cut out here in plain Python so that stamping needs no font library.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

EM = 1000
# How far ink reaches above and below the baseline, in em, accents aside: together the height `fit` gives a line.
ABOVE, BELOW = 0.76, 0.24
# Words come again and again: up to how long they are, and how many, their widths are kept.
_WORD, _MOST_MEASURED = 16, 10_000
_LONG = 1
_ARG_WORDS, _HAS_SCALE, _MORE, _XY_SCALE, _TWO_BY_TWO = 0x0001, 0x0008, 0x0020, 0x0040, 0x0080
_LOCA_FORMAT_AT = 50
_CHECKSUM_MAGIC = 0xB1B0AFBA
# The tables that a reader of PDF needs of a TrueType program under glyph numbers (ISO 32000-1, 9.9).
_EMBEDDED = frozenset(("cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep"))


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

    `glyphs` gives each character's number, `advances` each number's width.
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
    # Both follow from the above; strings are measured and translated without a loop of Python's.
    _widths: dict[str, int] = field(init=False, repr=False)
    _numbers: dict[int, int] = field(init=False, repr=False)
    _measured: dict[str, int] = field(init=False, repr=False, default_factory=dict)  # words met before

    def __post_init__(self) -> None:
        object.__setattr__(self, "_widths", {char: self.advances[glyph] for char, glyph in self.glyphs.items()})
        object.__setattr__(self, "_numbers", {ord(char): glyph for char, glyph in self.glyphs.items()})

    def width(self, text: str, size: float) -> float:
        """The width of the text in points at `size` points; KeyError for a character that the face lacks."""
        units = self._measured.get(text)
        if units is None:
            units = sum(map(self._widths.__getitem__, text))
            if len(text) <= _WORD:
                if len(self._measured) >= _MOST_MEASURED:
                    self._measured.clear()
                self._measured[text] = units
        return units * size / EM

    def missing(self, text: str) -> str:
        """The characters of the text that the face cannot set, each once, in their order."""
        if self.glyphs.keys() >= set(text):
            return ""
        return "".join(dict.fromkeys(char for char in text if char not in self.glyphs))

    def used(self, letters: Iterable[str]) -> dict[int, str]:
        """What each of these letters' glyphs stands for."""
        return {self.glyphs[letter]: letter for letter in sorted(letters)}

    def encode(self, text: str) -> bytes:
        """The text as glyph numbers of two bytes each, as a string under Identity-H holds them; see `missing`."""
        return text.translate(self._numbers).encode("utf-16-be")


def trimmed(program: bytes, keep: Iterable[int]) -> bytes:
    """The TrueType program with the outlines of the glyphs `keep` (and of their parts) alone, all numbers unchanged.

    Numbers behind the last glyph of the program become glyphs without an outline.
    """
    keep = set(keep)
    tables = {tag: table for tag, table in tables_of(program).items() if tag in _EMBEDDED}
    head, glyf = tables["head"], tables["glyf"]
    offsets = offsets_of(head, tables["loca"])
    (count,) = struct.unpack_from(">H", tables["maxp"], 4)
    offsets = offsets[: count + 1] + offsets[count : count + 1] * (max(keep, default=0) + 1 - count)
    wanted = _closure(glyf, offsets, keep)
    last = max(wanted)
    outlines, places = bytearray(), [0]
    for glyph in range(last + 1):
        if glyph in wanted:
            outlines += glyf[offsets[glyph] : offsets[glyph + 1]]
            outlines += b"\0" * (-len(outlines) % 4)
        places.append(len(outlines))
    tables["glyf"] = bytes(outlines)
    tables["loca"] = struct.pack(f">{len(places)}L", *places)
    tables["head"] = head[:_LOCA_FORMAT_AT] + struct.pack(">h", _LONG) + head[_LOCA_FORMAT_AT + 2 :]
    tables["maxp"] = tables["maxp"][:4] + struct.pack(">H", last + 1) + tables["maxp"][6:]
    tables["hmtx"], tables["hhea"] = _metrics(
        tables["hmtx"], tables["hhea"], {glyph for glyph in wanted if glyph < count}, last
    )
    return _assembled(tables)


def tables_of(program: bytes) -> dict[str, bytes]:
    """The tables of a TrueType program by tag; struct.error for one that is cut off."""
    (count,) = struct.unpack_from(">H", program, 4)
    found = {}
    for index in range(count):
        tag, _, offset, length = struct.unpack_from(">4sLLL", program, 12 + 16 * index)
        found[tag.decode("ascii")] = program[offset : offset + length]
    return found


def offsets_of(head: bytes, loca: bytes) -> tuple[int, ...]:
    """Where each outline begins in the table glyf, and where the last one ends."""
    if head[_LOCA_FORMAT_AT + 1] == _LONG:
        return struct.unpack(f">{len(loca) // 4}L", loca)
    return tuple(2 * half for half in struct.unpack(f">{len(loca) // 2}H", loca))


def _closure(glyf: bytes, offsets: tuple[int, ...], keep: Iterable[int]) -> set[int]:
    """The glyphs with everything they are composed of, and the empty box of glyph 0."""
    wanted: set[int] = set()
    waiting = [0, *keep]
    while waiting:
        glyph = waiting.pop()
        if glyph not in wanted:
            wanted.add(glyph)
            waiting.extend(parts_of(glyf[offsets[glyph] : offsets[glyph + 1]]))
    return wanted


def parts_of(outline: bytes) -> list[int]:
    """The glyph numbers a composite outline refers to (OpenType 1.9, table glyf)."""
    if not outline or struct.unpack_from(">h", outline)[0] >= 0:
        return []
    parts, at, flags = [], 10, _MORE
    while flags & _MORE:
        flags, glyph = struct.unpack_from(">HH", outline, at)
        parts.append(glyph)
        at += 4 + (4 if flags & _ARG_WORDS else 2)
        at += 2 if flags & _HAS_SCALE else 4 if flags & _XY_SCALE else 8 if flags & _TWO_BY_TWO else 0
    return parts


def _metrics(hmtx: bytes, hhea: bytes, wanted: set[int], last: int) -> tuple[bytes, bytes]:
    """The widths up to the last glyph wanted, zero where nothing is drawn; the header says how many there are."""
    (full,) = struct.unpack_from(">H", hhea, 34)
    rows = bytearray()
    for glyph in range(last + 1):
        if glyph not in wanted:
            rows += b"\0\0\0\0"
        elif glyph < full:
            rows += hmtx[4 * glyph : 4 * glyph + 4]
        else:
            bearing = 4 * full + 2 * (glyph - full)
            rows += hmtx[4 * full - 4 : 4 * full - 2] + hmtx[bearing : bearing + 2]
    return bytes(rows), hhea[:34] + struct.pack(">H", last + 1)


def _assembled(tables: Mapping[str, bytes]) -> bytes:
    """The tables as a TrueType file with its directory and checksums."""
    tags = sorted(tables)
    power = 1 << (len(tags).bit_length() - 1)
    start = struct.pack(">LHHHH", 0x00010000, len(tags), 16 * power, power.bit_length() - 1, 16 * (len(tags) - power))
    directory, body = bytearray(start), bytearray()
    first = 12 + 16 * len(tags)
    places = {}
    for tag in tags:
        data = tables[tag]
        if tag == "head":
            data = data[:8] + b"\0\0\0\0" + data[12:]
        places[tag] = first + len(body)
        directory += struct.pack(">4sLLL", tag.encode("ascii"), _checksum(data), places[tag], len(data))
        body += data + b"\0" * (-len(data) % 4)
    program = directory + body
    struct.pack_into(">L", program, places["head"] + 8, (_CHECKSUM_MAGIC - _checksum(bytes(program))) & 0xFFFFFFFF)
    return bytes(program)


def _checksum(data: bytes) -> int:
    data += b"\0" * (-len(data) % 4)
    words: tuple[int, ...] = struct.unpack(f">{len(data) // 4}L", data)
    return sum(words) & 0xFFFFFFFF
