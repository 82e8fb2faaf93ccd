"""Handwriting: words that lean, thin and stay words, the same for the same text."""

from __future__ import annotations

import re

from sheetgen.documents.handout.handout import barred
from sheetgen.documents.handout.lettering import hand_of_writer, written
from sheetgen.model.handout import Hand

PEN = Hand("neat", "a pen", ("La Belle Aurore",), wander=0.04, lean=1.0, dips=True)
MACHINE = Hand("typed", "a machine", ("Special Elite",), loose={"e": "low"})


def said(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html)


def test_words_stay_words_in_their_order() -> None:
    text = "<p>Do <em>not</em> go down, Tom &amp; Ann.</p><p>I mean it.</p>"
    assert said(written(text, PEN, "x")) == said(text)
    assert said(written(text, MACHINE, "x")) == said(text)


def test_what_is_underlined_keeps_its_full_stop() -> None:
    """A line must not begin with the full stop of the one before."""
    words = re.findall(r'<span class="w"[^>]*>(.*?)</span>', written("<p>go <em>two ways</em>.</p>", PEN, "x"))
    assert words == ["go", "<em>two</em>", "<em>ways</em>."]


def test_the_same_letter_looks_the_same_and_another_does_not() -> None:
    text = "<p>Come alone.</p>"
    assert written(text, PEN, "a") == written(text, PEN, "a") != written(text, PEN, "b")


def test_ink_thins_and_is_black_again_unless_ink_is_saved() -> None:
    greys = re.findall("color:#(..)", written("word " * 80, PEN, "x"))
    assert min(greys) < "20" < max(greys) <= "4a"
    assert "color" not in written("word " * 80, PEN, "x", even=True)


def test_words_from_right_to_left_are_left_to_the_line() -> None:
    made = written("<p>at السوق القديم now</p>", PEN, "x")
    assert "السوق القديم" in made
    assert made.count('class="w"') == 2


def test_everybody_has_a_hand_and_keeps_it() -> None:
    """Whatever they sign as: titles behind the name do not count. Machines write alike for everybody."""
    agnes, ruth = hand_of_writer(PEN, "Sister Agnes"), hand_of_writer(PEN, "Ruth Ainslie, widow")
    assert agnes != ruth
    assert hand_of_writer(PEN, "Ruth Ainslie") == ruth
    assert f"skewX({-ruth.slant:g}deg)" in written("Come.", ruth, "note")
    assert hand_of_writer(MACHINE, "Ruth Ainslie") == MACHINE
    assert hand_of_writer(PEN, "") == PEN


def test_a_machine_sets_some_letters_low() -> None:
    assert written("<p>the &eacute;nd</p>", MACHINE, "x") == '<p>th<span class="low">e</span> &eacute;nd</p>'


def test_bars_do_not_tell_words_apart() -> None:
    """A child of nine and Commissioner Haldane’s bars have no gaps, and come in even lengths."""
    bars = [barred(f"<s>{name}</s>").count("bar") for name in ("Mr Vane", "Dr Lee", "Al", "Oscar W")]
    assert len(set(bars)) == 1
    assert " " not in said(barred("<s>a child of about nine</s>"))


def test_nobody_writes_so_wide_that_words_fall_apart() -> None:
    """Viewers that copy text part the letters of a leaning word where more than 0.03 em are between them."""
    spacings = {hand_of_writer(PEN, f"Somebody {number}").spacing for number in range(300)}
    assert 0.015 < max(spacings) < 0.02, "a pair of letters may add 0.01"
