"""Pages of the press as plain data, in mm from the upper left: the plan of a print job, and the proof of a printer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import atan2, cos, pi, sin

from sheetgen.geometry import Size, millimetres, paper_name
from sheetgen.model.printing import PrintJob
from sheetgen.model.wording import capital

Point = tuple[float, float]

FINE, THIN, STRONG, THICK = 0.1, 0.2, 0.35, 0.6  # mm: strokes
DASHES = "1.6 1.2"
_WORDS = 2.1  # mm: the size in which small numbers are set
LARGEST = (62.0, 68.0)  # mm: how wide and how tall a sheet is drawn
PICTURE = Size(52, 34)  # mm, of a picture of the work; those that no job changes are files
FOLDED = ("saddle", "gutter", "eight")  # kinds of jobs with folds right through the sheet
DRAWN_PICTURES = ("marks", "long", "short", "rows")
MARGINS = (3.0, 5.0, 6.35, 8.0, 10.0)
GREYS = tuple(range(5, 101, 5))
HAIRLINES = (0.1, 0.2, 0.25, 0.35, 0.5, 0.75, 1.0)
TYPE = (6, 7, 8, 9, 10, 11, 12)
CORNER = (36.0, 33.0)  # where the outer crosses stand, counted from the corners of the paper
LARGE_ARM, SMALL_ARM = 14.0, 8.5  # mm: how far the crosses reach
REACH = 5  # mm that a scale shows to either side


@dataclass(slots=True)
class Drawing:
    """Strokes by their width and dashes, and words at their places."""

    width: float = 0.0
    height: float = 0.0
    strokes: dict[tuple[float, str], list[str]] = field(default_factory=dict)
    words: list[dict[str, object]] = field(default_factory=list)

    def path(self, d: str, *, width: float = THIN, dashes: str = "") -> None:
        """Add strokes as SVG spells them."""
        self.strokes.setdefault((width, dashes), []).append(d)

    def line(self, *points: Point, width: float = THIN, dashes: str = "", closed: bool = False) -> None:
        """Add a stroke from point to point, and back to the first if it is `closed`."""
        way = "".join(f"{'L' if at else 'M'}{near(x)} {near(y)}" for at, (x, y) in enumerate(points))
        self.path(way + "Z" * closed, width=width, dashes=dashes)

    def box(self, x: float, y: float, width: float, height: float, *, stroke: float = THIN) -> None:
        """Add a rectangle."""
        self.line((x, y), (x + width, y), (x + width, y + height), (x, y + height), width=stroke, closed=True)

    def arrow(self, *points: Point, bend: Point | None = None, width: float = STRONG) -> None:
        """Add a stroke with a head at its end; with `bend` it is a curve between two points that goes towards that."""
        end, before = points[-1], bend or points[-2]
        if bend is None:
            self.line(*points, width=width)
        else:
            (x1, y1), (x2, y2), (bx, by) = points[0], end, bend
            self.path(f"M{near(x1)} {near(y1)}Q{near(bx)} {near(by)} {near(x2)} {near(y2)}", width=width)
        angle = atan2(end[1] - before[1], end[0] - before[0])
        barbs = [(end[0] - 2 * cos(angle + turn), end[1] - 2 * sin(angle + turn)) for turn in (-pi / 7, pi / 7)]
        self.line(barbs[0], end, barbs[1], width=width)

    def say(self, x: float, y: float, text: str, *, size: float = _WORDS, turn: int = 0) -> None:
        """Add a word whose middle is at x and y, turned by so many degrees."""
        self.words.append({"x": x, "y": y, "down": near(size * 0.34), "text": text, "size": size, "turn": turn})

    def data(self) -> dict[str, object]:
        """Return the drawing for a template: one path for each kind of stroke."""
        paths = [{"width": width, "dashes": dashes, "d": " ".join(d)} for (width, dashes), d in self.strokes.items()]
        return {"width": self.width, "height": self.height, "paths": paths, "words": self.words}


def near(length: float) -> float:
    """Return a length as it is written: to a thousandth, and no nought with a minus."""
    return round(length, 3) + 0.0


def plan(job: PrintJob) -> dict[str, object]:
    """Return what the template of a print plan shows."""
    return {
        "what": job.what,
        "paper": paper_name(job.paper),
        "sheets": job.sheets,
        "flip": job.flip,
        "lying": job.size.width > job.size.height,
        "upright": job.upright and job.size.width > job.size.height,
        "front": sheet(job, job.front).data(),
        "back": sheet(job, job.back).data() if job.back else None,
        "turn": _turn(job).data() if job.back else None,
        "remarks": [f"{each[:1].upper()}{each[1:]}." for each in job.remarks],
        "cards": job.kind in ("cards", "fold-cards"),
        "steps": [
            {
                "text": capital(step.text) + ".",
                "pictures": [
                    picture(name, job).data() if name in DRAWN_PICTURES else {"file": f"press/pictures/{name}.svg"}
                    for name in step.pictures
                ],
            }
            for step in job.steps
        ],
    }


def picture(name: str, job: PrintJob) -> Drawing:
    """Return the picture of the marks of a job, or of its sheet with the `long`, the `short` or all `rows` cut."""
    drawn = Drawing(PICTURE.width, PICTURE.height)
    if name == "marks":
        drawn.height = 20
        for x in (10, 42):
            drawn.line((x, 1), (x, 7), width=STRONG)
        drawn.line((10, 19), (10, 10), (42, 10), (42, 19))
        drawn.arrow((24, 4), (10.6, 4), width=THIN)
        drawn.arrow((28, 4), (41.4, 4), width=THIN)
        drawn.say(26, 14.6, f"{millimetres(job.cells[0].width):.3g} mm", size=3.2)
    else:
        standing = job.size.height > job.size.width
        _cuts(drawn, job, upright={"long": standing, "short": not standing, "rows": False}[name])
    return drawn


def _cuts(drawn: Drawing, job: PrintJob, *, upright: bool) -> None:
    """The sheet of the job with its cuts one way, right through the paper."""
    scale = min((PICTURE.width - 6) / job.size.width, (PICTURE.height - 4) / job.size.height)
    left, top = (PICTURE.width - job.size.width * scale) / 2, (PICTURE.height - job.size.height * scale) / 2
    right, below = PICTURE.width - left, PICTURE.height - top
    drawn.box(left, top, right - left, below - top)
    xs, ys = set(), set()
    # What stands on its head is folded over the top: there the rows are not cut.
    folded = any(page < 0 for page in job.front) and job.kind == "fold-cards"
    for place, cell in enumerate(job.cells):
        x, width = millimetres(cell.x) * scale + left, millimetres(cell.width) * scale
        y, height = below - millimetres(cell.y) * scale, millimetres(cell.height) * scale
        xs |= {round(x, 2), round(x + width, 2)}
        ys |= {round(y, 2), round(y - height, 2)} if not folded else {round(y - height * (place % 2), 2)}
        drawn.box(x, y - height, width, height, stroke=0.1)
    for at in sorted(xs if upright else ys):
        ends = ((at, top - 1.6), (at, below + 1.6)) if upright else ((left - 1.6, at), (right + 1.6, at))
        drawn.line(*ends, width=THICK)


def sheet(job: PrintJob, pages: Iterable[int]) -> Drawing:
    """Return a side of the first sheet to scale, each page with its number, on its head where it stands so."""
    scale = min(LARGEST[0] / job.size.width, LARGEST[1] / job.size.height)
    drawn = Drawing(job.size.width * scale, job.size.height * scale)
    drawn.box(0.2, 0.2, drawn.width - 0.4, drawn.height - 0.4, stroke=STRONG)
    for cell, page in zip(job.cells, pages, strict=True):
        x, width = millimetres(cell.x) * scale, millimetres(cell.width) * scale
        y, height = drawn.height - millimetres(cell.top) * scale, millimetres(cell.height) * scale
        if job.kind not in FOLDED:  # there the folds part the pages
            drawn.box(x, y, width, height, stroke=0.1)
        if page:
            size = min(6.0, height * 0.4, width * 0.34)
            drawn.say(
                x + width / 2, y + height / 2, _label(job, page), size=round(size, 2), turn=180 if page < 0 else 0
            )
            # A line under the number shows where its feet are.
            foot = y + height / 2 + (-1 if page < 0 else 1) * size * 0.55
            drawn.line((x + width / 2 - size * 0.4, foot), (x + width / 2 + size * 0.4, foot), width=THIN)
    _folds(drawn, job)
    return drawn


def _label(job: PrintJob, page: int) -> str:
    """Return the number of a page or card; a back that is printed beside its front has a stroke behind it."""
    number = abs(page)
    if job.kind == "cards":
        return str((number + 1) // 2)
    if job.kind == "fold-cards":
        return f"{(number + 1) // 2}{'′' if number % 2 == 0 else ''}"
    return str(number)


def _folds(drawn: Drawing, job: PrintJob) -> None:
    """Folds as dashes through the sheet."""
    if job.kind in FOLDED:
        for x in (0.5,) if job.kind != "eight" else (0.25, 0.5, 0.75):
            drawn.line((drawn.width * x, 0), (drawn.width * x, drawn.height), dashes=DASHES)
    if job.kind == "eight":
        drawn.line((0, drawn.height / 2), (drawn.width, drawn.height / 2), dashes=DASHES)
        drawn.line((drawn.width / 4, drawn.height / 2), (drawn.width * 3 / 4, drawn.height / 2), width=0.9)


def _turn(job: PrintJob) -> Drawing:
    """Return an arrow round the axis about which the paper is turned between its two sides."""
    drawn = Drawing(16, 24)
    upright_axis = (job.flip == "long") == (job.size.height >= job.size.width)
    if upright_axis:
        drawn.line((8, 2), (8, 22), dashes=DASHES)
        drawn.arrow((2, 10), (14, 10), bend=(8, 22))
    else:
        drawn.line((1, 12), (15, 12), dashes=DASHES)
        drawn.arrow((7, 4), (7, 20), bend=(17, 12))
    return drawn


def proof(paper: Size, *, back: bool) -> Drawing:
    """Return the drawing of a side: frames and crosses on both, scales at the crosses of the back, rulers in front."""
    drawn = Drawing(paper.width, paper.height)
    _frames(drawn, paper)
    if not back:
        _rulers(drawn, paper)
    for number, (x, y) in enumerate(crosses(paper)):
        large = number == 0
        if back:
            _scale(drawn, x, y, large=large)
        else:
            _cross(drawn, x, y, large=large)
    return drawn


def crosses(paper: Size) -> tuple[tuple[float, float], ...]:
    """Return the places of the crosses: the middle first, then the corners.

    They are the same whichever way the paper is turned.
    """
    across, down = CORNER
    corners = tuple((x, y) for y in (down, paper.height - down) for x in (across, paper.width - across))
    return ((paper.width / 2, paper.height / 2), *corners)


def _frames(drawn: Drawing, paper: Size) -> None:
    for number, margin in enumerate(MARGINS):
        right, below = paper.width - margin, paper.height - margin
        # The numbers stand one beside another, so that none is in the way of the next frame.
        out = 13 * (number - 2)
        name = f"{margin:g}"
        for y in (margin, below):
            for x1, x2 in _two_strokes(margin, right, paper.width / 2 + out):
                drawn.line((x1, y), (x2, y), width=FINE)
            drawn.say(paper.width / 2 + out, y, name)
        for x in (margin, right):
            for y1, y2 in _two_strokes(margin, below, paper.height / 2 + out):
                drawn.line((x, y1), (x, y2), width=FINE)
            drawn.say(x, paper.height / 2 + out, name, turn=-90)


def _two_strokes(start: float, end: float, gap: float) -> Iterator[tuple[float, float]]:
    yield start, gap - 2.4
    yield gap + 2.4, end


def _rulers(drawn: Drawing, paper: Size) -> None:
    """Along the left and the lower edge, inside the widest frame; they count from the edges of the paper."""
    x, y = MARGINS[-1] + 2, paper.height - MARGINS[-1] - 2
    for at in range(13, int(paper.width) - 12):
        drawn.line((at, y), (at, y - _tick(at)), width=FINE)
        if at % 10 == 0 and at < paper.width - 15:
            drawn.say(at, y - 5, str(at))
    for at in range(13, int(paper.height) - 12):
        drawn.line((x, at), (x + _tick(at), at), width=FINE)
        if at % 10 == 0 and 20 <= at < paper.height - 25:
            drawn.say(x + 5.6, at, str(at))


def _tick(at: int) -> float:
    return 3.4 if at % 10 == 0 else 2.4 if at % 5 == 0 else 1.4


def _cross(drawn: Drawing, x: float, y: float, *, large: bool) -> None:
    """A cross whose arms reach over the scales on the back; nothing else is near, so that it shows through."""
    arm = LARGE_ARM if large else SMALL_ARM
    drawn.line((x - arm, y), (x + arm, y), width=STRONG)
    drawn.line((x, y - arm), (x, y + arm), width=STRONG)


def _scale(drawn: Drawing, x: float, y: float, *, large: bool) -> None:
    """Noughts where the arms in front should be: a scale below for what is to the right, one at the right for up."""
    reach, out = (REACH, 9.0) if large else (3, 5.0)
    drawn.line((x - 1.5, y), (x + 1.5, y), width=FINE)
    drawn.line((x, y - 1.5), (x, y + 1.5), width=FINE)
    drawn.line((x - reach, y + out), (x + reach, y + out), width=FINE)
    drawn.line((x + out, y - reach), (x + out, y + reach), width=FINE)
    for half in range(-2 * reach, 2 * reach + 1):
        at, length = half / 2, 3.2 if half % 10 == 0 else 2.2 if half % 2 == 0 else 1.2
        drawn.line((x + at, y + out), (x + at, y + out - length), width=FINE)
        drawn.line((x + out, y - at), (x + out - length, y - at), width=FINE)
    if large:
        for at in (-reach, 0, reach):
            name = f"+{at}" if at > 0 else f"−{-at}" if at else "0"
            drawn.say(x + at, y + out + 1.8, name, size=2.6)
            drawn.say(x + out + 2.4, y - at, name, size=2.6)
        drawn.say(x + reach + 8, y + out + 1.8, "to the right", size=2.6)
        drawn.say(x + out + 2.4, y - reach - 4, "up", size=2.6)
