"""Options as controls of a form, and forms as options: from the declaration that the command line is made of, too."""

from __future__ import annotations

from typing import Any

import pytest

from sheetgen.products.option_form import (
    Control,
    SentForm,
    controls,
    form_of,
    in_plain_words,
    offers_of,
    read_form,
)
from sheetgen.products.options import options_of
from sheetgen.products.product import PRODUCTS, product_named
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.printers import remember
from sheetgen.workspace.project import Project


def shown(kind: Any, **more: Any) -> dict[str, Control]:
    return {each.name: each for each in controls(kind, SentForm(kind()), more)}


def sent(name: str, *pairs: tuple[str, str], **offers: tuple[str, ...]) -> SentForm[Any]:
    kind = product_named(name).options
    return read_form(kind, pairs, offers, kind())


def test_each_option_becomes_the_control_that_suits_it() -> None:
    found = shown(product_named("cards").options, deck=("rules", "playing"))
    assert found["bleed"].kind == "switch"
    assert (found["backs"].kind, found["backs"].value) == ("choice", "duplex")
    assert found["paper"].choices[:2] == (("a4", "A4"), ("letter", "Letter"))
    assert (found["size"].choices[0], found["size"].value) == (("", "as usual"), "")
    assert (found["count"].kind, found["count"].low, found["count"].high) == ("number", 1, 100)
    assert (found["margin"].kind, found["margin"].value, found["margin"].high) == ("length", "", 50)
    assert (found["deck"].kind, found["deck"].choices) == ("choice", (("rules", "rules"), ("playing", "playing")))
    assert (found["table"].kind, found["option"].kind) == ("file", "lines")
    assert found["table"].label == "A table of your own"


@pytest.mark.parametrize("name", PRODUCTS)
def test_every_option_of_every_product_has_a_control_that_gives_its_default_back(name: str) -> None:
    kind = product_named(name).options
    fields = [(each.name, each.value) for each in controls(kind, SentForm(kind()), {})]
    read = read_form(kind, fields, {}, kind())
    assert read.options == kind()
    assert not read.problems
    terminal = {each.name for each, about in options_of(kind) if about.terminal}
    assert {name for name, _ in fields} | terminal == {each.name for each, _ in options_of(kind)}


def test_a_form_comes_back_as_options_and_these_as_a_form() -> None:
    pairs = [("bleed", "no"), ("bleed", "yes"), ("paper", "letter"), ("margin", "6.5"), ("option", "tech=9\nage=40")]
    read = sent("cards", *pairs, ("page", "3"))
    assert (read.options.bleed, read.options.paper, read.options.margin) == (True, "letter", 6.5)
    assert read.options.option == {"tech": "9", "age": "40"}
    kind = type(read.options)
    assert read_form(kind, form_of(read.options, kind()), {}, kind()).options == read.options
    assert form_of(kind(), kind()) == []
    assert sent("cards", *form_of(kind(seed=0), kind())).options.seed == 0


def test_all_problems_of_a_form_are_told_beside_their_fields_and_what_is_right_counts() -> None:
    read = sent("cards", ("margin", "wide"), ("count", "999"), ("paper", "a44"), ("flip", "short"), ("option", "x"))
    assert read.problems == {
        "margin": 'takes millimetres from 0 to 50, not "wide"',
        "count": 'takes a whole number from 1 to 100, not "999"',
        "paper": 'unknown paper "a44" (did you mean "a4"?)',
        "option": 'takes NAME=VALUE, not "x"',
    }
    assert read.options.flip == "short"
    again = {each.name: each for each in controls(type(read.options), read, {})}
    assert (again["margin"].value, again["margin"].problem) == ("wide", read.problems["margin"])


@pytest.mark.parametrize("name", ["../secret.csv", "/etc/passwd", "other.csv"])
def test_only_files_that_were_offered_are_taken(name: str) -> None:
    assert sent("cards", ("table", "mine.csv"), table=("mine.csv",)).options.table == "mine.csv"
    read = sent("cards", ("table", name), table=("mine.csv",))
    assert read.options.table == ""
    assert "no file" in read.problems["table"]


def test_what_is_for_a_terminal_is_neither_shown_nor_taken() -> None:
    read = sent("npc", ("workers", "4"), ("from_code", "x"), ("count", "3"))
    assert (read.options.workers, read.options.from_code, read.options.count) == (None, "", 3)
    assert "workers" not in shown(type(read.options))


@pytest.mark.parametrize("name", PRODUCTS)
def test_no_hint_of_a_form_sends_people_to_a_terminal_or_lists_what_its_field_lists(name: str) -> None:
    for each in shown(product_named(name).options).values():
        assert "sheetgen " not in each.help, each.name
        assert "shops/NAME" not in each.help, each.name
        assert "default a4" not in each.help, each.name


def test_sentences_name_controls_and_not_flags() -> None:
    kind = product_named("cards").options
    told = "--box is one page: leave out --for, --no-marks and -n, not --elsewhere"
    said = "“A box for them” is one page: leave out “For a print shop”, no “Marks and ruler” and “How many people”, not"
    assert in_plain_words(told, kind) == f"{said} --elsewhere"


def test_words_of_the_game_and_of_the_folder_are_offered(project: Project) -> None:
    remember(project, "office", margin=4)
    offers = offers_of(product_named("cards").options, project, open_pack(project, "sixshooter"), ["mine.csv"])
    assert offers["printer"] == ("office",)
    assert set(offers["deck"]) == {"rules", "playing", "operators"}
    assert "drivethru" in offers["shop"]
    assert offers["table"] == ("mine.csv",)
