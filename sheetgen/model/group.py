"""A group of people to be rolled together: the night watch, five guards and their captain."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sheetgen.errors import Place

_NAMED = re.compile(r"(\{one\}|\{other\})")


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
    """People who belong together, line by line; method and options hold for all whose line says nothing else."""

    title: str
    members: tuple[Member, ...]
    say: str = ""
    method: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many people it has."""
        return sum(member.count for member in self.members)
