"""The verbs that make a product: a parser from the fields of its options, and the one way to make it.

What was printed of a result is marked, and only what changed since is written beside it, where that is asked for.
"""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, fields
from datetime import date
from pathlib import Path
from typing import Any

from sheetgen.cli.options import Parser, add_output, add_watch, again_and_again, argument, parser, unique_values
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.content.packs.house_rules import FILE as HOUSE_FILE
from sheetgen.errors import InputError, Place, Problem, UsageError
from sheetgen.products.options import OPTION, Choice, Chosen, Options, default_of, options_of
from sheetgen.products.product import Product, Reporter, produce, product_named
from sheetgen.workspace.printed import keep_printed, last_printed
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.targets import Target, write_target

CHANGED = "beside it NAME-changed.pdf: only what differs from what was printed (see printed), with an order sheet"
MARK = "keep the result as printed (see printed)"
ENDING = "-changed"
# What the help of each says it does, and its examples.
HELP = {
    "npc": (
        "Rolls non-player characters and prints their sheets.",
        """  sheetgen npc gamers -n 12 --seed 7
  sheetgen npc gamers --archetype guard --option tech=9 -o guard.pdf -o guard.yaml
  sheetgen npc gamers --group "the night watch" --as card
  sheetgen npc gamers -n 60 --as roster --sort Melee
  sheetgen npc gamers --seed 7 --index 57 --log
  sheetgen npc --reroll skills --keep name,occupation output/gamers-npcs.yaml""",
    ),
    "sheet": (
        "Prints filled sheets for the characters of YAML, JSON or CSV files.",
        """  sheetgen sheet heroes.yaml
  sheetgen sheet guards.yaml --as card
  sheetgen sheet heroes.yaml villains.yaml --contents --sort name
  sheetgen sheet heroes.yaml -o heroes.pdf --back --paper letter""",
    ),
    "blank": (
        "Prints an empty character sheet, front and back.",
        """  sheetgen blank gamers --paper letter
  sheetgen blank gamers --fillable -o form.pdf""",
    ),
    "book": (
        "Prints the rulebook of a system, with contents, page references and an index.",
        """  sheetgen book gamers --paper a5
  sheetgen book tsgs -o rules.pdf -o rules.html
  sheetgen book diecodes --booklet --paper letter""",
    ),
    "cards": (
        "Prints decks of cards: on sheets to cut out, or one by one.",
        """  sheetgen cards gamers
  sheetgen cards tsgs --size tarot --paper letter --bleed -o deck.pdf
  sheetgen cards gamers --single -o for-the-print-shop.pdf
  sheetgen cards sixshooter --deck playing -o for-the-virtual-table.zip
  sheetgen cards sixshooter --deck operators -n 6 --seed 7 --option genre=noir""",
    ),
    "screen": (
        "Prints the panels of a GM screen: what is looked up in play, one page a panel.",
        """  sheetgen screen gamers
  sheetgen screen tsgs --panels 4 --portrait --side gm --paper letter -o screen.pdf
  sheetgen screen diecodes --joined""",
    ),
    "reference": (
        "Prints what players look up: a page, two at most, or a little book.",
        """  sheetgen reference gamers
  sheetgen reference sixshooter --pocket --paper letter
  sheetgen reference genesix -o reference.html""",
    ),
    "handouts": (
        "Makes things to hand to players: a pack's own, or of words that you write.",
        """  sheetgen handouts sixshooter
  sheetgen handouts tsgs --only on-owls -o decree.png
  sheetgen handouts letter.md --look noir --paper letter
  sheetgen handouts --styles""",
    ),
    "session": (
        """Prints what a GM needs for an evening, in the order of use, from one file: the
run sheet, people, handouts, what players look up, the screen.""",
        """  sheetgen session new toll.yaml --system gamers      a file to fill in, with a word on everything
  sheetgen session toll.yaml                          all of it, as one PDF
  sheetgen session toll.yaml --part run-sheet         one part alone
  sheetgen session toll.yaml -o toll.html             the run sheet, for a tablet""",
    ),
    "booklet": (
        "Puts the pages of any PDF on sheets to fold, cut or staple.",
        """  sheetgen booklet gamers-rulebook-a5.pdf
  sheetgen booklet zine.pdf --fold eight --paper letter -o fold-me.pdf""",
    ),
    "campaign": (
        "Prints the cast of a campaign: who knows whom, and what happened to them.",
        """  sheetgen campaign new harbour --system gamers                      the folder
  sheetgen npc gamers -n 6 --seed 1 -o harbour/cast/people.yaml      its cast
  sheetgen campaign log "Marisol Andrade" "limps since the bridge" --campaign harbour
  sheetgen campaign harbour                                          the cast on paper""",
    ),
    "join": (
        "Joins PDFs, ours or anybody’s: bookmarks and links kept, one contents in front.",
        """  sheetgen join tonight.pdf map.pdf letters.pdf -o everything.pdf
  sheetgen join output/*.pdf --title "The toll" -o evening.pdf
  sheetgen join a.pdf b.pdf --no-contents --no-right -o c.pdf     nothing but their pages""",
    ),
    "diff": (
        """Tells how a later result differs from an earlier one, piece by piece: cards by their
names, pages wherever they moved. With -o both stand side by side, marked.""",
        """  sheetgen diff before.pdf output/gamers-cards.pdf
  sheetgen diff old-rules.pdf new-rules.pdf -o what-changed.pdf
  sheetgen diff before.html after.html                     web pages and files of characters in words""",
    ),
    "merge": (
        "Puts shards together into what the single run would have given.",
        """  sheetgen merge part1.pdf part2.pdf part3.pdf -o everybody.pdf
  where each part was made like this: sheetgen npc gamers -n 9000 --seed 7 --shard 1/3 -o part1.pdf""",
    ),
    "proof": (
        "Prints a page of two sides to measure a printer by, and keeps what you read.",
        """  sheetgen proof                                      print both sides, and read it
  sheetgen proof --save office --shift 0.8,-1.2       keep what you read
  sheetgen proof --printer office                     print it again: the crosses meet
  sheetgen cards gamers --printer office              so do all backs from then on""",
    ),
    "fill": (
        """Fills in a fillable PDF, ours or anybody's, for the characters of a file.
Fields are matched with values by their names; where that does not do, --map-out
writes a map of the form to edit, and --map fills in by it.""",
        """  sheetgen fill sheet.pdf heroes.yaml
  sheetgen fill sheet.pdf heroes.yaml --map-out sheet-map.yaml
  sheetgen fill sheet.pdf heroes.yaml --map sheet-map.yaml --flat -o heroes.pdf""",
    ),
}


def add_printing(parse: ArgumentParser) -> None:
    """Add the options for what was printed."""
    parse.add_argument("--changed", action="store_true", help=CHANGED)
    parse.add_argument("--moved", action="store_true", help="with --changed: pages with another number alone, too")
    parse.add_argument("--mark-printed", action="store_true", help=MARK)


def check_printing(args: Namespace, wanted: Iterable[Target]) -> None:
    """Raise UsageError for results that cannot be compared with what was printed."""
    named = tuple(wanted)
    if args.moved and not args.changed:
        raise UsageError("--moved goes with --changed")
    if not (args.changed or args.mark_printed):
        return
    if any(target.path is None or target.form != ".pdf" for target in named):
        raise UsageError("--changed and --mark-printed are for PDFs that are files: give -o a name that ends in .pdf")


def after_printing(project: Project, args: Namespace, names: Iterable[str], reporter: Reporter) -> None:
    """Write what changed of results that were just made, and mark them as printed, as the options ask."""
    files = [project.where / name for name in names if name.endswith(".pdf") and not name.endswith("-plan.pdf")]
    for path in files:
        if args.changed:
            write_changed(project, path, reporter, moved=args.moved)
        if args.mark_printed:
            mark_printed(project, path, reporter, date.today().isoformat())


def mark_printed(project: Project, path: Path, reporter: Reporter, day: str) -> None:
    """Keep a file as printed on a day; of NAME-changed.pdf the whole file that it belongs to.

    InputError for a file that is damaged, or not ours.
    """
    whole = path.with_name(f"{path.stem.removesuffix(ENDING)}{path.suffix}")
    path = whole if path.stem.endswith(ENDING) and last_printed(project, whole) is not None else path
    shown = project.shown(path)
    if path.suffix.lower() != ".pdf":
        raise InputError([Problem(Place(shown), "only a PDF is kept as printed")])
    from sheetgen.products.finished.comparison import compare  # imports pikepdf

    comparison = compare(path, path, shown=(shown, shown))  # refuses what could not be compared later on
    keep_printed(project, path, shown, day)
    reporter.facts.setdefault("marked", []).append(shown)
    count, what = len(comparison.changes), comparison.unit
    reporter.say(f"{shown}: kept as printed, {count} {what}{'' if count == 1 else 's'}")


def write_changed(project: Project, path: Path, reporter: Reporter, *, moved: bool) -> None:
    """Write what changed of a file since it was printed beside it; tell so if that is nothing, or everything."""
    from sheetgen.products.finished.comparison import compare  # imports pikepdf
    from sheetgen.products.finished.only_changed import only_changed

    shown, kept = project.shown(path), last_printed(project, path)
    if kept is None:
        reporter.facts.setdefault("changed", []).append({"file": shown, "printed": None})
        reporter.say(f"  nothing of it was printed yet, so all of it is new; when it is: sheetgen printed {shown}")
        return
    comparison = compare(kept.copy, path, shown=(f"{shown} as it was printed", shown))
    facts = {"file": shown, "printed": kept.date, "summary": comparison.summary(), "differences": [*comparison.told()]}
    reporter.facts.setdefault("changed", []).append(facts)
    if comparison.same:
        reporter.say(f"  {shown} shows the same as what was printed on {kept.date}: nothing to print")
        return
    made = only_changed(project, comparison, path, date=kept.date, moved=moved)
    beside = path.with_name(f"{path.stem}{ENDING}.pdf")
    name = project.shown(beside)
    write_target(Target(name, beside, ".pdf"), lambda write: write(made.data), inputs=(path,))
    reporter.wrote(name, made.what)
    for line in (*made.advice, *comparison.told()):
        reporter.say(f"  {line}")
    reporter.say(f"  when it is printed: sheetgen printed {shown}")


def make_product(name: str, words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Make the product that the verb is called after, as the words ask for it; return the exit code."""
    product = product_named(name)
    args = product_parser(product).read(words)
    return run_product(product, args, project_at(where, environ), environ)


def product_parser(product: Product[Any, Any]) -> Parser:
    """Return the parser of a product's verb."""
    parse = parser(product.name, *HELP[product.name])
    for each in product.arguments:
        count = {"nargs": each.count} if each.count else {}
        start = {"default": ""} if each.count == "?" else {}
        parse.add_argument(each.name, metavar=each.metavar or None, help=each.help, **count, **start)  # type: ignore[arg-type]
    add_options(parse, product.options)
    add_watch(parse)
    if product.prints:
        add_printing(parse)
    add_output(parse, formats=product.output_help or " or ".join(product.formats))
    return parse


def add_options(parse: Parser, kind: type[Options]) -> None:
    """Add an option for each field of a class of options."""
    for each, about in options_of(kind):
        _add(parse, each.name, default_of(each), about)


def run_product(product: Product[Any, Any], args: Namespace, project: Project, environ: Mapping[str, str]) -> int:
    """Make the product of what the words name, opened when they have been checked; return the exit code.

    With --watch it is made again whenever a file that it comes from changes, house rules too, until Ctrl-C.
    """
    if not args.watch:
        return _make_once(product, args, project, [])
    named = [project.where / word for each in product.arguments for word in _as_words(getattr(args, each.name))]
    always, found = (*named, project.where / HOUSE_FILE), list[Path]()

    def work() -> int:
        inputs = list[Path]()
        try:
            return _make_once(product, args, project_at(project.where, environ), inputs)
        finally:
            found[:] = inputs or found  # what could not be opened has those it had before

    return again_and_again(work, lambda: dict.fromkeys((*found, *(path for path in always if path.is_file()))))


def _as_words(given: object) -> list[str]:
    return [given] if isinstance(given, str) else [str(each) for each in given or ()]  # type: ignore[attr-defined]


def _make_once(product: Product[Any, Any], args: Namespace, project: Project, inputs: list[Path]) -> int:
    """Make the product once; `inputs` takes the files that it comes from as soon as they are known."""
    options = options_from(args, product.options)
    wanted = product.read_targets(options, args.output, args.to, project.where)
    product.check(options, wanted)
    if product.prints:
        check_printing(args, wanted)
    given = tuple(getattr(args, each.name) for each in product.arguments)
    reporter = ConsoleReporter.of(args, to_stderr=any(target.is_stdout for target in wanted))
    subject = product.open(project, given[0] if len(given) == 1 else given, options)
    inputs += product.inputs(project, subject)
    produce(product, project, subject, options, wanted=wanted, reporter=reporter)
    if product.prints and (args.changed or args.mark_printed):
        after_printing(project, args, tuple(reporter.facts.get("written", ())), reporter)
    return reporter.finish()


def options_from(args: Namespace, kind: type[Chosen]) -> Chosen:
    """Return the options that the words came to."""
    return kind(**{each.name: _value(getattr(args, each.name), each) for each in fields(kind)})


def _value(value: Any, option: Field[Any]) -> Any:
    if not option.metadata[OPTION].repeated:
        return value
    return unique_values(value, f"--{option.name}") if default_of(option) == {} else tuple(value)


def _add(parse: ArgumentParser, name: str, default: Any, about: Choice) -> None:
    names = [*([about.short] if about.short else []), about.flag or f"--{name.replace('_', '-')}"]
    if about.is_switch:
        action: Any = BooleanOptionalAction if about.negatable else "store_true"
        parse.add_argument(*names, dest=name, action=action, default=default, help=about.help)
    elif about.choices:
        kind = type(about.choices[0])
        metavar = about.metavar or None
        parse.add_argument(
            *names, dest=name, type=kind, choices=about.choices, default=default, metavar=metavar, help=about.help
        )
    else:
        assert about.read is not None
        action, start = ("append", []) if about.repeated else ("store", default)
        metavar, read = about.metavar or None, argument(about.read)
        parse.add_argument(*names, dest=name, action=action, type=read, default=start, metavar=metavar, help=about.help)
