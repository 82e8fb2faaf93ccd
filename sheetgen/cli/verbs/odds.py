"""`sheetgen odds`: how likely each result of a procedure is, exactly."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from sheetgen.cli.chart_output import chart_inputs, chart_target, write_chart
from sheetgen.cli.options import add_telling, parser, whole
from sheetgen.documents.figures.bar_chart import odds_chart
from sheetgen.errors import EXIT_OK, printable
from sheetgen.model.outcome import Named, told
from sheetgen.products.options import LARGEST_SEED
from sheetgen.rules.odds import Odds
from sheetgen.table.play import odds, procedure_named, read_words
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

EXAMPLE = """  sheetgen odds gamers check skill=2 difficulty=8 --of success
  sheetgen odds gamers check skill=2 difficulty=8 --of total --json
  sheetgen odds gamers check skill=2 difficulty=8 --of total -o odds.svg"""
MOST_SAMPLES = 10_000_000
LARGEST_DENOMINATOR = 10**9


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Tells the odds that the words ask for, as a table, as JSON, or as a chart."""
    parse = parser(
        "odds", "Works out how likely each result of a rule is: exact fractions, from the rule itself.", EXAMPLE
    )
    parse.add_argument("system", help="a system, or the folder of a pack")
    parse.add_argument("procedure", help="what is played; `sheetgen play SYSTEM` lists them")
    parse.add_argument("values", nargs="*", metavar="NAME=VALUE", help="its parameters")
    parse.add_argument("--of", default="", metavar="RESULT", help="which result (default: all of it together)")
    parse.add_argument("--policy", default="", help="how choices are made, where the rule leaves one")
    parse.add_argument("--samples", type=whole(100, MOST_SAMPLES), default=0, metavar="N", help="count N plays instead")
    parse.add_argument("--seed", type=whole(0, LARGEST_SEED), default=1, metavar="N", help="the seed of the samples")
    parse.add_argument("-o", "--output", metavar="CHART.svg", default="", help="a chart for print")
    add_telling(parse)
    args = parse.read(words)
    wanted = chart_target(args.output, where)
    project = project_at(where, environ)
    pack = open_pack(project, args.system)
    inputs = chart_inputs(wanted, project, pack, args.values)
    procedure = procedure_named(pack, args.procedure)
    arguments = read_words(project, pack, procedure, args.values)
    found = odds(pack, procedure, arguments, of=args.of, policy=args.policy, samples=args.samples, seed=args.seed)
    title = f"{procedure.name} {' '.join(args.values)}".strip()
    if wanted is not None:
        write_chart(wanted, odds_chart(title, args.of, _rows(found), accent=pack.system.accent), inputs)
    if args.json:
        facts = {"system": pack.system.id, "procedure": procedure.name, "given": told(Named(arguments))}
        print(json.dumps({**facts, **_json(found, args.policy or _default(procedure.policies))}, ensure_ascii=False))
    elif not args.quiet:
        print("\n".join(printable(line) for line in _table(found)))
    return EXIT_OK


def _default(policies: tuple[str, ...]) -> str | None:
    return policies[0] if policies else None


def _rows(found: Odds) -> list[tuple[str, float]]:
    return [(_shown(value), float(weight)) for value, weight in found.odds]


def _shown(value: object) -> str:
    plain = told(value)
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    if isinstance(plain, dict):
        return ", ".join(f"{name} {_shown(item)}" for name, item in plain.items())
    if isinstance(plain, list):
        return ", ".join(map(_shown, plain)) or "none"
    return "none" if plain is None else str(plain)


def _fraction(weight: Fraction) -> str:
    return str(weight) if weight.denominator < LARGEST_DENOMINATOR else ""


def _json(found: Odds, policy: str | None) -> dict[str, object]:
    facts: dict[str, object] = {
        "policy": policy,
        "of": found.of,
        "odds": [{"value": told(value), "p": str(weight)} for value, weight in found.odds],
        "bound": str(found.bound),
    }
    return {**facts, "samples": found.samples, "error": found.error} if found.samples else facts


def _table(found: Odds) -> list[str]:
    rows = [(_shown(value), weight) for value, weight in found.odds]
    width = max(len(value) for value, _ in rows)
    lines = [f"{value:>{width}}  {float(weight):>8.4%}  {_fraction(weight):>14}" for value, weight in rows]
    if found.samples:
        lines.append(f"counted in {found.samples:,} plays; standard error at most {found.error:.4%}")
    elif found.bound:
        lines.append(f"loops cut off: at most {float(found.bound):.2e} is missing")
    return [line.rstrip() for line in lines]
