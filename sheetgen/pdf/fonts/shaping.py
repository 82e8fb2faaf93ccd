"""What HarfBuzz does: fonts are measured and cut to what is shown, and text in an added font finds its glyphs.

Scripts such as Arabic, Devanagari or Thai choose and place their glyphs by their neighbours; the others pass through
here, too, once a text needs an added font at all.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import groupby

import uharfbuzz as hb

from sheetgen.errors import InputError, Place, Problem
from sheetgen.pdf.fonts.face import EM, AddedFont, Face, FaceName, UnusableFont, lettered, tables_of

FEATURES = ("kern", "lnum", "tnum", "liga")
# What a PDF reader needs nothing of where text is given by glyph numbers (ISO 32000-1, 9.9).
_UNUSED = (
    *("BASE", "CBDT", "CBLC", "COLR", "CPAL", "DSIG", "GDEF", "GPOS", "GSUB", "JSTF", "LTSH", "MATH", "OS/2", "PCLT"),
    *("SVG ", "VDMX", "VORG", "cmap", "gasp", "hdmx", "kern", "meta", "name", "post", "sbix", "vhea", "vmtx"),
)
MOST_CACHED = 20_000
# Joiners and variation selectors: they show nothing themselves, and a font needs no glyph for them.
UNSEEN = frozenset("\u200c\u200d" + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))))
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9-]+")
_POSTSCRIPT_NAME = 6
_MOST_GLYPHS, _ASIDE = 0xFFFF, 10
_PEN = hb.DrawFuncs()  # notes that a glyph has an outline


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


_PEN.set_move_to_func(lambda x, y, drawn: drawn.append(None))


@dataclass(frozen=True, slots=True)
class Glyph:
    """One glyph in place: lengths in thousandths of the em; `width` is the font's own, `advance` that of this place."""

    number: int
    width: int
    advance: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Run:
    """Glyphs from left to right; `low` and `high` are how far their ink reaches below and above the baseline.

    `letters` is what a file needs to show them; `spelled` says what stands where the glyphs alone do not lead back to
    the text: from which glyph, up to which, and the text.
    """

    glyphs: tuple[Glyph, ...]
    width: int
    low: int
    high: int
    letters: tuple[str, ...]
    spelled: tuple[tuple[int, int, str], ...] = ()


def read_font(data: bytes, shown: str) -> AddedFont:
    """Return the font in a file's bytes; InputError if it is none, damaged, not TrueType, or not to be embedded."""
    try:
        tables = tables_of(data)
        source = hb.Face(hb.Blob(data))
        face = _face(source, tables, data)
        subset_glyphs(data, [0])  # so that what cannot be cut is told before anything is made
    except UnusableFont as error:
        raise InputError([Problem(Place(shown), str(error))]) from None
    except struct.error:
        raise InputError([Problem(Place(shown), "is damaged: a table is too short")]) from None
    font = hb.Font(source)
    advances = tuple(font.get_glyph_h_advance(glyph) for glyph in range(source.glyph_count))
    return AddedFont(shown, data, blake2b(data, digest_size=16).hexdigest(), face, source.upem, advances)


def _face(source: hb.Face, tables: dict[str, bytes], program: bytes) -> Face:
    font, count, per_em, os2 = hb.Font(source), source.glyph_count, int(source.upem), tables.get("OS/2", b"")
    glyphs = {
        chr(code): glyph
        for code in source.unicodes
        if _printed(code) and (glyph := font.get_nominal_glyph(code)) and glyph < count
    }
    if not glyphs:
        raise UnusableFont("is damaged: it has no characters")

    def scaled(units: int) -> int:
        return round(units * EM / per_em)

    ascent, descent = struct.unpack_from(">hh", tables["hhea"], 4)
    x1, y1, x2, y2 = map(scaled, struct.unpack_from(">4h", tables["head"], 36))
    (weight,) = struct.unpack_from(">H", os2, 4) if len(os2) >= 6 else (400,)
    (caps,) = struct.unpack_from(">h", os2, 88) if len(os2) >= 90 else (0,)
    (angle,) = struct.unpack_from(">l", tables["post"], 4) if len(tables.get("post", b"")) >= 8 else (0,)
    name = _NOT_IN_NAMES.sub("", source.get_name(_POSTSCRIPT_NAME) or "")[:63] or "Added"
    return Face(
        name=FaceName(name, min(max(weight, 1), 1000), bool(angle)),
        ascent=scaled(ascent),
        descent=scaled(descent),
        cap_height=scaled(caps or ascent * 3 // 4),
        angle=angle / 0x10000,
        bounds=(x1, y1, x2, y2),
        glyphs=glyphs,
        advances=(*(scaled(font.get_glyph_h_advance(glyph)) for glyph in range(count)), *[0] * len(glyphs)),
        program=program,
        outlines=(*range(count), *[0] * len(glyphs)),  # those stand in for parts of ligatures, and show nothing
    )


def _printed(code: int) -> bool:
    return not 0xD800 <= code <= 0xDFFF and not unicodedata.category(chr(code)).startswith("C")


@cache
def script_of(char: str) -> str:
    """Return the script of a character as four letters (ISO 15924); empty for what all scripts share."""
    buffer = hb.Buffer()
    buffer.language = "und"
    buffer.add_codepoints([ord(char)])
    buffer.guess_segment_properties()
    return buffer.script or ""


@dataclass(frozen=True, slots=True)
class _Cluster:
    """Characters that share some glyphs, these in reading order."""

    text: str
    numbers: list[int]


def _clusters(text: str, glyphs: list[tuple[int, int]]) -> Iterator[_Cluster]:
    """Yield the clusters of a text; `glyphs`, in reading order, have the place where the cluster of each begins."""
    begins = sorted({begin for _, begin in glyphs})
    ends = dict(zip(begins, [*begins[1:], len(text)], strict=True))
    for begin, group in groupby(glyphs, key=lambda glyph: glyph[1]):
        yield _Cluster(text[begin : ends[begin]], [number for number, _ in group])


def _with_marks(clusters: list[_Cluster]) -> list[_Cluster]:
    """Return the clusters, each with the marks behind it: by position alone they seem to follow the next letter."""
    found: list[_Cluster] = []
    for cluster in clusters:
        if found and unicodedata.category(cluster.text[0]).startswith("M"):
            found[-1] = _Cluster(found[-1].text + cluster.text, found[-1].numbers + cluster.numbers)
        else:
            found.append(cluster)
    return found


def _spelled(clusters: list[_Cluster], *, rtl: bool) -> Iterator[tuple[int, int, str]]:
    """Yield, from left to right, the clusters whose text does not follow from their glyphs: begin, end, text.

    These are clusters of several glyphs, and mirrored brackets. Each is given by itself, since PDF readers that order
    letters by position reverse longer stretches.
    """
    begin = 0
    for cluster in clusters:
        end = begin + len(cluster.numbers)
        if len(cluster.numbers) > 1 or (rtl and unicodedata.mirrored(cluster.text[0])):
            yield begin, end, cluster.text
        begin = end


class Shaper:
    """Shapes text in one added font, which is called `font` on the page."""

    def __init__(self, added: AddedFont, font: bytes) -> None:
        self.font, self._added = font, added
        self._shaped = hb.Font(hb.Face(hb.Blob(added.data)))
        self._cache: dict[tuple[str, bool], Run] = {}
        self._inks: dict[int, tuple[int, int]] = {}
        self._ranks: dict[str, int] | None = None

    def has(self, text: str) -> bool:
        """Return whether the font can show every character of the text."""
        return all(char in self._added.face.glyphs or char in UNSEEN for char in text)

    def run(self, text: str, *, rtl: bool) -> Run:
        """Return the glyphs of a text of one script and one direction."""
        key = text, rtl
        if key not in self._cache:
            if len(self._cache) >= MOST_CACHED:
                self._cache.clear()
            self._cache[key] = self._run(text, rtl=rtl)
        return self._cache[key]

    def _run(self, text: str, *, rtl: bool) -> Run:
        buffer = hb.Buffer()
        buffer.language = "und"  # or it is that of whoever runs us
        buffer.add_codepoints([ord(char) for char in text])
        buffer.cluster_level = hb.BufferClusterLevel.MONOTONE_CHARACTERS
        buffer.flags = hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES
        buffer.direction = "rtl" if rtl else "ltr"
        buffer.guess_segment_properties()
        hb.shape(self._shaped, buffer)
        infos, positions = buffer.glyph_infos or (), buffer.glyph_positions or ()
        per_em, face = self._added.per_em, self._added.face
        glyphs, low, high = [], 0, 0
        for info, place in zip(infos, positions, strict=True):
            number, width = info.codepoint, face.advances[info.codepoint]
            own = place.x_advance == self._added.advances[number]
            x, y = round(place.x_offset * EM / per_em), round(place.y_offset * EM / per_em)
            below, above = self._ink(number)
            low, high = max(low, below - y), max(high, above + y)
            glyphs.append(Glyph(number, width, width if own else round(place.x_advance * EM / per_em), x, y))
        found = list(_clusters(text, [(info.codepoint, info.cluster) for info in infos[:: -1 if rtl else 1]]))
        if rtl:
            glyphs, found = self._split_ligatures(glyphs, found)
        return Run(
            glyphs=tuple(glyphs),
            width=sum(glyph.advance for glyph in glyphs),
            low=low,
            high=high,
            letters=tuple(lettered(number, said) for cluster in found for number, said in self._glyph_texts(cluster)),
            spelled=tuple(_spelled(found[::-1] if rtl else _with_marks(found), rtl=rtl)),
        )

    def _ink(self, glyph: int) -> tuple[int, int]:
        """Return how far a glyph reaches below and above the baseline, in thousandths of the em.

        Raise InputError if its outline is damaged.
        """
        if glyph not in self._inks:
            box, drawn, per_em = self._shaped.get_glyph_extents(glyph), list[object](), self._added.per_em
            self._shaped.draw_glyph(glyph, _PEN, drawn)
            if box is None or (box.height and not drawn):
                place = Place(self._added.shown)
                raise InputError([Problem(place, f"is damaged: glyph {glyph} cannot be read")])
            low, high = box.y_bearing + box.height, box.y_bearing
            self._inks[glyph] = -(low * EM // per_em), -(-high * EM // per_em)
        return self._inks[glyph]

    def _split_ligatures(self, glyphs: list[Glyph], clusters: list[_Cluster]) -> tuple[list[Glyph], list[_Cluster]]:
        """Return the glyphs and clusters, with a glyph without ink for each further letter of a ligature, at its left.

        PDF readers that order characters by position would otherwise reverse the letters of one glyph.
        """
        at, apart = len(glyphs), list[_Cluster]()
        for cluster in clusters:
            at -= len(cluster.numbers)
            blanks = [self._inkless_glyph(char) for char in cluster.text[1:]]
            if len(cluster.numbers) > 1 or 0 in blanks:
                apart.append(cluster)
                continue
            apart.append(_Cluster(cluster.text[0], cluster.numbers))
            apart += [_Cluster(char, [blank]) for char, blank in zip(cluster.text[1:], blanks, strict=True)]
            glyphs[at:at] = [Glyph(blank, 0, 0, -_ASIDE, 0) for blank in reversed(blanks)]
        return glyphs, apart

    def _inkless_glyph(self, char: str) -> int:
        """Return a glyph number above those of the font that stands for a character; 0 if there is none left."""
        if self._ranks is None:
            self._ranks = {known: rank for rank, known in enumerate(sorted(self._added.face.glyphs))}
        number = len(self._added.advances) + self._ranks.get(char, _MOST_GLYPHS)
        return number if number < _MOST_GLYPHS else 0

    def _glyph_texts(self, cluster: _Cluster) -> Iterator[tuple[int, str]]:
        """Return each glyph of a cluster, in reading order, with the text it stands for."""
        left, said = cluster.text, list[str]()
        for number in cluster.numbers:
            own = next((char for char in left if self._added.face.glyphs.get(char) == number), "")
            left = left.replace(own, "", 1)
            said.append(own)
        at = next((at for at, own in enumerate(said) if not own), 0)
        said[at] += left
        return zip(cluster.numbers, said, strict=True)
