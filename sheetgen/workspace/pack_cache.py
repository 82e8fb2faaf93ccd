"""The cache on disk of checked systems and facts of the packs that come with sheetgen; safe to delete at any time.

Packs of strangers are never kept. An entry is read only from a folder that belongs to the user and that nobody else can
enter, and only while every file of our packs and templates, every module of sheetgen, the folders of installed
libraries and Python itself are what they were.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sheetgen.errors import OutputError
from sheetgen.version import __version__
from sheetgen.workspace.manifest import code_stamp
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import write_file

if TYPE_CHECKING:
    from sheetgen.model.system import System

FOLDER = "packs"
MOST_ENTRIES = 500

State = tuple[str, int, int]  # path, size and time of a file


def cached_system(
    project: Project, name: str, make: Callable[[], System | None]
) -> tuple[System | None, dict[Hashable, object]]:
    """Return the checked system of one of our packs from the cache, or what `make` returns, which is then kept.

    None is not kept: the pack has problems. Beside it stands what this process has worked out of it so far.
    """
    from sheetgen.batch.sandbox import pickled

    path = _entry(project, f"{name}.system")
    with suppress(Exception):  # whatever a damaged entry can raise
        if (data := _read(path)) is not None:
            return _unpacked(data), _worked_out(path)
    system = make()
    if system is not None:
        _write(path, pickled(system, None))
    return system, _worked_out(path)


@lru_cache(maxsize=32)
def _worked_out(path: Path) -> dict[Hashable, object]:
    """Return what is known of the system of an entry, whose name changes with everything that it was made from."""
    return {}


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
