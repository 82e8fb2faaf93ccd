"""`sheetgen preflight` and `proof`: what a print shop would send back, and what your own printer does to a page."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_verbosity, argument, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.product_verbs import product_parser, run_product
from sheetgen.content.printing import MOST_SHIFT
from sheetgen.errors import EXIT_OK, UsageError, printable, quoted
from sheetgen.model.printing import ANY_SHOP, Printer, Shift
from sheetgen.press.preflight import PreflightReport, grouped, size_in_mm
from sheetgen.products.options import MOST_MM, millimetres
from sheetgen.products.printer_test import PROOF_PRODUCT, profile_words
from sheetgen.services.preflight import preflight
from sheetgen.workspace.printers import print_shop, printers, printers_file, remember
from sheetgen.workspace.project import Project, project_at

PREFLIGHT_EXAMPLE = """\
  sheetgen preflight deck.pdf                       made by sheetgen cards gamers --single -o deck.pdf
  sheetgen preflight order.pdf --for drivethru      made by sheetgen cards gamers --for drivethru -o order.pdf"""
PREFLIGHT_SAY = """Looks a PDF over for a print shop: where it is cut and how much bleed it has (3 mm),
whether there is colour in it, whether its fonts are embedded, its text is 3 mm from the
cut, its pictures are fine enough (300 dots an inch) and its lines and letters large
enough. One line for each finding; exit 1 if there is one."""


def run_preflight(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print the findings on the file that the words name."""
    parse = parser("preflight", PREFLIGHT_SAY, PREFLIGHT_EXAMPLE)
    parse.add_argument("file", metavar="FILE.pdf", help="the PDF, ours or anybody's")
    parse.add_argument(
        "--for",
        dest="shop",
        metavar="SHOP",
        default="",
        help="as this shop asks: drivethru, mpc, gamecrafter, shop (any other), or your own of shops/NAME.yaml",
    )
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    shop = print_shop(project, args.shop) if args.shop else ANY_SHOP
    made = preflight(project, where / args.file, shop)
    reporter = ConsoleReporter.of(args)
    reporter.facts.update(_preflight_facts(args.file, made))
    reporter.failed = bool(made.findings)
    if not args.json:
        for said in grouped(made.findings):
            print(printable(f"{args.file}: {said}"))
    for note in made.notes:
        reporter.say(f"  note: {note}")
    if not made.findings:
        count = f"{made.pages} page{'' if made.pages == 1 else 's'}"
        ready_for = shop.title if args.shop else "the print shop"
        reporter.say(f"{args.file}: {count} of {size_in_mm(made.trims[0])}, ready for {ready_for}")
    return reporter.finish()


def _preflight_facts(name: str, made: PreflightReport) -> dict[str, object]:
    findings = [{"page": each.page, "message": each.message} for each in made.findings]
    return {"file": name, "pages": made.pages, "findings": findings, "notes": list(made.notes)}


def run_proof(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
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
        return _list_printers(project, ConsoleReporter.of(args))
    if args.save:
        return _save_printer(project, args, ConsoleReporter.of(args))
    if args.shift is not None or args.margin is not None:
        raise UsageError("--shift and --margin are kept for a printer: add --save with a name for it")
    return run_product(PROOF_PRODUCT, args, project, environ)


def _save_printer(project: Project, args: Namespace, reporter: ConsoleReporter) -> int:
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


def _list_printers(project: Project, reporter: ConsoleReporter) -> int:
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
