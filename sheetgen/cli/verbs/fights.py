"""`sheetgen duel` and `encounter`: two, or several on two sides, fight again and again: who wins, and at what cost."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from sheetgen.cli.options import add_fights, add_verbosity, add_watch, again_and_again, parser, unique_values
from sheetgen.cli.outputs import Progress
from sheetgen.cli.verbs.procedures import chart_inputs, chart_target, write_chart
from sheetgen.documents.figures.charts import odds_chart
from sheetgen.errors import EXIT_OK, UsageError, printable
from sheetgen.model.wording import hundredths
from sheetgen.pdf.fonts.bundled import text_width
from sheetgen.table.duel import Tally, duel
from sheetgen.table.encounter import WANTED, EncounterTally, Proposal, encounter, give_or_take, proposals, troop_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

DUEL_EXAMPLE = """  sheetgen duel gamers guard thief -n 1000
  sheetgen duel gamers @npcs.yaml:Ada guard --with sabre -o duel.svg"""


def run_duel(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Let the two fight and print the result."""
    parse = parser(
        "duel", "Two characters fight again and again: who wins, how long it takes, what it costs.", DUEL_EXAMPLE
    )
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
        write_chart(wanted, _duel_chart(tally, pack.system.accent), inputs)
    _print_answer(args, _duel_lines(tally), _duel_facts(tally))
    return EXIT_OK


def _print_answer(args: Namespace, lines: Iterable[str], facts: object) -> None:
    if args.json:
        print(json.dumps(facts, ensure_ascii=False))
    elif not args.quiet:
        print("\n".join(printable(line) for line in lines))


def _rounds_line(tally: Tally | EncounterTally) -> str:
    lengths = tally.lengths
    average = sum(lengths) / tally.count
    return f"  rounds: {average:.1f} on average, half within {lengths[len(lengths) // 2]}, at most {lengths[-1]}"


def _duel_lines(tally: Tally) -> list[str]:
    first, second = tally.names
    width = max(len(first), len(second), len("nobody"))
    lines = [f"{first} against {second}, {tally.count:,} times"]
    for name, wins in ((first, tally.wins[0]), (second, tally.wins[1]), ("nobody", tally.undecided)):
        share = tally.share(wins)
        error = sqrt(share * (1 - share) / tally.count)
        lines.append(f"  {name:<{width}}  wins {share:>6.1%}  (give or take {2 * error:.1%})")
    lines.append(_rounds_line(tally))
    if tally.costs is not None:
        lines.append(f"  cost in {tally.unit}: {first} {tally.costs[0]:.1f}, {second} {tally.costs[1]:.1f} on average")
    return lines


def _duel_facts(tally: Tally) -> dict[str, object]:
    first, second = tally.names
    return {
        "count": tally.count,
        "wins": {first: tally.wins[0], second: tally.wins[1], "nobody": tally.undecided},
        "rounds": dict(sorted(Counter(tally.lengths).items())),
        "costs": None if tally.costs is None else dict(zip(tally.names, tally.costs, strict=True)),
    }


def _duel_chart(tally: Tally, accent: str) -> str:
    first, second = tally.names
    rows = [(first, tally.share(tally.wins[0])), (second, tally.share(tally.wins[1]))]
    rows.append(("nobody", tally.share(tally.undecided)))
    rows += [(f"{rounds} rounds", tally.share(number)) for rounds, number in sorted(Counter(tally.lengths).items())]
    return odds_chart(f"{first} against {second}", f"{tally.count:,} times", rows, accent, text_width)


ENCOUNTER_EXAMPLE = """  sheetgen encounter gamers "3 outlaws" "the night watch"
  sheetgen encounter tsgs @heroes.yaml "2 great wolves + 1 boss" -o fight.svg
  sheetgen encounter gamers @party.yaml outlaw --for even      how many, and how strong?"""
MOST_LENGTHS = 8


def run_encounter(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Let both sides fight and print the result, or propose a second side."""
    args = _arguments(words)
    if not args.watch:
        return _fought(args, where, environ)
    files = [where / word[1:].partition(":")[0] for word in (args.first, args.second) if word.startswith("@")]
    return again_and_again(lambda: _fought(args, where, environ), lambda: files)


def _fought(args: Namespace, where: Path, environ: Mapping[str, str]) -> int:
    """Let both sides fight once; return the exit code."""
    wanted, given = chart_target(args.output, where), unique_values(args.given, "--given")
    project = project_at(where, environ)
    pack = open_pack(project, args.system)
    inputs = chart_inputs(wanted, project, pack, (args.first, args.second))
    first = troop_of(project, pack, args.first, args.seed)
    common: dict[str, Any] = {"policy": args.policy, "given": given, "count": args.count, "seed": args.seed}
    if args.wanted:
        if wanted is not None:
            raise UsageError("--for proposes several fights, and a chart shows one: leave out one of the two")
        found = proposals(project, pack, first, args.second, wanted=args.wanted, **common)
        _print_answer(args, map(_proposed, found), [_encounter_facts(each.tally) for each in found])
        return EXIT_OK
    second = troop_of(project, pack, args.second, args.seed)
    shown = Progress(args.count, "fights", quiet=args.quiet, as_json=args.json)
    tally = encounter(project, pack, (first, second), progress=shown, **common)
    if wanted is not None:
        write_chart(wanted, _encounter_chart(tally, pack.system.accent), inputs)
    _print_answer(args, _encounter_lines(tally), _encounter_facts(tally))
    return EXIT_OK


def _arguments(words: Sequence[str]) -> Any:
    say = "Several fight on two sides, again and again: who wins, how long it takes, who falls, what it costs."
    parse = parser("encounter", say, ENCOUNTER_EXAMPLE)
    parse.add_argument("system", help="a system, or the folder of a pack")
    parse.add_argument("first", help="`3 outlaws`, `2 wolves + 1 boss`, a group, @FILE or @FILE:NAME")
    parse.add_argument("second", help="whom they fight; with --for an archetype")
    add_fights(parse, usual=500)
    parse.add_argument("--policy", default="", metavar="NAME", help="how everybody fights; what there is, is told")
    parse.add_argument("--for", dest="wanted", choices=tuple(WANTED), default="", help="propose numbers and strengths")
    add_watch(parse, "let them fight again")
    add_verbosity(parse)
    return parse.read(words)


def _encounter_lines(tally: EncounterTally) -> Iterator[str]:
    first, second = tally.names
    width = max(map(len, (first, second, "nobody")))
    yield f"{first} against {second}, {tally.count:,} times"
    yield f"  {tally.policy}: {tally.say}"
    for name, share in zip((first, second, "nobody"), tally.shares, strict=True):
        yield f"  {name:<{width}}  wins {share:>6.1%}  (give or take {give_or_take(share, tally.count):.1%})"
    yield _rounds_line(tally)
    for line in tally.lines:
        cost = "" if line.cost is None else f", each loses {line.cost:.1f} {tally.unit}"
        yield f"  {line.label}: {line.fallen:.1f} of {line.count} out of it{cost}, on average"
    yield f"  won by {first} without a loss: {tally.unhurt:.1%}"


def _proposed(each: Proposal) -> str:
    tally = each.tally
    share = tally.shares[0]
    fallen = sum(line.fallen for line in tally.lines if line.side == 0)
    size = sum(line.count for line in tally.lines if line.side == 0)
    return (
        f"{each.words}: {tally.names[0]} wins {hundredths(share)}% "
        f"(give or take {give_or_take(share, tally.count):.0%}), {fallen:.1f} of {size} fall"
    )


def _encounter_facts(tally: EncounterTally) -> dict[str, object]:
    first, second = tally.names
    undecided = tally.count - sum(tally.wins)
    return {
        "count": tally.count,
        "policy": tally.policy,
        "wins": {first: tally.wins[0], second: tally.wins[1], "nobody": undecided},
        "rounds": dict(sorted(Counter(tally.lengths).items())),
        "lines": [
            {
                "side": tally.names[each.side],
                "who": each.label,
                "count": each.count,
                "out": each.fallen,
                "cost": each.cost,
            }
            for each in tally.lines
        ],
        "unhurt": tally.unhurt,
    }


def _encounter_chart(tally: EncounterTally, accent: str) -> str:
    first, second = tally.names
    rows = list(zip((first, second, "nobody"), tally.shares, strict=True))
    counted = sorted(Counter(tally.lengths).items())
    rows += [(f"{rounds} rounds", number / tally.count) for rounds, number in counted[:MOST_LENGTHS]]
    if rest := sum(number for _, number in counted[MOST_LENGTHS:]):
        rows.append((f"{counted[MOST_LENGTHS][0]} rounds or more", rest / tally.count))
    return odds_chart(f"{first} against {second}", f"{tally.count:,} times", rows, accent, text_width)
