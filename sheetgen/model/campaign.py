"""A campaign: a folder with its game and its title, and what is kept of its people from one evening to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sheetgen.errors import Place
from sheetgen.model.data import Word


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
    """What happened to somebody, and when."""

    who: Word
    what: str
    date: str = ""
    place: Place = field(default=Place(""), compare=False)


@dataclass(frozen=True, slots=True)
class KnownTie:
    """What somebody is to somebody else: `Ada Marsh` `owes a boat to` `Pask Orrin`."""

    who: Word
    to: Word
    relation: str = ""
    place: Place = field(default=Place(""), compare=False)
