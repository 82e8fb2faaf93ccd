"""The order of many people on paper: sorted by a field or a trait, and under headings."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from sheetgen.errors import LimitError, UsageError, quoted, suggestion
from sheetgen.model.character import Character
from sheetgen.model.system import System

MOST_ARRANGED = 20_000
ARCHETYPE = "archetype"
NOTHING = "Others"  # who has none of what the headings are; no heading if nobody has

Entry = tuple[str, Character]
Ranking = Callable[[Character], tuple[object, str]]


@dataclass(frozen=True, slots=True)
class Order:
    """The word that people are sorted by, and the word that groups them under headings; empty words change nothing."""

    sort: str = ""
    group: str = ""

    @property
    def asked(self) -> bool:
        """Whether anything changes places."""
        return bool(self.sort or self.group)


def check_order(system: System, order: Order) -> None:
    """Raise UsageError for a word that is no field and no trait of the game."""
    for word, option in ((order.sort, "--sort"), (order.group, "--group-by")):
        if word:
            _ranking(system, word, option)


def arranged(system: System, people: Iterable[Character], order: Order) -> Iterator[Entry]:
    """Yield everybody in order, each with the heading that they stand under.

    Raise LimitError for too many to hold at once.
    """
    if not order.asked:
        yield from (("", each) for each in people)
        return
    listed = list(islice(people, MOST_ARRANGED + 1))
    if len(listed) > MOST_ARRANGED:
        raise LimitError(f"{MOST_ARRANGED:,} people at the most can be put in order: print fewer, or as they come")
    by = _ranking(system, order.sort, "--sort") if order.sort else lambda each: (0, "")
    under = _ranking(system, order.group, "--group-by") if order.group else lambda each: (0, "")
    listed.sort(key=lambda each: (under(each)[0], by(each)[0]))
    headings = [under(each)[1] for each in listed]
    nowhere = set(headings) == {NOTHING}
    yield from (("" if nowhere else heading, each) for heading, each in zip(headings, listed, strict=True))


def _ranking(system: System, word: str, option: str) -> Ranking:
    """Return a function that gives the sort key and heading of a character by a field, a trait or `archetype`."""
    if word.casefold() == ARCHETYPE:
        return lambda each: _text_order(each.origin.archetype if each.origin else "")
    traits = {name.casefold(): trait for trait in system.all_traits() for name in (trait.role, trait.name)}
    fields = {spec.name.casefold(): spec for spec in system.fields if spec.kind in ("text", "choice")}
    if word.casefold() in fields:
        name = fields[word.casefold()].name
        return lambda each: _text_order(each.text(name))
    if word.casefold() in traits:
        trait = traits[word.casefold()].name
        return lambda each: _level_order(system, trait, each)
    known = [*(spec.name for spec in fields.values()), ARCHETYPE, *system.traits]
    near = suggestion(word, known) or f"; there are {', '.join(known[:8])} …"
    raise UsageError(f"{option}: unknown field or trait {quoted(word)}{near}")


def _text_order(text: str) -> tuple[object, str]:
    """Return key and heading of a text: accents and capitals make no difference, empty texts come last."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return (not text, plain.casefold(), text), text[:1].upper() + text[1:] or NOTHING


def _level_order(system: System, trait: str, character: Character) -> tuple[object, str]:
    """Return key and heading of a level: the highest first, none last; the default of the group counts."""
    group = system.group_of[trait]
    level = character.numbers(group.name).get(trait, system.traits[trait].default)
    if level is None:
        return (True, 0), f"no {trait}"
    return (False, -level), f"{trait} {system.write(trait, level)}"
