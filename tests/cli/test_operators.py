"""`sheetgen cards sixshooter --deck operators`, as it is typed: whom to deal, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdf
import pytest

Run = Callable[..., Any]


def test_operators_of_a_kind(sheetgen: Run, tmp_path: Path) -> None:
    words = ("--deck", "operators", "-n", "2", "--archetype", "gambler", "--option", "genre=noir", "-o", "two.pdf")
    ran = sheetgen("cards", "sixshooter", *words, "--single", "--backs", "none")
    assert (ran.code, ran.err) == (0, "")
    pages = pypdf.PdfReader(tmp_path / "two.pdf").pages
    assert len(pages) == 2
    for page in pages:
        assert "gambler, noir genre" in page.extract_text()
        assert float(page.trimbox.width) == pytest.approx(70 * 72 / 25.4, abs=0.1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--deck", "operators", "--archetype", "gmbler"], 'unknown archetype "gmbler" (did you mean "gambler"?)'),
        (["--deck", "operators", "--size", "poker"], '"operators" is made on cards of tarot, us-tarot, not poker'),
        (["--deck", "operators", "-n", "101"], "takes a whole number from 1 to 100"),
        (["--deck", "playing", "--seed", "7"], "playing is none"),
        (["--deck", "playing", "--archetype", "gambler"], "playing is none"),
    ],
)
def test_words_that_make_no_deck(sheetgen: Run, tmp_path: Path, words: list[str], said: str) -> None:
    ran = sheetgen("cards", "sixshooter", *words, "-o", "deck.pdf")
    assert ran.code == 2
    assert said in ran.err
    assert list(tmp_path.iterdir()) == []
