"""Exact chances in large figures, for what is read at arm's length: a table, or bars; lengths in points."""

from __future__ import annotations

from collections.abc import Sequence

from sheetgen.documents.figures.charts import percent
from sheetgen.documents.figures.svg import GREY, Canvas, Drawn, Misfit, words

LEAST, LARGEST = 9.0, 15.0  # of the figures
HEAD = 9.0
_LINE = 10.0
_LOWEST, _HIGHEST = 2.9, 14.0  # what a row has beside its figures: their bar, and air
_GAP = 0.28  # between figures of neighbours, in their size


def large_odds(
    rows: Sequence[tuple[str, Sequence[float]]], columns: Sequence[str], canvas: Canvas, *, corner: str, across: str
) -> Drawn:
    """Return chances in the largest figures that fit, each with its bar; what is likelier than not is bold.

    Per cent is said once. Rows fill the height of the canvas, if they may. Misfit where figures would be smaller than
    9 pt, and for names that are wider than their room.
    """
    if all(len(chances) == 1 for _, chances in rows) and len(columns) <= 1:
        return _bars([(name, chances[0]) for name, chances in rows], canvas, corner, across or "".join(columns))
    said = [(name, [(percent(chance).removesuffix("%"), chance) for chance in chances]) for name, chances in rows]
    size, label, cell = _fitting(said, columns, canvas, corner)
    heads = _heads(columns, cell, canvas)
    over = canvas.lines(across, canvas.width, HEAD, weight=600) if across else []
    top = _LINE * (len(over) + max(map(len, heads), default=0)) + 4.0
    free = (canvas.tall - top - 1) / max(len(rows), 1) - size
    row = size + min(max(free, _LOWEST), _HIGHEST)
    while row * len(rows) + top + 1 > canvas.tall > 0 and size > LEAST:
        size, row = size - 0.25, row - 0.25
    thick = 2.4 if row - size > 4 else 1.7
    parts = [
        words(canvas.width, 8 + _LINE * at, line, size=HEAD, anchor="end", weight=600) for at, line in enumerate(over)
    ]
    parts.append(words(0, top - 4, corner, size=HEAD, weight=600))
    for at, lines in enumerate(heads):
        right = round(label + cell * (at + 1), 2)
        for up, line in enumerate(reversed(lines)):
            parts.append(words(right, top - 4 - _LINE * up, line, size=HEAD, anchor="end", weight=600))
    for number, (name, cells) in enumerate(said):
        y = top + row * number
        base = y + (row - thick) / 2 + 0.33 * size
        parts.append(f'<path d="M0 {y:.2f}H{canvas.width:g}" stroke="{GREY}" stroke-width="0.35"/>')
        parts.append(words(0, round(base, 2), name, size=min(size, 12), weight=600))
        for at, (figure, chance) in enumerate(cells):
            right, length = label + cell * (at + 1), max((cell - 5) * chance, 0.3)
            bold = 700 if chance >= 0.5 else 400
            parts.append(words(round(right, 2), round(base, 2), figure, size=size, anchor="end", weight=bold))
            bar = f'x="{right - length:.2f}" y="{y + row - thick - 0.5:.2f}" width="{length:.2f}" height="{thick:g}"'
            parts.append(f'<rect class="bar" {bar} fill="{canvas.accent}"/>')
    return Drawn(canvas.width, top + row * len(rows) + 1, "".join(parts))


def _bars(rows: Sequence[tuple[str, float]], canvas: Canvas, corner: str, across: str) -> Drawn:
    """Return a long bar for each chance with the figure at its end."""
    top, size = HEAD + 6.0, LARGEST
    row = min(max((canvas.tall - top - 1) / max(len(rows), 1), LEAST + 3), size + _HIGHEST)
    size = min(size, row - 3)
    label = max(
        canvas.widest((name for name, _ in rows), size, weight=600), canvas.text_width(corner, HEAD, weight=600)
    )
    label, figure = label + 6, canvas.text_width(">99%", size, weight=700) + 4
    parts = [words(0, top - 5, corner, size=HEAD, weight=600)]
    if across:
        canvas.check(across, canvas.width - label, HEAD, weight=600)
        parts.append(words(label, top - 5, across, size=HEAD, weight=600))
    for number, (name, chance) in enumerate(rows):
        y = top + row * number
        base, length = round(y + row / 2 + 0.35 * size, 2), max((canvas.width - label - figure) * chance, 0.3)
        parts.append(f'<path d="M0 {y:.2f}H{canvas.width:g}" stroke="{GREY}" stroke-width="0.35"/>')
        parts.append(words(0, base, name, size=size, weight=600))
        bar = f'x="{label:.2f}" y="{y + row / 2 - 0.3 * size:.2f}" width="{length:.2f}" height="{0.6 * size:.2f}"'
        parts.append(f'<rect class="bar" {bar} fill="{canvas.accent}"/>')
        bold = 700 if chance >= 0.5 else 400
        parts.append(words(round(label + length + 4, 2), base, percent(chance), size=size, weight=bold))
    return Drawn(canvas.width, top + row * len(rows) + 1, "".join(parts))


def _fitting(
    said: Sequence[tuple[str, Sequence[tuple[str, float]]]], columns: Sequence[str], canvas: Canvas, corner: str
) -> tuple[float, float, float]:
    """Return the size of the figures, the width of the names of rows, and that of a cell."""
    figures = [figure for _, cells in said for figure, _ in cells]
    count, size = max(len(columns), 1), LARGEST
    while True:
        names = canvas.widest((name for name, _ in said), min(size, 12), weight=600)
        label = max(names, canvas.text_width(corner, HEAD, weight=600) - (4 if count > 3 else 0)) + 3
        cell = (canvas.width - label) / count
        if canvas.widest(figures, size, weight=700) + _GAP * size <= cell:
            return size, label, cell
        if size <= LEAST:
            raise Misfit(f"{count} columns have no room for figures of {LEAST:g} pt")
        size -= 0.5


def _heads(columns: Sequence[str], cell: float, canvas: Canvas) -> list[list[str]]:
    """Return headings in lines; where a word is wider than its cell, every other heading stands a line higher."""
    for wide, staggered in ((cell - 3, False), (2 * cell - 4, True)):
        try:
            heads = [canvas.lines(name, wide, HEAD, weight=600) or [""] for name in columns]
            for name in columns:
                for word in name.split():
                    canvas.check(word, wide, HEAD, weight=600)
        except Misfit:
            if staggered:
                raise
            continue
        return [[*lines, ""] if staggered and at % 2 == 0 else lines for at, lines in enumerate(heads)]
    return []
