"""Growth: what a step that spends points refuses, at its place."""

from __future__ import annotations

import pytest

from sheetgen.errors import InputError
from sheetgen.rules.engine_check import check_steps
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

SYSTEM = """id: mist
title: Mist
credit: Mist, by somebody
licence: as you like it
traits:
  virtues: {title: Virtues, range: 0-5, members: {Hope: {}}}
  skills: {title: Skills, range: 0-5, default: 0, members: {Melee: {}}}
"""
CREATION = """steps:
  virtues: {do: roll each, group: virtues, dice: 1d4}
  training: {do: grow, points: 5, costs: {virtues: 3}, best of: [Melee], to: 2}
methods: {random: {steps: [virtues, training]}}
"""


def test_the_best_of_a_group_without_a_price_is_told_at_its_word(project: Project) -> None:
    (project.where / "mist").mkdir()
    sheet = "character: {virtues: {is: levels, title: Virtues}, skills: {is: levels, title: Skills}}\n"
    for name, text in {"system": SYSTEM, "creation": CREATION, "sheet": sheet}.items():
        (project.where / "mist" / f"{name}.yaml").write_text(text)
    with pytest.raises(InputError) as caught:
        check_steps(open_pack(project, "./mist").system)
    said = 'step training: best of: costs says nothing of the group of "Melee"'
    assert str(caught.value) == f"mist/creation.yaml:3:66: {said}"


@pytest.mark.parametrize(("game", "kind"), [("genesix", "beast"), ("genesix", "lurker"), ("tsgs", "great wolf")])
def test_creatures_own_what_is_given_to_their_kind_and_learn_no_weapons(project: Project, game: str, kind: str) -> None:
    system = open_pack(project, game).system
    rolled = Roller(system, plan_of(system, archetype=kind, options={"level": "boss"}), 7)
    for someone in rolled.roll_all(range(1, 9)):
        assert someone.lines("gear") == tuple(system.cast.archetypes[kind].gives["gear"])
        assert "Swordsman" not in someone.values.get("skills", {})
