"""Packs on their way: checked and packed into one file, looked into, and put on the user's shelf."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from sheetgen.batch.child import scratch_folder
from sheetgen.batch.sandbox import Limits, confined
from sheetgen.content.packs.folders import read_file
from sheetgen.errors import InputError, OutputError, Place, Problem, UsageError, quoted
from sheetgen.services.check import CheckResult, check
from sheetgen.workspace.archive import CODE, PACKED, SUFFIX, About, Sheetpack, digest_of, read_sheetpack
from sheetgen.workspace.manifest import source_files
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.scaffold import write_folder

LIMITS = Limits(memory_mb=200, cpu_s=10, wall_s=30)


def packed(project: Project, word: str) -> tuple[Sheetpack, CheckResult]:
    """Return a pack ready to travel, and what its check said; InputError if the check finds a problem."""
    checked = check(project, word)
    pack = open_pack(project, word)
    if checked.pack is None:
        raise UsageError(f"{quoted(word)} is no pack: give the name or the folder of one")
    files, code = dict[str, bytes](), list[str]()
    for path in source_files(pack.folder):
        name = path.relative_to(pack.folder).as_posix()
        if name.lower().endswith(CODE):
            code.append(name)
        else:
            files[name] = read_file(path, project.shown(path), inside=pack.folder, most=PACKED)
    system = pack.system
    extends = system.lineage[0] if system.lineage else ""
    said = (system.id, system.title, system.version, system.credit, " ".join(system.licence.split()), extends)
    return Sheetpack(About(*said, system.needs, digest_of(files)), files, tuple(code)), checked


def opened(project: Project, path: Path, shown: str) -> Sheetpack:
    """Return the pack that a file holds, read in a confined process; InputError with all that is wrong with it."""
    if path.suffix.lower() != SUFFIX:
        raise UsageError(f"{quoted(shown)} is no {SUFFIX} file (`sheetgen pack NAME` makes one)")
    data = read_file(path, shown, most=PACKED)
    return confined(partial(read_sheetpack, data, shown), what=shown, limits=LIMITS)


def put_on_shelf(project: Project, sheetpack: Sheetpack, shown: str, *, again: bool) -> tuple[Path, Pack]:
    """Return where a pack stands on the shelf now, and the pack, which was read and checked before.

    UsageError if it has the name of one of ours, or if one of its name is there and `again` does not replace it.
    """
    name = sheetpack.about.name
    if project.shelf is None:
        raise OutputError("this user has no home folder for packs: set XDG_DATA_HOME to a folder")
    if (project.content / name).is_dir():
        raise UsageError(f"{shown}: sheetgen has a game called {name} of its own (ask its author for another id)")
    tried = partial(_tried, project, sheetpack, shown)
    folder = project.shelf / name
    if folder.exists():
        if not again:
            raise UsageError(f"{name} is on the shelf already: --replace puts this one in its place")
        return folder, _replaced(folder, tried, sheetpack)
    pack = tried()
    write_folder(folder, sheetpack.files, shown=str(folder))
    return folder, replace(pack, folder=folder)


def _tried(project: Project, sheetpack: Sheetpack, shown: str) -> Pack:
    """Return the pack as it reads from a folder that goes again; InputError with every problem in it."""
    name = sheetpack.about.name
    with scratch_folder() as scratch:
        folder = Path(scratch) / name
        write_folder(folder, sheetpack.files, shown=shown)
        library = replace(
            project.library,
            packs={**project.library.packs, name: folder},
            shown=partial(_inside, folder, shown, project.library.shown),
        )
        pack = open_pack(replace(project, library=library), name)
    if pack.system.id != name:
        raise InputError([Problem(Place(shown), f"calls itself {name}, and the game in it {pack.system.id}")])
    return pack


def _inside(folder: Path, shown: str, otherwise: Callable[[Path], str], path: Path) -> str:
    """Return how a path is shown: `mist.sheetpack/system.yaml` for a file of the pack."""
    return f"{shown}/{path.relative_to(folder).as_posix()}" if path.is_relative_to(folder) else otherwise(path)


def _replaced(folder: Path, tried: Callable[[], Pack], sheetpack: Sheetpack) -> Pack:
    """Put a pack in the place of the one that is there, which stays until the new one stands."""
    pack, old = tried(), folder.with_name(f".{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    folder.rename(old)
    try:
        write_folder(folder, sheetpack.files, shown=str(folder))
    except BaseException:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
    return replace(pack, folder=folder)
