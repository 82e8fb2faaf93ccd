"""Figures of a rulebook, drawn from data as SVG: lengths in points, in the line weights of the sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from xml.sax.saxutils import quoteattr

from sheetgen.documents.figures.icons import die_face, laid
from sheetgen.documents.figures.ladders import faces, rungs
from sheetgen.documents.figures.percentages import NARROW, matrix
from sheetgen.documents.figures.svg import GREY, Drawn, words
from sheetgen.documents.figures.two_dice import Reading, pairs


def svg(drawn: Drawn, title: str) -> str:
    """A drawing as an SVG element that says what it shows."""
    width, height, inside = drawn
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}pt" height="{height:g}pt"'
    return f'<svg class="figure" {size} role="img" aria-label={quoteattr(title)}>{inside}</svg>'


def box(x: float, y: float, width: float, height: float, *, grey: bool = False, dashed: bool = False) -> str:
    """A frame with round corners: black around what is read, grey around what is written by hand."""
    line = f'stroke="{GREY}" stroke-width="0.5"' if grey else 'stroke="#000" stroke-width="0.75"'
    more = ' stroke-dasharray="2 2"' if dashed else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" fill="none" {line}{more}/>'


def grid(
    rows: Sequence[tuple[str, Sequence[float]]],
    columns: Sequence[str],
    *,
    corner: str,
    across: str,
    accent: str,
    width: float,
) -> Drawn:
    """Chances as bars with their percentages at the end, in narrow cells beneath them.

    `corner` names the rows, `across` the columns.
    """
    label = max([len(name) for name, _ in rows] + [len(corner)]) * 4.4 + 8
    cell, row, top = (width - label) / max(len(columns), 1), 14.0, 26.0 if across else 16.0
    if cell < NARROW:
        said = [(name, [(percent(chance), chance) for chance in chances]) for name, chances in rows]
        return matrix(said, columns, corner=corner, across=across, accent=accent, width=width)
    parts = [words(0, top - 5, corner, size=7, weight=600)]
    if across:
        parts.append(words(label, 8, across, size=7, weight=600))
    for at, name in enumerate(columns):
        parts.append(words(label + cell * at, top - 5, name, size=8, weight=600))
    for number, (name, chances) in enumerate(rows):
        y = top + row * number
        parts.append(f'<path d="M0 {y:g}H{width:g}" stroke="{GREY}" stroke-width="0.35"/>')
        parts.append(words(0, y + 10, name, size=8.5))
        for at, chance in enumerate(chances):
            x = label + cell * at
            length = max((cell - 34) * chance, 0.3)
            parts.append(f'<rect class="bar" x="{x:g}" y="{y + 4:g}" width="{length:.2f}" height="6" fill="{accent}"/>')
            parts.append(words(x + length + 3, y + 10, percent(chance), size=8))
    return width, top + row * len(rows) + 1, "".join(parts)


def percent(chance: float) -> str:
    """A chance as a percentage that never rounds to certainty."""
    if 0 < chance < 0.005:
        return "<1%"
    if 0.995 <= chance < 1:
        return ">99%"
    return f"{100 * chance:.0f}%"


def flow(steps: Sequence[tuple[str, str]], ends: Sequence[tuple[str, str]] = (), *, accent: str, width: float) -> Drawn:
    """Steps one below another, each a numbered name with what happens in it; `ends` stand side by side below them."""
    parts, y = [], 0.0
    for number, (name, what) in enumerate(steps, 1):
        lines = broken(what, (width - 150) / 4.1)
        height = max(20.0, 11 * len(lines) + 8)
        parts.append(box(0.5, y + 0.5, width - 1, height))
        parts.append(words(8, y + 14, str(number), size=11, weight=700, serif=True, fill=accent))
        parts.append(words(22, y + 13.5, name, size=9, weight=600))
        for at, line in enumerate(lines):
            parts.append(words(146, y + 13.5 + 11 * at, line, size=8.5))
        y += height
        if number < len(steps):
            parts.append(_arrow(14, y + 1))
            y += 10
    return width, y + (_ends(ends, y, parts, width) if ends else 1.5), "".join(parts)


def _ends(ends: Sequence[tuple[str, str]], y: float, parts: list[str], width: float) -> float:
    """Draws the ends of a flow below y, an arrow to each; the height that they take."""
    cell = (width + 6) / len(ends)
    told = [broken(what, (cell - 20) / 4.1) for _, what in ends]
    height = 11.0 * max(len(lines) for lines in told) + 20
    for number, ((name, _), lines) in enumerate(zip(ends, told, strict=True)):
        x = cell * number
        parts.append(_arrow(x + 14, y + 1) + box(x + 0.5, y + 10.5, cell - 7, height))
        parts.append(words(x + 8, y + 24, name, size=9, weight=600))
        parts += [words(x + 8, y + 36 + 11 * at, line, size=8.5) for at, line in enumerate(lines)]
    return height + 12


def _arrow(x: float, y: float) -> str:
    return f'<path d="M{x:g} {y:g}v8m-2.5 -3l2.5 3l2.5 -3" fill="none" stroke="#000" stroke-width="0.75"/>'


def broken(text: str, letters: float) -> list[str]:
    """The text in lines of so many letters at the most."""
    lines, line = list[str](), ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > letters:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line] if line else lines


def ladder(rungs: Sequence[tuple[str, str]], *, accent: str, width: float) -> Drawn:
    """Bands side by side, from the least to the most: a name above, a figure below."""
    step = width / len(rungs)
    parts = [f'<path d="M0 20H{width:g}" stroke="#000" stroke-width="1.4"/>']
    for number, (name, figure) in enumerate(rungs):
        x = step * number
        parts.append(f'<path d="M{x + 0.4:g} 15v10" stroke="{accent}" stroke-width="0.75"/>')
        parts.append(words(x + 4, 12, name, size=8.5, weight=600))
        parts.append(words(x + 4, 33, figure, size=10, serif=True, weight=700))
    parts.append(f'<path d="M{width - 0.4:g} 15v10" stroke="{accent}" stroke-width="0.75"/>')
    return width, 38, "".join(parts)


def dice(faces: Sequence[int], *, size: float = 22) -> Drawn:
    """Dice in a row."""
    parts = [
        f'<g transform="translate({number * (size + 5):g} 0) scale({size / 10:g})">{die_face(face)}</g>'
        for number, face in enumerate(faces)
    ]
    return len(faces) * (size + 5) - 5, size, "".join(parts)


def scale(
    rungs: Sequence[tuple[str, str]], faces: int, falls: Sequence[tuple[str, str]], *, accent: str, width: float
) -> Drawn:
    """Numbers from the highest down, how each face of a die reads against them, and arrows for what lowers them."""
    row, top, cell, first = 21.0, 16.0, 12.0, 18.0
    text, fall = first + cell * faces + 8, 23.0
    arrows = width - fall * len(falls) + 10
    parts = [words(first + cell * face + 5, 9, str(face + 1), size=7, anchor="middle") for face in range(faces)]
    parts.append(words(0, 9, "CN", size=7, weight=600))
    for number, (name, what) in enumerate(rungs):
        y = top + row * number
        parts.append(f'<path d="M0 {y:g}H{width:g}" stroke="{GREY}" stroke-width="0.35"/>')
        parts.append(words(4, y + 15, name, size=13, serif=True, weight=700, fill=accent))
        for face in range(1, faces + 1 if int(name) > 0 else 0):
            parts.append(_read(first + cell * (face - 1), y + 5.5, face - int(name)))
        lines = broken(what, (arrows - text - 12) / 3.9)
        for at, line in enumerate(lines):
            parts.append(words(text, y + 13.5 - 4.5 * (len(lines) - 1) + 9 * at, line, size=8))
    for number, (name, by) in enumerate(falls):
        x, end = arrows + fall * number, top + row * int(by) + 7
        parts.append(words(x, 9, name, size=8.5, anchor="middle", weight=600))
        line = f"M{x:g} {top + row / 2:g}V{end:g}m-3 -5l3 5l3 -5"
        parts.append(f'<path d="{line}" fill="none" stroke="{accent}" stroke-width="1"/>')
        parts.append(words(x, end + 9.5, f"−{by}", size=8.5, anchor="middle", serif=True, weight=700))
    y = top + row * len(rungs)
    for x, sign, said in ((first, 1, "overcome"), (first + 68, 0, "overcome at a cost"), (first + 168, -1, "failed")):
        parts.append(_read(x, y + 6, sign) + words(x + 14, y + 14, said, size=8))
    return width, y + 18, "".join(parts)


def _read(x: float, y: float, over: int) -> str:
    """A square for a die over a number (filled), level with it (half filled) or under it (empty)."""
    shape = f'<rect x="{x:g}" y="{y:g}" width="10" height="10" rx="1.6" fill="{"#000" if over > 0 else "#fff"}"'
    half = f'<path d="M{x + 0.5:g} {y + 9.5:g}h9v-9Z"/>' if over == 0 else ""
    return f'{shape} stroke="#000" stroke-width="0.6"/>{half}'


def triads(groups: Sequence[tuple[str, Sequence[str]]], states: Sequence[str], *, accent: str, width: float) -> Drawn:
    """Groups of three traits, each in a box, with what it means when none, one, two, three of them are at zero."""
    parts, y, cell = [], 0.0, (width - 100) / 3
    for name, members in groups:
        parts.append(words(0, y + 16, name, size=9, weight=600))
        for number, member in enumerate(members):
            x = 100 + cell * number
            parts.append(box(x + 0.5, y + 0.5, cell - 6, 24))
            parts.append(words(x + 7, y + 16, member[:1], size=13, serif=True, weight=700, fill=accent))
            parts.append(words(x + 22, y + 15.5, member, size=8.5))
        y += 32
    for number, state in enumerate(states):
        x = width / len(states) * number
        parts.append(words(x, y + 8, f"{number} at zero", size=7, weight=600))
        parts.append(words(x, y + 18, state, size=8.5))
    return width, y + 22, "".join(parts)


def track(boxes: int, labels: Sequence[str], *, accent: str) -> Drawn:
    """A row of boxes to tick, the last ones named below."""
    size, parts = 18.0, []
    for number in range(boxes):
        x = number * (size + 4) + 0.5
        parts.append(box(x, 0.5, size, size, grey=True))
    for number, label in enumerate(labels):
        last = number == len(labels) - 1  # a long word under the last box ends with it
        x = (boxes - len(labels) + number) * (size + 4) + (size if last else size / 2)
        parts.append(words(x, size + 10, label, size=7, anchor="end" if last else "middle", weight=600, fill=accent))
    return boxes * (size + 4) - 3, size + (14 if labels else 2), "".join(parts)


def drawn(kind: str, params: Mapping[str, Any], *, accent: str, width: float) -> Drawn:
    """The figure of a kind with its data; ValueError names what is missing or wrong."""
    try:
        return KINDS[kind](params, accent, width)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise ValueError(f"figure {kind}: {SHAPES[kind]} ({error})") from None


def _pairs(data: object) -> list[tuple[str, str]]:
    if not isinstance(data, Mapping):
        raise TypeError("names with their text are wanted")
    return [(str(name), str(value)) for name, value in data.items()]


KINDS: Mapping[str, Callable[[Mapping[str, Any], str, float], Drawn]] = MappingProxyType(
    {
        "flow": lambda p, accent, width: flow(
            _pairs(p["steps"]), _pairs(p.get("ends", {})), accent=accent, width=width
        ),
        "ladder": lambda p, accent, width: ladder(_pairs(p["rungs"]), accent=accent, width=width),
        "dice": lambda p, accent, width: dice([int(str(face)) for face in p["faces"]]),
        "cards": lambda p, accent, width: laid([str(card) for card in p["hand"]]),
        "triads": lambda p, accent, width: triads(
            [(str(name), [str(each) for each in members]) for name, members in p["groups"].items()],
            [str(state) for state in p["states"]],
            accent=accent,
            width=width,
        ),
        "scale": lambda p, accent, width: scale(
            _pairs(p["rungs"]), int(str(p["faces"])), _pairs(p["falls"]), accent=accent, width=width
        ),
        "pairs": lambda p, accent, width: pairs(
            Reading([str(each) for each in p["doubles"]], str(p["odd"]), str(p["even"]), str(p["mixed"])),
            {str(name): (str(mark), str(title)) for name, (mark, title) in p["legend"].items()},
            accent=accent,
        ),
        "rungs": lambda p, accent, width: rungs(
            [(name, int(dice)) for name, dice in _pairs(p["levels"])],
            str(p.get("here", "")),
            accent=accent,
            width=width,
        ),
        "faces": lambda p, accent, width: faces(
            [([int(each) for each in group.split()], what) for group, what in _pairs(p["read"])], width=width
        ),
        "track": lambda p, accent, width: track(
            int(str(p["boxes"])),
            [str(label) for label in p.get("labels", ())],
            accent=accent,
        ),
    }
)
SHAPES = MappingProxyType(
    {
        "flow": "needs steps: {Name: what happens}, and may have ends, of the same shape",
        "ladder": "needs rungs: {Name: figure}",
        "dice": "needs faces: [1, 6]",
        "cards": "needs hand: [KS up, 7C down, gone]",
        "triads": "needs groups: {Name: [three traits]} and states: [none at zero, one, two, three]",
        "scale": "needs rungs: {7: what it means}, faces: a number, falls: {ace: 5}",
        "pairs": "needs doubles: [six readings], odd, even, mixed, and legend: {reading: [mark, Name]}",
        "rungs": "needs levels: {Name: dice}, the highest first, and may have here: one of the names",
        "faces": "needs read: {1: what it does, 4 5: what they do}; a semicolon breaks the line",
        "track": "needs boxes: a number, and may have labels",
    }
)
