"""Odds as a chart for print: a bar for each result with its value at the end, no grid, readable in grey."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

ROW, TOP, LEFT, BAR, MARGIN = 16, 34, 92, 260, 8
MOST_ROWS = 60
SERIF = "'Source Serif Pro', serif"
SANS = "'Source Sans Pro', sans-serif"


def odds_chart(title: str, of: str, rows: Sequence[tuple[str, float]], *, accent: str) -> str:
    """An SVG of the rows (name, probability from 0 to 1), lengths in points; beyond 60 rows the least likely go."""
    if len(rows) > MOST_ROWS:
        least = sorted((chance for _, chance in rows), reverse=True)[MOST_ROWS - 1]
        rows = [row for row in rows if row[1] >= least][:MOST_ROWS]
    longest = max((chance for _, chance in rows), default=1.0) or 1.0
    height = TOP + ROW * len(rows) + MARGIN
    width = LEFT + BAR + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}pt" height="{height}pt" '
        f'role="img" aria-label={quoteattr(title)}>',
        f'<text x="{MARGIN}" y="15" font-family="{SERIF}" font-size="11" font-weight="600">{escape(title)}</text>',
        _label(MARGIN, 27, of or "every result", size=8, anchor="start"),
    ]
    for number, (name, chance) in enumerate(rows):
        y = TOP + ROW * number
        length = BAR * chance / longest
        parts.append(
            _label(LEFT - 6, y + 11, name, anchor="end")
            + f'<rect x="{LEFT}" y="{y + 3}" width="{length:.2f}" height="{ROW - 6}" fill={quoteattr(accent)}/>'
            + _label(LEFT + length + 4, y + 11, f"{chance:.1%}", anchor="start")
        )
    return "\n".join([*parts, "</svg>", ""])


def _label(x: float, y: float, text: str, *, anchor: str, size: int = 9) -> str:
    place = f'x="{x:.2f}" y="{y}" text-anchor="{anchor}"'
    return f'<text {place} font-family="{SANS}" font-size="{size}">{escape(text)}</text>'
