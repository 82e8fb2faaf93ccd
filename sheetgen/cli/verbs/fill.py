"""`sheetgen fill`: anybody's fillable PDF, filled in for characters in a file."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.product_verbs import options_from, product_parser, run_product
from sheetgen.errors import EXIT_OK, UsageError
from sheetgen.products.filled_form import (
    FILL,
    FillOptions,
    FormJob,
    names_of_fields,
    open_form,
    placed,
    read_form,
    starter_map,
)
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.targets import Target, refuse_inputs, write_target


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the forms that the words ask for."""
    args, project = _read(words), project_at(where, environ)
    options = options_from(args, FillOptions)
    if args.names:
        return _name_fields(project, where / args.form, args, options)
    if args.list or args.map_out:
        return _write_map(project, open_form(project, (args.form, args.people), options), args)
    return run_product(FILL, args, project, environ)


def _read(words: Sequence[str]) -> Namespace:
    parse = product_parser(FILL)
    parse.add_argument("--map-out", default="", metavar="FILE", help="write such a map to begin with, and nothing else")
    parse.add_argument("--list", action="store_true", help="print such a map, and make nothing")
    parse.add_argument(
        "--names", action="store_true", help="a copy with the name of each field in its place, to see which is which"
    )
    args = parse.read(words)
    if not args.people and not args.names:
        raise UsageError("sheetgen fill: which CHARACTERS? (only --names goes without); sheetgen fill --help explains")
    if args.names and (args.people or args.map or args.list or args.map_out or args.flat):
        raise UsageError("--names fills fields with their names: it goes with the form alone")
    if (args.list or args.map_out) and (args.output or args.flat):
        raise UsageError("--list and --map-out tell of a form and fill in none: leave out -o and --flat")
    return args


def _write_map(project: Project, job: FormJob, args: Namespace) -> int:
    """Print the map, or write it where there is no file yet: a map that was edited is not lost so easily."""
    text = starter_map(job.plan, job.party.pack.system, job.people, people_named=args.people)
    if args.list:
        print(text, end="")
    if not args.map_out:
        return EXIT_OK
    reporter = ConsoleReporter.of(args, form=args.form)
    path = project.where / args.map_out
    if path.exists():
        raise UsageError(f"{args.map_out} is there already: give the map another name")
    target = Target(args.map_out, path, ".yaml")
    write_target(target, lambda write: write(text.encode()), inputs=job.inputs)
    reporter.wrote(args.map_out, f"a map of {args.form}: edit it, then say --map {args.map_out}")
    return reporter.finish()


def _name_fields(project: Project, path: Path, args: Namespace, options: FillOptions) -> int:
    """Write a flat copy of the form that shows the name of each field in its place."""
    wanted = FILL.read_targets(options, args.output, args.to, project.where)
    reporter = ConsoleReporter.of(args, to_stderr=any(each.is_stdout for each in wanted), form=args.form)
    refuse_inputs(wanted, [path])
    form = read_form(project, path)
    data, own = names_of_fields(project, path, form), f"{path.stem}-names"
    target = placed(project, wanted, own, own, reporter)
    write_target(target, lambda write: write(data), inputs=[path])
    if target.path is not None:
        reporter.wrote(target.name, f"{len(form.blanks)} fields by name; of boxes to tick the end of it, in red")
    return reporter.finish()
