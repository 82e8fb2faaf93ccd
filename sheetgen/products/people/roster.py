"""Rosters: everybody of a run or a file on few pages, alone or before the sheets, with an index of who is where."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice, repeat
from typing import TypeVar

from sheetgen.documents.ink_saving import with_ink
from sheetgen.documents.people.roster import height_above, laid_out, roster_of
from sheetgen.documents.people.roster_columns import WANTS, Measure
from sheetgen.documents.people.roster_rows import Person, line_texts, own_name
from sheetgen.documents.people.sheet import WANT, game, sheet_values
from sheetgen.errors import LimitError, UsageError
from sheetgen.geometry import PAPERS
from sheetgen.model.cast import GroupTitle
from sheetgen.model.character import Character
from sheetgen.model.data import TemplateData
from sheetgen.model.people_pages import Roster, filled
from sheetgen.model.system import System
from sheetgen.pdf.fonts.bundled import SERIF, measure_of, missing_from
from sheetgen.pdf.fonts.face import AddedFont, FaceName
from sheetgen.pdf.form.compositor import Row
from sheetgen.pdf.form.field_text import Unprintable
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import FrontPage, Stamp
from sheetgen.pdf.pictures import qr_path
from sheetgen.people.ties import numbers_by_name, ties_between, who_knows_more
from sheetgen.products.batch_pdf import Lead
from sheetgen.products.form_cache import compiled_form, form_data, published, use_bundled_fonts
from sheetgen.products.report import NobodyPrinted, Report
from sheetgen.products.shapes import PrintOptions, RosterHeading, Shape, texts_of
from sheetgen.workspace.packs import Pack, template_folders, template_root
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

TEMPLATE = "roster.html"
SECTION = "roster/section.html"
MOST_ON_A_ROSTER = 500  # laid out anew each time, some 25 a second
FORMATS = (".pdf", ".html")
PLAIN = FaceName(SERIF, 400)
# Of a name, and of what stands below it: set in italics, which borrow from the upright face what they lack.
FACES = (FaceName(SERIF, 700), PLAIN)
TIGHT, SHARES = (1, 2), (0.8, 0.6, 0.4)  # of a group; of the height that seemed to be left for notes

INDEX_TEMPLATE, MARK, CREDIT = "contents.html", "card/mark.html", "sheet/credit.html"
AROUND, PITCH, PITCH_ASKED, GAP, FIVE = 52.0, 5.0, 7.6, 2.0, 5
LEAST_IN_FIVES = 10  # of fewer people the eye keeps its line without gaps
UNDER_WIDTH, UNDER_NARROW, KEY_WIDTH, ASKED_WIDTH, ASKED_WIDE = 43, 38, 22, 82, 112
INDEX = "Index"

Place = tuple[Person, int]
Entry = tuple[str, Person | None, int, int]
EMPTY: Entry = ("", None, 0, 0)
T = TypeVar("T")
NOTES, BEGINS, HEADED = 'class="r-notes"', 'class="r-begins', 'class="r-heading"'  # in the HTML of a roster
LESS = 3.0, 8.0  # of the height of a page, where a row or two stood on a page of their own


def heading_of(group: GroupTitle | None) -> RosterHeading | None:
    """Return the heading for the group that a file names; None if it names none."""
    return None if group is None else RosterHeading(group.title, group.say, is_group=True)


def roster_person(pack: Pack, character: Character, under: str = "") -> Person:
    """Return the character with the text of every field of its sheet, under a heading."""
    return Person(character, texts_of(pack.system, sheet_values)(character), under)


def check_roster(form: str, count: int) -> None:
    """Raise UsageError for a format that a roster has not; LimitError for more people than one holds."""
    if form not in FORMATS:
        raise UsageError(f"a roster is made as {' or '.join(FORMATS)}, not {form}")
    if count > MOST_ON_A_ROSTER:
        raise LimitError(f"a roster takes {MOST_ON_A_ROSTER:,} people at the most, not {count:,}: make several")


def write_roster(
    project: Project, pack: Pack, people: Iterable[Person], write: Write, printing: PrintOptions, *, form: str
) -> Report:
    """Return a roster written as .pdf or .html; who cannot be printed is in the report.

    Raises NobodyPrinted if that is everybody, and LimitError for too many.
    """
    listed = list(islice(people, MOST_ON_A_ROSTER + 1))
    check_roster(form, len(listed))
    paper, heading = printing.paper, printing.heading
    if form == ".html":
        page = partial(roster_html, project, pack, listed, paper=paper, heading=heading, mode="page")
        write(pack.run_isolated(lambda: published(project, pack, page(), TEMPLATE)).encode())
        return Report(printed=len(listed))
    report = Report()
    shown = printable_people(pack, listed, report, printing.fonts)
    data = pack.run_isolated(lambda: _flowed(project, pack, shown, paper=paper, heading=heading, fonts=printing.fonts))
    write(data)
    return report


def _flowed(
    project: Project,
    pack: Pack,
    people: Sequence[Person],
    *,
    paper: str,
    heading: RosterHeading,
    fonts: Sequence[AddedFont],
) -> bytes:
    use_bundled_fonts(project)
    from sheetgen.pdf.flow.document import flow  # imports WeasyPrint
    from sheetgen.press.pages import page_count  # imports pikepdf

    html_of = partial(roster_html, project, pack, people, paper=paper, heading=heading, fonts=fonts)

    def made(html: str) -> bytes:
        return flow(html, root=template_root(project, pack), name=f"{pack.system.id} {TEMPLATE}")

    return on_few_pages(html_of, made, page_count, heading)


def on_few_pages(
    html_of: Callable[..., str], made: Callable[[str], T], count: Callable[[T], int], heading: RosterHeading
) -> T:
    """Return what is `made` of the HTML of a roster: room for notes, or gaps, begin no page of their own.

    How high rows are is known for certain only once they are set: room for notes that is too high for its page is made
    smaller, and a group is set closer if it then stands on one page.
    """
    html = html_of()
    pages = made(html)
    least = count(pages)
    if not heading.is_group and HEADED not in html and least > 1 + html.count(BEGINS):
        for less in LESS:  # some rows are higher than they were taken for
            shorter = partial(html_of, less=less)
            html = shorter()
            pages = made(html)
            least = count(pages)
            if least <= 1 + html.count(BEGINS):
                break
        html_of = shorter
    if NOTES in html and least > 1:
        without = made(html_of(notes=0.0))
        if count(without) < least:
            least, pages = count(without), without
            smaller = (made(html_of(notes=share)) for share in SHARES)
            pages = next((each for each in smaller if count(each) == least), without)
    if heading.is_group and least > 1:
        closer = (made(html_of(tight=tight)) for tight in TIGHT)
        return next((each for each in closer if count(each) == 1), pages)
    return pages


ROSTER = Shape("a roster with a line each", "roster", free=7.0, listing=write_roster)


def roster_html(
    project: Project,
    pack: Pack,
    people: Sequence[Person],
    *,
    paper: str,
    heading: RosterHeading,
    mode: str = "print",
    template: str = TEMPLATE,
    numbered: bool = False,
    tight: int = 0,
    notes: float = 1.0,
    less: float = 0.0,
    fonts: Sequence[AddedFont] = (),
) -> str:
    """Return the HTML of a roster: `mode` is print, or page for a web page.

    A `numbered` one leaves a field for the number of each page, as it stands in a file with others; `tight` is as in
    `laid_out`, `notes` is the share of the room that is left for some, `less` is how much lower in mm pages are taken
    to be, and `fonts` set what ours lack.
    """
    system, group = pack.system, heading.is_group
    between = _between([person.character for person in people] if group else [], system)
    data = laid_out(
        system,
        roster_of(system),
        people,
        PAPERS[paper],
        _measure(),
        group=group,
        tight=tight,
        notes_share=notes,
        above=height_above(group=group, ties=bool(between["ties"]), say=bool(heading.say)),
        less=less,
    )
    data |= between | {"numbered": numbered}
    side, path = qr_path(heading.code) if heading.code and mode == "print" else (0, "")
    code = {"side": side, "path": path} if side else None
    about = {"title": heading.title, "say": heading.say, "again": heading.reroll_hint, "code": code}
    shown = {**data, **about, "game": game(system), "mode": mode, "numbers": list(range(1, 31))}
    shown["added"] = _added(system, people, fonts) if fonts else ()
    from sheetgen.documents.render import environment, render  # imports Jinja

    page = render(environment(template_folders(project, pack), project.shown), template, shown)
    return with_ink(page, system.tone)


def _between(members: Sequence[Character], system: System) -> dict[str, object]:
    """Return what the page of a group tells above its table: ties, the numbers of those in them, and the trouble."""
    first = who_knows_more(members) if members else None
    trouble = {"who": own_name(first), "number": members.index(first) + 1} if first is not None else None
    ties = [tie.pieces for tie in ties_between(system, members)]
    return {"ties": ties, "trouble": trouble, "numbered_names": numbers_by_name(system, members)}


def _added(system: System, people: Iterable[Person], fonts: Sequence[AddedFont]) -> list[tuple[str, str]]:
    """Return the fonts, by family and address, that the lines of these people need beside ours."""
    from sheetgen.pdf.fonts.shaping import carried_fonts  # imports uharfbuzz

    roster = roster_of(system)
    text = "".join(text for each in people for _, text in line_texts(system, roster, each))
    return carried_fonts(fonts, text, missing_from(text, PLAIN))


def _measure() -> Measure:
    plain, bold = measure_of(FaceName(SERIF, 400)), measure_of(FaceName(SERIF, 700))
    return lambda text, size, heavy: (bold if heavy else plain)(text, size)


def printable_people(
    pack: Pack, people: Iterable[Person], report: Report, fonts: Sequence[AddedFont] = ()
) -> list[Person]:
    """Return the people whose line our fonts and these can print, and report the others.

    Raises NobodyPrinted if nobody is left.
    """
    roster, shown = roster_of(pack.system), []
    for each in people:
        error = _unprintable(line_texts(pack.system, roster, each), fonts)
        if error is None:
            shown.append(each)
        else:
            place = each.character.place
            report.skipped.append(f"{place if place.file else each.character.text('name')}: {error}")
    report.printed = len(shown)
    if not shown:
        raise NobodyPrinted(report)
    return shown


def _unprintable(texts: Iterable[tuple[str, str]], fonts: Sequence[AddedFont]) -> Unprintable | None:
    """Return the error of the first titled text that its face cannot show; None if all can be shown."""
    for (title, text), face in zip(texts, chain(FACES, repeat(PLAIN)), strict=False):
        plain = unicodedata.normalize("NFC", text)
        lacking = "" if plain.isascii() else missing_from(plain, face)
        missing = "".join(char for char in lacking if not any(char in font.face.glyphs for font in fonts))
        if missing:
            return Unprintable(title, missing)
    return None


def front_matter_writer(project: Project, pack: Pack, people: Sequence[Person], printing: PrintOptions) -> Lead:
    """Return a function that writes the pages before the sheets, given who is printed and where each begins."""
    paper, heading = printing.paper, printing.heading

    def lead(stamp: Stamp, pages_of: Sequence[tuple[int, int]]) -> None:
        placed, before = [(people[at], page) for at, page in pages_of], 0
        if not placed:
            return
        if printing.roster:
            form = _roster_form(project, pack, [person for person, _ in placed], printing)
            before += sides_of(len(form.pages), stamp.two_sided)
            stamp.lead(form, [FrontPage(Row(heading.title, {}))])
        if printing.index:
            fives = len(placed) >= LEAST_IN_FIVES and not any(person.heading for person, _ in placed)
            asked, roster = is_asked(person for person, _ in placed), roster_of(pack.system)
            if _told_by_headings(roster, placed):
                roster = replace(roster, under="")
            form = index_form(project, pack, paper=paper, fives=fives, asked=asked, roster=roster)
            pages = list(index_pages(placed, rows_on(paper, asked=asked), asked=asked))
            before += sides_of(len(pages), stamp.two_sided)
            stamp.lead(form, front_pages(roster, pages, heading, len(placed), before))

    return lead


def _told_by_headings(roster: Roster, placed: Sequence[Place]) -> bool:
    """Return whether everybody stands under a heading that says what else would stand beside the name."""
    return all(person.heading.casefold() == person.values.get(roster.under, "").casefold() for person, _ in placed)


def sides_of(count: int, two_sided: bool) -> int:
    """Return how many sides of paper so many pages take, if what comes next is to begin on a front."""
    return count + count % 2 if two_sided else count


def _roster_form(project: Project, pack: Pack, people: Sequence[Person], printing: PrintOptions) -> Form:
    paper, heading, fonts = printing.paper, printing.heading, printing.fonts
    html_of = partial(roster_html, project, pack, people, paper=paper, heading=heading, fonts=fonts, numbered=True)

    def made(html: str) -> Form:
        root = template_root(project, pack)
        return compiled_form(project, html, root=root, name=f"{pack.system.id} roster", keep=False)

    return pack.run_isolated(lambda: on_few_pages(html_of, made, lambda form: len(form.pages), heading))


def is_asked(people: Iterable[Person]) -> bool:
    """Return whether an index tells what people want of the players: at least one of them wants something."""
    return any(person.values.get(WANT) for person in people)


def index_form(
    project: Project,
    pack: Pack,
    *,
    paper: str,
    fives: bool,
    asked: bool = False,
    games: Sequence[Pack] = (),
    roster: Roster | None = None,
) -> Form:
    """Return the page of an index, with a row for each of as many people as there is room for, apart in `fives`.

    Where it is `asked`, rows tell what people want of the players, in place of the columns that are keys of the roster.
    The index of several `games` names them with their marks and licences, and has no columns that only one knows.
    Without anything `under` the names of the `roster`, which is that of the pack, there is more room for the others.
    """
    system = pack.system
    roster = roster_of(system) if roster is None else roster
    roster = Roster((), roster.under) if games or asked else roster
    spec, wish = system.spec(roster.under), system.spec(WANT)
    data = {
        **form_data(system, paper=paper),
        "games": [_signed(project, each) for each in games],
        "rows": rows_on(paper, asked=asked),
        "pitch": PITCH_ASKED if asked else PITCH,
        "fives": fives and not asked,
        "asked": (ASKED_WIDTH if roster.under else ASKED_WIDE) if asked else 0,
        "asked_title": wish.title if wish is not None else WANTS,
        "keys": [column.title for column in roster.keys],
        "key": KEY_WIDTH,
        "under": 0 if spec is None else UNDER_NARROW if asked else UNDER_WIDTH,
        "under_title": spec.title if spec is not None else "",
    }

    def made() -> Form:
        from sheetgen.documents.render import environment, render  # imports Jinja

        page = render(environment(template_folders(project, pack), project.shown), INDEX_TEMPLATE, data)
        html = with_ink(page, system.tone)
        return compiled_form(project, html, root=template_root(project, pack), name=f"{system.id} {INDEX_TEMPLATE}")

    return pack.run_isolated(made)


def _signed(project: Project, pack: Pack) -> TemplateData:
    """Return how a game signs a page that is not its own: name, colour, credit with licence, and its mark if drawn."""
    shown = game(pack.system)

    def drawn(template: str) -> str:
        from sheetgen.documents.render import environment, render  # imports Jinja

        return render(environment(template_folders(project, pack), project.shown), template, {"game": shown}).strip()

    mark = pack.run_isolated(lambda: drawn(MARK)) if pack.ours else ""
    told = {"title": shown["title"], "accent": shown["accent"], "credit": pack.run_isolated(lambda: drawn(CREDIT))}
    return {**told, "mark": mark if "<svg" in mark else ""}


def rows_on(paper: str, *, asked: bool = False) -> int:
    """Return how many rows a page of an index has: whole fives, since a gap may follow every fifth, unless `asked`."""
    room = PAPERS[paper].height - AROUND
    return int(room / PITCH_ASKED) if asked else int(room / (FIVE * PITCH + GAP)) * FIVE


def index_pages(placed: Sequence[Place], rows: int, *, asked: bool = False) -> Iterator[list[Entry]]:
    """Yield the rows of each page of the index: heading, person, page, number of the person.

    A heading stands right above its first person, with an empty row before it unless it begins a page, or rows are as
    high as those of people who are `asked` what they want.
    """
    page = list[Entry]()
    heading = ""
    for number, (person, at) in enumerate(placed, 1):
        begun: list[Entry] = []
        if person.heading != heading:
            heading = person.heading
            begun = [*([] if asked else [EMPTY]), (heading, None, 0, 0)]
        if len(page) + len(begun) >= rows:
            yield page
            page = []
        page += begun if page else begun[-1:]
        page.append(("", person, at, number))
    yield page


def front_pages(
    roster: Roster, pages: Sequence[Sequence[Entry]], heading: RosterHeading, count: int, before: int
) -> Iterator[FrontPage]:
    """Yield the pages of an index; `before` are the pages in front of the first person."""
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
    found |= {"asked": person.values.get(WANT, "")}
    found |= {f"key.{at}": filled(column.key, person.values) or "—" for at, column in enumerate(roster.keys, 1)}
    return {name: text.replace("\n", ", ") for name, text in found.items() if text}
