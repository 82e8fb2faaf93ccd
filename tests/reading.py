"""Packs read and checked in this process: those that come with sheetgen once for all tests, others each time."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sheetgen.content.packs.folders import Library, find_packs
from sheetgen.content.packs.library import look_into
from sheetgen.errors import InputError
from sheetgen.model.system import System

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = Library(find_packs([ROOT / "content"]), lambda path: path.relative_to(ROOT).as_posix())


def read_pack(folder: Path, library: Library) -> System:
    """The System that a pack folder states, what it extends included; InputError with every problem found."""
    return _shipped(folder) if library is SHIPPED and folder in SHIPPED.packs.values() else _read(folder, library)


@cache
def _shipped(folder: Path) -> System:
    return _read(folder, SHIPPED)


def _read(folder: Path, library: Library) -> System:
    reading = look_into(folder, library)
    if reading.system is None or reading.problems:
        raise InputError(reading.problems)
    return reading.system
