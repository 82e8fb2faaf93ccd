"""Packs opened by name or path: ours in this process, a stranger's in a confined one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar, cast

from sheetgen.batch.sandbox import STANDARD, Limits, confined
from sheetgen.content.packs.folders import Library
from sheetgen.errors import InputError, Problem
from sheetgen.model.print_job import Tone
from sheetgen.model.system import System
from sheetgen.notebook import table
from sheetgen.rules.registry import engine_code
from sheetgen.workspace.pack_cache import cached_system
from sheetgen.workspace.project import Project

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pack:
    """A checked system, the folder it was read from, and whether it came with sheetgen.

    `_known` is what was worked out of it before, for one product after another.
    """

    system: System
    folder: Path
    ours: bool
    _known: dict[Hashable, object] = field(default_factory=dict, repr=False, compare=False)

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` returns, made when the key is asked for first; it must not depend on the tone of the pages."""
        if key not in self._known:
            self._known[key] = make()
        return cast(T, self._known[key])

    def _repr_html_(self) -> str:
        system = self.system
        people = ", ".join(system.cast.archetypes)
        return table(
            [system.title, system.subtitle], [["methods", ", ".join(system.creation.methods)], ["cast", people]]
        )

    def with_tone(self, tone: Tone) -> Pack:
        """The same pack for pages in greys, or sparing of ink."""
        return replace(self, system=self.system.with_tone(tone))

    def run_isolated(self, work: Callable[[], T], *, limits: Limits = STANDARD) -> T:
        """What `work` makes of this pack: in this process for our own packs, in a confined one for a stranger's."""
        return work() if self.ours else confined(work, what=str(self.system.place), limits=limits)


def open_pack(project: Project, word: str) -> Pack:
    """The checked pack a word means; InputError with every problem of its files."""
    folder, library = project.pack_folder(word), project.library
    found = list[Problem]()

    def examined() -> System | None:
        system, problems = _examined(folder, library)
        found.extend(problems)
        return None if problems else system

    if project.is_lasting(folder):
        system = cached_system(project, folder.name, examined)
    else:
        system, problems = confined(lambda: _examined(folder, library), what=project.shown(folder))
        found.extend(problems)
    if found or system is None:
        raise InputError(found)
    ours = all(project.is_ours(each) for each in (folder, *(library.packs[name] for name in system.lineage)))
    return Pack(system, folder, ours)


def _examined(folder: Path, library: Library) -> tuple[System | None, tuple[Problem, ...]]:
    """The system, and every problem of the pack that can be told at once: of its files, then of its steps."""
    from sheetgen.content.packs.library import look_into  # which packs in the cache do not need
    from sheetgen.rules.engine_check import audit

    reading = look_into(folder, library)
    if reading.system is None or not reading.sound:
        return reading.system, reading.problems
    return reading.system, tuple(dict.fromkeys((*reading.problems, *audit(reading.system))))


def template_folders(project: Project, pack: Pack) -> tuple[Path, ...]:
    """Where a template is looked for: in the pack, under its system's name, under what it extends, then shared."""
    lineage = (pack.system.id, *pack.system.lineage)
    own = () if pack.ours else (pack.folder / "templates",)
    return (*own, *(project.templates / name for name in lineage if name), project.templates)


def template_root(project: Project, pack: Pack) -> Path:
    """The folder whose files the pages of a pack may use: its own templates if it is a stranger's and has some."""
    own = pack.folder / "templates"
    return own if not pack.ours and own.is_dir() else project.templates


def sources(project: Project, pack: Pack) -> tuple[Path, ...]:
    """What a pack's products are made from: its folder, those it extends, those of its templates, an added engine."""
    packs, engine = project.library.packs, engine_code(pack.system.engine)
    extended = (packs[name] for name in pack.system.lineage if name in packs)
    added = () if engine is None else (engine,)
    return tuple(dict.fromkeys((pack.folder, *extended, *template_folders(project, pack), *added)))


def owner_of(project: Project, pack: Pack) -> str:
    """What a manifest says a pack's products are made from: its folder, as seen from the user's if it is inside."""
    return f"{pack.system.id} of sheetgen" if pack.ours else project.shown(pack.folder.resolve())


def id_clash(project: Project, pack: Pack, others: Iterable[Pack]) -> Problem | None:
    """The problem of a pack whose id is that of another one in a different folder: their results share their names."""
    for other in others:
        if other.system.id == pack.system.id and other.folder.resolve() != pack.folder.resolve():
            message = f"the id {pack.system.id} is also that of {project.shown(other.folder)} (change one of them)"
            return Problem(replace(pack.system.place, line=0, column=0), message)
    return None
