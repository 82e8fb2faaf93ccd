"""A figure for two dice: every pair of faces in a square, marked by how it reads, and what each mark means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sheetgen.documents.figures.icons import die_face
from sheetgen.documents.figures.svg import GREY, Drawn, words

CELL, HEAD = 22.0, 26.0


@dataclass(frozen=True, slots=True)
class Reading:
    """How pairs of faces read: six doubles in order, then two odd, two even and mixed faces that differ."""

    doubles: Sequence[str]
    odd: str
    even: str
    mixed: str

    def of(self, first: int, second: int) -> str:
        """The reading of two faces."""
        if first == second:
            return self.doubles[first - 1]
        if (first - second) % 2:
            return self.mixed
        return self.odd if first % 2 else self.even


def pairs(reading: Reading, legend: Mapping[str, tuple[str, str]], *, accent: str) -> Drawn:
    """The square of pairs; `legend` gives a reading its mark (`+`, `++`, `-`, `--`, `up`, `down`, `dot`) and name."""
    faces, parts = range(1, len(reading.doubles) + 1), []
    counts: Counter[str] = Counter()
    side = HEAD + CELL * len(faces)
    for face in faces:
        at = HEAD + CELL * (face - 1)
        parts += [_die(at + 3, 3, face), _die(3, at + 3, face)]
        for other in faces:
            read = reading.of(face, other)
            counts[read] += 1
            parts.append(_mark(at, HEAD + CELL * (other - 1), legend[read][0], accent))
    reach = f"{side - HEAD:g}"
    ends = [f"{HEAD + CELL * number:g}" for number in range(len(faces) + 1)]
    lines = "".join(f"M{HEAD:g} {end}h{reach}M{end} {HEAD:g}v{reach}" for end in ends)
    parts.append(f'<path d="{lines}" fill="none" stroke="{GREY}" stroke-width="0.35"/>')
    step = (side - 8) / len(legend)
    for number, (name, (mark, title)) in enumerate(legend.items()):
        y = 4 + step * number
        parts.append(_mark(side + 14, y + (step - CELL) / 2, mark, accent))
        parts.append(words(side + 42, y + step / 2 - 1, title, size=8.5, weight=600))
        parts.append(words(side + 42, y + step / 2 + 8.5, f"{counts[name]} of {sum(counts.values())}", size=7.5))
    return side + 180, side + 6, "".join(parts)


def _die(x: float, y: float, face: int) -> str:
    return f'<g transform="translate({x:g} {y:g}) scale(1.6)">{die_face(face)}</g>'


def _mark(x: float, y: float, mark: str, accent: str) -> str:
    """What stands in a cell of the square: a sign, or a triangle up or down for what turns a scene."""
    middle, low = x + CELL / 2, y + CELL / 2
    if mark in ("up", "down"):
        tip = -6 if mark == "up" else 6
        path = f"M{middle:g} {low + tip:g}l6.5 {-1.8 * tip:g}h-13Z"
        fill = accent if mark == "up" else "#fff"
        return f'<path d="{path}" fill="{fill}" stroke="{accent}" stroke-width="1.2" stroke-linejoin="round"/>'
    if mark == "dot":
        return f'<circle cx="{middle:g}" cy="{low:g}" r="0.8" fill="{GREY}"/>'
    return words(middle, low + 4, mark.replace("-", "−"), size=11, anchor="middle", weight=700)
