"""Where a text may be parted."""

from __future__ import annotations

import pytest

from sheetgen.pdf.form.text_fitting import begin_of, belongs, end_of, fit, has_ideographs, pattern


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("山田 太郎", ["山", "田", "太", "郎"]),
        ("「山」は、川。", ["「山」", "は、", "川。"]),
        ("Petrel号です", ["Petrel", "号", "で", "す"]),
        ("きゃっと", ["きゃっ", "と"]),
        ("「「山", ["「「山"]),
        ("船「", ["船", "「"]),
    ],
)
def test_ideographs_stay_with_what_hangs_on_them(text: str, pieces: list[str]) -> None:
    assert pattern(ideographs=True).findall(text) == pieces


def test_other_text_is_parted_at_blanks_alone() -> None:
    assert pattern(ideographs=False).findall("one two  three") == ["one", "two", "three"]
    assert [has_ideographs(text) for text in ("Łódź", "山", "abc")] == [False, True, False]


def test_no_character_is_parted_from_its_marks() -> None:
    text = "ก\u0e33" + "กำ" + "क\u094d\u200dष"
    joined = text.index("\u200d")
    assert belongs(text, joined)
    assert belongs(text, joined + 1)
    assert begin_of("ab\u0301c", 2) == 1
    assert end_of("ab\u0301c", 2) == 3


def test_a_paragraph_of_ideographs_fills_its_lines() -> None:
    fitted = fit(
        "Ab 山田太郎、山田太郎。", width=50, height=100, measure=lambda text, size: len(text) * size,
        size=10, floor=5, leading=12, lines="many",
    )  # fmt: skip
    assert fitted.lines == ("Ab 山田", "太郎、山田", "太郎。")
    assert fitted.rest == ""


def test_what_does_not_fit_goes_on_where_the_text_was_cut() -> None:
    fitted = fit(
        "山田太郎山田太郎", width=30, height=12, measure=lambda text, size: len(text) * size,
        size=10, floor=10, leading=12, lines="many", mark="…",
    )  # fmt: skip
    assert (fitted.lines, fitted.rest) == (("山田…",), "太郎山田太郎")


def test_lines_that_reach_further_need_more_height() -> None:
    def size_of(reach: float) -> float:
        return fit(
            "山", width=50, height=10, measure=lambda text, size: len(text) * size,
            size=20, floor=2, leading=12, lines="one", reach=reach,
        ).size  # fmt: skip

    assert (size_of(1), size_of(1.25), size_of(2)) == (10, 8, 5)
