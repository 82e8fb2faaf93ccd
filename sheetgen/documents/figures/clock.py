"""A clock to fill segment by segment, drawn as SVG: the numbers of its beats stand in the segments that bring them."""

from __future__ import annotations

from collections.abc import Collection
from math import cos, pi, sin

RADIUS, NUMBER_AT, NUMBER_PT = 46.0, 0.74, 15.0  # pt; where numbers stand, as a share of the radius


def clock_figure(segments: int, beats: Collection[int]) -> str:
    """Return the SVG of a clock with so many segments, 100 points wide, that starts at the top."""
    spokes, numbers = [], []
    for at in range(segments):
        turn = 2 * pi * at / segments - pi / 2
        spokes.append(f"M50 50L{50 + RADIUS * cos(turn):.2f} {50 + RADIUS * sin(turn):.2f}")
        if at + 1 in beats:
            middle, far = turn + pi / segments, RADIUS * NUMBER_AT
            x, y = 50 + far * cos(middle), 50 + far * sin(middle) + NUMBER_PT * 0.34
            numbers.append(f'<text x="{x:.2f}" y="{y:.2f}">{at + 1}</text>')
    style = f'font-family="Source Serif Pro" font-weight="700" font-size="{NUMBER_PT:g}" text-anchor="middle"'
    return (
        f'<svg viewBox="0 0 100 100" role="img" aria-label="A clock of {segments} segments">'
        f'<path d="{"".join(spokes)}" fill="none" stroke="#777" stroke-width="0.9"/>'
        f'<circle cx="50" cy="50" r="{RADIUS:g}" fill="none" stroke="#000" stroke-width="2.4"/>'
        f"<g {style}>{''.join(numbers)}</g></svg>"
    )
