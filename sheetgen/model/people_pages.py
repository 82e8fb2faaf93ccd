"""What a pack shows of people: a line in a roster, half a page with chances, a token, the blocks of a sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sheetgen.errors import Place
from sheetgen.model.data import EMPTY, Data, Word

ROW = re.compile(r"\{(?P<rows>[^{}]+)\.(?P<number>[1-9][0-9]*)\.(?P<column>[^{}0-9][^{}]*)\}")
SLOT = re.compile(r"\{([^{}]*)\}")
NUMBER = "#"  # stands for the number of a row, from 1, in the fields of a line
LEVEL = "level"  # the field that stands for the level of a trait in rows of a trait group
BlockKind = Literal[
    "heading", "line", "area", "slots", "numbers", "rows", "track", "clock", "ticks", "rated",
    "words", "rule", "table", "list", "write", "picture", "stack",
]  # fmt: skip
MARKED: tuple[BlockKind, ...] = ("track", "clock", "ticks")
MARK = "mark"  # the first part of the names of marks: mark.Stress.3 is ticked from level 3 on
MOST_MARKS = 30  # of one kind on a page; who has more has a number


@dataclass(frozen=True, slots=True)
class FigureRows:
    """Figures that come in rows, such as weapons: `arms.1.name`, `arms.1.roll`.

    `noted` names the columns that stand behind a thing without a row. `also` has other words for such a row on forms of
    other people, and `columns` other words for each column.
    """

    name: str
    noted: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


# Of a pack that declares none.
USUAL_ROWS = {"arms": FigureRows("arms", ("roll", "injury")), "armour": FigureRows("armour")}


@dataclass(frozen=True, slots=True)
class RosterColumn:
    """One column: its head, and what it shows of everybody.

    `shows` has a line of text each, with the fields of a sheet in braces: `{arms.1.name} {arms.1.roll}`. `best` is a
    trait group of which the highest `most` are told. `ticks` is how many boxes to tick: a number or a field; `words`
    stand below these boxes, one by one. `slots` is how many numbered boxes to write in. `pencil` leaves room to write
    beside what is printed; a column that shows nothing is all room. What is `folded` stands below the rows in front of
    it, for those who have any, and in no column. What is a skin's `own` stands on the page of a group alone. `key` is
    what an index tells. Only those who have the field `of` have anything in it; where nobody has, there is no column.
    """

    title: str
    hint: str = ""
    shows: tuple[str, ...] = ()
    best: str = ""
    most: int = 3
    ticks: str = ""
    slots: int = 0
    pencil: bool = False
    key: str = ""
    of: str = ""
    words: tuple[str, ...] = ()
    folded: bool = False
    own: bool = False

    @property
    def row(self) -> tuple[str, str, int] | None:
        """The rows that its lines are a column of, which one, and the first: `arms` and `roll` of `arms.1.roll`.

        The others follow, as `arms.2.roll`. None if it shows anything else.
        """
        found = [ROW.fullmatch(line) for line in self.shows]
        named = {(each["rows"], each["column"]) if each else None for each in found}
        numbers = [int(each["number"]) for each in found if each]
        rows = named.pop() if len(named) == 1 else None
        first = numbers[0] if numbers else 0
        return (*rows, first) if rows and numbers == list(range(first, first + len(found))) else None


@dataclass(frozen=True, slots=True)
class Roster:
    """The columns of a pack's roster behind number and name, the field below each name, and a reminder at the foot.

    The page of a group tells `told` of each, lines with fields in braces, beside what everybody has, and the field
    `drive` of those who want nothing of the players. `reminders` stand in place of the reminder for those who have the
    field.
    """

    columns: tuple[RosterColumn, ...]
    under: str = ""
    reminder: str = ""
    told: tuple[str, ...] = ()
    drive: str = ""
    reminders: Mapping[str, str] = field(default_factory=dict)

    @property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The columns by number, those of the same rows together: a line in one belongs to that beside it.

        Rows that begin at a later number stand beside the first ones.
        """
        found: list[list[int]] = []
        rows = [column.row[::2] if column.row and len(column.shows) > 1 else () for column in self.columns]
        for at, name in enumerate(rows):
            if found and name and rows[at - 1] == name:
                found[-1].append(at)
            else:
                found.append([at])
        return tuple(map(tuple, found))

    def blocks_alike(self, block: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the blocks, in order, that show the rows of which this one is a block."""
        rows = self.columns[block[0]].row
        return [each for each in self.blocks if (row := self.columns[each[0]].row) and rows and row[0] == rows[0]]

    @property
    def common(self) -> tuple[RosterColumn, ...]:
        """The columns that stand on any roster, and not on the page of a group alone."""
        return tuple(column for column in self.columns if not column.own)

    @property
    def keys(self) -> tuple[RosterColumn, ...]:
        """The columns that stand in an index, too: three at the most."""
        return tuple(column for column in self.columns if column.key)


def slots_of(line: str) -> tuple[str, ...]:
    """Return the fields in the braces of a line, in order."""
    return tuple(SLOT.findall(line))


def filled(line: str, values: Mapping[str, str]) -> str:
    """Return the line with its fields filled in; nothing at all where one of them says nothing."""
    if any(not values.get(name) for name in slots_of(line)):
        return ""
    return SLOT.sub(lambda slot: values[slot[1]], line)


def boxes_of(line: str, values: Mapping[str, str]) -> int:
    """Return how many boxes to mark somebody has by a line that comes to a number; 0 for none, and for too many."""
    said = filled(line, values)
    count = int(said) if said.isascii() and said.isdigit() else 0
    return count if count <= MOST_MARKS else 0


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody or something to roll against: what it is called, and the parameters that say how strong it is."""

    say: str
    given: Mapping[Word, Data]


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely a result of a procedure is, against each of some opponents.

    The words in `given` may hold fields of a sheet in braces. Without a procedure nothing is worked out. One that has
    words in `named` is that of rows alone whose name has one of them, such as a bow.
    """

    procedure: str
    of: str
    given: Mapping[Word, Data] = field(default_factory=lambda: EMPTY)
    policy: str = ""
    against: tuple[Opponent, ...] = ()
    named: tuple[str, ...] = ()

    def is_of(self, name: str) -> bool:
        """Return whether it is that of a row of this name."""
        return not self.named or any(word in name.casefold().split() for word in self.named)


@dataclass(frozen=True, slots=True)
class Tries:
    """What a plain attempt rolls, for odds that a GM asks for: a chance, and the parameter that says how hard it is.

    Its cases, such as skills from 0 to 3, are the opponents of the chance; `by` says what they are, `usual` how hard a
    fair attempt is.
    """

    chance: Chance
    at: str
    usual: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class RatedRows:
    """Rows of attacks or skills: the head, a name, columns and a note for each row, and how likely it is to succeed.

    There is a row for each trait of `group` that somebody has, or for each number that gives `name` something to say;
    half a page has `most` of them (0: all). A third column stands there in place of the `note`, which is for books. Of
    the `chances` the first counts whose fields all say something. `block` tells of a row in a stat block of a book.
    """

    title: str
    name: str = ""
    shows: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    note: str = ""
    group: str = ""
    chances: tuple[Chance, ...] = ()
    block: str = ""
    most: int = 0


@dataclass(frozen=True, slots=True)
class TitledLine:
    """A line with fields in braces, and what stands over it."""

    title: str
    shows: str


@dataclass(frozen=True, slots=True)
class TitledLines:
    """Lines with fields in braces, and what stands before them."""

    title: str = ""
    shows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NpcPage:
    """What stands on an NPC page beside want, voice, manner, story, people and belongings, which all packs share.

    `below` are lines below the attacks, `besides` what has nothing to do with them, `marked` lines at the boxes to
    mark in place of those below, `also` paragraphs beside the people. A stat block in a book has neither boxes nor
    paragraphs; it shows the trait groups of `levels`, and of `brief` the lines that say something.
    """

    attacks: RatedRows | None = None
    skills: RatedRows | None = None
    below: tuple[str, ...] = ()
    besides: TitledLines = field(default_factory=TitledLines)
    marked: tuple[str, ...] = ()
    also: tuple[TitledLine, ...] = ()
    levels: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Token:
    """What a token, a standee or a tent card tells: numbers, and rows of boxes to mark, as many as a line says."""

    numbers: tuple[TitledLine, ...] = ()
    marks: tuple[TitledLine, ...] = ()


@dataclass(frozen=True, slots=True)
class SheetBlock:
    """One block of a sheet, as wide as `span` columns of the grid.

    `shows` is the field it shows, `traits` are those of a trait group whose levels it shows; `lines` says how many
    lines, slots or boxes it has (0: as many as usual), `columns` in how many columns its parts stand. `beside` are the
    words of boxes beside each number or line, filled in by a trait group of that name, `text` what a reminder says, or
    which rule, table, list or picture. With `dots`, room to write has a grid for drawing. A `stack` has blocks of its
    own, one below the other.
    """

    kind: BlockKind
    span: int
    shows: str = ""
    traits: tuple[str, ...] = ()
    title: str = ""
    hint: str = ""
    lines: int = 0
    columns: int = 0
    beside: tuple[str, ...] = ()
    dots: bool = False
    text: str = ""
    stack: tuple[SheetBlock, ...] = ()
    place: Place = field(default=Place(""), compare=False)


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """The blocks of the front and of the back, in a grid of so many columns, and how the sheet looks.

    `theme` is the name of a look, `motif` a drawing and `font` a font for titles, both files of the pack's templates.
    Where sheets differ `by` what a field says, `variants` has the layout for each word of it, which has that `word`.
    This one is for whoever has none.
    """

    columns: int
    front: tuple[SheetBlock, ...]
    back: tuple[SheetBlock, ...] = ()
    theme: str = ""
    motif: str = ""
    font: str = ""
    place: Place = field(default=Place(""), compare=False)
    by: str = ""
    word: str = ""
    variants: Mapping[str, SheetLayout] = field(default_factory=dict)

    @property
    def all(self) -> tuple[SheetLayout, ...]:
        """Every layout: that of each word, or this one alone."""
        return tuple(self.variants.values()) or (self,)

    @property
    def blocks(self) -> tuple[SheetBlock, ...]:
        """Every block of both sides, those of stacks among them."""
        return tuple(block for each in (*self.front, *self.back) for block in (each, *each.stack))

    def marked(self) -> frozenset[str]:
        """Return the trait groups of which some level is shown by marks, on any sheet of the game."""
        layouts = (self, *self.variants.values())
        return frozenset(block.shows for each in layouts for block in each.blocks if block.kind in MARKED)

    def beside(self, name: str) -> tuple[str, ...]:
        """Return the words of the boxes beside the numbers of a trait group; nothing where it has none."""
        return next((block.beside for block in self.blocks if block.shows == name and block.beside), ())

    def of(self, word: str) -> SheetLayout:
        """Return the layout for a word of the field that it goes `by`; this one where that has none of its own."""
        return self.variants.get(word, self)

    def ticked(self) -> frozenset[str]:
        """Return the traits whose levels this sheet shows by marks."""
        return frozenset(name for block in self.blocks if block.kind in MARKED for name in block.traits)

    def shown_in_front(self) -> frozenset[str]:
        """Return what the blocks of the front show, which is printed whether or not there is a back."""
        return frozenset(block.shows for each in self.front for block in (each, *each.stack) if block.shows)
