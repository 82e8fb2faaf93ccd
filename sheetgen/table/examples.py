"""Worked examples of a pack or of any file, run with their own dice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shlex import quote

from sheetgen.content.packs.examples import read_examples
from sheetgen.content.packs.folders import read_file
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.documents.export.characters import flow_scalar, scalar
from sheetgen.errors import InputError
from sheetgen.model.data import Data
from sheetgen.model.outcome import Example
from sheetgen.rules.examples import run_examples
from sheetgen.rules.procedures.parameters import FREE_TEXT
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

EXAMPLES = "examples.yaml"


def examples_in(project: Project, path: Path, *, inside: Path | None = None) -> tuple[Example, ...]:
    """Return the cases of a file; InputError with every problem of its shape."""
    problems = Problems()
    node = parse(read_file(path, project.shown(path), inside=inside), project.shown(path))
    cases = read_examples(node, problems)
    problems.raise_if_any()
    return cases


def check_examples(project: Project, pack: Pack, path: Path | None = None) -> int:
    """Return how many cases gave their expected results, of a file or the pack's own; InputError with every failure."""
    if path is None:
        path = pack.folder / EXAMPLES
        if not path.exists():
            return 0
        cases = examples_in(project, path, inside=pack.folder)
    else:
        cases = examples_in(project, path)
    failures = pack.run_isolated(lambda: run_examples(pack.system, cases))
    if failures:
        raise InputError(failures)
    return len(cases)


def command_of(project: Project, pack: Pack, procedure: str) -> str:
    """Return the words that play the pack's first worked example of a procedure, or nothing if it has none."""
    path = pack.folder / EXAMPLES
    if not path.exists():
        return ""
    for example in examples_in(project, path, inside=pack.folder):
        if example.do == procedure and "error" not in example.expect:
            words = [quote(f"{name}={_flow(value)}") for name, value in example.given.items() if name not in FREE_TEXT]
            dice = [f"--dice {','.join(map(str, example.dice))}"] if example.dice else []
            cards = [f"--cards {','.join(example.cards)}"] if example.cards else []
            return " ".join([*words, *dice, *cards])
    return ""


def _flow(data: Data) -> str:
    """Return data as YAML in one line."""
    if isinstance(data, Mapping):
        return "{" + ", ".join(f"{scalar(str(key))}: {_flow(value)}" for key, value in data.items()) + "}"
    if isinstance(data, tuple):
        return "[" + ", ".join(map(_flow, data)) + "]"
    return str(data) if _is_plain(data) else flow_scalar(str(data))


def _is_plain(word: str) -> bool:
    return word.removeprefix("-").replace(".", "", 1).isdigit() or word in ("true", "false", "null")
