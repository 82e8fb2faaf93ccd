"""`sheetgen odds`: how likely each result of a procedure is, exactly."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from sheetgen.cli.chart_output import chart_inputs, chart_target, write_chart
from sheetgen.cli.options import add_verbosity, parser, whole
from sheetgen.cli.verbs.play import asks_about_procedure, explain_procedure, list_procedures
from sheetgen.dice.paths import AtLeast
from sheetgen.dice.source import LARGEST_SEED
from sheetgen.documents.figures.charts import odds_chart
from sheetgen.errors import EXIT_OK, UsageError, printable
from sheetgen.model.procedures import Named, as_data, readable
from sheetgen.pdf.fonts.bundled import text_width
from sheetgen.rules.odds import Odds
from sheetgen.table.play import odds, procedure_named, read_words
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

EXAMPLE = """  sheetgen odds gamers check skill=2 difficulty=8 --of success
  sheetgen odds gamers check skill=2 difficulty=8 --of 'total>=11'
  sheetgen odds gamers check skill=2 difficulty=8 --of total --mean --json
  sheetgen odds gamers check skill=2 difficulty=8 --of total -o odds.svg
  sheetgen odds gamers check --help"""
OF = "which result (default: all of it together); 'total>=11' asks how likely that is (also > < <= = 'winner=a')"
MEANS = ("mean", "average", "expected")
MOST_SAMPLES = 10_000_000
LARGEST_DENOMINATOR = 10**9


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Print the odds that the words ask for, as a table, as JSON, or as a chart; list procedures, or explain one."""
    parse = parser(
        "odds", "Works out how likely each result of a rule is: exact fractions, from the rule itself.", EXAMPLE
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
