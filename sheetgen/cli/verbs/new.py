"""`sheetgen new`: a pack of one's own to begin with, whole or as a variant of another."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import OUTPUT, add_verbosity, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.errors import UsageError
from sheetgen.workspace.packs import open_pack, sources
from sheetgen.workspace.project import Project, is_path, project_at
from sheetgen.workspace.scaffold import Files, checked_name, starter, variant, write_folder
from sheetgen.workspace.targets import STDOUT
from sheetgen.workspace.write import refuse_input

PACKS = "content"
EXAMPLE = """  sheetgen new mist
  sheetgen new my-gamers --from gamers
  sheetgen new fog -o drafts/fog"""
TRY_STARTER = ("check {}", "npc {} -n 3", "play {} attempt target=10 bonus=3")
TRY_VARIANT = ("check {}", "npc {} -n 3", "blank {}")


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the pack that the words ask for, and says what to try next."""
    parse = parser("new", "Starts a pack of your own: a small game that works at once, or a variant of one.", EXAMPLE)
    parse.add_argument("name", help="what it is called: small letters, digits and hyphens")
    parse.add_argument("--from", dest="parent", metavar="SYSTEM", default="", help="start a variant of this system")
    parse.add_argument(*OUTPUT, metavar="FOLDER", default="", help=f"the folder to make (default {PACKS}/NAME)")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    name = checked_name(project, args.name)
    if args.output == STDOUT:
        raise UsageError("a pack is a folder, and standard output can take none: give -o FOLDER")
    shown = args.output or f"{PACKS}/{name}"
    folder = where / shown
    what, commands = "a game of your own", TRY_STARTER
    if args.parent:
        pack = open_pack(project, args.parent)
        refuse_input(folder, sources(project, pack), shown=shown)
        files, commands, what = variant(project, name, pack), TRY_VARIANT, f"a variant of {pack.system.title}"
    else:
        files = starter(project, name)
    write_folder(folder, files, shown=shown)
    reporter = ConsoleReporter.of(args, system=name)
    _report_written(
        reporter, shown, what, files, [f"sheetgen {each.format(_word(project, folder))}" for each in commands]
    )
    return reporter.finish()


def _report_written(reporter: ConsoleReporter, shown: str, what: str, files: Files, commands: Sequence[str]) -> None:
    """Print what was written, and what can be done with it."""
    seen = sorted(name for name in files if not name.startswith("."))
    reporter.facts |= {"files": seen, "next": list(commands)}
    reporter.wrote(shown, f"{what} in {len(seen)} files, each with a word on what to change: {', '.join(seen)}")
    reporter.say("try next:")
    for command in commands:
        reporter.say(f"  {command}")
    reporter.say("editors with YAML support complete and explain every key: .schema/ tells them how")


def _word(project: Project, folder: Path) -> str:
    """Return the name of a pack where commands look for it, else its path."""
    if folder.parent == project.where / PACKS and not is_path(folder.name):
        return shlex.quote(folder.name)
    shown = project.shown(folder)
    return shlex.quote(shown if is_path(shown) else f"./{shown}")
