"""Pages put on sheets by a plan: each is drawn as a form XObject, so that text stays text, and links go on working."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Name, Rectangle

from sheetgen.geometry import Box, Size, mm
from sheetgen.model.printing import Shift
from sheetgen.press.drawn_marks import drawn_marks
from sheetgen.press.marks import Marks
from sheetgen.press.pages import copy_about, note_pieces, printed_as_it_is
from sheetgen.press.plan import Flip, ImpositionPlan, creep, n_up

ADDRESSES = ("http:", "https:", "mailto:")
NO_MARKS = Marks()
TEXT = ("BT", "ET", "Tf", "TL")  # operators of text (ISO 32000-1, table 107 and 105)
_KIND = 20  # letters of what a link does, in a note
_NO_MARKS = (Name.Widget, Name.Link, Name.Popup, Name.FileAttachment)  # told of otherwise, or never printed
_HIDDEN, _PRINTED = 2, 4  # flags of annotations (ISO 32000-1, table 165)


IDENTITY = Matrix()
_TINY = 0.01


@dataclass(frozen=True, slots=True)
class Imposition:
    """The plan, the paper as it is printed, and the margin kept free around; lengths in mm, cells in points.

    `shrink` makes pages that are too large smaller, `enlarge` fills places with pages that are smaller. `thickness` of
    the paper moves the pages of inner sheets towards the spine. `marks`, if given, are those of each side, labelled in
    a TrueType `font` that has the letters. `cells`, if given, hold trimmed pages at their own size; of the `bleed`
    around them is shown what does not reach into a neighbour. `shift` moves all backs right and up, as one sees them.
    An `upright` sheet that is planned lying is turned to the left in the PDF, as the shift of a printer is measured on
    upright sheets. `flip` is the edge of the paper over which the printer is told to turn two-sided sheets. `names` are
    those of the pages where each is a piece to be cut out, "" for a back that others share; `backs` the numbers of the
    backs among them, and `sheet` how the paper is laid out. All that is kept in the PDF (`press.pieces`).
    """

    plan: ImpositionPlan
    paper: Size
    margin: float = 0.0
    gutter: float = 0.0
    thickness: float = 0.0
    shrink: bool = True
    enlarge: bool = False
    marks: tuple[Marks, ...] = ()
    font: bytes = b""
    cells: tuple[Box, ...] = ()
    bleed: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    upright: bool = False
    flip: str = ""
    names: tuple[str, ...] = ()
    backs: frozenset[int] = frozenset()
    sheet: Mapping[str, object] | None = None

    @property
    def delivered(self) -> Size:
        """The size of the pages of the PDF."""
        return self.paper.turned if self._turns else self.paper

    @property
    def _turns(self) -> bool:
        return self.upright and self.paper.width > self.paper.height

    def moves(self, side: int) -> Matrix:
        """Return the matrix from the plan of a side, counted from 0, to the delivered page."""
        laid = Matrix(0, 1, -1, 0, mm(self.paper.height), 0) if self._turns else IDENTITY
        if not self.is_back(side):
            return laid
        # A page that is shown on its head is also moved on its head.
        sign = -1 if self.plan.turned_backs else 1
        return laid @ Matrix(1, 0, 0, 1, sign * mm(self.shift[0]), sign * mm(self.shift[1]))

    def is_back(self, side: int) -> bool:
        """Return whether a side, counted from 0, is printed on the back of another."""
        return self.plan.two_sided and side % 2 == 1


def cell_of(imposition: Imposition, at: int, shift: float) -> Box:
    """Return a place on the paper, in points; in booklets it moves `shift` mm towards the spine between the columns."""
    plan, paper, margin = imposition.plan, imposition.paper, mm(imposition.margin)
    row, column = divmod(at, plan.columns)
    gap = mm(imposition.gutter)
    width = (mm(paper.width) - 2 * margin - gap * (plan.columns - 1)) / plan.columns
    height = (mm(paper.height) - 2 * margin - gap * (plan.rows - 1)) / plan.rows
    x = margin + column * (width + gap)
    if plan.spines:
        x += mm(shift) if column == 0 else -mm(shift)
    return Box(x, mm(paper.height) - margin - (row + 1) * height - row * gap, width, height)


def window_of(imposition: Imposition, at: int, places: Sequence[int]) -> tuple[float, float, float, float]:
    """Return x, y, width and height of what is shown of a page: its cell and bleed, up to halfway to a neighbour.

    Empty places are no neighbours.
    """
    cell, bleed = imposition.cells[at], mm(imposition.bleed)
    others = [each for each, page in zip(imposition.cells, places, strict=True) if page]
    beside = [each for each in others if each.y < cell.top and each.top > cell.y]
    stacked = [each for each in others if each.x < cell.right and each.right > cell.x]
    left = min([bleed, *(max(cell.x - each.right, 0) / 2 for each in beside if each.right <= cell.x + _TINY)])
    right = min([bleed, *(max(each.x - cell.right, 0) / 2 for each in beside if each.x >= cell.right - _TINY)])
    below = min([bleed, *(max(cell.y - each.top, 0) / 2 for each in stacked if each.top <= cell.y + _TINY)])
    above = min([bleed, *(max(each.y - cell.top, 0) / 2 for each in stacked if each.y >= cell.top - _TINY)])
    return cell.x - left, cell.y - below, cell.width + left + right, cell.height + below + above


def page_size(page: pikepdf.Page) -> Size:
    """Return the size of a page in mm, as it is seen."""
    box = box_of(page.trimbox)
    size = Size(box.width * unit_of(page) / mm(1), box.height * unit_of(page) / mm(1))
    return size.turned if _turn(page) % 180 else size


def impose_pages(pages: bytes, imposition: Imposition) -> bytes:
    """Return the PDF of pages that sheetgen made, on sheets."""
    with pikepdf.open(BytesIO(pages)) as source, BytesIO() as target:
        impose(source, imposition, target)
        return target.getvalue()


def shift_backs(pages: bytes, shift: Shift, *, flip: Flip = "long") -> bytes:
    """Return pages that sheetgen made, all of one size, with every back moved right and up, in mm, as one sees it.

    Pages that lie on their side come upright, since the shift was measured so. Backs of paper that is turned over its
    short edge stand on their heads, so that they read upright. Without a shift over the long edge nothing changes.
    """
    if not any(shift) and flip == "long":
        return pages
    with pikepdf.open(BytesIO(pages)) as source:
        plan, size = n_up(len(source.pages), 1, 1, two_sided=True, flip=flip), page_size(source.pages[0])
    return impose_pages(pages, Imposition(plan, size, shift=shift, upright=True, flip=flip))


def flatten(source: pikepdf.Pdf) -> tuple[str, ...]:
    """Draw form fields and stamps into the pages of anybody's PDF; return a note on each kind of thing that is lost."""
    notes = tuple(_left_out(source))
    source.flatten_annotations("print")
    return notes


def _left_out(source: pikepdf.Pdf) -> Iterator[str]:
    """A note on each kind of thing that an imposed PDF does not have."""
    annotations = [each for page in source.pages for each in annotations_of(page)]
    if any(each.get("/Subtype") == Name.Widget for each in annotations):
        yield "form fields are printed as they are, and can no longer be filled in"
    marks = [each for each in annotations if each.get("/Subtype") not in _NO_MARKS]
    yield from _marks_left_out(marks)
    lost = [kind for each in annotations if each.get("/Subtype") == Name.Link and (kind := _lost_link(each))]
    if lost:
        kinds = ", ".join(sorted(set(lost)))
        count = f"{len(lost)} link{'' if len(lost) == 1 else 's'}"
        yield f"{count} left out that lead neither to a page nor to the web: {kinds}"
    names, opening = source.Root.get("/Names"), source.Root.get("/OpenAction")
    named = names.keys() if isinstance(names, Dictionary) else set()
    acts = isinstance(opening, Dictionary) and opening.get("/S") != Name.GoTo
    if acts or "/JavaScript" in named or "/AA" in source.Root or any("/AA" in page.obj for page in source.pages):
        yield "scripts and other actions left out"
    if "/EmbeddedFiles" in named or any(each.get("/Subtype") == Name.FileAttachment for each in annotations):
        yield "attached files left out"


def _marks_left_out(marks: list[pikepdf.Object]) -> Iterator[str]:
    """A note on stamps, notes and the like that do not say how they look, and on those that are not to be printed."""
    flags = [(each, int(each.get("/F", 0))) for each in marks]
    kept = [(each, flag) for each, flag in flags if not flag & _HIDDEN]
    for say, lost in (
        ("left out, not meant to be printed", [each for each, flag in kept if not flag & _PRINTED]),
        (
            "left out for want of a picture in the file (print it to a new PDF where such notes show)",
            [each for each, flag in kept if flag & _PRINTED and "/AP" not in each],
        ),
    ):
        if lost:
            kinds = ", ".join(
                sorted({str(each.get("/Subtype", "/unknown")).removeprefix("/")[:_KIND] for each in lost})
            )
            yield f"{len(lost)} note{'' if len(lost) == 1 else 's'} {say}: {kinds}"


def _lost_link(link: pikepdf.Object) -> str:
    """What a link does that is not carried over, in a word; nothing for a link that is."""
    action = link.get("/A")
    if not isinstance(action, Dictionary) or action.get("/S") == Name.GoTo:
        return ""
    if action.get("/S") != Name.URI:
        return str(action.get("/S")).removeprefix("/")[:_KIND]
    return "" if _address(action) else str(action.get("/URI")).partition(":")[0][:_KIND].lower() + ":"


def _address(action: pikepdf.Object) -> str:
    """The address that a link leads to, if it is one of the web or of mail."""
    address = str(action.get("/URI", "")) if action.get("/S") == Name.URI else ""
    return address if address.lower().startswith(ADDRESSES) else ""


def impose(source: pikepdf.Pdf, imposition: Imposition, target: Path | BytesIO) -> None:
    """Write the PDF of the source's pages on sheets to `target`; links lead to where their pages are on the sheets."""
    with pikepdf.new() as made:
        shifts = creep(imposition.plan, imposition.thickness)
        placed: dict[int, tuple[pikepdf.Object, Matrix]] = {}
        forms: dict[int, pikepdf.Object] = {}
        marks = _marks(made, imposition)
        for number, side in enumerate(imposition.plan.sides):
            made.add_blank_page(page_size=(mm(imposition.delivered.width), mm(imposition.delivered.height)))
            page, drawn, pieces = made.pages[-1], Dictionary(), list[dict[str, object]]()
            moves = imposition.moves(number)
            contents = [b"q %b cm\n" % _pdf_numbers(moves.shorthand) if moves != IDENTITY else b"q\n"]
            for at, wanted in enumerate(side.places):
                if not wanted:
                    continue
                index = abs(wanted) - 1
                if index not in forms:
                    forms[index] = _form(made, source.pages[index], bleeds=imposition.bleed > 0)
                cell = imposition.cells[at] if imposition.cells else cell_of(imposition, at, shifts[number])
                matrix = _matrix(source.pages[index], cell, imposition, turned=wanted < 0)
                drawn[f"/P{index}"] = forms[index]
                clip = _clip(imposition, at, side.places, shifts[number])
                contents.append(b"q %b%b cm /P%d Do Q\n" % (clip, _pdf_numbers(matrix.shorthand), index))
                placed[index] = (page.obj, matrix @ moves)
                pieces.append(_piece(imposition, index, cell, moves))
            if imposition.marks and imposition.marks[number] != NO_MARKS:  # above what runs out beyond the cut
                drawn["/Marks"] = marks[imposition.marks[number]]
                contents.append(b"/Marks Do\n")
            contents.append(b"Q\n")
            page.obj.Contents = made.make_stream(b"".join(contents))
            page.obj.Resources = Dictionary(XObject=drawn)
            note_pieces(page.obj, {"cells": pieces, "flip": imposition.flip} | _sheet_of(imposition))
            if imposition.plan.turned_backs and number % 2:
                page.obj.Rotate = 180
        _links(source, made, placed)
        copy_about(source, made)
        made.Root.ViewerPreferences = printed_as_it_is(imposition.flip)
        made.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)


def _piece(imposition: Imposition, index: int, cell: Box, moves: Matrix) -> dict[str, object]:
    """What is kept of a page that is drawn in a cell, by its index."""
    left, low, right, top = _moved([*cell.corners], moves)
    found: dict[str, object] = {"box": [left, low, round(right - left, 3), round(top - low, 3)]}
    found |= {"n": index + 1, "form": f"P{index}"}
    if imposition.names and imposition.names[index]:
        found["name"] = imposition.names[index]
    return found | ({"back": True} if index + 1 in imposition.backs else {})


def _sheet_of(imposition: Imposition) -> dict[str, object]:
    return {} if imposition.sheet is None else {"sheet": dict(imposition.sheet)}


def _clip(imposition: Imposition, at: int, places: Sequence[int], shift: float) -> bytes:
    """Return the operators that keep a page in its window or, moved towards the spine, on its side of the fold."""
    if imposition.cells:
        return _pdf_numbers(window_of(imposition, at, places)) + b" re W n "
    if imposition.plan.spines and shift:
        cell = cell_of(imposition, at, 0.0)
        return _pdf_numbers((cell.x, cell.y, cell.width, cell.height)) + b" re W n "
    return b""


def scales(source: pikepdf.Pdf, imposition: Imposition) -> tuple[float, ...]:
    """Return how large each page of the source is printed, in plans without cells: 1.0 is its own size."""
    cell = cell_of(imposition, 0, 0.0)
    return tuple(_scale(page_size(page), cell, imposition) for page in source.pages)


def _scale(page: Size, cell: Box, imposition: Imposition) -> float:
    """How large a page of a size, in mm, is printed in its cell: at its own size, unless it is resized to fit."""
    fits = min(cell.width / mm(page.width), cell.height / mm(page.height))
    resized = imposition.enlarge or (fits < 1 - _TINY / 10 and imposition.shrink)
    return fits if resized and not imposition.cells else 1.0


def _marks(made: pikepdf.Pdf, imposition: Imposition) -> dict[Marks, pikepdf.Object]:
    """Return a form XObject for each kind of marks on the sheets."""
    kinds = tuple(dict.fromkeys(each for each in imposition.marks if each != NO_MARKS))
    if not kinds:
        return {}
    with pikepdf.open(BytesIO(drawn_marks(imposition.paper, kinds, imposition.font))) as drawn:
        if not imposition.font:  # reportlab names a font even where nothing is written
            for page in drawn.pages:
                del page.obj.Resources.Font
                kept = [each for each in pikepdf.parse_content_stream(page) if str(each.operator) not in TEXT]
                page.obj.Contents = drawn.make_stream(pikepdf.unparse_content_stream(kept))
        return {each: made.copy_foreign(page.as_form_xobject()) for each, page in zip(kinds, drawn.pages, strict=True)}


def _form(made: pikepdf.Pdf, page: pikepdf.Page, *, bleeds: bool) -> pikepdf.Object:
    """The page as a form XObject: what is within its trim box, or within its bleed box."""
    form = page.as_form_xobject(handle_transformations=False)
    if bleeds:
        form.BBox = Array([float(each) for each in page.bleedbox])
    found = made.copy_foreign(form)
    note_pieces(found, {"trim": [round(each, 4) for each in box_of(page.trimbox).corners]})
    return found


def _matrix(page: pikepdf.Page, cell: Box, imposition: Imposition, *, turned: bool) -> Matrix:
    """The matrix from a page to its cell: centred, and as large as the imposition lets it be."""
    box, turn = box_of(page.trimbox), _turn(page)
    width, height = (box.height, box.width) if turn % 180 else (box.width, box.height)
    scale = _scale(page_size(page), cell, imposition) * unit_of(page)
    x = cell.x + (cell.width - width * scale) / 2
    y = cell.y + (cell.height - height * scale) / 2
    upright = _turned(box, turn)
    if turned:
        upright @= Matrix(-1, 0, 0, -1, width, height)
    return upright @ Matrix(scale, 0, 0, scale, x, y)


def unit_of(page: pikepdf.Page) -> float:
    """Return how many points a unit of a page is (ISO 32000-2, 7.7.3.3): 1, unless it says so."""
    unit = page.obj.get("/UserUnit", 1)
    return float(unit) if isinstance(unit, (int, float, Decimal)) and unit > 0 else 1.0


def _turned(box: Box, turn: int) -> Matrix:
    """The matrix that sets a page with /Rotate upright, its lower left corner at the origin."""
    return {
        0: Matrix(1, 0, 0, 1, -box.x, -box.y),
        90: Matrix(0, -1, 1, 0, -box.y, box.right),
        180: Matrix(-1, 0, 0, -1, box.right, box.top),
        270: Matrix(0, 1, -1, 0, box.top, -box.x),
    }[turn]


def box_of(rectangle: Iterable[object]) -> Box:
    """Return a box of a page, whichever of its corners it names."""
    left, bottom, right, top = (float(each) for each in rectangle)  # type: ignore[arg-type]
    return Box(min(left, right), min(bottom, top), abs(right - left), abs(top - bottom))


def _turn(page: pikepdf.Page) -> int:
    turn = int(page.obj.get("/Rotate", 0)) % 360
    return 0 if turn % 90 else turn  # as readers do with what PDF does not allow


def _links(source: pikepdf.Pdf, made: pikepdf.Pdf, placed: dict[int, tuple[pikepdf.Object, Matrix]]) -> None:
    """Carry the links of the source over: to addresses, and to pages on the sheets where they are now."""
    at = {page.obj.objgen: index for index, page in enumerate(source.pages)}
    for index, (sheet, matrix) in placed.items():
        for link in annotations_of(source.pages[index]):
            if link.get("/Subtype") != Name.Link or "/Rect" not in link:
                continue
            rectangle = _moved([float(each) for each in link.Rect], matrix)
            action = link.get("/A", Dictionary())
            kept = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array(rectangle), Border=Array([0, 0, 0]), F=4)
            target = _target(source, link, action)
            if isinstance(action, Dictionary) and (address := _address(action)):
                kept.A = Dictionary(S=Name.URI, URI=address)
            elif target is not None and target.objgen in at and at[target.objgen] in placed:
                kept.Dest = Array([placed[at[target.objgen]][0], Name.Fit])
            else:
                continue
            if "/Annots" not in sheet:
                sheet.Annots = made.make_indirect(Array())
            sheet.Annots.append(made.make_indirect(kept))


def annotations_of(page: pikepdf.Page) -> list[pikepdf.Object]:
    """Return the annotations of a page that are any."""
    listed = page.obj.get("/Annots")
    return [each for each in listed if isinstance(each, Dictionary)] if isinstance(listed, Array) else []


def _target(source: pikepdf.Pdf, link: pikepdf.Object, action: pikepdf.Object) -> pikepdf.Object | None:
    """The page that a link within the document leads to."""
    wanted = link.get("/Dest")
    if wanted is None and isinstance(action, Dictionary) and action.get("/S") == Name.GoTo:
        wanted = action.get("/D")
    if isinstance(wanted, (pikepdf.String, Name)):
        wanted = _named_destination(source, str(wanted).removeprefix("/"))
    if isinstance(wanted, Dictionary):
        wanted = wanted.get("/D")
    return wanted[0] if isinstance(wanted, Array) and len(wanted) and isinstance(wanted[0], Dictionary) else None


def _named_destination(source: pikepdf.Pdf, name: str) -> pikepdf.Object | None:
    names = source.Root.get("/Names", Dictionary()).get("/Dests")
    if names is not None:
        tree = pikepdf.NameTree(names)
        return tree.get(name, None)
    return source.Root.get("/Dests", Dictionary()).get(f"/{name}")


def _moved(rectangle: list[float], matrix: Matrix) -> list[float]:
    x1, y1, x2, y2 = rectangle
    moved = matrix.transform(Rectangle(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)))
    return [round(each, 3) for each in (moved.llx, moved.lly, moved.urx, moved.ury)]


def _pdf_numbers(values: Iterable[float]) -> bytes:
    """Numbers as PDF takes them: without exponent, and no minus before 0."""
    return b" ".join([f"{round(value, 4) + 0.0:.4f}".rstrip("0").rstrip(".").encode() for value in values])
