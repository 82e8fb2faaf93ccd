"""Text into boxes: what is set stays inside, what is not set comes back, and no letter is lost between the two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.pdf.form.text_fitting import MARK, THINGS, Fitted, fit


def half_an_em(text: str, size: float) -> float:
    """A typewriter: every character is half as wide as high."""
    return len(text) * size / 2


def one(text: str, width: float, height: float = 20) -> Fitted:
    return fit(
        text, width=width, height=height, measure=half_an_em, size=20, floor=8, leading=24, lines="one"
    )  # fmt: skip


def many(text: str, width: float = 100, height: float = 60, mark: str = MARK) -> Fitted:
    return fit(
        text, width=width, height=height, measure=half_an_em, size=10, floor=8, leading=12, lines="many", mark=mark
    )


def test_a_name_that_fits_keeps_its_size() -> None:
    assert one("Ines", width=40) == Fitted(20, ("Ines",))


def test_a_longer_name_shrinks_just_enough() -> None:
    assert one("Marrow Teague", width=100) == Fitted(15.3, ("Marrow Teague",))


def test_a_name_too_high_for_its_box_shrinks_too() -> None:
    assert one("Ines", width=100, height=12) == Fitted(12, ("Ines",))


def test_below_the_floor_a_name_takes_a_second_line() -> None:
    assert one("Marrow of the Long Pier", width=60) == Fitted(8, ("Marrow of the", "Long Pier"))


def test_a_short_last_word_takes_the_one_before_it_along() -> None:
    assert many("Tell everybody the way").lines == ("Tell everybody", "the way")
    assert many("Tell everybody the way\nat").lines == ("Tell everybody", "the way", "at")
    assert many("Tell everybody the whereabouts").lines == ("Tell everybody the", "whereabouts")
    assert many("To Constantinople way").lines == ("To Constantinople", "way")  # which would leave a lone one above


def test_what_does_not_fit_is_cut_after_a_word_and_handed_back() -> None:
    assert one("Marrow Teague of the Long Pier", width=60) == Fitted(8, ("Marrow Teague", "of the Long…"), "Pier")


def test_a_word_wider_than_the_line_is_parted_with_a_hyphen() -> None:
    assert one("W" * 40, width=60) == Fitted(8, ("W" * 14 + "-", "W" * 14 + MARK), "W" * 12)
    assert many("Рождественский", width=40).lines == ("Рождест-", "венский")
    assert many("W" * 13, width=50, height=8, mark="") == Fitted(8, ("W" * 11 + "-",), "WW")


def test_digits_and_scripts_that_have_no_hyphens_are_parted_without() -> None:
    assert one("7" * 20, width=60).lines == ("7" * 15, "7" * 5)
    assert one("\N{ARABIC LETTER ALEF}" * 20, width=60).lines == (
        "\N{ARABIC LETTER ALEF}" * 15,
        "\N{ARABIC LETTER ALEF}" * 5,
    )


def test_a_name_with_a_hyphen_is_parted_behind_it() -> None:
    name = "Constantinopolitan-Rimskaya"
    assert one(name, width=84, height=8) == Fitted(8, (f"Constantinopolitan-{MARK}",), "Rimskaya")
    assert many(name, width=100) == Fitted(10, ("Constantinopolitan-", "Rimskaya"))


def test_a_newline_in_a_line_is_a_blank() -> None:
    assert one("Ines\nBram", width=200).lines == ("Ines Bram",)


def test_an_area_keeps_its_newlines() -> None:
    assert many("one\n\ntwo three") == Fitted(10, ("one", "", "two three"))


def test_an_area_shrinks_by_steps_until_all_fits() -> None:
    assert many("word " * 24) == Fitted(8.5, ("word word word word",) * 6)


def test_without_a_mark_the_rest_simply_goes_on() -> None:
    fitted = many("aaaa bbbb cccc", width=20, height=20, mark="")
    assert fitted == Fitted(8, ("aaaa", "bbbb"), "cccc")


def test_a_box_lower_than_a_line_takes_nothing() -> None:
    assert many("text", height=7) == Fitted(8, (), "text")


WORDS = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=30)
TEXTS = st.lists(WORDS, max_size=40).flatmap(
    lambda words: st.lists(st.sampled_from([" ", "\n", "  "]), min_size=len(words), max_size=len(words)).map(
        lambda blanks: "".join(word + blank for word, blank in zip(words, blanks, strict=True))
    )
)


def letters(text: str) -> str:
    """The text without blanks, and without hyphens, of which parted words have one more."""
    return "".join(text.split()).replace("-", "")


@given(text=TEXTS, width=st.floats(20, 300), height=st.floats(5, 200), lines=st.sampled_from(["one", "many"]))
def test_no_letter_is_lost_and_nothing_leaves_the_box(text: str, width: float, height: float, lines: str) -> None:
    fitted = fit(
        text, width=width, height=height, measure=half_an_em, size=12, floor=8, leading=14, lines=lines, mark=""
    )
    assert letters("".join(fitted.lines) + fitted.rest) == letters(text)
    assert all(half_an_em(line, fitted.size) <= width + 0.001 for line in fitted.lines)
    assert 8 <= fitted.size <= 12
    if fitted.lines:
        assert (len(fitted.lines) - 1) * 14 / 12 * fitted.size + fitted.size <= height + 0.001


@given(text=TEXTS, width=st.floats(20, 300), height=st.floats(5, 200), lines=st.sampled_from(["one", "many"]))
def test_a_cut_is_always_marked(text: str, width: float, height: float, lines: str) -> None:
    text = text.replace(MARK, "")
    fitted = fit(text, width=width, height=height, measure=half_an_em, size=12, floor=8, leading=14, lines=lines)
    assert letters("".join(fitted.lines).replace(MARK, "") + fitted.rest) == letters(text)
    assert all(half_an_em(line, fitted.size) <= width + 0.001 for line in fitted.lines)
    if fitted.lines:
        assert fitted.lines[-1].endswith(MARK) == bool(fitted.rest)


@pytest.mark.parametrize("lines", ["one", "many"])
def test_a_very_long_text_is_cut_without_reading_it_all(lines: str) -> None:
    fitted = fit("word " * 200_000, width=100, height=60, measure=half_an_em, size=10, floor=8, leading=12, lines=lines)
    assert len(fitted.lines) == 6
    assert fitted.rest.startswith("word word")


def test_blanks_that_do_not_break_cost_no_letter() -> None:
    """A no-break space in the last line once ate a letter of what was handed back."""
    text = "\u00a0· ".join(f"thing number {number}" for number in range(30))
    fitted = many(text)
    shown = "".join(fitted.lines).removesuffix(MARK) + fitted.rest
    assert "".join(shown.split()) == "".join(text.split())


def test_a_list_is_cut_between_its_things_even_where_there_is_one_line() -> None:
    listed = THINGS.join(("lamp", "matches in a tin", "torch", "wire"))
    cut = many(listed, width=120, height=12, mark=" and 3 more")
    assert (" ".join(cut.lines), cut.rest) == ("lamp and 3 more", listed.removeprefix(f"lamp{THINGS}"))


def test_a_thing_as_long_as_a_paragraph_is_cut_rather_than_leave_a_box_empty() -> None:
    cut = many(THINGS.join(("lamp", "a letter " + "to somebody " * 12)), height=60)
    assert len(cut.lines) == 6


def test_what_goes_on_elsewhere_is_cut_behind_a_sentence_that_ends_near() -> None:
    said = "One ends here. Two is a sentence that ends further on than it may. "
    said += "Three goes on and on, for as long as it takes."
    cut = many(said, width=110, height=38, mark=" » next card")
    assert (" ".join(cut.lines), cut.rest) == (
        "One ends here. Two is a sentence that ends further on than it may. » next card",
        "Three goes on and on, for as long as it takes.",
    )
    far = many(said, width=110, height=26, mark=" » next card")
    assert far.rest.startswith("ends further")  # not a line alone for the sake of a sentence
    assert many(said, width=110, height=38).rest != cut.rest  # an ellipsis stands within a sentence


def test_things_that_go_on_on_another_page_are_not_parted() -> None:
    things = THINGS.join(f"coil of rope {at}" for at in range(1, 7))
    first = many(things, width=100, height=30, mark="")
    assert first.rest.startswith("coil of rope")
    assert THINGS.join((" ".join(first.lines), first.rest)) == things
