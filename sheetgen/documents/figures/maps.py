"""Maps from data, in one hand: places with their signs, ways between them, areas, names that never touch, a scale.

A place stands `at` a point of a grid, `[x, y]` in steps from the upper left corner, or at so many steps from a place
before it: `2 northeast of Mill`. Names go where there is room; where there is none, the map has the number alone and a
list below says whose it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import ceil, cos, hypot, pi, sin
from types import MappingProxyType
from typing import Any

from sheetgen.dice.source import Seeded
from sheetgen.documents.figures import map_pen as pen
from sheetgen.documents.figures.map_pen import KINDS_OF_PLACES, WAYS, Box, Point
from sheetgen.documents.figures.svg import SERIF, Canvas, Drawn, Misplaced, stacked, words
from sheetgen.errors import quoted, suggestion

MARGIN, REACH, TALLEST, NARROW = 20.0, 14.5, 490.0, 96.0
ANY = 999.0  # pt: room without an end
NAME = 9.6  # pt: the type of names of places
SMALL = 9.2  # pt: the type of names of areas, of what is told of ways, and at the scale
STEP = 10.4  # pt: from line to line
MOST_PLACES, MOST_STEPS = 40, 60
COVERS = {
    **{"wood": "fir", "grove": "tree", "hills": "hill", "mountains": "mountain"},
    **{"marsh": "marsh", "fields": "field", "rocks": "rock", "graves": "grave"},
}
AREAS = (*COVERS, "lake", "sea", "land")
INDOORS, SMALL_SIGNS, SLENDER = ("room",), ("spot", "cross", "name"), ("fir", "tree", "grave")
EDGE, SPOT, SIGN = 2.0, 5.0, 1.2  # pt: of the frame from the edge, of a spot from its middle; how large signs are
LARGE = MappingProxyType(  # pt more, across and up
    {"castle": (4, 4), "town": (4, 4), "city": (7, 4), "mooring": (4, 4), "inn": (4, 0), "village": (4, 0)}
)
_TURNS = {
    **{"north": -90, "northeast": -45, "east": 0, "southeast": 45},
    **{"south": 90, "southwest": 135, "west": 180, "northwest": 225},
}
_FROM = re.compile(rf"(?P<steps>\d+(?:\.\d+)?) (?P<way>{'|'.join(_TURNS)}) of (?P<place>.+)")


@dataclass(slots=True)
class _Place:
    name: str
    kind: str
    at: Point
    number: int = 0
    size: Point = (0.0, 0.0)  # of a room, in points


@dataclass(slots=True)
class _Sheet:
    """The map being drawn: what is on it, and the boxes that no name may touch."""

    canvas: Canvas
    unit: float
    width: float
    height: float
    places: dict[str, _Place] = field(default_factory=dict)
    ground: list[str] = field(default_factory=list)  # what lies under the ways
    parts: list[str] = field(default_factory=list)
    seas: list[Point] = field(default_factory=list)
    taken: list[Box] = field(default_factory=list)
    lines: list[Point] = field(default_factory=list)  # points of ways, which names rather do not cross
    key: list[tuple[int, str]] = field(default_factory=list)

    def on_paper(self, x: float, y: float) -> Point:
        return MARGIN + self.unit * x, MARGIN + self.unit * y


def draw_map(params: Mapping[str, Any], canvas: Canvas) -> Drawn:
    """Return a map; Misplaced, with its place in the file, for what is not on it or cannot be drawn."""
    steps = _positions(params["places"])
    areas, ways = [*params.get("areas", ())], [*params.get("ways", ())]
    columns, rows = _extent(params, steps, areas)
    unit = min((canvas.width - 2 * MARGIN) / max(columns, 1), (TALLEST - 2 * MARGIN) / max(rows, 1), NARROW)
    width = columns * unit + 2 * MARGIN
    sheet = _Sheet(canvas, unit, width, rows * unit + 2 * MARGIN)
    for number, (name, at) in enumerate(steps.items(), 1):
        about = params["places"][name]
        kind = _checked_kind(about.get("is", "spot"), KINDS_OF_PLACES, "place")
        wide, high = (_number(each) * unit for each in about.get("size", ("1.4", "1")))
        numbered = number if str(about.get("number", "yes")) not in ("no", "false") and kind != "name" else 0
        room = (wide, high) if kind in INDOORS else (0.0, 0.0)
        sheet.places[str(name)] = _Place(str(name), kind, sheet.on_paper(*at), numbered, room)
    _renumber(sheet.places.values())
    named = [_area(sheet, each, at) for at, each in enumerate(areas)]
    told = [_way(sheet, each, at) for at, each in enumerate(ways)]
    for place in sheet.places.values():
        _stand(sheet, place)
    corner = _furniture(sheet, params)
    for place in sorted(sheet.places.values(), key=lambda each: -len(each.name)):
        _name_place(sheet, place)
    for text, spots in [*filter(None, named), *filter(None, told)]:
        _namealong(sheet, text, spots)
    for number, each in enumerate(areas):
        _cover(sheet, each, number)
    return _finished(sheet, corner)


def _positions(places: Mapping[str, Any]) -> dict[str, Point]:
    """Return where each place stands, in steps of the grid."""
    if not 0 < len(places) <= MOST_PLACES:
        raise ValueError(f"a map has 1 to {MOST_PLACES} places")
    found: dict[str, Point] = {}
    for name, about in places.items():
        at = about["at"]
        if isinstance(at, tuple):
            found[name] = _point(at)
            continue
        said = _FROM.fullmatch(str(at))
        if said is None:
            raise Misplaced(
                f"{name}: at takes [x, y], or `2 northeast of` a place before it, not {quoted(str(at))}", at
            )
        x, y = _place_named(found, said["place"], at)
        angle = _TURNS[said["way"]] * pi / 180
        found[name] = (x + float(said["steps"]) * cos(angle), y + float(said["steps"]) * sin(angle))
    return found


def _place_named(places: Mapping[str, Any], name: str, word: object) -> Any:
    """Return what stands under the name of a place; Misplaced for one that is not on the map."""
    if name not in places:
        raise Misplaced(f"no place {quoted(name)}{suggestion(name, list(places))}", word)
    return places[name]


def _checked_kind(word: object, known: Sequence[str], what: str) -> str:
    if str(word) not in known:
        near = suggestion(str(word), known) or f" (write one of: {', '.join(known)})"
        raise Misplaced(f"unknown kind of {what} {quoted(str(word))}{near}", word)
    return str(word)


def _number(word: object) -> float:
    try:
        number = float(str(word))
    except ValueError:
        raise Misplaced(f"{quoted(str(word))} is no number of steps", word) from None
    if not -MOST_STEPS <= number <= MOST_STEPS:
        raise Misplaced(f"{quoted(str(word))} is off the map (at most {MOST_STEPS} steps)", word)
    return number


def _point(at: Sequence[object]) -> Point:
    x, y = at
    return _number(x), _number(y)


def _extent(params: Mapping[str, Any], steps: dict[str, Point], areas: Iterable[Mapping[str, Any]]) -> Point:
    """Return how many steps the map is wide and high, and move its places so that all of them are on it."""
    if "grid" in params:
        return _point(params["grid"])
    rooms = [(at, _point(params["places"][name].get("size", ("0", "0")))) for name, at in steps.items()]
    spans = [*rooms, *((_point(each["at"]), _point(each["size"])) for each in areas)]
    left, top = (min(at[axis] - size[axis] / 2 for at, size in spans) for axis in (0, 1))
    if left < 0 or top < 0:
        raise ValueError(f"something reaches {max(-left, -top):g} steps beyond the upper left corner: move all of it")
    right, bottom = (max(at[axis] + size[axis] / 2 for at, size in spans) for axis in (0, 1))
    return right + 0.4, bottom + 0.4


def _renumber(places: Iterable[_Place]) -> None:
    for number, place in enumerate((each for each in places if each.number), 1):
        place.number = number


def _area(sheet: _Sheet, about: Mapping[str, Any], number: int) -> tuple[str, list[Point]] | None:
    """Draw an area, and return its name with where it may stand."""
    kind = _checked_kind(about["is"], AREAS, "area")
    (x, y), (wide, high) = sheet.on_paper(*_point(about["at"])), (sheet.unit * each for each in _point(about["size"]))
    key, name = f"{kind}{number}", str(about.get("name", ""))
    if kind == "sea":
        sheet.seas.append((x, y))
    elif kind not in COVERS:
        around = [(x + cos(turn * pi / 6) * wide / 2, y + sin(turn * pi / 6) * high / 2) for turn in range(12)]
        outline = pen.hand(around, key, wobble=min(wide, high) / 16, closed=True)
        sheet.lines += [pen.along([*around, around[0]], share / 48) for share in range(48)]
        sheet.ground.append(pen.stroke(outline, 1.1, fill="#fff", dashes="" if kind != "land" else "4 3"))
        sheet.ground += [pen.lapping(around, (x, y), key, wobble=min(wide, high) / 16)] if kind == "lake" else []
    return (name, [(x, y + shift * high / 8) for shift in (0, -1, 1, -2, 2, -3, 3, -5, 5)]) if name else None


def _cover(sheet: _Sheet, about: Mapping[str, Any], number: int) -> None:
    """Strew the signs of an area where nothing else is, the hindmost first."""
    kind = COVERS.get(str(about["is"]))
    (x, y), (wide, high) = sheet.on_paper(*_point(about["at"])), (sheet.unit * each for each in _point(about["size"]))
    if kind is None:
        if str(about["is"]) != "land":
            sheet.ground.append(pen.waves((x, y), (wide, high), str(number), lambda box: _free(sheet, box)))
        return
    dice, found = Seeded(f"{kind}{number}".encode()), list[Point]()
    step = 13.5 if kind in SLENDER else 22.0
    reach = step * 0.4
    for row in range(max(1, int(high / (step * 0.8)))):
        for column in range(max(1, int(wide / step))):
            dx = (column + 0.5 + row % 2 * 0.5) * step - wide / 2 + dice.choose(70, "") / 10 - 3.5
            dy = (row + 0.5) * step * 0.8 - high / 2 + dice.choose(50, "") / 10 - 2.5
            box = (x + dx - reach, y + dy - reach, x + dx + reach, y + dy + reach)
            if (dx / wide) ** 2 + (dy / high) ** 2 <= 0.25 and _free(sheet, box):
                found.append((x + dx, y + dy))
    sheet.ground += [pen.sign(kind, px, py, 0.8) for px, py in sorted(found, key=lambda each: each[1])]


def _way(sheet: _Sheet, about: Mapping[str, Any], number: int) -> tuple[str, list[Point]] | None:
    """Draw a way, and return what is told of it, such as how far it is, with where that may stand."""
    kind = _checked_kind(about.get("is", "road"), WAYS, "way")
    ends = [_end(sheet, about[name]) for name in ("from", "to")]
    between = [sheet.on_paper(*_point(each)) for each in about.get("by", ())]
    points = [ends[0][0], *between, ends[1][0]]
    points[0], points[-1] = (pen.trimmed(points[a], points[b], ends[a][1]) for a, b in ((0, 1), (-1, -2)))
    length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))
    straight = kind in ("corridor", "door", "stairs", "wall", "pier")
    line = pen.wandering(points, f"{kind}{number}", wobble=0.6 if straight else min(6.0, 1.2 + length / 40))
    sheet.parts.append(pen.drawn_way(kind, line, sheet.seas[0] if sheet.seas else None))
    pieces = max(2, round(length / 5))
    sheet.lines += [pen.along(line, share / pieces) for share in range(pieces + 1)]
    spots = [pen.along(line, share) for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)]
    return (str(about["say"]), spots) if about.get("say") else None


def _end(sheet: _Sheet, end: object) -> tuple[Point, Point]:
    """Return the point of an end, and how far from it, to the side and up, the way begins."""
    if isinstance(end, tuple):
        x, y = sheet.on_paper(*_point(end))
        edge = MARGIN + sheet.unit / 3  # what ends there comes from beyond the map
        x = EDGE if x < edge else sheet.width - EDGE if x > sheet.width - edge else x
        y = EDGE if y < edge else sheet.height - EDGE if y > sheet.height - edge else y
        return (x, y), (0.0, 0.0)
    place: _Place = _place_named(sheet.places, str(end), end)
    wide, high = place.size
    reach = SPOT if place.kind in SMALL_SIGNS else REACH
    return place.at, (wide / 2, high / 2) if wide else (reach, reach)


def _stand(sheet: _Sheet, place: _Place) -> None:
    """Draw the sign of a place; a room is drawn by its walls."""
    (x, y), (wide, high) = place.at, place.size
    if wide:
        corners = [(x + a * wide / 2, y + b * high / 2) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        walls = "".join(
            pen.hand([a, b], place.name, wobble=0.5) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
        )
        inside = (
            f'<rect x="{x - wide / 2:.1f}" y="{y - high / 2:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="#fff"/>'
        )
        sheet.parts.append(inside + pen.stroke(walls, 1.6))
        sheet.taken.append(_walls(place))
        return
    sheet.parts.append(pen.sign(place.kind, x, y, SIGN))
    if place.kind != "name":
        reach = SPOT if place.kind in SMALL_SIGNS else 13.0
        across, up = LARGE.get(place.kind, (0, 0))
        sheet.taken.append((x - reach - across, y - reach - up - 1, x + reach + across, y + reach + up - 2))


def _walls(room: _Place) -> Box:
    """Return the outside of the walls of a room."""
    (x, y), (wide, high) = room.at, room.size
    return x - wide / 2 - 1, y - high / 2 - 1, x + wide / 2 + 1, y + high / 2 + 1


def _clear(sheet: _Sheet, box: Box) -> bool:
    """Return whether a name may stand there: on the map, and on nothing."""
    left, top, right, bottom = box
    inside = left >= 4 and top >= 4 and right <= sheet.width - 4 and bottom <= sheet.height - 4
    return inside and not any(left < r and l < right and top < b and t < bottom for l, t, r, b in sheet.taken)  # noqa: E741


def _crossed(sheet: _Sheet, box: Box) -> int:
    left, top, right, bottom = box
    return sum(left - 2 < x < right + 2 and top - 2 < y < bottom + 2 for x, y in sheet.lines)


def _free(sheet: _Sheet, box: Box) -> bool:
    """Return whether nothing at all stands or runs there."""
    return _clear(sheet, box) and not _crossed(sheet, box)


def _nearest(sheet: _Sheet, box: Box) -> _Place:
    """Return the place that a box seems to belong to."""
    left, top, right, bottom = box

    def away(place: _Place) -> float:
        (x, y), (wide, high) = place.at, place.size
        across, up = max(left - x, x - right, 0.0) - wide / 2, max(top - y, y - bottom, 0.0) - high / 2
        return hypot(max(across, 0.0), max(up, 0.0))

    return min(sheet.places.values(), key=away)


def _lay(
    sheet: _Sheet, text: str, spots: Sequence[Point], *, size: float, room: float = ANY, of: _Place | None = None
) -> tuple[list[str], Box] | None:
    """Return a text in lines and its box at the best of some middles; None where it has no room at any."""
    best: tuple[int, int, list[str], Box] | None = None
    for broken, lines in enumerate(_breaks(text)):
        wide = sheet.canvas.widest(lines, size, serif=True) * 1.04 + 4
        high = STEP * len(lines) + 1.5
        if wide > room:
            continue
        for order, (x, y) in enumerate(spots):
            box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
            misread = of is not None and _nearest(sheet, box) is not of
            crossed = _crossed(sheet, box) if room == ANY else 0  # the floor of a room covers what leads into it
            cost = (80 * crossed + 100 * misread + 2 * order + 8 * broken, order, lines, box)
            if _clear(sheet, box) and (best is None or cost[:2] < best[:2]):
                best = cost
    return best and (best[2], best[3])


def _breaks(text: str) -> Iterator[list[str]]:
    """Yield a name on one line, and on two of lengths as even as can be."""
    yield [text]
    parts = text.split()
    if len(parts) > 1:
        at = min(range(1, len(parts)), key=lambda at: abs(len(" ".join(parts[:at])) - len(" ".join(parts[at:]))))
        yield [" ".join(parts[:at]), " ".join(parts[at:])]


def _name_place(sheet: _Sheet, place: _Place) -> None:
    """Set the number and the name of a place beside its sign, within its room or beside that; the number alone where it
    must.
    """
    name, number = f"{place.number} {place.name}" if place.number else place.name, str(place.number or "")
    wide = min(sheet.canvas.text_width(name, NAME, serif=True, weight=600) * 1.04 + 4, 160)
    outside = list(_around(place, wide))
    laid = _lay_within(sheet, name, place) or _lay(sheet, name, outside, size=NAME, of=place)
    if laid is None and number:
        laid = _lay_within(sheet, number, place) or _lay(sheet, number, list(_around(place, 12)), size=NAME, of=place)
        sheet.key.append((place.number, place.name))
    if laid is None:
        raise ValueError(f"there is no room for the name {quoted(place.name)}: move places apart")
    lines, box = laid
    sheet.taken.append(box)
    sheet.parts += _lettered(lines, box, NAME, number=place.number)


def _lay_within(sheet: _Sheet, text: str, room: _Place) -> tuple[list[str], Box] | None:
    """Return a text in lines and its box within the walls of a room; None where it does not fit, or where none are."""
    (x, y), (wide, high) = room.at, room.size
    if not wide:
        return None
    walls = _walls(room)
    sheet.taken.remove(walls)
    laid = _lay(sheet, text, [(x, y + shift) for shift in (0, -8, 8, -14, 14)], size=NAME, room=wide - 4)
    sheet.taken.append(walls)
    return laid if laid and laid[1][1] > y - high / 2 and laid[1][3] < y + high / 2 else None


def _around(place: _Place, wide: float) -> Iterator[Point]:
    """Yield middles for a name around a sign, the usual ones first: below, to the right, to the left, above."""
    (x, y), reach = place.at, 7.0 if place.kind in SMALL_SIGNS else 15.0
    across, up = (reach + more for more in LARGE.get(place.kind, (0, 0)))
    across, up = (place.size[0] / 2 + 2, place.size[1] / 2 + 5) if place.size[0] else (across, up + 5)
    if place.kind == "name":
        yield x, y
    for further in (0, 5, 11):
        side = across + further + wide / 2
        yield x, y + up + further
        yield x + side, y
        yield x - side, y
        yield x, y - up - further
        for nearer, dy in ((3, 9), (3, -9), (6, 16), (6, -16)):
            yield x + side - nearer, y + dy
            yield x - side + nearer, y + dy
        for dx in (wide / 3, -wide / 3, wide / 2, -wide / 2):
            yield x + dx, y + up + further
            yield x + dx, y - up - further


def _namealong(sheet: _Sheet, text: str, spots: Sequence[Point]) -> None:
    """Set what is told of a way or an area in italics near it; ValueError where there is no room."""
    wide = sheet.canvas.text_width(text, SMALL, serif=True) / 2 + 4
    around = [
        (x + dx, y + dy)
        for dx, dy in ((0, 0), (0, -11), (0, 11), (wide + 4, 0), (-wide - 4, 0), (0, -17), (0, 17))
        for x, y in spots
    ]
    laid = _lay(sheet, text, around, size=SMALL)
    if laid is None:
        raise ValueError(f"there is no room for {quoted(text)}: move places apart, or say less")
    lines, box = laid
    sheet.taken.append(box)
    sheet.parts += _lettered(lines, box, SMALL, italic=True)


def _lettered(lines: Sequence[str], box: Box, size: float, *, number: int = 0, italic: bool = False) -> Iterator[str]:
    """Yield lines of letters with a little white around them; a number before them is bold."""
    middle = (box[0] + box[2]) / 2
    for at, line in enumerate(lines):
        y = box[1] + STEP * (at + 1) - 2.2
        style = ' font-style="italic"' if italic else ""
        head, rest = (str(number), line.removeprefix(str(number))) if number and not at else ("", line)
        bold = f'<tspan font-weight="700">{head}</tspan>' if head else ""
        place = f'x="{middle:.1f}" y="{y:.1f}" text-anchor="middle" font-size="{size:g}" font-family="{SERIF}"{style}'
        white = 'fill="none" stroke="#fff" stroke-width="2.6" stroke-linejoin="round"'
        yield f"<text {place} {white}>{escape(head + rest, quote=False)}</text>"
        yield f"<text {place}>{bold}{escape(rest, quote=False)}</text>"


def _furniture(sheet: _Sheet, params: Mapping[str, Any]) -> list[str]:
    """Return scale and north in the lower corners, where no name will stand."""
    parts, bottom = list[str](), sheet.height - 9
    if "scale" in params:
        step, unit = _number(params["scale"][0]), str(params["scale"][1])
        count = next((n for n in (2, 4, 6, 10, 20) if sheet.unit * n >= 56), 20)
        length, x = sheet.unit * count, 12.0
        bar = pen.stroke(f"M{x:g} {bottom:g}h{length:.1f}v-3.4h-{length:.1f}Z", 0.75, fill="#fff")
        parts.append(f'{bar}<rect x="{x:g}" y="{bottom - 3.4:g}" width="{length / 2:.1f}" height="3.4"/>')
        said = f"{step * count:g} {unit}"
        parts.append(words(x + length + 5, bottom + 0.5, said, size=SMALL, serif=True))
        wide = length + sheet.canvas.text_width(said, SMALL, serif=True) + 9
        sheet.taken.append((x - 3, bottom - 8, x + wide, bottom + 6))
    if str(params.get("north", "up")) == "up" and not any(each.size[0] for each in sheet.places.values()):
        x = sheet.width - 17
        parts.append(pen.stroke(f"M{x:g} {bottom:g}v-21l-3.4 6.4M{x:g} {bottom - 21:g}l3.4 6.2", 0.9))
        parts.append(words(x, bottom - 24, "N", size=10, serif=True, weight=700, anchor="middle"))
        sheet.taken.append((x - 8, bottom - 35, x + 8, bottom + 3))
    return parts


def _finished(sheet: _Sheet, corner: list[str]) -> Drawn:
    """Return the map in its frame, with the list of the numbers that stand alone."""
    wide, high = sheet.width, sheet.height
    corners = [(2, 2), (wide - 2, 2), (wide - 2, high - 2), (2, high - 2)]
    frame = "".join(
        pen.hand([a, b], f"frame{a}", wobble=0.5) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    )
    parts = [*sheet.ground, *sheet.parts, *corner, pen.stroke(frame, 1.3)]
    if sheet.key:
        count = 2 if sheet.canvas.width < 400 else 3
        column, rows = sheet.canvas.width / count, ceil(len(sheet.key) / count)
        lines = [f"{number} {name}" for number, name in sorted(sheet.key)]
        for at in range(0, len(lines), rows):
            some = [line for each in lines[at : at + rows] for line in sheet.canvas.lines(each, column - 8, NAME)]
            parts += stacked(column * (at // rows), high + 14, some, step=12, size=NAME)
        high += 12 * rows + 8
    return Drawn(
        max(wide, sheet.canvas.width if sheet.key else 0),
        high,
        f'<g shape-rendering="geometricPrecision">{"".join(parts)}</g>',
    )
