"""PDFs joined: pages in order, each part on a front, bookmarks and links that lead where they led before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from sheetgen.geometry import Box
from sheetgen.press.pages import add_link

Sheetgen = Callable[..., Any]


def pdf(path: Path, title: str, pages: int) -> None:
    """A PDF of so many empty pages, with a bookmark for the last, and a link to it on the first."""
    with pikepdf.new() as made:
        for _ in range(pages):
            made.add_blank_page(page_size=(300, 400))
        made.docinfo["/Title"] = title
        with made.open_outline() as outline:
            outline.root.append(pikepdf.OutlineItem(f"end of {title}", pages - 1))
        add_link(made, made.pages[0], Box(10, 10, 50, 20), made.pages[-1])
        made.save(path)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    pdf(tmp_path / "a.pdf", "Letters", 3)
    pdf(tmp_path / "b.pdf", "", 2)
    return tmp_path


def described(path: Path) -> tuple[int, list[tuple[str, int]], list[tuple[int, int]]]:
    """How many pages a file has, its bookmarks with their pages, and its links from page to page, from 1."""
    with pikepdf.open(path) as made, made.open_outline() as outline:
        numbers = {page.obj.objgen: at for at, page in enumerate(made.pages, 1)}
        items = [item for part in outline.root for item in (part, *part.children)]
        marks = [(str(item.title), numbers[item.destination[0].objgen]) for item in items]
        links = [
            (at, numbers[each.Dest[0].objgen])
            for at, page in enumerate(made.pages, 1)
            for each in page.obj.get("/Annots", ())
        ]
        return len(made.pages), marks, links


def test_each_part_begins_on_a_front_behind_one_contents(sheetgen: Sheetgen, files: Path) -> None:
    ran = sheetgen("join", "a.pdf", "b.pdf", "-o", "c.pdf")
    assert ran.code == 0, ran.err
    assert "2 files, 8 pages, 2 of them blank" in ran.out
    pages, marks, links = described(files / "c.pdf")
    assert pages == 8  # contents, blank; three and a blank; two
    assert marks == [("Letters", 3), ("end of Letters", 5), ("b", 7), ("end of ", 8)]
    assert sorted(links) == [(1, 3), (1, 7), (3, 5), (7, 8)]


def test_without_contents_and_blanks_there_are_only_the_pages(sheetgen: Sheetgen, files: Path) -> None:
    assert sheetgen("join", "a.pdf", "b.pdf", "--no-contents", "--no-right", "-o", "c.pdf").code == 0
    assert described(files / "c.pdf")[:2] == (5, [("Letters", 1), ("end of Letters", 3), ("b", 4), ("end of ", 5)])


def test_what_is_no_pdf_is_refused_by_name_and_nothing_is_written(sheetgen: Sheetgen, files: Path) -> None:
    (files / "d.pdf").write_bytes(b"no PDF at all")
    ran = sheetgen("join", "a.pdf", "d.pdf", "-o", "c.pdf")
    assert ran.code == 2
    assert "d.pdf" in ran.err
    assert not (files / "c.pdf").exists()
    assert sheetgen("join", "a.pdf", "b.pdf", "-o", "a.pdf").code == 2


def test_joined_files_can_be_joined_again_and_come_out_the_same_each_time(sheetgen: Sheetgen, files: Path) -> None:
    assert sheetgen("join", "a.pdf", "b.pdf", "-o", "c.pdf").code == 0
    for name in ("d.pdf", "e.pdf"):
        assert sheetgen("join", "c.pdf", "a.pdf", "--no-contents", "-o", name).code == 0
    assert (files / "d.pdf").read_bytes() == (files / "e.pdf").read_bytes()
    assert described(files / "d.pdf")[2][:2] == [(1, 3), (1, 7)]
