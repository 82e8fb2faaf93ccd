"""`sheetgen check` and `doctor`: what is wrong with packs, files of characters and what printing leans on."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from sheetgen.cli.options import add_verbosity, add_watch, again_and_again, parser
from sheetgen.cli.terminal import GREEN, RED, YELLOW, painted
from sheetgen.errors import EXIT_OK, EXIT_SOME, InputError, Problem, printable
from sheetgen.services.doctor import Diagnosis, examine

if TYPE_CHECKING:
    from sheetgen.workspace.project import Project

CHECK_EXAMPLE = """  sheetgen check
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
    parse = parser(
        "check", "Validates packs and character files: one line a problem, or ok with a count.", CHECK_EXAMPLE
    )
    parse.add_argument("names", nargs="*", metavar="SYSTEM|FOLDER|FILE", help="what to check (default: every pack)")
    parse.add_argument("--examples", metavar="FILE", default="", help="run the worked examples of this file instead")
    add_watch(parse, "check again")
    add_verbosity(parse)
    args = parse.read(words)
    from sheetgen.workspace.project import project_at  # `doctor` lives without what it needs

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
    from sheetgen.services.check import all_pack_names, check, check_file
    from sheetgen.workspace.packs import Pack, id_clash

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


DOCTOR_SIGNS = {"ok": GREEN, "MISSING": RED, "could be": YELLOW}


def run_doctor(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print each finding; the exit code is 1 if something needed is not well."""
    parse = parser("doctor", "Looks at fonts, libraries, versions and cache.", "  sheetgen doctor")
    add_verbosity(parse)
    args = parse.read(words)
    findings = [*examine(where, environ), *_in_the_browser()]
    if args.json:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    for finding in findings:
        sign = "ok" if not finding.mend else "MISSING" if finding.needed else "could be"
        if not args.json and not (args.quiet and sign == "ok"):
            mend = f"  ->  {finding.mend}" if finding.mend else ""
            shown = painted(f"{sign:<8}", DOCTOR_SIGNS[sign], sys.stdout)
            print(shown, printable(f"{finding.what:<18} {finding.state}{mend}"))
    return EXIT_SOME if any(finding.mend and finding.needed for finding in findings) else EXIT_OK


def _in_the_browser() -> Iterator[Diagnosis]:
    """Yield whether the studio has what its pages load, for who has the studio."""
    try:
        from sheetgen.studio.pages import install_hint, missing_packages  # imports Starlette
    except ImportError:
        return
    missing = missing_packages()
    state = f"not there: {len(missing)} libraries from npm, for a livelier studio" if missing else "there"
    yield Diagnosis("studio in browser", state, install_hint() if missing else "", needed=False)
