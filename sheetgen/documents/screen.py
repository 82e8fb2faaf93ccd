"""Screens and references as plain data for their template: each moment with what its rules say, and people at hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from sheetgen.documents.book import BookBuilder
from sheetgen.documents.card import card_values, story_fields
from sheetgen.documents.figures.charts import OddsTable, percent
from sheetgen.documents.line_breaks import unbroken
from sheetgen.documents.rolled_tables import drawn_lines
from sheetgen.documents.sheet import TemplateData
from sheetgen.errors import Place
from sheetgen.model.book import KeyNumbers, Moment, RandomTable
from sheetgen.model.character import Character
from sheetgen.model.system import System, TraitGroup

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
                {"key": f"{number}.{at}.{part}", "name": name, **each} for part, each in enumerate(_parts(said), 1)
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
            zones[:0] = _people(f"{number}.people", moment, people)
        found.append({"key": str(number), "title": moment.title, "zones": zones})
    return found, places


def _people(key: str, moment: Moment, people: Sequence[TemplateData]) -> Iterator[TemplateData]:
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
                "cells": [{"said": percent(each).removesuffix("%"), "part": round(100 * each)} for each in row],
            }
            for name, row in table.rows
        ],
    }


def _parts(extract: TemplateData) -> Iterator[TemplateData]:
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
