"""Characters that were changed here rather than read: judged as their own file would be."""

from __future__ import annotations

from collections.abc import Sequence

from sheetgen.content.people.characters import read_characters
from sheetgen.content.yaml.decode import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.documents.export.characters import yaml_text
from sheetgen.errors import InputError, Problem
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.people.character_files import MOST
from sheetgen.rules.registry import engine_of

UNNAMED = "new.yaml"


def problems_of(system: System, characters: Sequence[Character]) -> tuple[Problem, ...]:
    """Every problem that a file of these characters would have; their places are those of such a file."""
    problems = Problems()
    data = "".join(yaml_text(system, characters)).encode()
    try:
        read_characters(parse(data, UNNAMED, most=MOST), system, problems, judge=engine_of(system).judge)
    except InputError as error:
        return (*problems.found, *error.problems)
    return problems.found


def complaints(system: System, character: Character) -> tuple[str, ...]:
    """What is wrong with a character, each in a line with its rule."""
    found = problems_of(system, [character])
    return tuple(f"{each.message} [{each.rule}]" if each.rule else each.message for each in found)
