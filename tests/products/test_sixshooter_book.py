"""The Six Shooter rulebook: whom its stories are about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from sheetgen.products.book_people import shown_people
from sheetgen.products.chapters import Rulebook
from sheetgen.workspace.packs import Pack

PACK = Path(__file__).parents[2] / "content" / "sixshooter"
Opened = tuple[Pack, Rulebook]


@pytest.fixture
def opened(book_of: Callable[[str], Opened]) -> Opened:
    return book_of("sixshooter")


def test_the_operator_of_the_stories_is_the_one_made_on_the_page(opened: Opened) -> None:
    (character,) = opened[1].kept.values()
    assert (character.text("name"), character.text("occupation")) == ("Opal Gallegos", "desert guide")
    assert "mule called Senator" in character.lines("gear")


def test_no_two_people_of_a_printed_group_share_a_family_name(opened: Opened) -> None:
    """Two Cobbs, two Lockridges and two Frankies stood in one back room."""
    pack, rulebook = opened
    for shown in shown_people(pack, rulebook.book.rules["ready-groups"].people, {}):
        names = [name for block in shown["people"] for name in (block["alike"] or block["name"]).split(", ")]
        families = [name.split()[-1] for name in names]
        assert len(set(families)) == len(families), shown["title"]


def test_the_four_who_stand_ready_are_those_of_the_examples(opened: Opened) -> None:
    rows = [row for row in opened[1].book.rules["the-four"].text.text.splitlines() if row.startswith("| **")]
    people = [yaml.safe_load((PACK / "hero.yaml").read_text("utf-8"))]
    people += yaml.safe_load((PACK / "cast.yaml").read_text("utf-8"))["characters"]
    assert len(rows) == len(people)
    for row, each in zip(rows, people, strict=True):
        assert row.startswith(f"| **{each['name']}**, {each['descriptor']} {each['occupation']}; {each['manner']} |")
        assert f"| {{{each['luck']['Lucky Number']}}} |" in row
        assert all(thing.partition(",")[0].removeprefix("box of ") in row for thing in each["gear"])
