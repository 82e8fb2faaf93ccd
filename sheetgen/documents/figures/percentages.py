"""Exact chances in little room: a figure in each cell with a bar beneath it; lengths in points."""

from __future__ import annotations

from collections.abc import Sequence

from sheetgen.documents.figures.svg import GREY, Drawn, words

# A cell as narrow as this has no room for a bar with its figure at the end.
NARROW = 62.0
_ROW, _LABEL, _LINE = 15.5, 8.0, 9.0
_WIDE = 4.1  # a letter of a heading
_TIGHT = 20.0  # in cells narrower than this figures are small


def matrix(
    rows: Sequence[tuple[str, Sequence[tuple[str, float]]]],
    columns: Sequence[str],
    *,
    corner: str,
    across: str,
    accent: str,
    width: float,
) -> Drawn:
    """Each row with its cells: what is said of a chance, and the chance, whose bar is as long as the cell at 100%."""
    longest = max([len(name) for name, _ in rows] + [len(corner)])
    size, label = 9.0, longest * 4.4 + 6
    if (width - label) / len(columns) < _TIGHT:
        size, label = 8.0, longest * 4.0 + 2
    cell = (width - label) / len(columns)
    heads = _heads(columns, cell)
    above = 11.0 if across else 0.0
    top = above + _LINE * max(map(len, heads)) + 4
    parts = [words(0, top - 4, corner, size=_LABEL, weight=600)]
    if across:
        parts.append(words(width, 8, across, size=_LABEL, anchor="end", weight=600))
    for at, lines in enumerate(heads):
        right = round(label + cell * (at + 1), 2)
        for up, line in enumerate(reversed(lines)):
            parts.append(words(right, top - 4 - _LINE * up, line, size=_LABEL, anchor="end", weight=600))
    for number, (name, cells) in enumerate(rows):
        y = top + _ROW * number
        parts.append(f'<path d="M0 {y:g}H{width:g}" stroke="{GREY}" stroke-width="0.35"/>')
        parts.append(words(0, y + 10.5, name, size=size))
        for at, (said, chance) in enumerate(cells):
            right, length = label + cell * (at + 1), max((cell - 6) * chance, 0.3)
            parts.append(words(round(right, 2), y + 9.5, said, size=size, anchor="end"))
            bar = f'x="{right - length:.2f}" y="{y + 11.5:g}" width="{length:.2f}" height="2.2"'
            parts.append(f'<rect {bar} fill="{accent}"/>')
    return width, top + _ROW * len(rows) + 1, "".join(parts)


def _heads(columns: Sequence[str], cell: float) -> list[list[str]]:
    """Headings in lines; where a word is wider than its cell, every other heading stands a line higher."""
    heads = [_lines(name, cell / _WIDE) for name in columns]
    if max(len(line) for lines in heads for line in lines) * _WIDE > cell:
        return [[*lines, ""] if at % 2 else lines for at, lines in enumerate(heads)]
    return heads


def _lines(text: str, letters: float) -> list[str]:
    """A heading in lines of so many letters, or of one word."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]
