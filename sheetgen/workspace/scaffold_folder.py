"""Folders that appear whole or not at all, where nothing stood before.

The files are written to a hidden folder beside the target, which is renamed when all of them are safe on the disk.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from sheetgen.errors import OutputError, printable, quoted
from sheetgen.workspace.write import part_name, sweep, why, write_file


def write_folder(path: Path, files: Mapping[str, bytes], *, shown: str = "") -> None:
    """Writes a new folder with these files, by their paths inside; missing folders above it are made, too.

    OutputError, a line with the path, as `shown`, and the reason, if something stands there already or the disk takes
    no more: then nothing is left of what was begun.
    """
    name = shown or str(path)
    part = path.parent / part_name(path.name)
    size = sum(map(len, files.values()))
    with _explained(name, size):
        _refuse(path, name)
        sweep(path.parent)
        missing = [folder for folder in path.parents if not folder.exists()]
    try:
        with _explained(name, size):
            part.mkdir(parents=True)
        for inner, data in files.items():
            write_file(part / inner, data, shown=f"{name}/{inner}")
        with _explained(name, size):
            _refuse(path, name)
            part.rename(path)
            _keep(path.parent)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()
        raise


def _refuse(path: Path, name: str) -> None:
    """OutputError if anything stands where the folder is to be: even a link that leads nowhere."""
    if os.path.lexists(path):
        raise OutputError(
            printable(f"cannot write {quoted(name, longest=300)}: it is there already, and nothing is written over it")
        )


def _keep(folder: Path) -> None:
    """Makes a rename in the folder last, where the system can promise that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _explained(name: str, size: int) -> Iterator[None]:
    """Turns what the system reports into one line with the path and the reason."""
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: NUL in a path
        reason = why(error, size) if isinstance(error, OSError) else str(error)
        raise OutputError(printable(f"cannot write {quoted(name, longest=300)}: {reason}")) from error
