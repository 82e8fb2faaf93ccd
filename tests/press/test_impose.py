"""Imposed PDFs read back: every page where the plan has it, text and links alive, sizes to a tenth of a millimetre."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pymupdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from sheetgen.geometry import PAPERS, Line, mm
from sheetgen.press import impose as press
from sheetgen.press.impose import Imposition
from sheetgen.press.marks import Marks
from sheetgen.press.pages import opened
from sheetgen.press.plan import cut_stack, eight_fold, n_up, saddle_stitch

A5 = (mm(148), mm(210))
TENTH = mm(0.1)


def pages(path: Path, count: int, size: tuple[float, float] = A5) -> Path:
    """A PDF whose pages say their number in their lower left corner, with links to the web and to the last page."""
    canvas = Canvas(str(path), pagesize=size)
    for number in range(1, count + 1):
        canvas.bookmarkPage(f"p{number}")
        canvas.drawString(30, 40, f"page {number}")
        canvas.linkURL(f"https://example.org/{number}", (30, 40, 90, 52))
        canvas.linkRect("", f"p{count}", (30, 100, 90, 112))
        canvas.showPage()
    canvas.save()
    return path


def words(path: Path) -> list[list[tuple[str, float, float]]]:
    """For each page the numbers on it, with the lower left corner of their words as it is seen."""
    found = []
    with pymupdf.open(path) as document:
        for page in document:
            lines = [word for word in page.get_text("words") if word[4].isdigit()]
            found.append([(word[4], word[0], page.rect.height - word[3]) for word in lines])
    return found


def impose(source: Path, imposition: Imposition, target: Path) -> None:
    with opened(source, source.name) as pdf:
        press.impose(pdf, imposition, target)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 9, 16, 23, 40])
def test_a_booklet_has_each_page_at_its_place(tmp_path: Path, count: int) -> None:
    source, target = pages(tmp_path / "in.pdf", count), tmp_path / "out.pdf"
    plan = saddle_stitch(count)
    impose(source, Imposition(plan, PAPERS["a4"].turned), target)
    found = words(target)
    assert len(found) == len(plan.sides)
    for side, seen in zip(plan.sides, found, strict=True):
        halves = {number: "left" if x < mm(148.5) else "right" for number, x, _ in seen}
        expected = {str(page): place for page, place in zip(side.places, ("left", "right"), strict=True) if page}
        assert halves == expected


def test_pages_keep_their_size_and_stand_centred(tmp_path: Path) -> None:
    source, target = pages(tmp_path / "in.pdf", 4), tmp_path / "out.pdf"
    impose(source, Imposition(saddle_stitch(4), PAPERS["a4"].turned), target)
    with pymupdf.open(source) as alone:
        (word,) = [word for word in alone[0].get_text("words") if word[4] == "1"]
    (_, x, _), *_ = [found for found in words(target)[0] if found[0] == "1"]
    assert x == pytest.approx(word[0] + mm(148.5) + mm(0.25), abs=TENTH)
    with pikepdf.open(target) as made:
        assert [float(each) for each in made.pages[0].mediabox] == pytest.approx([0, 0, mm(297), mm(210)], abs=0.01)


def test_pages_that_are_too_large_are_made_smaller_and_small_ones_stay(tmp_path: Path) -> None:
    for size, scale in (((mm(210), mm(297)), 148.5 / 210), ((mm(74), mm(105)), 1.0)):
        source, target = pages(tmp_path / "in.pdf", 2, size), tmp_path / "out.pdf"
        impose(source, Imposition(n_up(2, 2, 1), PAPERS["a4"].turned), target)
        with pikepdf.open(target) as made:
            matrices = [
                item.operands for item in pikepdf.parse_content_stream(made.pages[0]) if str(item.operator) == "cm"
            ]
        assert float(matrices[0][0]) == pytest.approx(scale, rel=0.01)


def test_inner_sheets_move_towards_the_spine(tmp_path: Path) -> None:
    source, target = pages(tmp_path / "in.pdf", 16), tmp_path / "out.pdf"
    impose(source, Imposition(saddle_stitch(16), PAPERS["a4"].turned, thickness=0.5), target)
    left = {number: x for side in words(target) for number, x, _ in side if x < mm(148.5)}
    assert left["10"] - left["16"] == pytest.approx(mm(1.5), abs=TENTH)


def test_marks_without_words_name_no_font(tmp_path: Path) -> None:
    source, target = pages(tmp_path / "in.pdf", 8, (mm(74.25), mm(105))), tmp_path / "out.pdf"
    marks = (Marks(dashed=(Line(100, 10, 100, 30),)),)
    impose(source, Imposition(eight_fold(8), PAPERS["a4"].turned, marks=marks), target)
    with pikepdf.open(target) as made:
        drawn = made.pages[0].Resources.XObject["/Marks"]
        operators = {str(each.operator) for each in pikepdf.parse_content_stream(drawn)}
    assert "S" in operators
    assert not operators & {"BT", "Tf"}


def test_the_little_book_turns_its_upper_row(tmp_path: Path) -> None:
    source, target = pages(tmp_path / "in.pdf", 8, (mm(74.25), mm(105))), tmp_path / "out.pdf"
    impose(source, Imposition(eight_fold(8), PAPERS["a4"].turned), target)
    (seen,) = words(target)
    rows = {number: y for number, _, y in seen}
    assert all(rows[number] > mm(105 + 80) for number in "5432")
    assert all(rows[number] < mm(25) for number in "6781")


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_that_is_turned_is_seen_upright(tmp_path: Path, turn: int) -> None:
    source, target = pages(tmp_path / "in.pdf", 2), tmp_path / "out.pdf"
    with pikepdf.open(source, allow_overwriting_input=True) as made:
        made.pages[0].obj.Rotate = turn
        made.save(source)
    with pymupdf.open(source) as alone:
        dark = [pixel < 128 for pixel in alone[0].get_pixmap(dpi=20, colorspace="gray").samples]
    with opened(source, "in.pdf") as pdf:
        size = press.page_size(pdf.pages[0])
    impose(source, Imposition(n_up(1, 1, 1), size), target)
    with pymupdf.open(target) as made:
        assert [pixel < 128 for pixel in made[0].get_pixmap(dpi=20, colorspace="gray").samples] == dark


def test_a_turn_that_pdf_does_not_know_is_none(tmp_path: Path) -> None:
    source, target = pages(tmp_path / "in.pdf", 2), tmp_path / "out.pdf"
    with pikepdf.open(source, allow_overwriting_input=True) as made:
        made.pages[0].obj.Rotate = 45
        made.save(source)
    impose(source, Imposition(n_up(2, 2, 1), PAPERS["a4"].turned), target)
    assert [number for number, *_ in words(target)[0]] == ["1", "2"]


def test_links_lead_where_their_pages_are_now(tmp_path: Path) -> None:
    source, target = pages(tmp_path / "in.pdf", 6), tmp_path / "out.pdf"
    impose(source, Imposition(cut_stack(6, 2, 1), PAPERS["a4"].turned), target)
    with pikepdf.open(target) as made:
        links = [[each for each in page.obj.Annots] for page in made.pages]
        addresses = sorted(str(each.A.URI) for side in links for each in side if "/A" in each)
        assert addresses == [f"https://example.org/{number}" for number in range(1, 7)]
        last = [page.obj.objgen for page in made.pages][2]
        inner = [each.Dest[0].objgen for side in links for each in side if "/Dest" in each]
        assert inner == [last] * 6
        rectangles = sorted(float(each.Rect[0]) for each in links[0] if "/A" in each)
    assert rectangles[0] == pytest.approx(30 + mm(0.25), abs=TENTH)
    assert rectangles[1] == pytest.approx(30 + mm(148.5 + 0.25), abs=TENTH)


def test_the_same_pages_make_the_same_bytes(tmp_path: Path) -> None:
    source = pages(tmp_path / "in.pdf", 5)
    for name in ("a.pdf", "b.pdf"):
        impose(source, Imposition(saddle_stitch(5), PAPERS["a4"].turned), tmp_path / name)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
