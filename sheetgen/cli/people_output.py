"""Shared by the verbs that print people: the shapes, the order, the pages in front, and the targets."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from sheetgen.batch.pool import cores
from sheetgen.cli.form_output import FORM, add_fonts, check_fonts, check_form_words, refuse_form_inputs, write_forms
from sheetgen.cli.options import add_margin, add_tone, tone_of, whole
from sheetgen.cli.outputs import ConsoleReporter, write_people_target
from sheetgen.cli.progress import Progress
from sheetgen.cli.split_output import (
    ZIP,
    add_parts,
    check_parts,
    each_files,
    each_suffix,
    is_packed,
    own_split_files,
    split_files,
    write_archive,
    write_files,
)
from sheetgen.errors import UsageError, quoted
from sheetgen.model.character import Character
from sheetgen.pdf.fonts.user_font import AddedFont
from sheetgen.people.ordering import Order, arranged, check_order
from sheetgen.press.layouts import PRINTER_MARGIN
from sheetgen.products.batch_pdf import MANY, Report
from sheetgen.products.blank import FREE as SHEET_FREE
from sheetgen.products.formats import SHAPES, SHEET
from sheetgen.products.options import refuse_margin
from sheetgen.products.people_options import ROSTER, WAYS, PrintOptions, check_size, write_people
from sheetgen.products.roster import RosterHeading
from sheetgen.products.sheet import FORMATS
from sheetgen.products.split_run import SplitRun, ordered_series
from sheetgen.workspace.build_key import source_key
from sheetgen.workspace.packs import Pack, owner_of, sources
from sheetgen.workspace.project import Project
from sheetgen.workspace.targets import Target, own_targets, refuse_inputs, targets
from sheetgen.workspace.write import Write

MOST_SHARDS = 1_000
FREE = {SHEET: SHEET_FREE, FORM: SHEET_FREE, ROSTER: 7.0}  # mm at the edges of the paper; cards need all they can get
SOME = 20  # from here on a second process is worth its start if each person gets a file


@dataclass(frozen=True, slots=True)
class PeopleJob:
    """The people to print: a function that makes them anew for each result, their number, and their heading.

    `stem` names results that were given no name, in the formats `suffixes`; `summary` says how many were printed. `run`
    says who is rolled, if the words alone settle it, and `resume_words` are words that a run needs to be gone on with.
    """

    project: Project
    pack: Pack
    people: Callable[[], Iterable[Character]]
    count: int
    stem: str
    suffixes: tuple[str, ...]
    summary: Callable[[Report], str]
    heading: RosterHeading = field(default_factory=RosterHeading)
    roster: bool = False
    inputs: Sequence[Path] = ()
    fonts: tuple[AddedFont, ...] = ()
    run: str = ""
    resume_words: str = ""


def add_printing(to: ArgumentParser) -> None:
    """Add the options for how people are printed."""
    to.add_argument(
        "--as",
        dest="shape",
        choices=(*WAYS, FORM),
        default=SHEET,
        help="a sheet each (default), a card (nine to a page), an index card, a roster with a line each, or a form "
        "that stays open to change",
    )
    to.add_argument("--back", action="store_true", help="player sheets: with the back")
    to.add_argument("--sort", default="", metavar="WORD", help="by name, occupation, archetype, or a trait, best first")
    to.add_argument("--group-by", default="", metavar="WORD", help="together under headings, by the same words")
    to.add_argument("--contents", action="store_true", help="an index in front: who is on which page")
    to.add_argument("--shard", type=_part, metavar="K/N", help="only part K of N; sheetgen merge puts PDFs together")
    to.add_argument(
        "--workers", type=whole(1, 64), metavar="N", help="processes at work on a PDF (default: one a core)"
    )
    to.add_argument(
        "--code", action="store_true", help="PDF: a small QR code on each, from which npc --from-code makes the person"
    )
    add_parts(to)
    add_fonts(to)
    add_tone(to)
    add_margin(to)


def read_targets(args: Namespace, where: Path, count: int) -> tuple[Target, ...]:
    """Return the targets that `-o` options name; UsageError for words that do not go together."""
    _check_words(args)
    if args.shape == FORM:
        check_form_words(args, count)
        return ()
    check_parts(args, count)
    return () if args.each and not is_packed(args) else targets(args.output, args.to, where, (*FORMATS, ZIP))


def _check_words(args: Namespace) -> None:
    refuse_margin(args.margin, FREE.get(args.shape, PRINTER_MARGIN), f"--as {args.shape}")
    if args.back and args.shape not in (SHEET, FORM):
        raise UsageError(f"--back goes with --as {SHEET}: a {args.shape} has none")
    each = args.each or (is_packed(args) and not args.split)
    alone, listing = each or args.shape == FORM, args.shape == ROSTER
    if args.contents and (alone or listing):
        what = f"--as {args.shape}" if args.shape in (FORM, ROSTER) else "--each" if args.each else f"a {ZIP} of people"
        raise UsageError(f"--contents tells pages of one file of sheets or cards: it does not go with {what}")
    if args.shard and (alone or args.split or args.contents or args.sort or args.group_by or listing):
        raise UsageError("--shard is a part of sheets or cards as they come: leave out what orders or lists them")
    if (each or args.split) and listing:
        word = "--each" if args.each else "--split" if args.split else f"a {ZIP}"
        raise UsageError(f"{word} makes a file for each person, --as roster one for all: say one of them")
    if args.code and args.shape == FORM:
        raise UsageError("--code is printed: a form stays open to change, so that it may be somebody else tomorrow")
    if args.shape == FORM and (args.split or args.resume or args.strict):
        raise UsageError("--as form makes a file for each person: --split, --resume and --strict do not go with it")


def printing_of(job: PeopleJob, args: Namespace) -> PrintOptions:
    """Return the print options of the job; UsageError for an order by a field or trait that does not exist."""
    order = Order(args.sort, args.group_by)
    check_order(job.pack.system, order)
    each = args.each or (is_packed(args) and not args.split)
    front = job.roster and not (each or args.split or args.shard or args.shape in (FORM, ROSTER))
    return PrintOptions(
        args.paper,
        args.shape,
        args.back,
        order,
        job.heading,
        roster=front,
        index=args.contents,
        shard=args.shard,
        workers=args.workers or (cores() if job.count >= (SOME if each else MANY) else 1),
        strict=args.strict,
        fonts=job.fonts,
        code=args.code,
    )


def check_job(job: PeopleJob, args: Namespace, wanted: Iterable[Target]) -> None:
    """Raise UsageError or LimitError for jobs that cannot be printed, before anything is rolled or written."""
    printing = printing_of(job, args)
    inputs = (*job.inputs, *sources(job.project, job.pack))
    refuse_inputs(wanted, inputs)
    check_fonts(args, {target.form for target in wanted} or {each_suffix(args) if args.each else ".pdf"})
    together = 1 if args.each or is_packed(args) else job.count
    for form in {target.form for target in wanted} or {".pdf"}:
        check_size(printing, form, min(args.split or together, job.count))
    if printing.order.asked:
        check_size(printing, ".pdf", job.count)
    if args.shape == FORM:
        check_form_words(args, job.count)
        refuse_form_inputs(job.project, args, inputs)
        return
    check_parts(args, job.count)
    if args.each and args.output:
        refuse_inputs([Target(args.output[0], job.project.where / args.output[0], ".pdf")], inputs)


def print_job(job: PeopleJob, args: Namespace, wanted: Sequence[Target], reporter: ConsoleReporter) -> None:
    """Write and report everything that was asked for."""
    inputs = (*job.inputs, *sources(job.project, job.pack))
    if args.shape == FORM:
        people = [character for _, character in arranged(job.pack.system, job.people(), printing_of(job, args).order)]
        write_forms(job.project, job.pack, people, args, reporter, folder=f"{job.stem}-forms", inputs=inputs)
        return
    if args.split or args.each or is_packed(args):
        _print_split(job, args, wanted, reporter, inputs)
        wanted = () if args.split or args.each else [target for target in wanted if target.form != ZIP]
    else:
        stem = f"{job.stem}-{args.shard[0]}-of-{args.shard[1]}" if args.shard else job.stem
        owner = owner_of(job.project, job.pack)
        wanted = wanted or own_targets(job.project, stem, job.suffixes, reporter.say, owner=owner)
    # What may stop the run comes first.
    for target in sorted(wanted, key=lambda each: args.strict and each.form != ".pdf"):
        shown = _progress(job, args)
        shown.output = target.name if len(wanted) > 1 or args.json else ""
        _print(job, args, target, reporter, shown)
    if reporter.facts.get("skipped") and not args.font and args.shape in SHAPES:
        reporter.say("--font FILE adds a font for what ours cannot print")


def _progress(job: PeopleJob, args: Namespace) -> Progress:
    number, of = args.shard or (1, 1)
    count = job.count * number // of - job.count * (number - 1) // of
    return Progress(count, "sheets", quiet=args.quiet, as_json=args.json)


def _print(job: PeopleJob, args: Namespace, target: Target, reporter: ConsoleReporter, shown: Progress) -> None:
    printing, inputs = printing_of(job, args), (*job.inputs, *sources(job.project, job.pack))

    def make(write: Write) -> Report:
        people = job.people()
        return write_people(job.project, job.pack, people, write, printing, form=target.form, progress=shown)

    with shown:
        report = write_people_target(target, make, reporter, inputs=inputs)
    if report is not None and target.path is not None:
        reporter.wrote(target.name, job.summary(report))


def _print_split(
    job: PeopleJob, args: Namespace, wanted: Sequence[Target], reporter: ConsoleReporter, inputs: Sequence[Path]
) -> None:
    """Write a job as several files, or as an archive of them."""
    printing = printing_of(job, args)
    run = SplitRun(job.project, job.pack, ordered_series(job.pack, job.people(), printing), printing)
    if is_packed(args):
        for target in [each for each in wanted if each.form == ZIP]:
            stem = target.path.stem if target.path is not None else job.stem
            packed = partial(write_archive, run, target, reporter, job.summary, stem=stem, size=args.split or 0)
            packed(inputs=inputs, shown=_progress(job, args))
        return
    looks = f"{args.paper} {tone_of(args)}"
    source = source_key(job.project, sources(job.project, job.pack), looks, lambda line: None)
    run = replace(run, source=source, run=job.run)
    if args.each:
        run = replace(run, form=each_suffix(args))
        asked = [(run, each_files(run, args.output[0] if args.output else "", job.stem, reporter))]
    elif wanted:
        of_form = [(replace(run, form=target.form), target) for target in wanted]
        asked = [(each, split_files(target, each, args.split)) for each, target in of_form]
    else:
        asked = [(run, own_split_files(run, job.stem, args.split, reporter))]
    for each, files in asked:
        write = partial(
            write_files, each, files, reporter, job.summary, resume=args.resume, resume_words=job.resume_words
        )
        write(inputs=inputs, shown=_progress(job, args))


def _part(text: str) -> tuple[int, int]:
    """Return the part and the number of parts in K/N, for argparse."""
    number, slash, of = text.partition("/")
    if not slash or not (number.isdigit() and of.isdigit()) or not 1 <= int(number) <= int(of) <= MOST_SHARDS:
        raise ArgumentTypeError(f"takes a part such as 3/16, up to {MOST_SHARDS:,} parts, not {quoted(text)}")
    return int(number), int(of)


def stem_of(args: Namespace, stem: str) -> str:
    """Return the name of a result in the shape that was asked for: `heroes`, `heroes-card`."""
    return stem if args.shape in (SHEET, FORM) else f"{stem}-{args.shape}"


def named_after(args: Namespace) -> str:
    """Return the part of a result's file name for rolled people in their shape: npcs, cards, roster."""
    return SHAPES[args.shape].named if args.shape in SHAPES else "roster" if args.shape == ROSTER else "npcs"
