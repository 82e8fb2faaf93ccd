"""Large letters fill their place and never leave it; typed ones stand in even steps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sheetgen.documents.handout.lettering import around, large, stopped, typed
from sheetgen.model.handout import Lettering, TypedText

WOOD = Lettering("Source Serif Pro", 900, (0.5, 1.3), even=False)
PLAIN = Lettering("Source Sans Pro", 700, (0.8, 1.0), capitals=False)


def measure(text: str, size: float) -> float:
    """Letters of half an em, W of a whole one."""
    return size * sum(1.0 if letter in "WMwm" else 0.5 for letter in text)


def lines(text: str, lettering: Lettering, *, most: int = 3) -> list[dict[str, Any]]:
    made: Any = large(text, lettering, measure, width=100, height=40, lines=most)
    assert made["height"] <= 40.001
    for line in made["lines"]:
        assert line["width"] <= 100.001
        assert 0 <= line["x"] <= (100 - line["width"]) / 2 + 0.01
    return list(made["lines"])


def test_a_line_is_stretched_or_pressed_to_the_width() -> None:
    (short,) = lines("Wanted", WOOD, most=1)
    assert short["text"] == "WANTED"
    assert short["stretch"] == pytest.approx(100 / (measure("WANTED", 1) * short["size"]), rel=0.01)
    (long,) = lines("a word of sixty letters " * 4, WOOD, most=1)
    assert (long["stretch"], long["width"]) == (0.5, pytest.approx(100))


def test_as_many_lines_as_let_the_letters_be_largest() -> None:
    assert [line["text"] for line in lines("On the Keeping of Owls", PLAIN)] == ["On the Keeping", "of Owls"]
    assert len(lines("Ale", PLAIN)) == 1


def test_even_lines_have_letters_of_one_size_and_others_do_not() -> None:
    text = "The extraordinarily drowned bride"
    assert len({line["size"] for line in lines(text, PLAIN)}) == 1
    assert len({line["stretch"] for line in lines(text, replace(WOOD, even=True))}) == 1


def test_a_typed_text_breaks_between_words_and_keeps_its_columns() -> None:
    """A column is 0.62 em, and these letters are half an em wide: 24 stand on a line."""
    assert typed("02:50  cabin three, outer door\n" + "x" * 25, TypedText(20), measure) == [
        "02:50  cabin three,",
        "       outer door",
        "x" * 24,
        "x",
    ]


def test_sentences_of_a_telegram_end_in_stop_but_for_the_last() -> None:
    assert stopped("Bridge is out. Train, too!\nCome “now”.") == "Bridge is out STOP Train too STOP Come now"
    assert stopped("At 4.15 we leave") == "At 4.15 we leave"


def test_a_text_on_a_seal_stays_on_its_circle() -> None:
    made: Any = around("W" * 40, measure)
    turns = [each["turn"] for each in made["letters"]]
    assert max(turns) - min(turns) < 340
    assert turns[0] == pytest.approx(-turns[-1], abs=0.1)


@pytest.mark.parametrize(
    ("words", "wired"),
    [
        ("Bridge is out. Come by boat.", "Bridge is out STOP Come by boat"),
        ("Мост снесло. Жду в Calder Bay, лодка.", "Мост снесло ТЧК Жду в Calder Bay лодка"),
        ("Γέφυρα έπεσε. Έλα με βάρκα.", "Γέφυρα έπεσε ΣΤΟΠ Έλα με βάρκα"),
        ("77. 14.", "77 STOP 14"),
    ],
)
def test_a_wire_stops_in_the_script_of_its_message(words: str, wired: str) -> None:
    assert stopped(words) == wired
