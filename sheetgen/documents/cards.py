"""Reference cards as plain data for their template: a card for each rule that has one, in book order, and an index."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

from sheetgen.documents.book import Binder
from sheetgen.errors import Place
from sheetgen.geometry import BLEED, CARDS, POINTS_PER_MM
from sheetgen.model.book import Book, Chapter, Extract, Rule
from sheetgen.model.system import System

FRONTS = "reference/cards.html"
INDEX = "What is in this deck"

# Kept free inside the cut, in mm: a cut may miss by one and a half.
INSET = 4.0
_LETTER = 0.56  # the width of a letter of a title, in em
_CAPITAL, _DIGIT = 0.62, 0.54  # the width of a capital of a chapter’s label, and of a character of an ID, in em
_PLAIN = re.compile(r"[A-Z]{3}-\d+")


TemplateData = dict[str, object]
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


def faces_of(binder: Binder, size: str) -> tuple[CardFront, ...]:
    """Return the fronts of a deck on cards of a size; the last tells what is in it and whose it is."""
    parts = [(chapter, rule, card, made) for chapter, rule, card in chosen_for_cards(binder.book)
             for made in _split(binder.extract(rule, card))]  # fmt: skip
    faces = [_face(part, number, size) for number, part in enumerate(parts, 1)]
    return (*faces, _index(binder.system, [chapter.title for chapter, *_ in parts], size))


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
        "bleed": BLEED,
        "wide": card.width > card.height,
        "title": kind.title,
        "small": kind.small,
    }


def _face(part: tuple[Chapter, Rule, Extract, TemplateData], number: int, size: str) -> CardFront:
    chapter, rule, card, made = part
    data = {
        **made,
        "number": number,
        "chapter": chapter.title,
        "ids": brief(rule.covers, _letters_left(chapter.title, size)),
        "title_size": _title_size(card.heading, size),
    }
    return CardFront(card.heading, f"{size} card {number}, {card.heading}", card.place, data)


def _index(system: System, chapters: Sequence[str], size: str) -> CardFront:
    number = len(chapters) + 1
    data = {
        "title": INDEX,
        "title_size": _title_size(INDEX, size),
        "number": number,
        "chapter": system.title,
        "ids": "",
        "entries": list(_entries(chapters)),
    }
    return CardFront(INDEX, f"{size} card {number}, {INDEX}", system.place, data)


def _entries(chapters: Sequence[str]) -> Iterator[TemplateData]:
    """Yield each chapter that is in the deck with the numbers of its cards."""
    for title in dict.fromkeys(chapters):
        numbers = [number for number, chapter in enumerate(chapters, 1) if chapter == title]
        yield {"title": title, "first": numbers[0], "last": numbers[-1]}


def _title_size(title: str, size: str) -> float:
    """Return the size of a title, in pt: smaller if it is long, so that all titles stand in one line."""
    wide = room(size) - TYPES[size].title * 1.6  # the mark stands behind it
    return round(min(TYPES[size].title, wide / (_LETTER * max(len(title), 1))), 2)


def _letters_left(label: str, size: str) -> int:
    """Return how many characters of small print have room at the foot beside the label of a chapter and a number."""
    left = room(size) / TYPES[size].small - _CAPITAL * (len(label) + 4)
    return max(int(left / _DIGIT), 0)


def brief(ids: Iterable[str], longest: int) -> str:
    """Return the IDs of a rule in short, without those of rulings: ABC-131–133, 140; what is too long ends in dots."""
    parts: list[str] = []
    for first, last in _runs(ids):
        shown = _digits(first) if parts else first
        parts.append(shown if first == last else f"{shown}–{_digits(last)}")
    while len(parts) > 1 and len(", ".join(parts)) > longest:
        parts = [*parts[:-2], f"{parts[-2].removesuffix(' …')} …"]
    shown = ", ".join(parts)
    return shown if len(shown) <= longest else ""


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
