"""The bundled fonts: where their files are, the fontconfig file that shows them alone, and faces cut for stamping.

The only home of fontTools. The faces come from the packages `font-source-serif-pro` and `font-source-sans-pro` (SIL
Open Font License 1.1, which reserves the name "Source": what is cut from them is embedded under a name of our own).
"""

from __future__ import annotations

import copy
import importlib.util
import io
import os
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from sheetgen.errors import InputError, Place, Problem, suggestion
from sheetgen.pdf.fonts.face import EM, Face, FaceName

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

SERIF, SANS = "Source Serif Pro", "Source Sans Pro"
FAMILIES = MappingProxyType(
    {SERIF: ("font_source_serif_pro", "SourceSerifPro"), SANS: ("font_source_sans_pro", "SourceSansPro")}
)
WEIGHTS = MappingProxyType(
    {200: "ExtraLight", 300: "Light", 400: "Regular", 600: "Semibold", 700: "Bold", 900: "Black"}
)
# Marks cannot be placed without shaping, and controls have no shape: both are left to what sets text properly.
_LAYOUT = ("GDEF", "GSUB", "GPOS")
_UNSTAMPED = ("M", "C")
_DROPPED = ("BASE", "DSIG", "OS/2", "name", "post", "gasp")


def font_folder(family: str) -> Path:
    """The folder with the files of a bundled family; raises InputError when its package is not installed."""
    package, _ = FAMILIES[family]
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        wanted = package.replace("_", "-")
        raise InputError([Problem(Place(family), f"the font is not installed (pip install {wanted})")])
    return Path(spec.submodule_search_locations[0]) / "files"


def font_path(name: FaceName) -> Path:
    """The TrueType file nearest to the face asked for; raises InputError for a family that is not bundled."""
    if name.family not in FAMILIES:
        hint = suggestion(name.family, FAMILIES)
        raise InputError([Problem(Place(name.family), f"no bundled font has this family name{hint}")])
    weight = min(WEIGHTS, key=lambda known: (abs(known - name.weight), known))
    style = "It" if name.italic else ""
    if not (style and weight == 400):
        style = WEIGHTS[weight] + style
    path = font_folder(name.family) / f"{FAMILIES[name.family][1]}-{style}.ttf"
    if not path.is_file():
        raise InputError([Problem(Place(str(path)), "the font file is missing: install its package again")])
    return path


def fontconfig_file(folder: Path) -> Path:
    """Writes a file into `folder` that shows the bundled fonts and no others, and gives its path.

    It is named after what it says, so that several installations can share a folder.
    """
    (folder / "cache").mkdir(parents=True, exist_ok=True)  # or fontconfig complains where two runs make it at once
    folders = "".join(f"<dir>{escape(str(font_folder(family)))}</dir>" for family in FAMILIES)
    generic = "".join(
        f"<alias binding='same'><family>{name}</family><prefer><family>{family}</family></prefer></alias>"
        for name, family in (("serif", SERIF), ("sans-serif", SANS))
    )
    # Each folder holds every face twice; the CFF files would print, but reportlab and the stamp read TrueType alone.
    rejected = "<selectfont><rejectfont><glob>*.otf</glob></rejectfont></selectfont>"
    text = (
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">'
        f"<fontconfig>{folders}{rejected}{generic}<cachedir>{escape(str(folder / 'cache'))}</cachedir></fontconfig>\n"
    )
    path = folder / f"fonts-{blake2b(text.encode(), digest_size=8).hexdigest()}.conf"
    if not path.is_file():
        half = path.with_suffix(f".{os.getpid()}")
        try:
            half.write_text(text, encoding="utf-8")
            half.replace(path)
        finally:
            half.unlink(missing_ok=True)
    return path


def load_face(name: FaceName, characters: Iterable[str] | None = None) -> Face:
    """The nearest bundled face with all its characters or those given; raises InputError when the bundle is absent."""
    return _whole_face(name) if characters is None else _face(name, characters)


@cache
def _whole_face(name: FaceName) -> Face:
    return _face(name, None)


def _face(name: FaceName, characters: Iterable[str] | None) -> Face:
    from fontTools.ttLib import TTFont

    with TTFont(font_path(name), recalcTimestamp=False) as font:
        metrics, per_em = font["hhea"], font["head"].unitsPerEm
        ascent, descent, cap_height = metrics.ascent, metrics.descent, font["OS/2"].sCapHeight
        angle = float(font["post"].italicAngle)
        program, order, numbers = _cut(font, characters)
        head, widths = font["head"], font["hmtx"]
        return Face(
            name=name,
            ascent=ascent * EM / per_em,
            descent=descent * EM / per_em,
            cap_height=cap_height * EM / per_em,
            angle=angle,
            bounds=tuple(round(edge * EM / per_em) for edge in (head.xMin, head.yMin, head.xMax, head.yMax)),
            glyphs=numbers,
            advances=tuple(round(widths[glyph][0] * EM / per_em) for glyph in order),
            program=program,
        )


def missing_from(text: str, name: FaceName) -> str:
    """The characters of a text that the face cannot show, each once, in their order."""
    known = _ems(name)
    return "".join(char for char in dict.fromkeys(text) if ord(char) not in known)


def measure_of(name: FaceName) -> Callable[[str, float], float]:
    """What measures a text in points at a size of this face, without kerning; a strange character counts as an em."""
    ems = _ems(name)
    return lambda text, size: size * sum(ems.get(ord(char), 1.0) for char in text)


def outlines(name: FaceName, letters: str) -> dict[str, dict[str, str | float]]:
    """The path of each letter as SVG has it, down the page from its baseline, and its width, in thousandths of the em.

    What is drawn with it is a shape and no text: nobody reads it aloud, and a print shop may cut it.
    """
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.ttLib import TTFont

    with TTFont(font_path(name), lazy=True) as font:
        shapes, known, scale = font.getGlyphSet(), font.getBestCmap(), EM / font["head"].unitsPerEm
        found: dict[str, dict[str, str | float]] = {}
        for letter in dict.fromkeys(letters):
            if ord(letter) in known:
                pen, shape = SVGPathPen(shapes, lambda number: f"{number:.0f}"), shapes[known[ord(letter)]]
                shape.draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
                found[letter] = {"path": pen.getCommands(), "width": shape.width * scale}
        return found


@cache
def _ems(name: FaceName) -> dict[int, float]:
    """The width of each character of a face, in em."""
    from fontTools.ttLib import TTFont

    with TTFont(font_path(name), lazy=True) as font:
        widths, per_em = font["hmtx"], font["head"].unitsPerEm
        return {code: widths[glyph][0] / per_em for code, glyph in font.getBestCmap().items()}


def _cut(font: TTFont, characters: Iterable[str] | None) -> tuple[bytes, list[str], dict[str, int]]:
    """The font reduced to outlines, its glyphs in order of their characters, and the number of each character."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib.reorderGlyphs import reorderGlyphs

    asked = None if characters is None else {ord(char) for char in characters}
    codes = [code for code in sorted(font.getBestCmap()) if _stampable(chr(code)) and (asked is None or code in asked)]
    options = Options(layout_features=[], hinting=False, notdef_outline=True, legacy_kern=False)
    options.drop_tables += list(_DROPPED)
    for table in _LAYOUT:  # reading them to drop them would take most of the time
        if table in font:
            del font[table]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    glyphs = _own_glyphs(font, codes)
    order = list(dict.fromkeys([".notdef", *glyphs.values(), *font.getGlyphOrder()]))
    reorderGlyphs(font, order)
    places = {glyph: number for number, glyph in enumerate(order)}
    numbers = {chr(code): places[glyph] for code, glyph in glyphs.items()}
    del font["cmap"]
    out = io.BytesIO()
    font.save(out)
    return out.getvalue(), order, numbers


def _own_glyphs(font: TTFont, codes: list[int]) -> dict[int, str]:
    """A glyph for each character alone: text copied from a PDF would else have no-break spaces for spaces, µ for μ."""
    by_code, outlines, widths = font.getBestCmap(), font["glyf"], font["hmtx"]
    glyphs: dict[int, str] = {}
    taken: set[str] = set()
    for code in codes:
        glyph = by_code[code]
        if glyph in taken:
            twin = f"{glyph}.u{code:04X}"
            outlines[twin], widths[twin] = copy.deepcopy(outlines[glyph]), widths[glyph]
            glyph = twin
        taken.add(glyph)
        glyphs[code] = glyph
    return glyphs


def _stampable(char: str) -> bool:
    return not unicodedata.category(char).startswith(_UNSTAMPED)


def woff2(program: bytes) -> bytes:
    """The font as WOFF2 under a name of ours: the licence reserves the name “Source”."""
    from fontTools.ttLib import TTFont

    with TTFont(io.BytesIO(program), recalcTimestamp=False) as font:
        font["name"].names = []
        for number, text in ((1, "Sheetgen"), (2, "Regular"), (4, "Sheetgen"), (6, "Sheetgen")):
            font["name"].setName(text, number, 3, 1, 0x409)
        font.flavor = "woff2"
        out = io.BytesIO()
        font.save(out)
    return out.getvalue()
