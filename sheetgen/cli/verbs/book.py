"""`sheetgen book`: the rulebook of a system, printed or as one web page."""

from __future__ import annotations

from argparse import BooleanOptionalAction, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from sheetgen.cli.options import add_free, add_output, add_toning, check_free, one_of_papers, parser, tone_of
from sheetgen.cli.outputs import Reporter
from sheetgen.cli.print_options import add_plan, add_printer, deliver_plan, printer_of, refuse_plan
from sheetgen.errors import UsageError
from sheetgen.geometry import SHEET_PAPERS
from sheetgen.products.book import LEAVES, book
from sheetgen.products.booklet import Imposed, Wish, book_as_booklet
from sheetgen.products.sheet import telling_name
from sheetgen.workspace.packs import Pack, open_pack, sources
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.targets import Target, deliver, own_targets, refuse_inputs, targets
from sheetgen.workspace.write import Write

EXAMPLE = """  sheetgen book gamers --paper a5
  sheetgen book tsgs -o rules.pdf -o rules.html
  sheetgen book diecodes --booklet --paper letter"""
FORMATS = (".pdf", ".html")
FREE = {"a4": 14.0, "letter": 14.0, "a5": 7.0}  # mm at the edges of the paper, also when two are set on one side


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Writes the rulebook that the words ask for."""
    parse = parser("book", "Prints the rulebook of a system, with contents, page references and an index.", EXAMPLE)
    parse.add_argument("system", help="a system, or the folder of a pack")
    paper = one_of_papers(LEAVES, "books are made for")
    parse.add_argument("--paper", type=paper, default="a4", metavar="SIZE", help=f"{', '.join(LEAVES)} (default a4)")
    parse.add_argument("--booklet", action="store_true", help="pages of A5, two to a side, to be folded and stapled")
    add_toning(parse)
    add_free(parse)
    parse.add_argument("--flip", choices=("short", "long"), help="the edge your printer turns over (default short)")
    marks = "booklets: short dashes at the edges where to fold"
    parse.add_argument("--marks", action=BooleanOptionalAction, default=False, help=marks)
    add_printer(parse)
    add_plan(parse)
    add_output(parse, formats=".pdf or .html")
    args = parse.read(words)
    check_free(args, FREE["a5"] if args.booklet else FREE[args.paper], "a booklet" if args.booklet else "a book")
    project = project_at(where, environ)
    wanted = targets(args.output, args.to, where, FORMATS)
    if args.booklet and (args.paper not in SHEET_PAPERS or any(target.form != ".pdf" for target in wanted)):
        raise UsageError(f"--booklet makes a .pdf on --paper {' or '.join(SHEET_PAPERS)}")
    if (args.plan or args.printer or args.flip or args.marks) and not args.booklet:
        words = "--plan, --printer, --flip and --marks"
        raise UsageError(f"{words} go with --booklet: the pages of a book are printed as they are")
    refuse_plan(args, wanted)
    pack = open_pack(project, args.system).toned(tone_of(args))
    inputs = sources(project, pack)
    refuse_inputs(wanted, inputs)
    reporter = Reporter(args.quiet, args.json, {"system": pack.system.id}, any(t.path is None for t in wanted))
    if not wanted:
        stem = telling_name(pack, "booklet" if args.booklet else "rulebook", args.paper, "", project.output).name
        wanted = own_targets(project, stem, (".pdf",), reporter.say)
    for target in wanted:
        made = deliver(target, partial(_write, project, pack, args, target), inputs=inputs)
        if target.path is not None:
            reporter.wrote(target.name, f"the rules of {pack.system.title}")
        if made is not None:
            deliver_plan(project, args, target, made.job, title=pack.system.title, reporter=reporter)
            for line in made.advice:
                reporter.say(f"  {line}")
    return reporter.finish()


def _write(project: Project, pack: Pack, args: Namespace, target: Target, write: Write) -> Imposed | None:
    """Writes the book; a booklet tells what is done with it at the printer."""
    if args.booklet:
        wish = Wish(paper=args.paper, flip=args.flip, marks=args.marks)
        shift = printer_of(args, project).moves(wish.turned)
        return book_as_booklet(project, pack, write, replace(wish, shift=shift))
    book(project, pack, write, form=target.form, paper=args.paper)
    return None
