"""`sheetgen booklet`: any PDF imposed for folding, cutting or saving paper."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.results import Teller, deliver, own_targets, refuse_inputs, targets
from sheetgen.cli.words import add_output, parser, whole
from sheetgen.errors import quoted, suggestion
from sheetgen.geometry import PAPERS
from sheetgen.recipes.booklet import FOLDS, SHEET, Wish, imposed
from sheetgen.recipes.project import project_at

EXAMPLE = """  sheetgen booklet gamers-rulebook-a5.pdf
  sheetgen booklet zine.pdf --fold eight --paper letter -o fold-me.pdf"""
MOST_MM = 50.0


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Writes the sheets that the words ask for."""
    parse = parser("booklet", "Puts the pages of any PDF on sheets to fold, cut or staple.", EXAMPLE)
    parse.add_argument("file", metavar="FILE.pdf", help="the PDF, ours or anybody's")
    parse.add_argument("--fold", default="saddle", metavar="HOW", help="; ".join(f"{n}: {s}" for n, s in FOLDS.items()))
    parse.add_argument("--paper", type=_paper, default="a4", metavar="SIZE", help=f"{', '.join(PAPERS)} (default a4)")
    parse.add_argument("--signature", type=whole(1, 50), default=0, metavar="N", help="nest N sheets at a time")
    parse.add_argument("--flip", choices=("short", "long"), default="short", help="the edge your printer turns over")
    parse.add_argument("--creep", type=_length, default=SHEET, metavar="MM", help="thickness of a sheet (default 0.1)")
    parse.add_argument("--margin", type=_length, default=0.0, metavar="MM", help="kept free around all pages")
    parse.add_argument("--marks", action="store_true", help="short dashes at the edges where to fold or cut")
    parse.add_argument("--enlarge", action="store_true", help="fill the place also when pages are smaller")
    add_output(parse, formats=".pdf")
    args = parse.read(words)
    project = project_at(where, environ)
    source = where / args.file
    wanted = targets(args.output, args.to, where, (".pdf",))
    refuse_inputs(wanted, [source])
    teller = Teller(args.quiet, args.json, {"source": args.file}, any(t.path is None for t in wanted))
    wish = Wish(
        fold=args.fold,
        paper=args.paper,
        signature=args.signature,
        flip=args.flip,
        thickness=args.creep,
        margin=args.margin,
        marks=args.marks,
        enlarge=args.enlarge,
    )
    made = imposed(project, source, wish)
    for target in wanted or own_targets(project, f"{source.stem}-{args.fold}", (".pdf",), teller):
        deliver(target, lambda write: write(made.data), inputs=[source])
        if target.path is not None:
            teller.wrote(target.name, f"{made.pages} page{'' if made.pages == 1 else 's'}: {FOLDS[args.fold]}")
    teller.facts["print"] = list(made.advice)
    for line in made.advice:
        teller.say(f"  {line}")
    return teller.finish()


def _paper(text: str) -> str:
    """The name of any paper that is known, for argparse."""
    if text.lower() not in PAPERS:
        near = suggestion(text, PAPERS) or f"; there are {', '.join(PAPERS)}"
        raise ArgumentTypeError(f"unknown paper {quoted(text)}{near}")
    return text.lower()


def _length(text: str) -> float:
    """A length in mm, for argparse."""
    try:
        length = float(text)
    except ValueError:
        length = -1.0
    if not 0 <= length <= MOST_MM:
        raise ArgumentTypeError(f"takes millimetres from 0 to {MOST_MM:g}, not {quoted(text)}")
    return length
