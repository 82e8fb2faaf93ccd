"""`sheetgen diff`: how a later result differs from an earlier one, in words; with -o side by side in a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.product_verbs import options_from, product_parser
from sheetgen.products.diff import DIFF, DiffOptions
from sheetgen.products.product import produce
from sheetgen.workspace.project import project_at


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
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
