"""The icons of a pack: the drawings that its cards may have, by the names of their files."""

from __future__ import annotations

from collections.abc import Iterable

from sheetgen.errors import InputError, Problem, quoted, suggestion
from sheetgen.model.data import Word
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project

FOLDER = "icons"


def icons_of(project: Project, pack: Pack) -> tuple[str, ...]:
    """Return the names of the icons that cards of a pack may have: its own, its system's, and the shared ones."""
    folders = (folder / FOLDER for folder in template_folders(project, pack))
    return tuple(sorted({file.stem for folder in folders if folder.is_dir() for file in folder.glob("*.svg")}))


def check_icons(project: Project, pack: Pack, wanted: Iterable[Word]) -> None:
    """Raise InputError at the place of each icon that there is no drawing of."""
    known = icons_of(project, pack)
    there = f"; there are {', '.join(known)}"
    problems = [
        Problem(word.place, f"no icon {quoted(word)}{suggestion(word, known) or there}")
        for word in wanted
        if word not in known
    ]
    if problems:
        raise InputError(tuple(problems))
