"""A handout as plain data for its template: fields as HTML, large letters and typed lines fitted, secrets left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape, unescape
from math import ceil

from sheetgen.documents.figures.svg import TextWidth
from sheetgen.documents.handout.lettering import STEP, Measure, around, hand_of_writer, large, roughness, typed, written
from sheetgen.documents.handout.secrets import grille, halves, map_data, pricked, wheel
from sheetgen.documents.markdown import plain_html
from sheetgen.geometry import POINTS_PER_MM, Size
from sheetgen.model.handout import Catalogue, Hand, Handout, Lettering, Look, Pairs, Room
from sheetgen.model.wording import without_runt

TEMPLATE = "handout.html"
LABELS, SERIF = "Source Sans Pro", "Source Serif Pro"
BLACKLETTER = "UnifrakturMaguntia"
TEXT = 10.5  # pt, on a full page
WRITERS = ("from", "signed", "officer", "name", "by")  # the fields that tell who wrote it, the first that is there
INSET, REACH, TOOTH = 3.2, 1.5, 2.4  # mm: of the edges of paper from the cut, how far a tear goes in, a tooth
TITLE_OF_MAP, HEAD_OF_MAP = 34.0, 22.0  # mm
LEAST_MAP = 0.55  # of the page, however much stands below it: more goes on behind
WIDE_MAP = 210.0  # mm; names on wider maps grow with them
LOWEST_MAP = 210.0  # mm: what stands beside a map on lower pages takes less, as its letters do
BAR = 2.4  # em: a piece of the bar over what is struck out
SMALL = {148: 0.9, 139.7: 0.9, 105: 0.8}  # how large type is on papers of this width

_STRUCK = re.compile(r"<s>(.*?)</s>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")

Point = tuple[float, float]


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


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """The address of a picture, and what must be seen of it, in per cent from the left and the top."""

    address: str = ""
    focus: tuple[float, float] = (50.0, 50.0)


@dataclass(frozen=True, slots=True)
class Faces:
    """What is known of faces: what measures a text in a family and a weight, which of its letters a family lacks, and

    where the baseline of a family is in a line as high as its letters, in em from above; and which texts run leftwards.
    """

    measure: Callable[[str, int], Measure]
    lacks: Callable[[str, str], str]
    baseline: Callable[[str], float]
    leftwards: Callable[[str], bool]
    text_width: TextWidth


def hand_of(handout: Handout, catalogue: Catalogue, look: Look) -> Hand:
    """Return the hand that a handout is written by: its own, else that of its style, else that of its look.

    Each writer has it in a way of their own.
    """
    return hand_of_writer(catalogue.hands[handout.hand or handout.style.hand or look.hand], _writer(handout))


def _writer(handout: Handout) -> str:
    """Return who wrote a handout, as far as it says so; not whom a clerk writes for, nor where a journey begins."""
    if handout.style.typed is not None or handout.style.name == "ticket":
        return ""
    return plain(next((str(handout.entries[name]) for name in WRITERS if handout.entries.get(name)), ""))


def handout_data(
    handout: Handout,
    catalogue: Catalogue,
    look: Look,
    leaf: HandoutPage,
    *,
    ink: Ink,
    faces: Faces,
    picture: ShownPicture,
) -> dict[str, object]:
    """Return what the template of a handout is told; `picture` is its picture, if it has one."""
    measure, hand, leftwards = faces.measure, hand_of(handout, catalogue, look), faces.leftwards(handout.text)
    if leftwards:
        hand = Hand("print", "no hand of ours writes from right to left")
    fields: dict[str, object] = {
        name: [] if kind in ("list", "pairs", "symbols") else "" for name, kind in handout.style.fields.items()
    }
    for name, entry in handout.entries.items():
        if not isinstance(entry, Mapping):
            fields[name] = _entry_data(entry)
    said = plain_html(handout.text) if handout.text else ""
    said = barred(said) if handout.style.bars else said
    if "hidden" in handout.entries:
        said = pricked(said, str(handout.entries["hidden"]), handout.places["hidden"])
    signer = hand_of_writer(catalogue.hands[look.hand], _writer(handout)) if hand.loose else hand  # who types signs
    return {
        "name": handout.name,
        "style": handout.style.name,
        "look": look.name,
        "accent": ink.accent,
        "ink_saver": ink.saver,
        "leftwards": leftwards,
        "f": {
            **{name: without_runt(entry) if isinstance(entry, str) else entry for name, entry in fields.items()},
            "picture": picture.address,
        },
        "focus": picture.focus,
        "made": _handout_body(handout, leaf, hand, faces, ink),
        "html": said,
        "hand": _hand_data(hand, look, faces),
        "pen": _hand_data(signer, look, faces),
        "written": written(said, hand, handout.name, even=ink.saver),
        "words": _by_hand(fields, hand, handout.name, ink),
        "by_hand": _by_hand(fields, signer, handout.name, ink),
        "by_hand_text": written(said, signer, handout.name, even=ink.saver),
        "large": _large(handout, look, leaf, faces),
        "typed": _typed(handout, leaf, measure, hand),
        "seals": {
            name: around(str(entry), measure(LABELS, 600))
            for name, entry in handout.entries.items()
            if handout.style.fields[name] == "seal" and entry
        },
        "lengths": _lengths(handout, measure),
        "symbols": dict(catalogue.symbols),
        "edges": edges(leaf.size, handout.name),
        "counts": list(range(100)),
        "closed": leaf.closed,
        "text_size": round(TEXT * leaf.scale, 3),
        "page": _page_data(leaf),
    }


def _handout_body(handout: Handout, leaf: HandoutPage, hand: Hand, faces: Faces, ink: Ink) -> Mapping[str, object]:
    """Return what is made of the text or the data of a handout: a cipher, two halves, a map."""
    text, place = handout.text, handout.places.get("text", handout.place)
    match handout.style.made:
        case "wheel":
            return wheel(plain(text), str(handout.entries["key"]), handout.places.get("key", place))
        case "grille":
            return grille(plain(text), handout.name, place)
        case "halves":
            return _halves(handout, leaf, hand, faces)
        case "map":
            params = handout.entries["map"]
            assert isinstance(params, Mapping)
            room = Size(leaf.inner.width, leaf.inner.height - _beside_map(handout, leaf))
            larger, place = max(1.0, leaf.inner.width / WIDE_MAP), handout.places["map"]
            return map_data(params, room, ink.accent, faces.text_width, place, larger=larger)
    return {}


def _beside_map(handout: Handout, leaf: HandoutPage) -> float:
    """Return how much of a page, in mm, a map leaves to its title and its foot, and to what the GM is told below it."""
    wide = leaf.inner.width * POINTS_PER_MM / (TEXT * leaf.scale) * 2.1  # letters of a line
    lines = sum(ceil(len(each) / wide) for each in handout.text.split("\n\n") if each)
    part = min(1.0, leaf.size.height / LOWEST_MAP)  # of what they take on A4
    below = part * HEAD_OF_MAP + lines * 1.6 * TEXT * leaf.scale / POINTS_PER_MM
    return max(part * TITLE_OF_MAP, min(below, (1 - LEAST_MAP) * leaf.inner.height))


def _halves(handout: Handout, leaf: HandoutPage, hand: Hand, faces: Faces) -> dict[str, object]:
    """Return the lines of a handout, from the greeting to the name, torn through the middle."""
    points, family = TEXT * leaf.scale * hand.size, hand.families[0] if hand.families else SERIF
    apart = points * hand.spacing / POINTS_PER_MM
    measure, pitch = faces.measure(family, 400), points * max(hand.leading, 1.15) / POINTS_PER_MM
    entries = {name: plain(str(handout.entries[name])) for name in ("to", "from") if name in handout.entries}
    lines = [entries.get("to", ""), *map(plain, handout.text.split("\n\n")), entries.get("from", "")]
    said = [line for line in lines if line]
    inner, wide = leaf.inner, lambda each: measure(each, points) / POINTS_PER_MM + len(each) * apart
    return halves(said, wide, width=inner.width, height=inner.height, pitch=pitch, seed=handout.name)


def _lengths(handout: Handout, measure: Callable[[str, int], Measure]) -> dict[str, float]:
    """Return how long, in em, each field of one line is in bold capitals, as on tabs and stamps."""
    bold = measure(LABELS, 700)
    lines = {name: plain(each).upper() for name, each in handout.entries.items() if isinstance(each, str)}
    return {name: max(bold(each, 1.0), 1.0) for name, each in lines.items()}


def _page_data(leaf: HandoutPage) -> dict[str, float]:
    above, right, below, left = leaf.margins
    return {
        "width": leaf.size.width,
        "height": leaf.size.height,
        "paper": leaf.size.height + leaf.spare,
        "top": above,
        "right": right,
        "bottom": below,
        "left": left,
        "across": round(leaf.inner.width, 3),
        "along": round(leaf.inner.height, 3),
    }


def _by_hand(fields: Mapping[str, object], hand: Hand, seed: str, ink: Ink) -> dict[str, str]:
    """Return the fields of one line as a hand writes them."""
    return {
        name: written(entry, hand, f"{seed} {name}", even=ink.saver)
        for name, entry in fields.items()
        if isinstance(entry, str)
    }


def _hand_data(hand: Hand, look: Look, faces: Faces) -> dict[str, object]:
    """Return the faces of a hand as CSS, its size and its line, and where its baseline is."""
    families = hand.families or (look.lettering.family,)
    print_face = LABELS if hand.loose else SERIF
    return {
        "name": hand.name,
        "print": hand.is_print,
        "machine": bool(hand.loose),
        "family": ", ".join(f"'{family}'" for family in dict.fromkeys((*families, print_face))),
        "size": hand.size,
        "leading": hand.leading,
        "spacing": hand.spacing,
        "baseline": faces.baseline(families[0]),
    }


def plain(text: str) -> str:
    """Return a text with its quotes and dashes set right, and without any marks of Markdown."""
    return unescape(_TAG.sub("", plain_html(text, inline=True)))


def barred(html: str) -> str:
    """Return the HTML with bars for what is struck out: what it said, and how long its words were, is not there."""
    return _STRUCK.sub(lambda found: _bars(unescape(_TAG.sub("", found[1]))), html)


def _bars(secret: str) -> str:
    """Return one long bar that may break between lines; it is a little longer than what it covers, in even steps."""
    count = max(ceil(len(secret) * 0.5 / BAR) + 1, 3)
    return "\u200b".join([f'<span class="bar" style="width: {BAR}em"></span>'] * count)


def _entry_data(entry: str | tuple[str, ...] | Pairs) -> object:
    """Return an entry as HTML: a text, a list of texts, or a list of names with their texts."""
    if isinstance(entry, str):
        return plain_html(entry, inline=True)
    return [
        plain_html(each, inline=True)
        if isinstance(each, str)
        else {"key": each[0], "name": plain_html(each[0], inline=True), "text": plain_html(each[1], inline=True)}
        for each in entry
    ]


def _large(handout: Handout, look: Look, leaf: HandoutPage, faces: Faces) -> Mapping[str, object]:
    """Return the fields that are set in large letters.

    A list gives its entries, in alternate faces where the style says so.
    """
    style, lettering, across = handout.style, look.lettering, leaf.inner.width
    above, _, below, _ = leaf.margins
    along = (style.sizes[-1].height if style.sizes else leaf.size.height) - above - below

    def fitted_lines(text: str, room: Room, *, other: bool = False, black: bool = False) -> dict[str, object]:
        width, height = across * room.width, along * room.height * min(leaf.scale, 1.0)
        face = replace(lettering, family=LABELS) if other else lettering
        if black and not faces.lacks(plain(text), BLACKLETTER):
            face = Lettering(BLACKLETTER, 400, (0.85, 1.1), spacing=0.02, capitals=False)
        measured = faces.measure(face.family, face.weight)
        made = large(plain(text), face, measured, width=width, height=height, lines=room.lines)
        return {**made, "family": face.family, "weight": face.weight}

    found: dict[str, object] = {name: [] if handout.style.fields.get(name) == "list" else "" for name in style.large}
    for name, room in style.large.items():
        entry = handout.entries.get(name)
        if isinstance(entry, str) and entry:
            found[name] = fitted_lines(entry, room, black=look.name in style.blackletter.get(name, ()))
        elif isinstance(entry, tuple):
            lines = [each for each in entry if isinstance(each, str)]
            mixed = not lettering.even
            found[name] = [fitted_lines(each, room, other=mixed and at % 2 == 0) for at, each in enumerate(lines)]
    return found


def _typed(
    handout: Handout, leaf: HandoutPage, measure: Callable[[str, int], Measure], hand: Hand
) -> dict[str, object] | str:
    """Return the text as it is typed; a smaller scale puts more letters on a line of the same width."""
    how = handout.style.typed
    if how is None or not handout.text:
        return ""
    columns, family = round(how.columns / leaf.scale), hand.families[0] if hand.families else LABELS
    made = typed(plain_lines(handout.text), replace(how, columns=columns), measure(family, 400))
    lines = [written(escape(line), hand, f"{handout.name} {line}") for line in made]
    return {"lines": lines, "size": round(leaf.inner.width * how.width / columns / STEP, 4)}


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
    rough = roughness(name)
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
