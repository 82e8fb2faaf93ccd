"""What lies in a pack folder: nothing misspelt, nothing that leads out of it, nothing but files and folders.

Python files are no problem, since nothing in a pack is ever run; hidden files and results in output/ are left alone.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from sheetgen.content.yaml.decode import Problems
from sheetgen.errors import Place, quoted, suggestion

FOLDERS = ("rules", "handouts", "templates", "npcs", "output")
MOST_ENTRIES = 10_000
LINK_OUT = "is a link to a file outside the pack"
NOT_REGULAR = "is not a regular file"

_YAML = (".yaml", ".yml")
_ABOUT = re.compile(r"(readme|licen[cs]e|changelog|notice|__pycache__)", re.IGNORECASE)
_CHARACTERS = re.compile(rb"^system\s*:", re.MULTILINE)


def take_inventory(folder: Path, parts: Iterable[str], shown: Callable[[Path], str], problems: Problems) -> None:
    """Notes every entry below the folder that cannot belong to a pack; `parts` are the names of its YAML files."""
    files = (*(f"{part}.yaml" for part in parts), "examples.yaml", "screen.yaml")
    inside = folder.resolve()
    for number, path in enumerate(_entries(folder, shown, problems)):
        if number == MOST_ENTRIES:
            problems.add(Place(shown(folder)), f"holds more than {MOST_ENTRIES:,} files (keep other things elsewhere)")
            return
        wrong = _kind(path, inside) or (_name(path, files) if path.parent == folder else _in_npcs(path, folder))
        if wrong:
            problems.add(Place(shown(path)), wrong)


def _entries(folder: Path, shown: Callable[[Path], str], problems: Problems) -> Iterator[Path]:
    """Everything below the folder, parents first, in the order of the names; links are not followed."""
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            found = sorted(each for each in here.iterdir() if not each.name.startswith("."))
        except OSError as error:
            problems.add(Place(shown(here)), (error.strerror or str(error)).lower())
            continue
        yield from found
        known = [each for each in found if here != folder or (each.name in FOLDERS and each.name != "output")]
        waiting += [each for each in reversed(known) if each.is_dir() and not each.is_symlink()]


def _kind(path: Path, inside: Path) -> str:
    """What is wrong with an entry as the file system sees it, or nothing."""
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            if not path.resolve().is_relative_to(inside):
                return LINK_OUT
            mode = path.stat().st_mode
    except (OSError, RuntimeError):  # RuntimeError: links in a circle, up to Python 3.12
        return "is a link that leads nowhere (delete it)"
    return "" if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else NOT_REGULAR


def _name(path: Path, files: tuple[str, ...]) -> str:
    """What is wrong with the name of an entry of the pack folder itself, or nothing."""
    if _ABOUT.match(path.name):
        return ""
    if path.is_dir():
        if path.name in FOLDERS:
            return ""
        return f"unknown folder {quoted(path.name)} in a pack{_meant(path.name, FOLDERS)}"
    if path.name in files or path.suffix.lower() not in _YAML or _holds_characters(path):
        return ""
    return f"unknown file {quoted(path.name)} in a pack{_meant(path.name, files)}"


def _meant(name: str, known: Iterable[str]) -> str:
    return suggestion(name, known) or f" (a pack has {', '.join(known)}; keep others elsewhere)"


def _in_npcs(path: Path, folder: Path) -> str:
    if path.parent == folder / "npcs" and path.suffix.lower() in _YAML and path.suffix != ".yaml":
        return f"is not read (name it {path.stem}.yaml)"
    return ""


def _holds_characters(path: Path) -> bool:
    """Whether the file says early on which system it is for, as files of characters do."""
    try:
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            return _CHARACTERS.search(file.read(4096)) is not None
    except OSError:
        return False
