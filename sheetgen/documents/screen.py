"""Screens and references as plain data for their template: each moment with what its rules say, and people at hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from sheetgen.documents.book import Binder
from sheetgen.documents.card import card_values, story_fields
from sheetgen.documents.sheet import TemplateData
from sheetgen.errors import Place
from sheetgen.model.book import Moment
from sheetgen.model.character import Character
from sheetgen.model.system import System

PANELS, PAGE = "screen.html", "screen/page.html"
MOST_SKILLS = 4  # that say enough of somebody
MANY_TRAITS = 8  # of a group in which people differ

_NOTE = re.compile(r" \([^()]*\)")


def moments_of(
    binder: Binder, moments: Sequence[Moment], people: Sequence[TemplateData]
) -> tuple[list[TemplateData], dict[str, Place]]:
    """Return the moments for a template, each piece with a key and a name; and where the words of each name stand."""
    found, places = list[TemplateData](), dict[str, Place]()
    for number, moment in enumerate(moments, 1):
        pieces = list[TemplateData]()
        for at, shown in enumerate(moment.parts, 1):
            extract = shown.extract(binder.book)
            name = f"{moment.title}: {extract.heading}"
            places[name] = extract.place
            said = binder.extract(binder.book.rules[shown.rule], extract)
            pieces += [
                {"key": f"{number}.{at}.{part}", "name": name, **each} for part, each in enumerate(_parts(said), 1)
            ]
        if moment.people:
            places[moment.title] = moment.place
            pieces.append({"key": f"{number}.people", "name": moment.title, "people": list(people)})
        found.append({"key": str(number), "title": moment.title, "pieces": pieces})
    return found, places


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
        many = len(group.members) >= MANY_TRAITS and group.default is not None
        if many and (best := values.get(f"top.{group.name}", "")):
            numbers.append(", ".join(_NOTE.sub("", best).split(", ")[:MOST_SKILLS]))
    trade = values.get("card.trade", "")
    return {
        "name": character.text("name"),
        "trade": trade[:1].lower() + trade[1:],
        "numbers": [each for each in dict.fromkeys(numbers) if each],
        "manner": next((character.text(name) for name in story_fields(system)), ""),
    }
