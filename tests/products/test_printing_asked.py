"""What files ask of the dialog that prints them: their own size, and the edge over which the paper is turned."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pikepdf
import pytest

from sheetgen.geometry import CARDS, mm
from sheetgen.pdf.flow.document import flow
from sheetgen.press.pages import concatenate
from sheetgen.products.books.booklet import BookletOptions, make_booklet
from sheetgen.products.cards.sheets import CardSheetOptions, lay_out_cards
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.products.printer_test import ProofOptions, make_proof
from sheetgen.workspace.project import Project

PAGE = "<!DOCTYPE html><html lang=en><title>Page</title><p>one</p></html>"
Make = Callable[[Project], bytes]


def page(project: Project, *, tagged: bool = False, flip: str = "") -> bytes:
    use_bundled_fonts(project)
    return flow(PAGE, root=project.templates, name="page", tagged=tagged, flip=flip)


def booklet(project: Project, options: BookletOptions) -> bytes:
    (project.where / "in.pdf").write_bytes(empty(8))
    return make_booklet(project, project.where / "in.pdf", options, ".pdf").data


def empty(count: int) -> bytes:
    with pikepdf.new() as made, BytesIO() as out:
        for _ in range(count):
            made.add_blank_page(page_size=(mm(69.5), mm(94.9)))
            made.pages[-1].trimbox = pikepdf.Array([mm(3), mm(3), mm(66.5), mm(91.9)])
        made.save(out)
        return out.getvalue()


@pytest.mark.parametrize(
    ("make", "duplex"),
    [
        (lambda project: page(project, tagged=True), "Simplex"),
        (lambda project: page(project, tagged=True, flip="long"), "DuplexFlipLongEdge"),
        (lambda project: concatenate([page(project)], title="two"), "Simplex"),
        (lambda project: booklet(project, BookletOptions()), "DuplexFlipShortEdge"),
        (lambda project: booklet(project, BookletOptions(flip="long")), "DuplexFlipLongEdge"),
        (lambda project: booklet(project, BookletOptions(fold="2up")), "Simplex"),
        (lambda project: lay_out_cards(empty(4), CARDS["poker"], CardSheetOptions()).data, "DuplexFlipLongEdge"),
        (
            lambda project: lay_out_cards(empty(4), CARDS["poker"], CardSheetOptions(flip="short")).data,
            "DuplexFlipShortEdge",
        ),
        (lambda project: lay_out_cards(empty(4), CARDS["poker"], CardSheetOptions(backs="fold")).data, "Simplex"),
        (lambda project: make_proof(project, None, ProofOptions(flip="short"), ".pdf").data, "DuplexFlipShortEdge"),
    ],
)
def test_what_is_to_be_printed_as_it_is_says_so(project: Project, make: Make, duplex: str) -> None:
    with pikepdf.open(BytesIO(make(project))) as made:
        asked = made.Root.ViewerPreferences
        assert (asked.PrintScaling, asked.Duplex, asked.PickTrayByPDFSize) == ("/None", f"/{duplex}", True)
