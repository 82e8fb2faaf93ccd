"""Print shops by name: those of the user's in the folder shops/, and those that come with sheetgen."""

from __future__ import annotations

from pathlib import Path

from sheetgen.content.printing import read_shop
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.model.printing import PrintShop
from sheetgen.workspace.project import Project

FOLDER = "shops"
OURS = "press/shops"


def print_shop(project: Project, name: str) -> PrintShop:
    """Return the print shop of that name; the user's own come first.

    UsageError with the nearest name if there is none, InputError with every problem of its file.
    """
    known = _files(project)
    if name not in known:
        near = suggestion(name, known) or f"; there are {', '.join(known)}"
        raise UsageError(f"unknown print shop {quoted(name)}{near}; describe your own in {FOLDER}/NAME.yaml")
    path = known[name]
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{project.shown(path)}: {(error.strerror or str(error)).lower()}") from None
    return read_shop(data, project.shown(path), name)


def shop_names(project: Project) -> tuple[str, ...]:
    """Return the names of all print shops: the user's own, and ours."""
    return tuple(_files(project))


def _files(project: Project) -> dict[str, Path]:
    """The file of each print shop by its name."""
    folders = (project.templates / OURS, project.where / FOLDER)
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.yaml"))}
