"""Charts that verbs draw: one SVG file each, never over anything that it is made from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sheetgen.errors import UsageError
from sheetgen.table.play import people_files
from sheetgen.workspace.packs import Pack, sources
from sheetgen.workspace.project import Project
from sheetgen.workspace.targets import STDOUT, Target, refuse_inputs, targets, write_target


def chart_target(name: str, where: Path) -> Target | None:
    """Return the target that `-o` names, or None without one; UsageError for standard output, or for another format."""
    if name == STDOUT:
        raise UsageError("a chart needs a file: -o chart.svg")
    return targets([name], "", where, (".svg",))[0] if name else None


def chart_inputs(target: Target | None, project: Project, pack: Pack, words: Iterable[str]) -> tuple[Path, ...]:
    """Return the files of the pack and the characters that the words name; UsageError if the chart would land among
    them.
    """
    inputs = (*sources(project, pack), *people_files(project, words))
    refuse_inputs([target] if target is not None else [], inputs)
    return inputs


def write_chart(target: Target, chart: str, inputs: Iterable[Path]) -> None:
    """Write the chart, completely or not at all."""
    write_target(target, lambda write: write(chart.encode()), inputs=inputs)
