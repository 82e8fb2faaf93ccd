"""The people of each skin come from its own world: its stories, ties and tongues are not those of GAMERS."""

from __future__ import annotations

import pytest

from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

SKINS = ("agents", "fright", "heroic", "spacer", "waster")


@pytest.mark.parametrize("skin", SKINS)
def test_stories_and_tongues_are_of_its_own_world(project: Project, skin: str) -> None:
    above, own = (open_pack(project, name).system.cast for name in ("gamers", skin))
    assert {hook.say for hook in own.hooks}.isdisjoint(hook.say for hook in above.hooks)
    assert set(own.languages).isdisjoint(above.languages)
    assert {tie.say for tie in own.relations} - {tie.say for tie in above.relations}


@pytest.mark.parametrize("skin", SKINS)
def test_nobody_of_twenty_has_the_story_of_another(project: Project, skin: str) -> None:
    system = open_pack(project, skin).system
    stories = [each.text("hook") for each in Roller(system, plan_of(system), 5).roll_all(range(1, 21))]
    assert len(set(stories)) == len(stories)


@pytest.mark.parametrize("skin", ["heroic", "spacer"])
def test_the_second_line_of_a_group_needs_no_numerals(project: Project, skin: str) -> None:
    system = open_pack(project, skin).system
    for seed in range(1, 9):
        rolled = Roller(system, plan_of(system, options={"culture": "one"}), seed)
        assert not rolled.roll(1003).text("name").endswith(" II")
