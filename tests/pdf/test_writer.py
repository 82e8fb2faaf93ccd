"""The PDF writer: strings, numbers and files that other readers agree with."""

from __future__ import annotations

import io

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.pdf.writer import Outline, PageTree, Ref, Writer, literal, number, pdf_dict, pdf_value, words


def written(pages: int, titles: list[str]) -> bytes:
    parts: list[bytes] = []
    writer = Writer(parts.append)
    tree, outline = PageTree(writer), Outline(writer)
    contents = writer.deflated(b"0 0 10 10 re f")
    added = [tree.add(b"/MediaBox[0 0 100 200]/Contents %d 0 R" % contents) for _ in range(pages)]
    for title, page in zip(titles, added, strict=False):
        outline.add(title, page)
    outline.close()
    pages_root = tree.close(b"/Resources<<>>")
    root = writer.pack(b"<</Type/Catalog/Pages %d 0 R/Outlines %d 0 R>>" % (pages_root, outline.root))
    writer.finish(root=root, info=writer.pack(b"<<>>"))
    return b"".join(parts)


@pytest.mark.parametrize("count", [1, 49, 50, 51, 2500, 2501])
def test_any_number_of_pages_makes_a_tree(count: int) -> None:
    with pikepdf.open(io.BytesIO(written(count, []))) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert len(pdf.pages) == count
        assert pdf.pages[-1].mediabox == [0, 0, 100, 200]
        assert len(pdf.Root.Pages.Kids) <= 50


def test_bookmarks_come_in_order() -> None:
    titles = ["Łódź", ") (", "\\", "plain", "🐉"]
    with pikepdf.open(io.BytesIO(written(5, titles))) as pdf, pdf.open_outline() as outline:
        assert [item.title for item in outline.root] == titles


def test_the_identity_follows_from_the_contents() -> None:
    def identity(data: bytes) -> bytes:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            return bytes(pdf.trailer.ID[0])

    assert identity(written(3, ["a"])) == identity(written(3, ["a"]))
    assert identity(written(3, ["a"])) != identity(written(3, ["b"]))


@given(st.binary(max_size=60))
def test_any_bytes_are_a_string(data: bytes) -> None:
    assert bytes(pikepdf.Object.parse(literal(data))) == data


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_any_text_is_a_string(text: str) -> None:
    assert str(pikepdf.Object.parse(words(text))) == text


@pytest.mark.parametrize(
    ("value", "as_written"),
    [
        (0, b"0"),
        (1.0, b"1"),
        (-2.5, b"-2.5"),
        (1 / 3, b"0.33"),
        (595.276, b"595.28"),
        (0.004, b"0"),
        (9999.99, b"9999.99"),
    ],
)
def test_numbers_are_short(value: float, as_written: bytes) -> None:
    assert number(value) == as_written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("Page", b"/Page"),
        (b"(as it is)", b"(as it is)"),
        (7, b" 7"),
        (1_234_567, b" 1234567"),
        (0.125, b" 0.12"),
        (True, b" true"),
        (Ref(7), b" 7 0 R"),
        ((0, 0.5, "Fit", Ref(3)), b"[0 0.5/Fit 3 0 R]"),
        ({"Font": {"F0": Ref(2)}, "Kids": []}, b"<</Font<</F0 2 0 R>>/Kids[]>>"),
    ],
)
def test_values_are_written_as_pdf_has_them(value: object, written: bytes) -> None:
    assert pdf_value(value) == written


def test_entries_without_a_value_are_left_out_of_a_dictionary() -> None:
    assert pdf_dict(Type="Font", MaxLen=None) == b"<</Type/Font>>"
    with pytest.raises(TypeError, match="no way to write object into a PDF"):
        pdf_dict(What=object())
