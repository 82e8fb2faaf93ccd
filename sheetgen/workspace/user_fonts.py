"""Fonts that a user adds for characters that the bundled ones lack, read in a confined process."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from sheetgen.batch.sandbox import confined
from sheetgen.content.packs.folders import read_file
from sheetgen.content.yaml.encoding import FileLimit
from sheetgen.errors import InputError, Problem
from sheetgen.pdf.fonts.face import AddedFont
from sheetgen.workspace.project import Project

MOST = FileLimit(64_000_000, 1, "give a font of fewer scripts")


def read_fonts(project: Project, paths: Iterable[Path]) -> tuple[AddedFont, ...]:
    """Return the fonts in order, each once; InputError with every file that is no font or may not be embedded.

    LimitError for a file that takes too much time or memory to read.
    """
    fonts: dict[str, AddedFont] = {}
    problems: list[Problem] = []
    for path in paths:
        shown = project.shown(path)
        try:
            font = confined(partial(_read, read_file(path, shown, most=MOST), shown), what=shown)
            fonts.setdefault(font.digest, font)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return tuple(fonts.values())


def _read(data: bytes, shown: str) -> AddedFont:
    from sheetgen.pdf.fonts.shaping import read_font  # imports uharfbuzz

    return read_font(data, shown)
