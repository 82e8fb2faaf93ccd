"""A character: the values of the fields its game declares, and how it came about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sheetgen.errors import Place

FORMAT_VERSION = 1
PICTURE = "picture"  # the key of a portrait in files of characters of every game
OWN = "columns"  # the key of what people keep beside their characters, in columns of their own tables
OWN_PREFIX = "x-"  # begins the name of such a column
MIDDLE = (50, 50)

Value: TypeAlias = "str | tuple[str, ...] | Mapping[str, int] | Mapping[str, str] | Mapping[str, tuple[str, ...]]"


@dataclass(frozen=True, slots=True)
class Origin:
    """The record of how a character was rolled, from which the same one can be rolled again.

    `rerolled` names the steps that were rolled again later, each with the seed that it was rolled by. `name` was
    given by a group in place of the rolled one. Somebody `edited` was changed by hand since: no file says so, a look at
    what that seed rolls does. Who was rolled with a `group` has its title, and their place in it from 1 where that is
    known.
    """

    method: str
    seed: int
    index: int
    archetype: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    rerolled: Mapping[str, int] = field(default_factory=dict)
    name: str = ""
    edited: bool = field(default=False, compare=False)
    group: str = field(default="", compare=False)
    place: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class PictureFile:
    """The file of a portrait as it is named, below the folder of the character file, and what must be seen of it.

    The `focus` is in per cent from the left and from the top. `shown` is the picture itself once it was read, as the
    address that a page shows it by.
    """

    file: str
    focus: tuple[int, int] = MIDDLE
    place: Place = field(default=Place(""), compare=False)
    shown: str = field(default="", compare=False, repr=False)

    @property
    def written(self) -> str:
        """The picture as files have it: `ada.png`, or `ada.png at 50 20`."""
        return self.file if self.focus == MIDDLE else f"{self.file} at {self.focus[0]} {self.focus[1]}"


@dataclass(frozen=True, slots=True)
class Character:
    """A character of one system; `values` holds only the fields that say something.

    `own` is what somebody keeps about it in columns of a table of theirs: it travels along and is no part of the game.
    """

    system: str
    values: Mapping[str, Value]
    origin: Origin | None = None
    place: Place = field(default=Place(""), compare=False)
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)
    picture: PictureFile | None = None
    own: Mapping[str, str] = field(default_factory=dict, compare=False)

    def text(self, name: str) -> str:
        """Return the text of a field, empty if it says nothing."""
        value = self.values.get(name, "")
        return value if isinstance(value, str) else ""

    @property
    def name_and_part(self) -> tuple[str, str]:
        """The name, and the part in a group that stands behind it, without a number: `Ilse Marr` and `guard`."""
        name, given = self.text("name"), self.origin.name if self.origin is not None else ""
        own, comma, part = name.rpartition(", ")
        if not comma or part[:1].isupper() or (given and name.endswith(given)):
            return name, ""
        return own, part.rstrip("0123456789 ")

    def lines(self, name: str) -> tuple[str, ...]:
        """Return the lines of a list."""
        value = self.values.get(name, ())
        return value if isinstance(value, tuple) else ()

    def numbers(self, name: str) -> Mapping[str, int]:
        """Return the levels or ratings of a field by name."""
        return self._by_name(name, int)

    def notes(self, name: str) -> Mapping[str, str]:
        """Return the text for each trait of a field."""
        return self._by_name(name, str)

    def lists(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """Return the list for each trait of a field."""
        return self._by_name(name, tuple)

    def _by_name(self, name: str, kind: type) -> Mapping[str, Any]:
        """Return the values of a field by name if they are of that type; a field holds values of one type only."""
        value = self.values.get(name)
        if value is None or isinstance(value, str | tuple) or not isinstance(next(iter(value.values()), None), kind):
            return {}
        return value

    def levels(self, groups: Iterable[str]) -> dict[str, int]:
        """Return every rated trait of these groups with its level."""
        return {name: level for group in groups for name, level in self.numbers(group).items()}
