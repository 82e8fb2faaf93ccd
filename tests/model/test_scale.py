"""How levels are written and read back: digits, signs, die codes, and the words of a ladder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.model.scale import KINDS, Scale

LADDER = ("Weak", "Normal", "Very", "Ultra")
SCALES = {
    "decimal": Scale(),
    "hex": Scale("hex"),
    "signed": Scale("signed"),
    "code": Scale("code", pips=3),
    "words": Scale("words", words=LADDER, lowest=1),
}


@pytest.mark.parametrize(
    ("kind", "level", "printed", "in_files"),
    [
        ("decimal", 12, "12", "12"),
        ("hex", 12, "C", "C"),
        ("hex", 16, "16", "16"),
        ("signed", 2, "+2", "+2"),
        ("signed", 0, "0", "0"),
        ("signed", -1, "−1", "-1"),
        ("code", 12, "4d", "4d"),
        ("code", 7, "2d+1", "2d+1"),
        ("words", 3, "Very", "Very"),
        ("words", 9, "9", "9"),
    ],
)
def test_a_level_is_printed_and_kept_as_its_group_writes_it(kind: str, level: int, printed: str, in_files: str) -> None:
    assert (SCALES[kind].write(level), SCALES[kind].plain(level)) == (printed, in_files)


@pytest.mark.parametrize(
    ("word", "level"),
    [("7", 7), ("A", 10), ("c", 12), ("10", 10), ("99", 99), ("-2", -2), ("zz", None), ("", None), ("²", None)],
)
def test_a_level_is_one_hexadecimal_digit_or_a_plain_number(word: str, level: int | None) -> None:
    assert SCALES["hex"].read(word) == level
    assert SCALES["decimal"].read(word) == (None if word in ("A", "c") else level)


@pytest.mark.parametrize(
    ("kind", "text", "level"),
    [
        ("signed", "+2", 2),
        ("signed", "−1", -1),
        ("signed", "++1", None),
        ("code", "3D", 9),
        ("code", "3d + 2", 11),
        ("code", "3d2", None),
        ("code", "3d+3", None),
        ("code", "3", None),
        ("code", "d+1", None),
        ("code", "-1d", None),
        ("words", "Normal", 2),
        ("words", "normal", None),
    ],
)
def test_what_is_no_level_is_read_as_none(kind: str, text: str, level: int | None) -> None:
    assert SCALES[kind].read(text) == level


@given(st.sampled_from([kind for kind in KINDS if kind != "words"]), st.integers(0, 500))
def test_what_is_written_reads_back(kind: str, level: int) -> None:
    scale = SCALES[kind]
    assert scale.read(scale.plain(level)) == scale.read(scale.write(level)) == level
