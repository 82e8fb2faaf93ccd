"""`sheetgen booklet`: any PDF imposed for folding, cutting or saving paper."""

from __future__ import annotations

from argparse import BooleanOptionalAction
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sheetgen.cli.options import add_output, millimetres, one_of_papers, parser, whole
from sheetgen.cli.outputs import Reporter
from sheetgen.cli.print_options import MOST_MM, add_plan, add_printer, deliver_plan, printer_of, refuse_plan
from sheetgen.geometry import PAPERS
from sheetgen.products.booklet import FOLDS, SHEET, Wish, imposed
from sheetgen.workspace.project import project_at
from sheetgen.workspace.targets import deliver, own_targets, refuse_inputs, targets

EXAMPLE = """  sheetgen booklet gamers-rulebook-a5.pdf
  sheetgen booklet zine.pdf --fold eight --paper letter -o fold-me.pdf"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Writes the sheets that the words ask for."""
    parse = parser("booklet", "Puts the pages of any PDF on sheets to fold, cut or staple.", EXAMPLE)
    parse.add_argument("file", metavar="FILE.pdf", help="the PDF, ours or anybody's")
    parse.add_argument("--fold", default="saddle", metavar="HOW", help="; ".join(f"{n}: {s}" for n, s in FOLDS.items()))
    paper = one_of_papers(PAPERS, "there are")
    parse.add_argument("--paper", type=paper, default="a4", metavar="SIZE", help=f"{', '.join(PAPERS)} (default a4)")
    parse.add_argument("--signature", type=whole(1, 50), default=0, metavar="N", help="nest N sheets at a time")
    flip = "the edge your printer turns over (default short for saddle, long for cut)"
    parse.add_argument("--flip", choices=("short", "long"), help=flip)
    length = millimetres(0, MOST_MM)
    parse.add_argument("--creep", type=length, default=SHEET, metavar="MM", help="thickness of a sheet (default 0.1)")
    parse.add_argument("--margin", type=length, default=0.0, metavar="MM", help="kept free around pages (default 0)")
    marks = "short dashes at the edges where to fold or cut"
    parse.add_argument("--marks", action=BooleanOptionalAction, default=False, help=marks)
    parse.add_argument("--enlarge", action="store_true", help="fill the place also when pages are smaller")
    add_printer(parse)
    add_plan(parse)
    add_output(parse, formats=".pdf")
    args = parse.read(words)
    project = project_at(where, environ)
    source = where / args.file
    wanted = targets(args.output, args.to, where, (".pdf",))
    refuse_inputs(wanted, [source])
    refuse_plan(args, wanted, [source])
    reporter = Reporter(args.quiet, args.json, {"source": args.file}, any(t.path is None for t in wanted))
    wish = Wish(
        fold=args.fold,
        paper=args.paper,
        signature=args.signature,
        flip=args.flip,
        thickness=args.creep,
        margin=args.margin,
        marks=args.marks,
        enlarge=args.enlarge,
    )
    wish = replace(wish, shift=printer_of(args, project).moves(wish.turned))
    made = imposed(project, source, wish)
    for target in wanted or own_targets(project, f"{source.stem}-{args.fold}", (".pdf",), reporter.say):
        deliver(target, lambda write: write(made.data), inputs=[source])
        if target.path is not None:
            reporter.wrote(target.name, f"{made.pages} page{'' if made.pages == 1 else 's'}: {FOLDS[args.fold]}")
        deliver_plan(project, args, target, made.job, title=source.stem, reporter=reporter)
    reporter.facts["print"] = list(made.advice)
    for line in made.advice:
        reporter.say(f"  {line}")
    return reporter.finish()
