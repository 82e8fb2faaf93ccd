"""`sheetgen preflight` as a person uses it: a line for each finding, and the exit code says whether there are any."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from sheetgen.pdf.flow.document import flow
from sheetgen.press.pages import normalize_origin
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.workspace.project import Project

Sheetgen = Callable[..., Any]
CARD = """<!DOCTYPE html><html lang="en"><title>Card</title><style>
@page {{ size: 63mm 88mm; margin: 0; bleed: 3mm }}
body {{ margin: 0 }}
p {{ font: 10pt 'Source Serif Pro'; margin: {inset}mm }}
</style><p>Help a friend: +1</p></html>"""


def card(project: Project, inset: int) -> bytes:
    """A card as it comes from the printer of books, with its text so far from the cut."""
    use_bundled_fonts(project)
    return flow(CARD.format(inset=inset), root=project.templates, name="card")


def test_a_card_of_ours_is_ready(sheetgen: Sheetgen, project: Project, tmp_path: Path) -> None:
    made = card(project, 5)
    for data in (made, normalize_origin(made)):
        (tmp_path / "card.pdf").write_bytes(data)
        ran = sheetgen("preflight", "card.pdf")
        assert (ran.code, ran.out) == (0, "card.pdf: 1 page of 63.0 × 88.0 mm, ready for the print shop\n")


def test_text_near_the_cut_is_told(sheetgen: Sheetgen, project: Project, tmp_path: Path) -> None:
    (tmp_path / "card.pdf").write_bytes(card(project, 1))
    ran = sheetgen("preflight", "card.pdf")
    assert ran.code == 1
    assert ran.out.startswith('card.pdf: page 1: text "Help a friend: +1" stands 1.')
    told = json.loads(sheetgen("preflight", "card.pdf", "--json").out)
    assert [each["page"] for each in told["findings"]] == [1]


def test_pictures_for_a_shop_are_not_taken_for_a_broken_pdf(sheetgen: Sheetgen, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "deck.zip", "w") as zipped:
        zipped.writestr("01-Levels.png", b"")
    ran = sheetgen("preflight", "deck.zip", "--for", "mpc")
    assert ran.code == 2
    assert "preflight looks over PDFs; what cards --for NAME puts into a ZIP has the size that the shop asks" in ran.err


def test_what_is_no_pdf_is_told(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "junk.pdf").write_bytes(b"%PDF-1.4 junk")
    ran = sheetgen("preflight", "junk.pdf")
    assert ran.code == 2
    assert "junk.pdf: is not a PDF that can be read" in ran.err
    assert str(tmp_path) not in ran.err
    assert sheetgen("preflight", "nowhere.pdf").code == 2
