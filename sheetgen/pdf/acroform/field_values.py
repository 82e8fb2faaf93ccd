"""Values for the fields of a given form: what each field holds then, and what its widgets show."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, String

from sheetgen.errors import quoted, suggestion
from sheetgen.model.acroform import OFF, Acroform, Blank, folded, is_yes
from sheetgen.pdf.acroform.appearance import WidgetFrame, WidgetStyle, mark_appearance
from sheetgen.pdf.acroform.reader import FormField, array, inside, number, text, whole
from sheetgen.pdf.fonts.bundled import SANS, SERIF
from sheetgen.pdf.fonts.face import AddedFont, Face, FaceName
from sheetgen.pdf.form.field_text import Unprintable, check, cleaned
from sheetgen.pdf.form.text_fitting import MARK

if TYPE_CHECKING:
    from sheetgen.pdf.form.font_fallback import FallbackFonts

_TURNS = {0: "1 0 0 1 0 0", 90: "0 1 -1 0 {w} 0", 180: "-1 0 0 -1 {w} {h}", 270: "0 -1 1 0 0 {h}"}
_FEW = 8
_A_FEW_WORDS = 12
_LABEL_SIZE = 6


@dataclass(frozen=True, slots=True, order=True)
class Shortfall:
    """A value that a field did not take in full, and why, in words that follow the name of the field."""

    name: str
    message: str


@dataclass(slots=True)
class FieldAnswer:
    """What a field holds, and each of its widgets with its appearance (None: its own) and its state, if a button.

    `first` is the number of the first choice that a list shows, `chosen` that of the marked one.
    """

    found: FormField
    value: Object
    shown: list[tuple[Object, Object | None, str]] = field(default_factory=list)
    first: int = 0
    chosen: int = -1


def faces_for(form: Acroform) -> tuple[FaceName, ...]:
    """Return the faces that the text of a form is set in; for an italic also the upright, which has more letters."""
    names = [_face_name(blank) for blank in form.blanks if blank.shows_text] or [FaceName(SANS)]
    return tuple(dict.fromkeys(each for name in names for each in (name, name.upright)))


def _face_name(blank: Blank) -> FaceName:
    return FaceName(SERIF if blank.serif else SANS, 700 if blank.bold else 400, blank.italic)


class FieldEditor:
    """Makes the answers for fields of one open PDF, set in our faces; collects as `shortfalls` what does not fit."""

    def __init__(self, source: pikepdf.Pdf, faces: Mapping[FaceName, Face], added: Sequence[AddedFont] = ()) -> None:
        self._source = source
        self._faces = {name: (face, b"/SG%d" % at) for at, (name, face) in enumerate(faces.items())}
        self.fonts = {font: face for face, font in self._faces.values()}
        self.added = {b"/SX%d" % at: font for at, font in enumerate(added)}
        self._fallback = _fallback(self.added)
        self.letters: dict[bytes, set[str]] = {}
        self.resources = source.make_indirect(Dictionary(Font=Dictionary()))
        self.shortfalls: list[Shortfall] = []

    def answer(self, found: FormField, said: str) -> FieldAnswer | None:
        """Return what a field holds when given a text; None if the field cannot take it."""
        blank = found.blank
        try:
            if blank.kind == "tick":
                return self._button(found, blank.spots[0].state if is_yes(said) else OFF)
            if blank.kind == "radio":
                state = self._option(blank, said)
                return None if state is None else self._button(found, state[0])
            if blank.kind == "choice":
                return self._choice_answer(found, said)
            return self._typed(found, said)
        except Unprintable as error:
            self.shortfalls.append(Shortfall(blank.name, str(error).partition(": ")[2]))
            return None

    def complete(self, found: FormField) -> FieldAnswer | None:
        """Return what a field holds already, with appearances for widgets without one; None if all have theirs."""
        if not found.blank.unseen:
            return None
        before = len(self.shortfalls)
        made = self.drawn(found)
        del self.shortfalls[before:]  # of what stood there before there is nothing to tell
        return made

    def drawn(self, found: FormField) -> FieldAnswer | None:
        """Return what a field holds already, with new appearances; None, and a shortfall, if it cannot be drawn."""
        blank = found.blank
        if blank.shows_text:
            # What stands there stands there, whether or not it could be put in.
            longest = blank.longest if blank.comb else 0
            return self.answer(
                FormField(replace(blank, open=True, longest=longest), found.homes, found.widgets), blank.value
            )
        known = {spot.state for spot in blank.spots}
        return self._button(found, blank.value if blank.value in known else OFF)

    def label(self, words: str) -> tuple[Object, float, float]:
        """Return a form XObject of a few small red words, and its width and height in points."""
        face, font = next(iter(self._faces.values()))
        kept = "".join(char for char in words if not face.missing(char))
        self._needs(font, kept)
        width, height = face.width(kept, _LABEL_SIZE) + 1, _LABEL_SIZE + 1
        box = Dictionary(Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, width, height], Resources=self.resources)
        text = b"0.8 0 0 rg BT%b %d Tf 0.5 2 Td%bTj ET" % (font, _LABEL_SIZE, face.string(kept))
        return self._source.make_indirect(pikepdf.Stream(self._source, text, box)), width, height

    def _typed(self, found: FormField, said: str) -> FieldAnswer:
        blank = found.blank
        looks = [self._look(blank, widget, said) for widget in found.widgets]
        words = cleaned(said, looks[0].field)
        kept = _shortened(words, blank)
        answer, rest = FieldAnswer(found, String(kept)), ""
        for look, widget in zip(looks, found.widgets, strict=True):
            drawn, left = self._set_words(look, kept)
            rest = max(rest, left, key=len)
            answer.shown.append((widget, self._widget_stream(widget, drawn), ""))
        if kept != words:
            self._report(blank, f"takes {blank.longest} characters, and {quoted(words)} has {len(words)}")
        if len(rest) >= len(kept) > 0:
            self._report(blank, f"has no room for {quoted(rest)}")
        elif rest:
            self._report(blank, f"has no room for the last {len(rest):,} of {len(kept):,} characters: {quoted(rest)}")
        return answer

    def _set_words(self, look: WidgetStyle, words: str) -> tuple[bytes, str]:
        """Return the appearance with these words, and those without room; Unprintable for letters that no font has."""
        if look.blank.comb:
            check(look.field, look.face, words)
            self._needs(look.font, words)
            return look.comb(words), ""
        if self._fallback is not None and look.face.missing(words.replace("\n", "")):
            mixed = self._fallback.set(look.field, look.face, look.font, words)
            for font, letters in mixed.letters.items():
                self._needs(font, letters)
            return look.whole(mixed.shown), mixed.fitted.rest
        check(look.field, look.face, words)
        drawn, fitted = look.text(words)
        self._needs(look.font, "".join(fitted.lines))
        return drawn, fitted.rest

    def _choice_answer(self, found: FormField, said: str) -> FieldAnswer | None:
        blank = found.blank
        if not blank.options and not blank.open:
            self._report(blank, "has no choices")
            return None
        option = ("", "") if not said.strip() else self._option(blank, said)
        if option is None:
            return None
        if not blank.listed:
            made = self._typed(FormField(replace(blank, longest=0), found.homes, found.widgets), option[1])
            made.found, made.value = found, String(option[0])
            return made
        chosen = next((at for at, each in enumerate(blank.options) if each == option), -1)
        answer = FieldAnswer(found, String(option[0]), chosen=chosen)
        for widget in found.widgets:
            look = self._look(blank, widget, "".join(shown for _, shown in blank.options))
            drawn, answer.first, letters = look.listed(chosen)
            self._needs(look.font, letters)
            answer.shown.append((widget, self._widget_stream(widget, drawn), ""))
        return answer

    def _option(self, blank: Blank, said: str) -> tuple[str, str] | None:
        """Return the option that a text names, by its stored or its shown name.

        Return None and note a shortfall if there is none.
        """
        wanted = folded(said)
        for option in blank.options:
            if wanted in (folded(option[0]), folded(option[1])):
                return option
        if len(blank.options) == 1 and blank.kind == "radio":
            return blank.options[0] if is_yes(said) else (OFF, OFF)
        if blank.open:
            return said, said
        known = [shown for _, shown in blank.options]
        listed = ", ".join(known[:_FEW]) + (f" and {len(known) - _FEW} more" if len(known) > _FEW else "")
        self._report(blank, f"has no choice {quoted(said)}{suggestion(said, known) or f'; there are {listed}'}")
        return None

    def _button(self, found: FormField, state: str) -> FieldAnswer:
        answer = FieldAnswer(found, Name(f"/{state or OFF}"))
        for spot, widget in zip(found.blank.spots, found.widgets, strict=True):
            drawn = inside(widget, "/AP", "/N", f"/{spot.state}")
            picture = None if isinstance(drawn, pikepdf.Stream) else self._marks(found.blank, widget, spot.state)
            answer.shown.append((widget, picture, spot.state if spot.state == state else OFF))
        return answer

    def _marks(self, blank: Blank, widget: Object, state: str) -> Object:
        """Appearances for a button that has none for its “on”."""
        ground = frame_of(widget)
        on = self._widget_stream(widget, mark_appearance(ground, blank.colour, dot=blank.kind == "radio"))
        return Dictionary({f"/{state}": on, f"/{OFF}": self._widget_stream(widget, ground.drawn())})

    def _look(self, blank: Blank, widget: Object, said: str) -> WidgetStyle:
        name = _face_name(blank)
        if self._faces[name][0].missing(unicodedata.normalize("NFC", said).replace("\n", "")):
            name = name.upright
        return WidgetStyle(blank, frame_of(widget), *self._faces[name])

    def _widget_stream(self, widget: Object, drawn: bytes) -> Object:
        """Return the appearance stream of a widget, turned as the widget is."""
        ground, turn = frame_of(widget), whole(inside(widget, "/MK", "/R")) % 360
        width, height = (ground.height, ground.width) if turn in (90, 270) else (ground.width, ground.height)
        matrix = _TURNS.get(turn, _TURNS[0]).format(w=width, h=height).split()
        about = Dictionary(Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, ground.width, ground.height])
        if turn in (90, 180, 270):
            about.Matrix = Array([float(each) for each in matrix])
        stream = pikepdf.Stream(self._source, drawn, about)
        stream.Resources = self.resources
        return self._source.make_indirect(stream)

    def _needs(self, font: bytes, letters: Iterable[str]) -> None:
        self.letters.setdefault(font, set()).update(letters)

    def _report(self, blank: Blank, message: str) -> None:
        self.shortfalls.append(Shortfall(blank.name, message))


def _fallback(added: Mapping[bytes, AddedFont]) -> FallbackFonts | None:
    """Return the setter of text in added fonts, if there are any."""
    if not added:
        return None
    from sheetgen.pdf.form.font_fallback import FallbackFonts  # imports uharfbuzz

    return FallbackFonts(added)


def _shortened(words: str, blank: Blank) -> str:
    """Return as much of a text as a field takes: of long texts whole words, and the sign that there was more."""
    if not blank.longest or len(words) <= blank.longest:
        return words
    cut = words[: blank.longest]
    if blank.comb or blank.longest < _A_FEW_WORDS:
        return cut
    whole_words = words[: blank.longest - len(MARK) + 1].rpartition(" ")[0].rstrip(" ·,;:\u00a0") or cut[: -len(MARK)]
    return whole_words + MARK


def frame_of(widget: Object) -> WidgetFrame:
    """Return the size of a widget as one reads it, with the ground and border that the form asks for."""
    x1, y1, x2, y2 = (number(each) for each in array(widget.get("/Rect")))
    width, height = round(abs(x2 - x1), 3), round(abs(y2 - y1), 3)
    if whole(inside(widget, "/MK", "/R")) % 360 in (90, 270):
        width, height = height, width
    stroke = _colour_parts(inside(widget, "/MK", "/BC"))
    border = array(widget.get("/Border"))
    thick = inside(widget, "/BS", "/W")
    line = number(thick) if thick is not None else number(border[2]) if len(border) > 2 else 1.0
    style = str(inside(widget, "/BS", "/S") or "/S").removeprefix("/")
    return WidgetFrame(
        width,
        height,
        fill=_colour_parts(inside(widget, "/MK", "/BG")),
        stroke=stroke,
        border=min(max(line, 0.0), 6.0, width / 4, height / 4) if stroke else 0.0,
        style=style,
    )


def _colour_parts(colour: object) -> tuple[float, ...]:
    """Return a colour of one, three or four parts from 0 to 1; nothing for any other."""
    parts = tuple(min(max(number(each), 0.0), 1.0) for each in array(colour))
    return parts if len(parts) in (1, 3, 4) else ()


def appearances_shown(widget: Object) -> Iterator[Object]:
    """Yield the appearance that a widget shows now, if it has one."""
    drawn = inside(widget, "/AP", "/N")
    if isinstance(drawn, Dictionary):
        state = widget.get("/AS")
        drawn = drawn.get(str(state) if isinstance(state, Name) else f"/{text(state) or OFF}")
    if isinstance(drawn, pikepdf.Stream):
        yield drawn
