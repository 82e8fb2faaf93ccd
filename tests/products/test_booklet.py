"""Any PDF imposed, read back: every page once, at its size, at its place; what leaves have behind is in test_duplex."""

from __future__ import annotations

from io import BytesIO

import pymupdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from sheetgen.geometry import PAPERS, mm
from sheetgen.products.booklet import FOLDS, GRIDS, BookletOptions, make_booklet
from sheetgen.workspace.project import Project


def numbered(count: int, width: float, height: float) -> bytes:
    """Pages of that size in mm, framed at their very edge, with their number in the middle."""
    made = BytesIO()
    canvas = Canvas(made, pagesize=(mm(width), mm(height)))
    for number in range(1, count + 1):
        canvas.setFillColorRGB(0.9, 0.9, 0.9)
        canvas.rect(0, 0, mm(width), mm(height), stroke=0, fill=1)
        canvas.setFillGray(0)
        canvas.drawCentredString(mm(width / 2), mm(height / 2), f"n{number}")
        canvas.showPage()
    canvas.save()
    return made.getvalue()


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 25, 40])
def test_every_page_is_there_once(project: Project, fold: str, count: int) -> None:
    (project.where / "in.pdf").write_bytes(numbered(count, 148, 210))
    made = make_booklet(project, project.where / "in.pdf", BookletOptions(fold=fold), ".pdf")
    with pymupdf.open(stream=made.data) as document:
        words = sorted(int(word[4][1:]) for page in document for word in page.get_text("words"))
        assert words == list(range(1, count + 1))
        assert len(document) == made.job.sheets * (2 if made.job.flip else 1)
        size = PAPERS["a4"]
        for page in document:
            sides = sorted((page.rect.width / mm(1), page.rect.height / mm(1)))
            assert sides == pytest.approx([size.width, size.height], abs=0.1)


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("page", [(40, 60), (60, 40)])
def test_small_pages_keep_their_size_in_the_middle_of_their_place(
    project: Project, fold: str, page: tuple[float, float]
) -> None:
    (project.where / "in.pdf").write_bytes(numbered(8, *page))
    made = make_booklet(project, project.where / "in.pdf", BookletOptions(fold=fold, creep=0.0, flip="long"), ".pdf")
    columns, rows = (1, 2) if fold == "2up" and page[0] > page[1] else GRIDS[fold]  # lying pages: one above another
    with pymupdf.open(stream=made.data) as document:
        for sheet in document:
            fields = [each["rect"] * sheet.rotation_matrix for each in sheet.get_drawings() if each["fill"]]
            fields = [each.normalize() for each in fields]
            assert fields
            for each in fields:
                assert (each.width / mm(1), each.height / mm(1)) == pytest.approx(page, abs=0.1)
                place = sheet.rect.width / columns, sheet.rect.height / rows
                x, y = (each.x0 + each.x1) / 2 / place[0], (each.y0 + each.y1) / 2 / place[1]
                assert (x % 1, y % 1) == pytest.approx((0.5, 0.5), abs=0.001)


def test_the_edge_suits_the_fold_unless_one_is_named(project: Project) -> None:
    (project.where / "in.pdf").write_bytes(numbered(8, 148, 210))
    for options, flip in (
        (BookletOptions(), "short"),
        (BookletOptions(flip="long"), "long"),
        (BookletOptions(fold="cut"), "long"),
        (BookletOptions(fold="cut", flip="short"), "short"),
        (BookletOptions(fold="eight"), ""),
    ):
        job = make_booklet(project, project.where / "in.pdf", options, ".pdf").job
        assert job.flip == flip
        assert (f"turned over the {flip} edge" in job.printing) == bool(flip)
