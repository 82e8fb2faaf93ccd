"""What dice notation means, and what is said of text that is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.dice.notation import MOST_DICE, MOST_SIDES, Notation, NotationError, parse_notation


@pytest.mark.parametrize(
    ("text", "notation", "faces", "total"),
    [
        ("2d6", Notation(2, 6), (3, 4), 7),
        ("d8", Notation(1, 8), (5,), 5),
        ("3d6kh2", Notation(3, 6, keep=2), (1, 5, 4), 9),
        ("3d6kl1", Notation(3, 6, keep=-1), (3, 5, 4), 3),
        ("2d6+1", Notation(2, 6, modifier=1), (1, 1), 3),
        ("2d6−1", Notation(2, 6, modifier=-1), (1, 1), 1),
        ("d66", Notation(2, 6, tens=True), (4, 5), 45),
    ],
)
def test_notation_reads_and_adds_up(text: str, notation: Notation, faces: tuple[int, ...], total: int) -> None:
    assert parse_notation(text) == notation
    assert notation.total(faces) == total


def test_a_die_code_needs_to_know_its_sides() -> None:
    assert parse_notation("3d+2", sides=6) == Notation(3, 6, modifier=2)
    with pytest.raises(NotationError, match="does not say how many sides: write 3d6"):
        parse_notation("3d")


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("0d6", "the number of dice must be 1 to 100", 1),
        ("1d0", "a die has 2 to 1000 sides", 1),
        ("1000000d1000000", "the number of dice must be 1 to 100", 1),
        ("99999999999d6", "the number of dice must be 1 to 100", 1),
        ("d-6", "does not say how many sides", 1),
        ("3d6kh4", "it can keep 1 to 3 dice", 1),
        ("2d6+9999", "the modifier must be at most 1000", 1),
        ("2d6 plus 1", "is not dice notation", 4),
        ("9**9**9", "is not dice notation", 1),
        ("__import__('os')", "is not dice notation", 1),
    ],
)
def test_what_is_no_dice_is_refused_in_one_line(text: str, message: str, column: int) -> None:
    with pytest.raises(NotationError, match=message.replace("(", r"\(")) as caught:
        parse_notation(text)
    assert caught.value.column == column


@given(st.integers(1, MOST_DICE), st.integers(2, MOST_SIDES), st.integers(-20, 20), st.data())
def test_notation_survives_being_written(count: int, sides: int, modifier: int, data: st.DataObject) -> None:
    keep = data.draw(st.integers(-count, count))
    notation = Notation(count, sides, keep, modifier)
    if notation != Notation(1, 66, keep=0, modifier=0):
        assert parse_notation(str(notation)) == notation


@given(st.text(max_size=30))
def test_any_text_is_notation_or_a_notation_error(text: str) -> None:
    column, low, least = 1, 0, 0
    try:
        notation = parse_notation(text)
    except NotationError as error:
        column = error.column
    else:
        low, least = notation.values[0], notation.total([1] * notation.count)
    assert 1 <= column <= len(text) + 1
    assert low <= least
