"""The pages before the sheets of a print run: a roster of everybody, and an index of who is on which page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from sheetgen.documents.ink_saving import with_ink
from sheetgen.documents.roster import WANTS, Person, roster_of
from sheetgen.documents.sheet import WANT, TemplateData, game
from sheetgen.geometry import PAPERS
from sheetgen.model.people_pages import Roster, filled
from sheetgen.pdf.form.compositor import Row
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import FrontPage, Stamp
from sheetgen.products.batch_pdf import Lead
from sheetgen.products.form_cache import compiled_form, form_data
from sheetgen.products.roster import on_one_page, roster_html
from sheetgen.products.shapes import PrintOptions, RosterHeading
from sheetgen.workspace.packs import Pack, template_folders, template_root
from sheetgen.workspace.project import Project

TEMPLATE, MARK, CREDIT = "contents.html", "card/mark.html", "sheet/credit.html"
AROUND, PITCH, PITCH_ASKED, GAP, FIVE = 52.0, 5.0, 7.6, 2.0, 5
LEAST_IN_FIVES = 10  # of fewer people the eye keeps its line without gaps
UNDER_WIDTH, UNDER_NARROW, KEY_WIDTH, ASKED_WIDTH, ASKED_WIDE = 43, 38, 22, 82, 112
INDEX = "Index"

Place = tuple[Person, int]


def front_matter_writer(project: Project, pack: Pack, people: Sequence[Person], printing: PrintOptions) -> Lead:
    """Return a function that writes the pages before the sheets, given who is printed and where each begins."""
    paper, heading = printing.paper, printing.heading

    def lead(stamp: Stamp, pages_of: Sequence[tuple[int, int]]) -> None:
        placed, before = [(people[at], page) for at, page in pages_of], 0
        if not placed:
            return
        if printing.roster:
            form = _roster_form(project, pack, [person for person, _ in placed], printing)
            before += _sides(len(form.pages), printing.back)
            stamp.lead(form, [FrontPage(Row(heading.title, {}))])
        if printing.index:
            fives = len(placed) >= LEAST_IN_FIVES and not any(person.heading for person, _ in placed)
            asked, roster = is_asked(person for person, _ in placed), roster_of(pack.system)
            if _told_by_headings(roster, placed):
                roster = replace(roster, under="")
            form = index_form(project, pack, paper=paper, fives=fives, asked=asked, roster=roster)
            pages = list(index_pages(placed, rows_on(paper, asked=asked), asked=asked))
            before += _sides(len(pages), printing.back)
            stamp.lead(form, front_pages(roster, pages, heading, len(placed), before))

    return lead


def _told_by_headings(roster: Roster, placed: Sequence[Place]) -> bool:
    """Return whether everybody stands under a heading that says what else would stand beside the name."""
    return all(person.heading.casefold() == person.values.get(roster.under, "").casefold() for person, _ in placed)


def _sides(count: int, two_sided: bool) -> int:
    return count + count % 2 if two_sided else count


def _roster_form(project: Project, pack: Pack, people: Sequence[Person], printing: PrintOptions) -> Form:
    html_of = partial(roster_html, paper=printing.paper, heading=printing.heading, fonts=printing.fonts, numbered=True)

    def made(tight: int) -> Form:
        html = html_of(project, pack, people, tight=tight)
        root = template_root(project, pack)
        return compiled_form(project, html, root=root, name=f"{pack.system.id} roster", keep=False)

    return pack.run_isolated(lambda: on_one_page(made, lambda form: len(form.pages), printing.heading))


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

        page = render(environment(template_folders(project, pack), project.shown), TEMPLATE, data)
        html = with_ink(page, system.tone)
        return compiled_form(project, html, root=template_root(project, pack), name=f"{system.id} {TEMPLATE}")

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


Entry = tuple[str, Person | None, int, int]
EMPTY: Entry = ("", None, 0, 0)


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
