"""The options of everything that is printed to be cut or folded, and what they come to."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Collection, Iterable
from pathlib import Path

from sheetgen.cli.options import millimetres, one_of_papers
from sheetgen.cli.outputs import Reporter
from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS
from sheetgen.model.print_job import Job
from sheetgen.model.printer import Printer
from sheetgen.press.layouts import PRINTER_MARGIN
from sheetgen.products.card_sheets import BACKS, Cutting
from sheetgen.products.print_plan import print_plan
from sheetgen.workspace.printer_profiles import printer
from sheetgen.workspace.project import Project
from sheetgen.workspace.targets import Target, deliver, own_targets, refuse_inputs

MOST_MM = 50.0


def add_press(parse: ArgumentParser, *, backs: str = "duplex") -> None:
    """The options of cards: the paper, their backs, bleed and marks, and what the printer cannot do."""
    paper = one_of_papers(PAPERS, "there are")
    parse.add_argument("--paper", type=paper, default="a4", metavar="SIZE", help=f"{', '.join(PAPERS)} (default a4)")
    say = "; ".join(f"{name}: {what}" for name, what in BACKS.items())
    parse.add_argument("--backs", choices=tuple(BACKS), default=backs, help=f"{say} (default {backs})")
    parse.add_argument(
        "--bleed", action="store_true", help="cards stand apart, each with 3 mm to be cut away around it"
    )
    parse.add_argument("--marks", action=BooleanOptionalAction, default=True, help="where to cut and fold, and a ruler")
    add_flip(parse)
    add_margin(parse)
    add_printer(parse)
    add_plan(parse)


def add_flip(parse: ArgumentParser) -> None:
    """The edge over which the printer turns the paper."""
    parse.add_argument("--flip", choices=("long", "short"), default="long", help="the edge your printer turns over")


def add_margin(parse: ArgumentParser) -> None:
    """What the printer leaves white."""
    say = f"what your printer cannot print on (default {PRINTER_MARGIN:g}, or as --printer knows it)"
    parse.add_argument("--margin", type=millimetres(0, MOST_MM), default=None, metavar="MM", help=say)


def add_printer(parse: ArgumentParser) -> None:
    """The printer whose backs are to be set right."""
    say = "shift backs as this printer needs it; sheetgen proof measures and keeps that"
    parse.add_argument("--printer", default="", metavar="NAME", help=say)


def add_plan(parse: ArgumentParser) -> None:
    """The page that says how to print, fold and cut."""
    say = "also make a page, NAME-plan.pdf, that shows how to print, fold and cut"
    parse.add_argument("--plan", action="store_true", help=say)


def refuse_plan(args: Namespace, wanted: Iterable[Target], inputs: Collection[Path] = ()) -> None:
    """UsageError, before anything is made, if a plan is wanted of what has no name, or would be put on an input."""
    for target in wanted if args.plan else ():
        if target.path is None:
            raise UsageError("--plan is a file beside the result: give -o a name")
        refuse_inputs([_beside(target.name, target.path)], inputs)


def deliver_plan(
    project: Project, args: Namespace, target: Target, job: Job, *, title: str, reporter: Reporter
) -> None:
    """Writes the plan of a job beside its result, if the words ask for it."""
    if not args.plan or target.path is None:
        return
    named = _beside(target.name, target.path)
    if target.kept is not None:
        (named,) = own_targets(project, Path(named.name).stem, (".pdf",), reporter.say)
    deliver(named, lambda write: write(print_plan(project, job, title=title)), inputs=[target.path])
    reporter.wrote(named.name, "how to print and make it")


def _beside(name: str, path: Path) -> Target:
    """The plan of a result, by its name and where it is."""
    plan = path.with_name(f"{path.stem}-plan.pdf")
    return Target(str(Path(name).with_name(plan.name)), plan, ".pdf")


def printer_of(args: Namespace, project: Project) -> Printer:
    """The printer that the words name, or one of which nothing is known; UsageError for an unknown name."""
    return printer(project, args.printer) if args.printer else Printer("")


def cutting_of(args: Namespace, project: Project) -> Cutting:
    """How cards are put on paper, as the words and the printer's profile say; UsageError for an unknown printer."""
    known = printer_of(args, project)
    margin = known.margin if args.margin is None else args.margin
    return Cutting(
        paper=args.paper,
        backs=args.backs,
        flip=args.flip,
        bleed=args.bleed,
        margin=PRINTER_MARGIN if margin is None else margin,
        marks=args.marks,
        shift=known.moves(args.flip),
    )
