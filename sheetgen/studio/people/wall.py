"""The wall of people: a sentence that says whom to roll. The sentence is the address, and the address the wall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from sheetgen.content.packs.folders import MANIFEST, read_file
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Scalar, parse
from sheetgen.dice.source import LARGEST_SEED
from sheetgen.errors import SheetgenError, UsageError, quoted
from sheetgen.model.character import Character
from sheetgen.model.system import Option, System
from sheetgen.people.groups import GroupRun, check_group, group_named, roll_group
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.studio.people.cast_folder import origin_key
from sheetgen.studio.people.person import just_rolled
from sheetgen.studio.studio import Studio
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import is_path

PEOPLE = "/people"
MOST_ON_THE_WALL = 200
FEW = 12
STATED = 7  # the seed of a wall whose address has none
OPTION = "o."  # begins the name of an option of the game in addresses
CULTURE = "culture"  # the option that names come from, where a game has it


@dataclass(frozen=True, slots=True)
class Wall:
    """Whom the sentence asks for; reloaded, sent or bookmarked, it is the same wall.

    `gone` are the numbers of those who were thrown back and stand there struck out, `away` of those in whose place
    somebody else was rolled; `stead` says who of the cast, once kept there, has become somebody else; `find` lists the
    cast instead, those who have these words.
    """

    game: str
    kind: str = ""
    number: int = FEW
    seed: int = STATED
    method: str = ""
    options: tuple[tuple[str, str], ...] = ()
    gone: tuple[int, ...] = ()
    away: tuple[int, ...] = ()
    find: str | None = None
    stead: tuple[tuple[int, str], ...] = ()

    def query(self, **also: object) -> str:
        """Return the wall as the query of an address, with other things behind it."""
        pairs: list[tuple[str, object]] = [
            ("game", self.game),
            ("kind", self.kind),
            ("number", self.number),
            ("seed", self.seed),
            ("method", self.method),
        ]
        pairs += [(f"{OPTION}{name}", value) for name, value in self.options]
        pairs += [("not", at) for at in self.gone] + [("for", at) for at in self.away]
        pairs += [("stead", f"{at}:{ref}") for at, ref in self.stead]
        pairs += [("find", self.find)] if self.find is not None else []
        return urlencode([(name, value) for name, value in (*pairs, *also.items()) if value != "" or name == "find"])

    def address(self, who: str = "", **also: object) -> str:
        """Return the address of the wall with somebody beside it: a number of the wall, or the name of the cast."""
        at = {"who": who} if who.isdigit() else {}
        path = f"{PEOPLE}/{who}" if who and not at else PEOPLE
        return f"{path}?{self.query(**at, **also)}"

    def stands(self, at: int) -> str:
        """Return the name in the cast of whoever took the place of a number; nothing where nobody did."""
        return dict(self.stead).get(at, "")

    def given(self, at: int, ref: str) -> Wall:
        """Return the wall with a number given to somebody of the cast; as it is for the number 0."""
        return replace(self, stead=tuple(sorted({**dict(self.stead), at: ref}.items()))) if at else self

    @property
    def shown(self) -> tuple[int, ...]:
        """The numbers of the run that stand on the wall, those who were thrown back too."""
        wanted = self.number + len(self.away)
        return tuple(at for at in range(1, wanted + 1) if at not in self.away)


def read_wall(studio: Studio, query: QueryParams) -> Wall:
    """Return the wall that an address asks for; UsageError for a number that is none."""
    game = asked_game(studio, query.get("game"))
    options = tuple((name[len(OPTION) :], value) for name, value in query.items() if name.startswith(OPTION) and value)
    try:
        numbers = {name: tuple(sorted({int(each) for each in query.getlist(name)})) for name in ("not", "for")}
        stood = [each.partition(":") for each in query.getlist("stead")]
        stead = sorted({int(at): ref for at, _, ref in stood}.items())
        number, seed = int(query.get("number") or FEW), int(query.get("seed") or STATED)
    except ValueError:
        raise UsageError("the numbers of a wall are whole ones: roll it again") from None
    return Wall(
        game,
        query.get("kind", ""),
        max(1, min(MOST_ON_THE_WALL, number)),
        max(0, min(LARGEST_SEED, seed)),
        query.get("method", ""),
        options,
        numbers["not"][:MOST_ON_THE_WALL],
        numbers["for"][:MOST_ON_THE_WALL],
        query.get("find"),
        tuple(stead)[:MOST_ON_THE_WALL],
    )


def asked_game(studio: Studio, word: str | None) -> str:
    """Return the game that a page asks for, the usual one where it names none; UsageError for a folder elsewhere."""
    if not word:
        return usual_game(studio)
    if is_path(word) and word != usual_game(studio):
        shelf = studio.project.shelf
        near = [each.resolve() for each in (studio.folder, *([shelf] if shelf else []))]
        if not any((studio.folder / word).resolve().is_relative_to(each) for each in near):
            raise UsageError(f"{quoted(word)} is no game of this folder or of your shelf")
    return word


def usual_game(studio: Studio) -> str:
    """Return the game that is meant where none is named: that of the campaign, else the one most others stand on."""
    campaign = studio.campaign
    if campaign is not None:
        return campaign.system
    known = games(studio)
    below = Counter(each.extends for each in known)
    return max((each.name for each in known if not each.extends), key=lambda name: below[name], default="")


@dataclass(frozen=True, slots=True)
class GameInSight:
    """A game as the sentence names it, known without opening its pack."""

    name: str
    title: str
    extends: str = ""


def games(studio: Studio) -> list[GameInSight]:
    """Return the games in sight that can make people, by title."""
    found = [_in_sight(studio, name, folder) for name, folder in studio.project.library.packs.items()]
    return sorted((each for each in found if each is not None), key=lambda each: each.title.casefold())


def _in_sight(studio: Studio, name: str, folder: Path) -> GameInSight | None:
    """Return a game by what the head of its pack says; None for one that only has pages."""
    try:
        stamp = (folder / MANIFEST).stat().st_mtime_ns
    except OSError:
        return None
    return studio.lately.get(("in sight", folder, stamp), lambda: _looked_at(name, folder))


def _looked_at(name: str, folder: Path) -> GameInSight | None:
    try:
        node = parse(read_file(folder / MANIFEST, MANIFEST), MANIFEST)
    except SheetgenError:
        return None
    entries = node.entries if isinstance(node, MappingNode) else ()
    said = {key.text: value.text for key, value in entries if isinstance(value, Scalar)}
    extends = said.get("extends", "").partition(" ")[0]
    if not extends and not (folder / "creation.yaml").is_file():
        return None
    return GameInSight(name, said.get("title", name), extends)


def rolled(studio: Studio, pack: Pack, wall: Wall) -> dict[int, Character]:
    """Return who stands on the wall, by number; UsageError for a kind, method or option that the game lacks."""
    key = ("wall", studio.mark(pack), replace(wall, gone=(), find=None, stead=()))
    return studio.lately.get(key, lambda: (pack, _roll_wall(studio, pack, wall)))[1]


def _roll_wall(studio: Studio, pack: Pack, wall: Wall) -> dict[int, Character]:
    with studio.making:
        if is_group(pack.system, wall.kind):
            group, _ = group_named(studio.project, pack, wall.kind)
            run = GroupRun(group, wall.seed, wall.method, dict(wall.options))
            check_group(pack, run)
            return dict(enumerate(roll_group(pack, run), 1))
        asked = RollOptions(wall.seed, max(wall.shown), 1, wall.method, wall.kind, dict(wall.options))
        everybody = dict(enumerate(roll(pack, asked), 1))
    for character in everybody.values():
        just_rolled(studio, pack, character)
    return {at: everybody[at] for at in wall.shown}


def number_on(studio: Studio, wall: Wall, character: Character, ref: str = "") -> int:
    """Return the number on the wall of who was rolled so, or of whoever has that name in the cast and took a place of
    it; 0 for somebody of another wall.
    """
    if took := next((at for at, name in wall.stead if name == ref and wall.find is None), 0):
        return took
    if wall.find is not None or character.origin is None:
        return 0
    key, everybody = origin_key(character), rolled(studio, studio.pack(wall.game), wall)
    return next((at for at, each in everybody.items() if origin_key(each) == key), 0)


def is_group(system: System, kind: str) -> bool:
    """Return whether a kind is a ready-made group, which says itself how many they are."""
    return kind in system.ready_groups and kind not in system.cast.archetypes


def sentence(studio: Studio, pack: Pack, wall: Wall) -> dict[str, object]:
    """Return the choices of the sentence, each with what is chosen, for the template."""
    creation, chosen = pack.system.creation, dict(wall.options)
    strength, culture = creation.strength, creation.options.get(CULTURE)
    named = [each for each in (strength, culture) if each is not None]
    others = [option for option in creation.options.values() if option not in named]
    return {
        "game": wall.game,
        "games": [{"id": each.name, "title": each.title} for each in games(studio)],
        "number": wall.number,
        "group": is_group(pack.system, wall.kind),
        "most": MOST_ON_THE_WALL,
        "seed": wall.seed,
        "kind": wall.kind,
        "kinds": list(pack.system.cast.archetypes),
        "groups": list(pack.system.ready_groups),
        "strength": strength and _choice(strength, chosen),
        "names": culture and _choice(culture, chosen),
        "others": [_choice(option, chosen) for option in others],
        "others_chosen": any(option.name in chosen for option in others) or bool(wall.method),
        "method": wall.method,
        "methods": list(creation.methods),
    }


def _choice(option: Option, chosen: Mapping[str, str]) -> dict[str, object]:
    words: Iterable[str] = ("no", "yes") if option.kind == "switch" else option.steps or option.among
    return {
        "name": f"{OPTION}{option.name}",
        "title": option.name,
        "say": option.say,
        "value": chosen.get(option.name, ""),
        "usual": option.default,
        "words": list(words),
    }
