"""What every figure is drawn with: words at a point, the grey of quiet lines, and the shape of a drawing; in points."""

from __future__ import annotations

from xml.sax.saxutils import escape

SANS, SERIF = "Source Sans Pro", "Source Serif Pro"
GREY = "#777"
Drawn = tuple[float, float, str]  # width, height, what is inside


def words(
    x: float,
    y: float,
    text: str,
    *,
    size: float = 8,
    anchor: str = "start",
    weight: int = 400,
    serif: bool = False,
    fill: str = "#000",
) -> str:
    """A line of words at a point of its baseline."""
    family = SERIF if serif else SANS
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size:g}" font-weight="{weight}" fill="{fill}"'
    return f'<text {place} font-family="{family}">{escape(text)}</text>'
