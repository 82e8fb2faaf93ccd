"""The Six Shooter rulebook: whom its stories are about."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sheetgen.products.book_people import shown_people
from sheetgen.products.chapters import Rulebook
from sheetgen.workspace.packs import Pack

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
