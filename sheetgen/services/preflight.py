"""A PDF looked over before it goes to a print shop, ours or anybody's, in a confined process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sheetgen.batch.sandbox import Limits, confined
from sheetgen.press.preflight import Examined, examine, too_near
from sheetgen.workspace.project import Project

LIMITS = Limits(memory_mb=900, cpu_s=60, wall_s=90)


def looked_over(project: Project, path: Path) -> Examined:
    """What a print shop would say of the file, page by page; InputError for what cannot be read."""
    shown = project.shown(path)

    def work() -> Examined:
        from sheetgen.pdf.text_extraction import texts  # imports pypdfium2

        made = examine(path, shown)
        return replace(made, findings=tuple(sorted((*made.findings, *too_near(made.trims, texts(path))))))

    return confined(work, what=shown, limits=LIMITS)
