"""`sheetgen printed`, `diff`, `open`: what was printed or made before, what changed in it since, and a look at it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from sheetgen.cli.options import add_verbosity, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.product_verbs import CHANGED, mark_printed, options_from, product_parser, write_changed
from sheetgen.errors import (
    EXIT_OK,
    InputError,
    OutputError,
    Place,
    Problem,
    SheetgenError,
    UsageError,
    printable,
    quoted,
)
from sheetgen.products.finished.comparison import compare
from sheetgen.products.finished.diff import DIFF, DiffOptions
from sheetgen.products.product import produce
from sheetgen.workspace.printed import all_printed, forget_printed
from sheetgen.workspace.project import Project, project_at

PRINTED_SAY = """Keeps a file as you have printed it, so that later on only what differs has to be
printed: sheetgen cards gamers --changed makes the deck again, and beside it a file with
the cards that changed, and what to do with them. Without a file, everything that you
have printed is listed, with what changed since."""
PRINTED_EXAMPLE = """  sheetgen printed output/gamers-cards.pdf               I have printed this
  sheetgen cards gamers --changed                        later: only what differs, with an order sheet
  sheetgen printed output/gamers-cards.pdf --changed     the same for a file that is there already
  sheetgen printed                                       what was printed, and what changed since"""


def run_printed(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Keep files as printed, print what changed of them, forget them, or list what was printed."""
    parse = parser("printed", PRINTED_SAY, PRINTED_EXAMPLE)
    parse.add_argument("files", nargs="*", metavar="FILE.pdf", help="what you have printed (default: list all of it)")
    does = parse.add_mutually_exclusive_group()
    does.add_argument("--changed", action="store_true", help=CHANGED)
    does.add_argument("--forget", action="store_true", help="do not keep it any longer")
    parse.add_argument("--moved", action="store_true", help="with --changed: pages that only have another number, too")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    reporter = ConsoleReporter.of(args)
    if not args.files:
        if args.changed or args.forget:
            raise UsageError("printed: name the file")
        _list(project, reporter)
    for name in args.files:
        path = where / name
        if args.changed:
            write_changed(project, path, reporter, moved=args.moved)
        elif args.forget:
            if not forget_printed(project, path):
                raise UsageError(f"{quoted(name)} was not marked as printed; sheetgen printed lists what was")
            reporter.say(f"{name}: forgotten")
        else:
            mark_printed(project, path, reporter, date.today().isoformat())
    return reporter.finish()


def _list(project: Project, reporter: ConsoleReporter) -> None:
    """Tell of everything that was printed here."""
    rows = list[dict[str, str]]()
    for path, each in all_printed(project):
        shown = project.shown(path)
        try:
            since = compare(each.copy, path, shown=(shown, shown)).summary() if path.is_file() else "not there any more"
        except SheetgenError as error:
            since = str(error)
        rows.append({"file": shown, "printed": each.date, "since": since})
        reporter.say(f"{shown}: printed {each.date}; since then: {since}")
    reporter.facts["printed"] = rows
    if not rows:
        reporter.say("nothing was marked as printed yet: sheetgen printed FILE.pdf does")


def run_diff(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print how two results differ, and write the report that -o asks for; return 0 whether they do or not."""
    args = product_parser(DIFF).read(words)
    project = project_at(where, environ)
    options = options_from(args, DiffOptions)
    wanted = DIFF.read_targets(options, args.output, args.to, where)
    two = DIFF.open(project, (args.old, args.new), options)
    reporter = ConsoleReporter.of(args, to_stderr=any(target.is_stdout for target in wanted))
    comparison = two.comparison
    told = tuple(comparison.told())
    reporter.facts.update(same=comparison.same, summary=comparison.summary(), differences=list(told))
    reporter.say(f"{args.new}: {comparison.summary()}")
    for line in told:
        reporter.say(f"  {line}")
    if wanted and not comparison.same:
        produce(DIFF, project, two, options, wanted=wanted, reporter=reporter)
    return reporter.finish()


OPEN_EXAMPLE = """  sheetgen open                      the newest result in output/
  sheetgen open output/toll.pdf"""
SHOWN = (".pdf", ".html", ".epub", ".svg", ".png", ".zip")  # what a viewer shows, and nothing that could be run
VIEWERS = ("xdg-open", "open")


def run_open(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Show a file in the viewer of the system; return 0 once that was asked to."""
    parse = parser(
        "open", "Shows a result in the viewer of your system: the newest, or the one you name.", OPEN_EXAMPLE
    )
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
