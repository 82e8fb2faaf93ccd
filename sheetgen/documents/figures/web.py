"""A web of people drawn as SVG: everybody on a circle, a line for each tie, what it is beside its middle."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from sheetgen.documents.figures.svg import GREY, words

NAME, TIE, SPOT = 9.6, 8.0, 3.2  # pt
SHARES = (0.38, 0.3, 0.46, 0.54, 0.24, 0.62, 0.7)
MARGIN = 96.0  # pt, for names beside the circle


def web_figure(names: Sequence[str], ties: Sequence[tuple[int, int, str]], width: float) -> str:
    """Return the SVG of a web, so many points wide; ties name people by their place, from 0."""
    count, order = max(len(names), 1), _in_order(len(names), ties)
    radius = (width - 2 * MARGIN) / 2
    height = 2 * radius + 44
    middle = width / 2, height / 2
    turns = {who: 2 * pi * at / count - pi / 2 for at, who in enumerate(order)}
    places = [(middle[0] + radius * cos(turns[at]), middle[1] + radius * sin(turns[at])) for at in range(len(names))]
    parts = [_line_path(places[one], places[other]) for one, other, _ in ties if one != other]
    taken = list[tuple[float, float, float]]()
    parts += [_label(places[one], places[other], said, taken) for one, other, said in ties if one != other and said]
    for (x, y), name in zip(places, names, strict=True):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{SPOT}" fill="#000"/>')
        parts.append(_name(x, y, name, middle))
    about = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}pt" height="{height:.0f}pt"'
    return f'<svg {about} role="img" aria-label="Who knows whom">{"".join(parts)}</svg>'


def _name(x: float, y: float, name: str, middle: tuple[float, float]) -> str:
    """Return a name outside of the circle, in two lines where it is long."""
    side = x - middle[0]
    anchor = "middle" if abs(side) < 1 else "start" if side > 0 else "end"
    away = 7 if side > 0 else -7
    if anchor == "middle":
        return words(x, y - 8 if y < middle[1] else y + 15, name, size=NAME, anchor=anchor, weight=700, serif=True)
    head, space, tail = name.rpartition(" ") if len(name) > 18 else (name, "", "")
    lines = [head, tail] if space else [name]
    first = y + 3.4 - 5.5 * (len(lines) - 1)
    return "".join(
        words(x + away, first + 11 * at, line, size=NAME, anchor=anchor, weight=700, serif=True)
        for at, line in enumerate(lines)
    )


def _in_order(count: int, ties: Sequence[tuple[int, int, str]]) -> list[int]:
    """Return everybody, those who know each other near each other: from the best known along their ties."""
    knows: dict[int, list[int]] = {at: [] for at in range(count)}
    for one, other, _ in ties:
        knows[one].append(other)
        knows[other].append(one)
    order = list[int]()
    for start in sorted(knows, key=lambda at: -len(knows[at])):
        waiting = [start]
        while waiting:
            at = waiting.pop()
            if at not in order:
                order.append(at)
                waiting += sorted(knows[at], key=lambda each: len(knows[each]))
    return order


def _line_path(one: tuple[float, float], other: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = one, other
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{GREY}" stroke-width="0.9" fill="none"/>'


def _label(
    one: tuple[float, float], other: tuple[float, float], said: str, taken: list[tuple[float, float, float]]
) -> str:
    """Return what a tie is, on its line, nearer to whom it is told of and clear of other labels where it can be."""
    (x1, y1), (x2, y2) = one, other
    wide = len(said) * TIE * 0.5 + 3

    def free(share: float) -> bool:
        x, y = x1 + (x2 - x1) * share, y1 + (y2 - y1) * share
        return all(abs(x - left) > (wide + other_wide) / 2 or abs(y - top) > 10 for left, top, other_wide in taken)

    share = next((share for share in SHARES if free(share)), SHARES[0])
    x, y = x1 + (x2 - x1) * share, y1 + (y2 - y1) * share
    taken.append((x, y, wide))
    back = f'<rect x="{x - wide / 2:.1f}" y="{y - 6:.1f}" width="{wide:.1f}" height="9.5" fill="#fff"/>'
    return back + words(x, y + 1.4, said, size=TIE, anchor="middle")
