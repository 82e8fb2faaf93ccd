"""`sheetgen build`: everything into output/, only what changed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.batch.pool import cores
from sheetgen.cli.options import add_paper, add_verbosity, add_watch, again_and_again, parser, whole
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.content.packs.house_rules import FILE as HOUSE_FILE
from sheetgen.services.build import build
from sheetgen.workspace.project import Project, project_at

EXAMPLE = "  sheetgen build\n  sheetgen build gamers --paper letter"


def run_build(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Make all products of the systems named, or of all."""
    parse = parser("build", "Makes everything that the packs can make, and only what changed.", EXAMPLE)
    parse.add_argument("systems", nargs="*", metavar="SYSTEM", help="which systems (default: all)")
    add_paper(parse)
    parse.add_argument("--workers", type=whole(1, 64), metavar="N", help="processes at work (default: one a core)")
    parse.add_argument(
        "--cluster", metavar="ADDRESS", default="", help="made by the Dask workers of a scheduler, or local"
    )
    add_verbosity(parse)
    add_watch(parse)
    args = parse.read(words)
    if not args.watch:
        return _built(project_at(where, environ), args)
    project = project_at(where, environ)
    packs = [project.pack_folder(word) for word in args.systems] or [*project.library.packs.values()]
    watched = (*packs, project.templates, where / HOUSE_FILE)
    return again_and_again(lambda: _built(project_at(where, environ), args), lambda: watched)


def _built(project: Project, args: Namespace) -> int:
    """Make everything once; return the exit code."""
    reporter = ConsoleReporter.of(args)
    unchanged = 0
    tell = lambda line: reporter.note([line], "ignored")  # noqa: E731
    words = args.systems or sorted(project.library.packs)
    made = build(project, words, paper=args.paper, workers=args.workers or cores(), cluster=args.cluster, tell=tell)
    for built in made:
        shown = "" if built.path is None else project.shown(built.path)
        if built.error is not None:
            reporter.failed = True
            said = f"{shown}: not made: " if shown else ""
            reporter.note([f"{said}{line}" for line in str(built.error).splitlines()], "skipped")
        elif built.fresh:
            reporter.wrote(shown, "made")
        else:
            unchanged += 1
    reporter.facts["unchanged"] = unchanged
    if unchanged:
        reporter.say(f"{unchanged} unchanged")
    return reporter.finish()
