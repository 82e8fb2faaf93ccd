"""What is kept of written files: the record of those under default names, and keys of all that made a result."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any

from sheetgen.content.packs.house_rules import FILE as HOUSE_FILE
from sheetgen.version import __version__
from sheetgen.workspace.project import PACKAGE, Project
from sheetgen.workspace.write import OUTPUT, Output, Write, add_line, locked, write_file

MANIFEST = ".sheetgen-made.json"
PARTS = ".sheetgen-parts"
CHUNK = 1 << 20

_LINE = re.compile(r"(?P<key>[0-9a-f]{32}|-) (?P<digest>[0-9a-f]{32}) (?P<name>.+)", re.DOTALL)
LARGEST_SOURCE = 20 * 1024 * 1024
COMPILED = "__pycache__"
# The libraries whose versions show in what is printed.
LIBRARIES = (
    *("weasyprint", "pydyf", "tinycss2", "tinyhtml5", "pikepdf", "fonttools", "uharfbuzz", "pypdfium2", "pillow"),
    *("reportlab", "jinja2", "markdown-it-py", "pyyaml", "font-source-serif-pro", "font-source-sans-pro"),
)
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Entry:
    """One file as it was written: its digest, what it was made of (`""` for anything), and the key of a build.

    `state` is its size and time on disk then: as long as they are the same, the digest need not be worked out.
    """

    digest: str
    owner: str = ""
    key: str = ""
    state: str = ""


class Manifest:
    """The files that sheetgen wrote into a folder under default names, in a hidden file beside them.

    `owner` says what the files of this run are made of, such as the folder of a pack: a file of another owner is in the
    way like one that a person made.
    """

    def __init__(self, folder: Path, owner: str = "") -> None:
        self.folder = folder
        self.owner = owner

    def entries(self) -> dict[str, Entry]:
        """Return the entry of every known file, by name; an empty dict if the manifest is missing or damaged."""
        parts = {name: Entry(digest) for name, (_, digest) in _part_lines(self.folder).items()}
        return {name: entry for name, value in _read_manifest(self.folder).items() if (entry := _entry(value))} | parts

    def free_stem(self, stem: str, suffixes: Sequence[str]) -> tuple[str, str]:
        """Return the stem, or the first of stem-2, stem-3, … that overwrites no file of a person, and the file in the
        way.

        What is in the way is the name of a file that was changed since it was written here, or is not known here.
        """
        with locked(self.folder):
            known, first = self.entries(), ""
            for number in count(1):
                tried = stem if number == 1 else f"{stem}-{number}"
                taken = next((tried + suffix for suffix in suffixes if self._is_taken(known, tried + suffix)), "")
                if not taken:
                    return tried, first
                first = first or taken
        raise AssertionError("numbers do not end")

    def _is_taken(self, known: Mapping[str, Entry], name: str) -> bool:
        path, entry = self.folder / name, known.get(name)
        try:
            if not path.is_file():
                return path.exists()
            if entry is None or (entry.owner and self.owner and entry.owner != self.owner):
                return True
            return entry.state != file_state(path) and entry.digest != _digest(path)
        except OSError:  # what cannot be read is not ours to replace
            return True

    def write(self, name: str, output: Output, key: str = "") -> tuple[Write, Callable[[], None]]:
        """Return a function that writes to an output, and one that commits the output and records it, in one step.

        Otherwise another run could see the file before it is known to be ours.
        """
        digest = blake2b(digest_size=16)

        def write(data: bytes) -> None:
            digest.update(data)
            output.write(data)

        def enter() -> None:
            with locked(self.folder):
                output.commit()
                entry = [digest.hexdigest(), self.owner, key, file_state(self.folder / name)]
                text = json.dumps({**_read_manifest(self.folder), name: entry}, indent=0, sort_keys=True)
                write_file(self.folder / MANIFEST, f"{text}\n".encode())

        return write, enter


class Parts:
    """The parts of runs in a folder: what each was made from and a digest of it, a line each in a hidden file there.

    A line is added right before a part takes its place, so that a run that was killed can go on where it was: a line
    without its file, or with an older one, says nothing.
    """

    def __init__(self, folder: Path) -> None:
        """Read the lines, and drop those that a later one replaces."""
        self.folder = folder
        if not (folder / PARTS).exists():
            self._known: dict[str, tuple[str, str]] = {}
            return
        with locked(folder):
            self._known = _part_lines(folder)
            if not self._known:
                return
            text = "".join(f"{key} {digest} {name}\n" for name, (key, digest) in self._known.items())
            write_file(folder / PARTS, text.encode("utf-8", "surrogateescape"))

    def has(self, name: str, key: str) -> bool:
        """Return whether a part exists, was made from the same sources, and was not changed since."""
        made, path = self._known.get(name), self.folder / name
        try:
            return made is not None and made[0] == key and path.is_file() and made[1] == _digest(path)
        except OSError:
            return False

    def write(self, name: str, output: Output) -> tuple[Write, Callable[[str], None]]:
        """Return a function that writes a part, and one that records it with its key before it takes its place."""
        digest = blake2b(digest_size=16)

        def write(data: bytes) -> None:
            digest.update(data)
            output.write(data)

        def enter(key: str) -> None:
            with locked(self.folder):
                add_line(self.folder / PARTS, f"{key} {digest.hexdigest()} {name}")

        return write, enter


def file_state(path: Path) -> str:
    """Return the size and time of a file as text; nothing if there is none."""
    try:
        about = path.stat()
    except OSError:
        return ""
    return f"{about.st_size} {about.st_mtime_ns}"


def _part_lines(folder: Path) -> dict[str, tuple[str, str]]:
    """Return key and digest of each part, by name, the latest of each; lines cut off by a crash are left out."""
    try:
        text = (folder / PARTS).read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return {}
    found = (_LINE.fullmatch(line) for line in text.split("\n"))
    return {line["name"]: (line["key"], line["digest"]) for line in found if line}


def _read_manifest(folder: Path) -> dict[str, Any]:
    """Return what the manifest of a folder says, as JSON."""
    try:
        found = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _entry(value: object) -> Entry | None:
    """Return the entry that JSON holds: a list of texts, or the digest alone as 0.1.0 wrote it."""
    words = value if isinstance(value, list) else [value]
    return Entry(*words) if 1 <= len(words) <= 4 and all(isinstance(word, str) for word in words) else None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        digest = blake2b(digest_size=16)
        while piece := file.read(CHUNK):
            digest.update(piece)
    return digest.hexdigest()


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
