"""A handout as plain data for its template: fields as HTML, large letters and typed lines fitted, secrets left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from html import unescape
from math import ceil

from sheetgen.documents.markdown import plain_html
from sheetgen.documents.type_fitting import Measure, around, large, typed
from sheetgen.geometry import Size
from sheetgen.model.handout import Catalogue, Entry, Handout, Look, Room

TEMPLATE = "handout.html"
LABELS = "Source Sans Pro"
TEXT = 10.5  # pt, on a full page
INSET, REACH, TOOTH = 3.2, 1.5, 2.4  # mm: of the edges of paper from the cut, how far a tear goes in, a tooth
SMALL = {148: 0.9, 139.7: 0.9, 105: 0.8}  # how large type is on papers of this width

_STRUCK = re.compile(r"<s>(.*?)</s>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")

Point = tuple[float, float]
MeasureOf = Callable[[str, int], Measure]  # of a family and a weight


@dataclass(frozen=True, slots=True)
class HandoutPage:
    """What a handout is set on: its trim size, its margins in mm (above, right, below, left), how large its type is.

    On a `closed` leaf everything must stand on the one page; `spare` mm of paper below it are for a trial, so that what
    does not fit is not lost but stands there.
    """

    size: Size
    margins: tuple[float, float, float, float]
    scale: float
    closed: bool
    spare: float = 0.0

    @property
    def inner(self) -> Size:
        """The room between the margins."""
        above, right, below, left = self.margins
        return Size(self.size.width - left - right, self.size.height - above - below)


@dataclass(frozen=True, slots=True)
class Ink:
    """What is printed besides black: the accent of the game, and whether fills are left out."""

    accent: str = "#000000"
    saver: bool = False


def handout_data(
    handout: Handout, catalogue: Catalogue, look: Look, leaf: HandoutPage, *, ink: Ink, measure: MeasureOf, picture: str
) -> dict[str, object]:
    """Return what the template of a handout is told; `picture` is the address of its picture, if it has one."""
    fields: dict[str, object] = {
        name: [] if kind in ("list", "pairs", "symbols") else "" for name, kind in handout.style.fields.items()
    }
    for name, entry in handout.entries.items():
        fields[name] = _entry_data(entry)
    inner = leaf.inner
    above, right, below, left = leaf.margins
    said = plain_html(handout.text) if handout.text else ""
    return {
        "name": handout.name,
        "style": handout.style.name,
        "look": look.name,
        "accent": ink.accent,
        "ink_saver": ink.saver,
        "f": {**fields, "picture": picture},
        "html": barred(said) if handout.style.bars else said,
        "large": _large(handout, look, leaf, measure),
        "typed": _typed(handout, leaf, measure),
        "seals": {
            name: around(str(entry), measure(LABELS, 600))
            for name, entry in handout.entries.items()
            if handout.style.fields[name] == "seal" and entry
        },
        "symbols": dict(catalogue.symbols),
        "edges": edges(leaf.size, handout.name),
        "counts": list(range(100)),
        "closed": leaf.closed,
        "text_size": round(TEXT * leaf.scale, 3),
        "page": {
            "width": leaf.size.width,
            "height": leaf.size.height,
            "paper": leaf.size.height + leaf.spare,
            "top": above,
            "right": right,
            "bottom": below,
            "left": left,
            "across": round(inner.width, 3),
            "along": round(inner.height, 3),
        },
    }


def plain(text: str) -> str:
    """Return a text with its quotes and dashes set right, and without any marks of Markdown."""
    return unescape(_TAG.sub("", plain_html(text, inline=True)))


def barred(html: str) -> str:
    """Return the HTML with a bar for every word that is struck out: what it said is not in the page any more."""
    return _STRUCK.sub(lambda found: " ".join(map(_bar, unescape(_TAG.sub("", found[1])).split())), html)


def _bar(word: str) -> str:
    return f'<span class="bar" style="width: {min(max(len(word), 2) * 0.52, 12):.2f}em"></span>'


def _entry_data(entry: Entry) -> object:
    """Return an entry as HTML: a text, a list of texts, or a list of names with their texts."""
    if isinstance(entry, str):
        return plain_html(entry, inline=True)
    return [
        plain_html(each, inline=True)
        if isinstance(each, str)
        else {"key": each[0], "name": plain_html(each[0], inline=True), "text": plain_html(each[1], inline=True)}
        for each in entry
    ]


def _large(handout: Handout, look: Look, leaf: HandoutPage, measure: MeasureOf) -> Mapping[str, object]:
    """Return the fields that are set in large letters.

    A list gives its entries, in alternate faces where the style says so.
    """
    style, lettering, across = handout.style, look.lettering, leaf.inner.width
    above, _, below, _ = leaf.margins
    along = (style.sizes[-1].height if style.sizes else leaf.size.height) - above - below

    def fitted_lines(text: str, room: Room, *, other: bool = False) -> dict[str, object]:
        width, height = across * room.width, along * room.height * min(leaf.scale, 1.0)
        face = replace(lettering, family=LABELS) if other else lettering
        made = large(plain(text), face, measure(face.family, face.weight), width=width, height=height, lines=room.lines)
        return {**made, "family": face.family, "weight": face.weight}

    found: dict[str, object] = {name: [] if handout.style.fields.get(name) == "list" else "" for name in style.large}
    for name, room in style.large.items():
        entry = handout.entries.get(name)
        if isinstance(entry, str) and entry:
            found[name] = fitted_lines(entry, room)
        elif isinstance(entry, tuple):
            lines = [each for each in entry if isinstance(each, str)]
            mixed = not lettering.even
            found[name] = [fitted_lines(each, room, other=mixed and at % 2 == 0) for at, each in enumerate(lines)]
    return found


def _typed(handout: Handout, leaf: HandoutPage, measure: MeasureOf) -> dict[str, object] | str:
    """Return the text as it is typed; a smaller scale puts more letters on a line of the same width."""
    how = handout.style.typed
    if how is None or not handout.text:
        return ""
    return {
        **typed(plain_lines(handout.text), replace(how, columns=round(how.columns / leaf.scale)), measure(LABELS, 400)),
        "across": leaf.inner.width * how.width,
    }


def plain_lines(text: str) -> str:
    """Return a text line by line as it was written, with its quotes and dashes set right."""
    return "\n".join(_indented(line) for line in text.splitlines())


def _indented(line: str) -> str:
    words = line.lstrip()
    return line[: len(line) - len(words)] + (plain(words) if words else "")


def edges(size: Size, name: str) -> dict[str, str]:
    """Return the edges of a leaf as SVG paths in mm, the same for the same name.

    They are `torn` on all sides, `ripped` on the left and below, or have `teeth` above and below.
    """
    left, top, right, bottom = INSET, INSET, size.width - INSET, size.height - INSET
    rough = _roughness(name)
    sides = [
        _tear((left, top), (right, top), rough),
        _tear((right, top), (right, bottom), rough),
        _tear((right, bottom), (left, bottom), rough),
        _tear((left, bottom), (left, top), rough),
    ]
    straight = [[(left, top)], [(right, top)], [(right, bottom)], [(left, bottom)]]
    return {
        "torn": _closed([*sides[0], *sides[1], *sides[2], *sides[3]]),
        "ripped": _closed([*straight[0], *straight[1], *sides[2], *sides[3]]),
        "teeth": _closed([*_teeth(left, right, top, 1), *reversed(list(_teeth(left, right, bottom, -1)))]),
    }


def _roughness(name: str) -> Iterator[float]:
    """Numbers from 0 to 1 without end, always the same for a name."""
    number = 0
    while True:
        yield from (byte / 255 for byte in blake2b(f"{name} {number}".encode()).digest())
        number += 1


def _tear(start: Point, end: Point, rough: Iterator[float]) -> list[Point]:
    """Return a rough way from one corner towards the next, going inwards, which is to the right of it."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = abs(across) + abs(down)
    steps = max(ceil(length / 2.6), 2)
    inwards = (-down / length, across / length)
    slow = [next(rough) for _ in range(steps // 5 + 3)]
    found = [start]
    for step in range(1, steps):
        part = (step - 0.3 + 0.6 * next(rough)) / steps
        place = step / 5
        wave = slow[int(place)] * (1 - place % 1) + slow[int(place) + 1] * (place % 1)
        deep = REACH * (0.65 * wave + 0.35 * next(rough))
        found.append((start[0] + across * part + inwards[0] * deep, start[1] + down * part + inwards[1] * deep))
    return found


def _teeth(left: float, right: float, y: float, sign: int) -> Iterator[Point]:
    count = max(round((right - left) / TOOTH), 1)
    wide = (right - left) / count
    yield (left, y)
    for tooth in range(count):
        yield (left + (tooth + 0.5) * wide, y + sign * wide * 0.55)
        yield (left + (tooth + 1) * wide, y)


def _closed(points: list[Point]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + "Z"
