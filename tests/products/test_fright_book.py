"""What the book of FRIGHT says of people whom the engine rolls, it says of those who come out."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest

from sheetgen.dice.source import Scripted
from sheetgen.products.chapters import Rulebook, prose_of
from sheetgen.rules.odds import exact_odds
from sheetgen.rules.procedures.parameters import plain_words
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project

BookOf = Callable[[str], tuple[Pack, Rulebook]]


@pytest.mark.parametrize("scene", ["the-house-party", "the-congregation", "the-salvage-crew", "the-last-train"])
def test_a_gm_finds_a_scene_in_one_place_and_all_of_it(book_of: BookOf, scene: str) -> None:
    """The dice had dealt a butler statistics, and what he wanted stood four pages further on."""
    _, rulebook = book_of("fright")
    rule = rulebook.book.rules[scene]
    told = re.findall(r"^\*\*(.+?)\*\*", rule.text.text, re.MULTILINE)
    assert [each.rstrip(".") for each in told] == ["Behind it", "It lies", "If nobody acts", "It stops"]
    kept = [who.text("name") for who in rulebook.people["people/scenes.yaml"]]
    shown = [name for each in rule.people for name in each.only]
    assert len(shown) > 5
    assert set(shown) <= set(kept)


def test_nobody_of_the_book_is_somebody_else_again(book_of: BookOf) -> None:
    """The orderly had the digits of the nurse beside him, and was a better physician than Sister."""
    _, rulebook = book_of("fright")
    people = [who for name, kept in rulebook.people.items() if name.startswith("people/") for who in kept]
    digits = [tuple(who.values["attributes"].items()) for who in people]
    assert len(set(digits)) == len(digits)
    physician = {who.text("name"): who.values["skills"].get("Physician", 0) for who in people}
    assert physician["Celia Farrow"] > physician["Velma Jessop"] > physician["Wulf Oldroyd"]


@pytest.mark.parametrize(
    ("grit", "size", "of_36"), [(12, "small", 35), (12, "medium", 35), (8, "medium", 26), (2, "large", 1)]
)
def test_nobody_is_too_brave_for_dread_nor_too_afraid(project: Project, grit: int, size: str, of_36: int) -> None:
    """With C in Grit no small or medium fright had ever ticked a box."""
    system = open_pack(project, "fright").system
    fright = engine_of(system).procedures["fright"]
    given = fright.arguments(plain_words({"grit": grit, "size": size}), Play(system, Scripted(())))
    chances = exact_odds(system, fright, given, of="calm")
    assert chances.chance(True) == Fraction(of_36, 36)


def test_the_examples_of_dread_do_not_tell_what_bed_six_is_about(book_of: BookOf) -> None:
    """The chapter that every player reads had the hollow in the pillow, and the first sentence that the GM owes."""
    _, rulebook = book_of("fright")
    (dread,) = (chapter for chapter in rulebook.book.chapters if chapter.id == "dread")
    told = " ".join(str(rule.scenes) for rule in dread.rules)
    assert "good night" in told
    assert not re.findall(r"pillow|ringing for us|bell board|linen room|bed six", told)


def test_no_page_is_of_another_game(book_of: BookOf) -> None:
    """Its examples flew a mail airship out of Port Ambry."""
    _, rulebook = book_of("fright")
    told = " ".join(prose.text for prose in prose_of(rulebook.book))
    assert not re.findall(r"Vanja|Ishaan|Bex|Jo Tamm|Port Ambry|airship|pence\b", told)
