"""Filled sheets and character files: one stream of characters in, one file out, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TypeVar

from sheetgen.batch.sandbox import STANDARD
from sheetgen.documents.export.characters import csv_text, json_text, yaml_text
from sheetgen.errors import LimitError, UsageError, quoted
from sheetgen.model.character import Character
from sheetgen.model.group import GroupTitle
from sheetgen.pdf.fonts.user_font import AddedFont
from sheetgen.pdf.form.compositor import NO_PLACE, Row
from sheetgen.products.batch_pdf import Forms, Lead, Progress, Report, Shard, continued_on, write_people_pdf
from sheetgen.products.form_cache import field_names, fillable_sheet, places_of, sheet_html, web_page
from sheetgen.products.formats import SHAPES, Shape
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

MOST_ON_A_PAGE = 2_000
FORMATS = (".pdf", ".html", ".yaml", ".json", ".csv")
TEXTS = {".yaml": yaml_text, ".json": json_text, ".csv": csv_text}

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


def write_characters(
    project: Project,
    pack: Pack,
    characters: Iterable[Character],
    write: Write,
    *,
    form: str,
    paper: str,
    shape: Shape = SHAPES["sheet"],
    back: bool = False,
    lead: Lead | None = None,
    opening: str = "",
    shard: Shard | None = None,
    workers: int = 1,
    forms: Forms | None = None,
    fonts: Sequence[AddedFont] = (),
    strict: bool = False,
    group: GroupTitle | None = None,
    progress: Progress = lambda done: None,
) -> Report:
    """Write characters in the format of a suffix, in a shape if printed; return the report on each of them.

    `lead` writes pages before those of a PDF, `opening` is HTML that stands first on a web page, `group` is what a file
    of characters says of the group that they are. Raises NobodyPrinted,
    before anything is written, if all were left out; LimitError for too many on a web page.
    """
    if form == ".pdf":
        printed = partial(write_people_pdf, project, pack, characters, write, paper=paper, shape=shape, back=back)
        printed = partial(printed, forms=forms, fonts=fonts, strict=strict)
        return printed(lead=lead, shard=shard, workers=workers, progress=progress)
    if form == ".html":
        people = list(islice(characters, MOST_ON_A_PAGE + 1))
        check_count(form, len(people))
        rows = rows_of(project, pack, people, paper=paper, shape=shape, back=back)
        page = partial(_web_page, project, pack, rows, paper=paper, shape=shape, back=back)
        write(page(opening=opening, progress=progress).encode())
        progress(len(rows))
        return Report(len(rows), continued=list(_without_place(rows)))
    else:
        people = list(_with_progress(characters, progress))
        for piece in TEXTS[form](pack.system, people, group):
            write(piece.encode())
    progress(len(people))
    return Report(printed=len(people))


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


def _web_page(
    project: Project,
    pack: Pack,
    people: Sequence[Row],
    *,
    paper: str,
    shape: Shape,
    back: bool,
    opening: str,
    progress: Progress,
) -> str:
    page = partial(web_page, paper=paper, back=back, template=shape.template, card=shape.card(paper))
    more = len(people) // 20  # seconds: a stranger's page is looked at person by person
    limits = replace(STANDARD, cpu_s=STANDARD.cpu_s + more, wall_s=STANDARD.wall_s + 2 * more)
    told = _ProgressList(people, progress)
    return pack.run_isolated(lambda: page(project, pack, told, opening=opening), limits=limits)


def rows_of(
    project: Project, pack: Pack, people: Iterable[Character], *, paper: str, shape: Shape, back: bool
) -> list[Row]:
    """Return the row of each person on a web page: the values of the shape, and those that a sheet has no field for."""
    figures, values = engine_of(pack.system).figures, shape.values
    filled = [(each, values(pack.system, each, figures(pack.system, each))) for each in people]
    if shape.card(paper) is not None:
        return [Row(each.text("name"), said) for each, said in filled]
    html = pack.run_isolated(lambda: sheet_html(project, pack, paper=paper, back=back, template=shape.template))
    places = places_of(pack, field_names(html))
    return [Row(each.text("name"), said, places.unplaced(each, said)) for each, said in filled]


def _without_place(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a line for each person with values that the sheet has no field for."""
    for row in rows:
        if row.unplaced:
            told = continued_on((f"{title}{NO_PLACE}" for title, _ in row.unplaced), "a page of its own")
            yield f"{row.title}: {told}"


def filled_form(project: Project, pack: Pack, character: Character, *, paper: str) -> tuple[bytes, tuple[str, ...]]:
    """Return a fillable PDF of one character, its values in place and still open to change; a line on what has no
    place.
    """
    rows = rows_of(project, pack, [character], paper=paper, shape=SHAPES["sheet"], back=True)
    return fillable_sheet(project, pack, paper=paper, row=rows[0]), tuple(_without_place(rows))
