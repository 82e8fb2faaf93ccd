"""Boxes to mark: which of somebody’s levels stand in boxes on small things, and how many boxes they have to tick."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sheetgen.model.character import Character
from sheetgen.model.people_pages import TitledLine, Token, boxes_of
from sheetgen.model.system import System, TraitGroup
from sheetgen.model.wording import NO_BREAK

BOX = "\u2610"
MOST_BOXES = 8
NUMBERS, ROWS = 2, 2  # on a token
PLAIN_MARKS = TitledLine("Harm", "6")


def boxed(system: System) -> tuple[TraitGroup, ...]:
    """Return the groups whose levels stand in boxes on a card: those of the pack, or what everybody is rated in."""
    if system.boxes is not None:
        return tuple(system.group(name) for name in system.boxes)
    shown = {spec.name for spec in system.fields if spec.kind == "levels"}
    found: list[TraitGroup] = []
    for group in system.groups:
        if group.name in shown and group.default is None:
            if sum(len(each.members) for each in found) + len(group.members) > MOST_BOXES:
                break
            found.append(group)
    return tuple(found)


def token_of(system: System) -> Token:
    """Return the numbers and the boxes that people of a game have on a token."""
    declared = system.token or Token()
    columns = system.roster.common if system.roster is not None else ()
    numbers = declared.numbers or tuple(TitledLine(each.title, each.key) for each in columns if each.key)
    if not numbers:
        traits = ((group, trait) for group in boxed(system) for trait in group.members)
        numbers = tuple(TitledLine(trait.name, f"{{{group.name}.{trait.name}}}") for group, trait in traits)
    marks = declared.marks or tuple(TitledLine(each.title, each.ticks) for each in columns if each.ticks)
    return Token(numbers[:NUMBERS], (marks or (PLAIN_MARKS,))[:ROWS])


def numbered_marks(page: str, marks: Iterable[tuple[str, int]]) -> dict[str, str]:
    """Return the values of the rows of boxes to mark on a page: what each is called, and how many there are."""
    found: dict[str, str] = {}
    for number, (title, count) in enumerate(marks, 1):
        found |= {f"{page}.marks.{number}.title": title.upper(), f"{page}.marks.{number}": str(count)}
    return found


def counted_marks(system: System, character: Character, values: Mapping[str, str]) -> list[tuple[str, int]]:
    """Return what of somebody has boxes to mark, and how many."""
    return list(_marked(system, character, values))[: most_marked(system)]


def _marked(system: System, character: Character, values: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Yield what of somebody has boxes to mark, and how many; what only others have, or has too many, is left out."""
    of = _only_of(system)
    for line in token_of(system).marks:
        count = boxes_of(line.shows, values) if line != PLAIN_MARKS else 0
        if count and (line.title not in of or character.values.get(of[line.title])):
            yield line.title, count


def most_marked(system: System) -> int:
    """Return how many rows of boxes to mark a card has: what everybody has, or else one of those that some have."""
    marks = [line for line in token_of(system).marks if line != PLAIN_MARKS]
    return max(sum(line.title not in _only_of(system) for line in marks), 1 if marks else 0)


def _only_of(system: System) -> dict[str, str]:
    """Return the field that one must have to have boxes of a title to mark, where the roster says so."""
    columns = system.roster.common if system.roster is not None else ()
    return {column.title: column.of for column in columns if column.ticks and column.of}


def boxes_in_a_row(count: int) -> str:
    """Return so many boxes in a row."""
    return " ".join([BOX] * count)


def less_marked(system: System, fact: str, values: Mapping[str, str]) -> str:
    """Return a fact without the levels that boxes to mark show already, such as Hits."""
    for line in token_of(system).marks:
        group, _, name = line.shows.strip("{}").partition(".")
        if group in {each.name for each in system.groups} and boxes_of(line.shows, values):
            level = f"{name}{NO_BREAK}{values.get(f'{group}.{name}', '')}"
            fact = ", ".join(each for each in fact.split(", ") if each != level)
    return fact
