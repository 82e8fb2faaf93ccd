"""What the drawing of a page comes to in ink: its pictures, the fonts it lacks, colours that are mixed of light."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot

import pikepdf
from pikepdf import Dictionary, Name

from sheetgen.press.imposition import AS_IT_IS, Matrix, times

Instruction = pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage

DEEPEST = 12
COLOURING = ("rg", "RG")
DRAWING = ("Do", "INLINE IMAGE")
SHOWING = ("Tj", "TJ", "'", '"')
MOST_DRAWN = 400_000  # operators of a page, forms included


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture on a page: its dots, how many of them come to an inch, and whether it is black or white only."""

    width: int
    height: int
    dpi: float
    line_art: bool


@dataclass(slots=True)
class Ink:
    """What was found on a page."""

    pictures: list[Picture] = field(default_factory=list)
    strangers: set[str] = field(default_factory=set)  # fonts that text is set in and the file does not carry
    light: bool = False  # a colour of red, green and blue that is not a grey
    broken: bool = False  # an instruction lacks what it needs: nothing after it was looked at
    left: int = MOST_DRAWN

    def goes_on(self) -> bool:
        """Whether another operator is looked at, which is counted."""
        self.left -= 1
        return self.left >= 0


def ink(page: pikepdf.Page) -> Ink:
    """What a page draws; of a page without end, what its first operators draw."""
    found = Ink()
    try:
        _follow(page.obj, page.obj.get("/Resources", Dictionary()), AS_IT_IS, found, 0)
    except (LookupError, TypeError, ValueError, pikepdf.PdfError):
        found.broken = True
    return found


def _follow(drawing: pikepdf.Object, resources: pikepdf.Object, matrix: Matrix, found: Ink, depth: int) -> None:
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
            matrix = times(_matrix(instruction.operands), matrix)
        elif operator in COLOURING:
            found.light = found.light or len({round(float(each), 3) for each in instruction.operands}) > 1
        elif operator == "Tf":
            font = str(instruction.operands[0])
        elif operator in SHOWING:
            _set(font, resources, found)
        elif operator in DRAWING:
            _drawn(instruction, resources, matrix, found, depth)


def _set(font: str, resources: pikepdf.Object, found: Ink) -> None:
    """Notes a font that text is set in, if the file does not carry it."""
    named = resources.get("/Font", Dictionary()).get(font)
    if isinstance(named, Dictionary) and not _is_carried(named):
        found.strangers.add(str(named.get("/BaseFont", "/without a name")).removeprefix("/"))


def _drawn(instruction: Instruction, resources: pikepdf.Object, matrix: Matrix, found: Ink, depth: int) -> None:
    """Follows a picture, or a form that is drawn by name."""
    if isinstance(instruction, pikepdf.ContentStreamInlineImage):
        found.pictures.append(_inline(instruction, matrix))
        return
    name = str(instruction.operands[0])
    objects = resources.get("/XObject", Dictionary())
    if name not in objects or depth >= DEEPEST:
        return
    thing = objects[name]
    if thing.get("/Subtype") == Name.Image:
        picture = _picture(int(thing.get("/Width", 1)), int(thing.get("/Height", 1)), _is_line_art(thing), matrix)
        found.pictures.append(picture)
        found.light = found.light or _is_light(thing.get("/ColorSpace"))
    elif thing.get("/Subtype") == Name.Form:
        inner = times(_matrix(thing.get("/Matrix", list(AS_IT_IS))), matrix)
        _follow(thing, thing.get("/Resources", resources), inner, found, depth + 1)


def _matrix(numbers: object) -> Matrix:
    a, b, c, d, e, f = (float(each) for each in numbers)  # type: ignore[attr-defined]
    return a, b, c, d, e, f


def _inline(instruction: pikepdf.ContentStreamInlineImage, matrix: Matrix) -> Picture:
    image = instruction.iimage
    return _picture(image.width, image.height, bool(image.image_mask) or image.bits_per_component == 1, matrix)


def _picture(width: int, height: int, line_art: bool, matrix: Matrix) -> Picture:
    """A picture fills the unit square: what that has become says how large it is printed."""
    a, b, c, d, _, _ = matrix
    across, along = hypot(a, b) or 1e-9, hypot(c, d) or 1e-9
    return Picture(width, height, min(width / across, height / along) * 72, line_art)


def _is_line_art(image: pikepdf.Object) -> bool:
    return bool(image.get("/ImageMask", False)) or int(image.get("/BitsPerComponent", 8)) == 1


def _is_light(space: pikepdf.Object | None) -> bool:
    if isinstance(space, pikepdf.Array) and len(space) > 1 and space[0] == Name.ICCBased:
        return int(space[1].get("/N", 0)) == 3
    return space == Name.DeviceRGB or (isinstance(space, pikepdf.Array) and len(space) > 0 and space[0] == Name.CalRGB)


def _is_carried(font: pikepdf.Object) -> bool:
    if font.get("/Subtype") == Name.Type3:
        return True
    if font.get("/Subtype") == Name.Type0:
        return all(_is_carried(each) for each in font.get("/DescendantFonts", pikepdf.Array()))
    described = font.get("/FontDescriptor", Dictionary())
    return any(key in described for key in ("/FontFile", "/FontFile2", "/FontFile3"))
