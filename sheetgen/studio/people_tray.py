"""The tray of People: who was ticked to be printed together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import QueryParams

from sheetgen.errors import SheetgenError
from sheetgen.model.character import Character
from sheetgen.people.character_files import Party
from sheetgen.studio.cast_folder import CastMember, KeptCast, home_of
from sheetgen.studio.studio import Studio
from sheetgen.studio.tray_file import Tray
from sheetgen.studio.wall import read_wall, rolled
from sheetgen.workspace.packs import Pack

FILE = Path(".sheetgen") / "tray.json"
MOST = 400
CAST = "cast:"


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
    return _meant_by(studio, cast, _tray(studio).names())


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


def turn(studio: Studio, cast: KeptCast, name: str) -> None:
    """Tick somebody, or no longer; UsageError if the tray is full."""

    def turned(names: list[str]) -> list[str]:
        there = _meant_by(studio, cast, names)
        left = [each.name for each in there if name not in (each.name, each.key)]
        return left if len(left) < len(there) else [*left, name]

    _tray(studio).change(turned)


def put(studio: Studio, names: Sequence[str]) -> None:
    """Fill the tray with these."""
    _tray(studio).change(lambda there: list(names))


def parties_of(people: Sequence[Ticked]) -> list[Party]:
    """Return people by game, in the order of the first of each."""
    games = {id(each.pack.system): each.pack for each in people}
    return [
        Party(pack, tuple(each.character for each in people if id(each.pack.system) == key))
        for key, pack in games.items()
    ]


def _tray(studio: Studio) -> Tray:
    return Tray(home_of(studio), FILE, MOST)
