"""Exact chances as curves over the number to reach, one for each row, with named stretches above; lengths in points."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sheetgen.documents.figures.svg import GREY, Drawn, words

TOP, HIGHEST, LEFT, FOOT = 26.0, 150.0, 26.0, 26.0
_SHAPE = 0.7  # the height of a narrow chart, in its widths

Curve = tuple[str, Sequence[float]]  # its name, and the chance to reach each number from the first one on


def curves(
    lines: Sequence[Curve], stretches: Sequence[tuple[int, str]], *, first: int, across: str, accent: str, width: float
) -> Drawn:
    """The curves from number `first` on; each stretch begins at its number, and its name stands above it."""
    count = max(len(chances) for _, chances in lines)
    height = min(HIGHEST, _SHAPE * width)
    step, bottom = (width - LEFT) / (count - 1), TOP + height
    parts = []
    for part in range(5):
        y = bottom - height * part / 4
        parts.append(f'<path d="M{LEFT:g} {y:g}H{width:g}" stroke="{GREY}" stroke-width="0.35"/>')
        parts.append(words(LEFT - 4, y + 2.6, f"{25 * part}%", size=7.5, anchor="end"))
    for number, name in stretches:
        x = LEFT + step * (number - first)
        parts.append(f'<path d="M{x:g} {TOP - 20:g}V{bottom + 3:g}" stroke="#000" stroke-width="0.5"/>')
        parts.append(words(x, bottom + 11, str(number), size=8, anchor="middle", weight=600))
        for row, word in enumerate(reversed(_halves(name))):
            parts.append(words(x + 3, TOP - 6 - 8 * row, word, size=7, weight=600))
    parts.append(words(width, bottom + 22, across, size=7.5, anchor="end"))
    for _, chances in lines:
        points = " ".join(f"{LEFT + step * n:.2f},{bottom - height * chance:.2f}" for n, chance in enumerate(chances))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{accent}" stroke-width="1.3" stroke-linejoin="round"/>'
        )
    for name, chances in lines:
        x = LEFT + step * _middle(chances)
        wide = 5.2 * len(name) + 4
        y = bottom - height / 2
        parts.append(f'<rect x="{x - wide / 2:.2f}" y="{y - 6:g}" width="{wide:g}" height="12" fill="#fff"/>')
        parts.append(words(round(x, 2), y + 3.2, name, size=9, anchor="middle", weight=600))
    return width, bottom + FOOT, "".join(parts)


def _halves(name: str) -> list[str]:
    head, _, tail = name.partition(" ")
    return [head, tail] if tail else [head]


def _middle(chances: Sequence[float]) -> float:
    """Where a falling curve passes one half, between two numbers."""
    for n, (here, after) in enumerate(pairwise(chances)):
        if here >= 0.5 > after:
            return n + (here - 0.5) / (here - after)
    return 0.0
