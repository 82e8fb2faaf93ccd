"""What a page draws, operator by operator: pictures, fonts, colours, the thinnest line and the smallest type."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import hypot, sqrt
from typing import Any

import pikepdf
from pikepdf import Dictionary, Matrix, Name

from sheetgen.press.impose import IDENTITY, unit_of

MOST_DRAWN = 400_000  # operators of a page that are looked at, forms included
_DEEPEST = 12  # forms within forms
_DRAWING = ("Do", "INLINE IMAGE")
_SHOWING = ("Tj", "TJ", "'", '"')
_STROKING, _FILLING = ("S", "s", "B", "B*", "b", "b*"), ("f", "F", "f*")
_PATHS = ("m", "l", "c", "v", "y", "h")
_INVISIBLE = 3  # the rendering mode of text that is only there to be found

Instruction = pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture on a page: its dots, how many of them come to an inch, and whether it is black or white only."""

    width: int
    height: int
    dpi: float
    line_art: bool


@dataclass(slots=True)
class PageContent:
    """What a page draws, as far as it was looked at: `left` operators more would have been. Lengths are in points."""

    pictures: list[Picture] = field(default_factory=list)
    unembedded: set[str] = field(default_factory=set)  # fonts that text is set in and the file does not carry
    rgb: bool = False  # a colour of red, green and blue that is not a grey
    light: bool = False  # any colour that is not said in inks, greys of red, green and blue too
    see_through: bool = False
    ink: float = 0.0  # the most on a spot, in per cent of all four inks, as far as lines and areas go
    thinnest: float | None = None  # of lines and of areas as thin as lines
    smallest: float | None = None  # of type that is seen
    broken: bool = False  # an instruction lacks what it needs: nothing after it was looked at
    left: int = MOST_DRAWN

    def goes_on(self) -> bool:
        """Count an operator; return whether it is still looked at."""
        self.left -= 1
        return self.left >= 0

    def draws_line(self, width: float) -> None:
        """Take note of a line."""
        self.thinnest = width if self.thinnest is None else min(self.thinnest, width)

    def sets_type(self, size: float) -> None:
        """Take note of type of a size."""
        self.smallest = size if self.smallest is None else min(self.smallest, size)


@dataclass(frozen=True, slots=True)
class _State:
    """What the graphics state has to do with all this; `q` keeps it."""

    matrix: Matrix
    width: float = 1.0
    font: str = ""
    size: float = 0.0
    mode: int = 0


def page_content(page: pikepdf.Page) -> PageContent:
    """Return what a page draws; of one with too many operators, what the first of them draw."""
    found, unit = PageContent(), unit_of(page)
    try:
        start = _State(Matrix(unit, 0, 0, unit, 0, 0))
        _Scan(page.obj.get("/Resources", Dictionary()), found, start, 0).run(page.obj)
    except (LookupError, TypeError, ValueError, pikepdf.PdfError):
        found.broken = True
    return found


class _Scan:
    """Goes through the operators of a page or of a form on it."""

    def __init__(self, resources: pikepdf.Object, found: PageContent, state: _State, depth: int) -> None:
        self._resources, self._found, self._state, self._depth = resources, found, state, depth
        self._kept: list[_State] = []
        self._text = IDENTITY
        self._rectangles: list[float] = []  # the shorter sides of those in the path
        self._other = False  # whether the path has more than rectangles

    def run(self, drawing: pikepdf.Object) -> None:
        """Take note of everything that is drawn."""
        for instruction in pikepdf.parse_content_stream(drawing):
            if not self._found.goes_on():
                return
            operator = str(instruction.operator)
            if operator in _DRAWING:
                self._draw(instruction)
            elif isinstance(instruction, pikepdf.ContentStreamInstruction):
                self._see(operator, list(instruction.operands))

    def _see(self, operator: str, operands: list[Any]) -> None:
        state = self._state
        if operator == "q":
            self._kept.append(state)
        elif operator == "Q":
            self._state = self._kept.pop() if self._kept else state
        elif operator == "cm":
            self._state = replace(state, matrix=Matrix(*map(float, operands)) @ state.matrix)
        elif operator == "w":
            self._state = replace(state, width=float(operands[0]))
        elif operator == "gs":
            self._see_state(str(operands[0]))
        elif operator in ("rg", "RG"):
            self._found.light = True
            self._found.rgb = self._found.rgb or len({round(float(each), 3) for each in operands}) > 1
        elif operator in ("k", "K"):
            self._found.ink = max(self._found.ink, 100 * sum(float(each) for each in operands))
        elif operator in _SHOWING or operator.startswith("T") or operator == "BT":
            self._see_text(operator, operands)
        else:
            self._see_path(operator, operands)

    def _see_state(self, name: str) -> None:
        set_to = self._resources.get("/ExtGState", Dictionary()).get(name, Dictionary())
        if "/LW" in set_to:
            self._state = replace(self._state, width=float(set_to.LW))
        faint = any(float(set_to.get(key, 1)) < 1 for key in ("/ca", "/CA"))
        masked = isinstance(set_to.get("/SMask"), Dictionary)
        blended = set_to.get("/BM", Name.Normal) not in (Name.Normal, Name.Compatible)
        self._found.see_through = self._found.see_through or faint or masked or blended

    def _see_text(self, operator: str, operands: list[Any]) -> None:
        state = self._state
        if operator == "BT":
            self._text = IDENTITY
        elif operator == "Tm":
            self._text = Matrix(*map(float, operands))
        elif operator == "Tf":
            self._state = replace(state, font=str(operands[0]), size=float(operands[1]))
        elif operator == "Tr":
            self._state = replace(state, mode=int(operands[0]))
        elif operator in _SHOWING:
            named = self._resources.get("/Font", Dictionary()).get(state.font)
            if isinstance(named, Dictionary) and not _is_embedded(named):
                self._found.unembedded.add(str(named.get("/BaseFont", "/without a name")).removeprefix("/"))
            drawn = isinstance(named, Dictionary) and named.get("/Subtype") == Name.Type3  # has units of its own
            if state.mode != _INVISIBLE and not drawn:
                self._found.sets_type(abs(state.size) * _scale(self._text @ state.matrix))

    def _see_path(self, operator: str, operands: list[Any]) -> None:
        scale = _scale(self._state.matrix)
        if operator == "re":
            self._rectangles.append(min(abs(float(operands[2])), abs(float(operands[3]))) * scale)
        elif operator in _PATHS:
            self._other = True
        else:
            if operator in _STROKING:
                self._found.draws_line(self._state.width * scale)
            elif operator in _FILLING and not self._other:
                for side in self._rectangles:
                    if side > 0:
                        self._found.draws_line(side)
            if operator in (*_STROKING, *_FILLING, "n"):
                self._rectangles, self._other = [], False

    def _draw(self, instruction: Instruction) -> None:
        """Take note of a picture, or of what a form draws."""
        found, matrix = self._found, self._state.matrix
        if isinstance(instruction, pikepdf.ContentStreamInlineImage):
            found.pictures.append(_inline(instruction, matrix))
            return
        thing = self._resources.get("/XObject", Dictionary()).get(str(instruction.operands[0]))
        if thing is None or self._depth >= _DEEPEST:
            return
        if thing.get("/Subtype") == Name.Image:
            mask = _is_line_art(thing)
            found.pictures.append(
                _placed_picture(int(thing.get("/Width", 1)), int(thing.get("/Height", 1)), mask, matrix)
            )
            is_light = _is_rgb(thing.get("/ColorSpace"))
            found.rgb, found.light = found.rgb or is_light, found.light or is_light
            found.see_through = found.see_through or "/SMask" in thing
        elif thing.get("/Subtype") == Name.Form:
            inner = Matrix(*map(float, thing.get("/Matrix", IDENTITY.as_array()))) @ matrix
            state = replace(self._state, matrix=inner)
            _Scan(thing.get("/Resources", self._resources), found, state, self._depth + 1).run(thing)


def _scale(matrix: Matrix) -> float:
    """How much larger a matrix makes things, in the mean of both directions."""
    a, b, c, d, _, _ = matrix.shorthand
    return sqrt(abs(a * d - b * c))


def _inline(instruction: pikepdf.ContentStreamInlineImage, matrix: Matrix) -> Picture:
    image = instruction.iimage
    return _placed_picture(image.width, image.height, bool(image.image_mask) or image.bits_per_component == 1, matrix)


def _placed_picture(width: int, height: int, line_art: bool, matrix: Matrix) -> Picture:
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
