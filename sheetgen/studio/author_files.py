"""The files that authors edit: of the folder, of packs on the shelf; those of built-in packs are only looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sheetgen.content.packs.folders import MANIFEST
from sheetgen.content.schema import kind_of
from sheetgen.content.session_files import FILE as EVENING
from sheetgen.errors import SheetgenError, UsageError, quoted
from sheetgen.products.chapter_files import own_chapters
from sheetgen.studio.studio import Studio
from sheetgen.workspace.safekeeping import file_in

SUFFIXES = (".yaml", ".yml", ".md", ".html", ".css", ".txt", ".toml")
HERE, SHELF, GAME = "here", "shelf", "game"  # the folder, the user's shelf, built-in packs
MOST_FILES, DEEPEST, HIGHEST = 400, 4, 6
UNLISTED = ("output", "__pycache__", "node_modules")


@dataclass(frozen=True, slots=True)
class AuthoredFile:
    """A file that is opened: under which root it lies, the pack that it belongs to if any, whether it may be saved."""

    where: str
    root: Path
    file: str
    pack: Path | None
    read_only: bool = False

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.root / self.file

    @property
    def inside(self) -> str:
        """The name inside its pack; its own name where it belongs to none."""
        return self.path.relative_to(self.pack).as_posix() if self.pack else self.file

    @property
    def kind(self) -> str:
        """Which kind of file it is, as schemas call it; empty for texts, templates and styles."""
        found = kind_of(self.inside) if self.pack else ""
        return found or (kind_of(Path(self.file).name) if Path(self.file).name in (EVENING, "log.yaml") else "")


@dataclass(frozen=True, slots=True)
class AuthoredPack:
    """A pack in sight: its name, under which root, and its files by name inside it."""

    name: str
    where: str
    folder: Path
    files: tuple[str, ...]
    root: Path

    def address(self, file: str) -> str:
        """Return how addresses name a file of it."""
        return f"{self.where}/{(self.folder / file).relative_to(self.root).as_posix()}"


def root_of(studio: Studio, where: str) -> Path:
    """Return the folder that a root means; UsageError for none."""
    project = studio.project
    roots = {HERE: studio.folder, SHELF: project.shelf, GAME: project.content}
    found = roots.get(where)
    if found is None:
        raise UsageError(f"there is no {quoted(where)} to edit in")
    return found


def opened_file(studio: Studio, where: str, file: str) -> AuthoredFile:
    """Return a file by its address; UsageError for what leads out of its root, or is no text that is edited here."""
    root = root_of(studio, where)
    path = file_in(root, file, suffixes=SUFFIXES)
    read_only = where == GAME or studio.project.is_ours(path)
    return AuthoredFile(where, root, file, _pack_above(root, path), read_only)


def _pack_above(root: Path, path: Path) -> Path | None:
    for folder in list(path.parents)[:HIGHEST]:
        if (folder / MANIFEST).is_file():
            return folder
        if folder == root:
            return None
    return None


def packs_in_sight(studio: Studio) -> tuple[AuthoredPack, ...]:
    """Return the packs that can be opened, one's own first."""
    project, found = studio.project, list[AuthoredPack]()
    folders = {folder.resolve(): name for name, folder in project.library.packs.items()}
    own = {each.parent.resolve(): each.parent.name for each in studio.folder.glob(f"*/{MANIFEST}")}
    own |= {studio.folder.resolve(): studio.folder.name} if (studio.folder / MANIFEST).is_file() else {}
    for folder, name in {**own, **folders}.items():
        for where in (HERE, SHELF, GAME):
            root = {HERE: studio.folder, SHELF: project.shelf, GAME: project.content}[where]
            if root is None or not folder.is_relative_to(root.resolve()):
                continue
            if where == HERE and project.is_ours(folder):
                continue
            files = tuple(sorted(files_of(folder), key=_order))
            found.append(AuthoredPack(name, where, folder, files, root.resolve()))
            break
    return tuple(sorted(found, key=lambda each: ((HERE, SHELF, GAME).index(each.where), each.name)))


def chapter_takers(studio: Studio, file: AuthoredFile) -> tuple[AuthoredPack, ...]:
    """Return the packs of one's own whose book has this chapter of the game that they vary, to be changed in a copy."""
    return tuple(pack for pack in packs_in_sight(studio) if pack.where != GAME and _has_inherited(studio, pack, file))


def _has_inherited(studio: Studio, taker: AuthoredPack, file: AuthoredFile) -> bool:
    if file.kind != "chapter" or file.pack is None or taker.folder == file.pack.resolve():
        return False
    try:
        pack = studio.pack(str(taker.folder))
        return any(path.resolve() == file.path.resolve() for path in own_chapters(studio.project, pack))
    except SheetgenError:  # it tells what is wrong with it where it is opened
        return False


def beside_inherited(manifest: str, file: str) -> str:
    """Return a manifest whose book has chapters of its own in place of some that it inherits; UsageError if it cannot.

    Without `leaves_out` a book has either its own chapters alone or those of the game that it varies.
    """
    if re.search(r"^leaves_out *:", manifest, re.MULTILINE):
        return manifest
    end = "\r\n" if "\r\n" in manifest else "\n"
    line = f"leaves_out: []   # chapters of that game which this one has not; those in rules/ stand in for theirs{end}"
    found, count = re.subn(r"^extends *:", lambda each: f"{line}{each[0]}", manifest, count=1, flags=re.MULTILINE)
    if not count:
        raise UsageError(f"{file}: write `leaves_out: []` into it, then take the chapter again")
    return found


def _order(file: str) -> tuple[bool, bool, str]:
    return file != MANIFEST, not file.startswith("rules/"), file


def files_of(folder: Path, depth: int = 0) -> Iterator[str]:
    """Yield the files of a pack that can be edited, by name inside it."""
    count = 0
    for each in sorted(folder.iterdir()):
        if each.name.startswith(".") or each.name in UNLISTED or each.is_symlink() or count > MOST_FILES:
            continue
        if each.is_dir() and depth < DEEPEST:
            yield from (f"{each.name}/{inner}" for inner in files_of(each, depth + 1))
        elif each.is_file() and each.suffix in SUFFIXES:
            count += 1
            yield each.name
