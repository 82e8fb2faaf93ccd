"""`sheetgen play`: any procedure, with dice rolled, seeded, or typed in from the table."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_verbosity, parser, whole
from sheetgen.dice.source import LARGEST_SEED
from sheetgen.errors import EXIT_OK, UsageError, printable
from sheetgen.model.procedures import as_data, readable
from sheetgen.rules.procedures.parameters import Parameter, described, record_parameters, records_in
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import engine_of
from sheetgen.table.examples import command_of, odds_command_of
from sheetgen.table.play import cards_of, play, procedure_named, read_words, source_of
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at

EXAMPLE = """  sheetgen play gamers
  sheetgen play gamers check skill=2 difficulty=8 --dice 4,3
  sheetgen play gamers check --help"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Play the procedure that the words name, lists them all, or explains one."""
    parse = parser("play", "Plays any rule of a system: its dice, its log, what comes of it.", EXAMPLE)
    parse.add_argument("system", help="a system, or the folder of a pack")
    parse.add_argument("procedure", nargs="?", default="", help="what to play; leave it out for a list")
    parse.add_argument("values", nargs="*", metavar="NAME=VALUE", help="its parameters")
    parse.add_argument("--dice", metavar="4,3", default="", help="the faces as they fell, or ask to be asked for each")
    parse.add_argument("--cards", metavar="KS,7C", default="", help="the cards as they are drawn")
    parse.add_argument("--seed", type=whole(0, LARGEST_SEED), metavar="N", help="the same seed, the same dice")
    add_verbosity(parse)
    explain = asks_about_procedure(words)
    args = parse.read(words[:-1] if explain else words)
    project = project_at(where, environ)
    pack = open_pack(project, args.system)
    if not args.procedure:
        return list_procedures(pack)
    procedure = procedure_named(pack, args.procedure)
    if explain:
        return explain_procedure(project, pack, procedure, "play")
    arguments = read_words(project, pack, procedure, args.values)
    source = source_of(args.dice, args.seed, cards=cards_of(args.cards), ask=_ask)
    played = play(pack, procedure, arguments, source)
    result = as_data(played.outcome)
    if args.json:
        facts = {"system": pack.system.id, "procedure": procedure.name, "outcome": result, "log": played.log}
        print(json.dumps({**facts, "seed": source.seed} if source.dice is None else facts, ensure_ascii=False))
        return EXIT_OK
    if not args.quiet:
        print("\n".join(printable(line) for line in played.log))
    print("\n".join(printable(line) for line in _lines(result)))
    return EXIT_OK


def _ask(question: str) -> str:
    print(question, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise UsageError("no more dice were typed in")
    return line


def asks_about_procedure(words: Sequence[str]) -> bool:
    """Return whether the words are SYSTEM PROCEDURE --help."""
    return len(words) > 2 and words[-1] in ("-h", "--help") and not words[1].startswith("-")


def list_procedures(pack: Pack) -> int:
    """Print the name of every procedure and what it is; return the exit code."""
    procedures = engine_of(pack.system).procedures
    if not procedures:
        print(f"{pack.system.title} has no procedures to play")
    width = max(map(len, procedures), default=0)
    for name, procedure in sorted(procedures.items()):
        print(printable(f"{name:<{width}}  {procedure.say}"))
    return EXIT_OK


def explain_procedure(project: Project, pack: Pack, procedure: Procedure, verb: str) -> int:
    """Print what a procedure takes, with an example for `play` or `odds`; return the exit code."""
    say = f"sheetgen {verb} {pack.system.id} {procedure.name}"
    print(printable(f"{say}: {procedure.say} [{', '.join(procedure.rules)}]"))
    print("\n".join(f"  {printable(line)}" for line in procedure.about.splitlines()))
    _list_parameters(procedure.parameters, pack)
    records = [record for each in procedure.parameters for record in records_in(each.wanted)]
    for record in dict.fromkeys(records):
        fields = record_parameters(record)
        print(f"in {{{', '.join(each.name for each in fields)}}}:")
        _list_parameters(fields, pack)
    if procedure.policies:
        print(f"  policies for odds: {', '.join(procedure.policies)}")
    words = (command_of if verb == "play" else odds_command_of)(project, pack, procedure)
    print("example:")
    print(printable(f"  {say} {words}".rstrip()))
    return EXIT_OK


def _list_parameters(parameters: Iterable[Parameter], pack: Pack) -> None:
    for parameter in parameters:
        print(printable(f"  {parameter.name:<16} {_takes(parameter, pack)}"))


def _takes(parameter: Parameter, pack: Pack) -> str:
    takes = described(parameter.wanted, pack.system.values)
    if parameter.needed:
        return takes
    default = as_data(parameter.default)
    if isinstance(default, bool):
        return f"{takes} (default {str(default).lower()})"
    return f"{takes} (default {'nothing' if default in (None, [], {}, '') else default})"


def _lines(result: object) -> list[str]:
    if not isinstance(result, dict):
        return [str(result)]
    width = max(map(len, result), default=0)
    return [f"  {name:<{width}}  {readable(value)}" for name, value in result.items()]
