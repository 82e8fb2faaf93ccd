"""`sheetgen book`: the rulebook of a system, printed or as one web page."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from sheetgen.cli.results import Target, Teller, Write, deliver, own_targets, refuse_inputs, targets
from sheetgen.cli.words import add_output, parser
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.geometry import SHEET_PAPERS
from sheetgen.recipes.book import LEAVES, book
from sheetgen.recipes.booklet import book_as_booklet
from sheetgen.recipes.packs import Pack, open_pack
from sheetgen.recipes.project import Project, project_at
from sheetgen.recipes.sheets import sources, telling_name

EXAMPLE = """  sheetgen book gamers --paper a5
  sheetgen book tsgs -o rules.pdf -o rules.html
  sheetgen book diecodes --booklet --paper letter"""
FORMATS = (".pdf", ".html")


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Writes the rulebook that the words ask for."""
    parse = parser("book", "Prints the rulebook of a system, with contents, page references and an index.", EXAMPLE)
    parse.add_argument("system", help="a system, or the folder of a pack")
    parse.add_argument("--paper", type=_paper, default="a4", metavar="SIZE", help=f"{', '.join(LEAVES)} (default a4)")
    parse.add_argument("--booklet", action="store_true", help="pages of A5, two to a side, to be folded and stapled")
    add_output(parse, formats=".pdf or .html")
    args = parse.read(words)
    project = project_at(where, environ)
    wanted = targets(args.output, args.to, where, FORMATS)
    if args.booklet and (args.paper not in SHEET_PAPERS or any(target.form != ".pdf" for target in wanted)):
        raise UsageError(f"--booklet makes a .pdf on --paper {' or '.join(SHEET_PAPERS)}")
    pack = open_pack(project, args.system)
    inputs = sources(project, pack)
    refuse_inputs(wanted, inputs)
    teller = Teller(args.quiet, args.json, {"system": pack.system.id}, any(t.path is None for t in wanted))
    if not wanted:
        stem = telling_name(pack, "booklet" if args.booklet else "rulebook", args.paper, "", project.output).name
        wanted = own_targets(project, stem, (".pdf",), teller)
    for target in wanted:
        advice = deliver(target, partial(_write, project, pack, args, target), inputs=inputs)
        if target.path is not None:
            teller.wrote(target.name, f"the rules of {pack.system.title}")
        for line in advice:
            teller.say(f"  {line}")
    return teller.finish()


def _paper(text: str) -> str:
    """The name of a paper that a book can be printed on, for argparse."""
    if text.lower() not in LEAVES:
        near = suggestion(text, LEAVES) or f"; books are made for {', '.join(LEAVES)}"
        raise ArgumentTypeError(f"unknown paper {quoted(text)}{near}")
    return text.lower()


def _write(project: Project, pack: Pack, args: Namespace, target: Target, write: Write) -> tuple[str, ...]:
    """Writes the book, and gives what to tell the printer where that matters."""
    if args.booklet:
        return book_as_booklet(project, pack, write, paper=args.paper).advice
    book(project, pack, write, form=target.form, paper=args.paper)
    return ()
