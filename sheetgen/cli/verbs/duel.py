"""`sheetgen duel`: two characters fight again and again by the rules; who wins, how long it takes, what it costs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path

from sheetgen.cli.chart_output import chart_inputs, chart_target, write_chart
from sheetgen.cli.options import add_fights, add_verbosity, parser, unique_values
from sheetgen.cli.outputs import Progress
from sheetgen.documents.figures.charts import odds_chart
from sheetgen.errors import EXIT_OK, printable
from sheetgen.pdf.fonts.bundled import text_width
from sheetgen.table.duel import Tally, duel
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

EXAMPLE = """  sheetgen duel gamers guard thief -n 1000
  sheetgen duel gamers @npcs.yaml:Ada guard --with sabre -o duel.svg"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Let the two fight and print the result."""
    parse = parser("duel", "Two characters fight again and again: who wins, how long it takes, what it costs.", EXAMPLE)
    parse.add_argument("system", help="a system, or the folder of a pack")
    parse.add_argument("first", help="@FILE:NAME, an archetype, or a record in YAML")
    parse.add_argument("second", help="whom the first one fights")
    add_fights(parse, usual=1000)
    parse.add_argument("--with", dest="using", default="", metavar="WEAPON", help="what the first one fights with")
    parse.add_argument("--against", default="", metavar="WEAPON", help="what the second one fights with")
    add_verbosity(parse)
    args = parse.read(words)
    wanted, given = chart_target(args.output, where), unique_values(args.given, "--given")
    project = project_at(where, environ)
    pack = open_pack(project, args.system)
    inputs = chart_inputs(wanted, project, pack, (args.first, args.second))
    tally = duel(
        project,
        pack,
        (args.first, args.second),
        using=(args.using, args.against),
        given=given,
        count=args.count,
        seed=args.seed,
        progress=Progress(args.count, "fights", quiet=args.quiet, as_json=args.json),
    )
    if wanted is not None:
        write_chart(wanted, _chart(tally, pack.system.accent), inputs)
    if args.json:
        print(json.dumps(_facts(tally), ensure_ascii=False))
    elif not args.quiet:
        print("\n".join(printable(line) for line in _lines(tally)))
    return EXIT_OK


def _lines(tally: Tally) -> list[str]:
    first, second = tally.names
    width = max(len(first), len(second), len("nobody"))
    lines = [f"{first} against {second}, {tally.count:,} times"]
    for name, wins in ((first, tally.wins[0]), (second, tally.wins[1]), ("nobody", tally.undecided)):
        share = tally.share(wins)
        error = sqrt(share * (1 - share) / tally.count)
        lines.append(f"  {name:<{width}}  wins {share:>6.1%}  (give or take {2 * error:.1%})")
    lengths = tally.lengths
    average = sum(lengths) / tally.count
    lines.append(f"  rounds: {average:.1f} on average, half within {lengths[len(lengths) // 2]}, at most {lengths[-1]}")
    if tally.costs is not None:
        lines.append(f"  cost in {tally.unit}: {first} {tally.costs[0]:.1f}, {second} {tally.costs[1]:.1f} on average")
    return lines


def _facts(tally: Tally) -> dict[str, object]:
    first, second = tally.names
    return {
        "count": tally.count,
        "wins": {first: tally.wins[0], second: tally.wins[1], "nobody": tally.undecided},
        "rounds": dict(sorted(Counter(tally.lengths).items())),
        "costs": None if tally.costs is None else dict(zip(tally.names, tally.costs, strict=True)),
    }


def _chart(tally: Tally, accent: str) -> str:
    first, second = tally.names
    rows = [(first, tally.share(tally.wins[0])), (second, tally.share(tally.wins[1]))]
    rows.append(("nobody", tally.share(tally.undecided)))
    rows += [(f"{rounds} rounds", tally.share(number)) for rounds, number in sorted(Counter(tally.lengths).items())]
    return odds_chart(f"{first} against {second}", f"{tally.count:,} times", rows, accent, text_width)
