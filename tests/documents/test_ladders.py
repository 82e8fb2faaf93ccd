"""Figures for pools of dice: as many dice on a rung as it rolls, and a ring around the rung that is meant."""

from __future__ import annotations

import pytest

from sheetgen.documents.figures.kinds import drawn

LADDER = {"Very Strong": "4", "Strong": "3", "normal": "2", "Weak": "1"}


def test_each_rung_has_its_dice_and_one_has_the_ring() -> None:
    _, height, inside = drawn("rungs", {"levels": LADDER, "here": "Strong"}, accent="#123456", width=300)
    assert inside.count('rx="1.6"') == 4 + 3 + 2 + 1
    assert inside.count('stroke-width="1.6"') == 1
    assert height < 100


def test_no_ring_where_nobody_stands() -> None:
    assert 'stroke-width="1.6"' not in drawn("rungs", {"levels": LADDER}, accent="#123456", width=300)[2]


def test_faces_stand_in_groups_with_what_they_do() -> None:
    read = {"1": "takes one away", "2 3": "nothing", "4 5": "a success", "6": "a success, and; perhaps a die more"}
    width, _, inside = drawn("faces", {"read": read}, accent="#123456", width=300)
    assert (width, inside.count('rx="1.6"')) == (300, 6)
    assert "perhaps a die more" in inside
    assert ";" not in inside


def test_a_flow_may_end_in_several_ways() -> None:
    steps, ends = {"Mark": "the points", "Roll": "toughness"}, {"Made it": "You stand.", "Failed": "You fall."}
    plain = drawn("flow", {"steps": steps}, accent="#123456", width=300)
    forked = drawn("flow", {"steps": steps, "ends": ends}, accent="#123456", width=300)
    assert forked[1] > plain[1]
    assert "You fall." in forked[2]


def test_a_ladder_without_levels_says_what_it_needs() -> None:
    with pytest.raises(ValueError, match="rungs: needs levels"):
        drawn("rungs", {}, accent="#123456", width=300)
