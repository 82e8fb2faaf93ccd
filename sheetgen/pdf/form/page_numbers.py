"""“Page n of m” on pages that are streamed before their number is known.

The words are streams that all pages share: one that begins a line, one for each digit, one that ends it with the count.
A page lists those that spell its number behind its own contents, so that it grows by a few references only. A text
object may go on from one stream of a page to the next (ISO 32000-1, 7.8.2: they are read as one).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sheetgen.pdf.fonts.face import Face
from sheetgen.pdf.form.field_text import first_baseline
from sheetgen.pdf.form.form import PAGE, Field, Form
from sheetgen.pdf.writer import Writer, number

DIGITS = "0123456789"

Hand = tuple[bytes, int]

Among = tuple[int, int]
ALONE: Among = (0, 0)

Fonts = Mapping[bytes, Face]


@dataclass(frozen=True, slots=True)
class NumberPlace:
    """Where a number goes: the end of its line, in points, its type, and what the line says before the number.

    `turned` lines read upwards. It is told on files of `least` pages and more.
    """

    x: float
    y: float
    size: float
    font: bytes
    face: Face
    say: str = "page "
    turned: bool = False
    least: int = 2

    @property
    def hand(self) -> Hand:
        """What places share that write their digits alike."""
        return self.font, self.least

    def begun(self, digits: int, count: int) -> bytes:
        """Return the operators that begin a line with a number of so many digits."""
        width = self.face.width(f"{self.say}{'0' * digits} of {count}", self.size)
        x, y = (self.x, self.y - width) if self.turned else (self.x - width, self.y)
        where = (b"0 1 -1 0" if self.turned else b"1 0 0 1", number(x), number(y))
        return b"q 0.2 g BT%b %b Tf %b %b %b Tm" % (self.font, number(self.size), *where) + self.shown(self.say)

    def shown(self, text: str) -> bytes:
        """Return the operators that go on with a text."""
        return self.face.string(text) + b"Tj\n"


def place_in(field: Field, font: bytes, face: Face) -> NumberPlace:
    """Return the place at the right end of a field, in the field's type."""
    return NumberPlace(field.box.right, first_baseline(field, face, field.size, 0.0), field.size, font, face)


def places_in(forms: Iterable[Form], fonts: Fonts) -> dict[int, NumberPlace]:
    """Return the place of the number on each background, counted through the forms; those without a field have none."""
    named = {face.name: (font, face) for font, face in fonts.items()}
    found, first = dict[int, NumberPlace](), 0
    for form in forms:
        wanted = [field for field in form.fields if field.name == PAGE]
        found |= {first + field.page: place_in(field, *named[field.face]) for field in wanted}
        first += len(form.pages)
    return found


class PageNumbers:
    """The numbers of the pages of one file, at the places of their backgrounds.

    Pages that become part of a larger file are `among` others: so many before them, of so many in all.
    """

    def __init__(self, writer: Writer, places: Mapping[int, NumberPlace], among: Among = ALONE) -> None:
        self._writer, self._places = writer, places
        self._before, self._of = among
        self._begun: dict[tuple[int, int], int] = {}
        self._spelt: dict[Hand, list[int]] = {}

    def on(self, background: int, page: int) -> bytes:
        """Return references to the streams that number a page, from 1; nothing if its background has no place."""
        place = self._places.get(background)
        if place is None:
            return b""
        digits = str(self._before + page)
        key = background, len(digits)
        if key not in self._begun:
            self._begun[key] = self._writer.reserve()
        spelt = self._spelt.get(place.hand)
        if spelt is None:
            spelt = self._spelt[place.hand] = [self._writer.reserve() for _ in range(len(DIGITS) + 1)]
        numbers = (self._begun[key], *[spelt[int(digit)] for digit in digits], spelt[-1])
        return b" %d 0 R" * len(numbers) % numbers

    def close(self, count: int, letters: dict[bytes, set[str]]) -> None:
        """Write the streams for a file of `count` pages; the letters that they need go to `letters`."""
        count = self._of or count
        hands = {place.hand: place for place in self._places.values()}
        for (background, digits), stream in self._begun.items():
            place = self._places[background]
            self._write(place, count, place.begun(digits, count), stream)
            if count >= place.least:
                letters.setdefault(place.font, set()).update(f"{place.say}{DIGITS} of")
        for hand, streams in self._spelt.items():
            place = hands[hand]
            for digit, stream in zip(DIGITS, streams, strict=False):
                self._write(place, count, place.shown(digit), stream)
            self._write(place, count, place.shown(f" of {count}") + b"ET Q\n", streams[-1])

    def _write(self, place: NumberPlace, count: int, shown: bytes, stream: int) -> None:
        self._writer.stream(shown if count >= place.least else b"", number=stream)
