"""What a product is made from, as a key: the same key means the same product."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from sheetgen.version import __version__
from sheetgen.workspace.manifest import CHUNK
from sheetgen.workspace.project import PACKAGE, Project
from sheetgen.workspace.write import OUTPUT

LARGEST_SOURCE = 20 * 1024 * 1024
SOURCES = (".yaml", ".html", ".css", ".js", ".py", ".md", ".svg", ".png", ".jpg", ".jpeg")

# The libraries whose versions show in what is printed.
LIBRARIES = ("weasyprint", "pikepdf", "fonttools", "font-source-serif-pro", "font-source-sans-pro")

Tell = Callable[[str], None]


def source_key(
    project: Project, folders: tuple[Path, ...], paper: str, tell: Tell, *, without: tuple[str, ...] = ()
) -> str:
    """A key of everything that shapes a product: the packs it is made from, templates, code, libraries, paper.

    `tell` gets a line for each file too large to be looked at; `without` names parts of packs that do not count.
    """
    digest = blake2b(digest_size=16)
    for folder in (*folders, PACKAGE):
        for file in _source_files(folder):
            if folder != PACKAGE and file.relative_to(folder).parts[0] in without:
                continue
            digest.update(f"{file.relative_to(folder)}\0".encode(errors="surrogateescape"))
            _add_file(file, digest.update, lambda line, file=file: tell(f"{project.shown(file)}: {line}"))  # type: ignore[misc]
    digest.update("\0".join((paper, __version__, *(version(library) for library in LIBRARIES))).encode())
    return digest.hexdigest()


def _source_files(folder: Path) -> Iterator[Path]:
    """The files below a folder that can shape a product, in order; links to folders and results do not count."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != OUTPUT)
        yield from (Path(here, name) for name in sorted(names) if name.endswith(SOURCES))


def _add_file(path: Path, add: Callable[[bytes], object], tell: Tell) -> None:
    """Adds what a regular file holds, piece by piece; of a link, what it says; of all else, only that it is there."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        about = path.lstat()
        if stat.S_ISLNK(about.st_mode):
            add(os.fsencode(path.readlink()))
        if not stat.S_ISREG(about.st_mode):
            return
        if about.st_size > LARGEST_SOURCE:
            add(f"{about.st_size} {about.st_mtime_ns}".encode())
            tell(f"has {about.st_size:,} bytes; the most is {LARGEST_SOURCE:,}: not looked at")
            return
        with os.fdopen(os.open(path, flags), "rb") as file:
            left = LARGEST_SOURCE
            while left > 0 and (piece := file.read(min(CHUNK, left))):
                add(piece)
                left -= len(piece)
    except OSError as error:
        tell(f"{(error.strerror or str(error)).lower()}: not looked at")
