"""The kinds of figures that a rule may show, each drawn from its data; lengths in points.

A kind is one entry here: a function with its name and what it needs. No kind knows a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

from sheetgen.documents.figures.icons import die_face, hand_layout
from sheetgen.documents.figures.maps import draw_map
from sheetgen.documents.figures.svg import GREY, Canvas, Drawn, Misfit, Misplaced, box, stacked, words
from sheetgen.errors import quoted, suggestion

Params = Mapping[str, Any]
CELL, HEAD = 22.0, 26.0  # of the square of two dice
RUNG, DIE, NAMES, GAP = 22.0, 14.0, 96.0, 4.0  # of a ladder with dice


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of figure is drawn, and what its data must hold."""

    draw: Callable[[Params, Canvas], Drawn]
    needs: str


KINDS: dict[str, Kind] = {}


def kind(name: str, needs: str) -> Callable[[Callable[[Params, Canvas], Drawn]], Callable[[Params, Canvas], Drawn]]:
    """Return what enters a function among the kinds."""

    def enter(draw: Callable[[Params, Canvas], Drawn]) -> Callable[[Params, Canvas], Drawn]:
        KINDS[name] = Kind(draw, needs)
        return draw

    return enter


def draw_figure(name: str, params: Params, canvas: Canvas) -> Drawn:
    """Return the figure of a kind; ValueError for an unknown kind, for wrong data, and for words that do not fit."""
    if name not in KINDS:
        known = suggestion(name, KINDS) or f" (write one of: {', '.join(KINDS)})"
        raise ValueError(f"unknown kind of figure {quoted(name)}{known}")
    try:
        return canvas.enlarged(lambda each: KINDS[name].draw(params, each))
    except Misplaced as error:
        raise Misplaced(f"figure {name}: {error}", error) from None
    except Misfit as error:
        raise ValueError(f"figure {name}: {error}") from None
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, ZeroDivisionError) as error:
        raise ValueError(f"figure {name}: needs {KINDS[name].needs} ({error})") from None


def pairs_of(data: object) -> list[tuple[str, str]]:
    """Return names with their text, in order; TypeError for anything else."""
    if not isinstance(data, Mapping):
        raise TypeError("names with their text are wanted")
    return [(str(name), str(value)) for name, value in data.items()]


@kind("flow", "steps: {Name: what happens}, and may have ends, of the same shape")
def _flow(params: Params, canvas: Canvas) -> Drawn:
    """Steps one below another, each a numbered name with what happens in it; `ends` stand side by side below them."""
    steps, ends = pairs_of(params["steps"]), pairs_of(params.get("ends", {}))
    parts, y, width = list[str](), 0.0, canvas.width
    for number, (name, what) in enumerate(steps, 1):
        names = canvas.lines(name, 118, 9, weight=600)
        lines = canvas.lines(what, width - 152, 8.5)
        height = max(20.0, 11 * max(len(lines), len(names)) + 8)
        parts.append(box(0.5, y + 0.5, width - 1, height))
        parts.append(words(8, y + 14, str(number), size=11, weight=700, serif=True, fill=canvas.accent))
        parts += stacked(22, y + 13.5, names, step=11, size=9, weight=600)
        parts += stacked(146, y + 13.5, lines, step=11, size=8.5)
        y += height
        if number < len(steps):
            parts.append(_arrow(14, y + 1))
            y += 10
    return Drawn(width, y + (_ends(ends, y, parts, canvas) if ends else 1.5), "".join(parts))


def _ends(ends: Sequence[tuple[str, str]], y: float, parts: list[str], canvas: Canvas) -> float:
    """Draw the ends of a flow below y, an arrow to each; return the height that they take."""
    cell = (canvas.width + 6) / len(ends)
    names = [canvas.lines(name, cell - 18, 9, weight=600) for name, _ in ends]
    texts = [canvas.lines(what, cell - 18, 8.5) for _, what in ends]
    height = 11.0 * max(len(name) + len(text) for name, text in zip(names, texts, strict=True)) + 9
    for number, (name, text) in enumerate(zip(names, texts, strict=True)):
        x = cell * number
        parts.append(_arrow(x + 14, y + 1) + box(x + 0.5, y + 10.5, cell - 7, height))
        parts += stacked(x + 8, y + 24, name, step=11, size=9, weight=600)
        parts += stacked(x + 8, y + 25 + 11 * len(name), text, step=11, size=8.5)
    return height + 12


def _arrow(x: float, y: float) -> str:
    return f'<path d="M{x:g} {y:g}v8m-2.5 -3l2.5 3l2.5 -3" fill="none" stroke="#000" stroke-width="0.75"/>'


@kind("ladder", "rungs: {Name: figure}")
def _ladder(params: Params, canvas: Canvas) -> Drawn:
    """Bands side by side, from the least to the most: a name above, a figure below."""
    rungs, width, accent = pairs_of(params["rungs"]), canvas.width, canvas.accent
    step = width / len(rungs)
    names = [canvas.lines(name, step - 6, 8.5, weight=600) for name, _ in rungs]
    y = 10.0 * max(map(len, names)) + 10
    parts = [f'<path d="M0 {y:g}H{width:g}" stroke="#000" stroke-width="1.4"/>']
    for number, (lines, (_, figure)) in enumerate(zip(names, rungs, strict=True)):
        x = step * number
        canvas.check(figure, step - 6, 10, weight=700, serif=True)
        parts.append(f'<path d="M{x + 0.4:g} {y - 5:g}v10" stroke="{accent}" stroke-width="0.75"/>')
        parts += stacked(x + 4, y + 2 - 10 * len(lines), lines, step=10, size=8.5, weight=600)
        parts.append(words(x + 4, y + 13, figure, size=10, serif=True, weight=700))
    parts.append(f'<path d="M{width - 0.4:g} {y - 5:g}v10" stroke="{accent}" stroke-width="0.75"/>')
    return Drawn(width, y + 18, "".join(parts))


@kind("dice", "faces: [1, 6]")
def _dice(params: Params, canvas: Canvas) -> Drawn:
    """Dice in a row."""
    faces = [int(str(face)) for face in params["faces"]]
    size = min(22.0, (canvas.width + 5) / len(faces) - 5)
    parts = [_die(number * (size + 5), 0, face, size) for number, face in enumerate(faces)]
    return Drawn(len(faces) * (size + 5) - 5, size, "".join(parts))


def _die(x: float, y: float, face: int, size: float) -> str:
    return f'<g transform="translate({x:g} {y:g}) scale({size / 10:g})">{die_face(face)}</g>'


@kind("cards", "hand: [KS up, 7C down, gone]")
def _cards(params: Params, canvas: Canvas) -> Drawn:
    """Cards in a row."""
    return Drawn(*hand_layout([str(card) for card in params["hand"]]))


@kind(
    "scale",
    "rungs: {7: what it means}, faces: a number, falls: {ace: 5}, and may have head: what the numbers are, "
    "and legend: [over, level, under]",
)
def _scale(params: Params, canvas: Canvas) -> Drawn:
    """Numbers from the highest down, how each face of a die reads against them, and arrows for what lowers them."""
    rungs, falls, faces = pairs_of(params["rungs"]), pairs_of(params["falls"]), int(str(params["faces"]))
    over, level, under = map(str, params.get("legend", ("over", "level", "under")))
    width, accent = canvas.width, canvas.accent
    top, cell, first, fall = 16.0, 12.0, 18.0, 23.0
    text, arrows = first + cell * faces + 8, width - fall * len(falls) + 10
    meanings = [canvas.lines(what, arrows - text - 12, 8) for _, what in rungs]
    row = max(21.0, 9.0 * max(map(len, meanings)) + 3)
    parts = [words(first + cell * face + 5, 9, str(face + 1), size=7, anchor="middle") for face in range(faces)]
    parts.append(words(0, 9, str(params.get("head", "")), size=7, weight=600))
    for number, ((name, _), lines) in enumerate(zip(rungs, meanings, strict=True)):
        y = top + row * number
        parts.append(f'<path d="M0 {y:g}H{width:g}" stroke="{GREY}" stroke-width="0.35"/>')
        parts.append(words(4, y + 15, name, size=13, serif=True, weight=700, fill=accent))
        for face in range(1, faces + 1 if int(name) > 0 else 0):
            parts.append(_read(first + cell * (face - 1), y + 5.5, face - int(name)))
        parts += stacked(text, y + 13.5 - 4.5 * (len(lines) - 1), lines, step=9)
    for number, (name, by) in enumerate(falls):
        x, end = arrows + fall * number, top + row * int(by) + 7
        canvas.check(name, fall - 1, 8.5, weight=600)
        parts.append(words(x, 9, name, size=8.5, anchor="middle", weight=600))
        line = f"M{x:g} {top + row / 2:g}V{end:g}m-3 -5l3 5l3 -5"
        parts.append(f'<path d="{line}" fill="none" stroke="{accent}" stroke-width="1"/>')
        parts.append(words(x, end + 9.5, f"−{by}", size=8.5, anchor="middle", serif=True, weight=700))
    x, y = first, top + row * len(rungs)
    for sign, said in ((1, over), (0, level), (-1, under)):
        canvas.check(said, width - x - 14, 8)
        parts.append(_read(x, y + 6, sign) + words(x + 14, y + 14, said, size=8))
        x += 14 + canvas.text_width(said, 8) + 16
    return Drawn(width, y + 18, "".join(parts))


def _read(x: float, y: float, over: int) -> str:
    """Return a square for a die over a number (filled), level with it (half filled) or under it (empty)."""
    shape = f'<rect x="{x:g}" y="{y:g}" width="10" height="10" rx="1.6" fill="{"#000" if over > 0 else "#fff"}"'
    half = f'<path d="M{x + 0.5:g} {y + 9.5:g}h9v-9Z"/>' if over == 0 else ""
    return f'{shape} stroke="#000" stroke-width="0.6"/>{half}'


@kind(
    "triads",
    "groups: {Name: [three traits]} and states: [none, one, two, three], and may have what: what is counted",
)
def _triads(params: Params, canvas: Canvas) -> Drawn:
    """Groups of traits, each in a box with its initial, and what it means when none, one, two… are counted."""
    groups = [(str(name), [str(each) for each in members]) for name, members in params["groups"].items()]
    states, what = [str(state) for state in params["states"]], str(params.get("what", "at zero"))
    parts, y, most = list[str](), 0.0, max(len(members) for _, members in groups)
    widest = canvas.widest((member for _, members in groups for member in members), 8.5)
    left = max(
        canvas.widest((name for name, _ in groups), 9, weight=600) + 8, min(100, canvas.width - most * (widest + 30))
    )
    cell = (canvas.width - left) / most
    for name, members in groups:
        parts.append(words(0, y + 16, name, size=9, weight=600))
        for number, member in enumerate(members):
            x = left + cell * number
            canvas.check(member, cell - 29, 8.5)
            parts.append(box(x + 0.5, y + 0.5, cell - 6, 24))
            parts.append(words(x + 7, y + 16, member[:1], size=13, serif=True, weight=700, fill=canvas.accent))
            parts.append(words(x + 22, y + 15.5, member, size=8.5))
        y += 32
    step = canvas.width / len(states)
    lines = [canvas.lines(state, step - 4, 8.5) for state in states]
    for number, state in enumerate(lines):
        parts.append(words(step * number, y + 8, f"{number} {what}", size=7, weight=600))
        parts += stacked(step * number, y + 18, state, step=10, size=8.5)
    return Drawn(canvas.width, y + 12 + 10 * max(map(len, lines)), "".join(parts))


@kind("track", "boxes: a number, and may have labels")
def _track(params: Params, canvas: Canvas) -> Drawn:
    """Return a row of boxes to tick, the last ones named below."""
    boxes, labels = int(str(params["boxes"])), [str(label) for label in params.get("labels", ())]
    size, end = 18.0, 0.0
    parts = [box(number * (size + 4) + 0.5, 0.5, size, size, grey=True) for number in range(boxes)]
    for number, label in enumerate(labels):
        last = number == len(labels) - 1  # a long word under the last box ends with it
        x = (boxes - len(labels) + number) * (size + 4) + (size if last else size / 2)
        wide = canvas.text_width(label, 7, weight=600)
        canvas.check(label, x - end if last else 2 * (x - end), 7, weight=600)
        end = x if last else x + wide / 2 + 2
        anchor = "end" if last else "middle"
        parts.append(words(x, size + 10, label, size=7, anchor=anchor, weight=600, fill=canvas.accent))
    return Drawn(boxes * (size + 4) - 3, size + (14 if labels else 2), "".join(parts))


@dataclass(frozen=True, slots=True)
class PairReading:
    """How pairs of faces read: the doubles in order, then two odd, two even and mixed faces that differ."""

    doubles: Sequence[str]
    odd: str
    even: str
    mixed: str

    def of(self, first: int, second: int) -> str:
        """Return the reading of two faces."""
        if first == second:
            return self.doubles[first - 1]
        if (first - second) % 2:
            return self.mixed
        return self.odd if first % 2 else self.even


@kind("pairs", "doubles: [six readings], odd, even, mixed, and legend: {reading: [mark, Name]}")
def _pairs(params: Params, canvas: Canvas) -> Drawn:
    """Return every pair of faces of two dice in a square, marked by how it reads.

    The legend gives a reading its mark (`+`, `++`, `-`, `--`, `up`, `down`, `dot`) and its name.
    """
    doubles = [str(each) for each in params["doubles"]]
    reading = PairReading(doubles, str(params["odd"]), str(params["even"]), str(params["mixed"]))
    legend = {str(name): (str(mark), str(title)) for name, (mark, title) in params["legend"].items()}
    faces, parts = range(1, len(reading.doubles) + 1), list[str]()
    counts: Counter[str] = Counter()
    side = HEAD + CELL * len(faces)
    for face in faces:
        at = HEAD + CELL * (face - 1)
        parts += [_die(at + 3, 3, face, 16), _die(3, at + 3, face, 16)]
        for other in faces:
            read = reading.of(face, other)
            counts[read] += 1
            parts.append(_mark(at, HEAD + CELL * (other - 1), legend[read][0], canvas.accent))
    reach = f"{side - HEAD:g}"
    ends = [f"{HEAD + CELL * number:g}" for number in range(len(faces) + 1)]
    lines = "".join(f"M{HEAD:g} {end}h{reach}M{end} {HEAD:g}v{reach}" for end in ends)
    parts.append(f'<path d="{lines}" fill="none" stroke="{GREY}" stroke-width="0.35"/>')
    step = (side - 8) / len(legend)
    for number, (name, (mark, title)) in enumerate(legend.items()):
        y = 4 + step * number
        canvas.check(title, 138, 8.5, weight=600)
        parts.append(_mark(side + 14, y + (step - CELL) / 2, mark, canvas.accent))
        parts.append(words(side + 42, y + step / 2 - 1, title, size=8.5, weight=600))
        parts.append(words(side + 42, y + step / 2 + 8.5, f"{counts[name]} of {sum(counts.values())}", size=7.5))
    return Drawn(side + 180, side + 6, "".join(parts))


def _mark(x: float, y: float, mark: str, accent: str) -> str:
    """Return what stands in a cell of the square: a sign, or a triangle up or down for what turns a scene."""
    middle, low = x + CELL / 2, y + CELL / 2
    if mark in ("up", "down"):
        tip = -6 if mark == "up" else 6
        path = f"M{middle:g} {low + tip:g}l6.5 {-1.8 * tip:g}h-13Z"
        fill = accent if mark == "up" else "#fff"
        return f'<path d="{path}" fill="{fill}" stroke="{accent}" stroke-width="1.2" stroke-linejoin="round"/>'
    if mark == "dot":
        return f'<circle cx="{middle:g}" cy="{low:g}" r="0.8" fill="{GREY}"/>'
    return words(middle, low + 4, mark.replace("-", "−"), size=11, anchor="middle", weight=700)


@kind("rungs", "levels: {Name: dice}, the highest first, and may have here: one of the names")
def _rungs(params: Params, canvas: Canvas) -> Drawn:
    """Levels from the highest down, each with as many dice as it rolls; the rung named `here` has a ring around it."""
    levels = [(name, int(dice)) for name, dice in pairs_of(params["levels"])]
    here, accent = str(params.get("here", "")), canvas.accent
    left = max(NAMES, canvas.widest((name for name, _ in levels), 9, weight=600) + 12)
    right = left + max(dice for _, dice in levels) * (DIE + GAP) + 14
    if right + 24 > canvas.width:
        raise Misfit(f"names and dice are {right + 24:.0f} pt wide, and there is room for {canvas.width:.0f}")
    parts = []
    for number, (name, dice) in enumerate(levels):
        y = RUNG * number + 2
        stands = name == here
        parts.append(words(left - 10, y + 12, name, size=9, anchor="end", weight=600 if stands else 400))
        parts += [_die(left + 4 + (DIE + GAP) * at, y, 3 + (at + dice) % 4, DIE) for at in range(dice)]
        parts.append(words(right + 12, y + 12, str(dice), size=11, serif=True, weight=700, fill=accent))
        if stands:
            place = f'x="{left - 1:g}" y="{y - 3:g}" width="{right - left + 2:g}" height="{DIE + 6:g}" rx="4"'
            parts.append(f'<rect {place} fill="none" stroke="{accent}" stroke-width="1.6"/>')
    height = RUNG * len(levels)
    lines = "".join(f"M{left:g} {RUNG * number:g}H{right:g}" for number in range(1, len(levels)))
    rails = f"M{left:g} 0V{height:g}M{right:g} 0V{height:g}"
    ladder = f'<path d="{rails}{lines}" fill="none" stroke="{accent}" stroke-width="0.5"/>'
    return Drawn(canvas.width, height + 1, ladder + "".join(parts))


@kind("faces", "read: {1: what it does, 4 5: what they do}; a semicolon breaks the line")
def _faces(params: Params, canvas: Canvas) -> Drawn:
    """Return the faces of a die in groups side by side, each with what it does below."""
    read = [([int(each) for each in group.split()], what) for group, what in pairs_of(params["read"])]
    size, step, parts = 20.0, 10.8, list[str]()
    cell, deepest = canvas.width / len(read), 0
    for number, (group, what) in enumerate(read):
        x = cell * number
        parts += [_die(x + (size + 5) * at, 0, face, size) for at, face in enumerate(group)]
        lines = [line for part in what.split("; ") for line in canvas.lines(part, cell - 4, 9)]
        deepest = max(deepest, len(lines))
        parts += stacked(x, size + 12, lines, step=step, size=9)
    return Drawn(canvas.width, size + 4 + step * deepest, "".join(parts))


kind(
    "map",
    "places: {Name: {is: house, at: [2, 3]}}, and may have ways: [{from, to, is, say, by}], "
    "areas: [{is, at, size, name}], scale: [1, mile], grid: [width, height]",
)(draw_map)


@kind("clock", "clocks: {Name: segments}, or {Name: {segments: 6, ticks: when, beats: {3: what happens}}}")
def _clock(params: Params, canvas: Canvas) -> Drawn:
    """Return countdowns to fill in by pencil, each a circle of segments beside what fills it and what comes of it."""
    parts, y, radius = list[str](), 0.0, 27.0
    for name, about in params["clocks"].items():
        told = about if isinstance(about, Mapping) else {"segments": about}
        segments = int(str(told["segments"]))
        if not 2 <= segments <= 12:
            raise ValueError("a clock has 2 to 12 segments")
        middle, x = y + radius + 1, 2 * radius + 18
        turns = [2 * pi * at / segments for at in range(segments)]
        spokes = "".join(f"M{radius + 1:g} {middle:g}l{radius * sin(at):.1f} {-radius * cos(at):.1f}" for at in turns)
        circle = (
            f'<circle cx="{radius + 1:g}" cy="{middle:g}" r="{radius:g}" fill="none" stroke="#000" stroke-width="1.2"/>'
        )
        parts.append(circle + f'<path d="{spokes}" stroke="#000" stroke-width="0.75"/>')
        parts.append(words(x, y + 10, name, size=11, serif=True, weight=700))
        lines = canvas.lines(str(told.get("ticks", "")), canvas.width - x, 9.6)
        parts += stacked(x, y + 23, lines, step=12, size=9.6)
        below = y + 23 + 12 * len(lines)
        for beat, what in pairs_of(told.get("beats", {})):
            if not 1 <= int(beat) <= segments:
                raise ValueError(f"{name} has {segments} segments, and a beat at {beat}")
            found = canvas.lines(what, canvas.width - x - 14, 9.6)
            parts.append(words(x, below, beat, size=9.6, weight=600, fill=canvas.accent))
            parts += stacked(x + 14, below, found, step=12, size=9.6)
            below += 12 * len(found)
        y = max(y + 2 * radius + 2, below - 8) + 10
    return Drawn(canvas.width, y - 8, "".join(parts))
