"""`sheetgen fill`: anybody's fillable PDF, filled in for characters in a file."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sheetgen.cli.form_output import add_fonts, font_files, fonts_of
from sheetgen.cli.options import add_output, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.errors import UsageError
from sheetgen.people.character_files import read_party
from sheetgen.products.filled_form import (
    FillPlan,
    FormJob,
    fill_forms,
    names_of_fields,
    people_of,
    plan_of,
    read_form,
    starter_map,
)
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.targets import STDOUT, Target, refuse_inputs, targets, write_target

EXAMPLE = """  sheetgen fill sheet.pdf heroes.yaml
  sheetgen fill sheet.pdf heroes.yaml --map-out sheet-map.yaml
  sheetgen fill sheet.pdf heroes.yaml --map sheet-map.yaml --flat -o heroes.pdf"""
SAY = """Fills in a fillable PDF, ours or anybody's, for the characters of a file.
Fields are matched with values by their names; where that does not do, --map-out
writes a map of the form to edit, and --map fills in by it."""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the forms that the words ask for."""
    args = _read(words)
    project, path = project_at(where, environ), where / args.form
    if args.names:
        return _name_fields(project, path, args)
    inputs = (path, where / args.people, *([where / args.map] if args.map else []), *font_files(where, args))
    party = read_party(project, where / args.people)
    system, people = party.pack.system, people_of(party)
    wanted = _targets(args, where, len(people))
    refuse_inputs(wanted, inputs)
    form = read_form(project, path)
    plan = plan_of(project, path, form, system=system, people=people, by=where / args.map if args.map else None)
    plan = replace(plan, fonts=fonts_of(project, args))
    job = FormJob(project, plan, people, wanted, f"{Path(args.people).stem}-{path.stem}", inputs)
    if args.list or args.map_out:
        return _write_map(job, args, starter_map(plan, system, people, people_named=args.people))
    reporter = ConsoleReporter(args.quiet, args.json, {"form": args.form, "system": system.id}, args.output == [STDOUT])
    reporter.note(map(str, party.notes), "noted")
    fill_forms(job, reporter, flat=args.flat)
    return reporter.finish()


def _read(words: Sequence[str]) -> Namespace:
    parse = parser("fill", SAY, EXAMPLE)
    parse.add_argument("form", metavar="FORM.pdf", help="a PDF with fields to fill in")
    parse.add_argument("people", metavar="CHARACTERS", nargs="?", default="", help="a file of characters of one system")
    parse.add_argument("--map", default="", metavar="FILE", help="YAML that says which value goes into which field")
    parse.add_argument("--map-out", default="", metavar="FILE", help="write such a map to begin with, and nothing else")
    parse.add_argument("--list", action="store_true", help="print such a map, and make nothing")
    parse.add_argument(
        "--names", action="store_true", help="a copy with the name of each field in its place, to see which is which"
    )
    parse.add_argument("--flat", action="store_true", help="print the values into the pages: one file, no fields")
    add_fonts(parse)
    add_output(parse, formats=".pdf, or a folder for several forms")
    args = parse.read(words)
    if not args.people and not args.names:
        raise UsageError("sheetgen fill: which CHARACTERS? (only --names goes without); sheetgen fill --help explains")
    if args.names and (args.people or args.map or args.list or args.map_out or args.flat):
        raise UsageError("--names fills fields with their names: it goes with the form alone")
    if (args.list or args.map_out) and (args.output or args.flat):
        raise UsageError("--list and --map-out tell of a form and fill in none: leave out -o and --flat")
    if len(args.output) > 1:
        raise UsageError("sheetgen fill takes one -o: a file, or a folder for several forms")
    return args


def _targets(args: Namespace, where: Path, count: int) -> tuple[Target, ...]:
    """Return the file or folder that is named; UsageError if it cannot take so many forms."""
    if not args.output:
        return targets((), args.to, where, (".pdf",))
    (name,) = args.output
    one = args.flat or count == 1
    if name != STDOUT and Path(name).suffix.lower() != ".pdf" and not (one and Path(name).suffix):
        return (Target(name, where / name, ""),)
    if not one:
        what = "standard output" if name == STDOUT else name
        raise UsageError(f"{what} takes one form, and {count} are one file each: name a folder, or say --flat")
    return targets(args.output, args.to or ("pdf" if name == STDOUT else ""), where, (".pdf",))


def _write_map(job: FormJob, args: Namespace, text: str) -> int:
    """Print the map, or writes it where there is no file yet: a map that was edited is not lost so easily."""
    reporter = ConsoleReporter(args.quiet, args.json, {"form": args.form})
    if args.list:
        print(text, end="")
    if args.map_out:
        path = job.project.where / args.map_out
        if path.exists():
            raise UsageError(f"{args.map_out} is there already: give the map another name")
        target = Target(args.map_out, path, ".yaml")
        write_target(target, lambda write: write(text.encode()), inputs=job.inputs)
        reporter.wrote(args.map_out, f"a map of {args.form}: edit it, then say --map {args.map_out}")
    return reporter.finish() if args.map_out else 0


def _name_fields(project: Project, path: Path, args: Namespace) -> int:
    """Write a flat copy of the form that shows the name of each field in its place."""
    reporter = ConsoleReporter(args.quiet, args.json, {"form": args.form}, args.output == [STDOUT])
    wanted = _targets(args, project.where, 1)
    refuse_inputs(wanted, [path])
    form = read_form(project, path)
    data = names_of_fields(project, path, form)
    job = FormJob(project, FillPlan(path, project.shown(path), form, {}), (), wanted, "", (path,))
    target = job.target(f"{path.stem}-names", f"{path.stem}-names", reporter)
    write_target(target, lambda write: write(data), inputs=job.inputs)
    if target.path is not None:
        reporter.wrote(target.name, f"{len(form.blanks)} fields by name; of boxes to tick the end of it, in red")
    return reporter.finish()
