"""Pages of any PDF put on sheets after a plan: each page is drawn as a form, so that text and links stay alive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name

from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import Box, Line, Size, mm
from sheetgen.press.plan import Plan, creep

Write = Callable[[bytes], object]
Matrix = tuple[float, float, float, float, float, float]

LARGEST = 400_000_000
MOST_PAGES = 2_000
_TINY = 0.01


@dataclass(frozen=True, slots=True)
class Imposition:
    """How pages stand on the paper: the plan, the paper as it is printed, what is kept free around, in mm.

    `shrink` lets pages that are too large be made smaller; none is ever made larger. `thickness` of the paper moves the
    pages of inner sheets towards the spine. `lines` and `dashed` are drawn on every side, `marks` each on its own, in
    points. `cells`, if given, are where the trimmed pages stand, at their own size; around them is shown what of the
    `bleed` does not reach into a neighbour. `shift` moves all backs to the right and up, as the printer needs it.
    """

    plan: Plan
    paper: Size
    margin: float = 0.0
    gutter: float = 0.0
    thickness: float = 0.0
    shrink: bool = True
    enlarge: bool = False
    lines: tuple[Line, ...] = ()
    dashed: tuple[Line, ...] = ()
    marks: tuple[tuple[Line, ...], ...] = ()
    cells: tuple[Box, ...] = ()
    bleed: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)

    def is_back(self, side: int) -> bool:
        """Whether the side of that number, from 0, is printed on the back of another."""
        return self.plan.two_sided and side % 2 == 1


def page_count(path: Path, shown: str) -> int:
    """How many pages a PDF has; InputError for what is none, is locked, or has too many."""
    with _opened(path, shown) as source:
        return len(source.pages)


def first_size(path: Path, shown: str) -> Size:
    """The size of the first page in mm, as it is seen."""
    with _opened(path, shown) as source:
        box = _box(source.pages[0])
        width, height = box.width / mm(1), box.height / mm(1)
        return Size(height, width) if _turn(source.pages[0]) % 180 else Size(width, height)


def impose(path: Path, shown: str, imposition: Imposition, target: Path) -> None:
    """Writes the imposed PDF to `target`, a new file; InputError for a source that cannot be read."""
    with _opened(path, shown) as source, pikepdf.new() as made:
        shifts = creep(imposition.plan, imposition.thickness)
        placed: dict[int, tuple[pikepdf.Object, Matrix]] = {}
        forms: dict[int, pikepdf.Object] = {}
        for number, side in enumerate(imposition.plan.sides):
            made.add_blank_page(page_size=(mm(imposition.paper.width), mm(imposition.paper.height)))
            page, drawn = made.pages[-1], Dictionary()
            across, up = imposition.shift if imposition.is_back(number) else (0.0, 0.0)
            marks = imposition.marks[number] if imposition.marks else ()
            ruled = (_strokes((*imposition.lines, *marks), b""), _strokes(imposition.dashed, b"[3 3] 0 d "))
            moved = b"1 0 0 1 %b cm" % _numbers((mm(across), mm(up))) if across or up else b""
            contents = [b"q %b\n" % moved, *ruled]
            for at, wanted in enumerate(side.places):
                if not wanted:
                    continue
                index = abs(wanted) - 1
                if index not in forms:
                    forms[index] = _form(made, source.pages[index], bleeds=imposition.bleed > 0)
                cell = imposition.cells[at] if imposition.cells else _cell(imposition, at, shifts[number])
                matrix = _matrix(source.pages[index], cell, imposition, turned=wanted < 0)
                drawn[f"/P{index}"] = forms[index]
                clip = _numbers(_window(imposition, at)) + b" re W n " if imposition.cells else b""
                contents.append(b"q %b%b cm /P%d Do Q\n" % (clip, _numbers(matrix), index))
                placed[index] = (page.obj, _times(matrix, (1, 0, 0, 1, mm(across), mm(up))))
            contents.append(b"Q\n")
            page.obj.Contents = made.make_stream(b"".join(contents))
            page.obj.Resources = Dictionary(XObject=drawn)
            if imposition.plan.turned_backs and number % 2:
                page.obj.Rotate = 180
        _links(source, made, placed)
        _about(source, made)
        made.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)


def _form(made: pikepdf.Pdf, page: pikepdf.Page, *, bleeds: bool) -> pikepdf.Object:
    """The page as something to be drawn elsewhere: what is within its trim, or within its bleed."""
    form = page.as_form_xobject(handle_transformations=False)
    if bleeds:
        form.BBox = Array([float(each) for each in page.bleedbox])
    return made.copy_foreign(form)


def _opened(path: Path, shown: str) -> pikepdf.Pdf:
    place = Place(shown)
    try:
        if path.stat().st_size > LARGEST:
            raise InputError([Problem(place, f"is larger than {LARGEST:,} bytes")])
        source = pikepdf.open(path)
    except pikepdf.PasswordError:
        raise InputError([Problem(place, "is locked with a password: save it without one first")]) from None
    except pikepdf.PdfError as error:
        reason = str(error).splitlines()[0][:160] if str(error) else "damaged"
        raise InputError([Problem(place, f"is not a PDF that can be read ({reason})")]) from None
    except OSError as error:
        raise InputError([Problem(place, (error.strerror or str(error)).lower())]) from None
    if not 1 <= len(source.pages) <= MOST_PAGES:
        source.close()
        raise InputError([Problem(place, f"has {len(source.pages):,} pages; from 1 to {MOST_PAGES:,} can be imposed")])
    return source


def _cell(imposition: Imposition, at: int, shift: float) -> Box:
    """The place on the paper in points; in booklets pages move towards the spine between the two columns."""
    plan, paper, margin = imposition.plan, imposition.paper, mm(imposition.margin)
    row, column = divmod(at, plan.columns)
    gap = mm(imposition.gutter)
    width = (mm(paper.width) - 2 * margin - gap * (plan.columns - 1)) / plan.columns
    height = (mm(paper.height) - 2 * margin - gap * (plan.rows - 1)) / plan.rows
    x = margin + column * (width + gap)
    if plan.spines:
        x += mm(shift) if column == 0 else -mm(shift)
    return Box(x, mm(paper.height) - margin - (row + 1) * height - row * gap, width, height)


def _window(imposition: Imposition, at: int) -> tuple[float, float, float, float]:
    """What of a page is shown, from its lower left corner: its cell with the bleed, up to halfway to the next cell."""
    cell, bleed = imposition.cells[at], mm(imposition.bleed)
    left = right = below = above = bleed
    for other in imposition.cells:
        if other.y < cell.top and other.top > cell.y:
            if other.right <= cell.x + _TINY:
                left = min(left, max(cell.x - other.right, 0.0) / 2)
            elif other.x >= cell.right - _TINY:
                right = min(right, max(other.x - cell.right, 0.0) / 2)
        if other.x < cell.right and other.right > cell.x:
            if other.top <= cell.y + _TINY:
                below = min(below, max(cell.y - other.top, 0.0) / 2)
            elif other.y >= cell.top - _TINY:
                above = min(above, max(other.y - cell.top, 0.0) / 2)
    return cell.x - left, cell.y - below, cell.width + left + right, cell.height + below + above


def _matrix(page: pikepdf.Page, cell: Box, imposition: Imposition, *, turned: bool) -> Matrix:
    """What moves a page into its place: centred, towards the spine in booklets, smaller only if it must be."""
    box, turn = _box(page), _turn(page)
    width, height = (box.height, box.width) if turn % 180 else (box.width, box.height)
    fits = min(cell.width / width, cell.height / height)
    resized = imposition.enlarge or (fits < 1 and imposition.shrink)
    scale = fits if resized and not imposition.cells else 1.0
    x = cell.x + (cell.width - width * scale) / 2
    y = cell.y + (cell.height - height * scale) / 2
    upright = _turned(box, turn)
    if turned:
        upright = _times(upright, (-1, 0, 0, -1, width, height))
    return _times(upright, (scale, 0, 0, scale, x, y))


def _turned(box: Box, turn: int) -> Matrix:
    """What sets a page with /Rotate upright, its lower left corner at the origin."""
    return {
        0: (1, 0, 0, 1, -box.x, -box.y),
        90: (0, -1, 1, 0, -box.y, box.right),
        180: (-1, 0, 0, -1, box.right, box.top),
        270: (0, 1, -1, 0, box.top, -box.x),
    }[turn]


def _times(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    k, m, n, p, q, r = then
    return (a * k + b * n, a * m + b * p, c * k + d * n, c * m + d * p, e * k + f * n + q, e * m + f * p + r)


def _box(page: pikepdf.Page) -> Box:
    left, bottom, right, top = (float(each) for each in page.trimbox)
    return Box(min(left, right), min(bottom, top), abs(right - left), abs(top - bottom))


def _turn(page: pikepdf.Page) -> int:
    return int(page.obj.get("/Rotate", 0)) % 360


def _strokes(lines: tuple[Line, ...], dash: bytes) -> bytes:
    if not lines:
        return b""
    drawn = [b"%b %b m %b %b l\n" % tuple(map(_number, (line.x1, line.y1, line.x2, line.y2))) for line in lines]
    return b"q 0.25 w %b%bS Q\n" % (dash, b"".join(drawn))


def _numbers(values: Iterable[float]) -> bytes:
    return b" ".join(map(_number, values))


def _number(value: float) -> bytes:
    """A number as PDF takes it: no exponent, no minus before nothing."""
    return f"{round(value, 4) + 0.0:.4f}".rstrip("0").rstrip(".").encode()


def _links(source: pikepdf.Pdf, made: pikepdf.Pdf, placed: dict[int, tuple[pikepdf.Object, Matrix]]) -> None:
    """Carries the links of the source over: addresses as they are, pages to where these pages now are."""
    at = {page.obj.objgen: index for index, page in enumerate(source.pages)}
    for index, (sheet, matrix) in placed.items():
        for link in _own_links(source.pages[index]):
            rectangle = _moved([float(each) for each in link.Rect], matrix)
            action = link.get("/A", Dictionary())
            kept = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array(rectangle), Border=Array([0, 0, 0]), F=4)
            target = _target(source, link, action)
            if isinstance(action, Dictionary) and action.get("/S") == Name.URI and "/URI" in action:
                kept.A = Dictionary(S=Name.URI, URI=action.URI)
            elif target is not None and target.objgen in at and at[target.objgen] in placed:
                kept.Dest = Array([placed[at[target.objgen]][0], Name.Fit])
            else:
                continue
            if "/Annots" not in sheet:
                sheet.Annots = made.make_indirect(Array())
            sheet.Annots.append(made.make_indirect(kept))


def _own_links(page: pikepdf.Page) -> Iterator[pikepdf.Object]:
    for each in page.obj.get("/Annots", Array()):
        if isinstance(each, Dictionary) and each.get("/Subtype") == Name.Link and "/Rect" in each:
            yield each


def _target(source: pikepdf.Pdf, link: pikepdf.Object, action: pikepdf.Object) -> pikepdf.Object | None:
    """The page that a link within the document leads to."""
    wanted = link.get("/Dest")
    if wanted is None and isinstance(action, Dictionary) and action.get("/S") == Name.GoTo:
        wanted = action.get("/D")
    if isinstance(wanted, (pikepdf.String, Name)):
        wanted = _named(source, str(wanted).removeprefix("/"))
    if isinstance(wanted, Dictionary):
        wanted = wanted.get("/D")
    return wanted[0] if isinstance(wanted, Array) and len(wanted) and isinstance(wanted[0], Dictionary) else None


def _named(source: pikepdf.Pdf, name: str) -> pikepdf.Object | None:
    names = source.Root.get("/Names", Dictionary()).get("/Dests")
    if names is not None:
        tree = pikepdf.NameTree(names)
        return tree.get(name, None)
    return source.Root.get("/Dests", Dictionary()).get(f"/{name}")


def _moved(rectangle: list[float], matrix: Matrix) -> list[float]:
    a, b, c, d, e, f = matrix
    corners = [
        (a * x + c * y + e, b * x + d * y + f) for x, y in ((rectangle[0], rectangle[1]), (rectangle[2], rectangle[3]))
    ]
    (x1, y1), (x2, y2) = corners
    return [round(each, 3) for each in (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))]


def _about(source: pikepdf.Pdf, made: pikepdf.Pdf) -> None:
    """Title and author as they were; printed at actual size, on both sides where the plan has two."""
    for key in ("/Title", "/Author"):
        if key in source.docinfo:
            made.docinfo[key] = str(source.docinfo[key])
    made.Root.ViewerPreferences = Dictionary(PrintScaling=Name("/None"), PickTrayByPDFSize=True)
    if "/Lang" in source.Root:
        made.Root.Lang = str(source.Root.Lang)
