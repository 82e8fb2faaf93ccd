"""The files that authors edit, a pack as it would be with a draft in it, and what the change shows and moves."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from threading import Event
from typing import Any

from sheetgen.batch.sandbox import confined
from sheetgen.content.book.chapters import chapter_name
from sheetgen.content.packs.folders import MANIFEST
from sheetgen.content.packs.house_rules import FILE as HOUSE_FILE
from sheetgen.content.packs.house_rules import read_house_rules
from sheetgen.content.schema import FILES, explain_place, kind_of
from sheetgen.content.session_files import FILE as EVENING
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import cut_off_texts, parse
from sheetgen.errors import InputError, Place, Problem, SheetgenError, UsageError, problems_at, quoted
from sheetgen.products.chapter_files import own_chapters
from sheetgen.studio.drawing import Drawings, DrawnPage
from sheetgen.studio.studio import Studio
from sheetgen.workspace.project import named_pack_folders
from sheetgen.workspace.safekeeping import file_in, read_kept
from sheetgen.workspace.write import locked, write_file

SUFFIXES = (".yaml", ".yml", ".md", ".html", ".css", ".txt", ".toml")
HERE, SHELF, GAME = "here", "shelf", "game"  # the folder, the user's shelf, built-in packs
MOST_FILES, DEEPEST, HIGHEST = 400, 4, 6
UNLISTED = ("output", "__pycache__", "node_modules")
MOST_COPIED, LARGEST, MOST_COPIES = 2_000, 20_000_000, 16
LARGEST_AT_ONCE = 300_000  # characters that are judged while one types
ALONE = ("system", "npcs", "groups", "examples", "screen", "chapter", "log")  # whose shape needs no other file


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
        if len(wanted) >= MOST_COPIED or size > LARGEST:
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


def rule_at(text: str, line: int) -> str:
    """Return the rule of a chapter that a line belongs to; empty before the first."""
    lines = text.split("\n")
    at = min(max(line, 1), len(lines))
    column = len(lines[at - 1]) + 1
    found = explain_place({}, text, at, column)
    steps = [*found.path, found.key]
    return steps[1] if len(steps) > 1 and steps[0] == "rules" else ""


def value_at(text: str, line: int) -> str:
    """Return the path of the value that a line of `system.yaml` gives, such as `difficulty.fair`; empty for others.

    Of several on a line, in braces, it is the last.
    """
    lines = text.split("\n")
    at = min(max(line, 1), len(lines))
    written = lines[at - 1].partition(" #")[0]
    found = explain_place({}, text, at, len(written.rstrip(" ,}]")) + 1)
    first, *steps = [*found.path, found.key]
    return ".".join(steps) if first == "values" else ""


def rule_with(packs: Sequence[Path], value: str) -> tuple[str, str]:
    """Return the chapter and the rule of packs that name a value first, those that draw odds before others."""
    path, found = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w-])"), list[tuple[bool, str, str]]()
    for file in (each for pack in packs for each in sorted((pack / "rules").glob("*.yaml")) if value):
        text = read_kept(file).text
        for number, line in enumerate(text.split("\n"), 1):
            if path.search(line) and (rule := rule_at(text, number)):
                found.append(("odds" not in line, chapter_name(file), rule))
    return min(found, key=lambda each: each[0], default=(False, "", ""))[1:]


def line_of(text: str, rule: str) -> int:
    """Return the line of a rule in the text of a chapter, from 1; 0 where it is not, or the text cannot be read."""
    try:
        node = parse(text.encode(), "chapter")
    except InputError:
        return 0
    entries = node.entries if isinstance(node, MappingNode) else ()
    rules = next((value for key, value in entries if key.text == "rules"), None)
    found = rules.entries if isinstance(rules, MappingNode) else ()
    return next((key.place.line for key, _ in found if key.text == rule), 0)


def paper_of(
    studio: Studio, drawings: Drawings, file: AuthoredFile, text: str, line: int, *, unwanted: Event
) -> dict[str, Any]:
    """Return the pictures that show a line of a file; InputError while the pack cannot be read.

    Outdated when they became unwanted.
    """
    if file.pack is None:
        raise UsageError("This file belongs to no pack: nothing is drawn of it.")
    if file.path.suffix in (".yaml", ".yml"):
        parse(text.encode(), file.file)
    draft = with_draft(studio, file, text)
    chapter, rule = chapter_name(file.path), rule_at(text, line) if file.kind == "chapter" else ""
    if file.kind == "system":
        chapter, rule = rule_with((file.pack, *_extended(studio, file.pack)), value_at(text, line))
    asked = {"do": "paper", "chapter": chapter, "rule": rule}
    pages: tuple[DrawnPage, ...] = _worked(studio, drawings, draft, asked, unwanted)
    pictures = [_page_picture(studio, page, number) for page in pages for number in page.shown]
    return {"problem": "" if pictures else "Nothing is printed of this yet.", "pictures": pictures}


def _extended(studio: Studio, pack: Path) -> tuple[Path, ...]:
    """Return the packs that a saved one extends, the nearest first; none while it cannot be read."""
    try:
        lineage = studio.pack(str(pack)).system.lineage
    except SheetgenError:
        return ()
    return tuple(studio.project.library.packs[name] for name in lineage)


def _page_picture(studio: Studio, page: DrawnPage, number: int) -> dict[str, Any]:
    address = studio.pictures.register(blake2b(page.data, digest_size=16).hexdigest(), lambda: page.data)
    say = f"Card {number} of {page.say}" if page.what == "card" else page.say
    return {"src": f"{address}-{number}.png", "say": say, "is": page.what, "number": number, "of": page.count}


def _worked(
    studio: Studio, drawings: Drawings, draft: DraftPack, asked: Mapping[str, object], unwanted: Event
) -> Any:  # what each work returns
    """Return what is worked out of a draft where pages are drawn; problems are told at the user's files."""
    packs = {name: str(folder) for name, folder in draft.packs.items()}
    try:
        return drawings.worked(
            studio.project, studio.environ, {**asked, "packs": packs, "folder": str(draft.folder)}, unwanted
        )
    except InputError as error:
        raise InputError([draft.told(each) for each in error.problems]) from None


def judged_whole(
    studio: Studio, drawings: Drawings, file: AuthoredFile, text: str, before: str, *, unwanted: Event
) -> tuple[tuple[Problem, ...], list[dict[str, str]]]:
    """Return every problem of the pack with a text in it: of files, examples, book; and what it changes elsewhere."""
    draft = with_draft(studio, file, text)
    old = str(with_draft(studio, file, before, aside="before").folder) if before != text else ""
    try:
        problems, moves = _worked(studio, drawings, draft, {"do": "whole", "before": old}, unwanted)
    except InputError as error:
        return error.problems, []
    told = tuple(draft.told(each) for each in problems)
    return told, [{"what": what, "name": name} for what, name in moves]
