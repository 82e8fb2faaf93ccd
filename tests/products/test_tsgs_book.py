"""The TSGS rulebook: its stories hang together, and its people are those of the pack."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sheetgen.products.chapters import Rulebook
from sheetgen.workspace.packs import Pack

Opened = tuple[Pack, Rulebook]
TENDED_WITH = (("Cleverness", "abilities"), ("Medical", "skills"))


@pytest.fixture
def opened(book_of: Callable[[str], Opened]) -> Opened:
    return book_of("tsgs")


def test_the_doctor_of_the_stories_is_the_one_made_on_the_page(opened: Opened) -> None:
    pack, rulebook = opened
    (character,) = rulebook.kept.values()
    assert (character.text("name"), character.text("occupation")) == ("Kitty Stonebridge", "city doctor")
    tending = {str(name): value for name, value in rulebook.cases["TSG-B09"].given.items()}
    assert (tending["clever"], tending["skill"]) == ("Ability", "+1")
    levels = character.levels(["abilities", "skills"])
    told = {name: pack.system.group(group).scale.plain(levels[name]) for name, group in TENDED_WITH}
    assert told == {"Cleverness": "Ability", "Medical": "+1"}


def test_wounds_run_on_through_the_night_at_the_pier(opened: Opened) -> None:
    cases = opened[1].cases
    shot, struck, both, saved, mended = (cases[f"TSG-B{number:02}"] for number in (6, 7, 8, 9, 11))
    assert shot.expect["total_wounds"] == struck.given["attacker"]["wounds"]  # type: ignore[index, call-overload]
    assert struck.expect["total_wounds"] == both.given["b"]["wounds"]  # type: ignore[index, call-overload]
    assert both.expect["b"]["total_wounds"] == saved.given["victim_wounds"]  # type: ignore[index, call-overload]
    assert both.expect["b"]["rounds"] == saved.given["rounds"]  # type: ignore[index, call-overload]
    assert both.expect["a"]["total_wounds"] == mended.given["wounds"]  # type: ignore[index, call-overload]


def test_the_ready_made_stand_in_the_book_as_the_pack_has_them(opened: Opened) -> None:
    """Each has a block by the rule, with the abilities and skills of the archetype of that name (TSG-014, TSG-027)."""
    pack, rulebook = opened
    shown = [name for each in rulebook.book.rules["ready-made"].people for name in each.only]
    assert len(shown) == 4
    people = {who.text("name"): who for who in rulebook.people["cast.yaml"]}
    for name in shown:
        gives = pack.system.cast.archetypes[name].gives
        for group in ("abilities", "skills"):
            assert people[name].values[group] == gives[group], (name, group)
