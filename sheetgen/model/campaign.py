"""A campaign: a folder with its game and its title, and what is kept of its people from one evening to the next."""

from __future__ import annotations

from collections.abc import Mapping
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
