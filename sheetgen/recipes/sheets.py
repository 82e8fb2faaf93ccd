"""Filled sheets and character files: one stream of characters in, one file out, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from sheetgen.documents.roster import csv_text, json_text, yaml_text
from sheetgen.documents.sheet import sheet_values
from sheetgen.errors import EXIT_SOME, LimitError, SheetgenError, UsageError, quoted
from sheetgen.model.character import Character
from sheetgen.pdf.stamp import Row, Stamp, Unprintable
from sheetgen.recipes.forms import continuation_form, fillable_sheet, sheet_form, web_page
from sheetgen.recipes.packs import Pack, template_folders
from sheetgen.recipes.project import Project
from sheetgen.rules.registry import engine_of

FEW = 20  # up to here a file is smaller without shared pictures of its values
MOST_ON_A_PAGE = 2_000
FORMATS = (".pdf", ".html", ".yaml", ".json", ".csv")
TEXTS = {".yaml": yaml_text, ".json": json_text, ".csv": csv_text}

T = TypeVar("T")
Write = Callable[[bytes], object]
Progress = Callable[[int], None]


@dataclass(slots=True)
class Report:
    """What became of a print run: how many were printed, who was left out and why, who needed a second page."""

    printed: int = 0
    skipped: list[str] = field(default_factory=list)
    continued: list[str] = field(default_factory=list)


class NobodyPrinted(SheetgenError):
    """A print run in which nobody could be printed, so that there is no file; carries the report."""

    exit_code = EXIT_SOME

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__("\n".join([*report.skipped, "nobody could be printed, so nothing was written"]))


def sources(project: Project, pack: Pack) -> tuple[Path, ...]:
    """The folders that what is made of a pack comes from: no result may land there."""
    packs = project.library.packs
    extended = (packs[name] for name in pack.system.lineage if name in packs)
    return tuple(dict.fromkeys((pack.folder, *extended, *template_folders(project, pack))))


def check_count(form: str, count: int) -> None:
    """LimitError for more people than one file of a format can sensibly hold."""
    if form == ".html" and count > MOST_ON_A_PAGE:
        raise LimitError(
            f"a web page takes {MOST_ON_A_PAGE:,} people at the most, not {count:,}, since a browser must hold them "
            "all at once: make a .pdf, or several pages"
        )


def checked_format(suffix: str, name: str) -> str:
    """The suffix if characters can be written so; UsageError otherwise."""
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
    back: bool = False,
    progress: Progress = lambda done: None,
) -> Report:
    """Characters written in the format of a suffix; what happened to each is in the report.

    Raises NobodyPrinted, before anything is written, if all were left out; LimitError for too many on a web page.
    """
    if form == ".pdf":
        return _stamped(project, pack, characters, write, paper=paper, back=back, progress=progress)
    if form == ".html":
        people = list(islice(characters, MOST_ON_A_PAGE + 1))
        check_count(form, len(people))
        write(_web_page(project, pack, people, paper=paper, back=back, progress=progress).encode())
    else:
        people = list(_counted(characters, progress))
        for piece in TEXTS[form](pack.system, people):
            write(piece.encode())
    progress(len(people))
    return Report(printed=len(people))


def _counted(items: Iterable[T], progress: Progress) -> Iterator[T]:
    """The items, with progress told of those that are behind us."""
    for number, item in enumerate(items):
        progress(number)
        yield item


def _stamped(
    project: Project,
    pack: Pack,
    characters: Iterable[Character],
    write: Write,
    *,
    paper: str,
    back: bool,
    progress: Progress,
) -> Report:
    system, figures, characters = pack.system, engine_of(pack.system).figures, iter(characters)
    form = sheet_form(project, pack, paper=paper, back=back)
    more = continuation_form(project, pack, paper=paper)
    first = list(islice(characters, FEW + 1))
    title, pictures = f"{system.title} characters", len(first) > FEW
    held = _Held(write)
    stamp = Stamp(form, held.write, title=title, author=system.credit, more=more, pictures=pictures)
    report = Report()
    for number, character in enumerate(chain(first, characters), 1):
        row = Row(character.text("name"), sheet_values(system, character, figures(system, character)))
        try:
            placed = stamp.add(row)
        except Unprintable as error:
            report.skipped.append(f"{character.place}: {error}" if character.place.file else f"{row.title}: {error}")
        else:
            report.printed += 1
            held.release()
            if placed.continued:
                report.continued.append(f"{row.title}: {', '.join(placed.continued)} continued on a page of its own")
        progress(number)
    if not report.printed:
        raise NobodyPrinted(report)
    stamp.close()
    return report


class _Held:
    """Holds the beginning of a file back until there is somebody to print."""

    def __init__(self, write: Write) -> None:
        self._write, self._pieces, self._open = write, list[bytes](), False

    def write(self, data: bytes) -> None:
        """Passes the data on, now or once released."""
        if self._open:
            self._write(data)
        else:
            self._pieces.append(data)

    def release(self) -> None:
        """Passes on what was held, and everything from now on."""
        if not self._open:
            self._open = True
            self._write(b"".join(self._pieces))


class _Told(list[T]):
    """A list that tells how far whoever reads it has come."""

    def __init__(self, items: Iterable[T], progress: Progress) -> None:
        super().__init__(items)
        self._progress = progress

    def __iter__(self) -> Iterator[T]:
        return _counted(super().__iter__(), self._progress)


def _web_page(
    project: Project, pack: Pack, people: Sequence[Character], *, paper: str, back: bool, progress: Progress
) -> str:
    figures = engine_of(pack.system).figures
    values = _Told((sheet_values(pack.system, each, figures(pack.system, each)) for each in people), progress)
    return pack.do(lambda: web_page(project, pack, values, paper=paper, back=back))


def blank_sheet(project: Project, pack: Pack, write: Write, *, form: str, paper: str, fillable: bool) -> None:
    """The empty sheet with its back: for pencil, for a PDF reader, or as a web page."""
    if form == ".html":
        write(pack.do(lambda: web_page(project, pack, [{}], paper=paper, back=True)).encode())
    elif form != ".pdf":
        raise UsageError(f"a blank sheet is made as .pdf or .html, not {form}")
    elif fillable:
        write(fillable_sheet(project, pack, paper=paper))
    else:
        system = pack.system
        title = f"{system.title} character sheet"
        form_of_both = sheet_form(project, pack, paper=paper, back=True)
        stamp = Stamp(form_of_both, write, title=title, author=system.credit, pictures=False)
        stamp.add(Row(title, {}))
        stamp.close()


def filled_form(project: Project, pack: Pack, character: Character, *, paper: str) -> bytes:
    """A fillable PDF of one character, its values in place and still open to change."""
    figures = engine_of(pack.system).figures
    values = sheet_values(pack.system, character, figures(pack.system, character))
    return fillable_sheet(project, pack, paper=paper, values=values)


def telling_name(pack: Pack, what: str, paper: str, suffix: str, output: Path) -> Path:
    """Where a result goes that was given no name: `output/gamers-blank-letter.pdf`."""
    size = "" if paper == "a4" else f"-{paper}"
    return output / f"{pack.system.id}-{what}{size}{suffix}"
