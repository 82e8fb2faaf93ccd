"""Words that a GM types for somebody lead to people of that kind in every game, or are refused with what there is."""

from __future__ import annotations

import pytest

from sheetgen.errors import UsageError
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

GAMES = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix", "fright", "waster")
COMMON = (
    *("guard", "soldier", "thief", "bandit", "merchant", "healer", "priest", "farmer", "sailor", "hunter"),
    *("scholar", "witch", "noble", "innkeeper", "wizard", "knight"),
)
KEEPS_AN_INN = ("innkeeper", "publican", "keeper", "landlord", "hotel", "diner", "café", "owner")


@pytest.mark.parametrize("game", GAMES)
def test_common_words_lead_to_somebody(project: Project, game: str) -> None:
    words = open_pack(project, game).system.cast.archetype_words
    assert [word for word in COMMON if word not in words] == []


@pytest.mark.parametrize("game", GAMES)
def test_an_innkeeper_keeps_an_inn(project: Project, game: str) -> None:
    system = open_pack(project, game).system
    rolled = Roller(system, plan_of(system, archetype="innkeeper"), 3)
    for index in range(1, 7):
        assert any(word in rolled.roll(index).text("occupation") for word in KEEPS_AN_INN)


def test_who_is_not_there_is_refused_with_those_who_are(project: Project) -> None:
    system = open_pack(project, "tsgs").system
    with pytest.raises(UsageError, match=r"unknown archetype \"dog\"; TSGS has guard, captain, .*, great wolf"):
        plan_of(system, archetype="dog")
