"""A print run in several files: one for every so many people (`--split`), one for each (`--each`), a ZIP of either.

Small parts are made whole by several processes, each part by one of them; the pages of large ones are shared out. Each
file appears when it is whole, and what was made is remembered beside the files: `--resume` makes only the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from itertools import tee
from pathlib import Path

from sheetgen.batch.cluster import dealt
from sheetgen.batch.pool import Series, chunks, series_of
from sheetgen.errors import SheetgenError, UsageError
from sheetgen.model.character import Character
from sheetgen.pdf.form.field_text import Unprintable
from sheetgen.people.ordering import arranged
from sheetgen.products.batch_pdf import Forms, Progress, digests, forms_of
from sheetgen.products.people.printing import write_people
from sheetgen.products.product import Meter, Reporter
from sheetgen.products.report import NobodyPrinted, Report
from sheetgen.products.shapes import PrintOptions
from sheetgen.workspace.archive import archive
from sheetgen.workspace.manifest import Manifest, Parts, source_key
from sheetgen.workspace.packs import Pack, owner_of, sources
from sheetgen.workspace.project import Project
from sheetgen.workspace.targets import Target, own_targets, shown_url, write_target, write_url
from sheetgen.workspace.write import Output, Write, slugs, sweep

WHOLE = 500  # people in the largest part that one process makes alone
TOGETHER = 20  # people whose parts come from a process at once
MOST_FILES = 10_000
MOST_PACKED = 50_000  # a classic ZIP holds 65,535
MOST_IN_ONE = 1_000_000
MOST_FORMS = 500
ZIP = ".zip"

Make = Callable[[Write, Progress], Report]


def check_files(size: int, *, each: bool, wanted: Sequence[Target], count: int) -> None:
    """Raise UsageError for too many files of `size` people each, or for several files on standard output."""
    packed = any(target.form == ZIP for target in wanted)
    streams = [target for target in wanted if target.path is None and not target.folder and not target.url]
    if (size or each) and not packed and streams:
        what = "standard output" if streams[0].is_stdout else streams[0].name
        raise UsageError(f"{'--split' if size else '--each'} makes several files: {what} takes one")
    if not size and not each and not packed and count > MOST_IN_ONE:
        raise UsageError(f"one file takes {MOST_IN_ONE:,} people at the most, not {count:,}: --split N makes several")
    files = -(-count // size) if size else count if each or packed else 1
    most = MOST_PACKED if packed else MOST_FILES
    if files > most:
        words = "--split" if size else "--each" if each and not packed else "a .zip"
        makes = "takes" if words == "a .zip" else "makes"
        raise UsageError(f"{words} {makes} {most:,} files at the most, not {files:,}")


@dataclass(frozen=True, slots=True)
class SplitRun:
    """A run that is split into several files: its people, how they are printed, and the format.

    `size` is how many people a file has, 0 for a file named after each; `stem` is their default name, and `summary`
    tells of a report. `source` is a key of what shapes all of it, `run` says who is rolled; other people speak for
    themselves. `resume_words` are what a run needs to be gone on with.
    """

    project: Project
    pack: Pack
    people: Series[Character]
    printing: PrintOptions
    size: int
    stem: str
    summary: Callable[[Report], str]
    form: str = ".pdf"
    source: str = ""
    run: str = ""
    resume_words: str = ""

    def key(self, numbers: range) -> str:
        """Return a key of everything that shapes the file of these people."""
        printing, fonts = (
            replace(self.printing, workers=1, cluster="", strict=False, fonts=()),
            digests(self.printing.fonts),
        )
        people = [self.run, numbers] if self.run else [(each.values, each.origin) for each in self.people.part(numbers)]
        shaping = repr((self.source, self.form, printing, fonts, people))
        return blake2b(shaping.encode(errors="surrogateescape"), digest_size=16).hexdigest()

    @property
    def parts(self) -> tuple[range, ...]:
        """The numbers of the people of each file."""
        return chunks(self.people.count, self.size or 1)


@dataclass(frozen=True, slots=True)
class Part:
    """One file that is ready to be written: its people, the name of the one person if it is only one, and how."""

    numbers: range
    name: str
    make: Make


def ordered_series(pack: Pack, people: Iterable[Character], printing: PrintOptions) -> Series[Character]:
    """Return everybody in the order asked for, as a series."""
    if not printing.order.asked:
        return series_of(people)
    return series_of([character for _, character in arranged(pack.system, people, printing.order)])


def make_parts(run: SplitRun, parts: Sequence[range], urls: Sequence[str] = ()) -> Iterator[Part]:
    """Yield the files of these people in order; `make` raises NobodyPrinted, and writes nothing, for an empty one.

    With `urls` each file is put on its storage by the process that made it, and only its seal comes back.
    """
    workers = run.printing.workers
    by = _writer(run)
    largest = max(map(len, parts), default=0)
    if largest > WHOLE and not run.printing.cluster and not urls:
        yield from (Part(some, "", by(run.people.part(some), workers)) for some in parts)
        return

    def begin() -> Callable[[range], list[_FinishedPart]]:
        people = run.people.begin()

        def finish(number: int) -> _FinishedPart:
            made = _finish_part(by, parts[number], list(people(parts[number])))
            return made.stored(urls[number]) if urls else made

        return lambda some: [finish(number) for number in some]

    at_once = max(TOGETHER // max(largest, 1), 1)
    for bunch in dealt(begin, chunks(len(parts), at_once), workers=workers, cluster=run.printing.cluster):
        yield from (Part(made.numbers, made.name, made.make) for made in bunch)


@dataclass(frozen=True, slots=True)
class _FinishedPart:
    """A part made in another process, or its error, which is raised only when the parts before it are written."""

    numbers: range
    name: str
    data: bytes = b""
    report: Report = field(default_factory=Report)
    error: SheetgenError | None = None

    def stored(self, url: str) -> _FinishedPart:
        """Put the file on a storage; in its place there is its seal then, the end of its line in an index."""
        if self.error is not None:
            return self
        write_url(url, lambda write: write(self.data))
        seal = f"{len(self.data)},{blake2b(self.data, digest_size=16).hexdigest()}"
        return replace(self, data=seal.encode())

    def make(self, write: Write, progress: Progress) -> Report:
        """Write what is there."""
        if self.error is not None:
            raise self.error
        write(self.data)
        progress(len(self.numbers))
        return self.report


def _finish_part(
    by: Callable[[Iterable[Character], int], Make], numbers: range, people: Sequence[Character]
) -> _FinishedPart:
    pieces: list[bytes] = []
    made = partial(_FinishedPart, numbers, people[0].text("name") if len(people) == 1 else "")
    try:
        report = by(people, 1)(pieces.append, lambda done: None)
    except SheetgenError as error:
        return made(error=error)
    return made(b"".join(pieces), report)


def _writer(run: SplitRun) -> Callable[[Iterable[Character], int], Make]:
    """Return a function that prepares the writing of one file; the forms are prepared once for all files."""
    forms = _forms(run)

    def by(people: Iterable[Character], workers: int) -> Make:
        printing = replace(run.printing, workers=workers, cluster="")

        def make(write: Write, progress: Progress) -> Report:
            written = partial(write_people, run.project, run.pack, people, write, printing)
            return written(form=run.form, forms=forms, progress=progress)

        return make

    return by


def _forms(run: SplitRun) -> Forms | None:
    """Return the forms of all parts; None if the format needs none."""
    if run.form != ".pdf" or not run.printing.kind.is_stamped:
        return None
    return forms_of(run.project, run.pack, run.printing)


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a split run: for each, its path below the folder of the record, and its name in messages."""

    record: Parts
    entries: tuple[str, ...]
    names: tuple[str, ...]
    parts: tuple[range, ...]


def _split_files(target: Target, run: SplitRun) -> Files:
    """Return the files people-001.pdf, people-002.pdf … in the folder of people.pdf."""
    assert target.path is not None
    stem, parts = target.path.stem, run.parts
    entries = tuple(f"{stem}{end}{target.path.suffix}" for end in _part_suffixes(len(parts)))
    named = target.name[: len(target.name) - len(target.path.name)]
    return Files(Parts(target.path.parent), entries, tuple(named + entry for entry in entries), parts)


def _each_files(run: SplitRun, target: Target, reporter: Reporter) -> Files:
    """Return a file named after each person, no name twice: in the folder that is named, or in one of the output
    folder.
    """
    stems = slugs(each.text("name") for each in run.people)
    if target.path is None:
        return _default_files(run, [f"/{stem}{run.form}" for stem in stems], reporter)
    entries = tuple(stem + run.form for stem in stems)
    return Files(Parts(target.path), entries, tuple(str(Path(target.name) / entry) for entry in entries), run.parts)


def _default_files(run: SplitRun, ends: Sequence[str], reporter: Reporter) -> Files:
    """Return files in the output folder, under the default name of the run and these ends."""
    output, shown = run.project.output, run.project.shown
    free, taken = Manifest(output, owner_of(run.project, run.pack)).free_stem(run.stem, ends)
    if taken:
        why = f"{shown(output / taken)} was changed since, or is not from here"
        reporter.say(f"{why}: it stays, and the new name is {free}")
    entries = tuple(free + end for end in ends)
    return Files(Parts(output), entries, tuple(shown(output / entry) for entry in entries), run.parts)


def _part_suffixes(count: int) -> Iterator[str]:
    digits = max(3, len(str(count)))
    return (f"-{number:0{digits}}" for number in range(1, count + 1))


def write_split(
    run: SplitRun, wanted: Sequence[Target], reporter: Reporter, inputs: Sequence[Path], *, resume: bool
) -> None:
    """Write a run as several files, or as archives of them."""
    if packed := [target for target in wanted if target.form == ZIP]:
        for target in packed:
            _write_archive(run, target, reporter, inputs)
        return
    if stored := [target for target in wanted if target.url]:
        if resume:
            raise UsageError("--resume goes on with files in a folder: on a storage all are made anew")
        for target in stored:
            _write_stored(replace(run, form=target.form), target, reporter)
        wanted = [target for target in wanted if not target.url]
        if not wanted:
            return
    looks, made_from = f"{run.printing.paper} {run.pack.system.tone}", sources(run.project, run.pack)
    run = replace(run, source=source_key(run.project, made_from, looks, lambda line: None))
    if not wanted:
        ends = [end + run.form for end in _part_suffixes(len(run.parts))]
        _write_files(run, _default_files(run, ends, reporter), reporter, inputs, resume=resume)
    for target in wanted:
        of_form = replace(run, form=target.form)
        files = _each_files(of_form, target, reporter) if target.folder else _split_files(target, of_form)
        _write_files(of_form, files, reporter, inputs, resume=resume)


def _write_files(run: SplitRun, files: Files, reporter: Reporter, inputs: Sequence[Path], *, resume: bool) -> None:
    """Write each file when it is made; when interrupted, say how to go on."""
    folder = files.record.folder
    for each in dict.fromkeys((folder / entry).parent for entry in files.entries):
        sweep(each)
    keys = [run.key(part) for part in files.parts]
    kept = [resume and files.record.has(entry, key) for entry, key in zip(files.entries, keys, strict=True)]
    wanted = [number for number, there in enumerate(kept) if not there]
    if sum(kept):
        reporter.say(f"{sum(kept):,} of {len(kept):,} files are there, made from the same and not changed since: kept")
        reporter.facts["kept"] = [name for name, there in zip(files.names, kept, strict=True) if there]
    shown = reporter.progress(sum(len(files.parts[number]) for number in wanted), "sheets")
    with _resume_hint(files, keys, run.resume_words), shown:
        for number, part in zip(wanted, make_parts(run, [files.parts[number] for number in wanted]), strict=True):
            shown.output = files.names[number]
            with _reporting_file(shown, reporter) as tell:
                with Output(folder / files.entries[number], inputs=inputs, shown=shown.output) as output:
                    write, note = files.record.write(files.entries[number], output)
                    report = part.make(write, shown.counting())
                    note("-" if report.skipped else keys[number])  # who was left out is tried, and told, again
                tell(report, part.name or run.summary(report))


def _write_stored(run: SplitRun, target: Target, reporter: Reporter) -> None:
    """Write the files of a run to a storage, and in the end an index of them: who is in which, its size and digest."""
    base = target.url.removesuffix(target.form)
    urls = [f"{base}{end}{target.form}" for end in _part_suffixes(len(run.parts))]
    shown = reporter.progress(run.people.count, "sheets")
    total, lines, printed = Report(), ["file,first,last,people,bytes,blake2b"], 0
    with shown:
        for url, part in zip(urls, make_parts(run, run.parts, urls), strict=True):
            shown.output, pieces = shown_url(url), list[bytes]()
            try:
                report = part.make(pieces.append, shown.counting())
            except NobodyPrinted as error:
                total.add(error.report)
                continue
            total.add(report)
            printed += 1
            first, last, name = part.numbers.start + 1, part.numbers.stop, url.rpartition("/")[2]
            lines.append(f"{name},{first},{last},{report.printed},{b''.join(pieces).decode()}")
    if not printed:
        reporter.nobody(target.name, total)
        return
    index = "".join(f"{line}\n" for line in lines).encode()
    write_url(f"{base}-index.csv", lambda write: write(index))
    reporter.report(total)
    reporter.wrote(shown_url(f"{base}-index.csv"), f"{run.summary(total)} in {_files(printed)}")


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


@contextmanager
def _reporting_file(shown: Meter, reporter: Reporter) -> Iterator[Callable[[Report, str], None]]:
    """Report what becomes of one file: the yielded function is told of its success."""

    def tell(report: Report, what: str) -> None:
        shown.clear()
        reporter.report(report)
        reporter.wrote(shown.output, what)

    try:
        yield tell
    except NobodyPrinted as error:
        shown.clear()
        reporter.nobody(shown.output, error.report)


@contextmanager
def _resume_hint(files: Files, keys: Sequence[str], resume_words: str) -> Iterator[None]:
    """Add to an interruption how far the run came and how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        record = Parts(files.record.folder)
        there = sum(map(record.has, files.entries, keys))
        raise KeyboardInterrupt(
            f"stopped: {there:,} of {len(keys):,} files are there, each of them whole; "
            f"{resume_words}--resume makes the rest"
        ) from None


def _write_archive(run: SplitRun, target: Target, reporter: Reporter, inputs: Iterable[Path]) -> None:
    """Write a ZIP of all files."""
    stem = target.path.stem if target.path is not None else run.stem
    parts, total, packed = run.parts, Report(), 0
    named = partial(_numbered, stem) if run.size else _named_after_people
    shown = reporter.progress(run.people.count, "sheets")

    def make(write: Write) -> None:
        nonlocal packed
        with archive(write) as add:
            for name, part in named(make_parts(run, parts)):
                shown.output = f"{target.name}, {name}{run.form}"
                try:
                    total.add(add(name + run.form, lambda write, part=part: part.make(write, shown.counting())))  # type: ignore[misc]
                except NobodyPrinted as error:
                    total.add(error.report)
                else:
                    packed += 1
            if not packed:
                raise NobodyPrinted(total)

    try:
        with shown:
            write_target(target, make, inputs=inputs)
    except NobodyPrinted as error:
        reporter.nobody("standard output" if target.is_stdout else target.name, error.report)
        return
    reporter.report(total)
    if target.path is not None:
        reporter.wrote(target.name, f"{run.summary(total)} in {_files(packed)}")


def _numbered(stem: str, made: Iterable[Part]) -> Iterator[tuple[str, Part]]:
    return ((f"{stem}-{number:03}", part) for number, part in enumerate(made, 1))


def _named_after_people(made: Iterable[Part]) -> Iterator[tuple[str, Part]]:
    first, second = tee(made)
    return zip(slugs(part.name for part in first), second, strict=True)


def write_forms(
    project: Project,
    pack: Pack,
    people: Iterable[Character],
    printing: PrintOptions,
    *,
    target: Target,
    reporter: Reporter,
    inputs: Sequence[Path],
) -> None:
    """Write a form for each person, in the file or folder of a target, whose name is that of a default folder.

    Raises NobodyPrinted if nobody could be.
    """
    filled, report = printing.kind.filled, Report()
    assert filled is not None
    listed = [character for _, character in arranged(pack.system, people, printing.order)]
    for stem, character in zip(slugs(each.text("name") for each in listed), listed, strict=True):
        if target.folder and target.path is None:
            own = own_targets(project, f"{target.name}/{stem}", (".pdf",), reporter.say, owner=owner_of(project, pack))
            (one,) = own
        elif target.folder and target.path is not None:
            one = Target(str(Path(target.name) / f"{stem}.pdf"), target.path / f"{stem}.pdf", ".pdf")
        else:
            one = target
        try:
            data, told = filled(project, pack, character, printing.paper)
        except Unprintable as error:
            report.skipped.append(f"{character.place if character.place.file else character.text('name')}: {error}")
            continue
        write_target(one, lambda write, data=data: write(data), inputs=inputs)  # type: ignore[misc]
        report.printed += 1
        reporter.note(told, "continued")
        if one.path is not None:
            reporter.wrote(one.name, character.text("name"))
    if not report.printed:
        raise NobodyPrinted(report)
    reporter.report(report)
