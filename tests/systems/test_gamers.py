"""The figures on a GAMERS sheet, against the worked examples of the ledger, and what the pack's tables say."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.creation.gear import equipment_choices
from sheetgen.systems.gamers.creation import native_level, table_skill
from sheetgen.systems.gamers.figures import (
    bow_range,
    figures,
    firearm_range,
    injury_bonus,
    load_steps,
    throw_range,
    weight,
)


@pytest.mark.parametrize(("strength", "kg", "metres"), [(7, "2", 25), (9, "0.5", 81), (7, "1", 49), (2, "4", 1)])
def test_a_throw(gamers: System, strength: int, kg: str, metres: int) -> None:
    """gamers-ex-015, gamers-ex-016; half a metre counts as a whole one (GAM-Q44)."""
    assert throw_range(gamers.values, strength, Decimal(kg)) == metres


@pytest.mark.parametrize(("strength", "multiplier", "metres"), [(7, "1.5", 110), (6, "2", 144)])
def test_a_bow(strength: int, multiplier: str, metres: int) -> None:
    """gamers-ex-115, gamers-ex-116"""
    assert bow_range(strength, Decimal(multiplier)) == metres


@pytest.mark.parametrize(("strength", "metres"), [(15, 225), (28, 784)])
def test_a_firearm(strength: int, metres: int) -> None:
    """gamers-ex-017, gamers-ex-018"""
    assert firearm_range(strength) == metres


@pytest.mark.parametrize(("level", "bonus"), [(2, 0), (9, 0), (10, 1), (11, 2), (12, 3), (15, 6)])
def test_an_attribute_adds_to_injury_from_a_on(gamers: System, level: int, bonus: int) -> None:
    """GAM-212, GAM-Q53"""
    assert injury_bonus(gamers.values, level) == bonus


def test_weight_and_load(gamers: System) -> None:
    """gamers-ex-049; gamers-ex-040 to 044: 8, 16 and 24 kg are the last of their steps for Strength 8."""
    assert weight(gamers.values, 7) == 70
    assert load_steps(8, 3) == (8, 16, 24)


@pytest.mark.parametrize(("mind", "level"), [(2, 1), (5, 1), (6, 2), (8, 2), (9, 3), (12, 3)])
def test_the_native_language_follows_from_mind(gamers: System, mind: int, level: int) -> None:
    """gamers-ex-075 to 077"""
    assert native_level(gamers.tables["native language"], mind) == level


@pytest.mark.parametrize(("faces", "entry"), [((4, 5), "Hunting"), ((5, 4), "Physician"), ((6, 6), "roll twice")])
def test_the_skill_table_reads_tens_first(gamers: System, faces: tuple[int, int], entry: str) -> None:
    """gamers-ex-070, gamers-ex-071"""
    assert table_skill(gamers.tables["skills"], faces) == entry


def test_the_skill_table_names_33_skills_and_3_choices(gamers: System) -> None:
    """GAM-093"""
    entries = [row.columns["is"] for row in gamers.tables["skills"].rows]
    skills = {trait.name for trait in gamers.group("skills").members}
    assert len(entries) == 36
    assert len(skills) == 36
    assert len(skills.intersection(entries)) == 33
    assert skills.difference(entries) == {"Body Psi", "Elements Psi", "Mind Psi"}


@pytest.mark.parametrize(
    ("skill", "choices"),
    [
        (0, ()),
        (1, ((1, False),)),
        (2, ((1, True), (2, False))),
        (3, ((3, False), (2, True))),
        (4, ((3, False), (2, True))),
    ],
)
def test_gear_follows_from_the_skill(gamers: System, skill: int, choices: tuple[tuple[int, bool], ...]) -> None:
    """gamers-ex-084, gamers-ex-151 to 153; “a few” is 2 and “many” 3 in this pack."""
    assert equipment_choices(gamers.tables["equipment"].row(skill), few=2, many=3) == choices


@pytest.mark.parametrize(
    ("table", "level", "column", "said"),
    [
        ("attributes", 5, "key", "low"),
        ("attributes", 9, "key", "able"),
        ("attributes", 14, "key", "impressive"),
        ("wealth", 2, "savings", "2"),
        ("wealth", 4, "savings", "6"),
        ("wealth", 7, "income", "2"),
        ("wealth", 12, "savings", "480"),
        ("tech", 6, "word", "wind and water"),
    ],
)
def test_tables_read_as_the_ledger_has_them(gamers: System, table: str, level: int, column: str, said: str) -> None:
    assert gamers.tables[table].row(level)[column] == said


def test_a_whole_sheet_of_figures(gamers: System) -> None:
    ada = Character(
        "gamers",
        {
            "name": "Ada",
            "attributes": {"Grit": 7, "Awareness": 12, "Mind": 9, "Endurance": 7, "Reflexes": 11, "Strength": 10},
            "skills": {"Fire": 2, "Melee": 1, "Languages": 1},
            "native": "Osk",
            "languages": {"Osk": 1},
            "gear": ("musket", "longbow", "sabre", "leather jerkin"),
        },
    )
    found = figures(gamers, ada)
    assert found["move"] == "11 paces · 11 km/h"
    assert found["load"] == "10 / 20 / 30 kg"
    assert found["throw"] == "100 / 50 m"
    assert found["bonus"] == "+1 / +2 / +3"
    assert found["weight"] == "100 kg"
    assert found["languages"] == "Osk 4"
    assert (found["arms.1.name"], found["arms.1.range"]) == ("Musket", "225 m")
    assert (found["arms.2.name"], found["arms.2.range"], found["arms.2.injury"]) == ("Longbow", "400 m", "2d6+3")
    assert (found["arms.3.name"], found["arms.3.range"]) == ("Bare hands", "—")
    assert found["thing.sabre"] == "2d6+1, 2d6+1"
    assert found["armour.1.coverage"] == "8"


def test_a_sheet_without_levels_has_no_figures_to_show(gamers: System) -> None:
    assert "move" not in figures(gamers, Character("gamers", {"name": "Nobody"}))
