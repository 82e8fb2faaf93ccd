"""People as a product: the options of all that prints them, the job of one run, and sheets of character files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from sheetgen.batch.pool import cores
from sheetgen.documents.people.sheet import is_asked
from sheetgen.errors import InputError, Problem, UsageError
from sheetgen.geometry import SHEET_PAPERS, SMALL_SHEET, paper_name
from sheetgen.model.character import Character
from sheetgen.model.wording import DOT, capital
from sheetgen.pdf.fonts.face import AddedFont
from sheetgen.people.character_files import Party, chosen_parties, joined_parties, read_parties
from sheetgen.people.ordering import check_order
from sheetgen.people.rerolling import with_edits_marked
from sheetgen.press.plan import PRINTER_MARGIN
from sheetgen.products.batch_pdf import MANY
from sheetgen.products.people.blank import ink_line, ink_shares
from sheetgen.products.people.options import PeopleOptions, people_conflict
from sheetgen.products.people.printing import (
    FORMATS,
    Company,
    check_mixed,
    check_size,
    write_mixed,
    write_mixed_table,
    write_people,
)
from sheetgen.products.people.roster import heading_of
from sheetgen.products.people.split_run import (
    MOST_FORMS,
    ZIP,
    SplitRun,
    check_files,
    ordered_series,
    write_forms,
    write_split,
)
from sheetgen.products.product import Argument, Product, ProductResult, Reporter, Sink, fonts_of, write_targets
from sheetgen.products.report import Report
from sheetgen.products.shapes import NPCS, PEOPLE, PrintOptions, RosterHeading
from sheetgen.workspace.packs import Pack, owner_of, sources
from sheetgen.workspace.project import Project
from sheetgen.workspace.targets import STDOUT, Target, refuse_inputs, targets

MOST_BACKED = 1_000  # people on cards with backs, which are imposed all at once
SOME = 20  # from here on a second process is worth its start if each person gets a file


@dataclass(frozen=True, slots=True)
class PeopleJob:
    """The people to print: a function that makes them anew for each result, their number, and their heading.

    `stem` names results that were given no name; `summary` says how many were printed. `notes` are warnings about their
    files, `before` and `after` lines for people. `run` says who is rolled, if the options alone settle it, and
    `resume_words` are words that a run needs to be gone on with. With `in_front` a roster stands before them all;
    `patched` is their file in YAML, if it keeps the comments of another one; `companies` are those of several games,
    `pack` then the first of these. With `portraits` some of them have a picture, with `asked` some
    want or say something.
    """

    pack: Pack
    people: Callable[[], Iterable[Character]]
    count: int
    stem: str
    summary: Callable[[Report], str]
    facts: dict[str, Any]
    heading: RosterHeading = field(default_factory=RosterHeading)
    in_front: bool = False
    inputs: Sequence[Path] = ()
    fonts: tuple[AddedFont, ...] = ()
    notes: tuple[str, ...] = ()
    before: Callable[[], Iterable[str]] = tuple
    after: tuple[str, ...] = ()
    run: str = ""
    resume_words: str = ""
    patched: str | None = None
    companies: tuple[Company, ...] = ()
    portraits: bool = False
    asked: bool = False

    @property
    def packs(self) -> tuple[Pack, ...]:
        """The packs of everybody, in order."""
        return tuple(pack for pack, _ in self.companies) or (self.pack,)


def job_inputs(project: Project, job: PeopleJob) -> tuple[Path, ...]:
    """Return the files that people are made from."""
    return (*job.inputs, *(file for pack in job.packs for file in sources(project, pack)))


def people_targets(options: PeopleOptions, names: Sequence[str], to: str, where: Path) -> tuple[Target, ...]:
    """Return the targets that `-o` names; UsageError for what cannot take this shape, or a file for each person."""
    name, suffix = (names[0], Path(names[0]).suffix.lower()) if names else ("", "")
    wanted_zip = [to.lower() in (ZIP, "zip") if each == STDOUT else each.lower().endswith(ZIP) for each in names]
    if options.kind.filled:
        if to or len(names) > 1 or name == STDOUT:
            raise UsageError("--as form takes one -o: a file for one character, a folder for more")
        if suffix in (*FORMATS, ZIP) and suffix != ".pdf":
            raise UsageError(f"{name}: a form is a .pdf")
        return (Target(name, where / name, ".pdf", folder=suffix != ".pdf"),) if name else ()
    if any(wanted_zip) and not all(wanted_zip) and (options.each or options.split):
        raise UsageError("with --each and --split results are all .zip or none")
    if not options.each or any(wanted_zip):
        return targets(names, to, where, (*FORMATS, ZIP))
    if len(names) > 1 or name == STDOUT:
        raise UsageError("--each takes one -o: a folder")
    if suffix in FORMATS:
        raise UsageError(f"{name} is one file, and --each makes one for each person: name a folder or a .zip")
    form = f".{to.lower().removeprefix('.')}" if to else ".pdf"
    if form not in FORMATS:
        raise UsageError(f"--to: the format must be {', '.join(FORMATS)}")
    return (Target(name, where / name if name else None, form, folder=True),)


def _printing(job: PeopleJob, options: PeopleOptions, wanted: Sequence[Target]) -> PrintOptions:
    each = options.each or (any(target.form == ZIP for target in wanted) and not options.split)
    alone = each or options.split or options.shard or not options.kind.is_stamped
    return PrintOptions(
        options.paper,
        options.shape,
        options.back,
        options.order,
        job.heading,
        roster=job.in_front
        and not alone
        and not options.backs
        and not options.kind.behind
        and options.paper in SHEET_PAPERS,
        index=options.contents,
        shard=options.shard,
        workers=options.workers or (cores() if job.count >= (SOME if each else MANY) else 1),
        cluster=options.cluster,
        strict=options.strict,
        fonts=job.fonts,
        code=options.code,
        portraits=job.portraits,
        asked=job.asked,
        backs=options.backs,
    )


def people_suits(project: Project, job: PeopleJob, options: PeopleOptions, wanted: Sequence[Target]) -> None:
    """Raise UsageError or LimitError for people who cannot be printed so, before anybody is rolled or written."""
    printing, packed = _printing(job, options, wanted), any(target.form == ZIP for target in wanted)
    for pack in job.packs:
        check_order(pack.system, printing.order)
    if (options.backs or options.kind.behind) and (job.companies or job.count > MOST_BACKED):
        named = f"--as {options.shape} is" if options.kind.behind else "--backs are"
        raise UsageError(f"{named} for people of one game, {MOST_BACKED} at the most")
    if job.companies:
        alone = options.each or options.split or options.shard or options.code or not options.kind.is_stamped
        check_mixed(job.companies, {target.form for target in wanted}, alone=bool(alone))
    if options.shard and job.portraits and ".pdf" in ({target.form for target in wanted} or {".pdf"}):
        raise UsageError(
            "--shard makes parts of one PDF of people without pictures: make one with them in a single run"
        )
    refuse_inputs([target for target in wanted if target.path is not None], job_inputs(project, job))
    together = 1 if options.each or packed else job.count
    for form in {target.form for target in wanted} or {".pdf"}:
        check_size(printing, form, min(options.split or together, job.count))
    if printing.order.asked:
        check_size(printing, ".pdf", job.count)
    if not options.kind.filled:
        check_files(options.split, each=options.each, wanted=wanted, count=job.count)
    elif job.count > MOST_FORMS:
        raise UsageError(f"forms are made one file each, {MOST_FORMS} at the most")
    elif job.count > 1 and wanted and not wanted[0].folder:
        raise UsageError(f"{wanted[0].name} is one file, and {job.count} forms are one file each: name a folder")


def stream_people(project: Project, job: PeopleJob, options: PeopleOptions, sink: Sink) -> ProductResult:
    """Write people in a format; NobodyPrinted, before anything is written, if nobody could be."""
    printing = _printing(job, options, ())
    if sink.form == ".yaml" and job.patched is not None and not printing.order.asked:
        sink.write(job.patched.encode())
        report = Report(printed=job.count)
    elif (options.backs or options.kind.behind) and sink.form == ".pdf":
        from sheetgen.products.cards.backs import two_sided_cards  # imports Jinja and pikepdf

        margin = PRINTER_MARGIN if options.margin is None else options.margin
        sheets, report = two_sided_cards(project, job.pack, job.people(), printing, flip=options.flip, margin=margin)
        sink.write(sheets.data)
        title = job.pack.system.title
        return ProductResult(b"", job.summary(report), sheets.advice, sheets.job, title, report=report)
    else:
        with sink.reporter.progress(_share(job, options), "sheets") as done:
            if job.companies and sink.form != ".pdf":
                report = write_mixed_table(project, job.companies, sink.write, sink.form)
                return ProductResult(b"", job.summary(report), report=report)
            if job.companies:
                report = write_mixed(project, job.companies, sink.write, printing, progress=done)
                return ProductResult(b"", job.summary(report), report=report)
            written = partial(write_people, project, job.pack, job.people(), sink.write, printing)
            report = written(form=sink.form, progress=done)
    return ProductResult(b"", job.summary(report), report=report)


def _share(job: PeopleJob, options: PeopleOptions) -> int:
    """Return how many of the people are printed: all, or those of a shard."""
    number, of = options.shard or (1, 1)
    return job.count * number // of - job.count * (number - 1) // of


def _without_roster(job: PeopleJob, options: PeopleOptions, printing: PrintOptions) -> tuple[str, ...]:
    """Return the line that says why the page of a group is left out, if it is, and how to have it."""
    if not job.in_front or printing.roster or not options.kind.is_stamped:
        return ()
    small = paper_name(SMALL_SHEET) if options.paper == SMALL_SHEET else "--each, --split and --shard"
    why = "--backs" if options.backs else small
    return (f"with {why} there is no page of the group in front: --as roster makes it on its own",)


def deliver_people(
    product: Product[PeopleJob, Any],
    project: Project,
    job: PeopleJob,
    options: PeopleOptions,
    *,
    wanted: Sequence[Target],
    reporter: Reporter,
) -> tuple[ProductResult, ...]:
    """Write everything that was asked for: files, folders of files, and archives."""
    reporter.note(job.notes, "noted")
    for line in job.before():
        reporter.say(line)
    many = bool(options.split or options.each)
    if many:  # whoever breaks off needs it to go on
        _say_all(job.after, reporter)
    made: tuple[ProductResult, ...] = ()
    printing, inputs = _printing(job, options, wanted), job_inputs(project, job)
    # What may stop the run comes first.
    single = sorted(wanted, key=lambda target: options.strict and target.form != ".pdf")
    if options.kind.filled:
        target = wanted[0] if wanted else Target(f"{job.stem}-forms", None, ".pdf", folder=True)
        write_forms(project, job.pack, job.people(), printing, target=target, reporter=reporter, inputs=inputs)
    else:
        if many or any(target.form == ZIP for target in wanted):
            run = SplitRun(
                project,
                job.pack,
                ordered_series(job.pack, job.people(), printing),
                printing,
                options.split,
                job.stem,
                job.summary,
                run=job.run,
                resume_words=job.resume_words,
            )
            write_split(run, wanted, reporter, inputs, resume=options.resume)
            single = [target for target in single if target.form != ZIP]
        if not many and (single or not wanted):
            made = write_targets(product, project, job, options, wanted=single, reporter=reporter)
        if reporter.facts.get("skipped") and not options.font:
            reporter.say("--font FILE adds a font for what ours cannot print")
    if not many:
        _say_all(job.after, reporter)
    _say_all(_without_roster(job, options, printing), reporter)
    on_paper = not wanted or any(target.form in (".pdf", ZIP) for target in wanted)
    if options.ink_saver and on_paper and not options.kind.filled:
        for pack in job.packs:
            line = ink_line(ink_shares(project, pack, printing, job.people), options.kind.one)
            reporter.say(f"{pack.system.title}, {line}" if job.companies else line)
    return made


def _say_all(lines: Iterable[str], reporter: Reporter) -> None:
    for line in lines:
        reporter.say(line)


def people_stem(job: PeopleJob, options: PeopleOptions) -> str:
    """Return the name of a file of everybody, or of a shard: `gamers-npcs`, `gamers-npcs-1-of-3`."""
    return f"{job.stem}-{options.shard[0]}-of-{options.shard[1]}" if options.shard else job.stem


def people_product(name: str, say: str, **more: Any) -> Product[PeopleJob, Any]:
    """Return a product that prints people; `more` are the other fields of `Product`."""
    return Product(
        name,
        say,
        formats=(*FORMATS, ZIP),
        stem=people_stem,
        stream=stream_people,
        inputs=job_inputs,
        facts=lambda project, job: job.facts,
        owner=lambda project, job: owner_of(project, job.pack),
        targets=people_targets,
        suits=people_suits,
        deliver=deliver_people,
        output_help=".pdf, .html, .yaml, .json, .csv, .tsv, .xlsx, .ods or .zip",
        **more,
    )


def shaped_stem(stem: str, options: PeopleOptions) -> str:
    """Return the name of a result in the shape that was asked for: `heroes`, `heroes-card`."""
    return stem if options.usual else f"{stem}-{options.shape}"


def job_of_party(project: Project, party: Party, options: PeopleOptions, stem: str, **more: Any) -> PeopleJob:
    """Return the job of printing the characters of a file; `more` are the other fields of `PeopleJob`."""
    count = len(party.characters)
    fonts, files = fonts_of(project, options.font)
    return PeopleJob(
        **{
            "pack": party.pack.with_tone(options.tone),
            "people": lambda: party.characters,
            "count": count,
            "stem": shaped_stem(stem, options),
            "summary": lambda report: f"{report.printed:,} of {count:,} character{'' if count == 1 else 's'}",
            "facts": {"system": party.pack.system.id},
            "in_front": party.group is not None,
            "fonts": fonts,
            "notes": tuple(map(str, party.notes)),
            "portraits": any(each.picture for each in party.characters),
            "asked": asks(party.pack, party.characters),
            **more,
            "inputs": (*more.get("inputs", ()), *files),
        }
    )


def _open_files(project: Project, given: Any, options: PeopleOptions) -> PeopleJob:
    """Return the characters of a file, or of several files, which may be of several games."""
    paths = [project.where / each for each in ([given] if isinstance(given, (str, Path)) else given)]
    parties, stem = (
        chosen_parties(joined_parties(_read(project, paths, keep_columns=options.keep_columns)), options.only),
        paths[0].stem,
    )
    return job_of_parties(project, parties, options, stem, title=PEOPLE if len(paths) > 1 else "", inputs=paths)


def job_of_parties(
    project: Project,
    parties: Sequence[Party],
    options: PeopleOptions,
    stem: str,
    *,
    title: str = "",
    inputs: Sequence[Path] = (),
) -> PeopleJob:
    """Return the job of printing people of one game or of several; without a title they are called after the file."""
    party = parties[0]
    own = stem.removeprefix(f"{party.pack.system.id}-").replace("-", " ")
    title = title or (PEOPLE if own == NPCS else capital(own))
    everybody = tuple(chain.from_iterable(each.characters for each in parties))
    heading = replace(heading_of(party.group) or RosterHeading(title), reroll_hint=run_hint(everybody))
    job = job_of_party(project, party, options, stem, heading=heading, inputs=inputs)
    if len(parties) == 1:
        return job
    return replace(
        job,
        people=lambda: everybody,
        count=len(everybody),
        summary=lambda report: f"{report.printed:,} of {len(everybody):,} characters of {len(parties)} games",
        facts={"systems": [each.pack.system.id for each in parties]},
        in_front=False,
        portraits=any(character.picture for character in everybody),
        asked=all(each.pack.ours for each in parties) and any(map(is_asked, everybody)),
        notes=tuple(str(note) for each in parties for note in each.notes),
        companies=tuple((each.pack.with_tone(options.tone), each.characters) for each in parties),
    )


def asks(pack: Pack, people: Iterable[Character]) -> bool:
    """Return whether sheets have a row for what people want and say: those of our games, if somebody does."""
    return pack.ours and any(map(is_asked, people))


def run_hint(people: Sequence[Character]) -> str:
    """Return seed and numbers of people from files, and whether any was edited; "" if nobody was rolled."""
    origins = [each.origin for each in people if each.origin is not None]
    if not origins:
        return ""
    seeds, numbers = sorted({each.seed for each in origins}), sorted(each.index for each in origins)
    run = len(seeds) == 1 and numbers == list(range(numbers[0], numbers[-1] + 1))
    if run:
        said = f"seed {seeds[0]}{DOT}no. {numbers[0]:,}" + (f" to {numbers[-1]:,}" if len(numbers) > 1 else "")
    else:
        said = f"seed {seeds[0]}" if len(seeds) == 1 else f"{len(seeds)} seeds"
    changed = len(origins) < len(people) or any(each.edited or each.rerolled for each in origins)
    return f"{said}{DOT}edited" if changed else said


def _read(project: Project, paths: Sequence[Path], *, keep_columns: bool) -> list[Party]:
    parties: list[Party] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            parties += map(with_edits_marked, read_parties(project, path, keep_columns=keep_columns))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return parties


SHEETS = people_product(
    "sheet",
    "filled sheets for characters you wrote, edited or rolled earlier",
    options=PeopleOptions,
    arguments=(Argument("files", "files of characters; several games share one PDF", "CHARACTERS", "+"),),
    open=_open_files,
    conflict=people_conflict,
    variants=lambda project, pack: [("sheet", PeopleOptions())] if pack.system.fields else [],
    built=lambda options: (),
)
