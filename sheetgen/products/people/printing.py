"""People printed or written, of one game or of several, in any shape and format: one stream in, one file out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, islice
from typing import TypeVar

from sheetgen.batch.sandbox import STANDARD
from sheetgen.documents.export.characters import json_text, yaml_text
from sheetgen.documents.export.tables import TABLES, Listed, table_bytes
from sheetgen.documents.people.roster import roster_of
from sheetgen.documents.people.roster_rows import Person
from sheetgen.documents.people.sheet import WANT
from sheetgen.errors import LimitError, UsageError, quoted
from sheetgen.geometry import Box
from sheetgen.model.character import Character
from sheetgen.model.people_pages import Roster
from sheetgen.pdf.form.compositor import Row
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.overflow import NO_PLACE
from sheetgen.pdf.form.page_numbers import ALONE, Among
from sheetgen.pdf.form.stamp import FrontPage, Stamp
from sheetgen.people.character_files import name_in_files
from sheetgen.people.ordering import MOST_ARRANGED, arranged
from sheetgen.products.batch_pdf import Forms, Lead, Progress, kept_odds, sharded, write_people_pdf
from sheetgen.products.form_cache import field_names, fillable_sheet, places_of, sheet_html, web_page
from sheetgen.products.people.roster import FORMATS as PRINTED
from sheetgen.products.people.roster import (
    INDEX,
    MOST_ON_A_ROSTER,
    SECTION,
    front_matter_writer,
    front_pages,
    index_form,
    index_pages,
    is_asked,
    roster_html,
    roster_person,
    rows_on,
    sides_of,
)
from sheetgen.products.report import NobodyPrinted, Report, UnprintablePerson, continued_on
from sheetgen.products.shapes import NPCS, PEOPLE, SHEET_FREE, PrintOptions, RosterHeading, Shape, texts_of
from sheetgen.products.sheet_pages import for_word, word_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

MOST_ON_A_PAGE = 2_000
TEXTS = {".yaml": yaml_text, ".json": json_text}
FORMATS = (".pdf", ".html", *TEXTS, *TABLES)
MOST_MIXED = 2_000  # people, whose pages are held until all are there

Company = tuple[Pack, tuple[Character, ...]]
T = TypeVar("T")


def check_count(form: str, count: int) -> None:
    """Raise LimitError for more people than one file of a format can sensibly hold."""
    if form == ".html" and count > MOST_ON_A_PAGE:
        raise LimitError(
            f"a web page takes {MOST_ON_A_PAGE:,} people at the most, not {count:,}, since a browser must hold them "
            "all at once: make a .pdf, or several pages"
        )


def checked_format(suffix: str, name: str) -> str:
    """Return the suffix if characters can be written so; UsageError otherwise."""
    if suffix.lower() in FORMATS:
        return suffix.lower()
    raise UsageError(f"{quoted(name)}: characters can be written as {', '.join(FORMATS)}")


def check_size(printing: PrintOptions, form: str, count: int) -> None:
    """Raise LimitError for more people than the options allow."""
    check_count(form, count)
    if form not in PRINTED:
        return
    if printing.kind.listing or printing.roster:
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
    """Write people as the options say, in the format of a suffix; return the report on each of them.

    Who prints many files gives the `forms` that are ready. NobodyPrinted, before anything is written, if all were left
    out; LimitError for too many; UnprintablePerson for the first who cannot be printed, if `printing.strict`.
    """
    shard, lead, opening = None, None, ""
    if printing.shard:
        characters, shard = sharded(characters, *printing.shard)
    elif printing.order.asked or printing.lists:
        entries = arranged(pack.system, characters, printing.order)
        if form in PRINTED and printing.lists:
            people = [roster_person(pack, character, heading) for heading, character in entries]
            if printing.kind.listing:
                return _write_listing(project, pack, people, write, printing, form=form, progress=progress)
            characters = [each.character for each in people]
            lead, opening = _in_front(project, pack, people, printing, form)
        else:
            characters = (character for _, character in entries)
    if form == ".pdf":
        printed = partial(write_people_pdf, project, pack, characters, write, printing, forms=forms)
        return printed(lead=lead, shard=shard, progress=progress)
    if form == ".html":
        return _write_web_page(project, pack, characters, write, printing, opening=opening, progress=progress)
    listed = list(_with_progress(characters, progress))
    for piece in file_pieces(form, Listed(pack.system, listed, printing.heading.group, name_in_files(project, pack))):
        write(piece)
    progress(len(listed))
    return Report(printed=len(listed))


def file_pieces(form: str, listed: Listed) -> Iterator[bytes]:
    """Yield the pieces of a file of characters, in the format of a suffix."""
    if form in TABLES:
        return table_bytes(form, [listed])
    people = list(listed.characters)
    pieces = TEXTS[form](listed.system, people, listed.group, named=listed.named)
    return (piece.encode() for piece in pieces)


def _write_listing(
    project: Project,
    pack: Pack,
    people: Sequence[Person],
    write: Write,
    printing: PrintOptions,
    *,
    form: str,
    progress: Progress,
) -> Report:
    """Write everybody on one list."""
    assert printing.kind.listing is not None
    report = printing.kind.listing(project, pack, people, write, printing, form=form)
    if printing.strict and report.skipped:
        raise UnprintablePerson(report.skipped[0])
    progress(len(people))
    return report


def _in_front(
    project: Project, pack: Pack, people: Sequence[Person], printing: PrintOptions, form: str
) -> tuple[Lead | None, str]:
    """Return what writes the pages before the first person of a PDF, and the HTML before that of a web page."""
    if form == ".pdf":
        return front_matter_writer(project, pack, people, printing), ""
    if not printing.roster:
        return None, ""
    page = partial(roster_html, project, pack, people, paper=printing.paper, heading=printing.heading)
    return None, pack.run_isolated(lambda: page(mode="page", template=SECTION))


def _with_progress(items: Iterable[T], progress: Progress) -> Iterator[T]:
    """Yield the items, and report before each how many are done."""
    for number, item in enumerate(items):
        progress(number)
        yield item


class _ProgressList(list[T]):
    """A list that reports progress as it is iterated."""

    def __init__(self, items: Iterable[T], progress: Progress) -> None:
        super().__init__(items)
        self._progress = progress

    def __iter__(self) -> Iterator[T]:
        return _with_progress(super().__iter__(), self._progress)


def _write_web_page(
    project: Project,
    pack: Pack,
    characters: Iterable[Character],
    write: Write,
    printing: PrintOptions,
    *,
    opening: str,
    progress: Progress,
) -> Report:
    """Write one page with everybody, `opening` before the first of them."""
    people = list(islice(characters, MOST_ON_A_PAGE + 1))
    check_count(".html", len(people))
    rows, shape, paper = _rows_of(project, pack, people, printing), printing.kind, printing.paper
    more = len(people) // 20  # seconds: a stranger's page is looked at person by person
    limits = replace(STANDARD, cpu_s=STANDARD.cpu_s + more, wall_s=STANDARD.wall_s + 2 * more)
    told = _ProgressList(rows, progress)
    page = partial(web_page, project, pack, told, paper=paper, back=printing.back, template=shape.template)
    page = partial(page, card=shape.card(paper), opening=opening, asked=shape.asked)
    write(pack.run_isolated(page, limits=limits).encode())
    progress(len(rows))
    return Report(len(rows), continued=list(_without_place(rows)))


def _rows_of(project: Project, pack: Pack, people: Iterable[Character], printing: PrintOptions) -> list[Row]:
    """Return the row of each person on a web page: the values of the shape, and those that a sheet has no field for."""
    shape, paper = printing.kind, printing.paper
    told = texts_of(pack.system, shape.values)
    with kept_odds(project, pack, shape):
        filled = [(each, told(each)) for each in people]
    if shape.card(paper) is not None:
        return [Row(each.text("name"), said) for each, said in filled]
    words = {word_of(pack, each): None for each, _ in filled}
    page = partial(sheet_html, project, paper=paper, back=printing.back, template=shape.template, asked=shape.asked)
    pages = pack.run_isolated(lambda: {word: page(for_word(pack, word)) for word in words})
    places = {word: places_of(pack, field_names(html)) for word, html in pages.items()}
    rows = []
    for each, said in filled:
        word = word_of(pack, each)
        rows.append(Row(each.text("name"), said, places[word].unplaced(each, said), word))
    return rows


def _without_place(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a line for each person with values that the sheet has no field for."""
    for row in rows:
        if row.unplaced:
            told = continued_on((f"{title}{NO_PLACE}" for title, _ in row.unplaced), "a page of its own")
            yield f"{row.title}: {told}"


def filled_form(project: Project, pack: Pack, character: Character, paper: str) -> tuple[bytes, tuple[str, ...]]:
    """Return a fillable PDF of one character, its values in place and still open to change; a line on what has no
    place.
    """
    printing = PrintOptions(paper, back=True, portraits=character.picture is not None)
    rows = _rows_of(project, pack, [character], printing)
    return fillable_sheet(project, pack, paper=paper, row=rows[0]), tuple(_without_place(rows))


FORM = Shape("a form that stays open to change", NPCS, back=True, free=SHEET_FREE, filled=filled_form)


@dataclass(frozen=True, slots=True)
class _Printed:
    """Who of one game is on which of its pages, how many there are, and their PDF with so many before, of so many."""

    pack: Pack
    placed: tuple[tuple[Person, int], ...]
    pages: int
    numbered: Callable[[int, int], bytes]
    two_sided: bool


def check_mixed(companies: Sequence[Company], formats: Collection[str], *, alone: bool) -> None:
    """Raise UsageError for what people of several games cannot be together, LimitError for too many."""
    games, count = ", ".join(sorted(pack.system.title for pack, _ in companies)), sum(len(who) for _, who in companies)
    if not {*TABLES, ".pdf"}.issuperset(formats) or (alone and not set(TABLES).issuperset(formats or (".pdf",))):
        shared = f"a PDF of sheets or cards, or a table ({', '.join(TABLES)})"
        raise UsageError(f"several games ({games}) share only {shared}: print anything else game by game")
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
    two_sided = printing.back or any(each.two_sided for each in made)
    starts = [*accumulate((sides_of(each.pages, two_sided) for each in made), initial=0)]
    total = starts.pop()
    placed = [(who, start + page) for each, start in zip(made, starts, strict=True) for who, page in each.placed]
    asked = is_asked(who for who, _ in placed)
    many = rows_on(printing.paper, asked=asked)
    rows = list(index_pages(placed, many, asked=asked)) if printing.index else []
    before = sides_of(len(rows), two_sided)
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
    write(bound([*front, *parts], title=PEOPLE, author=credits, two_sided=two_sided))
    return whole


def _printed(
    project: Project, pack: Pack, people: Sequence[Character], printing: PrintOptions, whole: Report
) -> _Printed:
    """Return what the pages of one game hold; what became of its people goes into the report of them all."""
    from sheetgen.press.pages import page_count  # imports pikepdf

    entries, places = list(arranged(pack.system, people, printing.order)), list[tuple[int, int]]()
    two_sided = False
    alone = replace(printing, index=False, roster=False)
    listed = [each for _, each in entries]

    def pages(among: Among, lead: Lead | None = None) -> tuple[bytes, Report]:
        pieces: list[bytes] = []
        report = write_people_pdf(project, pack, listed, pieces.append, alone, lead=lead, among=among)
        return b"".join(pieces), report

    def seen(stamp: Stamp, pages_of: Sequence[tuple[int, int]]) -> None:
        nonlocal two_sided
        two_sided = stamp.two_sided
        places.extend(pages_of)

    data, report = pages(ALONE, seen)
    whole.add(report)
    placed = tuple((_index_entry(pack, *entries[at]), page) for at, page in places)
    return _Printed(pack, placed, page_count(data), lambda before, of: pages((before, of))[0], two_sided)


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
