"""Reference cards as plain data for their template: a card for each rule that has one, in book order, and an index.

A card is known by the icon and the tint of its chapter, which reach its edge, and by its number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from sheetgen.documents.book.book import BookBuilder
from sheetgen.documents.figures.svg import TextWidth
from sheetgen.errors import Place, Problem, quoted
from sheetgen.geometry import CARDS, DRAWN_BLEED, POINTS_PER_MM
from sheetgen.model.book import Book, Chapter, Extract, Rule
from sheetgen.model.data import TemplateData
from sheetgen.model.printing import Tone
from sheetgen.model.system import System

USUAL = 13.0  # pt: the title for which the lengths below are
BADGE, NUMBER, GAP = 10.2, 3.9, 2.2  # mm at that size
FLAT = 0.76  # of the badge, on a card that lies
LEAST_TITLE = 9.0
_LEADING = 1.1
_DARK, _PALE = (0.43, 0.105), (0.925, 0.045)  # lightness and chroma of OKLCH
_FIRST_HUE = 25.0  # degrees; a red
FRONTS = "reference/cards.html"
INDEX = "What is in this deck"
# Kept free inside the cut, in mm: a cut may miss by one and a half.
INSET = 4.0
BESIDE = 0.53  # of the width of a card that lies, for what is drawn
BELOW_HEAD = 1.5  # mm between the head and what it is about
FEW_WORDS = 120  # letters
CAPTION = 31.0  # pt: two lines over a chart
_PLAIN = re.compile(r"[A-Z]{3}-\d+")
Chosen = tuple[Chapter, Rule, Extract]


@dataclass(frozen=True, slots=True)
class Tint:
    """The colours of a chapter: `dark` for its badge and its mark at the edge, `pale` behind the head."""

    dark: str
    pale: str


def tints(count: int, tone: Tone) -> tuple[Tint, ...]:
    """Return so many tints, evenly round the circle of hues and equally dark, as a tone prints them.

    White on a dark one, and black on a pale one, have a contrast of 7 to 1 and more.
    """
    hues = [math.radians(_FIRST_HUE + 360 * at / max(count, 1)) for at in range(count)]
    return tuple(Tint(tone.of(_colour(*_DARK, hue)), tone.of(_colour(*_PALE, hue))) for hue in hues)


def _colour(lightness: float, chroma: float, hue: float) -> str:
    """Return a colour of OKLCH as #rrggbb (B. Ottosson, 2020), with less chroma where a screen has not so much."""
    while True:
        a, b = chroma * math.cos(hue), chroma * math.sin(hue)
        cones = (
            (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3,
            (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3,
            (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3,
        )
        linear = (
            4.0767416621 * cones[0] - 3.3077115913 * cones[1] + 0.2309699292 * cones[2],
            -1.2684380046 * cones[0] + 2.6097574011 * cones[1] - 0.3413193965 * cones[2],
            -0.0041960863 * cones[0] - 0.7034186147 * cones[1] + 1.7076147010 * cones[2],
        )
        if all(-1e-4 <= part <= 1.0001 for part in linear) or chroma < 0.005:
            return "#" + "".join(f"{round(255 * _encoded(part)):02x}" for part in linear)
        chroma *= 0.96


def _encoded(linear: float) -> float:
    linear = min(max(linear, 0.0), 1.0)
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


def head_measures(title: float, *, wide: bool, inset: float) -> TemplateData:
    """Return how high the head of a card is and where its parts stand, in mm, for titles of so many pt.

    The number stands over the badge, as on a playing card; on a card that lies, beside it.
    """
    scale = title / USUAL
    badge, number = BADGE * scale * (FLAT if wide else 1), NUMBER * scale
    high = inset + badge + (number if not wide else 0) + 1.3 * scale
    left = inset + badge + GAP * scale + (2 * number if wide else 0)
    return {"badge": badge, "number": number, "head": high, "left": left}


def set_title(title: str, usual: float, width: float, text_width: TextWidth) -> TemplateData:
    """Return a title as large as fits into a width in pt: in a line of up to 1.25 of the usual size, or in two lines.

    Only a word that is wider than a line makes it smaller than usual.
    """

    def wide(text: str, *, size: float) -> float:
        return text_width(text, size, weight=700, serif=True)

    size = min(1.25 * usual, usual * 1.25 * width / max(wide(title, size=usual * 1.25), 0.01))
    lines = [title]
    if size < 1.08 * usual:
        size = 1.08 * usual
        while len(lines := _lines(title.split(), width, partial(wide, size=size))) > 2 and size > LEAST_TITLE:
            size -= 0.25
        lines = _even(lines, lambda text: wide(text, size=size) <= width)
        longest = max(wide(line, size=size) for line in lines)
        size *= min(1.0, width / longest)
    return {"title_size": round(size - 0.005, 2), "title_lines": lines, "title_height": len(lines) * size * _LEADING}


def _even(lines: list[str], fits: Callable[[str], bool]) -> list[str]:
    """Return two lines parted behind a colon, or else as evenly as fits."""
    words = " ".join(lines).split()
    parted = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    parted = [(above, below) for above, below in parted if fits(above) and fits(below)]
    if len(lines) != 2 or not parted:
        return lines
    return [*min(parted, key=lambda pair: (not pair[0].endswith(":"), abs(len(pair[0]) - len(pair[1]))))]


def _lines(words: Sequence[str], width: float, wide: Callable[[str], float]) -> list[str]:
    lines = [words[0]] if words else []
    for word in words[1:]:
        if wide(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


@dataclass(frozen=True, slots=True)
class Type:
    """How a size of card is set, in pt: its title, the sizes its text may have from large to small, its small print.

    Charts and figures are drawn for text of 9 pt and enlarged to `drawn`.
    """

    title: float
    text: tuple[float, ...]
    small: float
    drawn: float


TYPES = MappingProxyType(
    {
        "poker": Type(13, (12.5, 11.5, 10.5, 9.75, 9), 7, 9),
        "trading": Type(13, (12.5, 11.5, 10.5, 9.75, 9), 7, 9),
        "tarot": Type(14, (15, 13.5, 12, 10.5, 9.5), 7, 9.5),
        "us-tarot": Type(14, (15, 13.5, 12, 10.5, 9.5), 7, 9.5),
        "index": Type(15, (17, 15, 13, 11, 9.1), 7.5, 9.5),
        "a6": Type(18, (19, 16, 13.5, 11), 8, 12),
    }
)


@dataclass(frozen=True, slots=True)
class CardText:
    """What stands on one card of a rule: its chapter, its title, and the words, tables and drawings in `made`."""

    chapter: str
    title: str
    covers: tuple[str, ...]
    place: Place
    made: TemplateData
    icon: str = ""

    @property
    def rows(self) -> int:
        """The number of rows of all its tables."""
        return sum(len(table["rows"]) for table in _tables(self.made))

    def cut(self, rows: int) -> tuple[CardText, CardText]:
        """Return the words with so many rows of the tables, and what is left for another card."""
        first, rest = list[TemplateData](), list[TemplateData]()
        for table in _tables(self.made):
            here, below = table["rows"][:rows], table["rows"][rows:]
            first += [{**table, "rows": here}] if here else []
            rest += [{**table, "rows": below}] if below else []
            rows -= len(here)
        return (
            replace(self, made={**self.made, "tables": first, **({"figures": [], "charts": []} if rest else {})}),
            replace(self, made={**self.made, "html": "", "tables": rest}),
        )


@dataclass(frozen=True, slots=True)
class CardFront:
    """The front of a card: its title, the name by which it is told of, where its text comes from, what stands on it."""

    title: str
    name: str
    place: Place
    data: TemplateData


def room(size: str) -> float:
    """Return the width of what stands on a card of a size, in pt."""
    return (CARDS[size].width - 2 * INSET) * POINTS_PER_MM


def drawing_width(size: str) -> float:
    """Return the width of figures for a card of a size, in pt, before they are enlarged with its text."""
    wide = room(size)
    if is_wide(size):  # they stand beside the text
        wide *= BESIDE
    return wide * 9 / TYPES[size].drawn


def chart_apart(card: Extract, size: str) -> bool:
    """Whether odds have a card of their own: beside more than a few words there is no room for large figures."""
    return not is_wide(size) and (card.text is None or len(card.text.text) > FEW_WORDS)


def is_wide(size: str) -> bool:
    """Whether cards of a size lie: what is drawn stands beside the text."""
    return CARDS[size].width > CARDS[size].height


def chart_room(size: str, *, alone: bool) -> tuple[float, float]:
    """Return the width and the height of charts for a card of a size, in pt: without words on it, or beside them."""
    width, height = room(size), _body(size) * POINTS_PER_MM - CAPTION
    if alone:
        return width, height
    return (width * BESIDE, height - 12) if is_wide(size) else (width, 0.62 * height)


def _body(size: str) -> float:
    """Return the height between head and foot of a card, in mm."""
    made = measures(size)
    head, foot = made["head"], made["foot"]
    assert isinstance(head, float)
    assert isinstance(foot, float)
    return CARDS[size].height - head - BELOW_HEAD - foot - INSET


def chosen_for_cards(book: Book) -> tuple[Chosen, ...]:
    """Return what goes on cards, each with its chapter and its rule, in book order."""
    return tuple((chapter, rule, card) for chapter in book.chapters for rule in chapter.rules for card in rule.cards)


def with_bars(rule: Rule) -> Rule:
    """Return the rule without its curves, for which a card is too narrow."""
    return replace(rule, charts=tuple(chart for chart in rule.charts if chart.shape == "bars"))


def texts_of(builder: BookBuilder, size: str) -> tuple[CardText, ...]:
    """Return the texts of a deck on cards of a size, a card each."""
    return tuple(
        CardText(chapter.title, title, rule.covers, card.place, made, str(chapter.icon or ""))
        for chapter, rule, card in chosen_for_cards(builder.book)
        for title, made in _split(
            builder.extract(rule, card),
            card.heading,
            [each.card for each in with_bars(rule).charts],
            apart=chart_apart(card, size),
        )
    )


def repeated_titles(book: Book) -> tuple[Problem, ...]:
    """Return a warning for each card whose title another card of the deck has before it."""
    seen, found = dict[str, Place](), list[Problem]()
    for _, rule, card in chosen_for_cards(book):
        charts = [each.card for each in with_bars(rule).charts] if card.with_odds else []
        for title in (card.heading, *filter(None, charts[1:])):
            if first := seen.get(title.casefold()):
                where = f"{first.file}:{first.line}"
                found.append(Problem(card.place, f"card {quoted(title)}: {where} has a card of that title, too"))
            seen.setdefault(title.casefold(), card.place)
    return tuple(found)


def runs_over(text: CardText, too_full: Callable[[Sequence[CardText]], frozenset[int]]) -> tuple[CardText, ...]:
    """Return a text on as many cards as its tables take, each with their heads; as it was if that does not help.

    `too_full` has the numbers of the texts, from 0, that a card has no room for. The last two cards are filled evenly.
    """
    found, rest = list[CardText](), text
    while True:
        cuts = [rest.cut(rows) for rows in range(0 if rest.made["html"] else 1, rest.rows)]
        full = too_full([each for pair in cuts for each in pair])
        held = [at for at in range(len(cuts)) if 2 * at not in full]
        if not held:
            return (text,)
        even = [at for at in held if 2 * at + 1 not in full]
        first, rest = cuts[min(even, key=lambda at: abs(2 * at - len(cuts))) if even else held[-1]]
        found.append(first)
        if even:
            found.append(rest)
            titled = enumerate(found, 1)
            return tuple(replace(each, title=f"{text.title} ({at} of {len(found)})") for at, each in titled)


def faces_of(system: System, texts: Sequence[CardText], size: str, text_width: TextWidth) -> tuple[CardFront, ...]:
    """Return the fronts of a deck on cards of a size; the last tells what is in it and whose it is."""

    chapters = list(dict.fromkeys(text.chapter for text in texts))
    colours = dict(zip(chapters, tints(len(chapters), system.tone), strict=True))
    plain, wide = Tint(system.accent, system.tone.of("#eeeeee")), title_room(size)

    def face(text: CardText, number: int) -> CardFront:
        tint = colours.get(text.chapter, plain)
        about = {
            "title": text.title,
            "number": number,
            "chapter": text.chapter,
            "ids": ", ".join(brief(text.covers)),
            "icon": text.icon,
            "dark": tint.dark,
            "pale": tint.pale,
            "tab": chapters.index(text.chapter) if text.chapter in colours else -1,
            "tabs": len(chapters),
            **set_title(text.title, TYPES[size].title, wide, text_width),
        }
        ids = text_width(str(about["ids"]), TYPES[size].small)
        about["foot_lines"] = (ids > 0) + (ids > room(size))
        return CardFront(text.title, f"{size} card {number}, {text.title}", text.place, {**text.made, **about})

    entries = [{**each, "dark": colours[str(each["title"])].dark} for each in _entries(texts)]
    index = CardText(system.title, INDEX, (), system.place, {"entries": entries})
    return tuple(face(text, number) for number, text in enumerate((*texts, index), 1))


def title_size(title: str, size: str, text_width: TextWidth) -> float:
    """Return the size of a title in pt: as large as usual, or as stands in one line beside the mark."""
    usual = TYPES[size].title
    wide = (room(size) - usual * 1.6) / text_width(title, 1, weight=700, serif=True)
    return round(min(usual, wide - 0.005), 2)


def title_room(size: str) -> float:
    """Return the width of the title of a card, in pt: beside number, badge, and chapter if it lies."""
    left = measures(size)["left"]
    assert isinstance(left, float)
    wide = CARDS[size].width - left - INSET
    return (wide * 0.66 if is_wide(size) else wide) * POINTS_PER_MM


def _tables(made: TemplateData) -> list[Any]:
    tables = made["tables"]
    assert isinstance(tables, list)
    return tables


def _split(made: TemplateData, title: str, named: Sequence[str], *, apart: bool) -> Iterator[tuple[str, TemplateData]]:
    """Yield the title and what stands on one card, and where there are charts besides, those on as many.

    These have titles of their own, or are counted.
    """
    charts = made["charts"]
    assert isinstance(charts, list)
    names, others = [*named, *[""] * len(charts)], bool(made["html"] or made["tables"] or made["figures"])
    first = 0 if apart and others else 1
    yield title, {**made, "charts": charts[:first]}
    for at, chart in enumerate(charts[first:], first):
        count = f" ({at - first + 1} of {len(charts) - first})" if len(charts) - first > 1 else ""
        odds = "The odds" if title.endswith(("?", "!")) else "the odds"
        own = names[at] or f"{title}{' ' if odds[0] == 'T' else ': '}{odds}{count}"
        yield own, {**made, "html": "", "tables": [], "figures": [], "charts": [chart]}


def measures(size: str) -> TemplateData:
    """Return what the template needs to know of a size of card: lengths in mm, type in pt."""
    card, kind = CARDS[size], TYPES[size]
    return {
        **head_measures(kind.title, wide=is_wide(size), inset=INSET),
        "below": BELOW_HEAD,
        "foot": 0.0 if is_wide(size) else kind.small * 0.5,  # a card that lies has its IDs at the head
        "width": card.width,
        "height": card.height,
        "inset": INSET,
        "bleed": DRAWN_BLEED,
        "wide": is_wide(size),
        "title": kind.title,
        "small": kind.small,
    }


def _entries(texts: Sequence[CardText]) -> Iterator[TemplateData]:
    """Yield each chapter that is in the deck with its icon and the numbers of its cards."""
    for title, icon in dict.fromkeys((text.chapter, text.icon) for text in texts):
        numbers = [number for number, text in enumerate(texts, 1) if text.chapter == title]
        yield {"title": title, "icon": icon, "first": numbers[0], "last": numbers[-1]}


def brief(ids: Iterable[str]) -> list[str]:
    """Return the IDs of a rule in short, without those of rulings: ABC-131–133, then 140."""
    parts: list[str] = []
    for first, last in _runs(ids):
        shown = _digits(first) if parts else first
        parts.append(shown if first == last else f"{shown}–{_digits(last)}")
    return parts


def _runs(ids: Iterable[str]) -> Iterator[tuple[str, str]]:
    """IDs that follow one another, as the first and the last of them."""
    plain = [name for name in ids if _PLAIN.fullmatch(name)]
    if not plain:
        return
    first = plain[0]
    for name, after in pairwise([*plain, ""]):
        if not after or int(_digits(after)) != int(_digits(name)) + 1:
            yield first, name
            first = after


def _digits(name: str) -> str:
    return name.partition("-")[2]
