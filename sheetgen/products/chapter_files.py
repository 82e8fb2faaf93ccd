"""Which files hold the chapters of a pack: its own, or those of the pack that it varies, less what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from sheetgen.content.book.chapters import chapter_files, chapter_name, files_of_folder, keys_of_rules
from sheetgen.content.packs.folders import read_file
from sheetgen.errors import InputError, OutputError, Problem, among, quoted
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import write_file

UNREADABLE = "?"  # among the keys of rules: a chapter is no YAML


def folders_of(project: Project, pack: Pack) -> tuple[Path, ...]:
    """Return where the parts of a pack are looked for: its own folder, then those of what it extends."""
    return (pack.folder, *(project.library.packs[name] for name in pack.system.lineage))


def book_folders(project: Project, pack: Pack) -> tuple[Path, ...]:
    """Return where the parts of a pack's book stand, its own first; the book is about the game of the last.

    A pack that leaves out chapters of what it varies shares the others, and what that one shares in turn.
    """
    return pack.cached("book folders", lambda: tuple(_book_folders(project, pack)))


def _book_folders(project: Project, pack: Pack) -> Iterator[Path]:
    for folder in folders_of(project, pack):
        yield folder
        if files_of_folder(folder):
            system = pack.system if folder == pack.folder else open_pack(project, folder.name).system
            if system.leaves_out is None:
                return


def own_chapters(project: Project, pack: Pack) -> tuple[Path, ...]:
    """Return the files of the chapters of a pack in their order, those that it leaves out among them."""
    return chapter_files(book_folders(project, pack))


def unknown_chapters(project: Project, pack: Pack) -> Iterator[Problem]:
    """Yield a problem for each chapter that a pack leaves out and that is not there."""
    known = [chapter_name(path) for path in chapter_files(book_folders(project, pack)[1:])]
    for name in pack.system.leaves_out or ():
        if name not in known:
            yield Problem(name.place, f"leaves_out: no chapter {quoted(name)} to leave out{among(name, known)}")


def has_book(project: Project, pack: Pack) -> bool:
    """Return whether the pack, or one that it extends, has chapters."""
    return bool(own_chapters(project, pack))


def has_rule_with(project: Project, pack: Pack, key: str) -> bool:
    """Return whether a rule of those chapters has a key such as `card`, or may have it: their YAML cannot be read."""
    keys = pack.cached("keys of rules", lambda: _keys_of_rules(project, pack))
    return key in keys or UNREADABLE in keys


def _keys_of_rules(project: Project, pack: Pack) -> frozenset[str]:
    """Return the keys of all rules of a pack; those of each chapter are kept in the cache under a digest of it."""
    left_out = pack.system.leaves_out or ()
    paths = tuple(path for path in own_chapters(project, pack) if chapter_name(path) not in left_out)
    found, unread = set[str](), list[tuple[bytes, str, Path]]()
    try:
        for path in paths:
            data = read_file(path, project.shown(path), inside=path.parent)
            kept = project.cache / "rules" / f"{blake2b(data, digest_size=20).hexdigest()}.txt"
            try:
                found.update(kept.read_text("utf-8").splitlines())
            except (OSError, UnicodeDecodeError):
                unread.append((data, project.shown(path), kept))
        read = pack.run_isolated(lambda: [keys_of_rules(data, shown) for data, shown, _ in unread]) if unread else []
    except InputError:
        return frozenset((UNREADABLE,))
    for keys, (_, _, kept) in zip(read, unread, strict=True):
        found.update(keys)
        with suppress(OutputError):  # a cache that cannot be written only costs time
            write_file(kept, "\n".join(sorted(keys)).encode())
    return frozenset(found)
