"""Splitting a print run into several files: the people of each file, and the key of what shapes it.

Small parts are made whole by several processes, each part by one of them; the pages of large ones are shared out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b

from sheetgen.batch.pool import in_order
from sheetgen.batch.sequence import Series, chunks, series_of
from sheetgen.errors import SheetgenError
from sheetgen.model.character import Character
from sheetgen.people.ordering import arranged
from sheetgen.products.batch_pdf import Forms, Progress, Report, digests, forms_of
from sheetgen.products.people_options import ROSTER, PrintOptions, write_people
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

WHOLE = 500  # people in the largest part that one process makes alone
TOGETHER = 20  # people whose parts come from a process at once

Make = Callable[[Write, Progress], Report]


@dataclass(frozen=True, slots=True)
class SplitRun:
    """A run that is split into several files: its people, how they are printed, and the format.

    `source` is a key of what shapes all of it, `run` says who is rolled; other people speak for themselves.
    """

    project: Project
    pack: Pack
    people: Series[Character]
    printing: PrintOptions
    form: str = ".pdf"
    source: str = ""
    run: str = ""

    def key(self, numbers: range) -> str:
        """Return a key of everything that shapes the file of these people."""
        printing, fonts = replace(self.printing, workers=1, strict=False, fonts=()), digests(self.printing.fonts)
        people = [self.run, numbers] if self.run else [(each.values, each.origin) for each in self.people.part(numbers)]
        shaping = repr((self.source, self.form, printing, fonts, people))
        return blake2b(shaping.encode(errors="surrogateescape"), digest_size=16).hexdigest()


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


def make_parts(run: SplitRun, parts: Sequence[range]) -> Iterator[Part]:
    """Yield the files of these people in order; `make` raises NobodyPrinted, and writes nothing, for an empty one."""
    workers = run.printing.workers
    by = _writer(run)
    largest = max(map(len, parts), default=0)
    if largest > WHOLE:
        yield from (Part(some, "", by(run.people.part(some), workers)) for some in parts)
        return

    def begin() -> Callable[[range], list[_FinishedPart]]:
        people = run.people.begin()
        return lambda some: [_finish_part(by, parts[number], list(people(parts[number]))) for number in some]

    at_once = max(TOGETHER // max(largest, 1), 1)
    for bunch in in_order(begin, chunks(len(parts), at_once), workers=workers):
        yield from (Part(made.numbers, made.name, made.make) for made in bunch)


@dataclass(frozen=True, slots=True)
class _FinishedPart:
    """A part made in another process, or its error, which is raised only when the parts before it are written."""

    numbers: range
    name: str
    data: bytes = b""
    report: Report = field(default_factory=Report)
    error: SheetgenError | None = None

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
        printing = replace(run.printing, workers=workers)

        def make(write: Write, progress: Progress) -> Report:
            written = partial(write_people, run.project, run.pack, people, write, printing)
            return written(form=run.form, forms=forms, progress=progress)

        return make

    return by


def _forms(run: SplitRun) -> Forms | None:
    """Return the forms of all parts; None if the format needs none."""
    printing = run.printing
    if run.form != ".pdf" or printing.shape == ROSTER:
        return None
    shape = printing.form
    return forms_of(run.project, run.pack, shape, paper=printing.paper, back=printing.back)
