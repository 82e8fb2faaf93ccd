"""The proof of a printer as plain data: frames, rulers, crosses, greys and hairlines, in mm from the upper left."""

from __future__ import annotations

from collections.abc import Iterator

from sheetgen.documents.figures.line_drawing import FINE, STRONG, Drawing
from sheetgen.geometry import Size

MARGINS = (3.0, 5.0, 6.35, 8.0, 10.0)
GREYS = tuple(range(5, 101, 5))
HAIRLINES = (0.1, 0.2, 0.25, 0.35, 0.5, 0.75, 1.0)
TYPE = (6, 7, 8, 9, 10, 11, 12)
CORNER = (36.0, 33.0)  # where the outer crosses stand, counted from the corners of the paper
LARGE_ARM, SMALL_ARM = 14.0, 8.5  # mm: how far the crosses reach
REACH = 5  # mm that a scale shows to either side


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
