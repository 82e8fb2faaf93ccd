"""A game as its pack states it: traits, tables, creation, and what a character of it holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

from sheetgen.errors import Place
from sheetgen.model.cast import Cast, Group, Item
from sheetgen.model.data import EMPTY, Data, Values, Word
from sheetgen.model.people_pages import USUAL_ROWS, FigureRows, NpcPage, Roster, SheetLayout, Token, Tries
from sheetgen.model.printing import CustomDeck, Tone
from sheetgen.model.procedures import Reckoning
from sheetgen.model.scale import Scale, usual

EMPHASIS = re.compile(r"(?<![*\w])(\*{1,2})([^*\s][^*]*)\1(?![*\w])")  # **bold** and *slanted* words of a cell


@dataclass(frozen=True, slots=True)
class Span:
    """Whole numbers from `low` to `high`, both included; `3–5` in print, and `3` where there is but one."""

    low: int
    high: int

    def __contains__(self, level: int) -> bool:
        return self.low <= level <= self.high

    def __str__(self) -> str:
        return f"{self.low}" if self.low == self.high else f"{self.low}–{self.high}"


@dataclass(frozen=True, slots=True)
class Trait:
    """Something a character is rated in; `role` is its name in the procedures, `name` what this game prints.

    `short` is its name where there is little room, `default` its level where somebody does not write it down.
    """

    name: str
    role: str
    range: Span
    start: Span
    hint: str = ""
    section: str = ""
    kind: str = ""
    bands: str = ""
    rule: str = ""
    short: str = ""
    default: int | None = None

    @property
    def brief(self) -> str:
        """Its short name, or its name if it has none."""
        return self.short or self.name


@dataclass(frozen=True, slots=True)
class TraitGroup:
    """Traits of one family (attributes, skills, …) with how their levels are written.

    `spells_title` is the rule by which the initials of the names that a skin gives them spell its title, if any does.
    """

    name: str
    title: str
    scale: Scale
    members: tuple[Trait, ...]
    default: int | None = None
    hint: str = ""
    rule: str = ""
    spells_title: str = ""

    def write(self, level: int) -> str:
        """Return the level as this group prints it."""
        return self.scale.write(level)

    @property
    def sections(self) -> dict[str, tuple[Trait, ...]]:
        """The members by section, in the pack's order."""
        found: dict[str, list[Trait]] = {}
        for trait in self.members:
            found.setdefault(trait.section, []).append(trait)
        return {name: tuple(members) for name, members in found.items()}


@dataclass(frozen=True, slots=True)
class TableRow:
    """One line of a table: the results it answers to, and its columns (a plain word stands in column `is`)."""

    span: Span
    columns: Mapping[str, str]

    @property
    def plain(self) -> Mapping[str, str]:
        """The columns without the asterisks of **bold** and *slanted* words."""
        return {name: EMPHASIS.sub(r"\2", text) for name, text in self.columns.items()}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that together answer every result of its dice, or every level it is `over`, exactly once."""

    name: str
    title: str
    over: tuple[int, ...]
    rows: tuple[TableRow, ...]
    dice: str = ""
    rule: str = ""
    heads: Mapping[str, str] = field(default_factory=dict)  # by column, and `over`; an empty one hides its column
    _read: dict[int, Mapping[str, str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def row(self, result: int) -> Mapping[str, str]:
        """Return the columns of the row for a result in plain words; results off either end read the nearest row."""
        if (found := self._read.get(result)) is not None:
            return found
        for row in self.rows:
            if result in row.span:
                self._read[result] = row.plain
                return row.plain
        nearest = min(self.rows, key=lambda row: min(abs(result - row.span.low), abs(result - row.span.high)))
        return nearest.plain


SEVERAL_LINES = 300  # a text field that may be this long may have several lines


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of a character file: the values that it may hold, and their limits."""

    name: str
    title: str
    kind: Literal["text", "choice", "list", "levels", "ratings", "text per trait", "list per trait"]
    longest: int = 300
    most: int = 200
    groups: tuple[str, ...] = ()
    least_level: int = 0
    within: str = ""
    among: tuple[str, ...] = ()
    rule: str = ""
    hint: str = ""
    also: tuple[str, ...] = ()  # other words for it on forms of other people
    story: bool = False  # told last on a card, without its title
    place: Place = field(default=Place(""), compare=False)

    @property
    def several_lines(self) -> bool:
        """Whether it is a text that may have several lines."""
        return self.kind == "text" and self.longest >= SEVERAL_LINES


@dataclass(frozen=True, slots=True)
class Step:
    """A named step of creation: the step maker (`do`), its parameters, and the rule it follows."""

    name: str
    do: Word
    params: Mapping[Word, Data]
    place: Place
    rule: str = ""
    say: str = ""


@dataclass(frozen=True, slots=True)
class OpponentLevel:
    """How strong an opponent is made: what it changes of the usual way, within the rules of the game.

    `method` and `options` are those that it takes; `steps` has parameters, by step, in the place of the step's own;
    `after` names steps that only this level takes, behind one of the method.
    """

    name: str
    say: str
    rule: str = ""
    method: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, Mapping[Word, Data]] = field(default_factory=dict)
    after: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    place: Place = field(default=Place(""), compare=False)


@dataclass(frozen=True, slots=True)
class Option:
    """A choice before rolling: members of a group, a level, a step, a word, a strength, or yes and no."""

    name: str
    kind: Literal["members", "level", "step", "strength", "switch", "word"]
    default: str
    of: str = ""
    steps: Mapping[str, str] = field(default_factory=dict)
    among: tuple[str, ...] = ()
    rule: str = ""
    say: str = ""
    levels: Mapping[str, OpponentLevel] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Method:
    """A way to make a character: the names of its steps in order; a name in `options` stands for the chosen step."""

    name: str
    say: str
    steps: tuple[Word, ...]
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Creation:
    """Every way to make a character of a game."""

    methods: Mapping[str, Method]
    options: Mapping[str, Option]
    steps: Mapping[str, Step]
    place: Place

    @property
    def strength(self) -> Option | None:
        """The option that says how strong opponents are; None for a game that has no such levels."""
        return next((option for option in self.options.values() if option.kind == "strength"), None)

    def level(self, options: Mapping[str, str]) -> OpponentLevel | None:
        """Return the level that the values of options name, if they name any."""
        return self.strength.levels.get(options.get(self.strength.name, "")) if self.strength is not None else None

    def slots(self, method: str, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return the steps of a method in order, with those that only the level of the options takes."""
        level, steps = self.level(options), tuple(map(str, self.methods[method].steps))
        return steps if level is None else tuple(each for slot in steps for each in (slot, *level.after.get(slot, ())))


@dataclass(frozen=True, slots=True)
class Duel:
    """How two characters fight: the procedure, the parameter of each fighter, and the results that say who won.

    `cost` names for each fighter where its strength stands before (a parameter) and after (a result); `unit` says in
    what it is counted.
    """

    procedure: str
    given: Mapping[Word, Data]
    fighters: tuple[str, str]
    winner: str
    winners: tuple[str, str]
    length: str
    cost: tuple[tuple[str, str], ...] = ()
    unit: str = "levels"


@dataclass(frozen=True, slots=True)
class Policy:
    """How everybody spends their turns in an encounter: in words, and the parameters that say it.

    `given` are those of the procedure, `each` those of every fighter.
    """

    say: str
    given: Mapping[Word, Data] = field(default_factory=lambda: EMPTY)
    each: Mapping[Word, Data] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True, slots=True)
class Encounter:
    """How several fight on two sides: the procedure, its list of fighters, and the results that say how it went.

    `name` and `side` are keys of each fighter, `sides` the words for the two; `winner`, `length` and `down`, the names
    of those who are out of it, are results. `cost` names where the strength of a fighter stands before and after, with
    `#` for the number of the fighter. The first of the `policies` is the usual one.
    """

    procedure: str
    given: Mapping[Word, Data]
    fighters: str
    name: str
    side: str
    sides: tuple[str, str]
    policies: Mapping[str, Policy]
    winner: str = "winner"
    length: str = "rounds"
    down: str = "down"
    cost: tuple[str, str] | None = None
    unit: str = "levels"


FIGHT = "fight"  # the family of rolls that two fighters meet in; the first of a pack is its duel


class HouseRule(NamedTuple):
    """A value of a game, by its path, that a table plays otherwise: as it is there, and as the game prints it."""

    path: str
    here: str
    printed: str


@dataclass(frozen=True)
class System:
    """A whole pack, read and checked."""

    id: str
    title: str
    subtitle: str
    credit: str
    licence: str
    engine: str
    accent: str
    motto: str
    place: Place
    values: Values
    groups: tuple[TraitGroup, ...]
    tables: Mapping[str, Table]
    fields: tuple[FieldSpec, ...]
    creation: Creation
    cast: Cast
    lineage: tuple[str, ...] = ()
    rulings: Mapping[str, str] = field(default_factory=dict)
    without: tuple[Word, ...] = ()  # the IDs of rules that are left out
    duel: Duel | None = None
    encounter: Encounter | None = None
    play: Mapping[str, Step | Reckoning] = field(default_factory=dict)
    uses: Mapping[str, Mapping[str, Mapping[Word, Data]]] = field(default_factory=dict)
    covered: frozenset[str] = frozenset()
    roster: Roster | None = None
    npc_page: NpcPage | None = None
    sheet_layout: SheetLayout | None = None
    boxes: tuple[str, ...] | None = None
    tries: Tries | None = None
    token: Token | None = None
    rows: Mapping[str, FigureRows] = field(default_factory=lambda: USUAL_ROWS)
    ready_groups: Mapping[str, Group] = field(default_factory=dict)
    stand_ins: Mapping[str, Group] = field(default_factory=dict)  # for groups above, by their names
    decks: Mapping[str, CustomDeck] = field(default_factory=dict)
    tone: Tone = field(default_factory=Tone)
    blurb: str = ""
    players: str = ""
    leaves_out: tuple[Word, ...] | None = None  # chapters of what it extends; None for those of one pack alone
    reasons: bool = True  # its book says why it reads the rules as it does
    allow: tuple[Word, ...] = ()  # words of warnings that are meant so
    rights: Mapping[str, str] = field(default_factory=dict)
    printed: System | None = None  # the game without the house rules of this table
    card_size: str = ""  # of its reference cards; the usual one if empty
    version: str = ""  # of the pack
    needs: str = ""  # the least sheetgen, as `>=0.2`
    look: str = ""  # of its handouts: the name of one in templates/handout/styles.yaml

    @property
    def as_printed(self) -> System:
        """The game as its pack has it, without house rules."""
        return self.printed or self

    @cached_property
    def house_rules(self) -> tuple[HouseRule, ...]:
        """What this table plays otherwise: each value or open point with what it is here and as printed."""
        if self.printed is None:
            return ()
        here, printed = dict(self.values.flat()), dict(self.printed.values.flat())
        changed = [HouseRule(path, here[path], printed[path]) for path in here if here[path] != printed.get(path)]
        ways = self.printed.rulings
        return (
            *changed,
            *(HouseRule(point, "off", "") for point in self.without if point not in self.printed.without),
            *(
                HouseRule(point, way, ways.get(point, ""))
                for point, way in self.rulings.items()
                if way != ways.get(point)
            ),
        )

    def with_tone(self, tone: Tone) -> System:
        """Return the same game for pages of this tone: set by who prints, never by a pack."""
        return replace(self, accent=tone.of(self.accent), tone=tone)

    @cached_property
    def traits(self) -> dict[str, Trait]:
        """Every trait by its printed name."""
        return {trait.name: trait for trait in self.all_traits()}

    @cached_property
    def by_role(self) -> dict[str, Trait]:
        """Every trait by its role; in a skin, `by_role["Reflexes"]` may be called Agility."""
        return {trait.role: trait for trait in self.all_traits()}

    @cached_property
    def group_of(self) -> dict[str, TraitGroup]:
        """The group of each trait, by its printed name."""
        return {trait.name: group for group in self.groups for trait in group.members}

    @cached_property
    def usual_scale(self) -> Scale:
        """How levels of no group are written, such as those of ratings."""
        return usual(group.scale for group in self.groups)

    @cached_property
    def row_names(self) -> frozenset[str]:
        """What the names of figures begin with that are rows of a table."""
        return frozenset(self.rows)

    @cached_property
    def known_groups(self) -> Mapping[str, Group]:
        """The groups by every name that they can be asked for by."""
        return {**self.stand_ins, **self.ready_groups}

    @cached_property
    def banded(self) -> tuple[Trait, ...]:
        """The traits that have a table of what their levels mean."""
        return tuple(trait for trait in self.all_traits() if trait.bands)

    @cached_property
    def items_called(self) -> dict[str, dict[str, Item]]:
        """The items of each kind that the pack declares, by their names in small letters."""
        return {
            kind: {name.casefold(): item for name, item in listed.items()} for kind, listed in self.cast.items.items()
        }

    def owned(self, kind: str, things: Iterable[str]) -> list[Item]:
        """Return the items of a kind among things that somebody owns, in their order.

        Capital letters make no difference.
        """
        called = self.items_called.get(kind, {})
        return [called[name] for name in map(str.casefold, things) if name in called]

    def all_traits(self) -> Iterator[Trait]:
        """Yield every trait in the pack's order."""
        for group in self.groups:
            yield from group.members

    def group(self, name: str) -> TraitGroup:
        """Return the group of that name; KeyError if the pack has none (packs are checked when they are read)."""
        for group in self.groups:
            if group.name == name:
                return group
        raise KeyError(name)

    def spec(self, name: str) -> FieldSpec | None:
        """Return the field of that name; None if the game has none."""
        return next((spec for spec in self.fields if spec.name == name), None)

    def write(self, trait: str, level: int) -> str:
        """Return a level as the trait's group writes it."""
        return self.written[trait](level)

    @cached_property
    def written(self) -> dict[str, Callable[[int], str]]:
        """The function that writes the levels of each trait, by its printed name."""
        return {trait.name: group.scale.write for group in self.groups for trait in group.members}
