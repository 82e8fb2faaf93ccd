"""`sheetgen play` and `odds`: any procedure played, how likely each result is, and charts of that."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from sheetgen.cli.options import add_verbosity, parser, whole
from sheetgen.dice.paths import AtLeast
from sheetgen.dice.source import LARGEST_SEED
from sheetgen.documents.figures.charts import odds_chart
from sheetgen.errors import EXIT_OK, UsageError, printable
from sheetgen.model.procedures import Named, as_data, readable
from sheetgen.pdf.fonts.bundled import text_width
from sheetgen.rules.odds import Odds
from sheetgen.rules.procedures.parameters import Parameter, described, record_parameters, records_in
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import engine_of
from sheetgen.table.examples import command_of, odds_command_of
from sheetgen.table.play import cards_of, odds, people_files, play, procedure_named, read_words, source_of
from sheetgen.workspace.packs import Pack, open_pack, sources
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.targets import STDOUT, Target, refuse_inputs, targets, write_target


def chart_target(name: str, where: Path) -> Target | None:
    """Return the target that `-o` names, or None without one; UsageError for standard output, or for another format."""
    if name == STDOUT:
        raise UsageError("a chart needs a file: -o chart.svg")
    return targets([name], "", where, (".svg",))[0] if name else None


def chart_inputs(target: Target | None, project: Project, pack: Pack, words: Iterable[str]) -> tuple[Path, ...]:
    """Return the files of the pack and the characters that the words name; UsageError if the chart would land among
    them.
    """
    inputs = (*sources(project, pack), *people_files(project, words))
    refuse_inputs([target] if target is not None else [], inputs)
    return inputs


def write_chart(target: Target, chart: str, inputs: Iterable[Path]) -> None:
    """Write the chart, completely or not at all."""
    write_target(target, lambda write: write(chart.encode()), inputs=inputs)


PLAY_EXAMPLE = """  sheetgen play gamers
  sheetgen play gamers check skill=2 difficulty=8 --dice 4,3
  sheetgen play gamers check --help"""


def run_play(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Play the procedure that the words name, lists them all, or explains one."""
    parse = parser("play", "Plays any rule of a system: its dice, its log, what comes of it.", PLAY_EXAMPLE)
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


ODDS_EXAMPLE = """  sheetgen odds gamers check skill=2 difficulty=8 --of success
  sheetgen odds gamers check skill=2 difficulty=8 --of 'total>=11'
  sheetgen odds gamers check skill=2 difficulty=8 --of total --mean --json
  sheetgen odds gamers check skill=2 difficulty=8 --of total -o odds.svg
  sheetgen odds gamers check --help"""
OF = "which result (default: all of it together); 'total>=11' asks how likely that is (also > < <= = 'winner=a')"
MEANS = ("mean", "average", "expected")
MOST_SAMPLES = 10_000_000
LARGEST_DENOMINATOR = 10**9


def run_odds(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print the odds that the words ask for, as a table, as JSON, or as a chart; list procedures, or explain one."""
    parse = parser(
        "odds", "Works out how likely each result of a rule is: exact fractions, from the rule itself.", ODDS_EXAMPLE
    )
    parse.add_argument("system", help="a system, or the folder of a pack")
    parse.add_argument("procedure", nargs="?", default="", help="what is played; leave it out for a list")
    parse.add_argument("values", nargs="*", metavar="NAME=VALUE", help="its parameters")
    parse.add_argument("--of", default="", metavar="RESULT", help=OF)
    parse.add_argument("--mean", action="store_true", help="tell the mean as well, where the result is a number")
    parse.add_argument("--policy", default="", help="how choices are made, where the rule leaves one")
    parse.add_argument("--samples", type=whole(100, MOST_SAMPLES), default=0, metavar="N", help="count N plays instead")
    parse.add_argument("--seed", type=whole(0, LARGEST_SEED), default=1, metavar="N", help="the seed of the samples")
    parse.add_argument("-o", "--output", metavar="CHART.svg", default="", help="a chart for print")
    add_verbosity(parse)
    explain = asks_about_procedure(words)
    args = parse.read(words[:-1] if explain else words)
    wanted = chart_target(args.output, where)
    project = project_at(where, environ)
    pack = open_pack(project, args.system)
    if not args.procedure:
        return list_procedures(pack)
    procedure = procedure_named(pack, args.procedure)
    if explain:
        return explain_procedure(project, pack, procedure, "odds")
    inputs = chart_inputs(wanted, project, pack, args.values)
    arguments = read_words(project, pack, procedure, args.values)
    try:
        found = odds(pack, procedure, arguments, of=args.of, policy=args.policy, samples=args.samples, seed=args.seed)
    except UsageError as error:
        if args.of.casefold() not in MEANS:
            raise
        raise UsageError(f"{error} (for the mean say --mean, and with --of which result)") from None
    mean = found.mean if args.mean else None
    title = f"{procedure.name} {' '.join(args.values)}".strip()
    if wanted is not None:
        write_chart(wanted, odds_chart(title, args.of, _rows(found), pack.system.accent, text_width), inputs)
    if args.json:
        facts = {"system": pack.system.id, "procedure": procedure.name, "given": as_data(Named(arguments))}
        facts |= _json(found, args.policy or _default(procedure.policies))
        print(json.dumps(facts if mean is None else {**facts, "mean": _exactly(mean)}, ensure_ascii=False))
    elif not args.quiet:
        print("\n".join(printable(line) for line in _table(found, mean)))
    return EXIT_OK


def _default(policies: tuple[str, ...]) -> str | None:
    return policies[0] if policies else None


def _rows(found: Odds) -> list[tuple[str, float]]:
    return [(readable(value), float(weight)) for value, weight in found.odds]


def _fraction(weight: Fraction) -> str:
    return str(weight) if weight.denominator < LARGEST_DENOMINATOR else ""


def _exactly(number: Fraction) -> str:
    """Return the fraction in full; Python writes whole numbers of more than 4,300 digits only as decimals."""
    over, under = Decimal(number.numerator), Decimal(number.denominator)
    return f"{over}/{under}" if under != 1 else str(over)


def _json(found: Odds, policy: str | None) -> dict[str, object]:
    facts: dict[str, object] = {
        "policy": policy,
        "of": found.of,
        "odds": [_row(value, weight) for value, weight in found.odds],
        "bound": _exactly(found.bound),
    }
    if found.notes:
        facts["notes"] = list(found.notes)
    return {**facts, "samples": found.samples, "error": found.error} if found.samples else facts


def _row(value: object, weight: Fraction) -> dict[str, object]:
    open_ = {"at_least": int(value)} if isinstance(value, AtLeast) else {}
    return {"value": as_data(value), **open_, "p": _exactly(weight)}


def _table(found: Odds, mean: Fraction | None) -> list[str]:
    rows = [(readable(value), weight) for value, weight in found.odds]
    width = max(len(value) for value, _ in rows)
    lines = [f"{value:>{width}}  {float(weight):>8.4%}  {_fraction(weight):>14}" for value, weight in rows]
    opened = sum((weight for value, weight in found.odds if isinstance(value, AtLeast)), Fraction())
    if mean is not None:
        exact = "of what is told here" if found.bound or found.samples else _fraction(mean)
        lines.append(f"{'mean':>{width}}  {float(mean):>8.6g}  {exact:>14}")
    if found.samples:
        lines.append(f"counted in {found.samples:,} plays; standard error at most {found.error:.4%}")
    elif opened:
        lines.append(f"a loop without end was cut off: {float(opened):.2e} is told as so many or more")
    if found.bound > opened:
        lines.append(f"loops cut off: at most {float(found.bound - opened):.2e} is missing")
    lines += [f"note: {note}" for note in found.notes]
    return [line.rstrip() for line in lines]
