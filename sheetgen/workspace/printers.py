"""Printers and print shops by name: profiles in a small file of the user's, shops in the folder shops/ or ours."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from sheetgen.content.printing import read_printers, read_shop, written_printers
from sheetgen.errors import OutputError, UsageError, quoted, suggestion
from sheetgen.model.printing import Printer, PrintShop, Shift
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import check_writable, locked, write_file

FILE = "printers.yaml"
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
FOLDER = "shops"
OURS = "press/shops"


def printers(project: Project) -> dict[str, Printer]:
    """Return all known printers by name, none if there is no file; InputError for a damaged file."""
    path = printers_file(project)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    return read_printers(data, str(path))


def printer(project: Project, name: str) -> Printer:
    """Return the printer of that name; UsageError with the nearest one if there is none."""
    known = printers(project)
    if name not in known:
        near = suggestion(name, known) or (f"; there are {', '.join(known)}" if known else "")
        raise UsageError(
            f"unknown printer {quoted(name)}{near}; sheetgen proof prints the page to measure a printer by"
        )
    return known[name]


def remember(project: Project, name: str, *, shift: Shift | None = None, margin: float | None = None) -> Printer:
    """Store the given values of a printer, keep its others, and return it; UsageError for an invalid name."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"a printer is called by small letters, digits and hyphens, such as office, not {quoted(name)}"
        )
    path = printers_file(project)
    check_writable(path.parent)
    with locked(path.parent):
        known = printers(project)
        made = known.get(name, Printer(name))
        if shift is not None:
            made = replace(made, shift=shift)
        if margin is not None:
            made = replace(made, margin=round(margin, 2))
        write_file(path, written_printers({**known, name: made}).encode())
    return made


def printers_file(project: Project) -> Path:
    """Return the file of profiles, which need not be there; OutputError for a user without a home."""
    if project.config is None:
        raise OutputError("this user has no home folder for printer profiles: set XDG_CONFIG_HOME to a folder")
    return project.config / FILE


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
