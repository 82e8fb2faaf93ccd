"""What drawn cards are cut from: shapes filled with ink or, to spare it, outlined; lengths in mm."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

PAPER = "#fff"
HAIR, FINE, BOLD = 0.2, 0.32, 0.5  # the widths of lines


@dataclass(frozen=True, slots=True)
class Block:
    """The colours that a card is printed in; one that spares ink fills nothing."""

    dark: str
    red: str
    saver: bool = False

    def of(self, suit: str) -> str:
        """The colour of a suit."""
        return self.red if suit in "HD" else self.dark

    def other(self, suit: str) -> str:
        """The colour that the suit is not."""
        return self.dark if suit in "HD" else self.red

    def solid(self, shape: str, colour: str, *, edge: str = "", width: float = FINE) -> str:
        """A shape filled with a colour, or its outline; `edge` is the line around it that parts it from others."""
        if self.saver:
            return drawn(shape, fill=PAPER, line=colour, width=FINE if edge else width)
        return drawn(shape, fill=colour, line=edge, width=width)

    def dot(self, x: float, y: float, radius: float) -> str:
        """A dot of dark ink, too small to be worth sparing."""
        return drawn(disc(x, y, radius), fill=self.dark)

    def plain(self, shape: str, *, width: float = FINE) -> str:
        """A shape of bare paper with a dark outline."""
        return drawn(shape, fill=PAPER, line=self.dark, width=width)

    def line(self, shape: str, *, width: float = FINE, colour: str = "") -> str:
        """A line in the dark ink or a colour."""
        return drawn(shape, line=colour or self.dark, width=width)

    def cut(self, shape: str, ground: str, *, width: float = FINE) -> str:
        """A line cut out of a ground of a colour, which shows the paper; sparing ink, a line of that colour."""
        return drawn(shape, line=ground if self.saver else PAPER, width=width)

    def hole(self, shape: str, ground: str) -> str:
        """A shape cut out of a ground of a colour."""
        return drawn(shape, fill=PAPER, line=ground if self.saver else "", width=HAIR)


def drawn(shape: str, *, fill: str = "none", line: str = "", width: float = FINE) -> str:
    """A path of SVG with a fill, a line or both."""
    stroke = f' stroke="{line}" stroke-width="{width:g}" stroke-linejoin="round" stroke-linecap="round"' if line else ""
    return f'<path d="{shape}" fill="{fill}"{stroke}/>'


def moved(inside: str, x: float = 0, y: float = 0, *, turn: float = 0, size: float = 1, wide: float = 0) -> str:
    """A drawing put somewhere else, turned about its own origin (degrees, clockwise) and larger; `wide` across only."""
    steps = [f"translate({number(x)} {number(y)})"] if x or y else []
    steps += [f"rotate({number(turn)})"] if turn else []
    steps += [f"scale({number(wide or size)} {number(size)})"] if size != 1 or wide else []
    return f'<g transform="{" ".join(steps)}">{inside}</g>' if steps else f"<g>{inside}</g>"


def number(value: float) -> str:
    """A length as SVG writes it, to the thousandth."""
    return f"{round(value, 3):g}"


def disc(x: float, y: float, radius: float) -> str:
    """The path of a circle."""
    r = number(radius)
    left, right, at = number(x - radius), number(x + radius), number(y)
    return f"M{left} {at}A{r} {r} 0 1 1 {right} {at}A{r} {r} 0 1 1 {left} {at}Z"


def ray(radius: float, degrees: float, *, x: float = 0, y: float = 0) -> tuple[float, float]:
    """The point so far from another in a direction; 0 degrees is up, 90 to the right."""
    return x + radius * sin(degrees * pi / 180), y - radius * cos(degrees * pi / 180)


def polygon(points: list[tuple[float, float]], *, closed: bool = True) -> str:
    """The path through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")


def star(x: float, y: float, radius: float, *, rays: int = 5, waist: float = 0.42, turn: float = 0) -> str:
    """The path of a star; `waist` is the part of the radius that the inner corners are at."""
    corners = range(2 * rays)
    return polygon([ray(radius * (waist if at % 2 else 1), turn + at * 180 / rays, x=x, y=y) for at in corners])


def cylinder(block: Block, colour: str, *, radius: float, chambers: int = 6, loaded: int = 0) -> str:
    """A revolver’s cylinder seen from behind, its first chamber on top; so many chambers are loaded, clockwise."""
    places = [ray(radius * 0.6, at * 360 / chambers) for at in range(chambers)]
    bore = radius * 0.235 * min(1, 6 / chambers)
    parts = [drawn(disc(0, 0, radius), fill=PAPER, line=colour, width=radius * 0.11)]
    for at, (x, y) in enumerate(places):
        fill = colour if at < loaded else "none"
        parts.append(drawn(disc(x, y, bore), fill=fill, line=colour, width=radius * 0.07))
    parts.append(drawn(disc(0, 0, radius * 0.11), fill=colour))
    return "".join(parts)
