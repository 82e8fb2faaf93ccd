"""`sheetgen preflight`: what a print shop would send back, told before it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_verbosity, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.errors import printable
from sheetgen.geometry import millimetres
from sheetgen.model.printing import ANY_SHOP
from sheetgen.press.preflight import PreflightReport, grouped
from sheetgen.services.preflight import preflight
from sheetgen.workspace.printers import print_shop
from sheetgen.workspace.project import project_at

EXAMPLE = """  sheetgen preflight deck.pdf                       made by sheetgen cards gamers --single -o deck.pdf
  sheetgen preflight order.pdf --for drivethru      made by sheetgen cards gamers --for drivethru -o order.pdf"""
SAY = """Looks a PDF over for a print shop: where it is cut and how much bleed it has (3 mm),
whether there is colour in it, whether its fonts are embedded, its text is 3 mm from the
cut, its pictures are fine enough (300 dots an inch) and its lines and letters large
enough. One line for each finding; exit 1 if there is one."""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print the findings on the file that the words name."""
    parse = parser("preflight", SAY, EXAMPLE)
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
    reporter.facts.update(_facts(args.file, made))
    reporter.failed = bool(made.findings)
    if not args.json:
        for said in grouped(made.findings):
            print(printable(f"{args.file}: {said}"))
    for note in made.notes:
        reporter.say(f"  note: {note}")
    if not made.findings:
        count = f"{made.pages} page{'' if made.pages == 1 else 's'}"
        reporter.say(
            f"{args.file}: {count} of {_size(made)}, ready for {shop.title if args.shop else 'the print shop'}"
        )
    return reporter.finish()


def _facts(name: str, made: PreflightReport) -> dict[str, object]:
    findings = [{"page": each.page, "message": each.message} for each in made.findings]
    return {"file": name, "pages": made.pages, "findings": findings, "notes": list(made.notes)}


def _size(made: PreflightReport) -> str:
    trim = made.trims[0]
    return f"{millimetres(trim.width):.1f} × {millimetres(trim.height):.1f} mm"
