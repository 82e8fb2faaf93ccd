"""Values matched with the fields of a given form by the names of both.

A name that is letter by letter that of a value comes first, then names that differ in case, spaces and hyphens, then
those that leave out what a value is part of (`Grit` for `attributes.Grit`), then other words for the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from sheetgen.documents.sheet import unknown_fields
from sheetgen.model.acroform import Blank, FieldRule, folded
from sheetgen.model.people_pages import FigureRows
from sheetgen.model.system import System

MOST_ROWS = 40  # of a list that may be longer than anybody's
OTHER_WORDS: Mapping[str, tuple[str, ...]] = {
    "name": ("character name", "pc name", "full name", "hero", "name 2", "character name 2"),
    "occupation": ("profession", "career", "class", "job", "trade", "calling", "concept"),
    "gear": ("equipment", "inventory", "items", "possessions", "belongings", "item", "thing"),
    "manner": ("personality", "mannerism", "demeanour", "demeanor"),
    "hook": ("story", "background", "backstory", "biography"),
    "notes": ("note",),
    "people": ("contacts", "allies", "friends"),
}
NARROW = 150  # points: nothing for texts of several lines
_ROW = re.compile(r"(\w+)\.(\d+)(?:\.(\w+))?")
_INDEX = re.compile(r"\[\d+\]")
_PREFIX = re.compile(
    r"(?:txt|text|fld|field|tf|input|topmostsubform|form|page\d|character|char|pc|chk|cb|checkbox|check|box|skills?|"
    r"attributes?|attr|stats?|ability|abilities|trait)(?=.)"
)
_SUFFIX = re.compile(r"(?<=.)(?:score|level|value|rating|field|total|text|points|box)$")


def value_names(system: System, people: Iterable[Mapping[str, str]]) -> tuple[str, ...]:
    """Return the names of all values that somebody of this game may have, those one looks for first in front."""
    names: dict[str, None] = {}
    for spec in system.fields:
        if spec.kind == "levels":
            names.update(dict.fromkeys(f"{spec.name}.{trait.name}" for trait in system.group(spec.name).members))
        elif spec.kind in ("text", "choice", "list"):
            names[spec.name] = None
    found = {name for values in people for name in values}
    lists = [spec.name for spec in system.fields if spec.kind == "list"]
    first = ("figure.", *(f"{rows.name}." for rows in system.rows.values() if rows.columns))
    names.update(dict.fromkeys(sorted(found, key=lambda name: (not name.startswith(first), name))))
    names.update(dict.fromkeys(f"{name}.{row}" for name in lists for row in range(1, MOST_ROWS + 1)))
    names.update(dict.fromkeys(f"note.{trait.name}" for trait in system.all_traits()))
    return tuple(names)


def matched(blanks: Iterable[Blank], names: Iterable[str], system: System) -> dict[str, FieldRule]:
    """Return the rule of each field whose name, or what a reader shows for it, tells of a value."""
    names = tuple(names)
    levelled = {spec.name for spec in system.fields if spec.kind in ("levels", "ratings")}
    levels = {name for name in names if name.partition(".")[0] in levelled}
    long = {spec.name for spec in system.fields if spec.several_lines or spec.kind == "ratings"}
    letter, known = frozenset(names), _index(names, system)
    rules = {}
    for blank in blanks:
        ours = blank.name in letter or ("." in blank.name and not unknown_fields((blank.name,), system))
        value = blank.name if ours else next((known[each] for each in _forms(blank) if each in known), "")
        if value in long and not ours and blank.spots[0].box.width < NARROW:
            continue
        ticked = value in levels or value.startswith("figure.") or value == blank.name
        if value and (blank.kind != "tick" or ticked):
            rules[blank.name] = FieldRule(f"{{{value}}}", tick=blank.kind == "tick")
    return rules


def _forms(blank: Blank) -> Iterator[str]:
    """Yield what a field may be called, the surest first: its name, the end of it, both without what says nothing."""
    name = _INDEX.sub("", blank.name)
    for words in (name, _end(name), blank.title):
        plain = folded(words)
        yield plain
        shorter = _SUFFIX.sub("", plain)
        yield shorter
        while (shorter := _PREFIX.sub("", plain, count=1) if _PREFIX.match(plain) else "") and shorter != plain:
            plain = shorter
            yield plain
            yield _SUFFIX.sub("", plain)


def _end(name: str) -> str:
    """Return the last part of a whole name, with the number of its line if it is in one: Melee, arms.2.name."""
    parts = name.split(".")
    first = next((at for at, part in enumerate(parts) if part.isdigit()), len(parts))
    return ".".join(parts[max(first - 1, 0) :])


def _index(names: Iterable[str], system: System) -> dict[str, str]:
    """Return the value that each folded name means; the surer way of naming comes first."""
    ways = {name: tuple(_ways(name, system)) for name in names}
    known: dict[str, str] = {}
    for rank in range(3):
        for name, ranks in ways.items():
            for words in ranks[rank]:
                if word := folded(words):
                    known.setdefault(word, name)
    return known


def _ways(name: str, system: System) -> tuple[tuple[str, ...], ...]:
    """Return how a value may be called: by its whole name, by its end, by other words."""
    head, dot, end = name.partition(".")
    own = [(spec.title, *spec.also) for spec in system.fields if spec.name == head]
    rows = system.rows.get(head, FigureRows(head))
    others = (*(word for words in own for word in words), *OTHER_WORDS.get(head, ()), *rows.also)
    if not dot:
        return (name,), (), others
    if row := _ROW.fullmatch(name):
        part = row[3] or ""
        ends = (part, *rows.columns.get(part, ()), *(("",) if part == "name" else ()))
        numbered = (f"{word}{row[2]}{each}" for word in (head, *others) for each in ends)
        swapped = (f"{word}{each}{row[2]}" for word in (head, *others) for each in ends)
        alone = (f"{each}{row[2]}" for each in ends if rows.columns and part != "name")
        first = (f"{word}{each}" for word in (head, *others) for each in ends if row[2] == "1" and part)
        return (name,), (), (*numbered, *swapped, *alone, *first)
    called = (end, system.traits[end].short) if end in system.traits else (end,)
    return (name,), called if head not in ("note", "familiarities") else (), ()
