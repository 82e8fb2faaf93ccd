"""Rosters: everybody of a run or a file on a page or a few, as PDF or web page."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, islice, repeat
from typing import TypeVar

from sheetgen.documents.ink_saving import with_ink
from sheetgen.documents.roster import Measure, Person, laid_out, line_texts, roster_of
from sheetgen.documents.sheet import game, sheet_values
from sheetgen.errors import LimitError, UsageError
from sheetgen.geometry import PAPERS
from sheetgen.model.cast import GroupTitle
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.pdf.fonts.bundled import SERIF, measure_of, missing_from
from sheetgen.pdf.fonts.face import AddedFont, FaceName
from sheetgen.pdf.form.field_text import Unprintable
from sheetgen.pdf.pictures import qr_path
from sheetgen.people.ties import ties_between, who_knows_more
from sheetgen.products.form_cache import published, use_bundled_fonts
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

TIGHT = (1, 2)

T = TypeVar("T")


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

    def made(tight: int) -> bytes:
        html = roster_html(project, pack, people, paper=paper, heading=heading, tight=tight, fonts=fonts)
        return flow(html, root=template_root(project, pack), name=f"{pack.system.id} {TEMPLATE}")

    return on_one_page(made, page_count, heading)


def on_one_page(made: Callable[[int], T], count: Callable[[T], int], heading: RosterHeading) -> T:
    """Return what is `made` of a roster, tight for a group that would begin a second page for want of a little room."""
    pages = made(0)
    if not heading.is_group or count(pages) == 1:
        return pages
    closer = (made(tight) for tight in TIGHT)
    return next((each for each in closer if count(each) == 1), pages)


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
    fonts: Sequence[AddedFont] = (),
) -> str:
    """Return the HTML of a roster: `mode` is print, or page for a web page.

    A `numbered` one leaves a field for the number of each page, as it stands in a file with others; `tight` is as in
    `laid_out`, and `fonts` set what ours lack.
    """
    system, group = pack.system, heading.is_group
    data = laid_out(system, roster_of(system), people, PAPERS[paper], _measure(), group=group, tight=tight)
    members = [person.character for person in people] if group else []
    first = who_knows_more(members) if members else None
    trouble = {"who": first.text("name")} if first is not None else None
    ties = [tie.pieces for tie in ties_between(system, members)]
    data |= {"ties": ties, "trouble": trouble, "numbered": numbered}
    side, path = qr_path(heading.code) if heading.code and mode == "print" else (0, "")
    code = {"side": side, "path": path} if side else None
    about = {"title": heading.title, "say": heading.say, "again": heading.reroll_hint, "code": code}
    shown = {**data, **about, "game": game(system), "mode": mode, "numbers": list(range(1, 31))}
    shown["added"] = _added(system, people, fonts) if fonts else ()
    from sheetgen.documents.render import environment, render  # imports Jinja

    page = render(environment(template_folders(project, pack), project.shown), template, shown)
    return with_ink(page, system.tone)


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
