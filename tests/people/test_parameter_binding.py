"""Characters as parameters: what a pack's `uses:` take from a character, by the pack and by its engine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from sheetgen.errors import UsageError
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.people.parameter_binding import parameters_from
from sheetgen.rules.registry import Engine, engine_of

ADA = Character(
    "gamers",
    {
        "name": "Ada",
        "attributes": {"Awareness": 5, "Endurance": 6, "Strength": 7, "Reflexes": 11},
        "skills": {"Fire": 2, "Melee": 1},
        "gear": ("shortbow", "club", "leather jerkin"),
    },
)


@pytest.mark.parametrize(
    ("what", "filled"),
    [
        ("shortbow", {"attacker.skill": 2, "size": "medium", "injury_attributes": [7, 11]}),
        ("Melee", {"attacker.skill": 1, "size": "small", "injury_attributes": [7]}),
        ("Brawling", {"attacker.skill": 0, "size": "small", "injury_attributes": [7]}),
        ("musket", {"attacker.skill": 2, "size": "large", "injury_attributes": [11]}),
    ],
)
def test_an_attacker_uses_a_weapon_a_skill_or_bare_hands(
    gamers: System, what: str, filled: Mapping[str, object]
) -> None:
    """GAM-213: held and thrown weapons add Strength, bows Strength and Reflexes, firearms Reflexes."""
    found = parameters_from(gamers, "attack", "attacker", ADA, what)
    assert found == {"kind": "physical", "attacker.name": "Ada", "attacker.attribute": 11, **filled}


def test_a_defender_wears_the_armour_it_owns(gamers: System) -> None:
    found = parameters_from(gamers, "attack", "defender", ADA, "Melee")
    assert found["armour"] == [{"coverage": 8, "rating": 2}]
    assert found["levels"] == {"Endurance": 6, "Strength": 7, "Reflexes": 11}


def test_an_engine_made_for_the_first_version_may_still_call_its_parameters_told(gamers: System) -> None:
    engine = Engine()
    engine.told = lambda system, character, what: {"name": what}
    assert engine.parameters(gamers, ADA, "Melee") == {"name": "Melee"}


def test_somebody_fights_with_the_weapon_wielded_best(gamers: System) -> None:
    best = engine_of(gamers).best_weapon
    assert best(gamers, ADA) == "shortbow"
    assert best(gamers, replace(ADA, values={"skills": {"Melee": 2}})) == "Brawling"


@pytest.mark.parametrize(
    ("source", "what", "message"),
    [
        ("skills.{with}", "", "attacker: say with which skill or weapon, such as with=Melee"),
        ("skills.{with}", "shortbo", 'attacker: no skill or weapon is called "shortbo" (did you mean "shortbow"?)'),
        ("weapon.colour", "Fire", 'attacker: the pack\'s uses name "weapon.colour", which nothing fills in'),
        ("told.colour", "Fire", 'attacker: the pack\'s uses name "told.colour", which nothing fills in'),
    ],
)
def test_what_nothing_fills_in_is_refused(gamers: System, source: str, what: str, message: str) -> None:
    system = replace(gamers, uses={"attack": {"attacker": {"x": source}}})  # type: ignore[dict-item]
    with pytest.raises(UsageError, match=re.escape(message)):
        parameters_from(system, "attack", "attacker", ADA, what)
