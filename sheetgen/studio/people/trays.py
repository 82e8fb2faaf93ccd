"""Trays: whom People ticked, and what of Print is to be made into one PDF; files, so that every window sees them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import QueryParams

from sheetgen.errors import SheetgenError, UsageError
from sheetgen.model.character import Character
from sheetgen.people.character_files import Party
from sheetgen.studio.people.cast_folder import CastMember, KeptCast, home_of
from sheetgen.studio.people.wall import read_wall, rolled
from sheetgen.studio.studio import Studio
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.write import locked, write_file

LARGEST = 1_000_000  # bytes
PEOPLE_FILE = Path(".sheetgen") / "tray.json"
MOST_PEOPLE = 400
CAST = "cast:"
PRINT_FILE = Path(".sheetgen") / "print.json"
MOST_ADDRESSES = 60


@dataclass(frozen=True, slots=True)
class Tray:
    """The file of a tray below a folder, and how many names it takes."""

    folder: Path
    file: Path
    most: int

    def names(self) -> list[str]:
        """Return what is in the tray, in the order in which it was put there; nothing if its file says nothing."""
        path = self.folder / self.file
        with suppress(OSError, ValueError):
            if path.stat().st_size <= LARGEST:
                found = json.loads(path.read_text("utf-8"))
                return (
                    [each for each in found if isinstance(each, str)][-self.most :] if isinstance(found, list) else []
                )
        return []

    def change(self, how: Callable[[list[str]], list[str]]) -> None:
        """Fill the tray with what is made of the names in it; other windows wait meanwhile, so that none is lost.

        UsageError if it takes no more.
        """
        path = self.folder / self.file
        path.parent.mkdir(exist_ok=True)
        with locked(path.parent):
            names = how(self.names())
            if len(names) > self.most:
                raise UsageError(f"the tray is full: it takes {self.most} (print them, or take something out first)")
            write_file(path, json.dumps(names, ensure_ascii=False).encode(), shown=str(self.file))


@dataclass(frozen=True, slots=True)
class Ticked:
    """Somebody in the tray: what the tray calls them, the character and the game."""

    name: str
    character: Character
    pack: Pack
    member: CastMember | None = None

    @property
    def key(self) -> str:
        """The name by which the wall would tick them now: whoever was kept since has another one."""
        return f"{CAST}{self.member.ref}" if self.member else self.name


def tick_of(query: str, number: int, member: CastMember | None) -> str:
    """Return what the tray calls somebody: by name in the cast, or by wall and number."""
    return f"{CAST}{member.ref}" if member else f"{query}#{number}"


def ticked(studio: Studio, cast: KeptCast) -> list[Ticked]:
    """Return everybody in the tray, in the order of ticking; who is not there any more is left out."""
    return _meant_by(studio, cast, _people_tray(studio).names())


def _meant_by(studio: Studio, cast: KeptCast, names: Sequence[str]) -> list[Ticked]:
    found = dict[str, Ticked]()
    for name in names:
        with suppress(SheetgenError, ValueError, KeyError):
            each = _ticked_person(studio, cast, name)
            found.setdefault(each.key, each)
    return list(found.values())


def _ticked_person(studio: Studio, cast: KeptCast, name: str) -> Ticked:
    if name.startswith(CAST):
        kept = cast.called(name.removeprefix(CAST))
        return Ticked(name, kept.character, kept.pack, kept)
    query, _, number = name.rpartition("#")
    wall = read_wall(studio, QueryParams(query))
    pack = studio.pack(wall.game)
    character = rolled(studio, pack, wall)[int(number)]
    member = cast.rolled(character)
    return Ticked(name, character if member is None else member.character, pack, member)


def turn_tick(studio: Studio, cast: KeptCast, name: str) -> None:
    """Tick somebody, or no longer; UsageError if the tray is full."""

    def turned(names: list[str]) -> list[str]:
        there = _meant_by(studio, cast, names)
        left = [each.name for each in there if name not in (each.name, each.key)]
        return left if len(left) < len(there) else [*left, name]

    _people_tray(studio).change(turned)


def untick_all(studio: Studio) -> None:
    """Take everybody out of the tray."""
    _people_tray(studio).change(lambda there: [])


def parties_of(people: Sequence[Ticked]) -> list[Party]:
    """Return people by game, in the order of the first of each."""
    games = {id(each.pack.system): each.pack for each in people}
    return [
        Party(pack, tuple(each.character for each in people if id(each.pack.system) == key))
        for key, pack in games.items()
    ]


def _people_tray(studio: Studio) -> Tray:
    return Tray(home_of(studio), PEOPLE_FILE, MOST_PEOPLE)


def print_tray(studio: Studio) -> list[str]:
    """Return the addresses of what is in the tray, in the order in which it was put there."""
    return _print_tray(studio).names()


def in_print_tray(studio: Studio, address: str) -> bool:
    """Return whether something is in the tray."""
    return address in print_tray(studio)


def turn_in_print_tray(studio: Studio, address: str) -> None:
    """Put something into the tray, or take it out; UsageError if it is full."""
    _print_tray(studio).change(
        lambda there: [each for each in there if each != address] if address in there else [*there, address]
    )


def empty_print_tray(studio: Studio) -> None:
    """Take everything out of the tray."""
    _print_tray(studio).change(lambda there: [])


def tray_data(studio: Studio) -> dict[str, object]:
    """Return what the tray at the foot of the page shows."""
    return {"count": len(print_tray(studio))}


def _print_tray(studio: Studio) -> Tray:
    return Tray(studio.folder, PRINT_FILE, MOST_ADDRESSES)
