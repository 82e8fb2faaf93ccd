"""A table of cards, as CSV or YAML: a row each for things, spells, rooms, rumours, each cell with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sheetgen.content.people.spreadsheet import read_rows
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import Mapping, Node, Scalar, Sequence, parse
from sheetgen.errors import InputError, Place, Problem, quoted, suggestion
from sheetgen.model.data import Word

COLUMNS = {
    "title": ("name",),
    "text": ("description", "rules"),
    "icon": (),
    "cost": ("price",),
    "tags": ("tag", "type", "kind"),
    "back": (),
    "count": ("copies", "quantity"),
}
"""What a card is made of, and what else a column of it may be called."""

MOST_LETTERS = {"title": 80, "text": 3000, "icon": 40, "cost": 12, "tags": 120, "back": 2000}
MOST_COPIES, MOST_CARDS = 99, 1000
_CALLED = {other: name for name, others in COLUMNS.items() for other in (name, *others)}
_PARTED = re.compile(r"\s*[|,;\n]\s*")


@dataclass(frozen=True, slots=True)
class TableCard:
    """One card: its words by column, each with its place; `tags` in their order, and how often it is in the deck."""

    title: Word
    words: dict[str, Word]
    tags: tuple[str, ...]
    count: int

    def text(self, column: str) -> str:
        """Return what stands in a column; nothing if it is empty."""
        return str(self.words.get(column, ""))


@dataclass(frozen=True, slots=True)
class CardTable:
    """The cards of a file in its order, and a note for each column that has no place on a card."""

    cards: tuple[TableCard, ...]
    notes: tuple[Problem, ...] = ()


@dataclass(slots=True)
class _Rows:
    """The rows of a file as words by column, and where each column that is not known stands first."""

    rows: list[tuple[Place, dict[str, Word]]] = field(default_factory=list)
    strange: dict[str, Place] = field(default_factory=dict)


def read_table(data: bytes, file: str) -> CardTable:
    """Return the cards of a CSV file, or else of YAML; InputError with every problem at its row and column."""
    problems = Problems()
    found = _csv(data, file, problems) if file.lower().endswith(".csv") else _yaml(data, file, problems)
    cards = tuple(card for at, words in found.rows for card in _card(at, words, problems))
    if not cards and not problems.found:
        problems.add(Place(file, 1, 1), "this file has no card (write a title and a text for each)")
    if (total := sum(card.count for card in cards)) > MOST_CARDS:
        problems.add(Place(file, 1, 1), f"these are {total:,} cards; the most is {MOST_CARDS:,}")
    problems.raise_if_any()
    names = ", ".join(COLUMNS)
    notes = (
        Problem(at, f"column {quoted(name)} has no place on a card and is not printed (a card has {names})")
        for name, at in found.strange.items()
    )
    return CardTable(cards, tuple(notes))


def _card(at: Place, words: dict[str, Word], problems: Problems) -> Iterator[TableCard]:
    for name, word in words.items():
        if name in MOST_LETTERS and len(word) > MOST_LETTERS[name]:
            problems.add(word.place, f"{name} has {len(word):,} letters; the most is {MOST_LETTERS[name]:,}")
    title = words.get("title")
    if title is None:
        problems.add(at, "this card has no title (write one in its column title)")
        return
    count = words.get("count", Word("1", at))
    if not count.isdecimal() or not 1 <= int(count[:9]) <= MOST_COPIES:
        problems.add(count.place, f"count: {quoted(count)} is not a whole number from 1 to {MOST_COPIES}")
        return
    tags = tuple(filter(None, _PARTED.split(words["tags"]))) if "tags" in words else ()
    yield TableCard(title, words, tags, int(count))


def _standard_name(name: str) -> str:
    return _CALLED.get(name.strip().casefold(), "")


def _csv(data: bytes, file: str, problems: Problems) -> _Rows:
    grid, found = read_rows(data, file, problems), _Rows()
    if not grid:
        return found
    header, *body = grid
    columns = [_standard_name(cell) for cell in header.cells]
    _check_columns([Word(cell, Place(file, header.line, at)) for at, cell in enumerate(header.cells, 1)], problems)
    for at, (cell, name) in enumerate(zip(header.cells, columns, strict=True)):
        if not name and any(row.cells[at].strip() for row in body):
            found.strange.setdefault(cell, Place(file, header.line, at + 1))
    for row in body:
        words = {
            name: Word(cell.strip(), Place(file, row.line, at))
            for at, (name, cell) in enumerate(zip(columns, row.cells, strict=True), 1)
            if name and cell.strip()
        }
        found.rows.append((Place(file, row.line, 1), words))
    return found


def _check_columns(names: list[Word], problems: Problems) -> None:
    seen = dict[str, str]()
    for name in names:
        if (known := _standard_name(name)) and known in seen:
            problems.add(name.place, f"columns {quoted(seen[known])} and {quoted(name)} are both the {known} of a card")
        seen.setdefault(known, name)
    if "title" not in seen:
        near = next((name for name in names if suggestion(name.casefold(), ("title", "name"))), None)
        fix = f"call {quoted(near)} so" if near else "call one title, or name"
        problems.add(names[0].place, f"no column is the title of a card ({fix})")
        raise InputError(problems.found)


def _yaml(data: bytes, file: str, problems: Problems) -> _Rows:
    node, found = parse(data, file), _Rows()
    if isinstance(node, Mapping):
        node = next((value for key, value in node.entries if key.text == "cards"), node)
    if not isinstance(node, Sequence):
        problems.add(node.place, "write a list of cards: `- {title: Rope, text: Twenty metres of it.}`")
        raise InputError(problems.found)
    for each in node.items:
        if not isinstance(each, Mapping):
            problems.add(each.place, "a card is a title with more: `- {title: Rope, text: Twenty metres of it.}`")
            continue
        words = dict[str, Word]()
        for key, value in each.entries:
            name = _standard_name(key.text)
            if not name:
                found.strange.setdefault(key.text, key.place)
            elif name in words:
                problems.add(key.place, f"{quoted(key.text)} is the {name} of a card once more")
            elif (said := _cell_text(value, problems)) and not value.is_null:
                words[name] = said
        found.rows.append((each.place, words))
    return found


def _cell_text(node: Node, problems: Problems) -> Word:
    """Return a value as one text; a list as its items."""
    if isinstance(node, Scalar):
        return Word(node.text.strip(), node.place)
    if isinstance(node, Sequence) and all(isinstance(each, Scalar) for each in node.items):
        return Word("|".join(each.text for each in node.items if isinstance(each, Scalar)), node.place)
    problems.add(node.place, "takes a text")
    return Word("", node.place)
