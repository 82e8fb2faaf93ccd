"""Where results go: files that appear whole or not at all, under given or default names, and streams."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeVar

from sheetgen.errors import OutputError, UsageError, quoted
from sheetgen.workspace.manifest import Manifest
from sheetgen.workspace.project import Project
from sheetgen.workspace.storage import is_url, shown_url, write_url
from sheetgen.workspace.write import Output, Write, refuse_input, sweep

T = TypeVar("T")
STDOUT = "-"


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
