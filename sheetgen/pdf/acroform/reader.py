"""A given fillable PDF read as a form: every field with its kind, its places and its style.

Nothing is taken for granted of a stranger's file: an entry of the wrong type counts as missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pikepdf
from pikepdf import AcroFormField, Array, Dictionary, FormFieldFlag, Name, Object, Stream, String

from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import Box
from sheetgen.model.acroform import OFF, Acroform, Blank, Kind, Spot

MOST_FIELDS = 5_000
DEEPEST = 64
DIRECT = (0, 0)  # the number of what is written inside something else
LONGEST_COMB = 200
_LARGEST = 20_000.0  # points: what is further off is on no page
HIDDEN, PRINTED = (1 << 1) | (1 << 5), 1 << 2  # flags of annotations
_ALIGNS: tuple[Literal["left", "center", "right"], ...] = ("left", "center", "right")
_FONT = re.compile(r"/(\S+)\s+(-?[\d.]+)\s+Tf")
_COLOUR = re.compile(r"((?:-?[\d.]+\s+){1,4})(g|rg|k)\b")
_BOLD = re.compile(r"bold|black|heavy|^hebo$|^tibo$|-[6-9]00")
_SERIF = ("times", "serif", "georgia", "garamond", "palatino", "roman", "minion", "cambria", "book", "caslon")


@dataclass(slots=True)
class FormField:
    """A field of an open form, the dictionaries that hold its value, and the widget of each of its spots."""

    blank: Blank
    homes: list[Object]
    widgets: list[Object]


def read(source: pikepdf.Pdf, shown: str) -> Acroform:
    """Return what there is to fill in; InputError for a PDF without fields, or with more than anybody could fill."""
    each = fields_of(source, shown)
    return Acroform(len(source.pages), tuple(found.blank for found in each), tuple(_notes(source)))


def fields_of(source: pikepdf.Pdf, shown: str) -> list[FormField]:
    """Return the fields in the order in which one reads, each with its dictionaries; InputError as `read`."""
    if source.is_encrypted and not source.allow.modify_form:
        raise refused(shown, "is locked by its maker against filling in")
    found = fields_on_pages(source, shown)
    if not found:
        raise refused(shown, _why_nothing(source.Root))
    return found


def fields_on_pages(source: pikepdf.Pdf, shown: str) -> list[FormField]:
    """Return the fields as `fields_of`, none for a PDF without; InputError for too many, and for a form that is XFA."""
    if not isinstance(source.Root.get("/AcroForm"), Dictionary):
        source.Root.AcroForm = source.make_indirect(Dictionary(Fields=Array()))
    pages = _pages_of_widgets(source)
    source.acroform.invalidate_cache()
    by_name: dict[str, list[AcroFormField]] = {}
    for each in source.acroform.fields:
        by_name.setdefault(each.fully_qualified_name, []).append(each)
    if len(by_name) > MOST_FIELDS:
        raise refused(shown, f"has {len(by_name):,} fields; up to {MOST_FIELDS:,} are taken")
    made = (_field(source, name, same, pages) for name, same in by_name.items() if name)
    found = [each for each in made if each is not None]
    if not found and inside(source.Root, "/AcroForm", "/XFA") is not None:
        raise refused(shown, _why_nothing(source.Root))
    spots = {each.blank.name: each.blank.spots[0] for each in found}
    rows = {name: (spot.page, -round(spot.box.top / 6), spot.box.x) for name, spot in spots.items()}
    return sorted(found, key=lambda each: rows[each.blank.name])


def refused(shown: str, why: str) -> InputError:
    """Return why a form cannot be filled, as an error."""
    return InputError([Problem(Place(shown), why)])


def _pages_of_widgets(source: pikepdf.Pdf) -> dict[tuple[int, int], int]:
    """Return the page of each annotation; those written within the list of a page become objects of their own."""
    pages: dict[tuple[int, int], int] = {}
    for number, page in enumerate(source.pages):
        listed = page.obj.get("/Annots")
        for at, each in enumerate(array(listed)):
            if isinstance(each, Dictionary):
                if each.objgen == DIRECT and isinstance(listed, Array):
                    listed[at] = each = source.make_indirect(each)  # noqa: PLW2901
                pages.setdefault(each.objgen, number)
    return pages


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


def _field(
    source: pikepdf.Pdf, name: str, same: Sequence[AcroFormField], pages: Mapping[tuple[int, int], int]
) -> FormField | None:
    """Return the field of that name, however many dictionaries share it; None for what cannot be filled or seen."""
    form, entry = source.Root.AcroForm, same[0].get_inheritable_field_value
    flags = whole(entry("/Ff"))
    kind = _field_kind(entry("/FT"), flags)
    homes = list({home.objgen: home for home in map(_home, same)}.values())
    listed = [each for home in homes for each in (home, *dictionaries(home.get("/Kids")))]
    order = {each.objgen: at for at, each in enumerate(listed)}
    widgets = [each.obj for field in same for each in source.acroform.get_annotations_for_field(field)]
    widgets.sort(key=lambda widget: order.get(widget.objgen, len(order)))
    placed = [
        (each, box)
        for each in widgets
        if (box := _box(each)) and each.objgen in pages and not whole(each.get("/F")) & HIDDEN
    ]
    if kind is None or not placed:
        return None
    widgets = [widget for widget, _ in placed]
    states = _states(widgets) if kind in ("tick", "radio") else [""] * len(widgets)
    if kind == "tick" and len(set(states)) > 1:
        kind = "radio"  # boxes of one name of which one is ticked
    spots = tuple(Spot(pages[each.objgen], box, state) for (each, box), state in zip(placed, states, strict=True))
    longest, typed = whole(entry("/MaxLen")), kind in ("line", "area")
    options = _labelled(entry("/Opt"), states) if kind == "radio" else _options(entry("/Opt"))
    blank = Blank(
        name,
        text(same[0].obj.get("/TU") or homes[0].get("/TU")),
        kind,
        spots,
        value=value_of(entry("/V")),
        options=() if typed else options,
        open=bool(flags & FormFieldFlag.ch_edit),
        listed=kind == "choice" and not flags & FormFieldFlag.ch_combo,
        longest=max(longest, 0) if typed else 0,
        comb=kind == "line" and bool(flags & FormFieldFlag.tx_comb) and 0 < longest <= LONGEST_COMB,
        unseen=truth(form.get("/NeedAppearances")) or not all(map(_has_picture, widgets)),
        **_style(widgets[0], same[0], form),
    )
    return FormField(blank, homes, widgets)


def _home(field: AcroFormField) -> Object:
    """Return the dictionary that holds the value of a field: its own, or the one above a widget without a name."""
    return next((each for each in lineage(field.obj) if "/T" in each), field.obj)


def lineage(node: Object) -> Iterator[Object]:
    """Yield a dictionary and those above it, the nearest first."""
    for _ in range(DEEPEST):
        yield node
        above = node.get("/Parent")
        if not isinstance(above, Dictionary):
            return
        node = above


def _field_kind(of: object, flags: int) -> Kind | None:
    if of == Name.Tx:
        unfillable = FormFieldFlag.tx_password | FormFieldFlag.tx_file_select
        return None if flags & unfillable else "area" if flags & FormFieldFlag.tx_multiline else "line"
    if of == Name.Btn:
        if flags & FormFieldFlag.btn_pushbutton:
            return None
        return "radio" if flags & FormFieldFlag.btn_radio else "tick"
    return "choice" if of == Name.Ch else None


def _states(widgets: list[Object]) -> list[str]:
    """Return the name of the “on” state of each widget; one of ours where it has none."""
    named = [next((each for each in _appearances(widget) if each != OFF), "") for widget in widgets]
    return [name or ("On" if len(named) == 1 else f"On{at}") for at, name in enumerate(named, 1)]


def _appearances(widget: Object) -> list[str]:
    """Return the names of the states that a button has appearances for."""
    for key in ("/N", "/D"):
        states = inside(widget, "/AP", key)
        if isinstance(states, Dictionary):
            return sorted(name.removeprefix("/") for name in set(states.keys()))  # in no order of their own
    return []


def _has_picture(widget: Object) -> bool:
    return isinstance(inside(widget, "/AP", "/N"), (Dictionary, Stream))


def _options(listed: object) -> tuple[tuple[str, str], ...]:
    """Return the choices, each as its stored and its shown name."""
    found = []
    for each in array(listed):
        if isinstance(each, Array) and len(each) == 2:
            found.append((text(each[0]), text(each[1])))
        elif isinstance(each, String):
            found.append((str(each), str(each)))
    return tuple(found)


def _labelled(listed: object, states: list[str]) -> tuple[tuple[str, str], ...]:
    """Return the states of a radio, each with its label, if the form has labels."""
    labels = [text(each) for each in array(listed)]
    labels = labels if len(labels) == len(states) else states
    return tuple(dict.fromkeys((state, label or state) for state, label in zip(states, labels, strict=True)))


def _style(widget: Object, field: AcroFormField, form: Object) -> dict[str, Any]:
    """Return alignment, size, colour and kind of face of text, as the widget, its field or the whole form says."""

    def said(key: str) -> object:
        places = (widget.get(key), field.get_inheritable_field_value(key), form.get(key))
        return next((each for each in places if each is not None), None)

    words, aligned = text(said("/DA")), said("/Q")
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
    """Return the name of the font behind a resource name, in lower case."""
    return str(inside(form, "/DR", "/Font", f"/{name}", "/BaseFont") or name).lower()


def _rgb(parts: list[str]) -> tuple[float, float, float]:
    """Return a colour in grey, RGB or CMYK as red, green and blue."""
    numbers = [min(max(number(part), 0.0), 1.0) for part in parts]
    if len(numbers) == 3:
        return numbers[0], numbers[1], numbers[2]
    if len(numbers) == 4:
        cyan, magenta, yellow, black = numbers
        return (1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black)
    grey = numbers[0] if len(numbers) == 1 else 0.0
    return grey, grey, grey


def _box(widget: Object) -> Box | None:
    """Return the box of a widget; None for one without a size or far off every page."""
    corners = widget.get("/Rect")
    if not isinstance(corners, Array) or len(corners) != 4:
        return None
    x1, y1, x2, y2 = (number(each) for each in array(corners))
    left, low, width, height = min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)
    if min(width, height) < 1 or max(abs(x1), abs(y1), abs(x2), abs(y2)) > _LARGEST:
        return None
    return Box(left, low, width, height)


def value_of(value: object) -> str:
    """Return a text, or a name without its slash; nothing for any other value."""
    return str(value).removeprefix("/") if isinstance(value, (String, Name)) else ""


def text(value: object) -> str:
    """Return a text, or nothing."""
    return str(value) if isinstance(value, (String, str)) else ""


def whole(value: object) -> int:
    """Return a whole number, or 0."""
    return value if isinstance(value, int) and abs(value) < 1 << 32 else 0


def number(value: object) -> float:
    """Return a number that can be a length or a colour, or 0."""
    try:
        found = float(value)  # type: ignore[arg-type]  # no number raises
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return found if abs(found) < 1e9 else 0.0


def array(value: object) -> list[Object]:
    """Return the items of a list, or nothing."""
    return list(value) if isinstance(value, Array) else []


def dictionaries(value: object) -> list[Object]:
    """Return the dictionaries of a list."""
    return [each for each in array(value) if isinstance(each, Dictionary)]


def inside(value: object, *keys: str) -> Object | None:
    """Return the entry at the end of a path of keys through dictionaries, or None."""
    for key in keys:
        value = value.get(key) if isinstance(value, Dictionary) else None
    return value  # type: ignore[return-value]


def truth(value: object) -> bool:
    """Return whether a value is the boolean true."""
    return value is True
