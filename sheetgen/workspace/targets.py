"""Where results go: files that appear whole or not at all, streams, and any storage that fsspec knows.

Files have given or default names; `s3://…`, `ftp://…` and `memory://…` are written whole or not at all, as on disk.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from uuid import uuid4

from sheetgen.errors import OutputError, UsageError, quoted
from sheetgen.workspace.manifest import Manifest
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Output, Write, refuse_input, sweep

T = TypeVar("T")
MARK = "://"
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):[^/@]*(?=@)")
STDOUT = "-"


def is_url(name: str) -> bool:
    """Return whether a name is an address of a storage, and no path."""
    return MARK in name


def shown_url(url: str) -> str:
    """Return an address as it may be shown and logged: without the password in it."""
    return _PASSWORD.sub(r"\1", url)


def write_url(url: str, make: Callable[[Write], T]) -> T:
    """Return what `make` returns after writing to a storage; OutputError if it does not take the file.

    The file appears at the end; when `make` raises, what was there before stays. Folders are made, buckets are not.
    """
    with _storage_errors(url):
        system, path = _storage(url)
        has_folders = path.startswith("/") or "file" in system.protocol
    return _renamed(url, system, path, make) if has_folders else _committed(url, system, path, make)


def _renamed(url: str, system: Any, path: str, make: Callable[[Write], T]) -> T:
    """Write beside the file and rename: what storages with folders can, and most of them do at once."""
    folder, _, name = path.rpartition("/")
    beside = f"{folder}/.{name}-{uuid4().hex[:8]}.part"
    with _storage_errors(url):
        system.makedirs(folder, exist_ok=True)
        file = system.open(beside, "wb")
    try:
        made = make(_writing(url, file))
        with _storage_errors(url):
            file.close()
            system.mv(beside, path)
        return made
    except BaseException:
        with suppress(Exception):  # what went wrong before is told
            file.close()
            system.rm_file(beside)
        raise


def _committed(url: str, system: Any, path: str, make: Callable[[Write], T]) -> T:
    """Write an object that appears when its storage is told so: what storages with buckets can."""
    with _storage_errors(url):
        file = system.open(path, "wb", autocommit=False)
    try:
        made = make(_writing(url, file))
        with _storage_errors(url):
            file.close()
            file.commit()
        return made
    except BaseException:
        with suppress(Exception):
            file.close()
            file.discard()
        raise


def _writing(url: str, file: Any) -> Write:
    def write(data: bytes) -> object:
        with _storage_errors(url):
            return file.write(data)

    return write


@contextmanager
def _storage_errors(url: str) -> Iterator[None]:
    """Raise what a storage raises as an OutputError: each has errors of its own, and few of them are OSErrors."""
    try:
        yield
    except OutputError:
        raise
    except Exception as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise OutputError(f"{shown_url(url)}: cannot be written ({reason.splitlines()[0][:150]})") from None


def _storage(url: str) -> tuple[Any, str]:
    from fsspec.core import url_to_fs

    try:
        system, path = url_to_fs(url)
    except ValueError as error:
        raise OutputError(f"{shown_url(url)}: {error}") from None
    return system, str(path)


@dataclass(frozen=True, slots=True)
class Target:
    """One place for a result: a path or else a stream, and the format as a suffix.

    Without a path, a stream and the `url` of a storage it is standard output. `manifest` is that of a default name, and
    `key` the name there. A `folder` takes several files of that format, without a path in the output folder.
    """

    name: str
    path: Path | None
    form: str
    manifest: Manifest | None = None
    key: str = ""
    stream: BinaryIO | None = None
    folder: bool = False
    url: str = ""

    @property
    def is_stdout(self) -> bool:
        """Whether the result goes to standard output, so that nothing else may."""
        return self.path is None and self.stream is None and not self.folder and not self.url


def targets(names: Iterable[str], to: str, where: Path, formats: Iterable[str]) -> tuple[Target, ...]:
    """Return the targets that `-o` options name; UsageError for a format that cannot be made, or a file named twice."""
    allowed, names = tuple(formats), tuple(names)
    if to and STDOUT not in names:
        raise UsageError("--to gives the format of standard output: say -o -, too, or give the file a suffix")
    found = []
    for name in names:
        form = f".{to.lower().removeprefix('.')}" if name == STDOUT else Path(name).suffix.lower()
        if form not in allowed:
            what = "say which with --to" if name == STDOUT and not to else f"the format must be {', '.join(allowed)}"
            raise UsageError(f"{'standard output' if name == STDOUT else quoted(name)}: {what}")
        stored = is_url(name)
        path = None if name == STDOUT or stored else where / name
        found.append(Target(shown_url(name), path, form, url=name if stored else ""))
    if sum(target.is_stdout for target in found) > 1:
        raise UsageError("standard output can take one result only")
    first: dict[str, str] = {}
    for target in found:
        place = os.path.realpath(target.path) if target.path is not None else target.name
        if place in first:
            raise UsageError(
                f"{quoted(target.name)} and {quoted(first[place])} are the same file: give -o once for each"
            )
        first[place] = target.name
    return tuple(found)


def own_targets(
    project: Project, stem: str, suffixes: Iterable[str], say: Callable[[str], None], *, owner: str = ""
) -> tuple[Target, ...]:
    """Return targets in the output folder under a default name, numbered where somebody else's file stands there.

    `owner` is the pack that the files are made from (see `Manifest`).
    """
    suffixes, kept = tuple(suffixes), Manifest(project.output, owner)
    free, taken = kept.free_stem(stem, suffixes)
    if taken:
        shown = project.shown(project.output / taken)
        say(f"{shown} was changed since, or is not from here: it stays, and the new name is {Path(free).name}")
    keys = (free + suffix for suffix in suffixes)
    return tuple(
        Target(project.shown(path), path, path.suffix, kept, key)
        for key, path in ((key, project.output / key) for key in keys)
    )


def refuse_inputs(wanted: Iterable[Target], inputs: Iterable[Path]) -> None:
    """Raise UsageError, before anything is made, if a result would land among the files that it is made from."""
    inputs = tuple(inputs)
    for target in wanted:
        if target.path is not None:
            with suppress(OSError, ValueError, RuntimeError):  # the writer tells what is wrong with such a path
                refuse_input(target.path, inputs, shown=target.name)


def write_target(target: Target, make: Callable[[Write], T], *, inputs: Iterable[Path] = ()) -> T:
    """Return what `make` returns after writing to the target; a file appears whole at the end, or the old one stays."""
    if target.path is not None:
        sweep(target.path.parent)
        with Output(target.path, inputs=inputs, shown=target.name) as output:
            if target.manifest is None:
                return make(output.write)
            write, enter = target.manifest.write(target.key, output)
            made = make(write)
            enter()
            return made
    if target.url:
        return write_url(target.url, make)
    try:
        stream = sys.stdout.buffer if target.stream is None else target.stream
        made = make(stream.write)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"standard output: {error.strerror}") from None
    return made
