"""Every way of playing a rule ahead: what a page follows comes out as the engine plays it, and as likely."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sheetgen.dice.source import Scripted
from sheetgen.model.procedures import as_data
from sheetgen.rules.odds import exact_odds
from sheetgen.rules.procedures.parameters import plain_words
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.table.play_ways import Branch, TooManyWays, play_ways
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

ROLLS = {
    "gamers": ("check", {"skill": 2, "difficulty": 8, "attribute": 7}, "success"),
    "tsgs": ("static", {"pool": 3, "difficulty": 2}, "success"),
    "chalkdown": ("test", {"target": 12, "advantage": 1}, "success"),
    "genesix": ("check", {"attribute": 1, "difficulty": "Average"}, "success"),
    "diecodes": ("test", {"code": "3d", "number": "Moderate"}, "success"),
}


def ways_of(project: Project, game: str, most: int = 2000) -> tuple[Any, Any, dict[str, Any], Branch]:
    name, given, _ = ROLLS[game]
    system = open_pack(project, game).system
    procedure = engine_of(system).procedures[name]
    arguments = procedure.arguments(plain_words(given), Play(system, Scripted(())))
    policy = "wise" if "wise" in procedure.policies else ""
    return system, procedure, arguments, play_ways(system, procedure, arguments, policy=policy, most=most)


def leaves(branch: Branch, faces: tuple[int, ...] = (), told: tuple[str, ...] = ()) -> Any:
    """Each end of a tree that lists faces, with the faces that lead there and all that was told."""
    told += branch.lines
    if branch.question is None:
        yield faces, told, branch
        return
    assert branch.question.kind == "faces"
    for key, after in branch.answers.items():
        yield from leaves(after, (*faces, *map(int, key.split("."))), told)


@pytest.mark.parametrize("game", ROLLS)
def test_a_result_is_as_likely_as_the_odds_say(project: Project, game: str) -> None:
    of = ROLLS[game][2]
    system, procedure, arguments, root = ways_of(project, game)
    policy = "wise" if "wise" in procedure.policies else ""
    exact = exact_odds(system, procedure, arguments, of=of, policy=policy).chance(True)
    assert abs(root.chance(of) - exact) < Fraction(1, 500)  # paths of endless dice that are too rare are left open
    if game != "diecodes":
        assert root.chance(of) == exact


@pytest.mark.parametrize("game", ["gamers", "tsgs", "genesix"])
def test_every_path_is_told_as_the_engine_tells_it_at_the_table(project: Project, game: str) -> None:
    system, procedure, arguments, root = ways_of(project, game)
    found = list(leaves(root))
    assert len(found) > 20
    for faces, told, end in found:
        log, dice = list[str](), Scripted(faces)
        policy = "wise" if "wise" in procedure.policies else ""
        outcome = procedure.run(Play(system, dice, rulings=rulings_of(system), log=log, policy=policy), arguments)
        dice.finish()
        assert (tuple(log), as_data(outcome)) == (told, as_data(end.outcome))


def test_faces_are_told_apart_by_order_only_where_it_counts(project: Project) -> None:
    _, _, _, root = ways_of(project, "gamers")
    assert root.question is not None
    assert not root.question.ordered
    assert len(root.answers) == 21
    assert root.answers["6.6"].question is not None  # a triumph threatens, and is confirmed by another roll
    assert root.answers["6.6"].lines[-1] != root.answers["6.5"].lines[-1]


def test_a_rule_with_too_many_ways_says_so(project: Project) -> None:
    with pytest.raises(TooManyWays):
        ways_of(project, "gamers", most=30)
