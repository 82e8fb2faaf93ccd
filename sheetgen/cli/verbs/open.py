"""`sheetgen open`: a result in the viewer of the system; without a name the newest one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_verbosity, parser
from sheetgen.errors import EXIT_OK, InputError, OutputError, Place, Problem, UsageError, printable, quoted
from sheetgen.workspace.project import project_at

EXAMPLE = """  sheetgen open                      the newest result in output/
  sheetgen open output/toll.pdf"""
SHOWN = (".pdf", ".html", ".epub", ".svg", ".png", ".zip")  # what a viewer shows, and nothing that could be run
VIEWERS = ("xdg-open", "open")


def run_open(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Show a file in the viewer of the system; return 0 once that was asked to."""
    parse = parser("open", "Shows a result in the viewer of your system: the newest, or the one you name.", EXAMPLE)
    parse.add_argument("file", nargs="?", default="", metavar="FILE", help="what to show (default: the newest result)")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    path = where / args.file if args.file else newest(project.output)
    shown = project.shown(path)
    if path.suffix.lower() not in SHOWN:
        raise UsageError(f"{quoted(shown)} is no result that can be shown ({', '.join(SHOWN)})")
    if not path.is_file():
        raise InputError([Problem(Place(shown), "no such file")])
    show(path)
    if not args.quiet:
        print(printable(shown))
    return EXIT_OK


def newest(folder: Path) -> Path:
    """Return the newest result in a folder; UsageError if there is none."""
    found = [each for each in folder.rglob("*") if each.suffix.lower() in SHOWN and each.is_file()]
    if not found:
        raise UsageError("there is no result in output/ yet: name a file")
    return max(found, key=lambda each: (each.stat().st_mtime_ns, each.name))


def show(path: Path) -> None:
    """Ask the system to show a file; OutputError where nothing is there that would."""
    if sys.platform == "win32":
        os.startfile(path)
        return
    viewer = next((found for name in VIEWERS if (found := shutil.which(name))), None)
    if viewer is None:
        raise OutputError("no viewer was found (xdg-open on Linux, open on macOS): open the file yourself")
    subprocess.Popen(
        [viewer, str(path.resolve())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
