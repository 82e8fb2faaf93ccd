"""The people of each skin come from its own world: its stories, ties and tongues are not those of GAMERS."""

from __future__ import annotations

import re

import pytest

from sheetgen.people.groups import GroupRun, roll_group
from sheetgen.products.book_people import kept_characters, shown_people
from sheetgen.products.chapters import open_book
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.systems.gamers.figures import figures
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
def test_its_book_has_people_of_its_own_world(project: Project, skin: str) -> None:
    """A spacer once met a guard in an age of steam, with the road gang of GAMERS behind him."""
    pack = open_pack(project, skin)
    rules = open_book(project, pack).book.rules
    groups = {each.group for each in rules["ready-groups"].people}
    kept = [name for name, rule in rules.items() if rule.people and all(each.file for each in rule.people)]
    assert groups or len(kept) > 1
    assert groups <= pack.system.ready_groups.keys()
    assert "age of steam" not in rules["opponents"].text.text


@pytest.mark.parametrize(
    ("skin", "scenes"),
    [
        ("agents", ("the-station", "the-night-train", "the-listening-post", "the-watchers")),
        ("heroic", ("the-hearth-guard", "the-longship", "the-wolfs-heads")),
    ],
)
def test_each_ready_group_is_a_rule_of_its_own(project: Project, skin: str, scenes: tuple[str, ...]) -> None:
    """Rolled for the book, a hunter of deer knew whales, and three street watchers started tasks with great noise."""
    rules = open_book(project, open_pack(project, skin)).book.rules
    for name in scenes:
        assert all(each.file for each in rules[name].people)
        assert re.findall(r"\*\*(.+?)\*\*", rules[name].text.text) == ["Behind it.", "If nobody acts."]


def test_a_beast_has_no_hands_beside_its_teeth(project: Project) -> None:
    """A wolf, a bear and a worm once had bare hands for a second weapon."""
    pack = open_pack(project, "heroic")
    beasts = kept_characters(project, pack, "people/beasts.yaml")
    handed = [each.text("name") for each in beasts if "Bare hands" in figures(pack.system, each).values()]
    assert handed == ["A king in a barrow", "A giant"]


def test_a_gm_reads_what_is_behind_each_ready_group_and_what_comes_of_it(project: Project) -> None:
    """A line said that two of each list knew more, and no page said what."""
    pack = open_pack(project, "spacer")
    people = open_book(project, pack).book.rules["ready-groups"].people
    for each, shown in zip(people, shown_people(pack, people, {}), strict=True):
        assert (shown["behind"], shown["otherwise"]) == (each.behind, each.otherwise)
        assert each.behind
        assert each.otherwise


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


@pytest.mark.parametrize("skin", SKINS)
def test_it_has_ready_groups_of_its_own_that_stand_for_those_of_the_game_it_varies(project: Project, skin: str) -> None:
    """A ship in near space once carried a spice merchant forty days out, and spies had a road gang."""
    above, system = (open_pack(project, name).system for name in ("gamers", skin))
    own = system.ready_groups
    assert 7 <= len(own) <= 9
    assert own.keys().isdisjoint(above.ready_groups)
    assert {group.say for group in own.values()}.isdisjoint(group.say for group in above.ready_groups.values())
    assert all(system.known_groups[name] in own.values() for name in above.ready_groups)


@pytest.mark.parametrize("skin", SKINS)
def test_everybody_of_a_ready_group_lives_by_a_trade_of_its_world(project: Project, skin: str) -> None:
    system = open_pack(project, skin).system
    for name, group in system.ready_groups.items():
        for member in group.members:
            options = {**group.options, **member.options}
            tech = int(options.get("tech") or str(system.creation.options["tech"].default), 16)
            trades = [system.cast.occupations[trade] for trade in member.occupations]
            strange = [trade.name for trade in trades if tech not in dict(trade.fits).get("Tech", (tech,))]
            assert (name, strange) == (name, [])
            assert trades, f"{name}: {member.archetype} may be anything"


@pytest.mark.parametrize("skin", SKINS)
def test_whoever_has_a_part_in_a_ready_group_lives_by_a_trade_of_it(project: Project, skin: str) -> None:
    pack = open_pack(project, skin)
    for group in pack.system.ready_groups.values():
        people = roll_group(pack, GroupRun(group, 1))
        asked = [member.occupations for member in group.members for _ in range(member.count)]
        assert [
            each.text("occupation")
            for each, trades in zip(people, asked, strict=True)
            if each.text("occupation") not in trades
        ] == []
