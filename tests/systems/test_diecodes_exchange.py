"""Two fight by the rules of Die Codes: who lands the first blow, which reaction is thrown in, what a wound tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.dice.source import Scripted, Seeded
from sheetgen.model.system import System
from sheetgen.rules.procedures.parameters import plain_words
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.systems.diecodes.exchange import Opponent, best_reaction
from tests.reading import read_pack


@pytest.fixture(scope="module")
def system(library: Library) -> System:
    return read_pack(library.packs["diecodes"], library)


def fought(system: System, dice: Scripted | Seeded, log: list[str] | None = None, **given: Any) -> Any:
    engine = engine_of(system)
    play = Play(system, dice, rulings=rulings_of(system), log=log)
    procedure = engine.procedures["exchange"]
    return procedure.run(play, procedure.arguments(plain_words(given), play))


def many(system: System, **given: Any) -> Counter[str]:
    return Counter(fought(system, Seeded(f"fight {number}".encode()), **given).winner for number in range(300))


def test_the_better_code_lands_first_more_often(system: System) -> None:
    found = many(system, a={"code": "5d"}, b={"code": "3d"})
    assert found["a"] > 2 * found["b"]


def test_equals_have_equal_chances(system: System) -> None:
    found = many(system, a={"code": "4d"}, b={"code": "4d"})
    assert abs(found["a"] - found["b"]) < 50
    assert found["none"] > 0


def test_a_good_dodge_helps(system: System) -> None:
    bare = many(system, a={"code": "4d"}, b={"code": "4d"})
    nimble = many(system, a={"code": "4d"}, b={"code": "4d", "reactions": {"dodge": "6d"}})
    assert nimble["b"] > bare["b"] + 30


@pytest.mark.parametrize(
    ("attack", "reaction"),
    [("melee", "melee parry"), ("brawling", "melee parry"), ("blaster", "dodge"), ("throwing", "dodge")],
)
def test_the_best_reaction_that_meets_the_attack_is_thrown_in(system: System, attack: str, reaction: str) -> None:
    """No parry turns a shot: house default, after what DIE-221 says of each."""
    defender = Opponent("3d", reactions={"dodge": "3d", "melee parry": "4d+1", "brawling parry": "4d"})
    found = best_reaction(Play(system, Scripted(())), defender, attack)
    assert found is not None
    assert found.name == reaction


def test_whoever_has_no_reaction_throws_none_in(system: System) -> None:
    table = Play(system, Scripted(()))
    assert best_reaction(table, Opponent("3d"), "melee") is None
    assert best_reaction(table, Opponent("3d", reactions={"melee parry": "5d"}), "blaster") is None


def test_both_may_share_a_name(system: System) -> None:
    log: list[str] = []
    fought(system, Seeded(b"twins"), log, a={"who": "Ada", "code": "4d"}, b={"who": "Ada", "code": "4d"})
    assert "Ada (a) and Ada (b) with 2d [DIE-206]" in log


def test_a_fight_that_nobody_can_win_ends(system: System) -> None:
    """With no dice left on either side (DIE-Q1), the rounds run out."""
    outcome = fought(system, Scripted(()), a={"code": "none"}, b={"code": "none"})
    assert (outcome.winner, outcome.rounds) == ("none", 100)
    assert fought(system, Scripted(()), a={"code": "none"}, b={"code": "none"}, rounds=3).rounds == 3


def test_somebody_wounded_before_the_fight_rolls_a_die_less(system: System) -> None:
    """DIE-062: 3d against 2d, the wounded side with no dice over."""
    dice = Scripted([1, 1, 2, 3, 4])
    outcome = fought(system, dice, a={"code": "3d"}, b={"code": "3d", "wounded": True})
    dice.finish()
    assert outcome.winner == "b"


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"a": {"code": "3d", "skill": "blaster"}, "b": {"code": "3d"}}, "DIE-028"),
        ({"a": {"code": "3d"}, "b": {"code": "3d", "reactions": {"lookout": "5d"}}}, "DIE-069"),
    ],
)
def test_what_is_refused(system: System, given: dict[str, Any], rule: str) -> None:
    with pytest.raises(Refused) as refusal:
        fought(system, Scripted(()), **given)
    assert refusal.value.rule == rule


def test_archetypes_fight_from_the_command_line(sheetgen: Callable[..., Any]) -> None:
    ran = sheetgen("duel", "diecodes", "guard", "ruin hound", "-n", "50", "--quiet")
    assert ran.code == 0
    ran = sheetgen("duel", "diecodes", "outrider", "raider", "-n", "50", "--given", "number=Long", "--given", "blows=2")
    assert "outrider against raider, 50 times" in ran.out
