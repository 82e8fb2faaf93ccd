"""Character files read and judged: YAML, JSON or CSV in, characters of an opened pack out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sheetgen.content.characters import read_characters, system_named
from sheetgen.content.decode import Problems
from sheetgen.content.folders import read_file
from sheetgen.content.nodes import parse
from sheetgen.content.spreadsheet import first_system, parse_rows
from sheetgen.errors import InputError, Place, Problem
from sheetgen.model.character import Character
from sheetgen.recipes.packs import Pack, open_pack
from sheetgen.recipes.project import Project
from sheetgen.rules.registry import engine_of

READABLE = (".yaml", ".yml", ".json", ".csv")


@dataclass(frozen=True, slots=True)
class Party:
    """The characters of one file, and the pack they belong to."""

    pack: Pack
    characters: tuple[Character, ...]


def read_party(project: Project, path: Path) -> Party:
    """The characters of a file, valid by their game's rules; InputError with every problem of the file."""
    shown = project.shown(path)
    if path.suffix.lower() not in READABLE:
        raise InputError([Problem(Place(shown), f"characters are read from {', '.join(READABLE)} files")])
    data = read_file(path, shown)
    problems = Problems()
    if path.suffix.lower() == ".csv":
        name = first_system(data, shown, problems)
        problems.raise_if_any()
        pack = open_pack(project, name)
        node = parse_rows(data, shown, pack.system, problems)
    else:
        node = parse(data, shown)
        name = system_named(node, problems)
        problems.raise_if_any()
        pack = _pack_named(project, name, Place(shown))
    characters = read_characters(node, pack.system, problems)
    judge = engine_of(pack.system).judge
    for character in characters:
        for problem in judge(pack.system, character):
            problems.add(problem.place, problem.message, problem.rule)
    problems.raise_if_any()
    return Party(pack, characters)


def _pack_named(project: Project, name: str, place: Place) -> Pack:
    try:
        return open_pack(project, name)
    except InputError as error:
        if any(problem.place.file == "sheetgen" for problem in error.problems):
            raise InputError([Problem(place, problem.message) for problem in error.problems]) from None
        raise
