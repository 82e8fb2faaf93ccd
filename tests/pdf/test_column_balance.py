"""Columns of text are even by the line, whatever its paragraphs, and so are those that go on overleaf."""

from __future__ import annotations

import re
from pathlib import Path

import pymupdf
import pytest
from weasyprint import HTML
from weasyprint.layout import block as weasyprint_block

from sheetgen.pdf.flow.document import flow
from sheetgen.pdf.flow.weasyprint_hooks import balanced_columns

STYLE = """@page { size: 100mm 60mm; margin: 5mm } body { margin: 0; font: 9pt/4mm 'Source Serif Pro' }
p { margin: 0 0 2mm; orphans: 2; widows: 2 } p:last-child { margin: 0 } .whole { break-inside: avoid }
.run { columns: 2; column-gap: 6mm }"""

WORDS = "word " * 25


def columns_of(lengths: list[int], root: Path, *, whole: str = "") -> list[list[list[str]]]:
    """The lines of each column, page by page, of paragraphs of so many lines; one of them may have to stay whole."""
    words = {
        name: "<br>".join(f"{name}{line}" for line in range(length))
        for name, length in zip("abcdefg", lengths, strict=False)
    }
    body = "".join(f"<p{' class=whole' if name == whole else ''}>{each}</p>" for name, each in words.items())
    page = f'<html lang="en"><title>t</title><style>{STYLE}</style><div class="run">{body}</div></html>'
    made = list[list[list[str]]]()
    with pymupdf.open(stream=flow(page, root=root, name="columns")) as pdf:
        for printed in pdf:
            places = [(x, y, word) for x, y, _, _, word, *_ in printed.get_text("words")]
            edges = sorted({round(x) for x, _, _ in places})
            made.append(
                [[word for x, _, word in sorted(places, key=lambda at: at[1]) if round(x) == edge] for edge in edges]
            )
    return made


@pytest.mark.parametrize(
    ("lengths", "first", "second"),
    [
        ([2, 8], 5, 5),  # half of the long paragraph is not sent after the short one
        ([3, 3], 3, 3),
        ([8, 2], 5, 5),
        ([7], 4, 3),
    ],
)
def test_columns_differ_by_a_line_at_the_most(lengths: list[int], first: int, second: int, tmp_path: Path) -> None:
    ((left, right),) = columns_of(lengths, tmp_path)
    assert (len(left), len(right)) == (first, second)


def test_columns_are_even_on_a_page_on_which_the_next_paragraph_has_no_room(tmp_path: Path) -> None:
    first, (second,) = columns_of([14, 11], tmp_path, whole="b")
    assert [len(column) for column in first] == [7, 7]
    assert len(second) == 11


def test_a_float_is_printed_once() -> None:
    """Lines of one that goes on overleaf came three times, and footnotes were lost: tries kept those of others."""
    style = "@page { size: 100mm 100mm; margin: 8mm } b { float: right; width: 20mm } div { columns: 2 }"
    floats = f"<b>{''.join(f'<p>note{at}</p>' for at in range(30))}</b>"
    body = f"<div>{f'<p>{WORDS}</p>' * 5}{floats}{f'<p>{WORDS}</p>' * 14}</div>"
    with balanced_columns():
        pages = HTML(string=f"<style>{style}</style>{body}").render().pages
    words = [box.text for page in pages for box in page._page_box.descendants() if hasattr(box, "text")]
    assert sorted(filter(re.compile(r"note\d+").fullmatch, words)) == sorted(f"note{number}" for number in range(30))


def test_columns_within_columns_are_not_balanced_at_each_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each depth multiplied the tries by as many: three of them took minutes."""
    usual, tries = weasyprint_block.columns_layout, list[int]()
    monkeypatch.setattr(weasyprint_block, "columns_layout", lambda *asked: tries.append(1) or usual(*asked))
    text = f"<p>{'word ' * 60}</p>" * 3
    style = "<style>@page { size: 100mm 100mm; margin: 8mm } div { columns: 2 }</style>"
    flow(f'<html lang="en"><title>t</title>{style}<div><div>{text}</div></div></html>', root=tmp_path, name="columns")
    assert len(tries) < 100
