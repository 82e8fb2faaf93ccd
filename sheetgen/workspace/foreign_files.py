"""Files of strangers, read in a confined process whose crash or hang does no harm: PDFs, and fonts that a user adds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sheetgen.batch.sandbox import Limits, confined
from sheetgen.content.packs.folders import read_file
from sheetgen.content.yaml.encoding import FileLimit
from sheetgen.errors import InputError, Problem
from sheetgen.pdf.fonts.face import AddedFont
from sheetgen.workspace.project import Project

if TYPE_CHECKING:
    from sheetgen.press.pages import Pdf

T = TypeVar("T")

LARGEST_FONT = FileLimit(64_000_000, 1, "give a font of fewer scripts")
LIMITS = Limits(memory_mb=350, cpu_s=30, wall_s=60, file_mb=200)


def read_pdf(
    path: Path, shown: str, work: Callable[[Pdf], T], *, most_pages: int | None = None, whole: bool = True
) -> T:
    """Return what `work` makes of the open PDF, in a confined process.

    Messages call it `shown`; `most_pages` None are as many as usual. InputError for a PDF that cannot be used (see
    `opened`), LimitError for one that takes too much memory or time.
    """
    from sheetgen.press.pages import MOST_PAGES, opened  # imports pikepdf

    def opened_and_read() -> T:
        with opened(path, shown, most_pages=MOST_PAGES if most_pages is None else most_pages, whole=whole) as source:
            return work(source)

    return confined(opened_and_read, what=shown, limits=LIMITS)


def read_fonts(project: Project, paths: Iterable[Path]) -> tuple[AddedFont, ...]:
    """Return the fonts in order, each once; InputError with every file that is no font or may not be embedded.

    LimitError for a file that takes too much time or memory to read.
    """
    fonts: dict[str, AddedFont] = {}
    problems: list[Problem] = []
    for path in paths:
        shown = project.shown(path)
        try:
            font = confined(partial(_read, read_file(path, shown, most=LARGEST_FONT), shown), what=shown)
            fonts.setdefault(font.digest, font)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return tuple(fonts.values())


def _read(data: bytes, shown: str) -> AddedFont:
    from sheetgen.pdf.fonts.shaping import read_font  # imports uharfbuzz

    return read_font(data, shown)
