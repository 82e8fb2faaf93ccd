"""Reference cards as plain data for their template: a card for each rule that has one, in book order, and an index."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from sheetgen.documents.book import Binder
from sheetgen.documents.figures.svg import TextWidth
from sheetgen.documents.sheet import TemplateData
from sheetgen.errors import Place
from sheetgen.geometry import CARDS, DRAWN_BLEED, POINTS_PER_MM
from sheetgen.model.book import Book, Chapter, Extract, Rule
from sheetgen.model.system import System

FRONTS = "reference/cards.html"
INDEX = "What is in this deck"

# Kept free inside the cut, in mm: a cut may miss by one and a half.
INSET = 4.0
_SPACED = 0.3  # pt between the letters of a chapter’s label
_PLAIN = re.compile(r"[A-Z]{3}-\d+")

Chosen = tuple[Chapter, Rule, Extract]


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
        "poker": Type(13, (11.5, 10.5, 9.75, 9.1, 8.5), 7, 9),
        "trading": Type(13, (11.5, 10.5, 9.75, 9.1, 8.5), 7, 9),
        "tarot": Type(14, (14, 12, 10.5, 9), 7, 9.5),
        "index": Type(15, (16, 13.5, 11, 9), 7.5, 9),
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
    """Return the width of charts and figures for a card of a size, in pt, before they are enlarged with its text."""
    wide = room(size)
    if CARDS[size].width > CARDS[size].height:  # they stand beside the text
        wide *= 0.48
    return wide * 9 / TYPES[size].drawn


def chosen_for_cards(book: Book) -> tuple[Chosen, ...]:
    """Return what goes on cards, each with its chapter and its rule, in book order."""
    return tuple((chapter, rule, card) for chapter in book.chapters for rule in chapter.rules for card in rule.cards)


def with_bars(rule: Rule) -> Rule:
    """Return the rule without its curves, for which a card is too narrow."""
    return replace(rule, charts=tuple(chart for chart in rule.charts if chart.shape == "bars"))


def texts_of(binder: Binder) -> tuple[CardText, ...]:
    """Return the texts of a deck, a card each."""
    return tuple(
        CardText(chapter.title, card.heading, rule.covers, card.place, made)
        for chapter, rule, card in chosen_for_cards(binder.book)
        for made in _split(binder.extract(rule, card))
    )


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

    def face(text: CardText, number: int) -> CardFront:
        foot = _foot(text, number, size, text_width)
        about = {"title": text.title, "number": number, "title_size": title_size(text.title, size, text_width)}
        return CardFront(text.title, f"{size} card {number}, {text.title}", text.place, {**text.made, **about, **foot})

    entries = list(_entries([text.chapter for text in texts]))
    index = CardText(system.title, INDEX, (), system.place, {"entries": entries})
    return tuple(face(text, number) for number, text in enumerate((*texts, index), 1))


def title_size(title: str, size: str, text_width: TextWidth) -> float:
    """Return the size of a title in pt: as large as usual, or as stands in one line beside the mark."""
    usual = TYPES[size].title
    wide = (room(size) - usual * 1.6) / text_width(title, 1, weight=700, serif=True)
    return round(min(usual, wide - 0.005), 2)


def _foot(text: CardText, number: int, size: str, text_width: TextWidth) -> TemplateData:
    """Return what stands at the foot: the chapter, and the IDs of the rule as far as there is room beside it."""
    small, label = TYPES[size].small, f"{number} {text.chapter.upper()}  "
    left = room(size) - text_width(label, small, weight=600) - _SPACED * len(label)
    return {"chapter": text.chapter, "ids": brief(text.covers, lambda ids: text_width(ids, small) <= left)}


def _tables(made: TemplateData) -> list[Any]:
    tables = made["tables"]
    assert isinstance(tables, list)
    return tables


def _split(made: TemplateData) -> Iterator[TemplateData]:
    """Yield what stands on one card, or where there are several charts on as many: the words with the first of them."""
    charts = made["charts"]
    assert isinstance(charts, list)
    yield {**made, "charts": charts[:1]}
    for chart in charts[1:]:
        yield {**made, "html": "", "tables": [], "figures": [], "charts": [chart]}


def measures(size: str) -> TemplateData:
    """Return what the template needs to know of a size of card: lengths in mm, type in pt."""
    card, kind = CARDS[size], TYPES[size]
    return {
        "width": card.width,
        "height": card.height,
        "inset": INSET,
        "bleed": DRAWN_BLEED,
        "wide": card.width > card.height,
        "title": kind.title,
        "small": kind.small,
    }


def _entries(chapters: Sequence[str]) -> Iterator[TemplateData]:
    """Yield each chapter that is in the deck with the numbers of its cards."""
    for title in dict.fromkeys(chapters):
        numbers = [number for number, chapter in enumerate(chapters, 1) if chapter == title]
        yield {"title": title, "first": numbers[0], "last": numbers[-1]}


def brief(ids: Iterable[str], fits: Callable[[str], bool]) -> str:
    """Return the IDs of a rule in short, without those of rulings: ABC-131–133, 140; what does not fit ends in dots."""
    parts: list[str] = []
    for first, last in _runs(ids):
        shown = _digits(first) if parts else first
        parts.append(shown if first == last else f"{shown}–{_digits(last)}")
    while len(parts) > 1 and not fits(", ".join(parts)):
        parts = [*parts[:-2], f"{parts[-2].removesuffix(' …')} …"]
    shown = ", ".join(parts)
    return shown if fits(shown) else ""


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
