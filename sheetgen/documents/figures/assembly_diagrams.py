"""Small pictures of the work with paper: nest, fold, staple, slit, cut. Each is 52 by 34 mm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from sheetgen.documents.figures.line_drawing import DASHES, STRONG, THICK, THIN, Drawing
from sheetgen.geometry import millimetres
from sheetgen.model.print_job import PrintJob

WIDTH, HEIGHT = 52.0, 34.0
_LETTERS = 3.2


def picture(name: str, job: PrintJob) -> Drawing:
    """Return the picture of that name; those of cuts show the sheet of the job."""
    drawn = Drawing(WIDTH, HEIGHT)
    PICTURES[name](drawn, job)
    return drawn


def _nest(drawn: Drawing, _: PrintJob) -> None:
    """Open sheets astride one over another, the outer pages uppermost, seen from the side."""
    for at in range(3):
        y = 6 + 6 * at
        drawn.line((8, y + 14), (26, y), (44, y + 14), width=STRONG)
    drawn.say(47, 23, "1", size=_LETTERS)


def _fold(drawn: Drawing, _: PrintJob) -> None:
    drawn.box(6, 8, 40, 24, stroke=STRONG)
    drawn.line((26, 8), (26, 32), dashes=DASHES)
    drawn.arrow((12, 14), (40, 14), bend=(26, -2))


def _staple(drawn: Drawing, _: PrintJob) -> None:
    drawn.box(16, 3, 20, 28, stroke=STRONG)
    drawn.line((37, 4), (37, 31.6), (17, 31.6))
    drawn.line((38, 5), (38, 32.2), (18, 32.2))
    for y in (8, 22):
        drawn.line((16, y), (16, y + 4), width=1.0)
        drawn.arrow((6, y + 2), (14, y + 2))


def _eighths(drawn: Drawing, _: PrintJob) -> None:
    drawn.box(4, 4, 44, 26, stroke=STRONG)
    for x in (15, 26, 37):
        drawn.line((x, 4), (x, 30), dashes=DASHES)
    drawn.line((4, 17), (48, 17), dashes=DASHES)


def _slit(drawn: Drawing, job: PrintJob) -> None:
    _eighths(drawn, job)
    drawn.line((15, 17), (37, 17), width=1.0)


def _push(drawn: Drawing, _: PrintJob) -> None:
    """The sheet folded lengthwise and stood on its edge, seen from above: the slit opens."""
    drawn.line((12, 17), (19, 17), (26, 8), (33, 17), (40, 17), width=STRONG)
    drawn.line((19, 17), (26, 26), (33, 17), width=STRONG)
    drawn.arrow((2, 17), (9.5, 17))
    drawn.arrow((50, 17), (42.5, 17))
    drawn.say(26, 31.5, "from above", size=2.6)


def _little_book(drawn: Drawing, _: PrintJob) -> None:
    drawn.line((17, 4), (35, 2.6), (35, 28.6), (17, 30), width=STRONG, closed=True)
    for out in (1.2, 2.4):
        drawn.line((17, 30), (35 + out, 29 + out * 0.6), (35 + out, 3.2 + out * 0.4))
    drawn.say(26, 16, "1", size=6)


def _pile(drawn: Drawing, _: PrintJob) -> None:
    for out in (2.4, 1.2):
        drawn.line((10 + out, 31 + out * 0.8), (42 + out, 31 + out * 0.8), (42 + out, 5 + out * 0.8))
    drawn.box(10, 4, 32, 27, stroke=STRONG)
    drawn.line((7, 17.5), (47, 17.5), width=THICK, dashes=DASHES)
    drawn.line((26, 1.5), (26, 33.5), width=THICK, dashes=DASHES)
    for letter, x, y in (("A", 18, 10.7), ("B", 34, 10.7), ("C", 18, 24.3), ("D", 34, 24.3)):
        drawn.say(x, y, letter, size=_LETTERS)


def _heaps(drawn: Drawing, _: PrintJob) -> None:
    """The four heaps on one another, the first uppermost."""
    for at, letter in enumerate("DCBA"):
        x, y = 14 + 2 * at, 24 - 5.6 * at
        drawn.line((x, y + 4), (x + 18, y + 4), (x + 22, y), (x + 4, y), width=STRONG, closed=True)
        drawn.line((x, y + 4), (x, y + 6), (x + 18, y + 6), (x + 22, y + 2), (x + 22, y))
        drawn.say(x - 4, y + 4, letter, size=_LETTERS)


def _fold_over(drawn: Drawing, _: PrintJob) -> None:
    drawn.box(6, 8, 40, 24, stroke=STRONG)
    drawn.line((26, 8), (26, 32), dashes=DASHES)
    drawn.say(16, 24, "front", size=_LETTERS)
    drawn.say(36, 24, "back", size=_LETTERS)
    drawn.arrow((40, 14), (12, 14), bend=(26, -2))


def _glue(drawn: Drawing, _: PrintJob) -> None:
    """The folded strip from the side, print outside, glue between."""
    drawn.line((44, 8), (10, 17), (44, 26), width=STRONG)
    for x in range(20, 44, 4):
        drawn.line((x, 17 - (x - 10) * 0.16), (x + 1.6, 17 + (x - 10) * 0.16), width=THIN)
    drawn.say(26, 31.5, "glue inside", size=2.6)


def _trim(drawn: Drawing, _: PrintJob) -> None:
    drawn.box(12, 3, 28, 28)
    for x in (16, 36):
        drawn.line((x, 1), (x, 33), width=THICK, dashes=DASHES)
    for y in (7, 27):
        drawn.line((10, y), (42, y), width=THICK, dashes=DASHES)


def _ruler(drawn: Drawing, _: PrintJob) -> None:
    drawn.height = 15
    drawn.line((3, 8), (49, 8), width=STRONG)
    for at in range(6):
        x = 3 + 46 * at / 5
        drawn.line((x, 8), (x, 3 if at in (0, 5) else 5.6), width=STRONG)
    drawn.say(26, 12.4, "50 mm", size=_LETTERS)


def _marks(drawn: Drawing, job: PrintJob) -> None:
    drawn.height = 20
    for x in (10, 42):
        drawn.line((x, 1), (x, 7), width=STRONG)
    drawn.line((10, 19), (10, 10), (42, 10), (42, 19))
    drawn.arrow((24, 4), (10.6, 4), width=THIN)
    drawn.arrow((28, 4), (41.4, 4), width=THIN)
    drawn.say(26, 14.6, f"{millimetres(job.cells[0].width):.3g} mm", size=_LETTERS)


def _long(drawn: Drawing, job: PrintJob) -> None:
    _cuts(drawn, job, upright=job.size.height > job.size.width)


def _short(drawn: Drawing, job: PrintJob) -> None:
    _cuts(drawn, job, upright=job.size.height <= job.size.width)


def _rows(drawn: Drawing, job: PrintJob) -> None:
    _cuts(drawn, job, upright=False)


def _cuts(drawn: Drawing, job: PrintJob, *, upright: bool) -> None:
    """The sheet of the job with its cuts one way, right through the paper."""
    scale = min((WIDTH - 6) / job.size.width, (HEIGHT - 4) / job.size.height)
    left, top = (WIDTH - job.size.width * scale) / 2, (HEIGHT - job.size.height * scale) / 2
    right, below = WIDTH - left, HEIGHT - top
    drawn.box(left, top, right - left, below - top)
    xs, ys = set(), set()
    for cell in job.cells:
        x, width = millimetres(cell.x) * scale + left, millimetres(cell.width) * scale
        y, height = below - millimetres(cell.y) * scale, millimetres(cell.height) * scale
        xs |= {round(x, 2), round(x + width, 2)}
        ys |= {round(y, 2), round(y - height, 2)}
        drawn.box(x, y - height, width, height, stroke=0.1)
    for at in sorted(xs if upright else ys):
        ends = ((at, top - 1.6), (at, below + 1.6)) if upright else ((left - 1.6, at), (right + 1.6, at))
        drawn.line(*ends, width=THICK)


def _cards(drawn: Drawing, _: PrintJob) -> None:
    """A strip, folded and glued, with the cuts between its cards."""
    drawn.box(6, 9, 40, 16)
    for x in (8, 26, 44):
        drawn.line((x, 6), (x, 28), width=THICK, dashes=DASHES)


PICTURES: Mapping[str, Callable[[Drawing, PrintJob], None]] = MappingProxyType(
    {
        "nest": _nest,
        "fold": _fold,
        "staple": _staple,
        "eighths": _eighths,
        "slit": _slit,
        "push": _push,
        "little-book": _little_book,
        "pile": _pile,
        "heaps": _heaps,
        "fold-over": _fold_over,
        "glue": _glue,
        "trim": _trim,
        "ruler": _ruler,
        "marks": _marks,
        "long": _long,
        "short": _short,
        "rows": _rows,
        "cards": _cards,
    }
)
