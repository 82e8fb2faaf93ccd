"""Checking any PDF for a print shop, in a confined process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sheetgen.press.pdf_open import Pdf
from sheetgen.press.preflight import PreflightReport, examine, too_near
from sheetgen.workspace.foreign_pdf import read_pdf
from sheetgen.workspace.project import Project


def preflight(project: Project, path: Path) -> PreflightReport:
    """Return the findings on a file for a print shop, page by page; InputError for a file that cannot be read."""

    def work(source: Pdf) -> PreflightReport:
        from sheetgen.pdf.pdfium import texts  # imports pypdfium2

        made = examine(source)
        return replace(made, findings=tuple(sorted((*made.findings, *too_near(made.trims, texts(path))))))

    return read_pdf(path, project.shown(path), work)
