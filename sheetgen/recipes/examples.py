"""Worked examples of a pack or of any file, run with their own dice."""

from __future__ import annotations

from pathlib import Path

from sheetgen.content.decode import Problems
from sheetgen.content.examples import read_examples
from sheetgen.content.folders import read_file
from sheetgen.content.nodes import parse
from sheetgen.errors import InputError
from sheetgen.model.example import Example
from sheetgen.recipes.packs import Pack
from sheetgen.recipes.project import Project
from sheetgen.rules.examples import run_examples

EXAMPLES = "examples.yaml"


def examples_in(project: Project, path: Path, *, inside: Path | None = None) -> tuple[Example, ...]:
    """The cases of a file; InputError with every problem of its shape."""
    problems = Problems()
    node = parse(read_file(path, project.shown(path), inside=inside), project.shown(path))
    cases = read_examples(node, problems)
    problems.raise_if_any()
    return cases


def check_examples(project: Project, pack: Pack, path: Path | None = None) -> int:
    """How many cases came out as they say: those of a file, or the pack's own; InputError with every failure."""
    if path is None:
        path = pack.folder / EXAMPLES
        if not path.exists():
            return 0
        cases = examples_in(project, path, inside=pack.folder)
    else:
        cases = examples_in(project, path)
    failures = pack.do(lambda: run_examples(pack.system, cases))
    if failures:
        raise InputError(failures)
    return len(cases)
