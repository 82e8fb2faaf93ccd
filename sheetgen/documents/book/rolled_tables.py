"""Tables to roll on, drawn from the lists that make people: names, trades, manners, stories, belongings, gear.

A list is named as in npcs.yaml: `names` (a first name with a family name), `women`, `men`, `family`, `occupations`,
`ages`, `manners`, `hooks`, `belongings`, `archetypes`, `relations`, `languages`, `things`, a kind of items, `gear`, or
one of the pack's own `phrases`; `gear.Stealth`, `specialties.Stealth` and `familiarities.Stealth` are those of one
skill. `hooks.want`, `hooks.voice` and `archetypes.say` are further words of the same entries, in the same row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, cast

from sheetgen.dice.source import shuffled
from sheetgen.documents.figures.icons import card, die
from sheetgen.errors import quoted, suggestion
from sheetgen.model.book import RandomTable
from sheetgen.model.cast import Cast, Condition, NameSet
from sheetgen.model.data import TemplateData
from sheetgen.model.system import System
from sheetgen.model.wording import sentence

GRID = "d6xd6"
FRIEND, NOBODY = "{friend}", "a friend"
SUITS, RANKS = "SHCD", ("A", *map(str, range(2, 11)), "J", "Q", "K")
DETAILS = {"hooks": ("want", "voice"), "archetypes": ("say",)}  # further words of an entry
ACROSS = ((23, 3), (38, 2))  # how many stacks stand side by side, for entries of so many letters at the most
WIDTH = 342.0  # pt, of the page on which so many letters fit, and on a line
MOST_WHOLE, LINE = 36, 60  # rows of one line that stand on one page
FEW = 20  # rows of two lines that do
BY_SKILL = ("gear", "specialties", "familiarities")

_Entry = tuple[Mapping[str, str], tuple[Condition, ...]]  # what it says, by detail, and whom it fits


def random_table(system: System, table: RandomTable, width: float = WIDTH) -> TemplateData:
    """Return a table for templates, for a page of so many pt: what is rolled, heads, and stacks of groups of rows, each
    with result and cells.

    ValueError for an unknown list, and for a list with too few entries that fit.
    """
    results = results_of(table.dice)
    drawn = {
        base: _random_entries(system, table, base, len(results))
        for base in dict.fromkeys(map(_base, table.columns.values()))
    }
    columns = [[row[_detail(name)] for row in drawn[_base(name)]] for name in table.columns.values()]
    if table.dice == GRID:
        if len(columns) > 1:
            raise ValueError(f"{GRID} has room for one list: take d66 for several columns")
        cells = sorted(columns[0], key=str.casefold)
        rows = [{"result": die(face), "cells": cells[6 * face - 6 : 6 * face]} for face in range(1, 7)]
        return {
            "title": table.title,
            "dice": GRID,
            "head": [die(face) for face in range(1, 7)],
            "stacks": [[rows]],
            "whole": True,
        }
    rows = [
        {"result": name, "cells": list(cells)} for name, cells in zip(results, zip(*columns, strict=True), strict=True)
    ]
    step = {"d66": 6, "cards": len(RANKS)}.get(table.dice, 10)
    groups = [rows[at : at + step] for at in range(0, len(rows), step)]
    heads = [head for head in table.columns if head]
    longest = 0 if len(columns) > 1 else max(map(len, columns[0]))
    across = next((count for most, count in ACROSS if 0 < longest <= most * width / WIDTH), 1) if len(groups) > 1 else 1
    share = -(-len(groups) // across)
    stacks = [groups[at : at + share] for at in range(0, len(groups), share)]
    whole = len(rows) <= (MOST_WHOLE if 0 < longest <= LINE * width / WIDTH else FEW)
    return {"title": table.title, "dice": table.dice, "head": heads, "stacks": stacks, "whole": whole}


def drawn_lines(system: System, table: RandomTable, most: int) -> list[tuple[str, ...]]:
    """Return what stands in the columns of a table, a tuple a line, as many lines as its lists have, up to `most`.

    ValueError for an unknown list.
    """
    drawn = {base: _random_entries(system, table, base, most, least=0) for base in map(_base, table.columns.values())}
    columns = [[row[_detail(name)] for row in drawn[_base(name)]] for name in table.columns.values()]
    return list(zip(*columns, strict=False))


def results_of(dice: str) -> list[str]:
    """Return what may be rolled or drawn, in order, as HTML: `11` to `66`, `1` to `20`, cards."""
    if dice == "cards":
        return [card(f"{rank}{suit}") for suit, rank in product(SUITS, RANKS)]
    if dice in ("d66", GRID):
        return [f"{tens}{ones}" for tens, ones in product(range(1, 7), repeat=2)]
    return [str(number) for number in range(1, int(dice[1:]) + 1)]


def _base(name: str) -> str:
    """Return the list that a column is drawn from, which columns of other details share."""
    head, _, rest = name.partition(".")
    return name if rest and rest not in DETAILS.get(head, ()) else head


def _detail(name: str) -> str:
    head, _, rest = name.partition(".")
    return rest if rest in DETAILS.get(head, ()) else ""


def _random_entries(
    system: System, table: RandomTable, base: str, count: int, *, least: int | None = None
) -> list[Mapping[str, str]]:
    """Return so many entries of a list in a random order, none twice; ValueError where it has not even the least."""
    wanted = dict(table.fits)
    details = {_detail(name) for name in table.columns.values() if _base(name) == base}
    fitting = [
        said
        for said, fits in _entries(system, table, base, wanted)
        if _fits(fits, wanted) and all(said.get(detail) for detail in details)
    ]
    found = list({said[""]: said for said in fitting}.values())
    if len(found) < (count if least is None else least):
        raise ValueError(f"{base} has {len(found)} entries that fit, and a {table.dice} needs {count}")
    key = "\0".join((system.id, base, table.archetype, str(table.seed)))
    order = shuffled(len(found), key.encode())[:count]
    friends = _friends(system.cast, wanted, key)
    return [{detail: _told_of_friend(text, next(friends)) for detail, text in found[at].items()} for at in order]


def _fits(conditions: Iterable[Condition], wanted: Mapping[str, frozenset[int]]) -> bool:
    """Return whether something fits at all levels that are wanted; what is not asked for does not matter."""
    return all(wanted[name] <= allowed for name, allowed in conditions if name in wanted)


def _told_of_friend(text: str, friend: str) -> str:
    return sentence(text.replace(FRIEND, friend))


def _friends(cast: Cast, wanted: Mapping[str, frozenset[int]], key: str) -> Iterator[str]:
    """Yield first names without end, for the friends of whom stories tell."""
    names = [name for each in _sets(cast, wanted) for name in each.borne_by("")] or [NOBODY]
    while True:
        yield from (names[at] for at in shuffled(len(names), f"{key}\0friends".encode()))


def _sets(cast: Cast, wanted: Mapping[str, frozenset[int]]) -> list[NameSet]:
    return [each for each in cast.name_sets if _fits(each.fits, wanted)]


def _entries(system: System, table: RandomTable, base: str, wanted: Mapping[str, frozenset[int]]) -> Iterable[_Entry]:
    """Return the entries of a list; ValueError if the pack has none of that name."""
    people = system.cast
    if base in ("names", "given", "women", "men", "family"):
        return _names(people, table, base, wanted)
    own = people.archetypes.get(table.archetype)
    if own is not None and base in ("manners", "hooks") and getattr(own, base):
        return _phrases(getattr(own, base))
    if own is not None and base == "occupations" and own.occupations:
        return _phrases(people.occupations[name] for name in own.occupations)
    lists: dict[str, Callable[[], Iterable[_Entry]]] = {
        **{name: _reader(getattr(people, name)) for name in ("manners", "hooks", "belongings", "relations")},
        **{name: _reader(getattr(people, name).values()) for name in ("occupations", "archetypes", "things")},
        **{kind: _reader(listed.values()) for kind, listed in people.items.items()},
        **{name: _reader(listed) for name, listed in people.phrases.items()},
        "languages": lambda: (({"": word}, ()) for word in people.languages),
        "ages": lambda: (({"": word}, ()) for words in people.ages.values() for word in words),
        "gear": lambda: _phrases(each for skill in people.gear for each in _gear(people, skill)),
        **{f"gear.{skill}": _reader(_gear(people, skill)) for skill in people.gear},
        **{f"{name}.{trait}": _reader(each) for name in BY_SKILL[1:] for trait, each in getattr(people, name).items()},
    }
    if base not in lists:
        raise ValueError(f"no list {quoted(base)}{suggestion(base, ('names', 'women', 'men', 'family', *lists))}")
    return lists[base]()


def _reader(things: Iterable[Any]) -> Callable[[], Iterable[_Entry]]:
    return lambda: _phrases(things)


def _gear(people: Cast, skill: str) -> tuple[Any, ...]:
    return (*people.gear[skill].basic, *people.gear[skill].advanced)


def _phrases(things: Iterable[Any]) -> Iterator[_Entry]:
    """Yield what things say: phrases and hooks their words, what is named its name."""
    for each in things:
        words = {detail: cast(str, getattr(each, detail, "")) for detail in ("want", "voice", "say")}
        yield {**words, "": getattr(each, "name", "") or each.say}, getattr(each, "fits", ())


def _names(people: Cast, table: RandomTable, base: str, wanted: Mapping[str, frozenset[int]]) -> Iterator[_Entry]:
    """Yield names of all peoples that fit; first and family names of one people, none of them twice."""
    own = people.archetypes.get(table.archetype)
    if own is not None and own.names and base == "names":
        yield from (({"": name}, ()) for name in own.names)
        return
    for each in _sets(people, wanted):
        first: Sequence[str] = each.borne_by("") if base in ("names", "given") else getattr(each, base)
        if base == "names" and each.family:
            count = min(len(first), len(each.family))
            firsts, families = (
                shuffled(len(names), f"{base}\0{part}\0{table.seed}".encode())
                for part, names in (("first", first), ("family", each.family))
            )
            first = [f"{first[firsts[at]]} {each.family[families[at]]}" for at in range(count)]
        yield from (({"": name}, ()) for name in first)
