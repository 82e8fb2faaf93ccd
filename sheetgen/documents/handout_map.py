"""A map among handouts: one that players may see, and the whole one for the GM, on the same grid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any

from sheetgen.documents.figures.kinds import draw_figure
from sheetgen.documents.figures.maps import MARGIN, NARROW, TALLEST
from sheetgen.documents.figures.svg import Canvas, Misplaced, TextWidth, words
from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import Size, mm

SECRET = "secret"
LYING = 1.2  # times as wide as high, at the least, is a map that lies


def map_data(
    params: Mapping[Any, Any], room: Size, accent: str, text_width: TextWidth, place: Place, *, larger: float = 1.0
) -> dict[str, object]:
    """Return the players' map and, if anything on it is secret, the GM's, each as SVG with its size in mm.

    `room` is what a map with a grid fills, `larger` how large its letters are. InputError for what cannot be drawn.
    """
    hidden = any(_is_secret(each) for part in ("places", "ways", "areas") for each in _members(params, part))
    if hidden and "grid" not in params:
        told = (
            "a map with secrets needs `grid: [width, height]` in steps, so that both versions of it are equally large"
        )
        raise InputError([Problem(place, told)])
    try:
        canvas = Canvas(_width(params, Size(room.width / larger, room.height / larger)), accent, text_width)
        return {
            "shown": _map_svg(_public(params), canvas, larger),
            "whole": _map_svg(_ordered(params), canvas, larger) if hidden else "",
        }
    except Misplaced as error:
        raise InputError([Problem(error.place or place, str(error))]) from None
    except ValueError as error:
        raise InputError([Problem(place, str(error))]) from None


def _members(params: Mapping[str, Any], part: str) -> Iterator[Mapping[str, Any]]:
    found = params.get(part, ())
    yield from (each for each in (found.values() if isinstance(found, Mapping) else found) if isinstance(each, Mapping))


def _is_secret(about: Mapping[str, Any]) -> bool:
    return str(about.get(SECRET, "no")) in ("yes", "true", "True")


def _public(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return a map without what is secret, and without ways to it."""
    places = {name: about for name, about in params.get("places", {}).items() if not _is_secret(about)}
    hidden = set(params.get("places", {})) - set(places)
    open_ways = (each for each in params.get("ways", ()) if not _is_secret(each))
    ways = [each for each in open_ways if not {each.get("from"), each.get("to")} & hidden]
    areas = [each for each in params.get("areas", ()) if not _is_secret(each)]
    return {**params, "places": places, "ways": ways, "areas": areas}


def _ordered(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return a map with its secret places last, so that the others have the same numbers for everybody."""
    places = sorted(params.get("places", {}).items(), key=lambda each: _is_secret(each[1]))
    return {**params, "places": dict(places)}


def _width(params: Mapping[str, Any], room: Size) -> float:
    """Return how wide, in points, a map is drawn that has no more than this room; one without a grid as wide as it."""
    if "grid" not in params:
        return mm(room.width)
    columns, rows = (float(str(each)) for each in params["grid"])
    return min(mm(room.width), columns * (mm(room.height) - 2 * MARGIN) / max(rows, 1) + 2 * MARGIN)


def lies(params: Mapping[Any, Any]) -> bool:
    """Return whether a map with a grid is so much wider than high that it fills a page on its side better."""
    try:
        columns, rows = (float(str(each)) for each in params.get("grid", (1, 1)))
    except ValueError:
        return False
    return columns >= LYING * rows


def _map_svg(params: Mapping[str, Any], canvas: Canvas, larger: float) -> str:
    drawn = draw_figure("map", params, canvas)
    lines = "".join(_grid(params, canvas)) if params.get("lines") else ""
    size = f'width="{drawn.width * larger:.2f}pt" height="{drawn.height * larger:.2f}pt"'
    view = f'viewBox="0 0 {drawn.width:.2f} {drawn.height:.2f}"'
    return f'<svg class="map" {size} {view}>{lines}{drawn.inside}</svg>'


def _grid(params: Mapping[str, Any], canvas: Canvas) -> Iterator[str]:
    """Yield a grid of squares or hexes, a step wide, with letters above and numbers beside it."""
    if "grid" not in params or str(params["lines"]) not in ("squares", "hexes"):
        raise ValueError("lines: takes squares or hexes, and needs grid: [width, height]")
    columns, rows = (float(str(each)) for each in params["grid"])
    unit = min((canvas.width - 2 * MARGIN) / columns, (TALLEST - 2 * MARGIN) / rows, NARROW)
    right, bottom = MARGIN + columns * unit, MARGIN + rows * unit
    if str(params["lines"]) == "squares":
        across = "".join(f"M{MARGIN + n * unit:.1f} {MARGIN}V{bottom:.1f}" for n in range(int(columns) + 1))
        down = "".join(f"M{MARGIN} {MARGIN + n * unit:.1f}H{right:.1f}" for n in range(int(rows) + 1))
        yield f'<path d="{across}{down}" fill="none" stroke="#888" stroke-width="0.4"/>'
    else:
        yield f'<path d="{"".join(_hexes(columns, rows, unit))}" fill="none" stroke="#888" stroke-width="0.4"/>'
    for n in range(int(columns)):
        yield words(MARGIN + (n + 0.5) * unit, MARGIN - 5, chr(65 + n % 26), size=8, anchor="middle")
    for n in range(int(rows)):
        yield words(MARGIN - 6, MARGIN + (n + 0.5) * unit + 3, str(n + 1), size=8, anchor="end")


def _hexes(columns: float, rows: float, unit: float) -> Iterator[str]:
    """Yield hexes with a corner on top, a step from middle to middle."""
    side = unit / sqrt(3)
    count = int(rows * unit / (1.5 * side))
    for row in range(count):
        y = MARGIN + side + row * 1.5 * side
        for column in range(int(columns) - row % 2):
            x = MARGIN + (column + 0.5 + row % 2 * 0.5) * unit
            yield (
                f"M{x:.1f} {y - side:.1f}l{unit / 2:.1f} {side / 2:.1f}v{side:.1f}l{-unit / 2:.1f} {side / 2:.1f}"
                f"l{-unit / 2:.1f} {-side / 2:.1f}v{-side:.1f}Z"
            )
