"""Two figures for games of dice in pools: a ladder with its dice on every rung, and what each face of a die does."""

from __future__ import annotations

from collections.abc import Sequence

from sheetgen.documents.figures.icons import die_face
from sheetgen.documents.figures.svg import Drawn, words

STEP, SIZE, NAMES, GAP = 22.0, 14.0, 96.0, 4.0
CAPTION = 9.0


def rungs(levels: Sequence[tuple[str, int]], here: str, *, accent: str, width: float) -> Drawn:
    """Levels from the highest down, each with as many dice as it rolls; the rung named `here` has a ring around it."""
    most = max(dice for _, dice in levels)
    right = NAMES + most * (SIZE + GAP) + 14
    parts = []
    for number, (name, dice) in enumerate(levels):
        y = STEP * number + 2
        stands = name == here
        parts.append(words(NAMES - 10, y + 12, name, size=9, anchor="end", weight=600 if stands else 400))
        parts += [_die(NAMES + 4 + (SIZE + GAP) * at, y, 3 + (at + dice) % 4) for at in range(dice)]
        parts.append(words(right + 12, y + 12, str(dice), size=11, serif=True, weight=700, fill=accent))
        if stands:
            box = f'x="{NAMES - 1:g}" y="{y - 3:g}" width="{right - NAMES + 2:g}" height="{SIZE + 6:g}" rx="4"'
            parts.append(f'<rect {box} fill="none" stroke="{accent}" stroke-width="1.6"/>')
    height = STEP * len(levels)
    lines = "".join(f"M{NAMES:g} {STEP * number:g}H{right:g}" for number in range(1, len(levels)))
    rails = f"M{NAMES:g} 0V{height:g}M{right:g} 0V{height:g}"
    ladder = f'<path d="{rails}{lines}" fill="none" stroke="{accent}" stroke-width="0.5"/>'
    return width, height + 1, ladder + "".join(parts)


def faces(read: Sequence[tuple[Sequence[int], str]], *, width: float) -> Drawn:
    """The faces of a die in groups side by side, each with what it does below."""
    size, gap, parts = 20.0, 5.0, []
    cell = width / len(read)
    deepest = 0
    for number, (group, what) in enumerate(read):
        x = cell * number
        parts += [
            f'<g transform="translate({x + (size + gap) * at:g} 0) scale({size / 10:g})">{die_face(face)}</g>'
            for at, face in enumerate(group)
        ]
        lines = what.split("; ")
        deepest = max(deepest, len(lines))
        parts += [words(x, size + 12 + CAPTION * 1.2 * at, line, size=CAPTION) for at, line in enumerate(lines)]
    return width, size + 4 + CAPTION * 1.2 * deepest, "".join(parts)


def _die(x: float, y: float, face: int) -> str:
    return f'<g transform="translate({x:g} {y:g}) scale({SIZE / 10:g})">{die_face(face)}</g>'
