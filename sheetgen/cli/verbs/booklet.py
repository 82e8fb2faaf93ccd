"""`sheetgen booklet`: any PDF imposed for folding, cutting or saving paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import parser
from sheetgen.cli.product_verb import add_options, options_from, run_product
from sheetgen.products.booklet import BOOKLET
from sheetgen.workspace.project import project_at

EXAMPLE = """  sheetgen booklet gamers-rulebook-a5.pdf
  sheetgen booklet zine.pdf --fold eight --paper letter -o fold-me.pdf"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the sheets that the words ask for; return the exit code."""
    parse = parser("booklet", "Puts the pages of any PDF on sheets to fold, cut or staple.", EXAMPLE)
    parse.add_argument("file", metavar="FILE.pdf", help="the PDF, ours or anybody's")
    add_options(parse, BOOKLET)
    args = parse.read(words)
    options = options_from(args, BOOKLET.options)
    return run_product(BOOKLET, options, args, project_at(where, environ), lambda project: where / args.file)
