"""Both directions on one line, by the Unicode algorithm (UAX 9), with the library python-bidi as a second opinion."""

from __future__ import annotations

import pytest
from bidi import get_display
from hypothesis import example, given
from hypothesis import strategies as st

from sheetgen.pdf.fonts.bidi import base_level, is_mixed, levels, runs


def seen(line: str, base: int | None = None) -> str:
    """The line as it is seen from left to right."""
    found = runs(line, base_level(line) if base is None else base)
    return "".join(line[begin:end][:: -1 if level % 2 else 1] for begin, end, level in found)


@pytest.mark.parametrize(
    ("line", "level"), [("abc", 0), ("אבג", 1), ("12 אב", 1), ("(x) אב", 0), ("بab", 1), ("", 0), ("12", 0)]
)
def test_the_first_letter_says_where_a_paragraph_begins(line: str, level: int) -> None:
    assert base_level(line) == level


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("plain text", "plain text"),
        ("אבג", "גבא"),
        ("see אבג there", "see גבא there"),
        ("אבג 123 דה", "הד 123 גבא"),
        ("אב 1,234.5 גד", "דג 1,234.5 בא"),
        ("אב abc de גד", "דג abc de בא"),
        ("باب 12-34", "34-12 " + "باب"[::-1]),
        ("a (אב) c", "a (בא) c"),
        ("אב (ab) גד", "דג )ab( בא"),
    ],
)
def test_each_run_is_seen_in_its_own_direction(line: str, shown: str) -> None:
    assert seen(line) == shown


def test_a_line_keeps_the_direction_of_its_paragraph() -> None:
    assert seen("abc אב", base=0) == "abc בא"
    assert seen("abc אב", base=1) == "בא abc"


def test_blanks_at_the_end_belong_to_the_paragraph() -> None:
    assert levels("אב  ", 0) == [1, 1, 0, 0]


def test_a_mark_goes_with_its_letter_and_a_joiner_with_what_is_before_it() -> None:
    assert levels("אּב", 1) == [1, 1, 1]
    assert levels("ب\u200cب", 1) == [1, 1, 1]


@pytest.mark.parametrize(("text", "mixed"), [("abc", False), ("Łódź 山", False), ("a ب", True), ("٣", True)])
def test_only_a_text_with_such_letters_is_mixed(text: str, mixed: bool) -> None:
    assert is_mixed(text) is mixed


# Letters, figures, signs, brackets, blanks and marks of every class that may stand in a line (those that set directions
# by hand are refused elsewhere); joiners are left out, since the algorithm does not say where they go.
MIXED = st.text("abאבבا٣۴12+-,.:/%$€#°() []{}<>«»\u0301\u05b0ـ–…、\u00a0'\"&@!?", max_size=24)  # noqa: RUF001


@given(MIXED, st.sampled_from([0, 1]))
@example("אב (ab [גד] 12) ef", 1)
@example("a (ב [c) ד] e", 0)
@example("ב-12%٣, a", 1)
def test_another_implementation_sees_every_line_alike(line: str, base: int) -> None:
    assert seen(line, base) == get_display(line, base_dir="LR"[base])
