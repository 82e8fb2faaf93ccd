"""People of several games in one file: a table, or a PDF with each game's pages in order, one index, bookmarks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from sheetgen.documents.export.tables import TABLES, Listed, table_bytes
from sheetgen.documents.roster import Person, roster_of
from sheetgen.documents.sheet import WANT
from sheetgen.errors import LimitError, UsageError
from sheetgen.geometry import Box
from sheetgen.model.character import Character
from sheetgen.model.people_pages import Roster
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.page_numbers import ALONE, Among
from sheetgen.pdf.form.stamp import FrontPage, Stamp
from sheetgen.people.character_files import name_in_files
from sheetgen.people.ordering import arranged
from sheetgen.products.batch_pdf import Lead, write_people_pdf
from sheetgen.products.front_matter import INDEX, front_pages, index_form, index_pages, is_asked, rows_on
from sheetgen.products.report import NobodyPrinted, Report
from sheetgen.products.roster import roster_person
from sheetgen.products.shapes import PEOPLE, PrintOptions, RosterHeading
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

MOST_MIXED = 2_000  # people, whose pages are held until all are there

Company = tuple[Pack, tuple[Character, ...]]


@dataclass(frozen=True, slots=True)
class _Printed:
    """Who of one game is on which of its pages, how many there are, and their PDF with so many before, of so many."""

    pack: Pack
    placed: tuple[tuple[Person, int], ...]
    pages: int
    numbered: Callable[[int, int], bytes]


def check_mixed(companies: Sequence[Company], formats: Collection[str], *, alone: bool) -> None:
    """Raise UsageError for what people of several games cannot be together, LimitError for too many."""
    games, count = " and ".join(sorted(pack.system.id for pack, _ in companies)), sum(len(who) for _, who in companies)
    if not {*TABLES, ".pdf"}.issuperset(formats) or (alone and not set(TABLES).issuperset(formats or (".pdf",))):
        shared = f"one PDF of sheets or cards, or a table ({', '.join(TABLES)})"
        raise UsageError(f"characters of {games} share {shared}, and nothing else: make them apart")
    if count > MOST_MIXED and ".pdf" in (formats or (".pdf",)):
        raise LimitError(f"{MOST_MIXED:,} people of several games at the most share one PDF, not {count:,}")


def write_mixed_table(project: Project, companies: Sequence[Company], write: Write, form: str) -> Report:
    """Write the people of several games as one table, in the format of a suffix."""
    for piece in table_bytes(
        form, [Listed(pack.system, who, named=name_in_files(project, pack)) for pack, who in companies]
    ):
        write(piece)
    return Report(printed=sum(len(who) for _, who in companies))


def write_mixed(
    project: Project,
    companies: Sequence[Company],
    write: Write,
    printing: PrintOptions,
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> Report:
    """Write the people of several games as one PDF; NobodyPrinted, before anything is written, if nobody can be."""
    from sheetgen.press.pages import BoundPart, bound  # imports pikepdf

    whole, made = Report(), list[_Printed]()
    for pack, people in companies:
        try:
            each = _printed(project, pack, people, printing, whole)
        except NobodyPrinted as error:
            whole.skipped += error.report.skipped
        else:
            made.append(each)
        progress(whole.printed)
    if not made:
        raise NobodyPrinted(whole)
    starts = [*accumulate((_sides(each.pages, printing) for each in made), initial=0)]
    total = starts.pop()
    placed = [(who, start + page) for each, start in zip(made, starts, strict=True) for who, page in each.placed]
    asked = is_asked(who for who, _ in placed)
    many = rows_on(printing.paper, asked=asked)
    rows = list(index_pages(placed, many, asked=asked)) if printing.index else []
    before = _sides(len(rows), printing)
    total += before
    front, parts = list[BoundPart](), list[BoundPart]()
    if rows:
        games = tuple({each.pack.system.id: each.pack for each in made}.values())
        form = index_form(project, made[0].pack, paper=printing.paper, fives=False, asked=asked, games=games)
        pages = list(front_pages(Roster((), "under"), rows, RosterHeading(), len(placed), before))
        links = tuple(link for at, page in enumerate(pages, 1) for link in _links(form, page, at, placed, before))
        front = [BoundPart(_stamped(form, pages, total), INDEX, links=links)]
    for each, start in zip(made, starts, strict=True):
        marks = tuple((who.character.text("name"), page) for who, page in each.placed)
        parts.append(BoundPart(each.numbered(before + start, total), each.pack.system.title, marks))
    credits = "; ".join(dict.fromkeys(each.pack.system.credit for each in made))
    write(bound([*front, *parts], title=PEOPLE, author=credits, two_sided=printing.back))
    return whole


def _printed(
    project: Project, pack: Pack, people: Sequence[Character], printing: PrintOptions, whole: Report
) -> _Printed:
    """Return what the pages of one game hold; what became of its people goes into the report of them all."""
    from sheetgen.press.pages import page_count  # imports pikepdf

    entries, places = list(arranged(pack.system, people, printing.order)), list[tuple[int, int]]()
    alone = replace(printing, index=False, roster=False)
    listed = [each for _, each in entries]

    def pages(among: Among, lead: Lead | None = None) -> tuple[bytes, Report]:
        pieces: list[bytes] = []
        report = write_people_pdf(project, pack, listed, pieces.append, alone, lead=lead, among=among)
        return b"".join(pieces), report

    data, report = pages(ALONE, lambda stamp, pages_of: places.extend(pages_of))
    whole.add(report)
    placed = tuple((_index_entry(pack, *entries[at]), page) for at, page in places)
    return _Printed(pack, placed, page_count(data), lambda before, of: pages((before, of))[0])


def _index_entry(pack: Pack, heading: str, character: Character) -> Person:
    """Return somebody as the index has them: under their game, with what stands below a name on its roster."""
    person = roster_person(pack, character)
    under = person.values.get(roster_of(pack.system).under, "")
    told = {"under": under, WANT: person.values.get(WANT, "")}
    return Person(character, told, " · ".join(word for word in (pack.system.title, heading) if word))


def _stamped(form: Form, pages: Sequence[FrontPage], total: int) -> bytes:
    pieces: list[bytes] = []
    stamp = Stamp(form, pieces.append, title=INDEX, author="", pictures=False, among=(0, total))
    for page in pages:
        stamp.add(page.row)
    stamp.close()
    return b"".join(pieces)


def _links(
    form: Form, page: FrontPage, at: int, placed: Sequence[tuple[Person, int]], before: int
) -> list[tuple[int, Box, int]]:
    """Return a link for each field of a page of the index that leads to somebody."""
    boxes = {field.name: field.border for field in form.fields}
    return [(at, boxes[name], before + placed[number - 1][1]) for name, number in page.links.items()]


def _sides(count: int, printing: PrintOptions) -> int:
    return count + count % 2 if printing.back else count
