"""Results under names of our own choosing: what a person changed since, or made themselves, is never written over."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from itertools import count
from pathlib import Path

from sheetgen.workspace.write import Output, Write, add_line, write_file

RECORD = ".sheetgen-made.json"
PARTS = ".sheetgen-parts"
CHUNK = 1 << 20

_LINE = re.compile(r"(?P<key>[0-9a-f]{32}|-) (?P<digest>[0-9a-f]{32}) (?P<name>.+)", re.DOTALL)


class Kept:
    """What was written into a folder under default names: a digest for each, in a hidden file beside them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def stem(self, stem: str, suffixes: Sequence[str]) -> tuple[str, str]:
        """The stem, or the first of stem-2, stem-3, … under which nothing of anybody's is lost, and what is in the way.

        What is in the way is the name of a file that was changed since it was written here, or is not known here.
        """
        known = {**remembered(self.folder / RECORD), **{name: made[1] for name, made in _lines(self.folder).items()}}
        first = ""
        for number in count(1):
            tried = stem if number == 1 else f"{stem}-{number}"
            taken = next((tried + suffix for suffix in suffixes if self._taken(known, tried + suffix)), "")
            if not taken:
                return tried, first
            first = first or taken
        raise AssertionError("numbers do not end")

    def _taken(self, known: Mapping[str, object], name: str) -> bool:
        path = self.folder / name
        try:
            if not path.is_file():
                return path.exists()
            return name not in known or known[name] != _digest(path)
        except OSError:  # what cannot be read is not ours to replace
            return True

    def write(self, name: str, output: Output) -> tuple[Write, Callable[[], None]]:
        """A way to write to an output, and a way to remember afterwards what was written."""
        digest = blake2b(digest_size=16)

        def write(data: bytes) -> None:
            digest.update(data)
            output.write(data)

        return write, lambda: remember(self.folder / RECORD, {name: digest.hexdigest()})


class Parts:
    """The parts of runs in a folder: what each was made from and a digest of it, a line each in a hidden file there.

    A line is added right before a part takes its place, so that a run that was killed can go on where it was: a line
    without its file, or with an older one, says nothing.
    """

    def __init__(self, folder: Path) -> None:
        """Reads what is remembered, and drops what was said again later."""
        self.folder = folder
        self._known = _lines(folder)
        if self._known:
            text = "".join(f"{key} {digest} {name}\n" for name, (key, digest) in self._known.items())
            write_file(folder / PARTS, text.encode("utf-8", "surrogateescape"))

    def has(self, name: str, key: str) -> bool:
        """Whether a part is there, was made from the same and was not changed since."""
        made, path = self._known.get(name), self.folder / name
        try:
            return made is not None and made[0] == key and path.is_file() and made[1] == _digest(path)
        except OSError:
            return False

    def write(self, name: str, output: Output) -> tuple[Write, Callable[[str], None]]:
        """A way to write a part, and a way to remember by its key what was written, before it takes its place."""
        digest = blake2b(digest_size=16)

        def write(data: bytes) -> None:
            digest.update(data)
            output.write(data)

        return write, lambda key: add_line(self.folder / PARTS, f"{key} {digest.hexdigest()} {name}")


def _lines(folder: Path) -> dict[str, tuple[str, str]]:
    """The key and the digest of each part, by name, the latest of each; a line cut off by a crash is left out."""
    try:
        text = (folder / PARTS).read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return {}
    found = (_LINE.fullmatch(line) for line in text.split("\n"))
    return {line["name"]: (line["key"], line["digest"]) for line in found if line}


def remembered(path: Path) -> dict[str, object]:
    """What a record file says, or nothing if it is missing or damaged."""
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def remember(path: Path, more: Mapping[str, object]) -> None:
    """Adds to a record file."""
    record = {**remembered(path), **more}
    with Output(path) as output:
        output.write((json.dumps(record, indent=0, sort_keys=True) + "\n").encode())


def _digest(path: Path) -> str:
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            digest.update(piece)
    return digest.hexdigest()
