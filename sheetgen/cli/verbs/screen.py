"""`sheetgen screen`: the panels of a GM screen, and of its players' side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_output, add_paper, add_toning, millimetres, parser, tone_of
from sheetgen.cli.outputs import Reporter
from sheetgen.products.screen import OUTER, PANELS, SIDES, Wish, screen
from sheetgen.products.sheet import telling_name
from sheetgen.workspace.packs import open_pack, sources
from sheetgen.workspace.project import project_at
from sheetgen.workspace.targets import deliver, own_targets, refuse_inputs, targets

EXAMPLE = """  sheetgen screen gamers
  sheetgen screen tsgs --panels 4 --portrait --side gm --paper letter -o screen.pdf"""
LEAST_MARGIN, MOST_MARGIN = 6.0, 15.0


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Writes the screen that the words ask for."""
    parse = parser("screen", "Prints the panels of a GM screen: what is looked up in play, one page a panel.", EXAMPLE)
    parse.add_argument("system", help="a system, or the folder of a pack")
    parse.add_argument(
        "--panels", type=int, choices=PANELS, default=0, metavar="N", help="3 or 4 (default: as the pack says, or 3)"
    )
    parse.add_argument("--portrait", action="store_true", help="panels that stand upright (default: on their side)")
    parse.add_argument("--side", choices=SIDES, default="both", help="the GM’s tables, the players’ reference, or both")
    say = f"free around each panel, and twice that where two meet (default {OUTER:g})"
    parse.add_argument("--margin", type=millimetres(LEAST_MARGIN, MOST_MARGIN), default=None, metavar="MM", help=say)
    add_paper(parse)
    add_toning(parse)
    add_output(parse, formats=".pdf")
    args = parse.read(words)
    project = project_at(where, environ)
    wanted = targets(args.output, args.to, where, (".pdf",))
    pack = open_pack(project, args.system).toned(tone_of(args))
    inputs = sources(project, pack)
    refuse_inputs(wanted, inputs)
    reporter = Reporter(args.quiet, args.json, {"system": pack.system.id}, any(t.path is None for t in wanted))
    wish = Wish(panels=args.panels, portrait=args.portrait, paper=args.paper, side=args.side, margin=args.margin)
    if not wanted:
        stem = telling_name(pack, "screen", args.paper, "", project.output).name
        wanted = own_targets(project, stem, (".pdf",), reporter.say)
    for target in wanted:
        made = deliver(target, lambda write: screen(project, pack, write, wish), inputs=inputs)
        if target.path is not None:
            reporter.wrote(target.name, f"{made.panels} panels of {pack.system.title}")
        reporter.facts["print"] = list(made.advice)
        for line in made.advice:
            reporter.say(f"  {line}")
    return reporter.finish()
