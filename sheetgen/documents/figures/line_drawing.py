"""Line drawings as plain data for the pages of the press, in mm from the upper left corner."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import atan2, cos, pi, sin

Point = tuple[float, float]

FINE, THIN, STRONG, THICK = 0.1, 0.2, 0.35, 0.6  # mm: strokes
DASHES = "1.6 1.2"
_WORDS = 2.1  # mm: the size in which small numbers are set


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
