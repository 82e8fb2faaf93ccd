"""The tray: who was ticked to be printed together. It is a file of the folder, so that every window sees it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import QueryParams

from sheetgen.errors import SheetgenError
from sheetgen.model.character import Character
from sheetgen.people.character_files import Party
from sheetgen.studio.kept_cast import CastMember, KeptCast, home_of
from sheetgen.studio.studio import Studio
from sheetgen.studio.wall import read_wall, rolled
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.write import locked, write_file

FILE = Path(".sheetgen") / "tray.json"
MOST = 400
LARGEST = 1_000_000
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
    found = dict[str, Ticked]()
    for name in _names(studio):
        with suppress(SheetgenError, ValueError, KeyError):
            each = _meant(studio, cast, name)
            found.setdefault(each.key, each)
    return list(found.values())


def _meant(studio: Studio, cast: KeptCast, name: str) -> Ticked:
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
    """Tick somebody, or no longer."""
    there = ticked(studio, cast)
    left = [each.name for each in there if name not in (each.name, each.key)]
    put(studio, left if len(left) < len(there) else [*left, name])


def put(studio: Studio, names: Sequence[str]) -> None:
    """Fill the tray with these."""
    path = home_of(studio) / FILE
    path.parent.mkdir(exist_ok=True)
    with locked(path.parent):
        write_file(path, json.dumps(list(names)[-MOST:], ensure_ascii=False).encode(), shown=str(FILE))


def parties_of(people: Sequence[Ticked]) -> list[Party]:
    """Return people by game, in the order of the first of each."""
    games = {id(each.pack.system): each.pack for each in people}
    return [
        Party(pack, tuple(each.character for each in people if id(each.pack.system) == key))
        for key, pack in games.items()
    ]


def _names(studio: Studio) -> list[str]:
    path = home_of(studio) / FILE
    with suppress(OSError, ValueError):
        if path.stat().st_size <= LARGEST:
            found = json.loads(path.read_text("utf-8"))
            return [each for each in found if isinstance(each, str)][-MOST:] if isinstance(found, list) else []
    return []
