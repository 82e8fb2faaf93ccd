"""`sheetgen new`, `pack` and `add`: packs begun, handed on, and put onto your shelf."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import OUTPUT, add_verbosity, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.errors import UsageError
from sheetgen.workspace.archive import SUFFIX, Sheetpack, write_sheetpack
from sheetgen.workspace.packs import open_pack, sources
from sheetgen.workspace.project import Project, is_path, project_at
from sheetgen.workspace.scaffold import Files, checked_name, starter, variant, write_folder
from sheetgen.workspace.targets import STDOUT
from sheetgen.workspace.write import Output, refuse_input

PACKS = "content"
NEW_EXAMPLE = """  sheetgen new mist
  sheetgen new my-gamers --from gamers
  sheetgen new fog -o drafts/fog"""
TRY_STARTER = ("check {}", "npc {} -n 3", "play {} attempt target=10 bonus=3")
TRY_VARIANT = ("check {}", "npc {} -n 3", "blank {}")


def run_new(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the pack that the words ask for, and says what to try next."""
    parse = parser(
        "new", "Starts a pack of your own: a small game that works at once, or a variant of one.", NEW_EXAMPLE
    )
    parse.add_argument("name", help="what it is called: small letters, digits and hyphens")
    parse.add_argument("--from", dest="parent", metavar="SYSTEM", default="", help="start a variant of this system")
    parse.add_argument(*OUTPUT, metavar="FOLDER", default="", help=f"the folder to make (default {PACKS}/NAME)")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    name = checked_name(project, args.name)
    if args.output == STDOUT:
        raise UsageError("a pack is a folder, and standard output can take none: give -o FOLDER")
    shown = args.output or f"{PACKS}/{name}"
    folder = where / shown
    what, commands = "a game of your own", TRY_STARTER
    if args.parent:
        pack = open_pack(project, args.parent)
        refuse_input(folder, sources(project, pack), shown=shown)
        files, commands, what = variant(project, name, pack), TRY_VARIANT, f"a variant of {pack.system.title}"
    else:
        files = starter(project, name)
    write_folder(folder, files, shown=shown)
    reporter = ConsoleReporter.of(args, system=name)
    _report_written(
        reporter, shown, what, files, [f"sheetgen {each.format(_word(project, folder))}" for each in commands]
    )
    return reporter.finish()


def _report_written(reporter: ConsoleReporter, shown: str, what: str, files: Files, commands: Sequence[str]) -> None:
    """Print what was written, and what can be done with it."""
    seen = sorted(name for name in files if not name.startswith("."))
    reporter.facts |= {"files": seen, "next": list(commands)}
    reporter.wrote(shown, f"{what} in {len(seen)} files, each with a word on what to change: {', '.join(seen)}")
    reporter.say("try next:")
    for command in commands:
        reporter.say(f"  {command}")
    reporter.say("editors with YAML support complete and explain every key: .schema/ tells them how")


def _word(project: Project, folder: Path) -> str:
    """Return the name of a pack where commands look for it, else its path."""
    if folder.parent == project.where / PACKS and not is_path(folder.name):
        return shlex.quote(folder.name)
    shown = project.shown(folder)
    return shlex.quote(shown if is_path(shown) else f"./{shown}")


PACK_SAY = """Packs a game into one file to hand on, after checking it: everything in its folder but code, with its
version, licence and credit, the same files to the same bytes. `sheetgen add` unpacks it."""
PACK_EXAMPLE = "  sheetgen pack mist\n  sheetgen pack drafts/fog -o fog-1.2.sheetpack"


def run_pack(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the file of the pack that the words name."""
    parse = parser("pack", PACK_SAY, PACK_EXAMPLE)
    parse.add_argument("pack", metavar="SYSTEM", help="the pack: a name, or the path of its folder")
    parse.add_argument(*OUTPUT, metavar="FILE", default="", help=f"the file to make (default NAME{SUFFIX})")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    from sheetgen.services.travelling_packs import packed  # imports all that checks

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


ADD_SAY = """\
Shows what a packed game is and who made it, and puts it on your shelf: from then on it is a system in every
folder you work in. It is read in confinement now and whenever it is used, and code in it is never run."""
ADD_EXAMPLE = "  sheetgen add mist-1.2.sheetpack --look\n  sheetgen add mist-1.3.sheetpack --replace"


def run_add(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Put the pack of the file on the shelf."""
    parse = parser("add", ADD_SAY, ADD_EXAMPLE)
    parse.add_argument("file", metavar="FILE.sheetpack", help="the packed game")
    parse.add_argument("--look", action="store_true", help="only say what it is")
    parse.add_argument("--replace", action="store_true", help="put it in the place of the one that is there")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    from sheetgen.services.travelling_packs import opened, put_on_shelf  # imports all that checks

    found = opened(project, where / args.file, args.file)
    reporter = ConsoleReporter.of(args, system=found.about.name)
    for line in _sheetpack_lines(found):
        reporter.say(line)
    if not args.look:
        folder, _ = put_on_shelf(project, found, args.file, again=args.replace)
        reporter.wrote(str(folder), f"{found.about.title} is on your shelf")
        reporter.say("try next:")
        reporter.say(f"  sheetgen systems {found.about.name}")
    return reporter.finish()


def _sheetpack_lines(found: Sheetpack) -> Iterator[str]:
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
