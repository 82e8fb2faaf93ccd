"""What a print shop would send a PDF back for: boxes, fonts, pictures, colours, and what does not belong in print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import hypot

import pikepdf
from pikepdf import Dictionary, Matrix, Name

from sheetgen.errors import quoted
from sheetgen.geometry import Box, millimetres, mm
from sheetgen.press.impose import IDENTITY, annotations_of, box_of

BLEED, SAFE = 3.0, 3.0  # mm around the cut, and within it
FINE, FINE_LINES = 300, 600  # dots an inch: of pictures, and of those that are black or white only
MOST_DRAWN = 400_000  # operators of a page that are looked at, forms included
_NEAR = 0.05  # mm: what nobody can cut to
_DEEPEST = 12  # forms within forms
_COLOURING = ("rg", "RG")
_DRAWING = ("Do", "INLINE IMAGE")
_SHOWING = ("Tj", "TJ", "'", '"')

Instruction = pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage


@dataclass(frozen=True, slots=True, order=True)
class PreflightFinding:
    """A reason to send a file back, and the page it is on, from 1; 0 for the whole file."""

    page: int
    message: str


@dataclass(frozen=True, slots=True)
class PreflightReport:
    """The findings, the number of pages, the trim box of each in points, and notes on what is no fault."""

    findings: tuple[PreflightFinding, ...]
    pages: int
    trims: tuple[Box, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture on a page: its dots, how many of them come to an inch, and whether it is black or white only."""

    width: int
    height: int
    dpi: float
    line_art: bool


@dataclass(slots=True)
class PageContent:
    """What a page draws, as far as it was looked at: `left` operators more would have been."""

    pictures: list[Picture] = field(default_factory=list)
    unembedded: set[str] = field(default_factory=set)  # fonts that text is set in and the file does not carry
    rgb: bool = False  # a colour of red, green and blue that is not a grey
    broken: bool = False  # an instruction lacks what it needs: nothing after it was looked at
    left: int = MOST_DRAWN

    def goes_on(self) -> bool:
        """Count an operator; return whether it is still looked at."""
        self.left -= 1
        return self.left >= 0


def examine(source: pikepdf.Pdf) -> PreflightReport:
    """Return all findings in an open file but those on text near the cut (see `too_near`)."""
    findings = list(_whole(source))
    trims, contents = [], []
    for number, page in enumerate(source.pages, 1):
        trims.append(box_of(page.trimbox))
        contents.append(page_content(page))
        findings += [PreflightFinding(number, say) for say in dict.fromkeys(_page(page, contents[-1]))]
    findings += _sizes(trims)
    return PreflightReport(tuple(findings), len(trims), tuple(trims), tuple(_notes(source, contents)))


def too_near(trims: tuple[Box, ...], texts: Iterable[tuple[int, str, Box]]) -> tuple[PreflightFinding, ...]:
    """Return the text nearest to the cut of each page, or beyond it, where that is nearer than is safe.

    Texts come with the number of their page, from 1, and their box in points.
    """
    nearest: dict[int, tuple[float, str]] = {}
    for number, text, box in texts:
        trim = trims[number - 1]
        room = min(box.x - trim.x, box.y - trim.y, trim.right - box.right, trim.top - box.top)
        if millimetres(room) < SAFE - _NEAR and room < nearest.get(number, (SAFE * 10, ""))[0]:
            nearest[number] = (room, text)
    return tuple(PreflightFinding(number, _near_text(room, text)) for number, (room, text) in sorted(nearest.items()))


def _near_text(room: float, text: str) -> str:
    words = quoted(" ".join(text.split()), longest=40)
    if room < 0:
        return f"text {words} reaches {-millimetres(room):.1f} mm beyond the cut"
    return f"text {words} stands {millimetres(room):.1f} mm from the cut ({SAFE:g} mm at least)"


def _whole(source: pikepdf.Pdf) -> Iterator[PreflightFinding]:
    if source.is_encrypted:
        yield PreflightFinding(0, "is encrypted: save it without a password or restrictions")
    if "/AcroForm" in source.Root and len(source.Root.AcroForm.get("/Fields", [])):
        yield PreflightFinding(0, "has form fields: print it to a new PDF first")
    names = source.Root.get("/Names", Dictionary())
    opening = source.Root.get("/OpenAction")
    if "/JavaScript" in names or (isinstance(opening, Dictionary) and opening.get("/S") == Name.JavaScript):
        yield PreflightFinding(0, "holds a script")
    if "/EmbeddedFiles" in names:
        yield PreflightFinding(0, "has files attached")


def _page(page: pikepdf.Page, found: PageContent) -> Iterator[str]:
    yield from _boxes(page)
    if found.broken:
        yield "is drawn with instructions that are broken: print it to a new PDF first"
    for name in sorted(found.unembedded):
        yield f"font {name} is not embedded"
    for picture in found.pictures:
        least = FINE_LINES if picture.line_art else FINE
        if picture.dpi < least - 0.5:
            yield (
                f"a picture of {picture.width} × {picture.height} dots is printed at {picture.dpi:.0f} dots an inch "
                f"({least} at least)"
            )
    others = [each for each in annotations_of(page) if each.get("/Subtype") != Name.Link]
    if others:
        yield f"has {len(others)} note{'' if len(others) == 1 else 's'} or fields on it, which do not belong in print"


def _boxes(page: pikepdf.Page) -> Iterator[str]:
    """What is wrong with the boxes: each within the next, with the bleed between the first two."""
    if "/TrimBox" not in page.obj:
        yield "has no TrimBox: it does not say where it is cut"
        return
    trim, bleed, media = box_of(page.trimbox), box_of(page.bleedbox), box_of(page.mediabox)
    crop = box_of(page.cropbox)
    if "/BleedBox" not in page.obj:
        yield "has no BleedBox: it does not say what may be cut away"
    elif not _within(bleed, media) or not _within(bleed, crop):
        yield "has a BleedBox that reaches beyond the page"
    elif not _within(trim, bleed):
        yield "has a TrimBox that reaches beyond its BleedBox"
    else:
        least = min(trim.x - bleed.x, trim.y - bleed.y, bleed.right - trim.right, bleed.top - trim.top)
        if millimetres(least) < BLEED - _NEAR:
            yield f"has {millimetres(least):.1f} mm of bleed ({BLEED:g} mm at least)"


def _sizes(trims: list[Box]) -> Iterator[PreflightFinding]:
    """Pages that are trimmed to another size than the first."""
    first = trims[0]
    for number, trim in enumerate(trims, 1):
        off = max(abs(trim.width - first.width), abs(trim.height - first.height))
        if millimetres(off) > 0.1:
            yield PreflightFinding(number, f"is trimmed to {_size(trim)}, unlike page 1 with {_size(first)}")


def _size(box: Box) -> str:
    return f"{millimetres(box.width):.1f} × {millimetres(box.height):.1f} mm"


def _notes(source: pikepdf.Pdf, contents: list[PageContent]) -> Iterator[str]:
    if any(found.rgb for found in contents):
        yield "colours are RGB: most print shops turn them into their inks themselves; ask whether yours does"
    links = sum(each.get("/Subtype") == Name.Link for page in source.pages for each in annotations_of(page))
    if links:
        yield f"has {links} links: they do no harm, and are not printed"
    if any(found.left < 0 for found in contents):
        yield "some pages are too intricate to be looked at whole"


def _within(inner: Box, outer: Box) -> bool:
    slack = mm(_NEAR)
    return (
        inner.x >= outer.x - slack
        and inner.y >= outer.y - slack
        and inner.right <= outer.right + slack
        and inner.top <= outer.top + slack
    )


def page_content(page: pikepdf.Page) -> PageContent:
    """Return what a page draws; of one with too many operators, what the first of them draw."""
    found = PageContent()
    try:
        _scan(page.obj, page.obj.get("/Resources", Dictionary()), IDENTITY, found, 0)
    except (LookupError, TypeError, ValueError, pikepdf.PdfError):
        found.broken = True
    return found


def _scan(drawing: pikepdf.Object, resources: pikepdf.Object, matrix: Matrix, found: PageContent, depth: int) -> None:
    kept: list[Matrix] = []
    font = ""
    for instruction in pikepdf.parse_content_stream(drawing):
        if not found.goes_on():
            return
        operator = str(instruction.operator)
        if operator == "q":
            kept.append(matrix)
        elif operator == "Q":
            matrix = kept.pop() if kept else matrix
        elif operator == "cm":
            matrix = Matrix(*map(float, instruction.operands)) @ matrix
        elif operator in _COLOURING:
            found.rgb = found.rgb or len({round(float(each), 3) for each in instruction.operands}) > 1
        elif operator == "Tf":
            font = str(instruction.operands[0])
        elif operator in _SHOWING:
            _note_font(font, resources, found)
        elif operator in _DRAWING:
            _note_drawing(instruction, resources, matrix, found, depth)


def _note_font(font: str, resources: pikepdf.Object, found: PageContent) -> None:
    """Take note of a font that text is set in, if the file does not carry it."""
    named = resources.get("/Font", Dictionary()).get(font)
    if isinstance(named, Dictionary) and not _is_embedded(named):
        found.unembedded.add(str(named.get("/BaseFont", "/without a name")).removeprefix("/"))


def _note_drawing(
    instruction: Instruction, resources: pikepdf.Object, matrix: Matrix, found: PageContent, depth: int
) -> None:
    """Take note of a picture, or of what a form draws."""
    if isinstance(instruction, pikepdf.ContentStreamInlineImage):
        found.pictures.append(_inline(instruction, matrix))
        return
    name = str(instruction.operands[0])
    objects = resources.get("/XObject", Dictionary())
    if name not in objects or depth >= _DEEPEST:
        return
    thing = objects[name]
    if thing.get("/Subtype") == Name.Image:
        picture = _picture(int(thing.get("/Width", 1)), int(thing.get("/Height", 1)), _is_line_art(thing), matrix)
        found.pictures.append(picture)
        found.rgb = found.rgb or _is_rgb(thing.get("/ColorSpace"))
    elif thing.get("/Subtype") == Name.Form:
        inner = Matrix(*map(float, thing.get("/Matrix", IDENTITY.as_array()))) @ matrix
        _scan(thing, thing.get("/Resources", resources), inner, found, depth + 1)


def _inline(instruction: pikepdf.ContentStreamInlineImage, matrix: Matrix) -> Picture:
    image = instruction.iimage
    return _picture(image.width, image.height, bool(image.image_mask) or image.bits_per_component == 1, matrix)


def _picture(width: int, height: int, line_art: bool, matrix: Matrix) -> Picture:
    """A picture with its dots an inch: it fills the unit square, which the matrix makes as large as it is printed."""
    a, b, c, d, _, _ = matrix.shorthand
    across, along = hypot(a, b) or 1e-9, hypot(c, d) or 1e-9
    return Picture(width, height, min(width / across, height / along) * 72, line_art)


def _is_line_art(image: pikepdf.Object) -> bool:
    return bool(image.get("/ImageMask", False)) or int(image.get("/BitsPerComponent", 8)) == 1


def _is_rgb(space: pikepdf.Object | None) -> bool:
    if isinstance(space, pikepdf.Array) and len(space) > 1 and space[0] == Name.ICCBased:
        return int(space[1].get("/N", 0)) == 3
    return space == Name.DeviceRGB or (isinstance(space, pikepdf.Array) and len(space) > 0 and space[0] == Name.CalRGB)


def _is_embedded(font: pikepdf.Object) -> bool:
    if font.get("/Subtype") == Name.Type3:
        return True
    if font.get("/Subtype") == Name.Type0:
        return all(_is_embedded(each) for each in font.get("/DescendantFonts", pikepdf.Array()))
    described = font.get("/FontDescriptor", Dictionary())
    return any(key in described for key in ("/FontFile", "/FontFile2", "/FontFile3"))
