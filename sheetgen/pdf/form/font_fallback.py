"""Text that the face of its field cannot show, set in fonts that the user added: measured, fitted and put in place.

The first added font that can show the whole text sets it. Where none can (a continuation page joins the texts of
several fields), each character takes the first face that has it, the field's own before the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from sheetgen.pdf.fonts.bidi import base_level, is_mixed, runs
from sheetgen.pdf.fonts.face import ABOVE, BELOW, EM, AddedFont, Face
from sheetgen.pdf.fonts.shaping import Glyph, Run, Shaper, script_of
from sheetgen.pdf.form.field_text import Unprintable, coloured, first_baseline, fitted_in, start_of
from sheetgen.pdf.form.form import Field
from sheetgen.pdf.form.text_fitting import MARK, Fitted, belongs
from sheetgen.pdf.writer import literal, number

_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")  # noqa: RUF001


class GlyphSource(Protocol):
    """A source of glyphs: a bundled face or an added font; `font` is its name on the page."""

    font: bytes

    def has(self, text: str) -> bool:
        """Return whether it can show every character of the text."""

    def run(self, text: str, *, rtl: bool) -> Run:
        """Return the glyphs of a text of one direction."""


class FaceSource:
    """A bundled face, with one glyph for each character."""

    def __init__(self, face: Face, font: bytes) -> None:
        self.font, self._face = font, face

    def has(self, text: str) -> bool:
        """Return whether it can show every character of the text."""
        return not self._face.missing(text)

    def run(self, text: str, *, rtl: bool) -> Run:
        """Return the glyphs of the text; brackets are turned round where it reads from the right."""
        shown = text[::-1].translate(_MIRRORED) if rtl else text
        glyphs = tuple(Glyph(glyph, width, width, 0, 0) for glyph, width in self._glyph_advances(shown))
        width = sum(glyph.advance for glyph in glyphs)
        turned = [(at, at + 1, char) for at, char in enumerate(reversed(text)) if char != shown[at]] if rtl else []
        return Run(glyphs, width, round(BELOW * EM), round(ABOVE * EM), tuple(shown), tuple(turned))

    def _glyph_advances(self, shown: str) -> Iterator[tuple[int, int]]:
        numbers = map(self._face.glyphs.__getitem__, shown)
        return ((glyph, self._face.advances[glyph]) for glyph in numbers)


class FallbackFonts:
    """The added fonts, by their names on the page, which set what other faces cannot."""

    def __init__(self, added: Mapping[bytes, AddedFont]) -> None:
        self._shapers = [Shaper(each, font) for font, each in added.items()]

    def set(self, field: Field, face: Face, font: bytes, text: str, *, mark: str = MARK) -> FallbackText:
        """Return the cleaned text in a field with this face of its own; raises Unprintable for what no font has."""
        fonts = self._fonts_for(text, face, font)
        if missing := fonts.missing(text.replace("\n", "")):
            raise Unprintable(field.title, missing, added=True)
        reach = sum(fonts.reach(text))
        leading = max(field.leading, reach * field.size)  # lines never touch, however far their ink reaches
        mark = mark if fonts.missing(mark) == "" else ""
        fitted = fitted_in(field, fonts.width, text, mark=mark, leading=leading, reach=reach)
        if not fitted.lines:
            return FallbackText(fitted, b"", {})
        leading *= fitted.size / field.size
        return FallbackText(fitted, *_text_object(fitted, field, face, fonts, text, leading=leading))

    def _fonts_for(self, text: str, face: Face, font: bytes) -> FontSequence:
        """Return what sets a text: the first font that has all of it, before the face and the other fonts."""
        own = FaceSource(face, font)
        plain = text.replace("\n", "")
        whole = next((shaper for shaper in self._shapers if shaper.has(plain)), None)
        first: tuple[GlyphSource, ...] = () if whole is None else (whole,)
        return FontSequence((*first, own, *(shaper for shaper in self._shapers if shaper is not whole)))


@dataclass(frozen=True, slots=True)
class FallbackText:
    """A text that was set: how it fits, the text object that shows it, and by font the letters that it needs."""

    fitted: Fitted
    shown: bytes
    letters: Mapping[bytes, Iterable[str]]


@dataclass(slots=True)
class _Part:
    source: GlyphSource
    script: str
    blank: bool
    text: str


@dataclass(frozen=True, slots=True)
class FontSequence:
    """The sources of glyphs for one text, the preferred one first."""

    sources: tuple[GlyphSource, ...]

    def missing(self, text: str) -> str:
        """Return the characters of the text that no source can show, each once, in their order."""
        clusters = [cluster for cluster in _clusters(text) if self._source(cluster) is None]
        unknown = (char for cluster in clusters for char in cluster if not any(each.has(char) for each in self.sources))
        return "".join(dict.fromkeys(unknown)) or "".join(dict.fromkeys("".join(clusters)))

    def width(self, text: str, size: float) -> float:
        """Return the width of a text in points."""
        return sum(run.width for _, run in self.line(text, base_level(text))) * size / EM

    def reach(self, text: str) -> tuple[float, float]:
        """Return how far the ink of a text reaches above and below its baselines, in em.

        The reach is never less than that of ordinary text.
        """
        found = [run for line in text.split("\n") for _, run in self.line(line, base_level(line))]
        high, low = (max(run.high for run in found) / EM, max(run.low for run in found) / EM) if found else (0, 0)
        return max(ABOVE, high), max(BELOW, low)

    def line(self, text: str, base: int) -> Iterator[tuple[GlyphSource, Run]]:
        """Return the line from left to right as it is seen, in a paragraph of that direction."""
        if not (base or is_mixed(text)):
            return self._pieces(text, rtl=False)
        levels = runs(text, base)
        return (piece for begin, end, level in levels for piece in self._pieces(text[begin:end], rtl=level % 2 == 1))

    def _pieces(self, text: str, *, rtl: bool) -> Iterator[tuple[GlyphSource, Run]]:
        """Return a text of one direction from left to right: its words, and these by script and by what sets them."""
        parts: list[_Part] = []
        for cluster in _clusters(text):
            source, blank = self._source(cluster), cluster == " "
            if source is None:  # `missing` was not asked
                raise KeyError(cluster)
            script = script_of(cluster[0])
            last = parts[-1] if parts else None
            shared = not last or script == last.script or not (script and last.script)
            if last and shared and (last.source, last.blank) == (source, blank):
                last.text += cluster
                last.script = last.script or script
            else:
                parts.append(_Part(source, script, blank, cluster))
        return ((part.source, part.source.run(part.text, rtl=rtl)) for part in (parts[::-1] if rtl else parts))

    def _source(self, cluster: str) -> GlyphSource | None:
        return next((source for source in self.sources if source.has(cluster)), None)


def _text_object(
    fitted: Fitted, field: Field, face: Face, fonts: FontSequence, text: str, *, leading: float
) -> tuple[bytes, dict[bytes, list[str]]]:
    """Return the text object that shows the fitted lines of a text, and by font the letters that it needs.

    Baselines are where those of the field's own face would be, unless the ink needs more room.
    """
    size, shown = fitted.size, [
        list(fonts.line(line, base))
        for line, base in zip(fitted.lines, _directions(text, fitted.lines), strict=True)
    ]  # fmt: skip
    above = max((run.high for _, run in shown[0]), default=0) / EM
    below = max((run.low for _, run in shown[-1]), default=0) / EM
    y = first_baseline(field, face, size, leading * (len(shown) - 1), above=max(above, ABOVE), below=below)
    parts, letters = [b"BT"], dict[bytes, list[str]]()
    before_x = before_y = 0.0
    font = b""
    for index, line in enumerate(shown):
        x = start_of(field, sum(run.width for _, run in line) * size / EM)
        at = round(y - index * leading, 2)
        if line:
            parts.append(b" %b %b Td" % (number(x - before_x), number(at - before_y)))
            before_x, before_y = x, at
        for source, run in line:
            if source.font != font:
                font = source.font
                parts.append(b" %b %b Tf" % (font, number(size)))
            parts.append(_run_operators(run, size))
            letters.setdefault(font, []).extend(run.letters)
    return coloured(b"".join([*parts, b" ET\n"]), field.colour), letters


def _run_operators(run: Run, size: float) -> bytes:
    """Return the operators of a run, with the text where the glyphs alone do not tell it (ISO 32000-1, 14.9.4)."""
    pen = _Pen(size)
    begins = {begin: text for begin, _, text in run.spelled}
    ends = {end for _, end, _ in run.spelled}
    for at, glyph in enumerate(run.glyphs):
        if at in ends:
            pen.say(b" EMC")
        if at in begins:
            pen.say(b"/Span<</ActualText<FEFF%b>>>BDC" % begins[at].encode("utf-16-be").hex().encode("ascii"))
        pen.draw(glyph)
    return pen.done(b" EMC" if len(run.glyphs) in ends else b"")


class _Pen:
    """Draws glyphs one after another, moved from where the font's own widths would put them."""

    def __init__(self, size: float) -> None:
        self._size = size
        self._parts: list[bytes] = []
        self._pieces: list[bytes] = []  # of one array: strings of glyphs, and how far to go back between them
        self._glyphs = bytearray()
        self._wanted = self._at = self._rise = 0

    def draw(self, glyph: Glyph) -> None:
        """Draw the next glyph."""
        if glyph.y != self._rise:
            self._rise = glyph.y
            self.say(b" %b Ts" % number(self._rise * self._size / EM))
        self._move_pen(self._wanted + glyph.x)
        self._glyphs += glyph.number.to_bytes(2, "big")
        self._wanted += glyph.advance
        self._at += glyph.width

    def say(self, operator: bytes) -> None:
        """Put an operator between glyphs."""
        self._write()
        if len(self._pieces) == 1 and self._pieces[0].startswith(b"("):
            self._parts.append(self._pieces[0] + b"Tj")
        elif self._pieces:
            self._parts.append(b"[%b]TJ" % b"".join(self._pieces))
        self._pieces.clear()
        self._parts.append(operator)

    def done(self, last: bytes) -> bytes:
        """Return the operators of all glyphs, which leave the pen behind the last, and one more."""
        self._move_pen(self._wanted)
        self.say(last)
        return b"".join([*self._parts, b" 0 Ts" if self._rise else b""])

    def _move_pen(self, to: int) -> None:
        if to != self._at:
            self._write()
            self._pieces.append(b"%d" % (self._at - to))
            self._at = to

    def _write(self) -> None:
        if self._glyphs:
            self._pieces.append(literal(bytes(self._glyphs)))
            self._glyphs.clear()


def _directions(text: str, lines: Iterable[str]) -> list[int]:
    """Return, for each line of a text, the direction of the paragraph that it is from."""
    found: list[int] = []
    paragraphs = iter(text.split("\n"))
    left, base = -1, 0
    for line in lines:
        if left <= 0:
            paragraph = next(paragraphs, "")
            left, base = _inked(paragraph), base_level(paragraph)
        found.append(base)
        left -= _inked(line)
    return found


def _inked(text: str) -> int:
    return sum(not char.isspace() for char in text)


def _clusters(text: str) -> Iterator[str]:
    """Yield the text in characters with the marks on them."""
    begin = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not belongs(text, at):
            yield text[begin:at]
            begin = at
