"""The material that turns numbers into people: names, trades, manners, items, whom each fits; and groups of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from sheetgen.errors import Place
from sheetgen.model.character import Value
from sheetgen.model.data import Data, Values, Word

Condition = tuple[str, frozenset[int]]

WAR, TRADE = "war", "trade"  # tags of weapons: carried by those who live by using them, or whose trade names them
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
FactKind = Literal["trait", "choice", "whole", "number", "switch", "words", "text"]
SHE, HE = "she", "he"
_NAMED = re.compile(r"(\{one\}|\{other\})")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that fit a character of whom every condition holds: a trait, or an option, at one of these levels.

    `names` lists the things, or tags of things, that the words mean, where their names do not show it.
    """

    say: str
    fits: tuple[Condition, ...] = ()
    names: tuple[str, ...] = ()

    def means(self, thing: str, tags: Collection[str] = ()) -> bool:
        """Return whether the phrase means a thing.

        It does if it lists the name or a tag of the thing or, listing none, if the name holds its words.
        """
        if self.names:
            return thing in self.names or not set(self.names).isdisjoint(tags)
        return has_words(thing, self.say)


@dataclass(frozen=True, slots=True)
class Hook:
    """A story to tell of somebody: what it is, what they want from the players for it, and a line that they say.

    `ages` are the ages of life at which it may be somebody's, `trades` are those of which one has it if the story tells
    of a job, and nobody who knows or is one of `without`, such as a spouse or a priest, has it. `motif` is what it
    turns on, in a word, such as a debt: stories of one motif are kept apart.
    """

    say: str
    fits: tuple[Condition, ...] = ()
    want: str = ""
    voice: str = ""
    ages: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    trades: tuple[str, ...] = ()
    motif: str = ""

    def told_of(self, age: str, trade: str, known: Collection[str]) -> bool:
        """Return whether it may be the story of somebody of that age and trade, who knows such people."""
        if (self.ages and age and age not in self.ages) or (self.trades and trade not in self.trades):
            return False
        return not any(word == trade or word in known for word in self.without)


@dataclass(frozen=True, slots=True)
class Relation:
    """How two people know each other, and the pronoun of the other one where the word has a gender: `sister`, she.

    `ages` are the ages of life at which somebody has such a one: nobody old has a grandmother.
    """

    say: str
    fits: tuple[Condition, ...] = ()
    who: str = ""
    ages: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Return a hash of the word alone: a run looks for whom somebody knows again and again."""
        return hash(self.say)


@dataclass(frozen=True, slots=True)
class Occupation:
    """A trade: the skills it lives by, best first, whom it fits, what it brings along, and the ages it is held at.

    `wears` is a kind of items, such as armours, of which its people have one among what their skills bring; `arms` are
    the weapons, or tags of weapons, among which they choose theirs.
    """

    name: str
    skills: tuple[str, ...]
    fits: tuple[Condition, ...] = ()
    gear: tuple[str, ...] = ()
    ages: tuple[str, ...] = ()
    wears: str = ""
    arms: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Return a hash of the name alone: what a list of trades was sorted into is found by all of them."""
        return hash(self.name)

    def names(self, weapon: str, tags: Collection[str]) -> bool:
        """Return whether the weapon, which has these tags, is one of those that the trade names."""
        return bool(self.arms) and (weapon in self.arms or not set(tags).isdisjoint(self.arms))

    def carries(self, weapon: str, tags: Collection[str], skills: AbstractSet[str]) -> bool:
        """Return whether the trade has this weapon though not everybody does: it names it, or lives by its skills."""
        return self.names(weapon, tags) or (TRADE not in tags and not skills.isdisjoint(self.skills))


@dataclass(frozen=True, slots=True)
class Archetype:
    """A kind of person: which attributes matter most, what is bought first, and what the dice may add.

    `gives` is what everyone of this kind has, by field; own names, manners and hooks stand in for those of the pack.
    """

    name: str
    say: str
    attributes: tuple[str, ...] = ()
    core: Mapping[str, int] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    occupations: tuple[str, ...] = ()
    gives: Mapping[str, Value] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    manners: tuple[Phrase, ...] = ()
    hooks: tuple[Hook, ...] = ()
    also_called: tuple[str, ...] = ()
    phrases: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)
    method: str = ""


@dataclass(frozen=True, slots=True)
class FactSpec:
    """A fact that a pack states of each item of a kind: what it is, its limits, and whether it may be left out.

    `among` is the pack value whose names a choice has.
    """

    name: str
    kind: FactKind
    low: int = 0
    high: int = 999
    among: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ItemKind:
    """A kind of items, such as weapons: their facts, and those of which an item has one at most."""

    name: str
    facts: tuple[FactSpec, ...]
    only_one: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """Something that people own, with the facts that rules ask for: a weapon’s damage, an armour’s worth, tags."""

    name: str
    facts: Mapping[Word, Data]
    fits: tuple[Condition, ...] = ()
    place: Place = field(default=Place(""), compare=False)

    def has(self, name: str) -> bool:
        """Return whether the item has a fact of that name."""
        return name in self.facts

    def text(self, name: str) -> str:
        """Return the fact as a word, empty if the item has none; InputError where it is more than a word."""
        fact = self.facts.get(name, "")  # type: ignore[call-overload]
        return fact if isinstance(fact, str) else Values(self.facts, self.place).text(name)

    def whole(self, name: str) -> int:
        """Return the fact as a whole number; InputError where it is none."""
        return Values(self.facts, self.place).number(name)

    def number(self, name: str) -> Decimal:
        """Return the fact as an exact number; InputError where it is none."""
        return Values(self.facts, self.place).decimal(name)

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the item: what several items may be named by."""
        listed = self.facts.get("tags", ())  # type: ignore[call-overload]
        return tuple(map(str, listed)) if isinstance(listed, tuple) else (str(listed),)


@dataclass(frozen=True, slots=True)
class GearList:
    """The things that a skill brings: basic and advanced ones."""

    basic: tuple[Phrase, ...]
    advanced: tuple[Phrase, ...]


def is_usual(tags: Collection[str]) -> bool:
    """Return whether anybody may have a weapon with these tags."""
    return WAR not in tags and TRADE not in tags


@dataclass(frozen=True, slots=True)
class NameSet:
    """First names and family names that belong together, and whom they fit.

    `women` and `men` are the first names that only women or men bear; anybody may bear the others of `given`. `tongues`
    are the languages that its people grew up with.
    """

    given: tuple[str, ...]
    family: tuple[str, ...]
    fits: tuple[Condition, ...] = ()
    women: tuple[str, ...] = ()
    men: tuple[str, ...] = ()
    tongues: tuple[str, ...] = ()

    def borne_by(self, pronoun: str) -> tuple[str, ...]:
        """Return the first names for somebody of that pronoun, all of them where it is neither `she` nor `he`."""
        own = {SHE: self.women, HE: self.men}.get(pronoun)
        return (*self.given, *self.women, *self.men) if own is None else (*self.given, *own)

    def pronoun(self, name: str) -> str:
        """Return `she` or `he` for a first name that only women or men bear, and nothing for any other."""
        return SHE if name in self.women else HE if name in self.men else ""


@dataclass(frozen=True, slots=True)
class Cast:
    """All of a pack's material for making people; `given` and `family` hold the names of all `name_sets` too.

    `ages` has words for each age of life, such as `old`; `ties` say what two of a group are to each other. Nobody owns
    two things that have words of one list of `only_one` in their names, such as shoes and boots. `items` holds the
    items of each kind that the pack declares, such as `weapons`, and `things` all others. `phrases` are the pack's own
    lists, such as bonds. `standing` are traits that may lie a level beside what a trade fits.
    """

    given: tuple[str, ...] = ()
    family: tuple[str, ...] = ()
    name_sets: tuple[NameSet, ...] = ()
    languages: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    ties: tuple[str, ...] = ()
    occupations: Mapping[str, Occupation] = field(default_factory=dict)
    standing: tuple[str, ...] = ()
    archetypes: Mapping[str, Archetype] = field(default_factory=dict)
    manners: tuple[Phrase, ...] = ()
    hooks: tuple[Hook, ...] = ()
    ages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    specialties: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)
    familiarities: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)
    things: Mapping[str, Item] = field(default_factory=dict)
    items: Mapping[str, Mapping[str, Item]] = field(default_factory=dict)
    gear: Mapping[str, GearList] = field(default_factory=dict)
    belongings: tuple[Phrase, ...] = ()
    only_one: tuple[tuple[str, ...], ...] = ()
    phrases: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)

    def arms(self, name: str) -> frozenset[str]:
        """Return the traits that the items of that name are used with as weapons: their fact `skill`."""
        return frozenset(skill for item in self.named(name) if (skill := item.text("skill")))

    def suits(self, trade: Occupation | None, weapon: str) -> bool:
        """Return whether it is no wonder to see somebody of that trade with this weapon."""
        tags = self.tags(weapon)
        return is_usual(tags) or (trade is not None and trade.carries(weapon, tags, self.arms(weapon)))

    @property
    def archetype_words(self) -> dict[str, Archetype]:
        """The archetypes by name, and by what else they are called where that is the name of none."""
        others = {word: each for each in self.archetypes.values() for word in each.also_called}
        return others | dict(self.archetypes)

    def named(self, name: str) -> Iterator[Item]:
        """Yield each item of that name, of whatever kind."""
        for listed in (*self.items.values(), self.things):
            if name in listed:
                yield listed[name]

    def tags(self, name: str) -> tuple[str, ...]:
        """Return the tags of the items of that name."""
        return tuple(tag for item in self.named(name) for tag in item.tags)

    @property
    def kinds(self) -> frozenset[str]:
        """The names of all items of the kinds that the pack declares."""
        return frozenset(name for listed in self.items.values() for name in listed)


def has_words(text: str, words: str) -> bool:
    """Return whether a text has these whole words next to each other, in either case: `crossbow` has no `bow`."""
    return spaced(words) in spaced(text)


@lru_cache(maxsize=1 << 14)
def spaced(text: str) -> str:
    """Return the words of a text in lower case, each between two spaces: what `has_words` compares."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def fits(conditions: tuple[Condition, ...], levels: Mapping[str, int]) -> bool:
    """Return whether every condition holds; a condition on a trait that the character lacks does not hold."""
    for trait, allowed in conditions:  # noqa: SIM110  # asked of every phrase, and a generator takes three times as long
        if levels.get(trait) not in allowed:
            return False
    return True


@dataclass(frozen=True, slots=True)
class Member:
    """One line of a group: how many of which archetype, what they are called in it, and how they are made.

    `part` is what they are called, numbered where there are several; `name` is somebody's own name in place of a
    rolled one. With `occupations` they are the first of their run who live by one of these trades.
    """

    archetype: str
    count: int = 1
    part: str = ""
    name: str = ""
    method: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    occupations: tuple[str, ...] = ()
    place: Place = field(default=Place(""), compare=False)


@dataclass(frozen=True, slots=True)
class GroupTitle:
    """What a file of characters says of the group that they are: its title, and a line about it."""

    title: str
    say: str = ""


@dataclass(frozen=True, slots=True)
class Tie:
    """What somebody of a group is to another, in a sentence with their names for `{one}` and `{other}`."""

    who: str
    other: str
    say: str

    @property
    def pieces(self) -> tuple[tuple[str, bool], ...]:
        """The sentence in pieces, each with whether it is a name."""
        names = {"{one}": self.who, "{other}": self.other}
        return tuple((names.get(piece, piece), piece in names) for piece in _NAMED.split(self.say) if piece)


@dataclass(frozen=True, slots=True)
class Group:
    """People who belong together, line by line; method and options hold for all whose line says nothing else.

    `stands_for` are groups of the pack that its own one varies, by name, which it is met in place of.
    """

    title: str
    members: tuple[Member, ...]
    say: str = ""
    method: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    stands_for: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many people it has."""
        return sum(member.count for member in self.members)
