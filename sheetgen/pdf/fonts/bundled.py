"""The bundled fonts: where their files are, the fontconfig file that shows them alone, and faces cut for stamping.

The only home of fontTools. The faces come from the packages `font-source-serif-pro` and `font-source-sans-pro` (SIL
Open Font License 1.1, which reserves the name "Source": what is cut from them is embedded under a name of our own).
The hands that handouts are written with lie in `files/`, each with its licence.
"""

from __future__ import annotations

import importlib.util
import io
import os
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b
from html import escape
from pathlib import Path
from types import MappingProxyType

from sheetgen.errors import InputError, Place, Problem, suggestion
from sheetgen.pdf.fonts.face import EM, Face, FaceName, UnusableFont, whole_tables

SERIF, SANS = "Source Serif Pro", "Source Sans Pro"
FAMILIES = MappingProxyType(
    {SERIF: ("font_source_serif_pro", "SourceSerifPro"), SANS: ("font_source_sans_pro", "SourceSansPro")}
)
# Of one weight each. A page is printed with them only where it names them: they never stand in for another face.
HANDS = MappingProxyType(
    {
        "La Belle Aurore": "LaBelleAurore",
        "Marck Script": "MarckScript",
        "Caveat": "Caveat",
        "Special Elite": "SpecialElite",
        "Courier Prime": "CourierPrime",
        "PT Mono": "PTMono",
        "UnifrakturMaguntia": "UnifrakturMaguntia",
    }
)
HANDS_FOLDER = Path(__file__).parent / "files"
WEIGHTS = MappingProxyType(
    {200: "ExtraLight", 300: "Light", 400: "Regular", 600: "Semibold", 700: "Bold", 900: "Black"}
)
# Marks cannot be placed without shaping, and controls have no shape: both are left to what sets text properly.
_UNSTAMPED = ("M", "C")
_WOFF = (b"wOFF", b"wOF2")


def font_folder(family: str) -> Path:
    """Return the folder with the files of a bundled family; raises InputError when its package is not installed."""
    package, _ = FAMILIES[family]
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        wanted = package.replace("_", "-")
        raise InputError([Problem(Place(family), f"the font is not installed (pip install {wanted})")])
    return Path(spec.submodule_search_locations[0]) / "files"


def font_path(name: FaceName) -> Path:
    """Return the TrueType file nearest to the face asked for; raises InputError for a family that is not bundled."""
    if name.family in HANDS:
        return HANDS_FOLDER / f"{HANDS[name.family]}-Regular.ttf"
    if name.family not in FAMILIES:
        hint = suggestion(name.family, (*FAMILIES, *HANDS))
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
    """Write a file into `folder` that shows the bundled fonts and no others; return its path.

    It is named after what it says, so that several installations can share a folder.
    """
    (folder / "cache").mkdir(parents=True, exist_ok=True)  # or fontconfig complains where two runs make it at once
    shown = (*(font_folder(family) for family in FAMILIES), HANDS_FOLDER)
    folders = "".join(f"<dir>{escape(str(each))}</dir>" for each in shown)
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
    """Return the nearest bundled face with all its characters or those given.

    Raise InputError when the bundle is absent.
    """
    return _whole_face(name) if characters is None else _face(name, characters)


@cache
def _whole_face(name: FaceName) -> Face:
    return _face(name, None)


def _face(name: FaceName, characters: Iterable[str] | None) -> Face:
    from fontTools.ttLib import TTFont

    from sheetgen.pdf.fonts.shaping import subset_characters  # imports uharfbuzz

    data, asked = font_path(name).read_bytes(), None if characters is None else {ord(char) for char in characters}
    with TTFont(io.BytesIO(data), lazy=True) as font:
        metrics, head, known, widths = font["hhea"], font["head"], font.getBestCmap(), font["hmtx"]
        codes = [
            code
            for code in sorted(known)
            if not unicodedata.category(chr(code)).startswith(_UNSTAMPED) and (asked is None or code in asked)
        ]
        program, numbers = subset_characters(data, codes)
        advances = [widths[known[code]][0] * EM / head.unitsPerEm for code in codes]
        return Face(
            name=name,
            ascent=metrics.ascent * EM / head.unitsPerEm,
            descent=metrics.descent * EM / head.unitsPerEm,
            cap_height=font["OS/2"].sCapHeight * EM / head.unitsPerEm,
            angle=float(font["post"].italicAngle),
            bounds=tuple(round(edge * EM / head.unitsPerEm) for edge in (head.xMin, head.yMin, head.xMax, head.yMax)),
            glyphs={chr(code): number for number, code in enumerate(codes, 1)},
            advances=(0, *map(round, advances)),
            program=program,
            outlines=(0, *(numbers[code] for code in codes)),
        )


def missing_from(text: str, name: FaceName) -> str:
    """Return the characters of a text that the face cannot show, each once, in their order."""
    known = _ems(name)
    return "".join(char for char in dict.fromkeys(text) if ord(char) not in known)


def measure_of(name: FaceName) -> Callable[[str, float], float]:
    """Return what measures a text in points at a size of this face, without kerning.

    A strange character counts as an em.
    """
    ems = _ems(name)
    return lambda text, size: size * sum(ems.get(ord(char), 1.0) for char in text)


@cache
def baseline(name: FaceName) -> float:
    """Return where the baseline of a face is in a line as high as its letters are set, in em from above."""
    from fontTools.ttLib import TTFont

    with TTFont(font_path(name), lazy=True) as font:
        metrics, per_em = font["hhea"], font["head"].unitsPerEm
        above, below = metrics.ascent / per_em, -metrics.descent / per_em
        return float(0.5 + (above - below) / 2)


def text_width(text: str, size: float, /, *, weight: int = 400, serif: bool = False) -> float:
    """Return the width of a text in one of the two families, in the unit of the size, without kerning."""
    return measure_of(FaceName(SERIF if serif else SANS, weight))(text, size)


def outlines(name: FaceName, letters: str) -> dict[str, dict[str, str | float]]:
    """Return the SVG path of each letter, downwards from its baseline, and its width, in thousandths of the em.

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
    """Return the width of each character of a face, in em."""
    from sheetgen.pdf.fonts.shaping import advances  # imports uharfbuzz

    return advances(font_path(name).read_bytes())


def small_font(name: FaceName, letters: Iterable[str], flavor: str = "") -> bytes:
    """Return the face as TrueType, or of a `flavor` (`woff2`), with these letters alone, under a name of ours.

    Its licence reserves the name “Source”.
    Raises InputError for a family that is not bundled.
    """
    from fontTools.ttLib import TTFont

    from sheetgen.pdf.fonts.shaping import subset_letters  # imports uharfbuzz

    program = subset_letters(font_path(name).read_bytes(), letters)
    with TTFont(io.BytesIO(program), recalcTimestamp=False) as font:
        font["name"].names = []
        for number, text in ((1, "Sheetgen"), (2, "Regular"), (4, "Sheetgen"), (6, "Sheetgen")):
            font["name"].setName(text, number, 3, 1, 0x409)
        font.flavor = flavor or None
        out = io.BytesIO()
        font.save(out)
    return out.getvalue()


def label_font(letters: str) -> bytes:
    """Return a TrueType font for a few words beside a drawing."""
    return small_font(FaceName(SANS, 600), letters)


def font_damage(data: bytes) -> str:
    """Return what is wrong with a font that a page brings (TrueType, OpenType, WOFF, WOFF2); empty if it is whole."""
    if not data.startswith(_WOFF):
        try:
            whole_tables(data)
        except UnusableFont as error:
            return str(error)
        return ""
    from fontTools.ttLib import TTFont

    try:
        with TTFont(io.BytesIO(data), lazy=True, checkChecksums=2) as font:
            for tag in font.reader.keys():  # noqa: SIM118  # a reader is no dictionary
                font.reader[tag]
    except Exception as error:  # whatever a decoder makes of damaged data
        return f"is damaged ({type(error).__name__})"
    return ""
