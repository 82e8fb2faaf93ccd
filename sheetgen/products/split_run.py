"""A print run taken apart into several files: which people stand in which, and what each is made from.

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
    """A run that becomes several files: who is printed, how, and in which format.

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
        """A key of all that shapes the part of these people; other keys, other files."""
        printing, fonts = replace(self.printing, workers=1, strict=False, fonts=()), digests(self.printing.fonts)
        people = [self.run, numbers] if self.run else [(each.values, each.origin) for each in self.people.part(numbers)]
        told = repr((self.source, self.form, printing, fonts, people))
        return blake2b(told.encode(errors="surrogateescape"), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Part:
    """One file that is ready to be written: its people, the name of the one person if it is only one, and how."""

    numbers: range
    name: str
    make: Make


def ordered_series(pack: Pack, people: Iterable[Character], printing: PrintOptions) -> Series[Character]:
    """Everybody in the order asked for, as a series."""
    if not printing.order.asked:
        return series_of(people)
    return series_of([character for _, character in arranged(pack.system, people, printing.order)])


def make_parts(apart: SplitRun, parts: Sequence[range]) -> Iterator[Part]:
    """The files of these people in order; making one raises NobodyPrinted, and writes nothing, if it stays empty."""
    workers = apart.printing.workers
    by = _writer(apart)
    largest = max(map(len, parts), default=0)
    if largest > WHOLE:
        yield from (Part(some, "", by(apart.people.part(some), workers)) for some in parts)
        return

    def begin() -> Callable[[range], list[_Made]]:
        people = apart.people.begin()
        return lambda some: [_made(by, parts[number], list(people(parts[number]))) for number in some]

    at_once = max(TOGETHER // max(largest, 1), 1)
    for bunch in in_order(begin, chunks(len(parts), at_once), workers=workers):
        yield from (Part(made.numbers, made.name, made.make) for made in bunch)


@dataclass(frozen=True, slots=True)
class _Made:
    """A part that was made in another process, or why it could not be: those before it are written all the same."""

    numbers: range
    name: str
    data: bytes = b""
    report: Report = field(default_factory=Report)
    error: SheetgenError | None = None

    def make(self, write: Write, progress: Progress) -> Report:
        """Writes what is there."""
        if self.error is not None:
            raise self.error
        write(self.data)
        progress(len(self.numbers))
        return self.report


def _made(by: Callable[[Iterable[Character], int], Make], numbers: range, people: Sequence[Character]) -> _Made:
    pieces: list[bytes] = []
    made = partial(_Made, numbers, people[0].text("name") if len(people) == 1 else "")
    try:
        report = by(people, 1)(pieces.append, lambda done: None)
    except SheetgenError as error:
        return made(error=error)
    return made(b"".join(pieces), report)


def _writer(apart: SplitRun) -> Callable[[Iterable[Character], int], Make]:
    """How so many processes write a file of some people, the forms made ready once for all files."""
    forms = _forms(apart)

    def by(people: Iterable[Character], workers: int) -> Make:
        printing = replace(apart.printing, workers=workers)

        def make(write: Write, progress: Progress) -> Report:
            written = partial(write_people, apart.project, apart.pack, people, write, printing)
            return written(form=apart.form, forms=forms, progress=progress)

        return make

    return by


def _forms(apart: SplitRun) -> Forms | None:
    """The forms of all parts, made ready once."""
    printing = apart.printing
    if apart.form != ".pdf" or printing.shape == ROSTER:
        return None
    shape = printing.form
    return forms_of(apart.project, apart.pack, shape, paper=printing.paper, back=printing.back)
