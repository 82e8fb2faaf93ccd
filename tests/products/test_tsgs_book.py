"""The TSGS rulebook: its stories hang together, and its people are those of the pack."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from sheetgen.products.chapters import Rulebook
from sheetgen.systems.tsgs.traits import levels_of
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
    pack, rulebook = opened
    text = rulebook.book.rules["ready-made"].text.text.replace("*", "")
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines() if "|" in line]
    told = {row[0]: levels_of(pack.system.values, tuple(row[1].split(", ")), row[0]) for row in rows[2:]}
    abilities = pack.system.group("abilities")
    for name, levels in told.items():
        given = pack.system.cast.archetypes[name].gives["abilities"]
        assert isinstance(given, Mapping)
        for trait in abilities.members:
            level = given.get(trait.name, abilities.default)
            assert isinstance(level, int)
            assert abilities.scale.plain(level) == levels[trait.role], (name, trait.name)
