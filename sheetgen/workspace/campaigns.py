"""Campaign folders: found by their sheetgen.toml, made with what belongs in one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from sheetgen.content.packs.folders import read_file
from sheetgen.content.packs.house_rules import FILE
from sheetgen.errors import InputError, Place, Problem, UsageError, quoted, suggestion
from sheetgen.geometry import SHEET_PAPERS
from sheetgen.model.session import Campaign
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import write_file

CAST, SESSIONS, HANDOUTS = "cast", "sessions", "handouts"
FOLDERS = (CAST, "groups", SESSIONS, HANDOUTS, "pictures")
KEYS = ("title", "system", "paper", "printer")
TOML = """\
# What holds for the whole campaign.
[campaign]
title = "{title}"
system = "{system}"
paper = "a4"
"""
LOG = """\
# What happened to whom, and who knows whom; names are those of cast/.
# `sheetgen campaign log NAME WORDS` adds a line.
ties:
# - {who: Ada Marsh, to: Pask Orrin, is: owes a boat to}
log:
# - {date: 2026-11-28, who: Ada Marsh, what: limps since the bridge}
"""
HIGHEST = 3  # folders above a file in which its campaign is looked for


def campaign_at(project: Project, folder: Path) -> Campaign:
    """Return the campaign of a folder; UsageError where there is none."""
    path = folder / FILE
    if not path.is_file():
        shown = project.shown(folder) or "."
        raise UsageError(f"{shown} is no campaign: it has no {FILE} (sheetgen campaign new NAME makes one)")
    return _read(project, path)


def campaign_around(project: Project, path: Path) -> Campaign | None:
    """Return the campaign that a file or folder belongs to: that of the nearest folder above it; None if none does."""
    start = path.resolve() if path.is_dir() else path.resolve().parent
    for folder in (start, *start.parents)[: HIGHEST + 1]:
        if (folder / FILE).is_file() and "campaign" in _tables(project, folder / FILE):
            return _read(project, folder / FILE)
    return None


def _tables(project: Project, path: Path) -> dict[str, Any]:
    shown = project.shown(path)
    try:
        return tomllib.loads(read_file(path, shown).decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError([Problem(Place(shown), f"cannot be read: {error}")]) from None


def _read(project: Project, path: Path) -> Campaign:
    """Return what the file of a campaign says; InputError with every problem in it."""
    table, place = _tables(project, path).get("campaign", {}), Place(project.shown(path))
    if not isinstance(table, dict):
        raise InputError([Problem(place, "campaign is a table: write [campaign] on a line of its own")])
    known = f" (known: {', '.join(KEYS)})"
    problems = [
        Problem(place, f"unknown key {quoted(key)} in campaign{suggestion(key, KEYS) or known}")
        for key in table
        if key not in KEYS
    ]
    problems += [
        Problem(place, f"{key} of campaign is a text in quotes")
        for key, value in table.items()
        if key in KEYS and not isinstance(value, str)
    ]
    if "system" not in table:
        problems.append(Problem(place, 'a campaign names its system (write system = "gamers" under [campaign])'))
    if table.get("paper", SHEET_PAPERS[0]) not in SHEET_PAPERS:
        problems.append(Problem(place, f"paper of campaign is {' or '.join(SHEET_PAPERS)}"))
    if problems:
        raise InputError(problems)
    return Campaign(
        path.parent,
        table.get("title", path.parent.name),
        table["system"],
        table.get("paper", SHEET_PAPERS[0]),
        table.get("printer", ""),
    )


def cast_files(campaign: Campaign) -> tuple[Path, ...]:
    """Return the files of the people of a campaign, by name."""
    folder = campaign.folder / CAST
    return tuple(sorted(each for each in folder.glob("*.y*ml") if each.is_file())) if folder.is_dir() else ()


def session_files(campaign: Campaign) -> tuple[Path, ...]:
    """Return the sessions of a campaign, by name."""
    folder = campaign.folder / SESSIONS
    return tuple(sorted(each for each in folder.glob("*.y*ml") if each.is_file())) if folder.is_dir() else ()


def make_campaign(folder: Path, shown: str, *, title: str, system: str) -> None:
    """Make the folder of a campaign; UsageError if there is something by that name."""
    if folder.exists():
        raise UsageError(f"{shown} is there already, and is left as it is: take another name")
    for name in FOLDERS:
        (folder / name).mkdir(parents=True)
    written = title.replace("\\", "\\\\").replace('"', '\\"')
    write_file(folder / FILE, TOML.format(title=written, system=system).encode(), shown=f"{shown}/{FILE}")
    write_file(folder / "log.yaml", LOG.encode(), shown=f"{shown}/log.yaml")
