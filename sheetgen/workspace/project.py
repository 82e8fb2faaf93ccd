"""The project of a run: folders, packs, templates and cache, found once at the start and passed on as a value."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sheetgen.content.packs.folders import MANIFEST, Library, find_packs, read_file
from sheetgen.content.packs.house_rules import FILE as HOUSE_FILE
from sheetgen.content.packs.house_rules import read_house_rules, read_pack_folders
from sheetgen.errors import InputError, Place, Problem, UsageError, quoted, suggestion
from sheetgen.workspace import PACKS_OPTION, PACKS_PATH
from sheetgen.workspace.cache import cache_folder

_EXTENDS = re.compile(r"^extends: *([\w-]+)", re.MULTILINE)


PACKAGE = Path(__file__).resolve().parent.parent
SHIPPED = PACKAGE / "_data" if (PACKAGE / "_data").is_dir() else PACKAGE.parent
CONTENT, TEMPLATES = SHIPPED / "content", SHIPPED / "templates"


@dataclass(frozen=True, slots=True)
class PackRoot:
    """A folder that packs are looked for in, and what names it, such as an option."""

    folder: Path
    named_by: str


@dataclass(frozen=True, slots=True)
class Project:
    """Where things are: the user's folder, the content and templates that came with sheetgen, and a cache.

    `config` is where the user's own settings are, `shelf` where packs are that the user added; None for a user without
    a home. `search_path` is where packs are looked for, in order. With `bounds` a file names games in these folders
    alone.
    """

    where: Path
    content: Path
    templates: Path
    cache: Path
    library: Library
    config: Path | None = None
    shelf: Path | None = None
    search_path: tuple[PackRoot, ...] = ()
    bounds: tuple[Path, ...] = ()

    @property
    def output(self) -> Path:
        """The folder of results without a given name."""
        return self.where / "output"

    def shown(self, path: Path) -> str:
        """Return the path as messages show it: relative to the user's folder where it lies inside."""
        return shown_from(self.where, path)

    def pack_folder(self, word: str) -> Path:
        """Return the folder a word means: a bare word is a system, anything with a slash or a suffix is a path."""
        if not is_path(word):
            return self.library.folder(word)
        folder = self.where / word
        if folder.is_file() and folder.name == MANIFEST:
            return folder.parent
        if not folder.is_dir():
            raise InputError([Problem(Place(word), f"no such folder{self._path_hint(word)}")])
        return folder

    def is_within_bounds(self, path: Path) -> bool:
        """Return whether a file may name what lies there."""
        return not self.bounds or any(path.resolve().is_relative_to(each) for each in self.bounds)

    def origin(self, folder: Path) -> str:
        """Return where a pack comes from that is not ours: its folder, and what names the one that it lies in."""
        if self.is_ours(folder):
            return ""
        root = next((each for each in self.search_path if each.folder == folder.parent), None)
        named = f" ({root.named_by})" if root and root.named_by else ""
        return f"{self.shown(folder)}{named}"

    def _path_hint(self, word: str) -> str:
        """Return the suggestion for the path of a pack that is not there: one beside it, or one in sight."""
        name = Path(word).name
        beside = find_packs([(self.where / word).parent])
        near = suggestion(name, beside)
        return (
            near.replace('"', f'"{word[: len(word) - len(name)]}', 1) if near else suggestion(name, self.library.packs)
        )

    def is_ours(self, folder: Path) -> bool:
        """Return whether a pack came with sheetgen; all others are read and rendered in a confined process."""
        return folder.resolve().is_relative_to(self.content.resolve())

    def is_lasting(self, folder: Path) -> bool:
        """Return whether a pack and all that it can extend came with sheetgen, so that it may be cached.

        It is not under house rules, nor if a stranger's pack has the name of one of ours, which others may extend.
        """
        if not self.is_ours(folder) or not self.library.house.keys().isdisjoint((folder.name, *_above(folder))):
            return False
        strangers = [name for name, each in self.library.packs.items() if not self.is_ours(each)]
        return not any((self.content / name / MANIFEST).is_file() for name in strangers)


def is_path(word: str) -> bool:
    """Return whether a word on the command line is a path and not the name of a system."""
    return "/" in word or os.sep in word or bool(Path(word).suffix) or word in (".", "..")


def shown_from(where: Path, path: Path) -> str:
    """Return a path relative to a folder if it lies inside it, whole otherwise."""
    absolute = path if path.is_absolute() else where / path
    return str(absolute.relative_to(where)) if absolute.is_relative_to(where) else str(absolute)


def project_at(where: Path, environ: Mapping[str, str]) -> Project:
    """Return the project as seen from a folder; InputError or UsageError if a folder of packs is named in vain."""
    shelf = _of_user(where, environ, "XDG_DATA_HOME", Path(".local/share"))
    file = where / HOUSE_FILE
    written = read_file(file, HOUSE_FILE) if file.is_file() else b""
    kept = shelf / "packs" if shelf else None
    roots = (*_search_path(where, environ, written), *([PackRoot(kept, "your shelf")] if kept else []))
    packs = find_packs(each.folder for each in (*roots, PackRoot(CONTENT, "")))
    house = read_house_rules(written, HOUSE_FILE, packs)
    library = Library(packs, lambda path: shown_from(where, path), house, CONTENT)
    config = _of_user(where, environ, "XDG_CONFIG_HOME", Path(".config"))
    cache = cache_folder(where, environ)
    return Project(where, CONTENT, TEMPLATES, cache, library, config, kept, roots)


def _search_path(where: Path, environ: Mapping[str, str], written: bytes) -> tuple[PackRoot, ...]:
    """Return the folders that packs are looked for in before the shelf; of two packs with one name the first counts.

    They are those of --packs, content/, those of $SHEETGEN_PACKS, and those of the project file. As that may be a
    stranger's, it names folders below or beside its own and no others.
    """
    option, variable = (
        [where / each for each in environ.get(name, "").split(os.pathsep) if each]
        for name in (PACKS_OPTION, PACKS_PATH)
    )
    for folder in option:
        if wrong := _no_root(folder):
            raise UsageError(f"{PACKS_OPTION}: {shown_from(where, folder)} {wrong}")
    named = named_pack_folders(where, written)
    return (
        *(PackRoot(each, PACKS_OPTION) for each in option),
        PackRoot(where / "content", ""),
        *(PackRoot(each, f"${PACKS_PATH}") for each in variable),
        *(PackRoot(each, HOUSE_FILE) for each in named),
    )


def named_pack_folders(where: Path, written: bytes) -> tuple[Path, ...]:
    """Return the folders of packs that the text of a project file names; InputError with each that cannot be one."""
    named, problems = list[Path](), list[Problem]()
    for each in read_pack_folders(written, HOUSE_FILE):
        named.append(folder := where / each.text)
        near = folder.resolve().is_relative_to(where.resolve().parent)
        if each.text.startswith(("/", "\\", "~")) or ":" in each.text or not near:
            wrong = f"is neither below nor beside this folder (name it with {PACKS_OPTION} or ${PACKS_PATH})"
        else:
            wrong = _no_root(folder)
        problems += [Problem(each.place, f"packs: {quoted(each.text)} {wrong}")] if wrong else []
    if problems:
        raise InputError(problems)
    return tuple(named)


def _no_root(folder: Path) -> str:
    """Return why packs cannot be looked for in a folder, or nothing."""
    if not folder.is_dir():
        return "is no folder"
    if (folder / MANIFEST).is_file():
        return "is a pack: name the folder that it lies in"
    return "" if os.access(folder, os.R_OK | os.X_OK) else "may not be read"


def _above(folder: Path) -> tuple[str, ...]:
    """Return the name of the pack that one of ours extends, which never extends another itself."""
    manifest = folder / MANIFEST
    found = _EXTENDS.search(manifest.read_text("utf-8")) if manifest.is_file() else None
    return (found[1],) if found else ()


def _of_user(where: Path, environ: Mapping[str, str], variable: str, usual: Path) -> Path | None:
    """Return a folder of the user's own, absolute, seen from the folder the user is in."""
    if named := environ.get(variable):
        return where.absolute() / named / "sheetgen"
    try:
        return Path.home() / usual / "sheetgen"
    except RuntimeError:
        return None
