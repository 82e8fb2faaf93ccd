"""Checking any PDF for a print shop, in a confined process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import Box
from sheetgen.model.printing import ANY_SHOP, PrintShop
from sheetgen.press.pages import Pdf
from sheetgen.press.preflight import PreflightReport, examine, too_near, white_bleed
from sheetgen.workspace.foreign_files import read_pdf
from sheetgen.workspace.project import Project

PICTURES = (
    "is a ZIP: preflight looks over PDFs; what cards --for NAME puts into a ZIP has the size that the shop asks for"
)


def preflight(project: Project, path: Path, shop: PrintShop = ANY_SHOP) -> PreflightReport:
    """Return the findings on a file for a print shop, page by page; InputError for a file that cannot be read."""
    if path.suffix.lower() == ".zip" and path.is_file():
        raise InputError([Problem(Place(project.shown(path)), PICTURES)])

    def work(source: Pdf) -> PreflightReport:
        from sheetgen.pdf.pdfium import edges_inked, texts  # imports pypdfium2

        made = examine(source, shop)
        cuts = (
            Box(trim.x / unit, trim.y / unit, trim.width / unit, trim.height / unit)
            for trim, unit in zip(made.trims, made.units, strict=True)
        )
        seen = (*too_near(made, texts(path), shop), *white_bleed(edges_inked(path, cuts), shop))
        return replace(made, findings=tuple(sorted((*made.findings, *seen))))

    return read_pdf(path, project.shown(path), work)
