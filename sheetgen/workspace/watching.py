"""Files watched by looking at them again and again: sizes and times of a few hundred take no time, on any disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from time import sleep

PAUSE_S = 0.4
UNWATCHED = ("output", "__pycache__")

States = frozenset[tuple[str, int, int]]  # path, time in ns and size of each file


def states(paths: Iterable[Path]) -> States:
    """Return the state of each file that a path is, or that lies below it; hidden ones and results are left out."""
    return frozenset(state for path in paths for file in _files(path) if (state := _state(file)) is not None)


def after_change(paths: Iterable[Path], before: States) -> States:
    """Return the states once they are no longer those of before, however long that takes."""
    watched = tuple(paths)
    while (now := states(watched)) == before:
        sleep(PAUSE_S)
    return now


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
    for here, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in UNWATCHED]
        yield from (Path(here, name) for name in names if not name.startswith("."))


def _state(file: Path) -> tuple[str, int, int] | None:
    with suppress(OSError):  # an editor may be putting a new one in its place
        found = file.stat()
        return str(file), found.st_mtime_ns, found.st_size
    return None
