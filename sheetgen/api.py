"""The library's small public face: the verbs of the command line as functions. `import sheetgen` offers them all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from sheetgen.errors import UsageError, quoted
from sheetgen.model.character import Character
from sheetgen.people.character_files import Party, read_party
from sheetgen.people.rolling import Run
from sheetgen.people.rolling import roll as roll_run
from sheetgen.products.batch_pdf import Report
from sheetgen.products.formats import SHAPES, SHEET
from sheetgen.products.sheet import checked_format, write_characters
from sheetgen.rules.odds import Odds
from sheetgen.rules.procedures.parameters import plain_words
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.table.play import Played, Source, procedure_named
from sheetgen.table.play import odds as procedure_odds
from sheetgen.table.play import play as play_procedure
from sheetgen.workspace.packs import Pack, open_pack, sources
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.write import Output


def _project(where: Path | None) -> Project:
    return project_at(where or Path.cwd(), os.environ)


def load(system: str, *, where: Path | None = None) -> Pack:
    """The checked pack of a name (`"gamers"`) or a path (`"./mist"`); InputError with every problem of its files."""
    return open_pack(_project(where), system)


def read(path: Path | str, *, where: Path | None = None) -> Party:
    """The characters of a YAML, JSON or CSV file with their pack; InputError with every problem of the file."""
    project = _project(where)
    return read_party(project, project.where / path)


def roll(
    pack: Pack,
    count: int = 1,
    *,
    seed: int,
    first: int = 1,
    method: str = "",
    archetype: str = "",
    options: Mapping[str, str] | None = None,
) -> list[Character]:
    """The characters number `first` and on of the run with that seed; UsageError for a word the pack does not know."""
    return list(islice(roll_run(pack, Run(seed, count, first, method, archetype, dict(options or {}))), count))


def write(
    pack: Pack,
    characters: Iterable[Character],
    path: Path | str,
    *,
    shape: str = SHEET,
    paper: str = "a4",
    back: bool = False,
) -> Report:
    """Writes characters to a .pdf, .html, .yaml, .json or .csv file, whole or not at all, and reports on each.

    The shape is `sheet`, `card` or `index`; UsageError for another.
    """
    if shape not in SHAPES:
        raise UsageError(f"unknown shape {quoted(shape)}; there are {', '.join(SHAPES)}")
    project = _project(None)
    target = project.where / path
    form = checked_format(target.suffix, str(path))
    with Output(target, inputs=sources(project, pack)) as output:
        shown = SHAPES[shape]
        return write_characters(project, pack, characters, output.write, form=form, paper=paper, shape=shown, back=back)


def play(pack: Pack, name: str, *, dice: Iterable[int] | None = None, seed: int = 1, **given: Any) -> Played:
    """What comes of a procedure and its log, with these faces or those of a seed; Wrong names a bad parameter."""
    procedure = procedure_named(pack, name)
    source = Source(seed, dice=tuple(dice) if dice is not None else None)
    return play_procedure(pack, procedure, _arguments(pack, procedure, given), source)


def odds(pack: Pack, name: str, *, of: str, policy: str = "", **given: Any) -> Odds:
    """The exact odds of one result of a procedure; LimitError when there are too many paths to walk."""
    procedure = procedure_named(pack, name)
    return procedure_odds(pack, procedure, _arguments(pack, procedure, given), of=of, policy=policy)


def _arguments(pack: Pack, procedure: Procedure, given: Mapping[str, Any]) -> dict[str, Any]:
    from sheetgen.dice.source import Scripted

    rulings = rulings_of(pack.system, engine_of(pack.system))
    names = {name.rstrip("_"): value for name, value in given.items()}
    return procedure.arguments(plain_words(names), Play(pack.system, Scripted(()), rulings=rulings))
