"""How strong opponents are made: each level beats the one below it, keeps the rules, and is told by its word."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import sheetgen
from sheetgen.errors import UsageError
from sheetgen.people.character_files import problems_of
from sheetgen.rules.procedures.play import Refused
from sheetgen.table.duel import duel
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

LEVELS = ("weak", "average", "able", "strong", "boss")
STEPS = [(LEVELS[at + 1], LEVELS[at]) for at in range(len(LEVELS) - 1)]
FIGHTERS = {"gamers": "guard", "tsgs": "soldier", "diecodes": "raider", "genesix": "scholar"}
SYSTEMS = (*FIGHTERS, "sixshooter")
PAIRS, FIGHTS, LEAD, BOSS = 6, 120, 1.3, 0.9


def _wins(system: str, first: str, second: str) -> tuple[int, int]:
    """How many of all fights each side wins; several pairs of people fight, for one may have drawn the better sword."""
    project, wins = project_at(Path.cwd(), {}), [0, 0]
    for seed in range(11, 11 + PAIRS):
        fought = duel(
            *(project, open_pack(project, system), (first, second)),
            using=("", ""),
            given={},
            count=FIGHTS // PAIRS,
            seed=seed,
        )
        wins = [before + won for before, won in zip(wins, fought.wins, strict=True)]
    return wins[0], wins[1]


@pytest.mark.parametrize("system", FIGHTERS)
@pytest.mark.parametrize(("better", "worse"), STEPS)
def test_each_level_beats_the_one_below_it(system: str, better: str, worse: str) -> None:
    wins, losses = _wins(system, f"{better} {FIGHTERS[system]}", f"{worse} {FIGHTERS[system]}")
    assert wins > LEAD * losses


def test_each_level_of_six_shooter_is_a_harder_challenge_for_an_operator() -> None:
    won = [_wins("sixshooter", "guard", f"{level} guard")[0] for level in LEVELS[1:]]
    assert all(before > LEAD * after for before, after in pairwise(won[1:]))
    assert won[0] > won[1]
    assert won[-1] < FIGHTS // 6


def test_two_opponents_of_six_shooter_do_not_roll_against_each_other() -> None:
    with pytest.raises(Refused, match="one of the two must be an Operator"):
        _wins("sixshooter", "boss guard", "weak guard")


@pytest.mark.parametrize(
    ("system", "boss", "other"),
    [
        ("gamers", "boss boss", "villager"),
        ("tsgs", "boss boss", "average merchant"),
        ("diecodes", "boss raider", "average settler"),
        ("genesix", "boss boss", "average scholar"),
    ],
)
def test_a_boss_beats_ordinary_people_nearly_always(system: str, boss: str, other: str) -> None:
    wins, losses = _wins(system, boss, other)
    assert wins > BOSS * (wins + losses)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("level", LEVELS)
def test_people_of_a_level_keep_the_rules(system: str, level: str) -> None:
    pack = sheetgen.load(system)
    for archetype in ("", *[each.name for each in pack.system.cast.archetypes.values()][::3]):
        people = sheetgen.roll(pack, 4, seed=5, archetype=archetype, options={"level": level})
        assert problems_of(pack.system, people) == ()


def test_a_level_that_a_game_lacks_is_refused_with_those_it_has() -> None:
    with pytest.raises(UsageError, match='GAMERS has no level "huge"; it has weak, average, able, strong, boss'):
        sheetgen.roll("gamers", seed=1, options={"level": "huge"})


def test_a_level_does_not_go_with_another_method_than_its_own() -> None:
    with pytest.raises(UsageError, match="level weak is made by the method points, not by random"):
        sheetgen.roll("gamers", seed=1, method="random", options={"level": "weak"})
