"""Printing many people to a PDF: worker processes compose sheets, and this one writes them in order.

The numbers 0, 1, 2 … of a series are dealt in chunks. For each number a process rolls (or takes) the character, works
out the text of its fields (`documents.sheet`), and composes the compressed contents of its pages (`pdf.compositor`,
which keeps by string what it set before). Here those pages are written as they come (`pdf.stamp`), so that memory stays
flat, and the file is the same to the byte however many processes there were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b

from sheetgen.batch.cluster import dealt
from sheetgen.batch.pool import Series, chunks, series_of
from sheetgen.documents.people.npc_odds import odds_of
from sheetgen.documents.people.sheet import FieldPlaces
from sheetgen.model.character import Character
from sheetgen.pdf.fonts.face import AddedFont
from sheetgen.pdf.form.compositor import Compositor
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.page_numbers import ALONE, Among
from sheetgen.pdf.form.shard import ShardRecord
from sheetgen.pdf.form.stamp import NewResources, Row, Sheet, Stamp, Unprintable
from sheetgen.pdf.pictures import FINE
from sheetgen.products.form_cache import places_of, sheet_form, sheet_forms
from sheetgen.products.report import NobodyPrinted, Report, UnprintablePerson, continued_on, dropped_from, dropped_parts
from sheetgen.products.shapes import PrintOptions, Shape, texts_of
from sheetgen.version import __version__
from sheetgen.workspace.pack_cache import cached_facts, keep_facts
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

FEW = 20  # up to here a file is smaller without shared pictures of its values
MANY = 400  # from here on a second process is worth its start
CHUNK = 100
Progress = Callable[[int], None]
Lead = Callable[[Stamp, Sequence[tuple[int, int]]], None]  # told who (from 0) begins on which page (from 1)


@contextmanager
def kept_odds(project: Project, pack: Pack, shape: Shape) -> Iterator[None]:
    """Know what earlier runs worked out, and keep what this one adds; nothing for strangers' packs."""
    if not (shape.odds and project.is_lasting(pack.folder)):
        yield
        return
    odds, name = odds_of(pack.system), f"{pack.folder.name}.odds"
    if not odds.known:
        odds.learn(cached_facts(project, name, dict))
    before = len(odds.known)
    yield
    if len(odds.known) > before:
        keep_facts(project, name, odds.known)


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` (from 1) of `of` parts of a run of `count` people; `run` tells one run from another."""

    number: int
    of: int
    count: int
    run: str

    def record(self, pack: Pack, printing: PrintOptions) -> ShardRecord:
        """Return the record of the shard that is stored in its file."""
        about = {"shard": self.number, "of": self.of, "count": self.count, "run": self.run, "version": __version__}
        about |= {"again": again} if (again := printing.heading.reroll_hint) else {}
        about |= {"asked": True} if printing.kind.asked else {}
        added = {"fonts": digests(printing.fonts)} if printing.fonts else {}
        printed = {"system": pack.system.id, "shape": printing.kind.named}
        return ShardRecord({**about, **printed, "paper": printing.paper, "back": printing.back, **added})


def digests(fonts: Iterable[AddedFont]) -> list[str]:
    """Return the digests of added fonts."""
    return [font.digest for font in fonts]


def sharded(people: Iterable[Character], number: int, of: int) -> tuple[Series[Character], Shard]:
    """Return the people of part `number` (from 1) of `of` parts, and its shard; the first and last person identify a
    run.
    """
    series = series_of(people)
    ends = [each.values for at in (0, series.count - 1) for each in series.part(range(at, at + 1))]
    run = blake2b(repr((series.count, ends)).encode(), digest_size=12).hexdigest()
    return series.part(series.shard(number, of)), Shard(number, of, series.count, run)


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms to print people on: the form of a shape, the continuation form, and the places for values.

    Where sheets go `by` the word of a field, there are `places` for each word. A card sums somebody up and leaves out
    what it pleases: it has none.
    """

    form: Form
    more: Form
    places: Mapping[str, FieldPlaces] = field(default_factory=dict)
    by: str = ""

    def row(self, character: Character, values: Mapping[str, str]) -> Row:
        """Return the row to print for a character with these values for the fields of the shape."""
        word = character.text(self.by) if self.by else ""
        word = word if word in self.places else ""
        unplaced = self.places[word].unplaced(character, values) if self.places else ()
        return Row(character.text("name"), values, unplaced, word)


@dataclass(frozen=True, slots=True)
class ComposedSheet:
    """One composed character: the sheet and the resources that it needs first, or why the person cannot be printed."""

    sheet: Sheet | None
    new_resources: NewResources
    refusal: str = ""


def forms_of(project: Project, pack: Pack, printing: PrintOptions) -> Forms:
    """Return the forms of a shape on a paper, for any number of files."""
    shape, paper = printing.kind, printing.paper
    card = shape.card(paper)
    side = partial(sheet_forms, project, pack, paper=paper, card=card, back=printing.back)
    form = side(template=shape.template, code=shape.code, portrait=shape.portrait, asked=shape.asked)
    more = sheet_form(project, pack, paper=paper, card=card, template=shape.more)
    if card is not None:
        return Forms(form, more)
    layout = pack.system.sheet_layout
    places = {word: places_of(pack, each.names) for word, each in (("", form), *form.others.items())}
    return Forms(form, more, places, layout.by if layout is not None else "")


def told_forms(forms: Forms, pack: Pack, character: Character, printing: PrintOptions) -> Forms:
    """Return the forms without the pages that would say nothing of a character."""
    row = _row(pack, printing.kind, forms, character)
    others = {word: each.told_pages(row.values) for word, each in forms.form.others.items()}
    return replace(forms, form=replace(forms.form.told_pages(row.values), others=others))


def stamp_of(pack: Pack, forms: Forms, printing: PrintOptions, *, count: int) -> Callable[..., Stamp]:
    """Return what begins the file of so many people; it is given `write` and, for a part of them, its `record`."""
    system = pack.system
    return partial(
        Stamp,
        forms.form,
        title=f"{system.title} characters",
        author=system.credit,
        more=forms.more,
        pictures=count > FEW,
        plate=None
        if printing.backs or printing.kind.behind
        else printing.kind.plate(printing.paper, system, printing.heading.reroll_hint),
        added=printing.fonts,
    )


def write_people_pdf(
    project: Project,
    pack: Pack,
    characters: Iterable[Character],
    write: Write,
    printing: PrintOptions,
    *,
    lead: Lead | None = None,
    shard: Shard | None = None,
    forms: Forms | None = None,
    among: Among = ALONE,
    progress: Progress = lambda done: None,
) -> Report:
    """Write characters as a PDF in order; NobodyPrinted if all were left out.

    A `shard` says of which run these are a part: the file then remembers what `merge` needs to know. Who prints many
    files gives the `forms` that are ready. If `printing.strict`, the first who cannot be printed is raised as
    UnprintablePerson. Pages `among` others are numbered as those of a larger file.
    """
    series, shape = series_of(characters), printing.kind
    forms = forms or forms_of(project, pack, printing)
    count = shard.count if shard else series.count
    begun = stamp_of(pack, forms, printing, count=count)
    held = _DelayedWriter(write)
    stamp = begun(write=held.write, among=among, record=shard.record(pack, printing) if shard else None)
    if lead is not None:
        lead(stamp, _first_pages(begun(write=len), (_row(pack, shape, forms, each) for each in series)))
    report, done = Report(), 0
    begin = partial(_composer, pack, shape, series, forms, pictures=count > FEW, fonts=printing.fonts)
    with kept_odds(project, pack, shape):
        for chunk in dealt(begin, chunks(series.count, CHUNK), workers=printing.workers, cluster=printing.cluster):
            for made in chunk:
                done += 1
                if printing.strict and made.sheet is None:
                    raise UnprintablePerson(made.refusal)
                _write_composed(stamp, made, report, held, one=shape.one)
                progress(done)
    if not report.printed:
        raise NobodyPrinted(report)
    stamp.close()
    return report


def _row(pack: Pack, shape: Shape, forms: Forms, character: Character) -> Row:
    return forms.row(character, texts_of(pack.system, shape.values)(character))


def _composer(
    pack: Pack,
    shape: Shape,
    series: Series[Character],
    forms: Forms,
    *,
    pictures: bool,
    fonts: Sequence[AddedFont],
) -> Callable[[range], list[ComposedSheet]]:
    """Return the function that composes a chunk of numbers in one process."""
    texts = texts_of(pack.system, shape.values)
    compositor, make = Compositor(forms.form, forms.more, pictures=pictures, added=fonts), series.begin()

    def compose(numbers: range) -> list[ComposedSheet]:
        # Stage by stage, not person by person: the same code over and over is what processors are quick at.
        people = list(make(numbers))
        rows = [forms.row(each, texts(each)) for each in people]
        made = []
        for character, row in zip(people, rows, strict=True):
            try:
                sheet = compositor.sheet(row)
            except Unprintable as error:
                place = character.place if character.place.file else row.title
                made.append(ComposedSheet(None, compositor.new_resources(), f"{place}: {error}"))
            else:
                made.append(ComposedSheet(sheet, compositor.new_resources()))
        return made

    return compose


def _write_composed(stamp: Stamp, made: ComposedSheet, report: Report, held: _DelayedWriter, *, one: str) -> None:
    """Write a composed sheet, or report why it is missing."""
    stamp.add_resources(made.new_resources)
    if made.sheet is None:
        report.skipped.append(made.refusal)
        return
    stamp.put(made.sheet)
    report.printed += 1
    if made.sheet.dpi:
        told = f"the portrait has {made.sheet.dpi} dots an inch where it is printed largest; {FINE} are wanted"
        report.coarse.append(f"{made.sheet.title}: {told}")
    held.release()
    if made.sheet.continued:
        _report_elsewhere(made.sheet, report, one=one)


def _report_elsewhere(sheet: Sheet, report: Report, *, one: str) -> None:
    """Report what of a sheet stands on another page, and what nowhere."""
    if told := continued_on(sheet.continued, f"a {one} of its own"):
        report.continued.append(f"{sheet.title}: {told}")
    if told := dropped_from(sheet.continued):
        report.dropped.append(f"{sheet.title}: {told}")
        report.short_of.update(dropped_parts(sheet.continued))


def _first_pages(stamp: Stamp, rows: Iterable[Row]) -> list[tuple[int, int]]:
    """Return the index and first page of each row that can be printed, found with a stamp whose output is discarded."""
    placed = []
    for number, row in enumerate(rows):
        with suppress(Unprintable):
            placed.append((number, stamp.add(row).first_page))
    return placed


class _DelayedWriter:
    """A writer that buffers the beginning of a file until somebody is printed."""

    def __init__(self, write: Write) -> None:
        self._write, self._pieces, self._open = write, list[bytes](), False

    def write(self, data: bytes) -> None:
        """Pass the data on, at once or after the release."""
        if self._open:
            self._write(data)
        else:
            self._pieces.append(data)

    def release(self) -> None:
        """Pass on the buffered data, and all further data at once."""
        if not self._open:
            self._open = True
            self._write(b"".join(self._pieces))
