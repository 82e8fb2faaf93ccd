"""What was printed: a copy of each file that was marked so, kept in the folder of its campaign, its project or user."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from sheetgen.content.packs.folders import read_file
from sheetgen.content.packs.house_rules import FILE as PROJECT_FILE
from sheetgen.content.yaml.encoding import FileLimit
from sheetgen.workspace.campaigns import campaign_around
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import locked, write_file

FOLDER, INDEX = ".sheetgen-printed", "index.json"
MOST = FileLimit(400_000_000, 10_000_000, "print it in parts")


@dataclass(frozen=True, slots=True, order=True)
class Printed:
    """A file as it was when it was printed: the name it goes by, the copy, and the day."""

    name: str
    copy: Path
    date: str


@dataclass(frozen=True, slots=True)
class PrintedFiles:
    """The copies in a folder; files inside `base` go by their path from there, others by their whole path."""

    folder: Path
    base: Path

    def kept(self, path: Path) -> Printed | None:
        """Return how a file was printed last; None if it never was, or the copy is gone."""
        return next((each for each in self.listed() if each.name == self._name(path)), None)

    def listed(self) -> tuple[Printed, ...]:
        """Return everything that was printed, by name."""
        found = (Printed(name, self.folder / copy, date) for name, (copy, date) in sorted(self._index().items()))
        return tuple(each for each in found if each.copy.is_file())

    def file_of(self, printed: Printed) -> Path:
        """Return where the file lies that was printed."""
        return self.base / printed.name

    def keep(self, path: Path, shown: str, date: str) -> None:
        """Keep a file as printed on a day, in place of what was printed before under its name."""
        data = read_file(path, shown, most=MOST)
        name = self._name(path)
        copy = f"{blake2b(name.encode(), digest_size=8).hexdigest()}{path.suffix.lower()}"
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder):
            write_file(self.folder / copy, data, shown=shown)
            self._write({**self._index(), name: (copy, date)})

    def forget(self, path: Path) -> bool:
        """Forget that a file was printed; return whether it was."""
        index = self._index()
        if self._name(path) not in index:
            return False
        with locked(self.folder):
            copy, _ = index.pop(self._name(path))
            self._write(index)
            with suppress(OSError):
                (self.folder / copy).unlink()
        return True

    def _name(self, path: Path) -> str:
        whole, base = path.resolve(), self.base.resolve()
        return (whole.relative_to(base) if whole.is_relative_to(base) else whole).as_posix()

    def _index(self) -> dict[str, tuple[str, str]]:
        try:
            found = json.loads((self.folder / INDEX).read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        rows = found.items() if isinstance(found, dict) else ()
        return {
            name: (each[0], each[1])
            for name, each in rows
            if isinstance(each, list)
            and len(each) == 2
            and all(isinstance(word, str) for word in each)
            and each[0] == Path(each[0]).name
        }

    def _write(self, index: dict[str, tuple[str, str]]) -> None:
        write_file(self.folder / INDEX, f"{json.dumps(index, indent=1, sort_keys=True)}\n".encode())


def _stores(project: Project, path: Path) -> tuple[PrintedFiles, ...]:
    """Return where copies may be, the place of new ones first: a campaign, the project, the user's data."""
    campaign, user = campaign_around(project, path), project.shelf
    is_campaign = campaign is not None and campaign.folder.resolve() == project.where.resolve()
    has_file = (project.where / PROJECT_FILE).is_file() and not is_campaign  # one folder is one place
    return (
        *([PrintedFiles(campaign.folder / FOLDER, campaign.folder)] if campaign is not None else []),
        *(
            [PrintedFiles(project.where / FOLDER, project.where)]
            if has_file or (user is None and not is_campaign)
            else []
        ),
        *([PrintedFiles(user.parent / "printed", Path("/"))] if user is not None else []),
    )


def last_printed(project: Project, path: Path) -> Printed | None:
    """Return how a file was printed last; None if it never was.

    What was printed before a folder became a project, or a campaign, is found among the user's data.
    """
    found = (each.kept(path) for each in _stores(project, path))
    return next((each for each in found if each is not None), None)


def keep_printed(project: Project, path: Path, shown: str, date: str) -> None:
    """Keep a file as printed on a day, in its campaign, in the project, or else among the user's data."""
    first, *others = _stores(project, path)
    first.keep(path, shown, date)
    for each in others:
        each.forget(path)


def forget_printed(project: Project, path: Path) -> bool:
    """Forget that a file was printed; return whether it was."""
    return any([each.forget(path) for each in _stores(project, path)])


def all_printed(project: Project) -> tuple[tuple[Path, Printed], ...]:
    """Return everything that was printed in this folder, or below it, and where the file lies, by name."""
    found = [(each.file_of(kept), kept) for each in reversed(_stores(project, project.where)) for kept in each.listed()]
    here = project.where.resolve()
    return tuple(sorted({path: (path, kept) for path, kept in found if path.resolve().is_relative_to(here)}.values()))
