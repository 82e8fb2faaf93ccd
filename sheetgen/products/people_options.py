"""A print run of any people: in which order, in which shape, and what stands before them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from sheetgen.documents.roster import Person
from sheetgen.errors import LimitError
from sheetgen.model.character import Character
from sheetgen.pdf.fonts.user_font import AddedFont
from sheetgen.people.ordering import MOST_ARRANGED, Order, arranged
from sheetgen.products.batch_pdf import Forms, Progress, Report, UnprintablePerson, sharded
from sheetgen.products.formats import SHAPES, SHEET, Shape
from sheetgen.products.front_matter import Leading, lead_with
from sheetgen.products.roster import FORMATS, MOST_ON_A_ROSTER, SECTION, Heading, person, roster_html, write_roster
from sheetgen.products.sheet import check_count, write_characters
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

ROSTER = "roster"
WAYS = (*SHAPES, ROSTER)


@dataclass(frozen=True, slots=True)
class Printing:
    """How people are printed: shape, paper, order, and what stands before them.

    `roster` and `index` ask for a roster of everybody and for an index of pages in front; `workers` is how many
    processes compose the pages, `shard` which part of how many is printed, from 1. If `strict`, the first who cannot
    be printed stops everything. With `code` each piece carries what makes the person again.
    """

    paper: str
    shape: str = SHEET
    back: bool = False
    order: Order = field(default_factory=Order)
    heading: Heading = field(default_factory=Heading)
    roster: bool = False
    index: bool = False
    workers: int = 1
    shard: tuple[int, int] | None = None
    strict: bool = False
    fonts: tuple[AddedFont, ...] = ()
    code: bool = False

    @property
    def form(self) -> Shape:
        """The shape of each person; that of a sheet for files of characters and rosters."""
        shape = SHAPES.get(self.shape, SHAPES[SHEET])
        return shape.coded() if self.code else shape


def check_size(printing: Printing, form: str, count: int) -> None:
    """LimitError for more people than can be printed so."""
    check_count(form, count)
    if form not in FORMATS:
        return
    if printing.shape == ROSTER or printing.roster:
        if count > MOST_ON_A_ROSTER:
            raise LimitError(f"a roster takes {MOST_ON_A_ROSTER} people at the most, not {count:,}: make several")
    elif (printing.index or printing.order.asked) and count > MOST_ARRANGED:
        raise LimitError(f"{MOST_ARRANGED:,} people at the most can be put in order or in an index, not {count:,}")


def write_people(
    project: Project,
    pack: Pack,
    characters: Iterable[Character],
    write: Write,
    printing: Printing,
    *,
    form: str,
    forms: Forms | None = None,
    progress: Progress = lambda done: None,
) -> Report:
    """The people printed as asked in the format of a suffix; files of characters hold them in the same order.

    Errors are those of `write_characters` and `write_roster`; `forms` as for `stamped`.
    """
    printed = partial(
        write_characters,
        project,
        pack,
        form=form,
        paper=printing.paper,
        shape=printing.form,
        back=printing.back,
        workers=printing.workers,
        forms=forms,
        strict=printing.strict,
        fonts=printing.fonts,
        group=printing.heading.group,
    )
    if printing.shard:
        part, about = sharded(characters, *printing.shard)
        return printed(part, write, shard=about, progress=progress)
    if not (printing.order.asked or printing.shape == ROSTER or printing.roster or printing.index):
        return printed(characters, write, progress=progress)
    entries = arranged(pack.system, characters, printing.order)
    listing = printing.shape == ROSTER
    if form not in FORMATS or not (listing or printing.roster or printing.index):
        return printed((character for _, character in entries), write, progress=progress)
    people = [person(pack, character, heading) for heading, character in entries]
    if listing:
        heading, paper = printing.heading, printing.paper
        report = write_roster(project, pack, people, write, form=form, paper=paper, heading=heading)
        if printing.strict and report.skipped:
            raise UnprintablePerson(report.skipped[0])
        progress(len(people))
        return report
    shown = [each.character for each in people]
    if form == ".html":
        opening = _opening(project, pack, people, printing) if printing.roster else ""
        return printed(shown, write, opening=opening, progress=progress)
    wanted = Leading(printing.heading, printing.roster, printing.index)
    lead = lead_with(project, pack, people, wanted, paper=printing.paper, two_sided=printing.back)
    return printed(shown, write, lead=lead, progress=progress)


def _opening(project: Project, pack: Pack, people: Sequence[Person], printing: Printing) -> str:
    """The roster that stands first on a web page."""
    page = partial(roster_html, project, pack, people, paper=printing.paper, heading=printing.heading)
    return pack.do(lambda: page(mode="page", template=SECTION))
