"""Encounters: one against one is a duel, fight by fight; several are counted, and the figures add up."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import sqrt
from typing import Any

import pytest

from sheetgen.model.character import Character
from sheetgen.rules.rolling import Roller
from sheetgen.table.duel import duel
from sheetgen.table.encounter import NEAR, encounter, give_or_take, proposals, troop_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

Sheetgen = Callable[..., Any]
SYSTEMS = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix")
FIGHTS = 60


@pytest.mark.parametrize("system", SYSTEMS)
def test_one_against_one_is_the_duel_fight_by_fight(project: Project, system: str) -> None:
    pack = open_pack(project, system)
    words = ("guard", "thief")
    alone = duel(project, pack, words, using=("", ""), given={}, count=FIGHTS, seed=3)
    troops = troop_of(project, pack, words[0], 3), troop_of(project, pack, words[1], 3)
    among = encounter(project, pack, troops, given={}, count=FIGHTS, seed=3)
    assert among.wins == alone.wins
    assert among.lengths == alone.lengths
    if alone.costs is not None and alone.unit == among.unit:
        assert [line.cost for line in among.lines] == pytest.approx(alone.costs)


@pytest.mark.parametrize("system", SYSTEMS)
def test_more_of_the_same_win_more_often_and_everything_adds_up(project: Project, system: str) -> None:
    pack = open_pack(project, system)

    def shares(many: str) -> tuple[float, float, float]:
        troops = troop_of(project, pack, many, 1), troop_of(project, pack, "2 guards", 1)
        tally = encounter(project, pack, troops, given={}, count=FIGHTS, seed=1)
        assert sum(tally.wins) + round(tally.shares[2] * FIGHTS) == FIGHTS == len(tally.lengths)
        for line in tally.lines:
            assert 0 <= line.fallen <= line.count
        assert tally.unhurt <= tally.shares[0]
        return tally.shares

    assert shares("1 guard")[0] < shares("2 guards")[0] < shares("4 guards")[0]


@pytest.mark.parametrize("system", SYSTEMS)
def test_two_sides_alike_win_equally_often_whichever_stands_first(project: Project, system: str) -> None:
    """By symmetry, whatever the rules of the game are."""
    pack, count = open_pack(project, system), 100
    troops = troop_of(project, pack, "2 guards", 9), troop_of(project, pack, "2 guards", 9)
    first, second = encounter(project, pack, troops, given={}, count=count, seed=9).wins
    assert abs(first - second) < 3 * sqrt(first + second)


def test_somebody_beaten_is_out_of_it_and_who_wins_is_not(project: Project) -> None:
    pack = open_pack(project, "tsgs")
    troops = troop_of(project, pack, "3 guards", 1), troop_of(project, pack, "1 zombie + 1 thief", 1)
    tally = encounter(project, pack, troops, given={}, count=FIGHTS, seed=1)
    assert [(line.side, line.label, line.count) for line in tally.lines] == [
        (0, "guards", 3),
        (1, "zombie", 1),
        (1, "thief", 1),
    ]
    beaten = sum(line.fallen for line in tally.lines if line.side == 1) / 2
    assert beaten >= tally.shares[0]  # whenever the guards win, both of the others are out


@pytest.mark.parametrize(("share", "count", "half"), [(0.5, 100, 0.096), (0.0, 100, 0.018), (1.0, 1000, 0.0019)])
def test_error_bounds_are_those_of_wilson(share: float, count: int, half: float) -> None:
    assert give_or_take(share, count) == pytest.approx(half, abs=0.001)


def test_a_group_a_file_and_a_policy_fight_on_the_command_line(sheetgen: Sheetgen) -> None:
    assert sheetgen("npc", "gamers", "-n", "2", "--seed", "5", "-o", "party.yaml").code == 0
    words = ("encounter", "gamers", "@party.yaml", "the road gang", "-n", "10", "--policy", "all out")
    facts = json.loads(sheetgen(*words, "--json").out)
    assert facts["policy"] == "all out"
    assert sum(facts["wins"].values()) == 10
    assert [each["count"] for each in facts["lines"]] == [1, 1, 1, 5, 1]
    told = sheetgen(*words, "-o", "fight.svg").out
    assert "everybody strikes twice a round" in told
    assert "won by @party.yaml without a loss: " in told


def test_numbers_and_strengths_are_proposed_and_fought_out(sheetgen: Sheetgen) -> None:
    ran = sheetgen("encounter", "tsgs", "2 guards", "thief", "--for", "even", "-n", "60")
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert 1 <= len(lines) <= 3
    nearest = min(abs(int(line.partition("wins ")[2].partition("%")[0]) - 50) for line in lines)
    assert abs(int(lines[0].partition("wins ")[2].partition("%")[0]) - 50) == nearest < 25


def test_no_proposal_beside_the_best_is_far_from_what_was_asked_for(project: Project) -> None:
    pack = open_pack(project, "genesix")
    first = troop_of(project, pack, "2 guards", 5)
    found = proposals(project, pack, first, "guard", wanted="even", given={}, count=60, seed=5)
    shares = [each.tally.shares[0] for each in found]
    assert shares == sorted(shares, key=lambda each: abs(each - 0.5))
    assert all(abs(share - 0.5) <= NEAR for share in shares[1:])
    assert abs(shares[0] - 0.5) <= NEAR  # two against two of their own kind are there to be found


def test_proposals_tell_how_far_they_are_and_roll_nobody_twice(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack, rolled, told = open_pack(project, "tsgs"), list[tuple[Roller, int]](), list[tuple[int, int]]()
    roll = Roller.roll

    def counted(self: Roller, number: int) -> Character:
        rolled.append((self, number))
        return roll(self, number)

    monkeypatch.setattr(Roller, "roll", counted)
    first = troop_of(project, pack, "guard", 5)

    def progress(done: int, of: int) -> None:
        told.append((done, of))

    proposals(project, pack, first, "thief", wanted="hard", given={}, count=20, seed=5, progress=progress)
    assert told == [(done, 8) for done in range(1, 9)]
    assert len(rolled) == len(set(rolled)) > 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("slackwater", "2 guards", "guard"), "Slackwater does not say how several fight"),
        (("gamers", "3 outlwas", "guard"), 'nobody here is called "outlwas" (did you mean "outlaw"?)'),
        (("gamers", "99 guards", "guard"), "from 1 to 40 are taken"),
        (("gamers", "guard", "thief", "--policy", "wild"), "there are guarded, all out, aimed"),
        (("gamers", "@nobody.yaml", "guard"), "nobody.yaml"),
    ],
)
def test_what_cannot_fight_is_told(sheetgen: Sheetgen, words: tuple[str, ...], told: str) -> None:
    ran = sheetgen("encounter", *words)
    assert ran.code == 2
    assert told in ran.err
