"""A print run in several files: one for every so many people (`--split`), one for each (`--each`), a ZIP of either.

Each file appears when it is whole. What was made is remembered beside the files: `--resume` makes only the rest.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import tee
from pathlib import Path

from sheetgen.batch.sequence import chunks
from sheetgen.cli.options import whole
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.progress import Progress
from sheetgen.errors import UsageError
from sheetgen.products.batch_pdf import NobodyPrinted, Report
from sheetgen.products.sheet import FORMATS
from sheetgen.products.split_run import Part, SplitRun, make_parts
from sheetgen.workspace.archive import archive
from sheetgen.workspace.manifest import Manifest, Parts
from sheetgen.workspace.packs import owner_of
from sheetgen.workspace.targets import Target, write_target
from sheetgen.workspace.write import Output, Write, slugs, sweep

MOST_FILES = 10_000
MOST_PACKED = 50_000  # a classic ZIP holds 65,535
MOST_IN_ONE = 1_000_000
ZIP = ".zip"

Summary = Callable[[Report], str]


def add_parts(to: ArgumentParser) -> None:
    """Add the options for several files of a run, and for what happens when it is interrupted."""
    to.add_argument("--each", action="store_true", help="one file for each person, in a folder or a .zip")
    to.add_argument("--split", type=whole(1, MOST_IN_ONE), metavar="N", help="one file for every N people")
    to.add_argument("--resume", action="store_true", help="with --split or --each: make only the files still missing")
    to.add_argument("--strict", action="store_true", help="stop at the first person who cannot be printed")


def check_parts(args: Namespace, count: int) -> None:
    """Raise UsageError for options that do not go together with so many files."""
    packed = is_packed(args)
    if args.each and args.split:
        raise UsageError("--each makes a file for each person, --split one for every so many: say one of them")
    if args.resume and (packed or not (args.each or args.split)):
        raise UsageError("--resume makes the files that are missing: it goes with --split or --each, not with one file")
    if args.split and "-" in args.output and not packed:
        raise UsageError("--split makes several files: standard output takes one")
    files = -(-count // args.split) if args.split else count if args.each or packed else 1
    most = MOST_PACKED if packed else MOST_FILES
    if files > most:
        words = "--split" if args.split else "--each" if args.each and not packed else "a .zip"
        makes = "takes" if words == "a .zip" else "makes"
        raise UsageError(f"{words} {makes} {most:,} files at the most, not {files:,}")
    if args.each and not packed:
        _check_folder(args)


def _check_folder(args: Namespace) -> None:
    if len(args.output) > 1 or args.output == ["-"]:
        raise UsageError("--each takes one -o: a folder")
    if args.output and Path(args.output[0]).suffix.lower() in FORMATS:
        raise UsageError(f"{args.output[0]} is one file, and --each makes one for each person: name a folder or a .zip")
    if args.to and f".{args.to.lower().removeprefix('.')}" not in FORMATS:
        raise UsageError(f"--to: the format must be {', '.join(FORMATS)}")


def is_packed(args: Namespace) -> bool:
    """Return whether ZIP archives are asked for; UsageError for ZIPs beside other files with --each or --split."""
    to_zip = args.to.lower() in (ZIP, "zip")
    packed = [to_zip if name == "-" else Path(name).suffix.lower() == ZIP for name in args.output]
    if any(packed) and not all(packed) and (args.each or args.split):
        raise UsageError("with --each and --split results are all .zip or none")
    return any(packed)


def each_suffix(args: Namespace) -> str:
    """Return the format of each file of a folder: that of `--to`, or PDF."""
    return f".{args.to.lower().removeprefix('.')}" if args.to else ".pdf"


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a split run: for each, its path below the folder of the record, and its name in messages."""

    record: Parts
    entries: tuple[str, ...]
    names: tuple[str, ...]
    parts: tuple[range, ...]


def split_files(target: Target, run: SplitRun, size: int) -> Files:
    """Return the files people-001.pdf, people-002.pdf … in the folder of people.pdf."""
    assert target.path is not None
    stem, parts = target.path.stem, chunks(run.people.count, size)
    entries = tuple(f"{stem}{end}{target.path.suffix}" for end in _numbers(len(parts)))
    named = target.name[: len(target.name) - len(target.path.name)]
    return Files(Parts(target.path.parent), entries, tuple(named + entry for entry in entries), parts)


def own_split_files(run: SplitRun, stem: str, size: int, reporter: ConsoleReporter) -> Files:
    """Return the numbered files of a run in the output folder, under a default name."""
    parts = chunks(run.people.count, size)
    ends = [end + run.form for end in _numbers(len(parts))]
    return _default_files(run, stem, ends, parts, reporter)


def each_files(run: SplitRun, named: str, folder: str, reporter: ConsoleReporter) -> Files:
    """Return a file named after each person, no name twice: in the folder `named`, or in one of the output folder."""
    parts = chunks(run.people.count, 1)
    stems = slugs(each.text("name") for each in run.people)
    if not named:
        return _default_files(run, folder, [f"/{stem}{run.form}" for stem in stems], parts, reporter)
    where, entries = run.project.where / named, tuple(stem + run.form for stem in stems)
    return Files(Parts(where), entries, tuple(str(Path(named) / entry) for entry in entries), parts)


def _default_files(
    run: SplitRun, stem: str, ends: Sequence[str], parts: tuple[range, ...], reporter: ConsoleReporter
) -> Files:
    output, shown = run.project.output, run.project.shown
    free, taken = Manifest(output, owner_of(run.project, run.pack)).free_stem(stem, ends)
    if taken:
        why = f"{shown(output / taken)} was changed since, or is not from here"
        reporter.say(f"{why}: it stays, and the new name is {free}")
    entries = tuple(free + end for end in ends)
    return Files(Parts(output), entries, tuple(shown(output / entry) for entry in entries), parts)


def _numbers(count: int) -> Iterator[str]:
    digits = max(3, len(str(count)))
    return (f"-{number:0{digits}}" for number in range(1, count + 1))


def write_files(
    run: SplitRun,
    files: Files,
    reporter: ConsoleReporter,
    summary: Summary,
    *,
    resume: bool,
    resume_words: str,
    inputs: Iterable[Path],
    shown: Progress,
) -> None:
    """Write each file when it is made; when interrupted, say how to go on, with the words `resume_words`."""
    folder, inputs = files.record.folder, tuple(inputs)
    for each in dict.fromkeys((folder / entry).parent for entry in files.entries):
        sweep(each)
    keys = [run.key(part) for part in files.parts]
    kept = [resume and files.record.has(entry, key) for entry, key in zip(files.entries, keys, strict=True)]
    wanted = [number for number, there in enumerate(kept) if not there]
    if sum(kept):
        reporter.say(f"{sum(kept):,} of {len(kept):,} files are there, made from the same and not changed since: kept")
        reporter.facts["kept"] = [name for name, there in zip(files.names, kept, strict=True) if there]
    shown.total = sum(len(files.parts[number]) for number in wanted)
    with _resume_hint(files, keys, resume_words), shown:
        for number, part in zip(wanted, make_parts(run, [files.parts[number] for number in wanted]), strict=True):
            name, entry = files.names[number], files.entries[number]
            shown.output = name
            try:
                with Output(folder / entry, inputs=inputs, shown=name) as output:
                    write, note = files.record.write(entry, output)
                    report = part.make(write, shown.counting())
                    note("-" if report.skipped else keys[number])  # who was left out is tried, and told, again
            except NobodyPrinted as error:
                shown.clear()
                reporter.nobody(name, error.report)
                continue
            shown.clear()
            reporter.report(report)
            reporter.wrote(name, part.name or summary(report))


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


def write_archive(
    run: SplitRun,
    target: Target,
    reporter: ConsoleReporter,
    summary: Summary,
    *,
    stem: str,
    size: int,
    inputs: Iterable[Path],
    shown: Progress,
) -> None:
    """Write a ZIP of a file for every `size` people, or of one named after each person if that is 0."""
    parts, total = chunks(run.people.count, size or 1), Report()
    named = partial(_numbered, stem) if size else _named_after_people
    shown.total, packed = run.people.count, 0

    def make(write: Write) -> None:
        nonlocal packed
        with archive(write) as add:
            for name, part in named(make_parts(run, parts)):
                shown.output = f"{target.name}, {name}{run.form}"
                try:
                    _add(total, add(name + run.form, lambda write, part=part: part.make(write, shown.counting())))  # type: ignore[misc]
                except NobodyPrinted as error:
                    _add(total, error.report)
                else:
                    packed += 1
            if not packed:
                raise NobodyPrinted(total)

    try:
        with shown:
            write_target(target, make, inputs=inputs)
    except NobodyPrinted as error:
        reporter.nobody("standard output" if target.path is None else target.name, error.report)
        return
    reporter.report(total)
    if target.path is not None:
        reporter.wrote(target.name, f"{summary(total)} in {packed:,} file{'' if packed == 1 else 's'}")


def _numbered(stem: str, made: Iterable[Part]) -> Iterator[tuple[str, Part]]:
    return ((f"{stem}-{number:03}", part) for number, part in enumerate(made, 1))


def _named_after_people(made: Iterable[Part]) -> Iterator[tuple[str, Part]]:
    first, second = tee(made)
    return zip(slugs(part.name for part in first), second, strict=True)


def _add(total: Report, report: Report) -> None:
    total.printed += report.printed
    total.skipped += report.skipped
    total.continued += report.continued
