"""What handouts keep back: ciphers that can be read with their key, halves that match, letters with pinpricks."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sheetgen.documents.handout.secrets import ALPHABET, grille, halves, map_data, pricked, wheel
from sheetgen.errors import InputError, Place
from sheetgen.geometry import Size

HERE = Place("hook.md", 7)
ROOM = Size(150, 180)
MESSAGE = "The bridge is watched. Cross by the ice, señor!"
LETTERS = "THEBRIDGEISWATCHEDCROSSBYTHEICESENOR"


def measure(text: str) -> float:
    return 2.0 * len(text)


def test_a_wheel_reads_what_a_wheel_wrote() -> None:
    made: Any = wheel(MESSAGE, "k", HERE)
    assert {len(each) for each in made["groups"][:-1]} == {5}
    read = [ALPHABET[(ALPHABET.index(each) - ALPHABET.index("K")) % 26] for each in "".join(made["groups"])]
    assert "".join(read) == LETTERS


def test_a_word_turns_a_wheel_letter_by_letter() -> None:
    made: Any = wheel("It balanced", "dot", HERE)
    assert made["groups"] == ["LHU", "DZT", "QQX", "G"]  # as many letters in a group as in the key


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        (MESSAGE, "7", "a letter from A to Z"),
        (MESSAGE, "R2", "a letter from A to Z"),
        ("At 9", "K", 'not "9"'),
        (MESSAGE, "AAA", "leaves every letter as it is"),
        (MESSAGE, "a", "leaves every letter as it is"),
        (MESSAGE, "KKK", "is no other than K"),
    ],
)
def test_what_a_wheel_cannot_write_is_told(text: str, key: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        wheel(text, key, HERE)


def test_a_grille_turned_three_times_reads_the_message() -> None:
    made: Any = grille(MESSAGE, "x", HERE)
    side, holes, read = made["side"], [tuple(each) for each in made["holes"]], ""
    for _ in range(4):
        read += "".join(made["rows"][y][x] for y in range(side) for x in range(side) if (x, y) in holes)
        holes = [(side - 1 - y, x) for x, y in holes]  # a quarter turn to the right
    assert read[: made["letters"]] == LETTERS
    assert len(read) == side * side
    with pytest.raises(InputError, match="a grille holds 144 letters, and these are 200"):
        grille("a" * 200, "x", HERE)


def test_halves_match_and_no_half_has_the_other_ones_words() -> None:
    text = "The vault opens at nine but not on Sundays and never to a man alone"
    made: Any = halves([text], measure, width=60, height=80, pitch=6, seed="x")
    assert " ".join(f"{line['left']} {line['right']}" for line in made["lines"]).split() != []
    assert "".join(line["left"] + line["right"] for line in made["lines"]).replace(" ", "") == text.replace(" ", "")
    assert all(line["at"] >= measure(line["left"]) for line in made["lines"])
    downwards = [y for _, y in made["tear"]]
    assert downwards == sorted(downwards)
    assert downwards[-1] > 70


def test_pinpricks_spell_the_secret_and_nothing_else() -> None:
    made = pricked("<p>Come soon, &amp; bring <em>nobody</em> near.</p>", "Noon", HERE)
    assert "".join(re.findall(r'<span class="prick">(.)</span>', made)).casefold() == "noon"
    assert re.sub(r"</?span[^>]*>", "", made) == "<p>Come soon, &amp; bring <em>nobody</em> near.</p>"
    with pytest.raises(InputError, match='the text has not the letters of "xyz" in this order'):
        pricked("<p>No.</p>", "xyz", HERE)


def wide(text: str, size: float, /, *, weight: int = 400, serif: bool = False) -> float:
    return size * 0.5 * len(text)


PLACES = {"Mill": {"is": "house", "at": ("2", "1.6")}, "Cellar": {"is": "cross", "at": ("3.2", "3"), "secret": "yes"}}


def test_a_secret_place_is_on_the_map_of_the_gm_alone() -> None:
    made: Any = map_data({"places": PLACES, "grid": ("6", "4"), "lines": "hexes"}, ROOM, "#000", wide, HERE)
    assert ("Mill" in made["shown"], "Cellar" in made["shown"]) == (True, False)
    assert ("Mill" in made["whole"], "Cellar" in made["whole"]) == (True, True)
    (shown,), (whole,) = (re.findall(r'viewBox="([^"]*)"', made[each]) for each in ("shown", "whole"))
    assert shown == whole


def test_a_map_with_secrets_needs_a_grid() -> None:
    with pytest.raises(InputError, match="a map with secrets needs `grid:"):
        map_data({"places": PLACES}, ROOM, "#000", wide, HERE)
