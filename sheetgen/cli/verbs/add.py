"""`sheetgen add`: a packed game of somebody else's, looked into and put on one's own shelf."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_verbosity, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.services.travelling_packs import opened, put_on_shelf
from sheetgen.workspace.project import project_at
from sheetgen.workspace.sheetpack import Sheetpack

SAY = """Shows what a packed game is and who made it, and puts it on your shelf: from then on it is a system in every
folder you work in. It is read in confinement now and whenever it is used, and code in it is never run."""
EXAMPLE = "  sheetgen add mist-1.2.sheetpack --look\n  sheetgen add mist-1.3.sheetpack --replace"


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Put the pack of the file on the shelf."""
    parse = parser("add", SAY, EXAMPLE)
    parse.add_argument("file", metavar="FILE.sheetpack", help="the packed game")
    parse.add_argument("--look", action="store_true", help="only say what it is")
    parse.add_argument("--replace", action="store_true", help="put it in the place of the one that is there")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    found = opened(project, where / args.file, args.file)
    reporter = ConsoleReporter.of(args, system=found.about.name)
    for line in _lines(found):
        reporter.say(line)
    if not args.look:
        folder, _ = put_on_shelf(project, found, args.file, again=args.replace)
        reporter.wrote(str(folder), f"{found.about.title} is on your shelf")
        reporter.say("try next:")
        reporter.say(f"  sheetgen systems {found.about.name}")
    return reporter.finish()


def _lines(found: Sheetpack) -> Iterator[str]:
    """Yield what a pack is, who made it, and what in it is left behind."""
    about = found.about
    yield f"{about.title}{f' {about.version}' if about.version else ''} ({about.name}), {len(found.files)} files"
    yield f"  by {about.credit}"
    yield f"  {about.licence}"
    if about.extends:
        yield f"  builds on {about.extends}"
    yield f"  digest {about.digest[:16]}"
    for name in found.left_behind:
        yield f"  {name} is left behind: code in packs is never run"
