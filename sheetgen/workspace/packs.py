"""Packs opened by name or path, ours in this process and a stranger's in a confined one, and the cache of ours.

Packs of strangers are never kept. An entry is read only from a folder that belongs to the user and that nobody else can
enter, and only while every file of our packs and templates, every module of sheetgen, the folders of installed
libraries and Python itself are what they were.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from os import sep
from os.path import islink
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sheetgen.batch.sandbox import STANDARD, Limits, confined
from sheetgen.content.packs.folders import Library
from sheetgen.errors import InputError, OutputError, Problem, without_places
from sheetgen.model.people_pages import SheetLayout
from sheetgen.model.printing import Tone
from sheetgen.model.system import System
from sheetgen.notebook import table
from sheetgen.rules.registry import engine_code
from sheetgen.version import __version__
from sheetgen.workspace.manifest import code_stamp
from sheetgen.workspace.project import Project
from sheetgen.workspace.watching import States, states
from sheetgen.workspace.write import write_file

if TYPE_CHECKING:
    from sheetgen.model.system import System


FOLDER = "packs"
MOST_ENTRIES = 500

State = tuple[str, int, int]  # path, size and time of a file
T = TypeVar("T")
LASTING = "lasting"  # begins the key of what stays true while the system does, of which the key says all else
PEOPLE = "npcs"  # the only folder of a pack whose files shape its system


def cached_system(project: Project, name: str, make: Callable[[], System | None]) -> System | None:
    """Return the checked system of one of our packs from the cache, or what `make` returns, which is then kept.

    None is not kept: the pack has problems.
    """
    from sheetgen.batch.sandbox import pickled

    path = _entry(project, f"{name}.system")
    with suppress(Exception):  # whatever a damaged entry can raise
        if (data := _read(path)) is not None:
            return _unpacked(data)
    system = make()
    if system is not None:
        _write(path, pickled(system, None))
    return system


@lru_cache(maxsize=8)
def _unpacked(data: bytes) -> System:
    """Return the system that an entry holds: the same object for the same bytes, since nothing in it changes."""
    from sheetgen.batch.sandbox import unpickled

    found, _ = unpickled(data)
    return cast("System", found)


def cached_facts(project: Project, name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return facts about one of our packs from the cache, or what `make` returns, which is then kept: plain JSON."""
    path = _entry(project, f"{name}.json")
    with suppress(ValueError, RecursionError):
        if (data := _read(path)) is not None and isinstance(found := json.loads(data), dict):
            return found
    facts = make()
    _write(path, json.dumps(facts, ensure_ascii=False).encode())
    return facts


def keep_facts(project: Project, name: str, facts: dict[str, Any]) -> None:
    """Keep facts about one of our packs for `cached_facts`, in place of those that it had."""
    _write(_entry(project, f"{name}.json"), json.dumps(facts, ensure_ascii=False).encode())


def _entry(project: Project, name: str) -> Path:
    """Return the file of an entry, whose name is a key of all that it was made from."""
    shown = project.shown(project.content)  # places in messages begin with it
    key = blake2b(f"{_digest(tuple(_states(project.content)))}\0{shown}".encode(), digest_size=16)
    shaping = _digest(tuple(_states(project.templates)))
    key.update(repr((code_stamp(), shaping, tuple(_installed()), sys.version, __version__)).encode())
    return project.cache / FOLDER / f"{key.hexdigest()}.{name}"


def _states(folder: Path) -> Iterator[State]:
    """Yield the state of every file below a folder, but for compiled code."""
    for here, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if not name.endswith(".pyc"):
                path = os.path.join(here, name)
                about = os.stat(path)
                yield path, about.st_size, about.st_mtime_ns


def _installed() -> Iterator[State]:
    """Yield the state of every folder of installed libraries, which changes when one is added or removed."""
    for path in sys.path:
        with suppress(OSError):
            if path.endswith("-packages"):
                yield path, 0, os.stat(path).st_mtime_ns


@lru_cache(maxsize=8)
def _digest(states: tuple[State, ...]) -> str:
    """Return a digest of the names and contents of these files."""
    digest = blake2b(digest_size=16)
    for path, size, _ in states:
        digest.update(f"{path}\0{size}\0".encode(errors="surrogateescape"))
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


def _read(path: Path) -> bytes | None:
    """Return what an entry holds; None if there is none, or if anybody else may have written it."""
    if os.name != "posix" or not _is_private(path.parent):
        return None
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK)) as file:
            about = os.fstat(file.fileno())
            return file.read() if stat.S_ISREG(about.st_mode) and about.st_uid == os.geteuid() else None
    except OSError:
        return None


def _write(path: Path, data: bytes) -> None:
    """Store an entry if the folder is private, and delete the oldest ones if there are too many."""
    folder = path.parent
    with suppress(OSError, OutputError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if os.name != "posix" or not _is_private(folder):
            return
        write_file(path, data)
        entries = sorted(folder.glob("*.*"), key=lambda each: each.stat().st_mtime)
        for old in entries[:-MOST_ENTRIES]:
            old.unlink(missing_ok=True)


def _is_private(folder: Path) -> bool:
    """Return whether a folder is a real one, belongs to this user, and nobody else can enter it."""
    try:
        about = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(about.st_mode) and about.st_uid == os.geteuid() and not about.st_mode & 0o077


@dataclass(frozen=True, slots=True)
class Pack:
    """A checked system, the folder it was read from, and whether it came with sheetgen.

    `isolated` says that this process is a confined one, which needs no other for it. `_known` is what was worked out of
    it before, for one product after another.
    """

    system: System
    folder: Path
    ours: bool
    isolated: bool = False
    _known: dict[Hashable, object] = field(default_factory=dict, repr=False, compare=False)

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of `make`, called once for each key; it must not depend on the tone of the pages."""
        if key not in self._known:
            self._known[key] = make()
        return cast(T, self._known[key])

    def proved(self, shaped: object, draw: Callable[[], object]) -> None:
        """Draw what the system and `shaped` make, to see that it can be, unless it could be before, on other lines."""
        digest = blake2b(without_places(shaped).encode("utf-8", "surrogatepass")).digest()
        self.cached((LASTING, digest), lambda: bool(draw()))

    def _repr_html_(self) -> str:
        system = self.system
        people = ", ".join(system.cast.archetypes)
        return table(
            [system.title, system.subtitle], [["methods", ", ".join(system.creation.methods)], ["cast", people]]
        )

    def with_tone(self, tone: Tone) -> Pack:
        """Return the pack with the tone of its pages set: greys, or little ink."""
        return replace(self, system=self.system.with_tone(tone))

    def with_layout(self, layout: SheetLayout) -> Pack:
        """Return the pack with another layout of its sheet, and with nothing known of it so far."""
        return replace(self, system=replace(self.system, sheet_layout=layout), _known={})

    def run_isolated(self, work: Callable[[], T], *, limits: Limits = STANDARD, what: str = "") -> T:
        """Return the result of `work`, done here for our own packs and in a confined process for a stranger's.

        `what` names what the work is done on, if not the whole pack, when it is stopped.
        """
        return (
            work() if self.ours or self.isolated else confined(work, what=what or str(self.system.place), limits=limits)
        )


def open_pack(project: Project, word: str) -> Pack:
    """Return the checked pack a word means; InputError with every problem of its files."""
    folder, library = project.pack_folder(word), project.library
    found = list[Problem]()

    def examined() -> System | None:
        system, problems = _examined(folder, library)
        found.extend(problems)
        return None if problems else system

    if project.is_lasting(folder):
        system = cached_system(project, folder.name, examined)
    else:
        system, problems = confined(lambda: _examined(folder, library), what=project.shown(folder))
        found.extend(problems)
    if found or system is None:
        raise InputError(found)
    ours = all(project.is_ours(each) for each in (folder, *(library.packs[name] for name in system.lineage)))
    return Pack(system, folder, ours)


class OpenedPacks:
    """Packs that were opened, each as long as its files are what they were.

    Where only chapters, templates or handouts have changed, which are read when they are printed, the system stays.
    """

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Pack, States, object, object]] = {}

    def pack(self, project: Project, word: str) -> Pack:
        """Return the checked pack of a word; errors as `open_pack`."""
        folder = project.pack_folder(word)
        if (known := self._known.get(folder)) is not None:
            pack, before, around, shaping = known
            now = states(sources(project, pack))
            if around == _around(project) and now == before:
                return pack
            if around == _around(project) and shaping == _shaping(project, pack, now):
                pack = replace(pack, _known={key: made for key, made in pack._known.items() if _is_of_system(key)})
                self._known[folder] = pack, now, around, shaping
                return pack
        own = states((folder,))
        pack = open_pack(project, word)
        now = states(sources(project, pack))
        if own <= now:  # else somebody has written meanwhile: read again next time
            self._known[folder] = pack, now, _around(project), _shaping(project, pack, now)
        return pack

    def mark(self, pack: Pack) -> str:
        """Return what tells this state of a pack's files from others, as long as the program runs."""
        known = next((files for each, files, *_ in self._known.values() if each is pack), None)
        return f"{hash(known)}" if known is not None else f"{id(pack.system)}"


def _is_of_system(key: Hashable) -> bool:
    """Return whether what is known under a key stays true while the system does, whatever becomes of chapters."""
    return isinstance(key, tuple) and key[:1] == (LASTING,)


def _around(project: Project) -> object:
    """Return what shapes a system beside its files: where the packs that it may extend are, and house rules."""
    return tuple(sorted(project.library.packs.items())), repr(project.library.house)


def _shaping(project: Project, pack: Pack, files: States) -> object:
    """Return the files that a system is read from: those of its packs, of those in folders but `npcs` only names."""
    library, found = project.library, set[tuple[object, ...]]()
    folders = (pack.folder, *(library.packs[name] for name in pack.system.lineage if name in library.packs))
    within = [f"{each}{sep}" for each in folders]  # as text: there are hundreds of files
    for path, *state in files:
        inside = next((path.removeprefix(each) for each in within if path.startswith(each)), None)
        if inside is not None:
            read = sep not in inside or inside.startswith(f"{PEOPLE}{sep}")
            found.add((path, *state) if read else (path, islink(path)))
    return found


def _examined(folder: Path, library: Library) -> tuple[System | None, tuple[Problem, ...]]:
    """Return the system, and every problem of the pack that can be told at once: of its files, then of its steps."""
    from sheetgen.content.packs.library import look_into  # which packs in the cache do not need
    from sheetgen.rules.engine_check import audit

    reading = look_into(folder, library)
    if reading.system is None or not reading.sound:
        return reading.system, reading.problems
    return reading.system, tuple(dict.fromkeys((*reading.problems, *audit(reading.system))))


def template_folders(project: Project, pack: Pack) -> tuple[Path, ...]:
    """Return the folders to search for templates, in order: the pack, its system, those it extends, shared ones."""
    lineage = (pack.system.id, *pack.system.lineage)
    own = () if pack.ours else (pack.folder / "templates",)
    return (*own, *(project.templates / name for name in lineage if name), project.templates)


def template_file(project: Project, pack: Pack, template: str) -> str:
    """Return the file that a template of a pack is read from, as messages show it, or where it could be."""
    files = [folder / template for folder in template_folders(project, pack)]
    return project.shown(next((file for file in files if file.is_file()), files[0]))


def template_root(project: Project, pack: Pack) -> Path:
    """Return the folder whose files a pack's pages may use: its own templates for a stranger's that has some."""
    own = pack.folder / "templates"
    return own if not pack.ours and own.is_dir() else project.templates


def sources(project: Project, pack: Pack) -> tuple[Path, ...]:
    """Return the sources of a pack's products: its folder, those it extends, template folders, the file of an added
    engine.
    """
    packs, engine = project.library.packs, engine_code(pack.system.engine)
    extended = (packs[name] for name in pack.system.lineage if name in packs)
    added = () if engine is None else (engine,)
    return tuple(dict.fromkeys((pack.folder, *extended, *template_folders(project, pack), *added)))


def owner_of(project: Project, pack: Pack) -> str:
    """Return the owner that a manifest records for a pack's products: its folder, relative to the user's if it is
    inside.
    """
    return f"{pack.system.id} of sheetgen" if pack.ours else project.shown(pack.folder.resolve())


def id_clash(project: Project, pack: Pack, others: Iterable[Pack]) -> Problem | None:
    """Return the problem of a pack whose id is that of another one in a different folder: their results share their
    names.
    """
    for other in others:
        if other.system.id == pack.system.id and other.folder.resolve() != pack.folder.resolve():
            message = f"the id {pack.system.id} is also that of {project.shown(other.folder)} (change one of them)"
            return Problem(replace(pack.system.place, line=0, column=0), message)
    return None
