"""The plan of a print job as plain data: the first sheet drawn, front and back, and what to do, step by step."""

from __future__ import annotations

from collections.abc import Iterable

from sheetgen.documents.figures.line_drawing import DASHES, STRONG, THICK, THIN, Drawing
from sheetgen.geometry import Size, millimetres, paper_name
from sheetgen.model.printing import PrintJob

LARGEST = (62.0, 68.0)  # mm: how wide and how tall a sheet is drawn
PICTURE = Size(52, 34)  # mm, of a picture of the work; those that no job changes are files
FOLDED = ("saddle", "gutter", "eight")  # kinds of jobs with folds right through the sheet
DRAWN_PICTURES = ("marks", "long", "short", "rows")


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
                "text": step.text[:1].upper() + step.text[1:] + ".",
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
