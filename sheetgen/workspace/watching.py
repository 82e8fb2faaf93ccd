"""Files watched: the system tells of changes, and their sizes and times tell whether one of them is meant."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

STEP_MS = 200  # so long nothing may happen until a change is over: editors write in several steps
LOOK_AGAIN_MS = 2_000  # after so long files are looked at anyway: not every disk tells of changes
UNWATCHED = ("output", "__pycache__")

States = frozenset[tuple[str, int, int]]  # path, time in ns and size of each file


def states(paths: Iterable[Path]) -> States:
    """Return the state of each file that a path is, or that lies below it; hidden ones and results are left out."""
    return frozenset(state for path in paths for file in _files(path) if (state := _state(file)) is not None)


def after_change(paths: Iterable[Path], before: States) -> States:
    """Return the states once they are no longer those of before, however long that takes."""
    from watchfiles import watch

    watched = tuple(paths)
    while (now := states(watched)) == before:
        folders = frozenset(_folders(watched))
        waits = {"step": STEP_MS, "rust_timeout": LOOK_AGAIN_MS, "yield_on_timeout": True}
        for _ in watch(*folders, watch_filter=None, recursive=False, raise_interrupt=True, **waits):  # type: ignore[arg-type]
            if states(watched) != before or frozenset(_folders(watched)) != folders:
                break
    return now


def _folders(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the folders in which files are watched: an editor may put another file in the place of one."""
    for path in paths:
        if path.is_dir():
            yield from (Path(here) for here, _, _ in _walk(path))
        else:
            yield next((each for each in path.absolute().parents if each.is_dir()), Path.cwd())


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
    for here, _, names in _walk(path):
        yield from (Path(here, name) for name in names if not name.startswith("."))


def _walk(path: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    for here, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in UNWATCHED]
        yield here, folders, names


def _state(file: Path) -> tuple[str, int, int] | None:
    with suppress(OSError):  # an editor may be putting a new one in its place
        found = file.stat()
        return str(file), found.st_mtime_ns, found.st_size
    return None
