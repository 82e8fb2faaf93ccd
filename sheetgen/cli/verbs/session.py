"""`sheetgen session`: an evening in one PDF; `sheetgen session new` writes a file to begin with."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_verbosity, argument, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.product_verbs import make_product
from sheetgen.dice.source import LARGEST_SEED
from sheetgen.errors import UsageError, quoted
from sheetgen.people.character_files import name_in_files
from sheetgen.products.options import whole_number
from sheetgen.products.session import starter
from sheetgen.workspace.campaigns import campaign_around
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at
from sheetgen.workspace.write import write_file

NEW, UNNAMED, SUFFIXES = "new", "session.yaml", (".yaml", ".yml")
EXAMPLE = """  sheetgen session new toll.yaml --system gamers
  sheetgen session new toll.yaml --system tsgs --title "The toll" --seed 7"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Make the PDF of an evening, or write a file to begin one with; return the exit code."""
    if words[:1] != [NEW]:
        return make_product("session", words, where, environ)
    parse = parser("session new", "Writes a session file that works as it is, with a word on what to change.", EXAMPLE)
    parse.add_argument("file", nargs="?", default=UNNAMED, metavar="FILE", help=f"what to write (default {UNNAMED})")
    parse.add_argument("--system", default="", metavar="SYSTEM", help="a system, or the folder of a pack")
    parse.add_argument("--title", default="", help="what the evening is called")
    parse.add_argument("--seed", type=argument(whole_number(0, LARGEST_SEED)), default=None, metavar="N")
    add_verbosity(parse)
    args = parse.read(words[1:])
    project = project_at(where, environ)
    path = where / args.file
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"a session is a .yaml file: write {quoted(args.file + '.yaml')}")
    if path.exists():
        raise UsageError(f"{args.file} is there already, and is left as it is: take another name")
    campaign = campaign_around(project, path)
    if not args.system and campaign is not None:
        args.system = campaign.system
    if not args.system:
        raise UsageError(f"which game? say --system: {', '.join(sorted(project.library.packs))}")
    pack = open_pack(project, args.system)
    seed = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    title = args.title or path.stem.replace("-", " ").replace("_", " ").capitalize()
    named = name_in_files(project, pack)
    text = starter(project, pack, named=named, file=args.file, title=title, seed=seed)
    write_file(path, text.encode(), shown=args.file)
    reporter = ConsoleReporter.of(args, system=pack.system.id)
    reporter.wrote(args.file, f"an evening of {pack.system.title} to fill in")
    reporter.say("try next:")
    reporter.say(f"  sheetgen session {shlex.quote(args.file)}")
    return reporter.finish()
