"""`sheetgen merge`: the shards of one run put together into one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from sheetgen.cli.form_output import font_files, fonts_of
from sheetgen.cli.options import add_output, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.progress import Progress
from sheetgen.products.merge import merge
from sheetgen.workspace.project import project_at
from sheetgen.workspace.targets import own_targets, refuse_inputs, targets, write_target

EXAMPLE = """  sheetgen merge part1.pdf part2.pdf part3.pdf -o everybody.pdf
  where each part was made like this: sheetgen npc gamers -n 9000 --seed 7 --shard 1/3 -o part1.pdf"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Merge the files that the words name."""
    parse = parser("merge", "Puts shards together into what the single run would have given.", EXAMPLE)
    parse.add_argument("files", nargs="+", metavar="SHARD.pdf", help="all shards of one run, in any order")
    parse.add_argument(
        "--font", action="append", default=[], metavar="FILE", help="as the shards were made, in the same order"
    )
    add_output(parse, formats=".pdf")
    args = parse.read(words)
    project = project_at(where, environ)
    shards = [where / name for name in args.files]
    inputs = [*shards, *font_files(where, args)]
    wanted = targets(args.output, args.to, where, (".pdf",))
    refuse_inputs(wanted, inputs)
    fonts = fonts_of(project, args)
    reporter = ConsoleReporter(args.quiet, args.json, {}, any(target.path is None for target in wanted))
    for target in wanted or own_targets(project, "merged", (".pdf",), reporter.say):
        shown = Progress(len(shards), "shards", quiet=args.quiet, as_json=args.json)
        merged = write_target(target, partial(merge, project, shards, fonts=fonts, progress=shown), inputs=inputs)
        if target.path is not None:
            reporter.wrote(target.name, f"{merged.printed:,} of {merged.system}, from {merged.shards} shards")
    return reporter.finish()
