"""Where a line must not end: between a number and its word, and at a sign."""

from __future__ import annotations

import pytest

from sheetgen.documents.markdown import tied, unbroken
from sheetgen.model.wording import NO_BREAK


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Awareness, if you aimed, − range number", "−_range"),
        ("<strong>11</strong> Formidable", "<strong>11</strong>_Formidable"),
        ("one at B +2", "B_+2"),
        ("adds <b>1</b> at A", "adds <b>1</b>_at A"),
        ("reach 8 or more, at 1.", "at_1."),
    ],
)
def test_what_belongs_together_stays_on_a_line(written: str, kept: str) -> None:
    assert kept.replace("_", NO_BREAK) in unbroken(written)


def test_tags_and_plain_words_stay_as_they_are() -> None:
    for html in ('<svg viewBox="0 0 10 a" width="3 b"></svg>', "<p>Talk is free, and so is silence.</p>"):
        assert unbroken(html) == html


def test_a_character_that_might_stand_for_a_tag_stays_as_it_is() -> None:
    for html in ("a \U000f0000 b", "a <b>\U000f0001</b> \U000ffffd"):
        assert unbroken(html) == html


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("if you aimed, − range number", "if you aimed, −~range number"),
        ("A +1, B +2", "A~+1, B~+2"),
        ("What was zero is at 1.", "What was zero is at~1."),
        ('<a href="x 1">at 8+</a> or 180 minutes', '<a href="x 1">at~8+</a> or~180 minutes'),
        ("roll 2d6 as usual", "roll 2d6 as usual"),
        ("thrown, 0.3 kg", "thrown, 0.3 kg"),
        ("+ approach + <strong>Money</strong>", "+~approach +~<strong>Money</strong>"),
        ("all at −1d, <em>or</em> <b>2</b> of them", "all at~−1d, <em>or</em> <b>2</b> of them"),
        ("<li>one at <b>8+</b></li>", "<li>one at~<b>8+</b></li>"),
    ],
)
def test_lines_do_not_break_behind_signs_nor_before_small_numbers(text: str, said: str) -> None:
    assert tied(text) == said.replace("~", NO_BREAK)
