"""Print plans: one page that says and shows how to print, fold and cut, made from the job itself."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pikepdf
import pymupdf
import pytest

from sheetgen.documents.press_pages import DASHES, THIN, plan, sheet
from sheetgen.geometry import CARDS, mm
from sheetgen.model.printing import PrintJob
from sheetgen.products.books.booklet import FOLDS, BookletOptions, make_booklet
from sheetgen.products.cards.sheets import BLEED, CardSheetOptions, lay_out_cards
from sheetgen.products.product import print_plan
from sheetgen.workspace.printers import remember
from sheetgen.workspace.project import Project


def pages(count: int, width: float, height: float, bleed: float = 0.0) -> bytes:
    """Empty pages of that trim size."""
    made = BytesIO()
    with pikepdf.new() as pdf:
        for _ in range(count):
            pdf.add_blank_page(page_size=(mm(width + 2 * bleed), mm(height + 2 * bleed)))
            pdf.pages[-1].trimbox = (mm(bleed), mm(bleed), mm(bleed + width), mm(bleed + height))
        pdf.save(made)
    return made.getvalue()


def booklet(project: Project, fold: str, count: int = 16, **more: object) -> PrintJob:
    source = project.where / "in.pdf"
    source.write_bytes(pages(count, 148, 210))
    return make_booklet(project, source, BookletOptions(fold=fold, **more), ".pdf").job  # type: ignore[arg-type]


def deck(**more: object) -> PrintJob:
    card = CARDS["poker"]
    return lay_out_cards(pages(24, card.width, card.height, BLEED), card, CardSheetOptions(**more)).job  # type: ignore[arg-type]


def numbers(job: PrintJob, places: tuple[int, ...]) -> list[tuple[str, int]]:
    return [(str(word["text"]), int(str(word["turn"]))) for word in sheet(job, places).words]


@pytest.mark.parametrize("fold", FOLDS)
def test_every_fold_has_a_plan_of_one_page(project: Project, fold: str) -> None:
    job = booklet(project, fold)
    with pymupdf.open(stream=print_plan(project, job, title="Zine")) as made:
        assert len(made) == 1
        said = " ".join(made[0].get_text().split())
    assert f"{job.sheets} × A4" in said
    assert ("Both sides" in said) == bool(job.flip)
    for step in job.steps:
        assert step.text[1:] in said


@pytest.mark.parametrize("more", [{}, {"bleed": True, "flip": "short"}, {"backs": "fold", "paper": "letter"}])
def test_every_deck_has_a_plan_of_one_page(project: Project, more: dict[str, object]) -> None:
    job = deck(**more)
    with pymupdf.open(stream=print_plan(project, job, title="Deck")) as made:
        assert len(made) == 1
        assert "12 cards of 63.5 × 88.9 mm" in made[0].get_text()


def test_sides_are_drawn_as_one_sees_them(project: Project) -> None:
    job = booklet(project, "saddle")
    assert numbers(job, job.front) == [("16", 0), ("1", 0)]
    assert numbers(job, job.back) == [("2", 0), ("15", 0)]
    # Turned over the long edge the back comes on its head, and is seen so.
    job = booklet(project, "saddle", flip="long")
    assert numbers(job, job.back) == [("15", 180), ("2", 180)]
    job = booklet(project, "eight", count=8)
    assert numbers(job, job.front)[:4] == [("5", 180), ("4", 180), ("3", 180), ("2", 180)]
    job = deck()
    assert [text for text, _ in numbers(job, job.back)] == ["3", "2", "1", "6", "5", "4", "9", "8", "7"]
    job = deck(backs="fold")
    assert [text for text, _ in numbers(job, job.front)][:4] == ["1", "1′", "2", "2′"]


def test_sheets_for_a_printer_that_strays_say_that_they_stand(project: Project) -> None:
    remember(project, "office", shift=(1.0, 0.0))
    assert plan(booklet(project, "saddle", printer="office"))["upright"]
    assert not plan(booklet(project, "saddle"))["upright"]


def test_a_plan_stands_beside_its_result(sheetgen: object, tmp_path: Path) -> None:
    (tmp_path / "zine.pdf").write_bytes(pages(8, 148, 210))
    ran = sheetgen("booklet", "zine.pdf", "--plan", "-o", "made.pdf")  # type: ignore[operator]
    assert ran.code == 0
    assert "made-plan.pdf: how to print and make it" in ran.out
    assert (tmp_path / "made-plan.pdf").is_file()
    ran = sheetgen("booklet", "zine.pdf", "--plan", "-o", "-", "--to", "pdf")  # type: ignore[operator]
    assert (ran.code, ran.err) == (2, "--plan is a file beside the result: give -o a name\n")


def test_a_plan_is_not_put_on_what_it_is_made_from(sheetgen: object, tmp_path: Path) -> None:
    given = tmp_path / "made-plan.pdf"
    given.write_bytes(kept := pages(8, 148, 210))
    ran = sheetgen("booklet", "made-plan.pdf", "--plan", "-o", "made.pdf")  # type: ignore[operator]
    told = "made-plan.pdf is also an input, and would be overwritten: give another name\n"
    assert (ran.code, ran.err) == (2, told)
    assert given.read_bytes() == kept
    assert not (tmp_path / "made.pdf").exists()


def test_cards_that_share_their_back_are_numbered_all_the_same() -> None:
    card = CARDS["poker"]
    job = lay_out_cards(pages(13, card.width, card.height, BLEED), card, CardSheetOptions(), shared=True).job
    assert [text for text, _ in numbers(job, job.front)] == [str(number) for number in range(1, 10)]
    assert [text for text, _ in numbers(job, job.back)] == ["3", "2", "1", "6", "5", "4", "9", "8", "7"]


def test_the_ruler_of_a_plan_is_as_long_as_it_says(project: Project) -> None:
    with pymupdf.open(stream=print_plan(project, deck(), title="Deck")) as made:
        lengths = [
            abs(item[2].x - item[1].x)
            for each in made[0].get_drawings()
            for item in each["items"]
            if item[0] == "l" and item[1].y == item[2].y
        ]
    assert any(length == pytest.approx(mm(50), abs=0.01) for length in lengths)


def test_folds_are_drawn_as_dashes_and_as_nothing_else(project: Project) -> None:
    job = booklet(project, "eight")
    strokes = sheet(job, job.front).strokes
    boxes = [stroke for kind in strokes.values() for stroke in kind if stroke.endswith("Z")]
    assert len(boxes) == 1, "the edge of the sheet: boxes of pages would hide the dashes"
    assert len(strokes[THIN, DASHES]) == 4


def test_a_plan_says_at_what_scale_pages_are_printed(project: Project) -> None:
    source = project.where / "in.pdf"
    source.write_bytes(pages(6, 210, 297))
    job = make_booklet(project, source, BookletOptions(), ".pdf").job
    assert job is not None
    with pymupdf.open(stream=print_plan(project, job, title="Zine")) as made:
        said = " ".join(made[0].get_text().split())
    assert "Pages are printed at 71 % of their size. 2 empty pages are added before the last one" in said
