"""TSGS, falls, fire, water, and being caught: rules of the house (`TSG-H5` to `TSG-H9`)."""

from __future__ import annotations

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.model.system import System
from tests.reading import played, read_pack


@pytest.fixture(scope="module")
def system(library: Library) -> System:
    return read_pack(library.packs["tsgs"], library)


def test_a_short_fall_needs_no_dice(system: System) -> None:
    end, log = played(system, "fall", [], paces=2)
    assert (end.wound_points, end.condition) == (0, "fine")
    assert log == ["The faller falls 2 paces: 0 wound points [TSG-H6]"]


def test_a_good_landing_takes_a_point_and_with_it_the_danger_to_life(system: System) -> None:
    """Three points kill and two knock out, and it is what is left after the landing that counts."""
    fallen, _ = played(system, "fall", [4, 5, 6, 2, 3, 1, 1], paces=9, agile="Ability")
    assert (fallen.wound_points, fallen.condition, fallen.rounds) == (2, "unconscious", 2)
    flat, _ = played(system, "fall", [2, 2, 3, 2, 3, 4], paces=9, agile="Ability")
    assert (flat.wound_points, flat.condition, flat.rounds) == (3, "dying", 4)


def test_old_wounds_take_a_die_from_the_landing_and_are_counted_when_one_gets_up(system: System) -> None:
    end, log = played(system, "fall", [2, 4, 5], paces=3, wounds=1)
    assert (end.total_wounds, end.condition) == (2, "wounded")
    assert "1 wounded" in "".join(log)


def test_flames_burn_until_they_are_out_or_somebody_is_down(system: System) -> None:
    """Each round that fails is a point, and the wound takes a die from the next try."""
    end, _ = played(system, "burn", [2, 3, 4, 2, 3, 2, 2, 6])
    assert (end.out, end.rounds_burning, end.total_wounds, end.condition, end.rounds) == (False, 2, 2, "dying", 6)


def test_breath_lasts_longer_for_the_tough_and_then_each_round_asks_more(system: System) -> None:
    safe, _ = played(system, "drown", [], tough="Ability", most=15)
    assert (safe.breath, safe.rounds_under, safe.condition) == (15, 15, "fine")
    end, log = played(system, "drown", [4, 2, 5, 2, 3], tough="Normal")
    assert (end.breath, end.rounds_under, end.condition, end.rounds) == (10, 12, "dying", 3)
    assert [line for line in log if "against" in line][-1].startswith("The diver: 1 against 2: failure")


def test_whoever_is_caught_defends_with_a_die_less_but_the_helpless_have_none_to_lose(system: System) -> None:
    attacker = {"roll": "strength"}
    for caught, rule in (("off guard", "TSG-H5"), ("held", "TSG-H9")):
        _, log = played(system, "attack", [2, 3, 4], attacker=attacker, defender={"caught": caught})
        assert f"Caught, {caught}: −1 for the defence [{rule}]" in log
    _, log = played(system, "attack", [2, 3], attacker=attacker, defender={"caught": "held", "helpless": True})
    assert not [line for line in log if "Caught" in line]
