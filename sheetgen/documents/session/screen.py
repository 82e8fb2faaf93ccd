"""Screens and references as plain data: each moment with what its rules say, people at hand, and where pieces stand.

Pieces fill the columns of panels or pages evenly and keep their order. A moment that runs on in the next column says so
there; that is avoided where it can be, and more so from one panel to the next. Lengths in mm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from sheetgen.documents.book.book import BookBuilder
from sheetgen.documents.book.rolled_tables import drawn_lines
from sheetgen.documents.figures.charts import OddsTable
from sheetgen.documents.markdown import unbroken
from sheetgen.documents.people.card import card_values, story_fields
from sheetgen.errors import Place
from sheetgen.model.book import KeyNumbers, Moment, RandomTable
from sheetgen.model.character import Character
from sheetgen.model.data import TemplateData
from sheetgen.model.system import System, TraitGroup
from sheetgen.model.wording import hundredths, percent

# What a column costs that breaks a moment, within a panel and between panels, and one that stays empty, where an
# unfilled tenth of a column costs a hundredth.
_BROKEN, _TORN, _EMPTY = 0.012, 0.07, 1.2
_NEVER = float("inf")
PANELS, ZONES, PAGE = "screen.html", "screen/zones.html", "screen/page.html"
MOST_SKILLS = 4  # that say enough of somebody
LETTER = 0.58  # em: how wide a bold letter is
TOGETHER = 4  # people in a zone, and as many more as there is room for
MANY_TRAITS = 8  # of a group in which people differ
SPARE = "spare"  # the key of what fills the room that is left
MOST_SPARE = 96  # entries of a list that fills it
WIDE_LETTER = 2.15  # mm, of what stands side by side, in type of 12 pt
_ROW = re.compile(r"<(?:p|li|tr)>")
_NOTE = re.compile(r" \([^()]*\)")


@dataclass(frozen=True, slots=True)
class Board:
    """Panels or pages: the paper of each, its columns, and what is kept free around them.

    Where panels of a screen meet, `fold` more is free, since the paper folds there or disappears in a pocket.
    """

    width: float
    height: float
    panels: int
    columns: int
    outer: float
    top: float
    bottom: float
    gutter: float
    fold: float = 0.0

    @property
    def column(self) -> float:
        """The width of a column, the same on all panels."""
        free = 2 * self.outer + self.fold + (self.columns - 1) * self.gutter
        return round((self.width - free) / self.columns, 3)

    @property
    def room(self) -> float:
        """The height of a column."""
        return self.height - self.top - self.bottom

    def left(self, panel: int) -> float:
        """Return where the columns of a panel begin, counted from 0."""
        if panel == 0:
            return self.outer
        return self.outer + (self.fold if panel == self.panels - 1 else self.fold / 2)

    def x(self, column: int) -> float:
        """Return where a column begins on its panel; columns are counted over all panels, from 0."""
        panel, at = divmod(column, self.columns)
        return round(self.left(panel) + at * (self.column + self.gutter), 3)


@dataclass(frozen=True, slots=True)
class Piece:
    """An indivisible piece: its key, its height, its moment, and the panel it must stand on, if any.

    `lead` is the height of its moment's heading, `again` of the line that says that the moment runs on.
    """

    key: str
    height: float
    moment: int
    lead: float
    again: float
    place: Place
    panel: int = 0


Columns: TypeAlias = tuple[tuple[Piece, ...], ...]


@dataclass(frozen=True, slots=True)
class Gaps:
    """What is free between pieces of a moment and before the next one, and how much each may be stretched."""

    piece: float
    moment: float
    stretch: float


@dataclass(frozen=True, slots=True)
class Overfull:
    """The first piece for which there is no room, the panel where it would have to stand, and the height it lacks."""

    piece: Piece
    panel: int
    over: float


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A part with the column and the height at which it begins: a piece, or the heading of one (`head` or `again`)."""

    piece: Piece
    kind: str
    column: int
    y: float


@dataclass(frozen=True, slots=True)
class Column:
    """Pieces one below another; `runs_on` if the moment of the first began in an earlier column."""

    pieces: tuple[Piece, ...]
    runs_on: bool

    def height(self, gaps: Gaps) -> float:
        """Return the height of the column, headings and gaps included."""
        if not self.pieces:
            return 0.0
        first = self.pieces[0]
        total = first.height + (first.again if self.runs_on else first.lead)
        for before, piece in pairwise(self.pieces):
            total += piece.height + (gaps.piece if before.moment == piece.moment else gaps.moment + piece.lead)
        return total


def taken(columns: Columns) -> Iterator[Column]:
    """Yield each column with whether its first moment began before it."""
    before = -1
    for pieces in columns:
        yield Column(pieces, bool(pieces) and pieces[0].moment == before)
        before = pieces[-1].moment if pieces else before


def arranged(pieces: Sequence[Piece], board: Board, gaps: Gaps) -> Columns:
    """Return the pieces of each column, all panels over, filled as evenly as their order allows.

    Return an empty tuple if no arrangement fits.
    """
    total, count = board.panels * board.columns, len(pieces)
    best = [[_NEVER] * (count + 1) for _ in range(total + 1)]
    begun = [[0] * (count + 1) for _ in range(total + 1)]
    best[0][0] = 0.0
    for number in range(total):
        for start in range(count + 1):
            for end in range(start, count + 1) if best[number][start] < _NEVER else ():
                column = Column(tuple(pieces[start:end]), _runs_on(pieces, start))
                cost = best[number][start] + _cost(column, number, board, gaps)
                if end > start and cost == _NEVER:
                    break
                if cost < best[number + 1][end]:
                    best[number + 1][end], begun[number + 1][end] = cost, start
    if best[total][count] == _NEVER:
        return ()
    found, end = list[tuple[Piece, ...]](), count
    for number in range(total, 0, -1):
        start = begun[number][end]
        found.append(tuple(pieces[start:end]))
        end = start
    return tuple(reversed(found))


def _cost(column: Column, number: int, board: Board, gaps: Gaps) -> float:
    """Return how bad a column is; never allowed where it is too high or some of it belongs on another panel."""
    panel, at = divmod(number, board.columns)
    if not column.pieces:
        return _EMPTY - 0.001 * at - 0.00001 * number  # rather the last of a panel than the first, and of the last one
    left = board.room - column.height(gaps)
    if left < 0 or any(piece.panel not in (0, panel + 1) for piece in column.pieces):
        return _NEVER
    free = left / board.room
    return free * free + (0.0 if not column.runs_on else _BROKEN if at else _TORN)


def _runs_on(pieces: Sequence[Piece], start: int) -> bool:
    return 0 < start < len(pieces) and pieces[start - 1].moment == pieces[start].moment


def overfull(pieces: Sequence[Piece], board: Board, gaps: Gaps) -> Overfull:
    """Return the first piece that fails when pieces that cannot be arranged are put down one below another."""
    number, start = 0, 0
    for at, piece in enumerate(pieces):
        if piece.panel - 1 > number // board.columns:
            number, start = (piece.panel - 1) * board.columns, at
        last = (piece.panel or board.panels) * board.columns - 1
        while (over := Column(tuple(pieces[start : at + 1]), _runs_on(pieces, start)).height(gaps) - board.room) > 0:
            if number >= last or start == at:
                rest = [each for each in pieces[at + 1 :] if not piece.panel or each.panel == piece.panel]
                more = sum(each.height + gaps.piece for each in rest) if number >= last else 0.0
                return Overfull(piece, min(number, last) // board.columns + 1, over + more)
            number, start = number + 1, at
        if number > last:
            return Overfull(piece, piece.panel, Column(tuple(pieces[start : at + 1]), False).height(gaps))
    raise ValueError("there is room for all of them")


def placed(columns: Columns, board: Board, gaps: Gaps) -> tuple[PlacedPiece, ...]:
    """Return where each piece and each heading stands.

    What a column has left widens its gaps as far as they stretch.
    """
    found = list[PlacedPiece]()
    for number, column in enumerate(taken(columns)):
        many = len(column.pieces) - 1
        more = min((board.room - column.height(gaps)) / many, gaps.stretch) if many > 0 else 0.0
        y, before = board.top, None
        for piece in column.pieces:
            if before is not None:
                y += more + (gaps.piece if before == piece.moment else gaps.moment)
            if before != piece.moment:
                again = before is None and column.runs_on
                found.append(PlacedPiece(piece, "again" if again else "head", number, round(y, 3)))
                y += piece.again if again else piece.lead
            found.append(PlacedPiece(piece, "piece", number, round(y, 3)))
            y, before = y + piece.height, piece.moment
    return tuple(found)


def moments_of(builder: BookBuilder, moments: Sequence[Moment]) -> tuple[list[TemplateData], dict[str, Place]]:
    """Return the moments for a template, each piece with a key and a name; and where the words of each name stand."""
    found, places = list[TemplateData](), dict[str, Place]()
    for number, moment in enumerate(moments, 1):
        pieces = list[TemplateData]()
        for at, shown in enumerate(moment.parts, 1):
            extract = shown.extract(builder.book)
            name = f"{moment.title}: {extract.heading}"
            places[name] = extract.place
            said = builder.extract(builder.book.rules[shown.rule], extract)
            pieces += [
                {"key": f"{number}.{at}.{part}", "name": name, **each}
                for part, each in enumerate(_column_parts(said), 1)
            ]
        found.append({"key": str(number), "title": moment.title, "pieces": pieces})
    return found, places


def zones_of(
    builder: BookBuilder,
    moments: Sequence[Moment],
    *,
    numbers: KeyNumbers | None,
    odds: Mapping[str, Sequence[OddsTable]],
    people: Sequence[TemplateData],
) -> tuple[list[TemplateData], dict[str, Place]]:
    """Return the moments of a screen for its template, each with its zones, and where the words of each name stand.

    `odds` are the tables of the rules that show theirs, by their name. The numbers are the first zone of all.
    """
    found, places = list[TemplateData](), dict[str, Place]()
    for number, moment in enumerate(moments, 1):
        zones = list[TemplateData]()
        if numbers and number == 1:
            zones.append(_key_zone(builder, numbers, odds))
            places[numbers.title] = numbers.place
        for at, shown in enumerate(moment.parts, 1):
            extract = shown.extract(builder.book)
            name = f"{moment.title}: {extract.heading}"
            places[name] = extract.place
            said = builder.extract(builder.book.rules[shown.rule], extract)
            headed = numbers is not None and shown.rule == numbers.odds  # they stand under the numbers
            tables = [odds_data(each) for each in odds.get(shown.rule, ())] if extract.with_odds and not headed else []
            zones.append(_zone(f"{number}.{at}", name, said, odds=tables))
        if moment.people:
            places[moment.title] = moment.place
            zones[:0] = _people_zones(f"{number}.people", moment, people)
        found.append({"key": str(number), "title": moment.title, "zones": zones})
    return found, places


def _people_zones(key: str, moment: Moment, people: Sequence[TemplateData]) -> Iterator[TemplateData]:
    """Yield zones of people, a few in each, so that they fill more than one column."""
    several = -(-moment.people // TOGETHER)
    for at in range(several):
        least = moment.people // several + (at < moment.people % several)
        yield {**_zone(f"{key}.{at + 1}", moment.title, {}), "people": list(people[at::several]), "least": least}


def spare_moment(system: System, tables: Sequence[RandomTable], width: float) -> TemplateData:
    """Return lists as zones, of lines `width` mm wide that a column takes as many of as it can.

    Short entries stand side by side. ValueError for an unknown list.
    """
    zones = list[TemplateData]()
    for at, table in enumerate(tables):
        entries = drawn_lines(system, table, MOST_SPARE)
        letters = sorted(sum(map(len, each)) for each in entries) or [0]
        across = max(1, int(width / (WIDE_LETTER * letters[len(letters) * 9 // 10] + 1)))
        if len(table.columns) > 1:
            across = 1
        lines = [entries[start : start + across] for start in range(0, len(entries), across)]
        people: list[TemplateData] = [{"line": [list(each) for each in line], "across": across} for line in lines]
        said: TemplateData = {"title": table.title}
        zones.append({**_zone(f"{SPARE}.{at}", table.title, said), "people": people, "least": 0})
    return {"key": SPARE, "title": "", "zones": zones}


def _zone(key: str, name: str, said: TemplateData, odds: Sequence[TemplateData] = ()) -> TemplateData:
    """Return a zone: what a rule says, its odds as tables, and how many rows of it may take some air."""
    tables = said.get("tables", ())
    assert isinstance(tables, (list, tuple))
    html = unbroken(str(said.get("html", "")))
    rows = len(_ROW.findall(html)) + sum(len(each["rows"]) + 1 for each in (*tables, *odds))
    return {
        "key": key,
        "name": name,
        "title": said.get("title", ""),
        "optional": said.get("optional", False),
        "html": html,
        "tables": list(tables),
        "drawings": said.get("figures", []),
        "odds": list(odds),
        "rows": rows,
    }


def _key_zone(builder: BookBuilder, numbers: KeyNumbers, odds: Mapping[str, Sequence[OddsTable]]) -> TemplateData:
    """Return the zone of the numbers of a game, with odds beneath.

    Where these are the odds of just these numbers, `heads` is how wide the names of their rows are, in em.
    """
    said: TemplateData = {"title": numbers.title, "html": builder.html(numbers.text) if numbers.text else ""}
    zone = _zone("numbers", numbers.title, said, [odds_data(each) for each in odds.get(numbers.odds, ())])
    large = [
        {"number": builder.html(number, inline=True), "says": unbroken(builder.html(says, inline=True))}
        for number, says in numbers.numbers
    ]
    tables = odds.get(numbers.odds, ())
    headed = len(tables) == 1 and list(tables[0].head) == [each["number"] for each in large]
    return {**zone, "numbers": large, "heads": odds_data(tables[0])["names"] if headed else 0}


def odds_data(table: OddsTable) -> TemplateData:
    """Return chances for a template: what is said of each without its sign, and the chance in per cent."""
    widest = max((len(name) for name in (*table.corner.split(), *(name for name, _ in table.rows))), default=0)
    return {
        "title": table.title,
        "names": round(LETTER * widest + 0.7, 2),
        "corner": table.corner,
        "across": table.across,
        "head": list(table.head),
        "rows": [
            {
                "name": name,
                "cells": [{"said": percent(each).removesuffix("%"), "part": hundredths(each)} for each in row],
            }
            for name, row in table.rows
        ],
    }


def _column_parts(extract: TemplateData) -> Iterator[TemplateData]:
    """Yield the extract as parts that a column may end between: words and the first drawing, then each further one."""
    figures, charts = extract["figures"], extract["charts"]
    assert isinstance(figures, list)
    assert isinstance(charts, list)
    drawings = [*figures, *charts]
    yield {**extract, "drawings": drawings[:1]}
    for each in drawings[1:]:
        yield {"title": "", "optional": False, "html": "", "tables": [], "drawings": [each]}


def person_data(system: System, character: Character, figures: Mapping[str, str]) -> TemplateData:
    """Return a person in a few lines: name, trade, how they fight and what they are good at, how they behave."""
    values = card_values(system, character, figures)
    numbers = [values.get("card.rest", "").split("\n")[0]]
    for group in system.groups:
        if len(group.members) < MANY_TRAITS or group.default is None:
            continue
        best = _in_own_words(group, character, values) or _NOTE.sub("", values.get(f"top.{group.name}", "")).split(", ")
        numbers.append(", ".join(best[:MOST_SKILLS]))
    trade = values.get("card.trade", "")
    return {
        "name": character.text("name"),
        "trade": trade[:1].lower() + trade[1:],
        "numbers": [each for each in dict.fromkeys(numbers) if each],
        "manner": next((character.text(name) for name in story_fields(system)), ""),
    }


def _in_own_words(group: TraitGroup, character: Character, values: Mapping[str, str]) -> list[str]:
    """Return the traits in which a person differs, best first, in the words that the figures have for them."""
    levels = character.numbers(group.name)
    best = sorted(group.members, key=lambda trait: -levels.get(trait.name, trait.default or 0))
    words = (values.get(f"figure.trait.{trait.role}", "") for trait in best)
    return [word for word in words if word]
