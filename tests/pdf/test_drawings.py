"""Drawings that are taken out of a page before it is laid out: what is printed stays the same, byte by byte."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

import pytest

from sheetgen.errors import InputError
from sheetgen.pdf.flow import layout
from sheetgen.pdf.flow.document import flow
from sheetgen.pdf.flow.weasyprint_hooks import plain_drawing, set_aside

PAGE = """<!DOCTYPE html><html lang="en"><head><title>t</title>
<style>svg {{ width: 20mm }} .big {{ height: 9mm }}</style></head><body><p>Before {0} after.</p></body></html>"""
PLAIN = (
    '<svg class="big" viewBox="0 0 10 10" role="img" aria-label="A &amp; B">'
    '<defs><g id="a"><path d="M0 0h9" stroke="#000"/></g></defs><use href="#a"/>'
    '<svg x="2" y="2" width="4" height="4" viewBox="0 0 9 9"><circle r="3"/></svg>'
    '<text x="1" y="5" font-size="3">a &lt; b</text></svg>'
)
OTHERS = (
    '<svg viewBox="0 0 9 9"><path d="M0 0h9"></svg>',  # not closed, as HTML allows
    '<svg viewbox="0 0 9 9"><path d="M0 0h9"/></svg>',  # HTML knows how to spell viewBox
    '<svg viewBox="0 0 9 9"><text y="5">a&nbsp;b</text></svg>',
    '<svg viewBox="0 0 9 9"><style>path { fill: red }</style><path d="M0 0h9v9z"/></svg>',
    '<svg viewBox="0 0 9 9"><a href="https://example.org"><path d="M0 0h9v9z"/></a></svg>',
)


@pytest.mark.parametrize("drawing", [PLAIN, *OTHERS])
def test_a_page_is_printed_as_if_its_drawings_had_stayed_in_it(
    drawing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = PAGE.format(drawing)
    made = flow(page, root=tmp_path, name="page")

    @contextmanager
    def kept(html: str):  # type: ignore[no-untyped-def]
        yield html

    monkeypatch.setattr(layout, "set_aside", kept)
    assert flow(page, root=tmp_path, name="page") == made


def test_only_shapes_and_words_are_taken_out() -> None:
    assert plain_drawing(PLAIN) is not None
    assert [plain_drawing(drawing) for drawing in OTHERS] == [None] * len(OTHERS)
    with set_aside(PAGE.format(PLAIN * 2)) as shortened:
        assert shortened.count('data-drawing="0"></svg>') == shortened.count('data-drawing="1"></svg>') == 1
        assert "<path" not in shortened


def test_a_page_that_uses_the_mark_itself_keeps_its_drawings() -> None:
    page = PAGE.format(PLAIN + "<svg data-drawing='0'></svg>")
    with set_aside(page) as shortened:
        assert shortened == page


def test_a_drawing_that_fetches_is_refused_as_ever(tmp_path: Path) -> None:
    drawing = '<svg viewBox="0 0 9 9"><image href="file:///etc/passwd"/></svg>'
    with pytest.raises(InputError, match="cannot use"):
        flow(PAGE.format(drawing), root=tmp_path, name="page")
