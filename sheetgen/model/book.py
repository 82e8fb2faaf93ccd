"""The rules of a game as chapters to read, and as the cards, screens and references that show parts of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, get_args

from sheetgen.errors import Place
from sheetgen.model.cast import Condition
from sheetgen.model.data import Data, Word
from sheetgen.model.procedures import Throw

SETTLED = "†"  # in the text of a rule: what stands here is this edition's reading
HOUSE_RULE = "‡"  # after a value that the table plays otherwise than the pack has it
LEGEND = f" · {HOUSE_RULE} house rule"  # behind the credit of a game, where pages explain the sign


@dataclass(frozen=True, slots=True)
class Prose:
    """Text with references to data in it, and where it begins.

    `lines` are the numbers of its lines as they were written, from 0, if it has no longer all of them in their order.
    """

    text: str
    place: Place
    lines: tuple[int, ...] = ()

    def line(self, number: int) -> int:
        """Return the number that a line of it has where it was written, both from 0."""
        return self.lines[number] if self.lines else number


NEXT = "the next"  # for the throw that is due, whatever it is for
REST = "the rest"  # for every throw of a case that no line before shows, whatever it is for
JOINED = "+ "  # before the purpose of a throw that stands in the row of the one before


@dataclass(frozen=True, slots=True)
class Scene:
    """A worked example as the book tells it: the case that is run, the story around it, and its play line by line."""

    case: str
    story: Prose | None
    place: Place
    title: str = ""
    people: Mapping[str, Role] = field(default_factory=dict)
    lines: tuple[ToldLine, ...] = ()

    def shared_out(self, throws: Iterable[Throw]) -> list[tuple[tuple[Throw, ...], ...]]:
        """Return for each line the rows of dice beside it: the throws in their order, so many as the line names."""
        left, shared = iter(throws), []
        for line in self.lines:
            rows = list[tuple[Throw, ...]]()
            for name in line.throws:
                due = tuple(islice(left, None if name == REST else 1))  # too few are for the check to say
                if rows and name.startswith(JOINED):
                    rows[-1] = (*rows[-1], *due)
                else:
                    rows += [(throw,) for throw in due]
            shared.append(tuple(rows))
        return shared


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line of a worked example: its words, the throws beside them by purpose, and what must be so as it is played.

    `results` stand under the rows of dice; `kept` leads to the faces that counted, where not all did. A line that is
    not `played` is story.
    """

    words: Prose
    place: Place
    throws: tuple[Word, ...] = ()
    results: tuple[Prose, ...] = ()
    so: Mapping[Word, Data] = field(default_factory=dict)
    kept: Word | None = None
    played: bool = True


@dataclass(frozen=True, slots=True)
class Role:
    """Who of the cast fills a parameter of a case, with which weapon or skill; `but` are parameters not theirs now."""

    name: str
    place: Place
    what: str = ""
    but: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FaceReading:
    """What some faces of a die do: those in a list of the pack's values, or all others; how they are drawn.

    `adds` is what each adds to the result of a throw. With `throws` it is for dice whose purpose has these words.
    """

    say: str
    drawn: str
    of: Word | None = None
    adds: int = 0
    throws: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Exact odds to be drawn: one result of a procedure, its chance over a row and a column of parameters.

    `sought` is the value of the result whose chance is shown; several of them, or of results, make the columns instead.
    `card` is the title of its card, where several charts of a rule take one each.
    """

    procedure: str
    given: Mapping[Word, Data]
    of: tuple[str, ...]
    sought: tuple[str, ...]
    rows: tuple[str, tuple[Data, ...]]
    columns: tuple[str, tuple[Data, ...]]
    title: str
    place: Place
    policy: str = ""
    named: Mapping[str, str] = field(default_factory=dict)
    card: str = ""
    shape: str = "bars"  # or curve: the chance to reach each number, its columns being where named stretches begin

    def called(self, name: str) -> str:
        """Return what the chart calls a parameter or a result: by its name for it, or in plain words."""
        return self.named.get(name, name.replace("_", " "))


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing made from data: its kind, what that kind needs, and the words over and `below` it."""

    kind: Word
    params: Mapping[Word, Data]
    title: str
    place: Place
    below: str = ""


@dataclass(frozen=True, slots=True)
class Extract:
    """What of a rule goes on a card or a screen: words, tables, charts, figures; and under which heading.

    `with_odds` and `with_figure` show the rule's own.
    """

    heading: str
    text: Prose | None
    tables: tuple[str, ...]
    place: Place
    with_odds: bool = False
    with_figure: bool = False


@dataclass(frozen=True, slots=True)
class Hero:
    """A character who shows step by step how one is made: rolled by the engine, or kept in a file of the pack.

    Who is rolled may have a name of the author's. Of who is kept, `made` tells the steps in lines, by heading.
    """

    method: str
    archetype: str
    seed: int | None
    index: int | None
    options: Mapping[str, str]
    name: str = ""
    file: str = ""
    made: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    place: Place = field(default=Place(""), compare=False)


RandomDice = Literal["d66", "d6xd6", "cards", "d4", "d6", "d8", "d10", "d12", "d20", "d100"]
RANDOM_DICE: tuple[RandomDice, ...] = get_args(RandomDice)


@dataclass(frozen=True, slots=True)
class RandomTable:
    """A table to roll on, drawn from lists of the pack: for each heading the list that its column is drawn from.

    Every entry fits at all levels of `fits`; those of an `archetype` are its own where it has some.
    """

    title: str
    columns: Mapping[str, str]
    place: Place
    dice: RandomDice = "d66"
    fits: tuple[Condition, ...] = ()
    archetype: str = ""
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Featured:
    """People whose stat blocks stand by a rule: rolled, kept in a file of the pack, or a ready-made group.

    Who is rolled may have name, trade and number; `want` and `special` are words of the author's for any of them,
    `behind` and `otherwise` for a group: what is behind its line, and what comes of it if nobody acts.
    """

    place: Place
    archetype: str = ""
    file: str = ""
    only: tuple[str, ...] = ()
    group: str = ""
    seed: int = 1
    index: int = 1
    method: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    count: int = 1
    name: str = ""
    trade: str = ""
    want: str = ""
    special: str = ""
    behind: str = ""
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a book; `settled` says why this edition reads it so where the sign SETTLED stands in its text.

    `house` rules are this edition's own. `label` and `note` are a remark beside the rule, with whose it is.
    """

    id: str
    title: str
    covers: tuple[str, ...]
    text: Prose
    place: Place
    optional: bool = False
    house: bool = False
    settled: Prose | None = None
    label: str = ""
    note: Prose | None = None
    tables: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    figures: tuple[Figure, ...] = ()
    random: tuple[RandomTable, ...] = ()
    people: tuple[Featured, ...] = ()
    scenes: tuple[Scene, ...] = ()
    hero: Hero | None = None
    cards: tuple[Extract, ...] = ()
    screen: Extract | None = None
    index: tuple[str, ...] = ()
    handouts: Mapping[str, Word] = field(default_factory=dict)  # by the name of their file, as the text calls them

    @property
    def card(self) -> Extract | None:
        """The first of its cards, which is the rule itself."""
        return self.cards[0] if self.cards else None


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: what it is for, its rules in order, the whole of it at one glance, and the icon of its cards."""

    id: str
    title: str
    opening: Prose
    rules: tuple[Rule, ...]
    summary: tuple[Prose, ...]
    place: Place
    icon: Word | None = None


@dataclass(frozen=True, slots=True)
class Book:
    """All chapters in book order, the words of the game explained, and words of the index that lead to others (`see`).

    `cast` are the character files of the people in its examples, `faces` says how the dice of these are read.
    `elsewhere` are the titles of what it leaves out: chapters by their names, and their rules.
    """

    chapters: tuple[Chapter, ...]
    glossary: Mapping[str, Prose]
    cast: tuple[Word, ...] = ()
    faces: Mapping[str, FaceReading] = field(default_factory=dict)
    see: Mapping[str, str] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    @property
    def rules(self) -> dict[str, Rule]:
        """Every rule by its name."""
        return {rule.id: rule for chapter in self.chapters for rule in chapter.rules}

    @property
    def handouts(self) -> dict[str, Word]:
        """What the text calls each handout of the book, by the name of its file, in their order."""
        return {name: title for rule in self.rules.values() for name, title in rule.handouts.items()}

    @property
    def covered(self) -> frozenset[str]:
        """The IDs of the ledger that some rule covers."""
        return frozenset(name for rule in self.rules.values() for name in rule.covers)


Part = Literal["card", "screen"]


@dataclass(frozen=True, slots=True)
class RulePart:
    """A rule as a moment shows it: what it says on its card, or on the screen."""

    rule: str
    part: Part
    place: Place

    def extract(self, book: Book) -> Extract:
        """Return the words of the rule, which exist because the screen was checked when it was read."""
        rule = book.rules[self.rule]
        found = rule.card if self.part == "card" else rule.screen
        if found is None:
            raise ValueError(f"rule {self.rule} has no {self.part}")
        return found


@dataclass(frozen=True, slots=True)
class Moment:
    """What is looked up together; `panel` is where it stands (0: wherever it fits), `people` how many at the least.

    `at` is the part of play that it belongs to, which has the same place on the screens of all games.
    """

    title: str
    parts: tuple[RulePart, ...]
    place: Place
    panel: int = 0
    people: int = 0
    at: str = ""


@dataclass(frozen=True, slots=True)
class KeyNumbers:
    """The few numbers of a game, each with what it means, under a title; `odds` is the rule whose charts they head."""

    title: str
    text: Prose | None
    numbers: tuple[tuple[Prose, Prose], ...]
    place: Place
    odds: str = ""


@dataclass(frozen=True, slots=True)
class Screen:
    """The moments of a screen, those of the players' reference, and those of the little book for the pocket.

    `lines` are what the players read from afar, `spare` the lists that fill what the panels of the GM leave free.
    """

    panels: int
    moments: tuple[Moment, ...]
    reference: tuple[Moment, ...]
    pocket: tuple[Moment, ...]
    numbers: KeyNumbers | None = None
    lines: tuple[Prose, ...] = ()
    spare: tuple[RandomTable, ...] = ()

    @property
    def prose(self) -> tuple[Prose, ...]:
        """Every text that the screen says itself."""
        if self.numbers is None:
            return self.lines
        said = (self.numbers.text, *(each for pair in self.numbers.numbers for each in pair), *self.lines)
        return tuple(each for each in said if each is not None)
