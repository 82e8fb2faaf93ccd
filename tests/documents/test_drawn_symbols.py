"""Symbols that no text face has are drawn; words, drawings and attributes stay as they are."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from sheetgen.documents.handout.lettering import SYMBOLS, with_symbols


def test_only_symbols_in_the_text_are_drawn() -> None:
    page = '<p title="♥">No ♥ <svg><text>♥</text></svg></p>'
    made = with_symbols(page)
    assert made.count("♥") == 3, "in the attribute, in the drawing, and as the name of the drawn one"
    assert made.count("<svg") == 2
    assert with_symbols("<p>No</p>") == "<p>No</p>"


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_each_is_a_small_drawing_with_a_name(symbol: str) -> None:
    drawing = ElementTree.fromstring(with_symbols(symbol))
    assert drawing.get("aria-label") == symbol
