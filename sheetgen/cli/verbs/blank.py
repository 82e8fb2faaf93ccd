"""`sheetgen blank`: an empty sheet for pencil, or for a PDF reader."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from sheetgen.cli.options import SHEET_FREE, add_free, add_output, add_paper, add_toning, check_free, parser, tone_of
from sheetgen.cli.outputs import Reporter
from sheetgen.cli.print_options import add_flip, add_printer, printer_of
from sheetgen.errors import UsageError
from sheetgen.products.back_offset import shifted
from sheetgen.products.sheet import blank_sheet, telling_name
from sheetgen.workspace.packs import Pack, open_pack, sources
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.targets import Target, deliver, own_targets, refuse_inputs, targets
from sheetgen.workspace.write import Write

EXAMPLE = """  sheetgen blank gamers --paper letter
  sheetgen blank gamers --fillable -o form.pdf"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Writes the empty sheet that the words ask for."""
    parse = parser("blank", "Prints an empty character sheet, front and back.", EXAMPLE)
    parse.add_argument("system", help="a system, or the folder of a pack")
    parse.add_argument("--fillable", action="store_true", help="a form to fill in a PDF reader")
    add_toning(parse)
    add_free(parse)
    add_flip(parse)
    add_printer(parse)
    add_paper(parse)
    add_output(parse, formats=".pdf or .html")
    args = parse.read(words)
    check_free(args, SHEET_FREE, "a sheet")
    project = project_at(where, environ)
    wanted = targets(args.output, args.to, where, (".pdf", ".html"))
    if args.fillable:
        for target in wanted:
            if target.form != ".pdf":
                raise UsageError(f"{target.name}: --fillable makes a .pdf")
    if (args.printer or args.flip == "short") and (args.fillable or any(target.form != ".pdf" for target in wanted)):
        raise UsageError("--printer and --flip are for a .pdf to print on both sides, and for pencil")
    pack = open_pack(project, args.system).toned(tone_of(args))
    inputs = sources(project, pack)
    refuse_inputs(wanted, inputs)
    reporter = Reporter(args.quiet, args.json, {"system": pack.system.id}, any(t.path is None for t in wanted))
    if not wanted:
        stem = telling_name(pack, "fillable" if args.fillable else "blank", args.paper, "", project.output).name
        wanted = own_targets(project, stem, (".pdf",), reporter.say)
    for target in wanted:
        make = partial(_write, project, pack, args, target)
        deliver(target, make, inputs=inputs)
        if target.path is not None:
            reporter.wrote(
                target.name, "an empty sheet, front and back" + (", for a PDF reader" if args.fillable else "")
            )
    return reporter.finish()


def _write(project: Project, pack: Pack, args: Namespace, target: Target, write: Write) -> None:
    shift = printer_of(args, project).moves(args.flip)
    pieces = list[bytes]()
    blank_sheet(project, pack, pieces.append, form=target.form, paper=args.paper, fillable=args.fillable)
    made = b"".join(pieces)
    write(made if target.form != ".pdf" or args.fillable else shifted(made, shift, flip=args.flip))
