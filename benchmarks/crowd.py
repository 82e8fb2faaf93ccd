"""The people that all scripts here print: the same characters of GAMERS, and the text of their fields."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path

from sheetgen.documents.people.sheet import sheet_values
from sheetgen.model.character import Character
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at

SEED = 7


@dataclass(frozen=True, slots=True)
class Crowd:
    """A project, its GAMERS pack, people of one seed, and for each the text of every field."""

    project: Project
    pack: Pack
    people: tuple[Character, ...]
    values: tuple[dict[str, str], ...]


def crowd(count: int) -> Crowd:
    """So many people of GAMERS, rolled from seed 7."""
    project = project_at(Path.cwd(), os.environ)
    pack = open_pack(project, "gamers")
    figures = engine_of(pack.system).figures
    people = tuple(roll(pack, RollOptions(seed=SEED, count=count)))
    return Crowd(
        project, pack, people, tuple(sheet_values(pack.system, each, figures(pack.system, each)) for each in people)
    )


def machine() -> str:
    """One line on where this runs."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"Python {sys.version.split()[0]}, {platform.system()} {platform.machine()}, {cores} cores"
