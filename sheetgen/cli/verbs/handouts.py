"""`sheetgen handouts`: letters, notices and other things to hand to players, ready-made or of your own words."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import Parser, parser
from sheetgen.cli.product_verb import add_options, options_from, run_product
from sheetgen.content.handouts.reader import READABLE
from sheetgen.errors import UsageError, printable
from sheetgen.products.handouts import HANDOUTS, HandoutFiles, handouts_of, styles_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project, project_at

EXAMPLE = """  sheetgen handouts sixshooter
  sheetgen handouts tsgs --only on-owls -o decree.png
  sheetgen handouts letter.md --look noir --paper letter
  sheetgen handouts --styles"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the handouts that the words name, or tell which styles there are; return the exit code."""
    args = _parser().read(words)
    project = project_at(where, environ)
    if args.styles:
        return _tell_styles(project, args)
    system, files = _sorted_out(args)
    options = options_from(args, HANDOUTS.options)

    def found(project: Project) -> HandoutFiles:
        pack = open_pack(project, system) if system else None
        return handouts_of(project, pack, [where / name for name in files], options.only)

    return run_product(HANDOUTS, options, args, project, found)


def _parser() -> Parser:
    parse = parser("handouts", "Makes things to hand to players: a pack's own, or of words that you write.", EXAMPLE)
    parse.add_argument(
        "what", nargs="*", metavar="SYSTEM|FILE", help="a system or pack, or files .md and .yaml, or both"
    )
    parse.add_argument("--styles", action="store_true", help="list the styles and looks, with an example of each")
    add_options(parse, HANDOUTS)
    return parse


def _sorted_out(args: Namespace) -> tuple[str, list[str]]:
    """Return the system that the words name, if they name one, and the files."""
    files = [word for word in args.what if Path(word).suffix.lower() in READABLE and Path(word).name != "system.yaml"]
    systems = [word for word in args.what if word not in files]
    if len(systems) > 1:
        raise UsageError("handouts of one system at a time: name one, and files of your own beside it if you like")
    if not args.what:
        raise UsageError("which handouts? name a system, or a file .md or .yaml (sheetgen handouts --help explains)")
    if args.only and files:
        raise UsageError("--only chooses among the handouts of a system, and files are named")
    return (systems[0] if systems else ""), files


def _tell_styles(project: Project, args: Namespace) -> int:
    """Print each style with its fields and an example, then the looks."""
    if len(args.what) > 1:
        raise UsageError("--styles takes one system at the most")
    pack = open_pack(project, args.what[0]) if args.what else None
    catalogue = styles_of(project, pack)
    for style in catalogue.styles.values():
        needs = ", ".join(style.needs)
        lines = [f"{style.name}: {style.say}", f"  needs {needs}" if needs else "  needs nothing but its text"]
        lines += [f"  may have {', '.join(style.may)}"] if style.may else []
        lines += [f"    {line}" for line in style.example.strip().splitlines()]
        print("\n".join(printable(line) for line in lines), end="\n\n")
    print("looks (--look, or `look:` in the file)")
    for look in catalogue.looks.values():
        print(printable(f"  {look.name:<10} {look.say}"))
    return 0
