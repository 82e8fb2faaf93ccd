"""Ties between the people of a group: as many as there are people for, the same for the same people."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sheetgen.model.cast import Relation
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.people.groups import GroupRun, roll_group
from sheetgen.people.ties import ties_between, who_knows_more
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project


def people(count: int, **values: str) -> list[Character]:
    """So many people, written by hand."""
    common = {"occupation": "cook", **values}
    return [Character("gamers", {"name": f"Cook {at} Ada, of the inn", **common}) for at in range(1, count + 1)]


@pytest.mark.parametrize(("count", "ties"), [(0, 0), (1, 0), (2, 1), (3, 3), (5, 3), (9, 3)])
def test_two_have_one_tie_and_more_have_three(gamers: System, count: int, ties: int) -> None:
    found = ties_between(gamers, people(count))
    assert len(found) == ties
    assert all(tie.who != tie.other for tie in found)
    assert len({tie.say for tie in found}) == len({frozenset((tie.who, tie.other)) for tie in found}) == ties
    assert [tie.who for tie in found if "of the inn" in tie.who] == []


def test_six_people_have_a_tie_each(gamers: System) -> None:
    assert len({name for tie in ties_between(gamers, people(6)) for name in (tie.who, tie.other)}) == 6


def test_beasts_have_no_ties_and_their_hunters_have_one(project: Project) -> None:
    pack = open_pack(project, "diecodes")
    hunted = list(roll_group(pack, GroupRun(pack.system.ready_groups["things of the glass flats"], 1)))
    (tie,) = ties_between(pack.system, hunted)
    assert {tie.who, tie.other} == {each.text("name").partition(", ")[0] for each in hunted[3:]}


def without_ties(system: System) -> System:
    """A game that has only relations."""
    return replace(system, cast=replace(system.cast, ties=()))


def test_a_tie_is_a_sentence_with_both_names(gamers: System) -> None:
    (tie,) = ties_between(gamers, people(2))
    assert {tie.say} < set(gamers.cast.ties)
    assert {text for text, is_name in tie.pieces if is_name} == {tie.who, tie.other}
    (plain,) = ties_between(without_ties(gamers), people(2))
    assert plain.say.startswith("{one}’s ")
    assert plain.say.endswith(" is {other}.")


def test_a_relation_that_asks_who_somebody_is_stays_out(gamers: System) -> None:
    found = [tie.say for count in range(2, 60) for tie in ties_between(without_ties(gamers), people(count))]
    assert not [say for say in found for word in ("sister", "brother", "valet of many years") if f"’s {word}" in say]


def test_who_has_a_spouse_on_their_own_page_has_no_other_in_the_group(gamers: System) -> None:
    married = replace(gamers, cast=replace(gamers.cast, ties=(), relations=(Relation("spouse"), Relation("twin"))))
    both = [Character("gamers", {**each.values, "people": {"Enzo, spouse": 9}}) for each in people(2)]
    assert [tie.say for tie in ties_between(married, both)] == ["{one}’s twin is {other}."]
    third = [*people(1), both[1]]
    assert [tie.say for tie in ties_between(married, third)] == ["{one}’s twin is {other}."]


def test_beasts_have_no_ties(gamers: System) -> None:
    assert ties_between(gamers, people(4, occupation="")) == ()


def test_ties_and_trouble_stay_while_others_are_edited(project: Project) -> None:
    for name in ("gamers", "tsgs", "sixshooter", "diecodes", "genesix"):
        pack = open_pack(project, name)
        group = next(iter(pack.system.ready_groups.values()))
        members = list(roll_group(pack, GroupRun(group, 5)))
        edited = [*members[:-1], Character(name, {**members[-1].values, "manner": "limps"})]
        ties = ties_between(pack.system, members)
        assert len(ties) == 3
        assert ties_between(pack.system, edited) == ties
        first, again = who_knows_more(members), who_knows_more(edited)
        assert first is not None
        assert again is not None
        assert first.text("name") == again.text("name")
