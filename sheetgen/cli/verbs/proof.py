"""`sheetgen proof`: a page to measure a printer by, and what was measured kept under a name."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import argument
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.product_verbs import product_parser, run_product
from sheetgen.content.printing import MOST_SHIFT
from sheetgen.errors import EXIT_OK, UsageError, quoted
from sheetgen.model.printing import Printer, Shift
from sheetgen.products.options import MOST_MM, millimetres
from sheetgen.products.printer_test import PROOF_PRODUCT, profile_words
from sheetgen.workspace.printers import printers, printers_file, remember
from sheetgen.workspace.project import Project, project_at


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the page, store what was measured on it, or list what is stored."""
    parse = product_parser(PROOF_PRODUCT)
    parse.add_argument("--save", metavar="NAME", default="", help="keep the shift and the margin of a printer")
    parse.add_argument("--shift", type=_shift, metavar="X,Y", help="mm to the right and up, as read off the back")
    margin = "what it cannot print on: the smallest frame that is whole"
    parse.add_argument("--margin", type=argument(millimetres(0, MOST_MM)), metavar="MM", help=margin)
    parse.add_argument("--list", action="store_true", help="tell what is kept of all printers")
    args = parse.read(_joined(words))
    project = project_at(where, environ)
    if args.list:
        return _list(project, ConsoleReporter.of(args))
    if args.save:
        return _save(project, args, ConsoleReporter.of(args))
    if args.shift is not None or args.margin is not None:
        raise UsageError("--shift and --margin are kept for a printer: add --save with a name for it")
    return run_product(PROOF_PRODUCT, args, project, environ)


def _save(project: Project, args: Namespace, reporter: ConsoleReporter) -> int:
    if args.output or args.printer:
        raise UsageError("--save prints nothing: leave out --output and --printer")
    if args.shift is None and args.margin is None:
        raise UsageError("--save needs --shift X,Y or --margin MM, or both: they are read off the proof page")
    # What was read on a page turned over the short edge is kept as it is over the long one.
    shift = None if args.shift is None else Printer("", args.shift).moves(args.flip)
    kept = remember(project, args.save, shift=shift, margin=args.margin)
    reporter.facts.update({"printer": kept.name, "shift": list(kept.shift), "margin": kept.margin})
    reporter.say(f"{printers_file(project)}: {kept.name}: {profile_words(kept)}")
    return reporter.finish()


def _list(project: Project, reporter: ConsoleReporter) -> int:
    known = printers(project)
    reporter.facts["printers"] = {
        each.name: {"shift": list(each.shift), "margin": each.margin} for each in known.values()
    }
    for each in known.values():
        reporter.say(f"{each.name}: {profile_words(each)}")
    if not known:
        reporter.say("no printer is known yet: print the page of sheetgen proof, and read it")
    return reporter.finish() or EXIT_OK


def _joined(words: Sequence[str]) -> list[str]:
    """Return the words, with a shift that begins with a minus tied to its option, not taken for an option itself."""
    tied: list[str] = []
    for word in words:
        if tied and tied[-1] == "--shift" and word[:1] in ("-", "−") and word[1:2] in tuple(".0123456789"):
            tied[-1] = f"--shift={word}"
        else:
            tied.append(word)
    return tied


def _shift(text: str) -> Shift:
    """Return two lengths in mm, for argparse; a printed minus will do."""
    plain = text.replace("−", "-").replace("+", "").split(",")
    if len(plain) != 2:
        raise ArgumentTypeError(f"takes two lengths in mm, to the right and up, such as 0.8,-1.2, not {quoted(text)}")
    read = argument(millimetres(-MOST_SHIFT, MOST_SHIFT))
    # Nobody reads more than tenths, and nothing finer is worth keeping.
    return round(read(plain[0].strip()), 2), round(read(plain[1].strip()), 2)
