"""`sheetgen preflight`: what a print shop would send back, told before it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_verbosity, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.errors import printable
from sheetgen.geometry import millimetres
from sheetgen.press.preflight import PreflightReport
from sheetgen.services.preflight import preflight
from sheetgen.workspace.project import project_at

EXAMPLE = """  sheetgen preflight deck.pdf      (such as sheetgen cards gamers --single -o deck.pdf makes)"""
SAY = """Looks a PDF over for a print shop: where it is cut and how much bleed it has (3 mm),
whether its fonts are embedded, its text is 3 mm from the cut and its pictures are fine
enough (300 dots an inch). One line for each finding; exit 1 if there is one."""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print the findings on the file that the words name."""
    parse = parser("preflight", SAY, EXAMPLE)
    parse.add_argument("file", metavar="FILE.pdf", help="the PDF, ours or anybody's")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    made = preflight(project, where / args.file)
    reporter = ConsoleReporter.of(args)
    reporter.facts.update(_facts(args.file, made))
    reporter.failed = bool(made.findings)
    if not args.json:
        for finding in made.findings:
            page = f"page {finding.page}: " if finding.page else ""
            print(printable(f"{args.file}: {page}{finding.message}"))
    for note in made.notes:
        reporter.say(f"  note: {note}")
    if not made.findings:
        count = f"{made.pages} page{'' if made.pages == 1 else 's'}"
        reporter.say(f"{args.file}: {count} of {_size(made)}, ready for the print shop")
    return reporter.finish()


def _facts(name: str, made: PreflightReport) -> dict[str, object]:
    findings = [{"page": each.page, "message": each.message} for each in made.findings]
    return {"file": name, "pages": made.pages, "findings": findings, "notes": list(made.notes)}


def _size(made: PreflightReport) -> str:
    trim = made.trims[0]
    return f"{millimetres(trim.width):.1f} × {millimetres(trim.height):.1f} mm"
