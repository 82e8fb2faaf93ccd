"""`sheetgen handouts`: letters, notices and other things to hand to players, ready-made or of your own words."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.product_verbs import product_parser, run_product
from sheetgen.errors import UsageError, printable
from sheetgen.products.handouts.handouts import HANDOUTS, styles_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project, project_at


def run_handouts(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the handouts that the words name, or tell which styles there are; return the exit code."""
    parse = product_parser(HANDOUTS)
    parse.add_argument("--styles", action="store_true", help="list the styles and looks, with an example of each")
    args = parse.read(words)
    project = project_at(where, environ)
    return _tell_styles(project, args) if args.styles else run_product(HANDOUTS, args, project, environ)


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
    print("hands (`hand:` in the file; style and look choose where it does not)")
    for hand in catalogue.hands.values():
        print(printable(f"  {hand.name:<10} {hand.say}"))
    return 0
