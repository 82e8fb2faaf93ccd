"""The evenings of a folder: their files found, read as they are now, checked before they are written."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sheetgen.content.session_files import CAST, FILE, SCENE, SESSION, is_session
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.edits import plain
from sheetgen.content.yaml.nodes import Scalar, parse
from sheetgen.errors import InputError, Place, Problem, SheetgenError, UsageError, problems_at, quoted, without_places
from sheetgen.model.data import Word
from sheetgen.model.session import Session
from sheetgen.people.campaign_cast import CampaignCast, Evening, evening_of, file_beside, read_cast
from sheetgen.people.character_files import pack_named
from sheetgen.products.session.parts import OpenSession, SessionOptions
from sheetgen.products.session.session import MOST, complete_session, read_session_text
from sheetgen.studio.studio import Studio
from sheetgen.table.encounter import AND, FROM_FILE
from sheetgen.workspace.campaigns import SESSIONS, campaign_around
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project, is_path
from sheetgen.workspace.safekeeping import read_kept, save
from sheetgen.workspace.watching import States, states

SESSION_KEYS = tuple(key.name for key in SESSION.keys)
SCENE_KEYS = tuple(key.name for key in SCENE.keys)
MOST_LISTED, MOST_KNOWN, LARGEST = 200, 12, 1_000_000


@dataclass(frozen=True, slots=True)
class EveningFile:
    """The file of an evening: how addresses name it, and its path relative to the folder."""

    ref: str
    file: str


@dataclass(frozen=True, slots=True)
class ReadEvening:
    """An evening as its file has it now: text and digest, the data as they stand, and the session with its people.

    What cannot be read is in `problems`; then pack, session and opened may be missing.
    """

    file: EveningFile
    text: str
    seen: str
    data: dict[str, Any]
    pack: Pack | None = None
    session: Session | None = None
    opened: OpenSession | None = None
    problems: tuple[Problem, ...] = ()
    cast: CampaignCast | None = field(default=None, repr=False)

    @property
    def scenes(self) -> list[dict[str, Any]]:
        """The scenes as the file has them, as far as they are mappings."""
        found = self.data.get("scenes")
        return [each if isinstance(each, dict) else {} for each in found] if isinstance(found, list) else []


_evenings: OrderedDict[str, tuple[States, Evening]] = OrderedDict()


def evening_files(studio: Studio) -> tuple[EveningFile, ...]:
    """Return the evenings of the folder and of its sessions/, by name."""
    folder = studio.folder
    patterns = (f"{SESSIONS}/*.y*ml", f"{SESSIONS}/*/{FILE}", "*.y*ml", f"*/{FILE}")
    found, taken = list[EveningFile](), set[str]()
    for path in dict.fromkeys(each for pattern in patterns for each in sorted(folder.glob(pattern))):
        if path.name.startswith(".") or not _is_evening(path) or len(found) >= MOST_LISTED:
            continue
        file = path.relative_to(folder).as_posix()
        ref = path.parent.name if path.name == FILE and path.parent != folder else path.stem
        ref = file.replace("/", "~") if ref in taken else ref
        taken.add(ref)
        found.append(EveningFile(ref, file))
    return tuple(found)


def _is_evening(path: Path) -> bool:
    try:
        if not path.is_file() or path.stat().st_size > LARGEST or path.is_symlink():
            return False
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    if not re.search(r"^scenes\s*:", text, re.MULTILINE):
        return False
    try:
        return is_session(parse(text.encode(), path.name, most=MOST))
    except InputError:  # is told where it is opened
        return True


def evening_called(studio: Studio, ref: str) -> EveningFile:
    """Return the file of an evening by its name in addresses; UsageError if there is none."""
    found = next((each for each in evening_files(studio) if each.ref == ref), None)
    if found is None:
        raise UsageError(f"there is no evening {quoted(ref)} in this folder any more")
    return found


def read_evening(studio: Studio, file: EveningFile) -> ReadEvening:
    """Return an evening as it is now, with every problem of it."""
    kept = read_kept(studio.folder / file.file)
    return judged(studio, file, kept.text, kept.seen)


def judged(studio: Studio, file: EveningFile, text: str, seen: str) -> ReadEvening:
    """Return what a text says as the file of an evening, with every problem of it."""
    path, problems = studio.folder / file.file, Problems()
    try:
        project = studio.enclosed
        data = plain(parse(text.encode(), project.shown(path), most=MOST))
    except InputError as error:
        return ReadEvening(file, text, seen, {}, problems=error.problems)
    data = data if isinstance(data, dict) else {}
    pack = session = cast = None
    try:
        pack, session = read_session_text(
            project, path, text.encode(), SessionOptions(), problems=problems, opened=_pack_of(studio)
        )
        studio.check_inside([(path, session.place), *named_files(project, session, path)])
        cast = _cast_of(project, path)
        with studio.making:
            opened = complete_session(project, path, pack, session, problems=problems, people=_people_with(cast))
    except InputError as error:
        return ReadEvening(file, text, seen, data, pack, session, None, error.problems, cast)
    except SheetgenError as error:
        found = session.place if session else Scalar("", parse(b"a", file.file).place, False).place
        return ReadEvening(file, text, seen, data, pack, session, None, tuple(problems_at(found, error)), cast)
    return ReadEvening(file, text, seen, data, pack, session, opened, (), cast)


def _pack_of(studio: Studio) -> Callable[[Project, Scalar, Path], Pack]:
    def opened(project: Project, named: Scalar, path: Path) -> Pack:
        known = not is_path(named.text) and named.text in project.library.packs
        return studio.pack(named.text) if known else pack_named(project, named, path)

    return opened


def named_files(project: Project, session: Session, path: Path) -> Iterator[tuple[Path, Place]]:
    """Yield the files that an evening names, as far as they are there, each with the place that names it."""
    words = list[Word]()
    for scene in session.scenes:
        words += [each for casting in scene.people for each in (casting.file, casting.group) if each and is_path(each)]
        words += [each.name for each in scene.handouts if not each.ready]
        words += [scene.map.picture] if scene.map and scene.map.picture else []
        words += [file for fight in scene.fights for side in (fight.first, fight.second) for file in files_of(side)]
    for word in words:
        with suppress(InputError):  # is told where it is read
            yield file_beside(path, word, project), word.place


def files_of(side: Word) -> Iterator[Word]:
    """Yield the files that a side of a fight names, without the person that is meant of one."""
    for part in (each.strip() for each in side.split(AND)):
        if part.startswith(FROM_FILE):
            file, colon, last = part.removeprefix(FROM_FILE).rpartition(":")
            yield Word(file if colon else last, side.place)


def people_as_known(project: Project, pack: Pack, session: Session, path: Path) -> Evening:
    """Return the people of an evening, those of the last ones as this process rolled them."""
    return _cast_evening(project, pack, session, path, cast=_cast_of(project, path))


def _cast_of(project: Project, path: Path) -> CampaignCast | None:
    campaign = campaign_around(project, path)
    return read_cast(project, campaign) if campaign is not None else None


def _people_with(cast: CampaignCast | None) -> Callable[[Project, Pack, Session, Path], Evening]:
    return lambda project, pack, session, path: _cast_evening(project, pack, session, path, cast=cast)


def _cast_evening(project: Project, pack: Pack, session: Session, path: Path, *, cast: CampaignCast | None) -> Evening:
    """Return the people of an evening, those of the last ones as they were rolled if nothing of theirs has changed."""
    numbers = dict[str, str]()
    asked = pack.system.id, str(path), session.seed, session.options, [scene.people for scene in session.scenes]
    title = session.title  # their run is called by it
    key = f"{title}\0{without_places(asked, lambda place: numbers.setdefault(place, str(len(numbers))))}"
    known = _evenings.get(key)
    files = (*(known[1].files if known else ()), pack.folder, *(cast.files if cast else ()))
    if known is not None and known[0] == states(files):
        _evenings.move_to_end(key)
        return known[1]
    evening = evening_of(project, pack, session, path, cast)
    _evenings[key] = states((*evening.files, pack.folder, *(cast.files if cast else ()))), evening
    while len(_evenings) > MOST_KNOWN:
        _evenings.popitem(last=False)
    return evening


def save_evening(studio: Studio, before: ReadEvening, text: str, *, label: str) -> ReadEvening:
    """Return an evening after a change of its text, written if it is no worse than it was.

    UsageError with what is wrong with the change, of a file that was in order; ChangedOutside as for `save`.
    No line is named: what was not written stands in none.
    """
    after = judged(studio, before.file, text, before.seen)
    if after.problems and not before.problems:
        found = sorted(after.problems)
        raise UsageError("\n".join(each.message + (f" [{each.rule}]" if each.rule else "") for each in found))
    seen = save(studio.folder, before.file.file, text, seen=before.seen, label=label, now=studio.clock())
    return judged(studio, before.file, text, seen)


def names_of_cast(evening: ReadEvening) -> tuple[str, ...]:
    """Return the names that scenes may call people by."""
    found = evening.data.get(CAST)
    return tuple(map(str, found)) if isinstance(found, dict) else ()
