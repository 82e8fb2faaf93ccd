"""Print runs of people: their order, their shape, and the roster and index in front."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from sheetgen.documents.roster import Person, roster_of
from sheetgen.errors import LimitError
from sheetgen.geometry import PAPERS
from sheetgen.model.character import Character
from sheetgen.model.roster import Roster, filled
from sheetgen.pdf.fonts.user_font import AddedFont
from sheetgen.pdf.form.compositor import Row
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import FrontPage, Stamp
from sheetgen.people.ordering import MOST_ARRANGED, Order, arranged
from sheetgen.products.batch_pdf import Forms, Lead, Progress, Report, UnprintablePerson, sharded
from sheetgen.products.form_cache import compiled_form, form_data
from sheetgen.products.formats import SHAPES, SHEET, Shape
from sheetgen.products.roster import (
    FORMATS,
    MOST_ON_A_ROSTER,
    SECTION,
    RosterHeading,
    roster_html,
    roster_person,
    write_roster,
)
from sheetgen.products.sheet import check_count, write_characters
from sheetgen.workspace.packs import Pack, template_folders, template_root
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

TEMPLATE = "contents.html"
AROUND, PITCH, GAP, FIVE = 52.0, 5.0, 2.0, 5
UNDER_WIDTH, KEY_WIDTH = 43, 22
INDEX = "Index"

Place = tuple[Person, int]


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The pages before the sheets: a roster under a heading, an index, or both."""

    heading: RosterHeading
    roster: bool = False
    index: bool = False


def front_matter_writer(
    project: Project, pack: Pack, people: Sequence[Person], wanted: FrontMatter, *, paper: str, two_sided: bool
) -> Lead:
    """Return a function that writes the pages before the sheets, given who is printed and where each begins."""

    def lead(stamp: Stamp, pages_of: Sequence[tuple[int, int]]) -> None:
        placed, before = [(people[at], page) for at, page in pages_of], 0
        if not placed:
            return
        if wanted.roster:
            form = _roster_form(project, pack, [person for person, _ in placed], wanted.heading, paper=paper)
            before += _sides(len(form.pages), two_sided)
            stamp.lead(form, [FrontPage(Row(wanted.heading.title, {}))])
        if wanted.index:
            form = index_form(project, pack, paper=paper)
            rows = _rows_on(paper)
            entries = list(_entries(placed))
            pages = [entries[at : at + rows] for at in range(0, len(entries), rows)]
            before += _sides(len(pages), two_sided)
            stamp.lead(form, _front_pages(pack, pages, wanted.heading, len(placed), before))

    return lead


def _sides(count: int, two_sided: bool) -> int:
    return count + count % 2 if two_sided else count


def _roster_form(project: Project, pack: Pack, people: Sequence[Person], heading: RosterHeading, *, paper: str) -> Form:
    def made() -> Form:
        html = roster_html(project, pack, people, paper=paper, heading=heading)
        root = template_root(project, pack)
        return compiled_form(project, html, root=root, name=f"{pack.system.id} roster", keep=False)

    return pack.run_isolated(made)


def index_form(project: Project, pack: Pack, *, paper: str) -> Form:
    """Return the page of an index, with a row for each of as many people as there is room for."""
    system = pack.system
    roster = roster_of(system)
    spec = system.spec(roster.under)
    data = {
        **form_data(system, paper=paper),
        "rows": _rows_on(paper),
        "keys": [column.title for column in roster.keys],
        "key": KEY_WIDTH,
        "under": UNDER_WIDTH if spec is not None else 0,
        "under_title": spec.title if spec is not None else "",
    }

    def made() -> Form:
        from sheetgen.documents.render import environment, render  # imports Jinja

        html = render(environment(template_folders(project, pack), project.shown), TEMPLATE, data)
        return compiled_form(project, html, root=template_root(project, pack), name=f"{system.id} {TEMPLATE}")

    return pack.run_isolated(made)


def _rows_on(paper: str) -> int:
    """Return how many rows a page of an index has: fives, since every fifth is followed by a gap."""
    return int((PAPERS[paper].height - AROUND) / (FIVE * PITCH + GAP)) * FIVE


Entry = tuple[str, Person | None, int, int]


def _entries(placed: Sequence[Place]) -> Iterator[Entry]:
    """Yield the rows of the index: heading, person, page, number of the person; no heading ends a block of rows."""
    at, heading = 0, ""
    for number, (person, page) in enumerate(placed, 1):
        if person.heading != heading:
            heading = person.heading
            if at % FIVE == FIVE - 1:
                yield "", None, 0, 0
                at += 1
            yield heading, None, 0, 0
            at += 1
        yield "", person, page, number
        at += 1


def _front_pages(
    pack: Pack, pages: Sequence[Sequence[Entry]], heading: RosterHeading, count: int, before: int
) -> Iterator[FrontPage]:
    roster = roster_of(pack.system)
    people = "person" if count == 1 else "people"
    for number, entries in enumerate(pages, 1):
        said = " · ".join(word for word in (heading.reroll_hint, f"index {number} of {len(pages)}") if word)
        values = {"title": heading.title, "said": f"{count:,} {people}", "seed": said}
        links: dict[str, int] = {}
        for at, (head, person, page, row) in enumerate(entries, 1):
            if head:
                values[f"row.{at}.head"] = head
            if person is not None:
                values |= {
                    f"row.{at}.{name}": text for name, text in _row_fields(roster, person, before + page).items()
                }
                links |= {f"row.{at}.page": row, f"row.{at}.name": row}
        yield FrontPage(Row(INDEX if number == 1 else "", values), links)


def _row_fields(roster: Roster, person: Person, page: int) -> Mapping[str, str]:
    """Return the fields of one row."""
    found = {"page": f"{page:,}", "name": person.character.text("name"), "under": person.values.get(roster.under, "")}
    found |= {f"key.{at}": filled(column.key, person.values) or "—" for at, column in enumerate(roster.keys, 1)}
    return {name: text.replace("\n", ", ") for name, text in found.items() if text}


ROSTER = "roster"
WAYS = (*SHAPES, ROSTER)


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """How people are printed: shape, paper, order, and what stands before them.

    `roster` and `index` ask for a roster of everybody and for an index of pages in front; `workers` is how many
    processes compose the pages, `shard` which part of how many is printed, from 1. If `strict`, the first who cannot
    be printed stops everything. With `code` each piece carries what makes the person again.
    """

    paper: str
    shape: str = SHEET
    back: bool = False
    order: Order = field(default_factory=Order)
    heading: RosterHeading = field(default_factory=RosterHeading)
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


def check_size(printing: PrintOptions, form: str, count: int) -> None:
    """Raise LimitError for more people than the options allow."""
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
    printing: PrintOptions,
    *,
    form: str,
    forms: Forms | None = None,
    progress: Progress = lambda done: None,
) -> Report:
    """Write people as the options say, in the format of a suffix; character files have the same order.

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
    people = [roster_person(pack, character, heading) for heading, character in entries]
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
    wanted = FrontMatter(printing.heading, printing.roster, printing.index)
    lead = front_matter_writer(project, pack, people, wanted, paper=printing.paper, two_sided=printing.back)
    return printed(shown, write, lead=lead, progress=progress)


def _opening(project: Project, pack: Pack, people: Sequence[Person], printing: PrintOptions) -> str:
    """Return the roster that stands first on a web page."""
    page = partial(roster_html, project, pack, people, paper=printing.paper, heading=printing.heading)
    return pack.run_isolated(lambda: page(mode="page", template=SECTION))
