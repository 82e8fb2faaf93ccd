"""A tray: names of what is to be printed together, kept in a file of a folder, so that every window sees it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sheetgen.errors import UsageError
from sheetgen.workspace.write import locked, write_file

LARGEST = 1_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Tray:
    """The file of a tray below a folder, and how many names it takes."""

    folder: Path
    file: Path
    most: int

    def names(self) -> list[str]:
        """Return what is in the tray, in the order in which it was put there; nothing if its file says nothing."""
        path = self.folder / self.file
        with suppress(OSError, ValueError):
            if path.stat().st_size <= LARGEST:
                found = json.loads(path.read_text("utf-8"))
                return (
                    [each for each in found if isinstance(each, str)][-self.most :] if isinstance(found, list) else []
                )
        return []

    def change(self, how: Callable[[list[str]], list[str]]) -> None:
        """Fill the tray with what is made of the names in it; other windows wait meanwhile, so that none is lost.

        UsageError if it takes no more.
        """
        path = self.folder / self.file
        path.parent.mkdir(exist_ok=True)
        with locked(path.parent):
            names = how(self.names())
            if len(names) > self.most:
                raise UsageError(f"the tray is full: it takes {self.most} (print them, or take something out first)")
            write_file(path, json.dumps(names, ensure_ascii=False).encode(), shown=str(self.file))
