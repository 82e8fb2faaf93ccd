"""Sheets in rulebooks: the pages that are kept for them show them, and the book's hero is the one on the sheet."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pikepdf
import pymupdf
import pytest

from sheetgen.pdf.flow.document import flow
from sheetgen.press.pages import drawn_onto
from sheetgen.products.books.book import BoundSheet, hero_of, sheet_pages
from sheetgen.products.chapters import Rulebook
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project


def pdf(project: Project, body: str, size: str = "a5") -> bytes:
    use_bundled_fonts(project)
    head = f'<html lang="en"><title>x</title><style>@page {{ size: {size} }} section {{ break-before: page }}</style>'
    return flow(f"<!DOCTYPE html>{head}<body>{body}</body></html>", root=project.where, name="x", tagged=True)


def test_a_page_is_drawn_onto_the_page_of_its_name_and_no_other(project: Project) -> None:
    book = pdf(project, '<a href="#b">to</a><section id="a">one</section><section id="b">two</section>')
    sheet = pdf(project, "<p>Strength<section>Notes</section>", size="a4")
    made = drawn_onto(book, [sheet], names=["b", "a"])
    assert made == drawn_onto(book, [sheet], names=["b", "a"])
    with pikepdf.open(BytesIO(made)) as read, pikepdf.open(BytesIO(book)) as plain:
        drawn = [
            b"/Artifact BMC" in page.Contents[0].read_bytes() if isinstance(page.Contents, pikepdf.Array) else False
            for page in read.pages
        ]
        assert drawn == [False, *[True] * (len(read.pages) - 1)]
        texts = [pymupdf.open(stream=made)[at].get_text() for at in range(len(read.pages))]
        assert ["Strength" in text for text in texts] == [False, False, True]
        assert ["Notes" in text for text in texts] == [False, True, False]
        assert read.Root.StructTreeRoot.keys() == plain.Root.StructTreeRoot.keys()
        scale = float(read.pages[-1].Contents[0].read_bytes().split()[3])
        assert scale == pytest.approx(148 / 210, abs=0.001)


def test_each_side_has_a_page_and_each_sheet_a_title(project: Project) -> None:
    two = pdf(project, "<p>front<section>back</section>")
    pages = sheet_pages([BoundSheet("Yours", "An empty sheet", two), BoundSheet("Ada’s", "The sheet of Ada", two)])
    assert [page["title"] for page in pages] == ["Yours", "", "Ada’s", ""]
    assert [page["said"] for page in pages][1:3] == ["An empty sheet, back", "The sheet of Ada, front"]
    assert len({page["anchor"] for page in pages}) == 4


@pytest.mark.parametrize("game", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix"])
def test_the_sheet_is_that_of_the_character_whom_the_book_makes(
    book_of: Callable[[str], tuple[Pack, Rulebook]], game: str
) -> None:
    pack, rulebook = book_of(game)
    hero = hero_of(pack, rulebook)
    rule, *_ = (rule for rule in rulebook.book.rules.values() if rule.hero)
    assert hero is not None
    assert hero.system == pack.system.id
    assert rule.hero is not None
    named = rule.hero.name or rulebook.kept[rule.id].text("name")
    assert hero.text("name") == named


def test_a_page_that_lies_on_its_side_is_turned_where_that_is_larger(project: Project) -> None:
    book, sheet = pdf(project, '<section id="a">one</section>'), pdf(project, "<p>Strength", size="a5 landscape")
    with pikepdf.open(BytesIO(drawn_onto(book, [sheet], names=["a"]))) as read:
        matrix = [float(each) for each in read.pages[-1].Contents[0].read_bytes().split()[3:9]]
    assert matrix == pytest.approx([0, 1, -1, 0, 148 * 72 / 25.4, 0], abs=0.01)
