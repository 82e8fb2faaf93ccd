"""Anybody's fillable PDF read as a form: every field with its kind, its places and its style, however it is written.

Nothing is taken for granted of a stranger's file: what has the wrong type is as if it were not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream, String

from sheetgen.geometry import Box
from sheetgen.model.acroform import OFF, Acroform, Blank, Kind, Spot
from sheetgen.pdf.acroform.field_tree import Node, pages_of_widgets, refused, tree
from sheetgen.pdf.acroform.tolerant_access import array, inside, number, text, truth, value_of, whole

MOST_FIELDS = 5_000
LONGEST_COMB = 200
_LARGEST = 20_000.0  # points: what is further off is on no page
_HIDDEN = (1 << 1) | (1 << 5)  # annotation flags: hidden, not to be viewed
_RADIO, _PUSH = 1 << 15, 1 << 16
_MULTILINE, _PASSWORD, _FILE, _COMB = 1 << 12, 1 << 13, 1 << 20, 1 << 24
_COMBO, _EDITABLE = 1 << 17, 1 << 18
_ALIGNS: tuple[Literal["left", "center", "right"], ...] = ("left", "center", "right")
_FONT = re.compile(r"/(\S+)\s+(-?[\d.]+)\s+Tf")
_COLOUR = re.compile(r"((?:-?[\d.]+\s+){1,4})(g|rg|k)\b")
_BOLD = re.compile(r"bold|black|heavy|^hebo$|^tibo$|-[6-9]00")
_SERIF = ("times", "serif", "georgia", "garamond", "palatino", "roman", "minion", "cambria", "book", "caslon")


@dataclass(slots=True)
class Found:
    """A field that was read, the dictionaries it is written in, and the widget of each of its spots."""

    blank: Blank
    homes: list[Object]
    widgets: list[Object]


def read(source: pikepdf.Pdf, shown: str) -> Acroform:
    """What there is to fill in; InputError for a PDF without fields, or with fields that nobody could fill."""
    each = fields_of(source, shown)
    return Acroform(len(source.pages), tuple(found.blank for found in each), tuple(_notes(source)))


def fields_of(source: pikepdf.Pdf, shown: str) -> list[Found]:
    """The fields in the order in which one reads, each with its dictionaries; InputError as `read`."""
    if source.is_encrypted and not source.allow.modify_form:
        raise refused(shown, "is locked by its maker against filling in")
    root = source.Root
    form = inside(root, "/AcroForm") if isinstance(inside(root, "/AcroForm"), Dictionary) else None
    form = Dictionary() if form is None else form
    pages = pages_of_widgets(source)
    by_name: dict[str, list[Node]] = {}
    for each in tree(source, form, shown):
        by_name.setdefault(each.name, []).append(each)
    if len(by_name) > MOST_FIELDS:
        raise refused(shown, f"has {len(by_name):,} fields; up to {MOST_FIELDS:,} are taken")
    made = (_found(name, same, form, pages) for name, same in by_name.items())
    found = [each for each in made if each is not None]
    if not found:
        raise refused(shown, _why_nothing(root))
    return sorted(found, key=_reading_order)


def _why_nothing(root: Object) -> str:
    if inside(root, "/AcroForm", "/XFA") is not None or truth(root.get("/NeedsRendering")):
        return "is an XFA form, which only Adobe’s own reader shows: ask its maker for an ordinary one"
    return "has no fields to fill in"


def _notes(source: pikepdf.Pdf) -> Iterator[str]:
    if inside(source.Root, "/AcroForm", "/XFA") is not None:
        yield "its XFA part is left out: the ordinary fields are filled"
    if computed := len(array(inside(source.Root, "/AcroForm", "/CO"))):
        yield f"scripts work out {computed} of its fields: they are left out, and what they would say stays as it is"
    if whole(inside(source.Root, "/AcroForm", "/SigFlags")) & 1:
        yield "it has a place to be signed: whoever has signed already must do it again"


def _reading_order(found: Found) -> tuple[int, float, float]:
    spot = found.blank.spots[0]
    return spot.page, -round(spot.box.top / 6), spot.box.x


def _found(name: str, same: list[Node], form: Object, pages: Mapping[tuple[int, int], int]) -> Found | None:
    """The field of that name, however many dictionaries share it; None for what cannot be filled or seen."""
    entries, homes = same[0].entries, [each.home for each in same]
    flags = whole(entries.get("/Ff"))
    kind = _kind(entries.get("/FT"), flags)
    placed = [(widget, box) for each in same for widget in each.widgets if (box := _box(widget)) and _is_seen(widget)]
    placed = [(widget, box) for widget, box in placed if widget.objgen in pages]
    if not name or kind is None or not placed:
        return None
    widgets = [widget for widget, _ in placed]
    states = _states(widgets) if kind in ("tick", "radio") else [""] * len(widgets)
    if kind == "tick" and len(set(states)) > 1:
        kind = "radio"  # boxes of one name of which one is ticked
    spots = tuple(Spot(pages[each.objgen], box, state) for (each, box), state in zip(placed, states, strict=True))
    longest, typed = whole(entries.get("/MaxLen")), kind in ("line", "area")
    options = _labelled(entries.get("/Opt"), states) if kind == "radio" else _options(entries.get("/Opt"))
    blank = Blank(
        name,
        text(entries.get("/TU")),
        kind,
        spots,
        value=value_of(entries.get("/V")),
        options=() if typed else options,
        open=bool(flags & _EDITABLE),
        listed=kind == "choice" and not flags & _COMBO,
        longest=max(longest, 0) if typed else 0,
        comb=kind == "line" and bool(flags & _COMB) and 0 < longest <= LONGEST_COMB,
        unseen=any(map(_lacks_picture, widgets)) or truth(form.get("/NeedAppearances")),
        **_style(widgets[0], entries, form),
    )
    return Found(blank, homes, widgets)


def _kind(of: object, flags: int) -> Kind | None:
    if of == Name.Tx:
        return None if flags & (_PASSWORD | _FILE) else "area" if flags & _MULTILINE else "line"
    if of == Name.Btn:
        return None if flags & _PUSH else "radio" if flags & _RADIO else "tick"
    return "choice" if of == Name.Ch else None


def _states(widgets: list[Object]) -> list[str]:
    """What each widget calls its “on”; a name of ours where it does not say."""
    named = [next((each for each in _appearances(widget) if each != OFF), "") for widget in widgets]
    return [name or ("On" if len(named) == 1 else f"On{at}") for at, name in enumerate(named, 1)]


def _appearances(widget: Object) -> list[str]:
    """The names of the states that a button has pictures for."""
    for key in ("/N", "/D"):
        states = inside(widget, "/AP", key)
        if isinstance(states, Dictionary):
            return sorted(name.removeprefix("/") for name in set(states.keys()))  # in no order of their own
    return []


def _lacks_picture(widget: Object) -> bool:
    return not isinstance(inside(widget, "/AP", "/N"), (Dictionary, Stream))


def _options(listed: object) -> tuple[tuple[str, str], ...]:
    """The choices, each as what is stored and what is shown."""
    found = []
    for each in array(listed):
        if isinstance(each, Array) and len(each) == 2:
            found.append((text(each[0]), text(each[1])))
        elif isinstance(each, String):
            found.append((str(each), str(each)))
    return tuple(found)


def _labelled(listed: object, states: list[str]) -> tuple[tuple[str, str], ...]:
    """The states of a radio, each with the label that the form gives it, if any."""
    labels = [text(each) for each in array(listed)]
    labels = labels if len(labels) == len(states) else states
    return tuple(dict.fromkeys((state, label or state) for state, label in zip(states, labels, strict=True)))


def _style(widget: Object, entries: Mapping[str, Any], form: Object) -> dict[str, Any]:
    """How text is set: alignment, size, colour and the kind of face, from the widget, its field or the whole form."""
    written = next((each for each in (widget.get("/DA"), entries.get("/DA"), form.get("/DA")) if each is not None), "")
    words = text(written)
    aligned = next((each for each in (widget.get("/Q"), entries.get("/Q"), form.get("/Q")) if each is not None), 0)
    font = _FONT.findall(words)
    named = _font_name(form, font[-1][0]) if font else ""
    size = number(font[-1][1]) if font else 0.0
    colours = _COLOUR.findall(words)
    return {
        "align": _ALIGNS[aligned] if aligned in (0, 1, 2) else "left",
        "size": size if 0 < size <= 200 else 0.0,
        "colour": _rgb(colours[-1][0].split()) if colours else (0.0, 0.0, 0.0),
        "serif": any(word in named for word in _SERIF) and "sans" not in named,
        "bold": _BOLD.search(named) is not None,
        "italic": any(word in named for word in ("italic", "oblique")),
    }


def _font_name(form: Object, name: str) -> str:
    """What the font is called that a field names, in small letters."""
    return str(inside(form, "/DR", "/Font", f"/{name}", "/BaseFont") or name).lower()


def _rgb(parts: list[str]) -> tuple[float, float, float]:
    """A colour in grey, RGB or CMYK as red, green and blue."""
    numbers = [min(max(number(part), 0.0), 1.0) for part in parts]
    if len(numbers) == 3:
        return numbers[0], numbers[1], numbers[2]
    if len(numbers) == 4:
        cyan, magenta, yellow, black = numbers
        return (1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black)
    grey = numbers[0] if len(numbers) == 1 else 0.0
    return grey, grey, grey


def _box(widget: Object) -> Box | None:
    """Where a widget stands; None for what has no size or is off every page."""
    corners = widget.get("/Rect")
    if not isinstance(corners, Array) or len(corners) != 4:
        return None
    x1, y1, x2, y2 = (number(each) for each in array(corners))
    left, low, width, height = min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)
    if min(width, height) < 1 or max(abs(x1), abs(y1), abs(x2), abs(y2)) > _LARGEST:
        return None
    return Box(left, low, width, height)


def _is_seen(widget: Object) -> bool:
    return not whole(widget.get("/F")) & _HIDDEN
