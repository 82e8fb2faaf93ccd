"""What people wrote, saved so that nothing is lost: compared with what was read, kept as drafts, and undone by name.

A page shows a file as it was at some moment, its `seen` digest. Whoever saves says it; if the file says something else
by now, nothing is written and both texts are told. Before a file changes, what it said goes to `.sheetgen/undo`, so
that a kill at any moment leaves the old file or the new one, and the way back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any

from sheetgen.errors import UsageError, quoted
from sheetgen.workspace.write import locked, sweep, write_file

HIDDEN, DRAFTS, UNDO = ".sheetgen", "drafts", "undo"
MOST_STEPS, LARGEST = 300, 20_000_000
TOGETHER = timedelta(seconds=20)  # changes of one label so soon after each other are one step
NOTHING = ""  # the digest of a file that is not there


@dataclass(frozen=True, slots=True)
class ReadText:
    """A file as it was read: its text, and the digest that says so; both empty for one that is not there."""

    text: str
    seen: str


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """What somebody typed into a file and did not save: the text, the digest of the file that they saw, and when."""

    file: str
    text: str
    seen: str
    at: datetime


@dataclass(frozen=True, slots=True)
class UndoStep:
    """A change that can be undone: its number, what was done, to which file, when; the digests before and after."""

    number: int
    label: str
    file: str
    at: datetime
    before: str | None
    was: str
    now: str


class ChangedOutside(UsageError):
    """A file that says something else than the page that saves it saw; nothing was written."""

    def __init__(self, file: str, theirs: str, mine: str) -> None:
        super().__init__(f"{quoted(file)} was changed outside: nothing is saved until you say which holds")
        self.file, self.theirs, self.mine = file, theirs, mine


def digest(data: bytes | None) -> str:
    """Return what tells one content from another; empty for a file that is not there."""
    return NOTHING if data is None else blake2b(data, digest_size=12).hexdigest()


def file_in(folder: Path, name: str, *, suffixes: tuple[str, ...]) -> Path:
    """Return a file of a folder by its relative name; UsageError for what leads elsewhere, is hidden or of other kinds.

    Nothing that comes from a page is trusted: no `..`, no links out, no hidden files, no files of programs.
    """
    path = folder / name_in(folder, name)
    if path.suffix.lower() not in suffixes or (path.exists() and not path.is_file()):
        raise UsageError(f"{quoted(name)} is no file that is edited here ({', '.join(suffixes)})")
    return path


def name_in(folder: Path, name: str) -> str:
    """Return a relative name if it stays in a folder; UsageError for what leads elsewhere or is hidden."""
    if not _is_inside(folder, name):
        raise UsageError(f"{quoted(name)} is no file of this folder")
    return name


def _is_inside(folder: Path, name: str) -> bool:
    """Return whether a relative name stays in a folder: no `..`, nothing hidden, no link that leads out."""
    parts = PurePosixPath(name).parts
    if not parts or PurePosixPath(name).is_absolute() or "\\" in name or "\0" in name:
        return False
    return not any(part.startswith(".") for part in parts) and (folder / name).resolve().is_relative_to(
        folder.resolve()
    )


def read_kept(path: Path) -> ReadText:
    """Return a text file as it is; UsageError for one that is no text."""
    data = _bytes(path)
    try:
        return ReadText("" if data is None else data.decode("utf-8"), digest(data))
    except UnicodeDecodeError:
        raise UsageError(f"{quoted(path.name)} is no UTF-8 text: open it with the editor that wrote it") from None


def save(folder: Path, file: str, text: str, *, seen: str, label: str, now: datetime) -> str:
    """Return the new digest after writing a file that still is as it was seen; ChangedOutside if it is not.

    What it said before becomes a step to undo, called `label`.
    """
    path, data = folder / file, text.encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.parent):
        before = _bytes(path)
        if before == data:
            return digest(data)
        if digest(before) != seen:
            raise ChangedOutside(file, "" if before is None else before.decode("utf-8", "replace"), text)
        _note(
            folder,
            UndoStep(0, label, file, now, None if before is None else before.decode(), digest(before), digest(data)),
        )
        write_file(path, data, shown=file)
    return digest(data)


def remove(folder: Path, file: str, *, seen: str, label: str, now: datetime) -> None:
    """Remove a file that still is as it was seen; ChangedOutside if it is not. It is a step to undo, called `label`."""
    path = folder / file
    with locked(path.parent):
        before = _bytes(path)
        if before is None:
            return
        if digest(before) != seen:
            raise ChangedOutside(file, before.decode("utf-8", "replace"), "")
        _note(folder, UndoStep(0, label, file, now, before.decode(), seen, NOTHING))
        path.unlink(missing_ok=True)


def undo_last(folder: Path) -> UndoStep | None:
    """Return the step that was undone, the last one whose file still is as that step left it; None if there is none."""
    for step in reversed(steps(folder)):
        path = folder / step.file
        with locked(path.parent):
            if digest(_bytes(path)) != step.now:
                continue
            if step.before is None:
                path.unlink(missing_ok=True)
            else:
                write_file(path, step.before.encode(), shown=step.file)
        _step_file(folder, step.number).unlink(missing_ok=True)
        return step
    return None


def steps(folder: Path) -> tuple[UndoStep, ...]:
    """Return the steps that can be undone, the oldest first; a damaged record is passed over."""
    found = (_read_step(each) for each in sorted((folder / HIDDEN / UNDO).glob("*.json")))
    return tuple(step for step in found if step is not None and _is_inside(folder, step.file))


def keep_draft(folder: Path, file: str, text: str, *, seen: str, now: datetime) -> None:
    """Keep what somebody typed into a file, beside it and not in it."""
    path = _draft_file(folder, file)
    path.parent.mkdir(parents=True, exist_ok=True)
    sweep(path.parent)
    _write_json(path, {"file": file, "seen": seen, "at": now.isoformat(), "text": text})


def draft_of(folder: Path, file: str) -> KeptDraft | None:
    """Return the draft of a file; None if there is none, or if the file says the same."""
    found = _read_json(_draft_file(folder, file))
    with suppress(KeyError, TypeError, ValueError):
        made = KeptDraft(found["file"], found["text"], found["seen"], datetime.fromisoformat(found["at"]))
        if made.file == file and digest(_bytes(folder / file)) != digest(made.text.encode()):
            return made
    return None


def drafts(folder: Path) -> Iterator[KeptDraft]:
    """Yield the drafts of a folder, by file."""
    for path in sorted((folder / HIDDEN / DRAFTS).glob("*.json")):
        found = _read_json(path)
        if isinstance(found.get("file"), str) and (draft := draft_of(folder, found["file"])) is not None:
            yield draft


def throw_away(folder: Path, file: str) -> None:
    """Remove the draft of a file, if there is one."""
    _draft_file(folder, file).unlink(missing_ok=True)


def _bytes(path: Path) -> bytes | None:
    try:
        if path.stat().st_size > LARGEST:
            raise UsageError(f"{quoted(path.name)} is too large to be edited here")
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _draft_file(folder: Path, file: str) -> Path:
    return folder / HIDDEN / DRAFTS / f"{blake2b(file.encode(), digest_size=10).hexdigest()}.json"


def _step_file(folder: Path, number: int) -> Path:
    return folder / HIDDEN / UNDO / f"{number:08}.json"


def _note(folder: Path, step: UndoStep) -> None:
    """Keep a step, before its change is made; the oldest go when there are too many.

    What goes on with the last step, of the same label and soon after it, becomes part of it: nobody undoes by letters.
    """
    place = folder / HIDDEN / UNDO
    place.mkdir(parents=True, exist_ok=True)
    sweep(place)
    with locked(place):
        there = sorted(place.glob("*.json"))
        last = _read_step(there[-1]) if there else None
        if last is not None and _goes_on(last, step):
            step = replace(step, before=last.before, was=last.was)
            there.pop().unlink(missing_ok=True)
        number = int(there[-1].stem) + 1 if there and there[-1].stem.isdecimal() else 1
        for old in there[: max(0, len(there) - MOST_STEPS + 1)]:
            old.unlink(missing_ok=True)
        record = {"label": step.label, "file": step.file, "at": step.at.isoformat(), "before": step.before}
        _write_json(_step_file(folder, number), {**record, "was": step.was, "now": step.now})


def _goes_on(last: UndoStep, step: UndoStep) -> bool:
    same = (last.label, last.file, last.now) == (step.label, step.file, step.was)
    return same and NOTHING not in (step.was, step.now) and timedelta() <= step.at - last.at < TOGETHER


def _read_step(path: Path) -> UndoStep | None:
    found = _read_json(path)
    with suppress(KeyError, TypeError, ValueError):
        at = datetime.fromisoformat(found["at"])
        return UndoStep(int(path.stem), found["label"], found["file"], at, found["before"], found["was"], found["now"])
    return None


def _read_json(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found = json.loads(path.read_text("utf-8"))
        return found if isinstance(found, dict) else {}
    return {}


def _write_json(path: Path, data: object) -> None:
    write_file(path, json.dumps(data, ensure_ascii=False, indent=1).encode())
