"""The portraits of the characters of a file: pictures in its folder, read once each in a confined process."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from sheetgen.batch.sandbox import Limits, confined
from sheetgen.content.packs.folders import read_file
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.encoding import FileLimit
from sheetgen.errors import InputError, Problem, quoted
from sheetgen.model.character import Character, PictureFile
from sheetgen.pdf.portrait import Portrait, read_portrait

LARGEST = FileLimit(20_000_000, 1, "make it smaller")
MOST_TOGETHER = 200_000_000  # bytes of all pictures of a file as they are embedded
LIMITS = Limits(memory_mb=700, cpu_s=20, wall_s=60)


def with_portraits(path: Path, characters: Iterable[Character], problems: Problems) -> tuple[Character, ...]:
    """Return the characters of a file with their pictures read; a problem at the place of each that cannot be."""
    known: dict[PictureFile, str] = {}
    together, found = 0, list[Character]()
    for each in characters:
        picture = each.picture
        if picture is None:
            found.append(each)
            continue
        if picture not in known:
            try:
                known[picture] = _read(path.parent, picture).text
            except InputError as error:
                known[picture] = ""
                for told in error.problems:
                    problems.add(picture.place, told.message)
            together += len(known[picture])
            if together > MOST_TOGETHER:
                problems.add(picture.place, "the pictures of this file are too large together (split the file)")
                return tuple(found)
        found.append(replace(each, picture=replace(picture, shown=known[picture])))
    return tuple(found)


def _read(folder: Path, picture: PictureFile) -> Portrait:
    """Return a picture below a folder; InputError for one that is elsewhere, missing, too large or no picture."""
    named = f"picture {quoted(picture.file)}"
    file = folder / picture.file
    if not _is_inside(file, folder):
        message = f"{named} is not in the folder of this file (copy it there)"
        raise InputError([Problem(picture.place, message)])
    try:
        data = read_file(file, picture.file, inside=folder, most=LARGEST)
    except InputError as error:
        raise InputError([Problem(picture.place, f"{named}: {each.message}") for each in error.problems]) from None
    return confined(
        lambda: read_portrait(data, picture.place, picture.focus), what=os.fspath(picture.file), limits=LIMITS
    )


def _is_inside(file: Path, folder: Path) -> bool:
    """Return whether a path leads to somewhere in a folder, through links or not."""
    try:
        return file.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # too long a name, links in a circle, a zero byte
        return False
