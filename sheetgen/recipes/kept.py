"""Results under names of our own choosing: what a person changed since, or made themselves, is never written over."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from itertools import count
from pathlib import Path

from sheetgen.recipes.write import Output

RECORD = ".sheetgen-made.json"
CHUNK = 1 << 20

Write = Callable[[bytes], object]


class Kept:
    """What was written into a folder under default names: a digest for each, in a hidden file beside them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def stem(self, stem: str, suffixes: Sequence[str]) -> tuple[str, str]:
        """The stem, or the first of stem-2, stem-3, … under which nothing of anybody's is lost, and what is in the way.

        What is in the way is the name of a file that was changed since it was written here, or is not known here.
        """
        known, first = remembered(self.folder / RECORD), ""
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
