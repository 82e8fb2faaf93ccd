"""Pages picked from a PDF: in any order, one of them as often as wanted, each with all its boxes."""

from __future__ import annotations

import io

import pikepdf
from pikepdf import Array

from sheetgen.press.pages import select_pages


def deck() -> bytes:
    """Two fronts and a back, each trimmed by 3 points; what is drawn on page n is n points long."""
    with pikepdf.new() as made, io.BytesIO() as out:
        for length in (1, 2, 3):
            made.add_blank_page(page_size=(50, 70))
            page = made.pages[-1]
            page.obj.TrimBox = Array([3, 3, 47, 67])
            page.obj.Contents = made.make_stream(b"0 0 m %d 0 l S" % length)
        made.docinfo["/Title"] = "Cards"
        made.save(out)
        return out.getvalue()


def test_a_back_stands_behind_each_front_and_is_in_the_file_once() -> None:
    with pikepdf.open(io.BytesIO(select_pages(deck(), [1, 3, 2, 3]))) as made:
        drawn = [page.Contents.read_bytes() for page in made.pages]
        assert drawn == [b"0 0 m %d 0 l S" % length for length in (1, 3, 2, 3)]
        assert made.pages[1].Contents.objgen == made.pages[3].Contents.objgen
        assert all([float(each) for each in page.trimbox] == [3, 3, 47, 67] for page in made.pages)
        assert str(made.docinfo["/Title"]) == "Cards"


def test_the_same_pages_are_the_same_bytes() -> None:
    assert select_pages(deck(), [2, 3]) == select_pages(deck(), [2, 3])
