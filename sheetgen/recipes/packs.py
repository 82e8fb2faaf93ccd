"""Packs opened by name or path: ours in this process, a stranger's in a confined one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sheetgen.batch.confine import confined
from sheetgen.content.library import read_pack
from sheetgen.errors import InputError
from sheetgen.model.system import System
from sheetgen.recipes.project import Project
from sheetgen.rules.audit import check_rulings, check_steps

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pack:
    """A checked system, the folder it was read from, and whether it came with sheetgen."""

    system: System
    folder: Path
    ours: bool

    def do(self, work: Callable[[], T]) -> T:
        """What `work` makes of this pack: in this process for our own packs, in a confined one for a stranger's."""
        return work() if self.ours else confined(work, what=str(self.system.place))


def open_pack(project: Project, word: str) -> Pack:
    """The checked pack a word means; InputError with every problem of its files."""
    folder = project.pack_folder(word)
    ours = project.is_ours(folder)
    if ours:
        system = read_pack(folder, project.library)
    else:
        system = confined(lambda: read_pack(folder, project.library), what=project.shown(folder))
    problems = check_steps(system) + check_rulings(system)
    if problems:
        raise InputError(problems)
    return Pack(system, folder, ours)


def template_folders(project: Project, pack: Pack) -> tuple[Path, ...]:
    """Where a template is looked for: in the pack, under its system's name, under what it extends, then shared."""
    lineage = (pack.system.id, *pack.system.lineage)
    own = () if pack.ours else (pack.folder / "templates",)
    return (*own, *(project.templates / name for name in lineage if name), project.templates)
