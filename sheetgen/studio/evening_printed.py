"""What of an evening has changed since it was printed: a digest of each part, kept when somebody says that it is."""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import blake2b
from os.path import getsize, isfile
from pathlib import Path
from typing import Any

from sheetgen.errors import InputError, UsageError, without_places
from sheetgen.studio.evenings import ReadEvening
from sheetgen.studio.studio import Studio
from sheetgen.workspace.write import locked, write_file

FILE = Path(".sheetgen") / "printed-evenings.json"
LARGEST = 1_000_000  # bytes
FIRST_PAGE = "the first page"
MOST_TOLD = 4

Parts = list[list[str]]  # what each is called, and its digest


def note_printed(studio: Studio, evening: ReadEvening) -> None:
    """Keep how an evening is now as how it was printed, beside those of which there are files still.

    InputError with what is wrong in its file; UsageError where the notes are too long to be read again.
    """
    if evening.opened is None:
        raise InputError(evening.problems)
    path = studio.folder / FILE
    path.parent.mkdir(exist_ok=True)
    with locked(path.parent):
        now = {"at": f"{studio.clock():%Y-%m-%d %H:%M}", "parts": _digests(evening)}
        there = {name: each for name, each in _read_kept(studio).items() if isfile(studio.folder / name)}
        data = json.dumps({**there, evening.file.file: now}, ensure_ascii=False).encode()
        if max(len(data), getsize(path) if isfile(path) else 0) > LARGEST:
            raise UsageError(f"{FILE.as_posix()} is too long: delete it, and say again what is printed")
        write_file(path, data, shown=str(FILE))


def changed_since(studio: Studio, evening: ReadEvening) -> dict[str, Any] | None:
    """Return when an evening was printed and what has changed since, in words; None if it was not, or has mistakes."""
    kept = _read_kept(studio).get(evening.file.file)
    if not isinstance(kept, dict) or evening.opened is None:
        return None
    parts = kept.get("parts")
    if not isinstance(parts, list):
        return None
    before = [tuple(map(str, each)) for each in parts if isinstance(each, list) and len(each) == 2]
    return {
        "date": str(kept.get("at", "")),
        "lines": _changes(before, [(name, mark) for name, mark in _digests(evening)]),
    }


def _changes(before: list[Any], now: list[Any]) -> list[str]:
    old, new = dict(before), dict(now)
    changed = [name for name, mark in now if name in old and old[name] != mark]
    come = [name for name, _ in now if name not in old]
    gone = [name for name, _ in before if name not in new]
    moved = [name for name, _ in before if name in new] != [name for name, _ in now if name in old]
    words = [
        *([f"{_names(changed)} changed"] if changed else []),
        *([f"{_names(come)} new"] if come else []),
        *([f"{_names(gone)} gone"] if gone else []),
        *(["another order"] if moved else []),
    ]
    return words


def _names(names: list[str]) -> str:
    more = f" and {len(names) - MOST_TOLD} more" if len(names) > MOST_TOLD else ""
    return ", ".join(names[:MOST_TOLD]) + more


def _digests(evening: ReadEvening) -> Parts:
    """Return a digest of what only the first page shows, and of each scene; places in the file do not count."""
    opened = evening.opened
    assert opened is not None
    session, found = opened.session, Parts()
    whole = (session.title, session.date, session.notes, session.people_as, session.reference, session.screen)
    found.append([FIRST_PAGE, _digest(whole)])
    taken = dict[str, int]()
    for scene, people, files in zip(session.scenes, opened.evening.scenes, opened.handouts, strict=True):
        taken[scene.title] = taken.get(scene.title, 0) + 1
        name = scene.title if taken[scene.title] == 1 else f"{scene.title} ({taken[scene.title]})"
        there = [(each.character, each.wants, each.note) for each in people]
        found.append([name, _digest((session.seed, scene, there, [_read_bytes(file) for file in files]))])
    return found


def _read_bytes(file: Path) -> bytes:
    with suppress(OSError):
        return file.read_bytes()
    return b""


def _digest(what: object) -> str:
    return blake2b(without_places(what).encode(), digest_size=12).hexdigest()


def _read_kept(studio: Studio) -> dict[str, Any]:
    path = studio.folder / FILE
    with suppress(OSError, ValueError, RecursionError):
        if path.stat().st_size <= LARGEST:
            found = json.loads(path.read_text("utf-8"))
            return found if isinstance(found, dict) else {}
    return {}
