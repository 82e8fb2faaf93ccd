"""Packs read and checked in this process, those that come with sheetgen once for all tests; people as a table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from sheetgen.content.packs.folders import Library, find_packs
from sheetgen.content.packs.library import look_into
from sheetgen.dice.source import Scripted
from sheetgen.documents.export.tables import Listed, table_bytes
from sheetgen.errors import InputError
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.procedures.parameters import plain_words
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.registry import engine_of, rulings_of

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = Library(find_packs([ROOT / "content"]), lambda path: path.relative_to(ROOT).as_posix())


def read_pack(folder: Path, library: Library) -> System:
    """The System that a pack folder states, what it extends included; InputError with every problem found."""
    return _shipped(folder) if library is SHIPPED and folder in SHIPPED.packs.values() else _read(folder, library)


@cache
def _shipped(folder: Path) -> System:
    return _read(folder, SHIPPED)


def ledger(game: str) -> dict[str, str]:
    """Every rule of the ledger of a game with its kind."""
    return dict(line.split() for line in (ROOT / "tests/ledger" / f"{game}.txt").read_text("utf-8").splitlines())


def played(system: System, do: str, dice: Iterable[int], **given: object) -> tuple[Any, list[str]]:
    """What a procedure comes to with these dice, all of them used, and its log."""
    faces, log = Scripted(dice), list[str]()
    play = Play(system, faces, rulings=rulings_of(system), log=log)
    procedure = engine_of(system).procedures[do]
    outcome = procedure.run(play, procedure.arguments(plain_words(given), play))  # type: ignore[arg-type]
    faces.finish()
    return outcome, log


def _read(folder: Path, library: Library) -> System:
    reading = look_into(folder, library)
    if reading.system is None or reading.problems:
        raise InputError(reading.problems)
    return reading.system


def csv_text(system: System, people: Iterable[Character]) -> list[str]:
    """The characters of a game as CSV."""
    return [piece.decode() for piece in table_bytes(".csv", [Listed(system, people)])]
