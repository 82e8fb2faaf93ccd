"""Heads of cards: tints that keep their text readable, titles as large as fits; and lines that break in good places."""

from __future__ import annotations

import pytest

from sheetgen.documents.cards import set_title, tints
from sheetgen.documents.figures.charts import large_odds
from sheetgen.documents.figures.svg import Canvas, Misfit
from sheetgen.model.printing import Tone
from sheetgen.pdf.fonts.bundled import text_width


def luminance(colour: str) -> float:
    """How light a colour is, from 0 to 1 (WCAG 2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("tone", [Tone(), Tone(greyscale=True)])
def test_tints_differ_and_keep_a_contrast_of_seven_to_one(tone: Tone) -> None:
    made = tints(13, tone)
    assert tone.greyscale or len({each.dark for each in made}) == 13
    for each in made:
        assert 1.05 / (luminance(each.dark) + 0.05) >= 7  # a white icon on the badge
        assert (luminance(each.pale) + 0.05) / 0.05 >= 7  # a black title on the head
        assert (luminance(each.pale) + 0.05) / (luminance(each.dark) + 0.05) >= 4.5  # the number


def test_a_word_wider_than_its_line_is_set_smaller() -> None:
    made = set_title("Incomprehensibilities", 13, 100, text_width)
    assert made["title_lines"] == ["Incomprehensibilities"]
    assert text_width("Incomprehensibilities", float(str(made["title_size"])), weight=700, serif=True) <= 100


def test_large_odds_say_per_cent_once_and_refuse_columns_without_room() -> None:
    drawn = large_odds(
        [("0", [0.5, 0.049])], ["a", "b"], Canvas(150, "#000", text_width, tall=90), corner="", across=""
    )
    assert ("%" in drawn.inside, ">50<" in drawn.inside, ">5<" in drawn.inside) == (False, True, True)
    with pytest.raises(Misfit, match="12 columns have no room for figures of 9 pt"):
        large_odds([("0", [0.5] * 12)], ["a"] * 12, Canvas(150, "#000", text_width, tall=90), corner="", across="")
