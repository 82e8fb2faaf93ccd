"""A key of everything that a product is made from: the same key means the same product."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path

from sheetgen.content.packs.house_rules import FILE as HOUSE_FILE
from sheetgen.version import __version__
from sheetgen.workspace.manifest import CHUNK
from sheetgen.workspace.project import PACKAGE, Project
from sheetgen.workspace.write import OUTPUT

LARGEST_SOURCE = 20 * 1024 * 1024
COMPILED = "__pycache__"

# The libraries whose versions show in what is printed.
LIBRARIES = (
    *("weasyprint", "pydyf", "tinycss2", "tinyhtml5", "pikepdf", "fonttools", "uharfbuzz", "pypdfium2", "pillow"),
    *("reportlab", "jinja2", "markdown-it-py", "pyyaml", "font-source-serif-pro", "font-source-sans-pro"),
)

Tell = Callable[[str], None]


def source_key(project: Project, sources: tuple[Path, ...], paper: str, tell: Tell) -> str:
    """Return a key of everything that shapes a product: packs, templates, code, versions of libraries, paper.

    `sources` are folders, or single files. `tell` gets a line for each file too large to be looked at.
    """
    (key,) = source_keys(project, sources, paper, tell, [()])
    return key


def source_keys(
    project: Project, sources: tuple[Path, ...], paper: str, tell: Tell, withouts: Sequence[tuple[str, ...]]
) -> list[str]:
    """Return several keys of the same sources, one for each tuple of left-out parts; files are read once (see
    `source_key`).
    """
    digests = [blake2b(digest_size=16) for _ in withouts]
    for source in sources:
        for file in source_files(source):
            inside = file.relative_to(source if file != source else source.parent)
            among = zip(digests, withouts, strict=True)
            adding = [digest for digest, without in among if inside.parts[0] not in without]
            if adding:
                found = blake2b(f"{inside}\0".encode(errors="surrogateescape"), digest_size=16)
                _add_file(file, found.update, lambda line, file=file: tell(f"{project.shown(file)}: {line}"))  # type: ignore[misc]
                for digest in adding:
                    digest.update(found.digest())
    for digest in digests:
        if (house := project.where / HOUSE_FILE).is_file():
            _add_file(house, digest.update, lambda line: None)
        digest.update(_code_digest(PACKAGE))
        digest.update("\0".join((paper, *versions())).encode())
    return [digest.hexdigest() for digest in digests]


@cache
def _code_digest(package: Path) -> bytes:
    """Return a digest of the code that runs, read once: what changes on disk later does not run in this process."""
    digest = blake2b(digest_size=16)
    for file in source_files(package):
        digest.update(f"{file.relative_to(package)}\0".encode(errors="surrogateescape"))
        _add_file(file, digest.update, lambda line: None)
    return digest.digest()


@cache
def versions() -> tuple[str, ...]:
    """Return the versions of sheetgen and of the libraries that shape what is printed."""
    from importlib.metadata import version  # which is slow

    return (__version__, *(f"{library} {version(library)}" for library in LIBRARIES))


@cache
def code_stamp(package: Path = PACKAGE) -> str:
    """Return a stamp of the code that runs, from sizes and times of its files, which are quicker to see than contents:
    for caches, where to make something once too often does no harm.
    """
    digest = blake2b(digest_size=16)
    for file in source_files(package):
        about = file.stat()
        digest.update(f"{file}\0{about.st_size}\0{about.st_mtime_ns}\0".encode(errors="surrogateescape"))
    return digest.hexdigest()


def source_files(source: Path) -> Iterator[Path]:
    """Yield the files below a folder in order, or the one file; without hidden files, linked folders and results."""
    if source.is_file():
        yield source
    for here, folders, names in os.walk(source):
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in (OUTPUT, COMPILED))
        yield from (Path(here, name) for name in sorted(names) if not name.startswith("."))


def _add_file(path: Path, add: Callable[[bytes], object], tell: Tell) -> None:
    """Add the content of a regular file, piece by piece, or the target of a link; nothing for pipes and devices."""
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
