"""What a pack tells of somebody on half a page, with chances that its procedures give, and on a token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheetgen.model.data import EMPTY, Data, Word

NUMBER = "#"  # stands for the number of a row, from 1, in the fields of a line
LEVEL = "level"  # the field that stands for the level of a trait in rows of a trait group


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody or something to roll against: what it is called, and the parameters that say how strong it is."""

    say: str
    given: Mapping[Word, Data]


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely a result of a procedure is, against each of some opponents.

    The words in `given` may hold fields of a sheet in braces. Without a procedure nothing is worked out.
    """

    procedure: str
    of: str
    given: Mapping[Word, Data] = field(default_factory=lambda: EMPTY)
    policy: str = ""
    against: tuple[Opponent, ...] = ()


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

    There is a row for each trait of `group` that somebody has, or for each number that gives `name` something to say.
    Of the `chances` the first counts whose fields all say something.
    """

    title: str
    name: str = ""
    shows: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    note: str = ""
    group: str = ""
    chances: tuple[Chance, ...] = ()


@dataclass(frozen=True, slots=True)
class TitledLine:
    """A line with fields in braces, and what stands over it."""

    title: str
    shows: str


@dataclass(frozen=True, slots=True)
class NpcPage:
    """What stands on an NPC page beside want, voice, manner, story, people and belongings, which all packs share.

    `below` are lines below the attacks, `also` paragraphs beside the people. A stat block in a book shows the trait
    groups of `levels`, and of `brief` the lines that say something.
    """

    attacks: RatedRows | None = None
    skills: RatedRows | None = None
    below: tuple[str, ...] = ()
    also: tuple[TitledLine, ...] = ()
    levels: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Token:
    """What a token, a standee or a tent card tells: numbers, and rows of boxes to mark, as many as a line says."""

    numbers: tuple[TitledLine, ...] = ()
    marks: tuple[TitledLine, ...] = ()
