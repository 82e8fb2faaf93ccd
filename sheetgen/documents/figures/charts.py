"""Exact chances as charts: bars, percentages in little room, curves, one roll, large figures; lengths in points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from sheetgen.documents.figures.svg import GREY, Canvas, Drawn, Misfit, TextWidth, attribute, stacked, words
from sheetgen.errors import quoted
from sheetgen.model.wording import percent

Curve = tuple[str, Sequence[float]]  # its name, and the chance to reach each number from the first one on
Rows = Sequence[tuple[str, Sequence[float]]]

# A cell as narrow as this has no room for a bar with its figure at the end.
NARROW = 62.0
_TIGHT = 22.0  # in cells narrower than this figures are small
_ROW, _HEAD, _LINE = 15.5, 8.0, 9.0  # of a matrix: the height of a row, the size of headings, the step of their lines
TOP, HIGHEST, LEFT, FOOT = 26.0, 150.0, 26.0, 26.0  # of curves
_SHAPE = 0.7  # the height of narrow curves, in their widths
ODDS_ROW, ODDS_TOP, ODDS_LEFT, ODDS_BAR, MARGIN = 16, 34, 92, 260, 8
MOST_ROWS = 60
LEAST, LARGEST = 9.0, 15.0  # of the figures
HEAD = 9.0
_LARGE_LINE = 10.0
_LOWEST, _HIGHEST = 2.9, 14.0  # what a row has beside its figures: their bar, and air
_GAP = 0.28  # between figures of neighbours, in their size


class OddsTable(NamedTuple):
    """Chances in rows and columns: a title, the heads of the columns, the rows, and what rows and columns are."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, Sequence[float]], ...]
    corner: str
    across: str

    def signed(self, printed: OddsTable, sign: str) -> OddsTable:
        """Return the table with a sign behind the label of each row whose chances are other ones as printed."""
        rows = zip(self.rows, printed.rows, strict=True)
        return self._replace(
            rows=tuple((label if [*cells] == [*other] else label + sign, cells) for (label, cells), (_, other) in rows)
        )


class _Columns(NamedTuple):
    """Columns that have a head in common: from where to where they reach, and how many they are."""

    left: float
    right: float
    columns: int


def grid(
    rows: Sequence[tuple[str, Sequence[float]]], columns: Sequence[str], canvas: Canvas, *, corner: str, across: str
) -> Drawn:
    """Return chances as bars with their percentages at the end, or as a matrix where cells are narrow.

    `corner` names the rows, `across` the columns. Misfit for names that are wider than their room.
    """
    width = canvas.width
    names = max(canvas.widest((name for name, _ in rows), 8.5), canvas.text_width(corner, 8, weight=600))
    label = names + 8
    cell, row, top = (width - label) / max(len(columns), 1), 14.0, 26.0 if across else 16.0
    if cell < max(NARROW, canvas.widest(columns, 8, weight=600) + 4 if len(columns) > 1 else 0):
        said = [(name, [(percent(chance), chance) for chance in chances]) for name, chances in rows]
        return matrix(said, columns, canvas, corner=corner, across=across)
    parts = [words(0, top - 5, corner, size=8, weight=600)]
    if across:
        canvas.check(across, width - label, 8, weight=600)
        parts += _spanning([across], canvas, _Columns(label, width, len(columns)), size=8, anchor="start")
    for at, name in enumerate(columns):
        canvas.check(name, cell, 8, weight=600)
        parts.append(words(label + cell * at, top - 5, name, size=8, weight=600))
    for number, (name, chances) in enumerate(rows):
        y = top + row * number
        parts.append(f'<path d="M0 {y:g}H{width:g}" stroke="{GREY}" stroke-width="0.35"/>')
        parts.append(words(0, y + 10, name, size=8.5))
        for at, chance in enumerate(chances):
            x = label + cell * at
            length = max((cell - 34) * chance, 0.3) if chance else 0
            bar = f'x="{x:g}" y="{y + 4:g}" width="{length:.2f}" height="6"'
            parts.append(f'<rect class="bar" {bar} fill="{canvas.accent}"/>' if chance else "")
            parts.append(words(x + length + 3, y + 10, percent(chance), size=8))
    return Drawn(width, top + row * len(rows) + 1, "".join(parts))


def drawn_with_rows(draw: Callable[[Rows], Drawn], rows: Rows) -> Drawn:
    """Return what is drawn of the rows; Misfit names the longest one where all would fit but for the names of rows."""
    try:
        return draw(rows)
    except Misfit as error:
        try:
            draw(tuple(("", chances) for _, chances in rows))
        except Misfit:
            raise error from None
        longest = max((name for name, _ in rows), key=len)
        raise Misfit(f"the row {quoted(longest)} leaves the columns too little room") from None


def matrix(
    rows: Sequence[tuple[str, Sequence[tuple[str, float]]]],
    columns: Sequence[str],
    canvas: Canvas,
    *,
    corner: str,
    across: str,
) -> Drawn:
    """Return cells with what is said of a chance, and the chance as a bar: as long as the cell at 100 %."""
    width, names = canvas.width, [name for name, _ in rows]
    head = canvas.text_width(corner, _HEAD, weight=600)
    size, label, cell = 0.0, 0.0, 0.0
    for size, room in ((9.0, _TIGHT), (8.0, canvas.text_width(">99%", 8)), (7.0, 0.0)):
        label = max(canvas.widest(names, size), head) + size - 3
        cell = (width - label) / len(columns)
        if cell >= room:
            break
    heads = _heads(columns, cell, canvas)
    above = 11.0 if across else 0.0
    top = above + _LINE * max(map(len, heads)) + 4
    parts = [words(0, top - 4, corner, size=_HEAD, weight=600)]
    if across:
        canvas.check(across, width, _HEAD, weight=600)
        parts += _spanning([across], canvas, _Columns(label + 6, width, len(columns)), size=_HEAD)
    for at, lines in enumerate(heads):
        right = round(label + cell * (at + 1), 2)
        for up, line in enumerate(reversed(lines)):
            parts.append(words(right, top - 4 - _LINE * up, line, size=_HEAD, anchor="end", weight=600))
    for number, (name, cells) in enumerate(rows):
        y = top + _ROW * number
        parts.append(f'<path d="M0 {y:g}H{width:g}" stroke="{GREY}" stroke-width="0.35"/>')
        parts.append(words(0, y + 10.5, name, size=size))
        for at, (said, chance) in enumerate(cells):
            canvas.check(said, cell, size)
            right, length = label + cell * (at + 1), max((cell - 6) * chance, 0.3)
            parts.append(words(round(right, 2), y + 9.5, said, size=size, anchor="end"))
            bar = f'x="{right - length:.2f}" y="{y + 11.5:g}" width="{length:.2f}" height="2.2"'
            parts.append(f'<rect {bar} fill="{canvas.accent}"/>' if chance else "")
    return Drawn(width, top + _ROW * len(rows) + 1, "".join(parts))


def _spanning(lines: Sequence[str], canvas: Canvas, span: _Columns, *, size: float, anchor: str = "end") -> list[str]:
    """Return what stands over several columns: in their middle, above a thin rule as wide as they are.

    Over a single column, or where it is wider than all of them, it begins or ends where they do.
    """
    step, x, rule = size + 1, span.left if anchor == "start" else span.right, ""
    if span.columns > 1 and canvas.widest(lines, size, weight=600) <= span.right - span.left:
        x, anchor, y = (span.left + span.right) / 2, "middle", step * len(lines) + 2
        rule = f'<path d="M{span.left:.2f} {y:g}H{span.right:g}" stroke="#000" stroke-width="0.35"/>'
    said = enumerate(lines)
    return [*(words(round(x, 2), 8 + step * at, line, size=size, anchor=anchor, weight=600) for at, line in said), rule]


def _heads(columns: Sequence[str], cell: float, canvas: Canvas) -> list[list[str]]:
    """Return headings in lines; where a word is wider than its cell, every other heading stands a line higher."""
    gap = canvas.text_width(" ", _HEAD)
    try:
        return [canvas.lines(name, cell - gap, _HEAD, weight=600) or [""] for name in columns]
    except Misfit:
        heads = [canvas.lines(name, 2 * cell - gap, _HEAD, weight=600) or [""] for name in columns]
        return [[*lines, ""] if at % 2 else lines for at, lines in enumerate(heads)]


def curves(
    lines: Sequence[Curve], stretches: Sequence[tuple[int, str]], canvas: Canvas, *, first: int, across: str
) -> Drawn:
    """Return curves from number `first` on; each stretch begins at its number, and its name stands above it."""
    width, count = canvas.width, max(len(chances) for _, chances in lines)
    height = min(HIGHEST, _SHAPE * width)
    step = (width - LEFT) / (count - 1)
    ends = [LEFT + step * (number - first) for number, _ in stretches[1:]] + [width]
    names = [
        canvas.lines(name, end - LEFT - step * (number - first) - 4, 7, weight=600)
        for (number, name), end in zip(stretches, ends, strict=True)
    ]
    top = max(TOP, 8.0 * max(map(len, names), default=0) + 6)
    bottom, parts = top + height, list[str]()
    for part in range(5):
        y = bottom - height * part / 4
        parts.append(f'<path d="M{LEFT:g} {y:g}H{width:g}" stroke="{GREY}" stroke-width="0.35"/>')
        parts.append(words(LEFT - 4, y + 2.6, f"{25 * part}%", size=7.5, anchor="end"))
    for (number, _), said in zip(stretches, names, strict=True):
        x = LEFT + step * (number - first)
        parts.append(f'<path d="M{x:g} {top - 20:g}V{bottom + 3:g}" stroke="#000" stroke-width="0.5"/>')
        parts.append(words(x, bottom + 11, str(number), size=8, anchor="middle", weight=600))
        parts += stacked(x + 3, top + 2 - 8 * len(said), said, step=8, size=7, weight=600)
    canvas.check(across, width, 7.5)
    parts.append(words(width, bottom + 22, across, size=7.5, anchor="end"))
    for _, chances in lines:
        points = " ".join(f"{LEFT + step * n:.2f},{bottom - height * chance:.2f}" for n, chance in enumerate(chances))
        line = f'fill="none" stroke="{canvas.accent}" stroke-width="1.3" stroke-linejoin="round"'
        parts.append(f'<polyline points="{points}" {line}/>')
    named = list[tuple[float, float, float]]()  # where the names stand: left, right, y
    for name, chances in lines:
        wide = canvas.text_width(name, 9, weight=600) + 6
        canvas.check(name, width - LEFT - 6, 9, weight=600)
        x = min(max(LEFT + step * _middle(chances), LEFT + wide / 2), width - wide / 2)
        y = bottom - height / 2
        while any(y == other and x - wide / 2 < right and left < x + wide / 2 for left, right, other in named):
            y += 12
        named.append((x - wide / 2, x + wide / 2, y))
        parts.append(f'<rect x="{x - wide / 2:.2f}" y="{y - 6:g}" width="{wide:g}" height="12" fill="#fff"/>')
        parts.append(words(round(x, 2), y + 3.2, name, size=9, anchor="middle", weight=600))
    return Drawn(width, bottom + FOOT, "".join(parts))


def _middle(chances: Sequence[float]) -> float:
    """Return where a falling curve passes one half, between two numbers."""
    for n, (here, after) in enumerate(pairwise(chances)):
        if here >= 0.5 > after:
            return n + (here - 0.5) / (here - after)
    return 0.0


def odds_chart(title: str, of: str, rows: Sequence[tuple[str, float]], accent: str, text_width: TextWidth) -> str:
    """Return an SVG file of rows (name, chance from 0 to 1): a bar for each; of more than 60 rows the likeliest."""
    if len(rows) > MOST_ROWS:
        least = sorted((chance for _, chance in rows), reverse=True)[MOST_ROWS - 1]
        rows = [row for row in rows if row[1] >= least][:MOST_ROWS]
    canvas = Canvas(0, accent, text_width)
    longest = max((chance for _, chance in rows), default=1.0) or 1.0
    left = max(float(ODDS_LEFT), canvas.widest((name for name, _ in rows), 9) + 6 + MARGIN)
    heads = MARGIN + max(text_width(title, 11, weight=600, serif=True), text_width(of, 8))
    width, height = max(left + ODDS_BAR + 60, heads + MARGIN), ODDS_TOP + ODDS_ROW * len(rows) + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" width="{width:g}pt" '
        f'height="{height}pt" role="img" aria-label={attribute(title)}>',
        f'<text x="{MARGIN}" y="15" font-family="\'Source Serif Pro\', serif" font-size="11" font-weight="600">'
        f"{escape(title, quote=False)}</text>",
        _label(MARGIN, 27, of or "every result", size=8, anchor="start"),
    ]
    for number, (name, chance) in enumerate(rows):
        y = ODDS_TOP + ODDS_ROW * number
        length = ODDS_BAR * chance / longest
        bar = f'x="{left:g}" y="{y + 3}" width="{length:.2f}" height="{ODDS_ROW - 6}"'
        parts.append(
            _label(left - 6, y + 11, name, anchor="end")
            + f"<rect {bar} fill={attribute(accent)}/>"
            + _label(left + length + 4, y + 11, f"{chance:.1%}", anchor="start")
        )
    return "\n".join([*parts, "</svg>", ""])


def _label(x: float, y: float, text: str, *, anchor: str, size: int = 9) -> str:
    place = f'x="{x:.2f}" y="{y}" text-anchor="{anchor}"'
    family = "'Source Sans Pro', sans-serif"
    return f'<text {place} font-family="{family}" font-size="{size}">{escape(text, quote=False)}</text>'


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
    heads = _large_heads(columns, cell, canvas)
    over = canvas.lines(across, canvas.width, HEAD, weight=600) if across else []
    top = _LARGE_LINE * (len(over) + max(map(len, heads), default=0)) + 4.0
    free = (canvas.tall - top - 1) / max(len(rows), 1) - size
    row = size + min(max(free, _LOWEST), _HIGHEST)
    while row * len(rows) + top + 1 > canvas.tall > 0 and size > LEAST:
        size, row = size - 0.25, row - 0.25
    thick = 2.4 if row - size > 4 else 1.7
    parts = _spanning(over, canvas, _Columns(label + 5, canvas.width, len(columns)), size=HEAD) if over else []
    parts.append(words(0, top - 4, corner, size=HEAD, weight=600))
    for at, lines in enumerate(heads):
        right = round(label + cell * (at + 1), 2)
        for up, line in enumerate(reversed(lines)):
            parts.append(words(right, top - 4 - _LARGE_LINE * up, line, size=HEAD, anchor="end", weight=600))
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


def _large_heads(columns: Sequence[str], cell: float, canvas: Canvas) -> list[list[str]]:
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
