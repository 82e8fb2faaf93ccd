"""`sheetgen check`: packs and character files, every problem a line, or ok with a count."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_verbosity, add_watch, again_and_again, parser
from sheetgen.errors import EXIT_OK, EXIT_SOME, InputError, Problem, printable
from sheetgen.services.check import all_pack_names, check, check_file
from sheetgen.workspace.packs import Pack, id_clash
from sheetgen.workspace.project import Project, project_at

EXAMPLE = """  sheetgen check
  sheetgen check gamers
  sheetgen check heroes.yaml
  sheetgen check gamers --examples cases.yaml
  sheetgen check ./mist --watch"""


MOST_LINES = 500
MOST_PLACES = 8


def grouped(problems: Iterable[Problem], *, stopped: bool = False) -> list[str]:
    """Return every problem as a line, in file order; the same one in several places of a file is one line.

    A last line tells of those that are left out, and that there may be others if reading was `stopped`.
    """
    places: dict[tuple[str, str, str], list[Problem]] = {}
    for problem in sorted(problems):
        places.setdefault((problem.place.file, problem.message, problem.rule), []).append(problem)
    lines = []
    for first, *others in places.values():
        also = [str(other.place.line) for other in others[:MOST_PLACES]]
        rest = f" and {len(others) - len(also)} more" if len(others) > len(also) else ""
        where = f" (also in line{'s' if len(others) > 1 else ''} {', '.join(also)}{rest})" if others else ""
        lines.append(f"{first}{where}")
    more = [f"and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
    more = more or (["and maybe more: after so many problems, nothing is read further"] if stopped else [])
    return [*lines[:MOST_LINES], *more]


def run_check(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Check what the words name, or every pack in sight."""
    parse = parser("check", "Validates packs and character files: one line a problem, or ok with a count.", EXAMPLE)
    parse.add_argument("names", nargs="*", metavar="SYSTEM|FOLDER|FILE", help="what to check (default: every pack)")
    parse.add_argument("--examples", metavar="FILE", default="", help="run the worked examples of this file instead")
    add_watch(parse, "check again")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    if not args.watch:
        return _checked(project, args)
    watched = [_path(project, name) for name in args.names] or [project.content]
    return again_and_again(lambda: _checked(project_at(where, environ), args), lambda: watched)


def _path(project: Project, name: str) -> Path:
    """Return the file or the folder of a pack that a word of the command line means."""
    path = project.where / name
    return path if path.is_file() else project.pack_folder(name)


def _checked(project: Project, args: Namespace) -> int:
    problems, warnings, packs = list[Problem](), list[Problem](), list[Pack]()
    for name in args.names or all_pack_names(project):
        try:
            checked = check_file(project, name, args.examples) if args.examples else check(project, name)
            if checked.pack is not None:
                if clash := id_clash(project, checked.pack, packs):
                    raise InputError([clash])
                packs.append(checked.pack)
        except InputError as error:
            problems += error.problems
            if not args.json:
                print("\n".join(grouped(error.problems, stopped=error.stopped)), file=sys.stderr)
        else:
            warnings += checked.warnings
            if not args.quiet and not args.json:
                for warning in checked.warnings:
                    print(f"warning: {warning}", file=sys.stderr)
                print(printable(checked.line))
    if args.json:
        _tell_programs(problems, warnings)
    return EXIT_SOME if problems else EXIT_OK


def _tell_programs(problems: Iterable[Problem], warnings: Iterable[Problem]) -> None:
    """Print problems on standard output, an empty list where all is well, and warnings on standard error."""
    if doubtful := [warning.as_data() for warning in warnings]:
        print(json.dumps({"warnings": doubtful}, ensure_ascii=False), file=sys.stderr)
    print(json.dumps([problem.as_data() for problem in problems], ensure_ascii=False))
