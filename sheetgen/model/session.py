"""Campaigns and sessions: what is kept of people from evening to evening, and what a GM prepares for one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sheetgen.errors import Place
from sheetgen.model.cast import Member
from sheetgen.model.data import Data, Word
from sheetgen.model.people_pages import Chance

NOWHERE = Place("")


@dataclass(frozen=True, slots=True)
class Campaign:
    """The folder of a campaign, and what its sheetgen.toml says."""

    folder: Path
    title: str
    system: str
    paper: str = "a4"
    printer: str = ""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What happened to somebody, and when; what came of it by the rules, and what is hurt by it (below 0: healed)."""

    who: Word
    what: str
    date: str = ""
    rules: str = ""
    hurt: Mapping[str, int] = field(default_factory=dict)
    place: Place = field(default=Place(""), compare=False)

    @property
    def told(self) -> str:
        """What happened, and in brackets what came of it by the rules, without their IDs."""
        came = self.rules.partition(" [")[0]
        return f"{self.what} ({came})" if came else self.what


@dataclass(frozen=True, slots=True)
class KnownTie:
    """What somebody is to somebody else: `Ada Marsh` `owes a boat to` `Pask Orrin`."""

    who: Word
    to: Word
    relation: str = ""
    place: Place = field(default=Place(""), compare=False)


@dataclass(frozen=True, slots=True)
class Casting:
    """Somebody, or several: a line of people to roll, a `group`, or those `only` of a file of characters.

    `seed` is that of the session unless it says another. `wants` stands in place of what they would want otherwise.
    """

    member: Member | None = None
    group: Word | None = None
    file: Word | None = None
    only: tuple[Word, ...] = ()
    seed: int | None = None
    wants: str = ""
    note: str = ""
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody will try: the words, the skill, how hard it is as a number to show, and what is asked."""

    say: str
    skill: str = ""
    at: str = ""
    chance: Chance | None = None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Clock:
    """Segments to fill one by one; `beats` say what happens when so many are full, `ticks` what fills one."""

    title: str
    segments: int
    ticks: str = ""
    beats: Mapping[int, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class SceneTable:
    """A table to roll on: rows of one's own, or entries of a list of the pack; `ahead` rows are rolled already."""

    title: str
    rows: tuple[str, ...] = ()
    of: str = ""
    dice: str = ""
    ahead: int = 1
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class DiceAhead:
    """Rolls made before play, to strike out one after the other."""

    dice: str
    count: int = 12
    title: str = ""


@dataclass(frozen=True, slots=True)
class SceneMap:
    """A map: a picture beside the session, or places and ways to be drawn."""

    title: str = ""
    note: str = ""
    picture: Word | None = None
    drawn: Mapping[Word, Data] | None = None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class GivenHandout:
    """A handout: a file beside the session, or one of the system's own, with when to give it."""

    name: Word
    ready: bool = False
    when: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Fight:
    """A fight to be weighed: both sides in words, `here` for the people of the scene, and how everybody fights."""

    first: Word
    second: Word
    title: str = ""
    policy: str = ""
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class SessionScene:
    """A scene: what is read out, what only the GM knows, what is at stake, who is there, and what they may need."""

    title: str
    where: str = ""
    read: str = ""
    notes: str = ""
    stakes: tuple[str, ...] = ()
    people: tuple[Casting, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    fights: tuple[Fight, ...] = ()
    clocks: tuple[Clock, ...] = ()
    tables: tuple[SceneTable, ...] = ()
    dice: DiceAhead | None = None
    map: SceneMap | None = None
    handouts: tuple[GivenHandout, ...] = ()
    boxes: tuple[str, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Session:
    """An evening: its scenes, and what is printed with them."""

    title: str
    scenes: tuple[SessionScene, ...]
    date: str = ""
    notes: str = ""
    seed: int = 1
    options: Mapping[str, str] = field(default_factory=dict)
    people_as: str = "npc"
    reference: str = "reference"
    screen: str = "gm"
    place: Place = field(default=NOWHERE, compare=False)
