"""`sheetgen cards`: decks to cut out, to send to a print shop, or to lay on a virtual table."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import LARGEST_SEED, add_casting, add_output, add_toning, parser, settled, tone_of, whole
from sheetgen.cli.outputs import Reporter
from sheetgen.cli.print_options import add_press, cutting_of, deliver_plan, refuse_plan
from sheetgen.errors import UsageError
from sheetgen.geometry import CARDS
from sheetgen.people.rolling import Run, check_run
from sheetgen.products.card_faces import Faces, sheets, singles, write_pictures
from sheetgen.products.card_sheets import Cut, Cutting
from sheetgen.products.cards import DECKS, RULES, Deck, deck_of
from sheetgen.products.playing_deck import MOST_OPERATORS
from sheetgen.products.sheet import telling_name
from sheetgen.workspace.packs import Pack, open_pack, sources
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.targets import Target, deliver, own_targets, refuse_inputs, targets

EXAMPLE = """  sheetgen cards gamers
  sheetgen cards tsgs --size tarot --paper letter --bleed -o deck.pdf
  sheetgen cards gamers --single -o for-the-print-shop.pdf
  sheetgen cards sixshooter --deck playing -o for-the-virtual-table.zip
  sheetgen cards sixshooter --deck operators -n 6 --seed 7 --option genre=noir"""
FORMATS = (".pdf", ".zip")
USUAL_PEOPLE, USUAL_SEED = 8, 7


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Writes the deck that the words ask for."""
    args = _read(words)
    project = project_at(where, environ)
    wanted = targets(args.output, args.to, where, FORMATS)
    refuse_plan(args, wanted)
    if args.plan and args.single:
        raise UsageError("--plan shows how sheets are printed and cut: leave out --single")
    pack = open_pack(project, args.system).toned(tone_of(args))
    deck = deck_of(project, pack, args.deck)
    _check_people(args, deck)
    size, cutting = args.size or deck.usual(args.paper), cutting_of(args, project)
    inputs = sources(project, pack)
    refuse_inputs(wanted, inputs)
    reporter = Reporter(args.quiet, args.json, {"system": pack.system.id}, any(t.path is None for t in wanted))
    count, seed = args.count or USUAL_PEOPLE, USUAL_SEED if args.seed is None else args.seed
    who = Run(seed=seed, count=count, archetype=args.archetype, options=settled(args.option, "--option"))
    if deck.people:
        check_run(pack, who)
    faces = deck.make(project, pack, size, who)
    made = None if args.single else sheets(faces, cutting)
    for target in wanted or _own(project, pack, args, reporter):
        _deliver(target, faces, made, cutting, inputs=inputs)
        if target.path is not None:
            reporter.wrote(target.name, f"{len(faces.names)} {size} cards of {pack.system.title}")
        if made is not None and target.form == ".pdf":
            deliver_plan(project, args, target, made.job, title=_title(pack, args), reporter=reporter)
            reporter.facts["print"] = list(made.advice)
            for line in made.advice:
                reporter.say(f"  {line}")
    return reporter.finish()


def _read(words: Sequence[str]) -> Namespace:
    parse = parser("cards", "Prints decks of cards: on sheets to cut out, or one by one.", EXAMPLE)
    parse.add_argument("system", help="a system, or the folder of a pack")
    says = "; ".join(f"{name}: {deck.say}" for name, deck in DECKS.items())
    parse.add_argument("--deck", choices=tuple(DECKS), default=RULES, help=f"{says} (default {RULES})")
    usual = "default: the deck's usual size; poker on A4, trading on Letter"
    parse.add_argument("--size", choices=tuple(CARDS), default="", help=usual)
    single = "a page for each front and back, with TrimBox and 3 mm of bleed; a .zip holds them as pictures"
    parse.add_argument("--single", action="store_true", help=single)
    parse.add_argument(
        "-n", "--count", type=whole(1, MOST_OPERATORS), metavar="N", help="how many people, in a deck of them"
    )
    parse.add_argument("--seed", type=whole(0, LARGEST_SEED), metavar="N", help="the same seed rolls the same people")
    add_casting(parse)
    add_press(parse)
    add_toning(parse)
    add_output(parse, formats=".pdf to print, .zip of PNG pictures")
    return parse.read(words)


def _check_people(args: Namespace, deck: Deck) -> None:
    """UsageError for words about people on a deck without any."""
    if not deck.people and (args.count or args.seed is not None or args.archetype or args.option):
        words = "--count, --seed, --archetype and --option"
        raise UsageError(f"{words} are for decks of people; {args.deck} is none")


def _deliver(target: Target, faces: Faces, made: Cut | None, cutting: Cutting, *, inputs: Sequence[Path]) -> None:
    """Writes the sheets, or the single cards as pages or as pictures; backs only where they are wanted."""
    backs = cutting.backs != "none"
    if target.form == ".zip":
        deliver(target, lambda write: write_pictures(faces, write, backs=backs), inputs=inputs)
    else:
        data = singles(faces, backs=backs) if made is None else made.data
        deliver(target, lambda write: write(data), inputs=inputs)


def _own(project: Project, pack: Pack, args: Namespace, reporter: Reporter) -> tuple[Target, ...]:
    what = "cards" if args.deck == RULES else f"{args.deck}-cards"
    stem = telling_name(pack, what, args.paper, "", project.output).name
    return own_targets(project, f"{stem}-single" if args.single else stem, (".pdf",), reporter.say)


def _title(pack: Pack, args: Namespace) -> str:
    return f"{pack.system.title}: {DECKS[args.deck].say}"
