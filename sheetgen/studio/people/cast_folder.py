"""Whom the folder keeps: the people of `cast/`, read once for each state of a file, changed in their files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from sheetgen.documents.export.characters import patched, yaml_text
from sheetgen.errors import InputError, Place, Problem, UsageError, quoted
from sheetgen.model.character import Character, Origin
from sheetgen.model.session import Campaign
from sheetgen.people.character_files import Party, name_in_files, read_party
from sheetgen.studio.studio import Studio
from sheetgen.workspace.campaigns import CAST, cast_files
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.safekeeping import NOTHING, read_kept, remove, save
from sheetgen.workspace.write import slug

_REF = re.compile(r"(?P<stem>.+?)(?:\.(?P<number>[1-9][0-9]{0,4}))?")
_known: dict[Path, tuple[tuple[int, int], Party]] = {}


@dataclass(frozen=True, slots=True)
class CastMember:
    """Somebody of the cast: the file, the place in it from 0, and how addresses name them."""

    character: Character
    pack: Pack
    file: Path
    place: int
    alone: bool

    @property
    def ref(self) -> str:
        """The name in addresses: that of the file, with the number behind it where it holds several."""
        return self.file.stem if self.alone else f"{self.file.stem}.{self.place + 1}"

    @property
    def name(self) -> str:
        """What they are called."""
        return self.character.text("name")


@dataclass(frozen=True, slots=True)
class KeptCast:
    """Everybody of the cast, and what is wrong with files that cannot be read."""

    members: tuple[CastMember, ...]
    problems: tuple[Problem, ...] = ()
    _by_origin: dict[object, CastMember] = field(default_factory=dict, compare=False)

    def called(self, ref: str) -> CastMember:
        """Return somebody by the name in addresses; UsageError if nobody has it."""
        found = next((each for each in self.members if each.ref == ref), None)
        matched = _REF.fullmatch(ref)
        if found is None and matched:  # of a file that holds more people, or fewer, than it did
            place = int(matched["number"] or 1) - 1
            found = next(
                (each for each in self.members if (each.file.stem, each.place) == (matched["stem"], place)), None
            )
        if found is None:
            raise UsageError(f"nobody of the cast is called {quoted(ref)} any more")
        return found

    def rolled(self, character: Character, instead: str = "") -> CastMember | None:
        """Return who of the cast was rolled as this character was, or who is called as whoever stands there instead."""
        if instead and (found := next((each for each in self.members if each.ref == instead), None)):
            return found
        if not self._by_origin:
            self._by_origin.update(
                (origin_key(each.character), each) for each in self.members if each.character.origin is not None
            )
        return self._by_origin.get(origin_key(character)) if character.origin is not None else None


def origin_key(character: Character) -> tuple[object, ...]:
    """Return what tells which roll somebody came from, whatever was changed of them since."""
    origin = character.origin or Origin("", 0, 0)
    options = tuple(sorted(origin.options.items()))
    return character.system, origin.method, origin.seed, origin.index, origin.archetype, options


def home_of(studio: Studio) -> Path:
    """Return the folder that the cast is in: that of the campaign, or the one that was opened."""
    campaign = studio.campaign
    return campaign.folder if campaign else studio.folder


def cast_of(studio: Studio) -> KeptCast:
    """Return the cast as its files have it now."""
    members, problems = list[CastMember](), list[Problem]()
    for file in cast_files(Campaign(home_of(studio), "", "")):
        try:
            party = _party(studio, file)
        except InputError as error:
            problems += error.problems
            continue
        alone = len(party.characters) == 1
        members += [CastMember(each, party.pack, file, at, alone) for at, each in enumerate(party.characters)]
    return KeptCast(tuple(members), tuple(problems))


def _party(studio: Studio, file: Path) -> Party:
    """Return the people of a file, read again when it or its game has changed."""
    about = file.stat()
    state = about.st_mtime_ns, about.st_size
    known = _known.get(file)
    if known is None or known[0] != state:
        project = studio.enclosed
        studio.check_inside([(file, Place(project.shown(file), 1))])
        with studio.making:
            party = read_party(project, file)
        known = state, party
        _known[file] = known
    party = known[1]
    pack = studio.pack(str(party.pack.folder)) if party.pack.folder.is_dir() else party.pack
    return replace(party, pack=pack)


def keep(studio: Studio, pack: Pack, character: Character) -> CastMember:
    """Write somebody to a file of their own in `cast/`, and return who that is; OutputError if it cannot be written."""
    home, name = home_of(studio), character.text("name") or "somebody"
    stem = slug(name.casefold()) or "somebody"
    taken = {path.stem for path in cast_files(Campaign(home, "", ""))}
    numbers = (f"{stem}{'' if number == 1 else f'-{number}'}" for number in range(1, 10_000))
    file = f"{CAST}/{next(each for each in numbers if each not in taken)}.yaml"
    text = "".join(yaml_text(pack.system, [character], named=name_in_files(studio.project, pack)))
    save(home, file, text, seen=NOTHING, label=f"kept {name}", now=studio.clock())
    return CastMember(character, pack, home / file, 0, True)


def throw_back(studio: Studio, member: CastMember) -> None:
    """Take somebody out of the cast: their file goes; UsageError for who shares a file with others."""
    if not member.alone:
        raise UsageError(f"{member.name} shares {member.file.name} with others: take them out of that file by hand")
    home = home_of(studio)
    seen = read_kept(member.file).seen
    remove(home, _relative_name(home, member.file), seen=seen, label=f"threw {member.name} back", now=studio.clock())


def _relative_name(home: Path, file: Path) -> str:
    return file.relative_to(home).as_posix()


Change = Callable[[Character], Character]


def change_member(studio: Studio, member: CastMember, change: Change, *, name: str) -> CastMember:
    """Write what `change` makes of somebody, as their file has them at this moment, and return them as they are now.

    Comments and order of the file stay. ChangedOutside if the file is written by somebody else in the same moment.
    """
    home, kept = home_of(studio), read_kept(member.file)
    if kept.seen == NOTHING:
        raise UsageError(f"{member.file.name} is not there any more")
    party = _party(studio, member.file)
    if member.place >= len(party.characters):
        raise UsageError(f"{member.name} is not in {member.file.name} any more")
    before = party.characters
    changed = change(before[member.place])
    if changed == before[member.place]:
        return replace(member, character=changed)
    after = tuple(changed if at == member.place else each for at, each in enumerate(before))
    system = party.pack.system
    made = patched(system, kept.text, before, after)
    if made is None:  # not in the style that sheetgen writes: comments are lost, and the undo has them
        made = "".join(yaml_text(system, after, party.group, named=name_in_files(studio.project, party.pack)))
    save(home, _relative_name(home, member.file), made, seen=kept.seen, label=name, now=studio.clock())
    with suppress(OSError):  # what was written need not be read, unless somebody else has written since
        about = member.file.stat()
        if about.st_size == len(made.encode()):
            _known[member.file] = (about.st_mtime_ns, about.st_size), replace(party, characters=after)
    return replace(member, character=changed)


def found_in(cast: KeptCast, words: str) -> tuple[CastMember, ...]:
    """Return those of whom some text has these words, capitals or not."""
    wanted = words.casefold().split()
    return tuple(each for each in cast.members if all(word in _texts(each.character) for word in wanted))


def _texts(character: Character) -> str:
    said = list[str]()
    for value in character.values.values():
        if isinstance(value, str):
            said.append(value)
        elif isinstance(value, Mapping):
            said += [str(part) for pair in value.items() for part in pair]
        else:
            said += value
    return "\n".join(said).casefold()
