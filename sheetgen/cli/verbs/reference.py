"""`sheetgen reference`: all that a player looks up, on one leaf or in a little book for the pocket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_output, add_paper, add_toning, millimetres, parser, tone_of
from sheetgen.cli.outputs import Reporter
from sheetgen.cli.print_options import add_flip, add_plan, add_printer, deliver_plan, printer_of, refuse_plan
from sheetgen.errors import UsageError
from sheetgen.products.reference import OUTER, Wish, reference
from sheetgen.products.sheet import telling_name
from sheetgen.workspace.packs import open_pack, sources
from sheetgen.workspace.project import project_at
from sheetgen.workspace.targets import deliver, own_targets, refuse_inputs, targets

EXAMPLE = """  sheetgen reference gamers
  sheetgen reference sixshooter --pocket --paper letter
  sheetgen reference genesix -o reference.html"""
LEAST_MARGIN, MOST_MARGIN = 6.4, 15.0


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Writes the reference that the words ask for."""
    parse = parser("reference", "Prints what players look up: a page, two at most, or a little book.", EXAMPLE)
    parse.add_argument("system", help="a system, or the folder of a pack")
    parse.add_argument(
        "--pocket", action="store_true", help="eight little pages on one side of one sheet, to be folded"
    )
    say = f"free around the page (default {OUTER:g}); the little book has its own"
    parse.add_argument("--margin", type=millimetres(LEAST_MARGIN, MOST_MARGIN), default=None, metavar="MM", help=say)
    add_flip(parse)
    add_printer(parse)
    add_plan(parse)
    add_paper(parse)
    add_toning(parse)
    add_output(parse, formats=".pdf or .html")
    args = parse.read(words)
    project = project_at(where, environ)
    wanted = targets(args.output, args.to, where, (".pdf", ".html"))
    if args.pocket and (args.margin is not None or any(target.form != ".pdf" for target in wanted)):
        raise UsageError("--pocket makes a .pdf, and keeps its own margin to the folds")
    if args.pocket and (args.printer or args.flip == "short"):
        raise UsageError("--printer and --flip are for two sides: the little book is printed on one")
    if args.plan and not args.pocket:
        raise UsageError("--plan shows how the little book is folded: it goes with --pocket")
    refuse_plan(args, wanted)
    pack = open_pack(project, args.system).toned(tone_of(args))
    inputs = sources(project, pack)
    refuse_inputs(wanted, inputs)
    reporter = Reporter(args.quiet, args.json, {"system": pack.system.id}, any(t.path is None for t in wanted))
    shift = printer_of(args, project).moves(args.flip)
    wish = Wish(pocket=args.pocket, paper=args.paper, margin=args.margin, flip=args.flip, shift=shift)
    if not wanted:
        stem = telling_name(pack, "pocket" if args.pocket else "reference", args.paper, "", project.output).name
        wanted = own_targets(project, stem, (".pdf",), reporter.say)
    for target in wanted:
        made = deliver(
            target,
            lambda write, form=target.form: reference(project, pack, write, form=form, wish=wish),  # type: ignore[misc]
            inputs=inputs,
        )
        if target.path is not None:
            pages = f"{made.pages} page{'' if made.pages == 1 else 's'}"
            reporter.wrote(target.name, f"the quick reference of {pack.system.title}, {pages}")
        if made.job is not None:
            deliver_plan(project, args, target, made.job, title=f"{pack.system.title}: pocket book", reporter=reporter)
        reporter.facts["print"] = list(made.advice)
        for line in made.advice:
            reporter.say(f"  {line}")
    return reporter.finish()
