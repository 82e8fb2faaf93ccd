"""`sheetgen campaign`, `session`, `find`: a campaign, its log, the cast and the evenings on paper, and words in it."""

from __future__ import annotations

import json
import secrets
import shlex
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path

from sheetgen.cli.options import add_verbosity, argument, parser, whole
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.product_verbs import make_product
from sheetgen.content.session_files import LOG, read_log, with_entry
from sheetgen.dice.source import LARGEST_SEED
from sheetgen.errors import EXIT_OK, EXIT_SOME, Place, UsageError, printable, quoted
from sheetgen.model.data import Word
from sheetgen.model.session import Campaign, LogEntry
from sheetgen.people.campaign_cast import findings, meant, read_cast
from sheetgen.people.character_files import name_in_files
from sheetgen.products.options import whole_number
from sheetgen.products.session.session import starter
from sheetgen.rules.consequences import Event
from sheetgen.table.play import aftermath_of, dice_of, file_after, source_of
from sheetgen.workspace.campaigns import FOLDERS, campaign_around, campaign_at, make_campaign
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.write import Output, locked, write_file

NEW_EXAMPLE = """  sheetgen campaign new harbour --system gamers --title "The harbour" """
LOG_EXAMPLE = """  sheetgen campaign log "Ada Marsh" "limps since the bridge" --date 2026-11-28
  sheetgen campaign log Ada "fell off the bridge" --injury 2
  sheetgen campaign log Ada "a quiet week" --rest 7 --helper"""
AMOUNTS = (
    ("experience", "N", "what they learned, as the game counts it"),
    ("injury", "N", "how badly they are hurt, as the game counts it"),
    ("rest", "N", "how long they rest, as the game counts it"),
)


def run_campaign(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print the cast of a campaign, make the folder of one, or add to its log; return the exit code."""
    if words[:1] == ["new"]:
        return _new_campaign(words[1:], where, environ)
    if words[:1] == ["log"]:
        return _log_event(words[1:], where, environ)
    return make_product("campaign", words, where, environ)


def _new_campaign(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    parse = parser("campaign new", "Makes the folder of a campaign.", NEW_EXAMPLE)
    parse.add_argument("folder", help="the folder to make")
    parse.add_argument("--system", required=True, metavar="SYSTEM", help="a system, or the folder of a pack")
    parse.add_argument("--title", default="", help="what the campaign is called")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    pack = open_pack(project, args.system)
    folder = where / args.folder
    title = args.title or folder.name.replace("-", " ").capitalize()
    make_campaign(folder, args.folder, title=title, system=name_in_files(project, pack))
    reporter = ConsoleReporter.of(args, system=pack.system.id)
    reporter.wrote(args.folder, f"a campaign of {pack.system.title}: sheetgen.toml, log.yaml, {', '.join(FOLDERS)}")
    reporter.say("try next, in that folder:")
    reporter.say(f"  sheetgen npc {pack.system.id} -n 6 -o cast/people.yaml")
    reporter.say("  sheetgen session new sessions/first.yaml")
    reporter.say("  sheetgen campaign")
    return reporter.finish()


def _log_event(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    parse = parser("campaign log", "Adds what happened to somebody of the cast.", LOG_EXAMPLE)
    parse.add_argument("who", help="somebody of the cast, by name")
    parse.add_argument("what", help="what happened to them")
    parse.add_argument("--date", default="", help="when")
    parse.add_argument("--campaign", default=".", metavar="FOLDER", help="its folder (default: this one)")
    rules = parse.add_argument_group("by the rules of the game, one of them at a time")
    kinds = rules.add_mutually_exclusive_group()
    for kind, amount, about in AMOUNTS:
        kinds.add_argument(f"--{kind}", type=whole(1, 999), metavar=amount, help=about)
    rules.add_argument("--on", action="append", default=[], metavar="WORD", help="what is raised, struck or given up")
    rules.add_argument("--helper", nargs="?", const="yes", default="", help="taught or tended, and at which level")
    rules.add_argument("--dice", default="", metavar="4,3", help="the faces as they fell")
    rules.add_argument("--seed", type=whole(0, LARGEST_SEED), metavar="N", help="the same seed, the same dice")
    add_verbosity(parse)
    args = parse.read(words)
    kind = next((kind for kind, *_ in AMOUNTS if getattr(args, kind) is not None), "")
    if not kind and (args.on or args.helper or args.dice or args.seed is not None):
        raise UsageError("--on, --helper, --dice and --seed belong to --experience, --injury or --rest")
    project = project_at(where, environ)
    campaign = campaign_at(project, where / args.campaign)
    reporter = ConsoleReporter.of(args, system=campaign.system)
    with locked(campaign.folder):  # whoever notes something at the same time reads what this has written
        _noted(project, campaign, args, kind, reporter)
    return reporter.finish()


def _noted(project: Project, campaign: Campaign, args: Namespace, kind: str, reporter: ConsoleReporter) -> None:
    """Write what happened into the log, and what came of it into the file of the cast: both, or neither on an error.

    The log appears first: whoever is killed between the two finds there what was to change in the file.
    """
    cast = read_cast(project, campaign)
    kept = meant(cast, args.who)
    entry, after = LogEntry(Word(kept.name, Place(LOG)), args.what, args.date), kept.character
    if kind:
        event = Event(getattr(args, kind), tuple(args.on), args.helper, kept.hurt, kept.before)
        came = aftermath_of(cast.pack, kept.character, kind, event, dice_of(source_of(args.dice, args.seed)))
        entry, after = replace(entry, rules=came.said, hurt=came.hurt), came.character
    path = campaign.folder / LOG
    shown = project.shown(path)
    text = with_entry(path.read_text("utf-8") if path.is_file() else "log:\n", entry)
    read_log(text.encode(), shown)  # nothing is written that cannot be read again
    with ExitStack() as both:
        if after != kept.character:
            changed = file_after(project, kept, after).encode()
            both.enter_context(Output(kept.file, shown=project.shown(kept.file))).write(changed)
        both.enter_context(Output(path, shown=shown)).write(text.encode())  # the last one in appears first
    for line in came.log if kind else ():
        reporter.say(line)
    if after != kept.character:
        reporter.wrote(project.shown(kept.file), f"{kept.name}: {entry.rules}")
    reporter.wrote(shown, f"{kept.name}: {entry.what}")


NEW, UNNAMED, SUFFIXES = "new", "session.yaml", (".yaml", ".yml")
SESSION_EXAMPLE = """  sheetgen session new toll.yaml --system gamers
  sheetgen session new toll.yaml --system tsgs --title "The toll" --seed 7"""


def run_session(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Make the PDF of an evening, or write a file to begin one with; return the exit code."""
    if words[:1] != [NEW]:
        return make_product("session", words, where, environ)
    parse = parser(
        "session new", "Writes a session file that works as it is, with a word on what to change.", SESSION_EXAMPLE
    )
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


FIND_EXAMPLE = """  sheetgen find limps --campaign harbour
  sheetgen find "the blue door" --campaign harbour"""


def run_find(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print every line of a campaign with these words; return 1 if there is none."""
    parse = parser(
        "find", "Finds words in the cast, the log, the sessions and the handouts of a campaign.", FIND_EXAMPLE
    )
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
