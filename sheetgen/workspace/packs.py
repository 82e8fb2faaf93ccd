"""Packs opened by name or path: ours in this process, a stranger's in a confined one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from os import sep
from os.path import islink
from pathlib import Path
from typing import TypeVar, cast

from sheetgen.batch.sandbox import STANDARD, Limits, confined
from sheetgen.content.packs.folders import Library
from sheetgen.errors import InputError, Problem, without_places
from sheetgen.model.people_pages import SheetLayout
from sheetgen.model.printing import Tone
from sheetgen.model.system import System
from sheetgen.notebook import table
from sheetgen.rules.registry import engine_code
from sheetgen.workspace.pack_cache import cached_system
from sheetgen.workspace.project import Project
from sheetgen.workspace.watching import States, states

T = TypeVar("T")
LASTING = "lasting"  # begins the key of what stays true while the system does, of which the key says all else
PEOPLE = "npcs"  # the only folder of a pack whose files shape its system


@dataclass(frozen=True, slots=True)
class Pack:
    """A checked system, the folder it was read from, and whether it came with sheetgen.

    `isolated` says that this process is a confined one, which needs no other for it. `_known` is what was worked out of
    it before, for one product after another; `_lasting` is what stays true while the system does, for a game of ours
    whenever this process opens it again.
    """

    system: System
    folder: Path
    ours: bool
    isolated: bool = False
    _known: dict[Hashable, object] = field(default_factory=dict, repr=False, compare=False)
    _lasting: dict[Hashable, object] = field(default_factory=dict, repr=False, compare=False)

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of `make`, called once for each key; it must not depend on the tone of the pages."""
        known = self._lasting if _is_of_system(key) else self._known
        if key not in known:
            known[key] = make()
        return cast(T, known[key])

    def proved(self, shaped: object, draw: Callable[[], object]) -> None:
        """Draw what the system and `shaped` make, to see that it can be, unless it could be before, on other lines."""
        digest = blake2b(without_places(shaped).encode("utf-8", "surrogatepass")).digest()
        self.cached((LASTING, digest), lambda: bool(draw()))

    def _repr_html_(self) -> str:
        system = self.system
        people = ", ".join(system.cast.archetypes)
        return table(
            [system.title, system.subtitle], [["methods", ", ".join(system.creation.methods)], ["cast", people]]
        )

    def with_tone(self, tone: Tone) -> Pack:
        """Return the pack with the tone of its pages set: greys, or little ink."""
        return replace(self, system=self.system.with_tone(tone))

    def with_layout(self, layout: SheetLayout) -> Pack:
        """Return the pack with another layout of its sheet, and with nothing known of it so far."""
        return replace(self, system=replace(self.system, sheet_layout=layout), _known={}, _lasting={})

    def run_isolated(self, work: Callable[[], T], *, limits: Limits = STANDARD, what: str = "") -> T:
        """Return the result of `work`, done here for our own packs and in a confined process for a stranger's.

        `what` names what the work is done on, if not the whole pack, when it is stopped.
        """
        return (
            work() if self.ours or self.isolated else confined(work, what=what or str(self.system.place), limits=limits)
        )


def open_pack(project: Project, word: str) -> Pack:
    """Return the checked pack a word means; InputError with every problem of its files."""
    folder, library = project.pack_folder(word), project.library
    found, lasting = list[Problem](), dict[Hashable, object]()

    def examined() -> System | None:
        system, problems = _examined(folder, library)
        found.extend(problems)
        return None if problems else system

    if project.is_lasting(folder):
        system, lasting = cached_system(project, folder.name, examined)
    else:
        system, problems = confined(lambda: _examined(folder, library), what=project.shown(folder))
        found.extend(problems)
    if found or system is None:
        raise InputError(found)
    ours = all(project.is_ours(each) for each in (folder, *(library.packs[name] for name in system.lineage)))
    return Pack(system, folder, ours, _lasting=lasting)


class OpenedPacks:
    """Packs that were opened, each as long as its files are what they were.

    Where only chapters, templates or handouts have changed, which are read when they are printed, the system stays.
    """

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Pack, States, object, object]] = {}

    def pack(self, project: Project, word: str) -> Pack:
        """Return the checked pack of a word; errors as `open_pack`."""
        folder = project.pack_folder(word)
        if (known := self._known.get(folder)) is not None:
            pack, before, around, shaping = known
            now = states(sources(project, pack))
            if around == _around(project) and now == before:
                return pack
            if around == _around(project) and shaping == _shaping(project, pack, now):
                pack = replace(pack, _known={})
                self._known[folder] = pack, now, around, shaping
                return pack
        own = states((folder,))
        pack = open_pack(project, word)
        now = states(sources(project, pack))
        if own <= now:  # else somebody has written meanwhile: read again next time
            self._known[folder] = pack, now, _around(project), _shaping(project, pack, now)
        return pack

    def mark(self, pack: Pack) -> str:
        """Return what tells this state of a pack's files from others, as long as the program runs."""
        known = next((files for each, files, *_ in self._known.values() if each is pack), None)
        return f"{hash(known)}" if known is not None else f"{id(pack.system)}"


def _is_of_system(key: Hashable) -> bool:
    """Return whether what is known under a key stays true while the system does, whatever becomes of chapters."""
    return isinstance(key, tuple) and key[:1] == (LASTING,)


def _around(project: Project) -> object:
    """Return what shapes a system beside its files: where the packs that it may extend are, and house rules."""
    return tuple(sorted(project.library.packs.items())), repr(project.library.house)


def _shaping(project: Project, pack: Pack, files: States) -> object:
    """Return the files that a system is read from: those of its packs, of those in folders but `npcs` only names."""
    library, found = project.library, set[tuple[object, ...]]()
    folders = (pack.folder, *(library.packs[name] for name in pack.system.lineage if name in library.packs))
    within = [f"{each}{sep}" for each in folders]  # as text: there are hundreds of files
    for path, *state in files:
        inside = next((path.removeprefix(each) for each in within if path.startswith(each)), None)
        if inside is not None:
            read = sep not in inside or inside.startswith(f"{PEOPLE}{sep}")
            found.add((path, *state) if read else (path, islink(path)))
    return found


def _examined(folder: Path, library: Library) -> tuple[System | None, tuple[Problem, ...]]:
    """Return the system, and every problem of the pack that can be told at once: of its files, then of its steps."""
    from sheetgen.content.packs.library import look_into  # which packs in the cache do not need
    from sheetgen.rules.engine_check import audit

    reading = look_into(folder, library)
    if reading.system is None or not reading.sound:
        return reading.system, reading.problems
    return reading.system, tuple(dict.fromkeys((*reading.problems, *audit(reading.system))))


def template_folders(project: Project, pack: Pack) -> tuple[Path, ...]:
    """Return the folders to search for templates, in order: the pack, its system, those it extends, shared ones."""
    lineage = (pack.system.id, *pack.system.lineage)
    own = () if pack.ours else (pack.folder / "templates",)
    return (*own, *(project.templates / name for name in lineage if name), project.templates)


def template_file(project: Project, pack: Pack, template: str) -> str:
    """Return the file that a template of a pack is read from, as messages show it, or where it could be."""
    files = [folder / template for folder in template_folders(project, pack)]
    return project.shown(next((file for file in files if file.is_file()), files[0]))


def template_root(project: Project, pack: Pack) -> Path:
    """Return the folder whose files a pack's pages may use: its own templates for a stranger's that has some."""
    own = pack.folder / "templates"
    return own if not pack.ours and own.is_dir() else project.templates


def sources(project: Project, pack: Pack) -> tuple[Path, ...]:
    """Return the sources of a pack's products: its folder, those it extends, template folders, the file of an added
    engine.
    """
    packs, engine = project.library.packs, engine_code(pack.system.engine)
    extended = (packs[name] for name in pack.system.lineage if name in packs)
    added = () if engine is None else (engine,)
    return tuple(dict.fromkeys((pack.folder, *extended, *template_folders(project, pack), *added)))


def owner_of(project: Project, pack: Pack) -> str:
    """Return the owner that a manifest records for a pack's products: its folder, relative to the user's if it is
    inside.
    """
    return f"{pack.system.id} of sheetgen" if pack.ours else project.shown(pack.folder.resolve())


def id_clash(project: Project, pack: Pack, others: Iterable[Pack]) -> Problem | None:
    """Return the problem of a pack whose id is that of another one in a different folder: their results share their
    names.
    """
    for other in others:
        if other.system.id == pack.system.id and other.folder.resolve() != pack.folder.resolve():
            message = f"the id {pack.system.id} is also that of {project.shown(other.folder)} (change one of them)"
            return Problem(replace(pack.system.place, line=0, column=0), message)
    return None
