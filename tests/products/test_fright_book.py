"""What the book of FRIGHT says of people whom the engine rolls, it says of those who come out."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from sheetgen.dice.source import Scripted
from sheetgen.products.book_people import shown_people
from sheetgen.products.chapters import Rulebook, prose_of
from sheetgen.rules.odds import exact_odds
from sheetgen.rules.procedures.parameters import plain_words
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project

BookOf = Callable[[str], tuple[Pack, Rulebook]]


def test_whoever_wants_something_in_a_scene_is_of_its_group(book_of: BookOf) -> None:
    pack, rulebook = book_of("fright")
    groups: Any = shown_people(pack, rulebook.book.rules["ready-groups"].people, rulebook.people)
    scenes = re.split(r"^### ", rulebook.book.rules["behind-it"].text.text, flags=re.MULTILINE)[1:]
    assert len(scenes) == len(groups)
    for scene, group in zip(scenes, groups, strict=True):
        assert scene.startswith(group["title"])
        shown = " ".join(f"{who['name']} {who['alike']}" for who in group["people"])
        (wants,) = re.findall(r"\*\*They want\.\*\*.*?(?=\n\n)", scene, re.DOTALL)
        names = [name.split()[-1] for name in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", wants)]
        assert len(names) > 5
        assert [name for name in names if name not in shown] == []


def test_nobody_of_the_book_is_somebody_else_again(book_of: BookOf) -> None:
    """The orderly had the digits of the nurse beside him, and was a better physician than Sister."""
    _, rulebook = book_of("fright")
    people = [who for name, kept in rulebook.people.items() if name.startswith("people/") for who in kept]
    digits = [tuple(who.values["attributes"].items()) for who in people]
    assert len(set(digits)) == len(digits)
    sister, _, orderly = people[:3]
    assert sister.values["skills"]["Physician"] > orderly.values["skills"]["Physician"]


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
