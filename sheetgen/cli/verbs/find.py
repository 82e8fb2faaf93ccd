"""`sheetgen find`: who was it that limps? Every line of a campaign that has these words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from sheetgen.cli.options import add_verbosity, parser
from sheetgen.errors import EXIT_OK, EXIT_SOME, printable
from sheetgen.people.campaign_cast import findings
from sheetgen.workspace.campaigns import campaign_at
from sheetgen.workspace.project import project_at

EXAMPLE = """  sheetgen find limps --campaign harbour
  sheetgen find "the blue door" --campaign harbour"""


def run_find(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print every line of a campaign with these words; return 1 if there is none."""
    parse = parser("find", "Finds words in the cast, the log, the sessions and the handouts of a campaign.", EXAMPLE)
    parse.add_argument("words", help="what to look for; capitals do not matter")
    parse.add_argument("--campaign", default=".", metavar="FOLDER", help="its folder (default: this one)")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    found = list(findings(project, campaign_at(project, where / args.campaign), args.words))
    if args.json:
        print(json.dumps([asdict(each) for each in found], ensure_ascii=False))
    elif not args.quiet:
        for each in found:
            who = f"{each.who}: " if each.who and each.who not in each.words else ""
            print(printable(f"{each.file}:{each.line}: {who}{each.words}"))
        if not found:
            print(printable(f"nothing has {args.words!r}"))
    return EXIT_OK if found else EXIT_SOME
