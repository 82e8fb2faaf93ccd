"""What a field is given: texts with values in them, and ticks on conditions."""

from __future__ import annotations

import pytest

from sheetgen.model.acroform import YES, FieldRule, folded

VALUES = {"name": "Ann", "occupation": "Scout", "skills.Stealth": "2", "skills.Melee": "0"}
LEVELS = {"skills.Stealth": 2, "skills.Melee": 0}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{name}", "Ann"),
        ("{name}, {occupation}", "Ann, Scout"),
        ("{name} and {manner}", "Ann and"),
        ("{name}, {manner}", "Ann"),
        ("{manner} – {name}", "Ann"),
        ("of {manner}", ""),
        ("{manner}{hook}", ""),
        ("the Winter campaign", "the Winter campaign"),
    ],
)
def test_a_text_takes_its_values_and_drops_what_joined_missing_ones(text: str, said: str) -> None:
    assert FieldRule(text).fill(VALUES, LEVELS) == said


@pytest.mark.parametrize(
    ("rule", "ticked"),
    [
        (FieldRule("{skills.Stealth}", tick=True), True),
        (FieldRule("{skills.Melee}", tick=True), False),
        (FieldRule("{skills.Climbing}", tick=True), False),
        (FieldRule("{skills.Stealth}", tick=True, least=2), True),
        (FieldRule("{skills.Stealth}", tick=True, least=3), False),
        (FieldRule("{occupation}", tick=True, equals="scout"), True),
        (FieldRule("{occupation}", tick=True, equals="Guard"), False),
    ],
)
def test_a_box_is_ticked_on_its_condition(rule: FieldRule, ticked: bool) -> None:
    assert rule.fill(VALUES, LEVELS) == (YES if ticked else "")


def test_names_are_compared_by_letters_and_digits() -> None:
    assert folded("Mêlée_Skill 2") == "meleeskill2" == folded("MELEE-skill2")
