"""`sheetgen campaign`: the cast on paper; `campaign new` makes the folder, `campaign log` adds what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_verbosity, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.product_verbs import make_product
from sheetgen.content.sessions.campaign import LOG
from sheetgen.content.yaml.quoting import flow_scalar
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.people.campaign_cast import read_cast
from sheetgen.people.character_files import name_in_files
from sheetgen.people.parameter_binding import places_called
from sheetgen.workspace.campaigns import FOLDERS, campaign_at, make_campaign
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at
from sheetgen.workspace.write import write_file

NEW_EXAMPLE = """  sheetgen campaign new harbour --system gamers --title "The harbour" """
LOG_EXAMPLE = """  sheetgen campaign log "Ada Marsh" "limps since the bridge" --date 2026-11-28"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print the cast of a campaign, make the folder of one, or add to its log; return the exit code."""
    if words[:1] == ["new"]:
        return _new(words[1:], where, environ)
    if words[:1] == ["log"]:
        return _log(words[1:], where, environ)
    return make_product("campaign", words, where, environ)


def _new(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
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


def _log(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    parse = parser("campaign log", "Adds what happened to somebody of the cast.", LOG_EXAMPLE)
    parse.add_argument("who", help="somebody of the cast, by name")
    parse.add_argument("what", help="what happened to them")
    parse.add_argument("--date", default="", help="when")
    parse.add_argument("--campaign", default=".", metavar="FOLDER", help="its folder (default: this one)")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    campaign = campaign_at(project, where / args.campaign)
    names = [each.name for each in read_cast(project, campaign).people]
    meant = [names[at] for at in places_called(names, args.who)]
    if len(meant) != 1:
        near = suggestion(args.who, names)
        told = f" (it may be {', '.join(meant)})" if meant else near
        raise UsageError(f"nobody of the cast is called {quoted(args.who)}{told}")
    path = campaign.folder / LOG
    text = path.read_text("utf-8") if path.is_file() else "log:\n"
    if not any(line.rstrip() == "log:" for line in text.splitlines()):
        raise UsageError(f"{project.shown(path)} has no line `log:` to add to: write one at its end")
    date = f"date: {flow_scalar(args.date)}, " if args.date else ""
    line = f"- {{{date}who: {flow_scalar(meant[0])}, what: {flow_scalar(args.what)}}}\n"
    write_file(path, f"{text.rstrip()}\n{line}".encode(), shown=project.shown(path))
    reporter = ConsoleReporter.of(args, system=campaign.system)
    reporter.wrote(project.shown(path), f"{meant[0]}: {args.what}")
    return reporter.finish()
