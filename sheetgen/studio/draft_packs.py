"""A pack as it would be with a draft in it: copied aside with the draft in its place."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from sheetgen.batch.sandbox import confined
from sheetgen.content.packs.house_rules import FILE as HOUSE_FILE
from sheetgen.content.packs.house_rules import read_house_rules
from sheetgen.content.schema import FILES
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import cut_off_texts, parse
from sheetgen.errors import InputError, Place, Problem, SheetgenError, problems_at
from sheetgen.studio.author_files import AuthoredFile
from sheetgen.studio.studio import Studio
from sheetgen.workspace.project import named_pack_folders
from sheetgen.workspace.write import locked, write_file

MOST_FILES, LARGEST, MOST_COPIES = 2_000, 20_000_000, 16
LARGEST_AT_ONCE = 300_000  # characters that are judged while one types
ALONE = ("system", "npcs", "groups", "examples", "screen", "chapter", "log")  # whose shape needs no other file


class _Everything(set[str]):
    """All kinds of names: in one file alone, none is unknown."""

    def __contains__(self, kind: object) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class DraftPack:
    """A pack with a draft in it: the packs in sight with it among them, its folder, and what the user calls that."""

    packs: Mapping[str, Path]
    folder: Path
    shown: str

    def told(self, problem: Problem) -> Problem:
        """Return a problem at the user's own file."""
        return replace(problem, place=replace(problem.place, file=self.name_of(problem.place.file)))

    def name_of(self, file: str) -> str:
        """Return the name of a file as the user knows it."""
        return f"{self.shown}{file.removeprefix(str(self.folder))}" if file.startswith(str(self.folder)) else file


def judged_alone(studio: Studio, file: AuthoredFile, text: str) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Return the problems and the notes of one file by itself: whether it can be read, and has the shape it should."""
    shown, suffix = file.file, file.path.suffix
    if shown == HOUSE_FILE:
        try:
            named_pack_folders(studio.folder, text.encode())
            read_house_rules(text.encode(), shown, studio.project.library.packs)
        except InputError as error:
            return error.problems, ()
    if suffix not in (".yaml", ".yml") or len(text) > LARGEST_AT_ONCE:
        return (), ()

    def found() -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
        try:
            node = parse(text.encode(), shown)
        except InputError as error:
            return error.problems, ()
        problems = Problems()
        if file.kind in ALONE:
            kind = FILES[file.kind]
            with suppress(
                InputError, KeyError, AttributeError, TypeError, IndexError
            ):  # what only a whole pack can tell
                kind.holds.read(node, Scope(problems, unsure=_Everything()), kind.file)
            told = [each for each in problems.found if not (kind.completed and " lacks " in each.message)]
            return tuple(told), cut_off_texts(text.encode(), shown)
        return (), cut_off_texts(text.encode(), shown)

    with studio.making:
        try:
            return confined(found, what=shown)
        except SheetgenError as error:
            return tuple(problems_at(Place(shown, 1, 1), error)), ()


def with_draft(studio: Studio, file: AuthoredFile, text: str, *, aside: str = "draft") -> DraftPack:
    """Return a copy of the pack of a file with a text in its place."""
    assert file.pack is not None
    project = studio.project
    target = project.cache / "studio-drafts" / f"{_name(file.path)}-{aside}" / file.pack.name  # one for each file
    if not target.is_dir():
        _make_room(target.parent.parent)
    target.mkdir(parents=True, exist_ok=True)
    with locked(target.parent):
        _copied(file.pack, target, {file.inside: text.encode()})
    own = file.pack.resolve()
    packs = {name: target if each.resolve() == own else each for name, each in project.library.packs.items()}
    return DraftPack(packs, target, project.shown(file.pack))


def _name(folder: Path) -> str:
    return blake2b(str(folder.resolve()).encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()


def _make_room(folder: Path) -> None:
    """Remove the oldest copies."""
    there = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime) if folder.is_dir() else []
    for old in there[: max(0, len(there) - MOST_COPIES + 1)]:
        shutil.rmtree(old, ignore_errors=True)


def _copied(source: Path, target: Path, drafts: Mapping[str, bytes]) -> None:
    """Make a folder what another one is, but for drafts; files that did not change are left as they are."""
    wanted, size = dict[str, Path](), 0
    for path in _files(source):
        size += path.stat().st_size
        if len(wanted) >= MOST_FILES or size > LARGEST:
            raise InputError([Problem(Place(str(source)), "has too many files to be drawn while it is edited")])
        wanted[path.relative_to(source).as_posix()] = path
    for path in list(_files(target)):
        if path.relative_to(target).as_posix() not in {*wanted, *drafts}:
            path.unlink(missing_ok=True)
    for name, path in wanted.items():
        if name in drafts:
            continue
        there, about = target / name, path.stat()
        with suppress(FileNotFoundError):
            same = there.stat()
            if (same.st_size, same.st_mtime_ns) == (about.st_size, about.st_mtime_ns):
                continue
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, there)
    for name, data in drafts.items():
        there = target / name
        if not there.is_file() or there.read_bytes() != data:
            write_file(there, data)


def _files(folder: Path) -> Iterator[Path]:
    for each in sorted(folder.iterdir()):
        if each.name.startswith(".") or each.name == "output" or each.is_symlink():
            continue
        if each.is_dir():
            yield from _files(each)
        elif each.is_file():
            yield each
