"""`sheetgen pack`: a pack, checked, as one file to hand on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import OUTPUT, add_verbosity, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.errors import UsageError
from sheetgen.services.travelling_packs import packed
from sheetgen.workspace.packs import open_pack, sources
from sheetgen.workspace.project import project_at
from sheetgen.workspace.sheetpack import SUFFIX, write_sheetpack
from sheetgen.workspace.write import Output

SAY = """Packs a game into one file to hand on, after checking it: everything in its folder but code, with its
version, licence and credit, the same files to the same bytes. `sheetgen add` unpacks it."""
EXAMPLE = "  sheetgen pack mist\n  sheetgen pack drafts/fog -o fog-1.2.sheetpack"


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the file of the pack that the words name."""
    parse = parser("pack", SAY, EXAMPLE)
    parse.add_argument("pack", metavar="SYSTEM", help="the pack: a name, or the path of its folder")
    parse.add_argument(*OUTPUT, metavar="FILE", default="", help=f"the file to make (default NAME{SUFFIX})")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    made, checked = packed(project, args.pack)
    shown = args.output or f"{made.about.name}{f'-{made.about.version}' if made.about.version else ''}{SUFFIX}"
    if not shown.endswith(SUFFIX):
        raise UsageError(f"-o {shown}: the name of a packed game ends in {SUFFIX}")
    reporter = ConsoleReporter.of(args, system=made.about.name)
    inputs = sources(project, open_pack(project, args.pack))
    with Output(where / shown, inputs=inputs, shown=shown) as output:
        write_sheetpack(output.write, made)
    reporter.facts |= {"digest": made.about.digest, "files": sorted(made.files)}
    reporter.wrote(shown, f"{made.about.title} in {len(made.files)} files, {made.about.licence}")
    for warning in checked.warnings:
        reporter.say(f"  warning: {warning}")
    for name in made.left_behind:
        reporter.say(f"  {name} stays behind: code never travels in a pack")
    if not made.about.version:
        reporter.say("  it has no version (add `version: 1.0` to its system.yaml, so that others can tell two apart)")
    return reporter.finish()
