"""The print plan of a deck or a booklet: a page that says how to print, fold and cut it."""

from __future__ import annotations

from sheetgen.documents.print_plan import plan
from sheetgen.geometry import PAPERS, SHEET_PAPERS
from sheetgen.model.print_job import PrintJob
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.workspace.project import Project

PLAN = "press/plan.html"


def print_plan(project: Project, job: PrintJob, *, title: str) -> bytes:
    """Return the plan as PDF, on the paper of the job if that is a sheet to read from, else on A4."""
    from sheetgen.documents.render import environment, render  # imports Jinja
    from sheetgen.pdf.flow.document import flow  # imports WeasyPrint

    size = PAPERS[job.paper if job.paper in SHEET_PAPERS else SHEET_PAPERS[0]]
    data = {**plan(job), "title": title, "width": size.width, "height": size.height}
    html = render(environment((project.templates,), project.shown), PLAN, data)
    use_bundled_fonts(project)
    return flow(html, root=project.templates, name="print plan")
