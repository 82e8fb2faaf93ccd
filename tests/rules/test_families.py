"""A pack without Python plays: it picks its mechanics by name, and they have odds like any other rule."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Asked = tuple[list[str], str, object, str]

PACK = """
id: mist
title: Mist
credit: Mist, by somebody
licence: CC0
traits: {{virtues: {{title: Virtues, range: 0-5, members: {{Hope: {{}}}}}}}}
play:
  {play}
"""


@pytest.fixture
def mist(tmp_path: Path) -> Callable[[str], None]:
    """A pack in the folder mist/ with one roll called `roll`."""

    def write(play: str) -> None:
        (tmp_path / "mist").mkdir(exist_ok=True)
        (tmp_path / "mist" / "system.yaml").write_text(PACK.format(play=f"roll: {{{play}}}").lstrip())

    return write


@pytest.mark.parametrize(
    ("play", "asked"),
    [
        ("family: sum against a target, dice: 2d6", (["target=8", "bonus=2"], "success", True, "13/18")),
        ("family: sum against a target, dice: 3d6kh2", (["target=12"], "success", True, "2/27")),
        ("family: sum of the kept dice, dice: 2d6", (["target=12", "advantage=1"], "success", True, "2/27")),
        ("family: sum of the kept dice, dice: 2d6", (["target=12", "advantage=-1"], "success", True, "1/216")),
        ("family: count successes, from: 5", (["dice=5", "needed=2"], "successes", 0, "32/243")),
        ("family: count successes, sides: 10, from: 8", (["dice=2"], "success", True, "51/100")),
        ("family: die codes", (["code=2d+1", "target=12"], "success", True, "1/12")),
        ("family: die codes, wild: yes", (["code=1d", "target=7"], "success", False, "5/6")),
        ("family: critical number", (["number=4"], "success", True, "1/2")),
        ("family: critical number", (["number=4", "help=4"], "success", True, "1")),
    ],
)
def test_a_family_has_exact_odds(
    mist: Callable[[str], None], sheetgen: Callable[..., Any], play: str, asked: Asked
) -> None:
    given, of, value, chance = asked
    mist(play)
    ran = sheetgen("odds", "./mist", "roll", *given, "--of", of, "--json")
    assert ran.err == ""
    told = json.loads(ran.out)
    assert {entry["value"]: entry["p"] for entry in told["odds"]}[value] == chance


@pytest.mark.parametrize(
    ("play", "line"),
    [
        (
            "family: sum against the target, dice: 2d6",
            'mist/system.yaml:7:18: play roll: unknown family "sum against the target" '
            '(did you mean "sum against a target"?)',
        ),
        (
            "family: roll above, dice: 1d20",
            'unknown family "roll above" (did you mean "roll under"?)',
        ),
        ("family: sum against a target, dice: 2d", 'play roll: "2d" does not say how many sides: write 2d6'),
        ("family: count successes, from: 7", "play roll: a die with 6 sides cannot succeed from 7 on"),
        ("family: critical number, dices: 2", 'play roll: unknown key "dices"'),
    ],
)
def test_a_family_that_does_not_hold_is_told_at_its_place(
    mist: Callable[[str], None], sheetgen: Callable[..., Any], play: str, line: str
) -> None:
    mist(play)
    ran = sheetgen("check", "./mist")
    assert ran.code == 1
    assert line in ran.err
    assert ran.err.count("\n") == 1


def test_play_lists_explains_and_plays(mist: Callable[[str], None], sheetgen: Callable[..., Any]) -> None:
    mist("family: sum against a target, dice: 2d6, say: try something")
    assert sheetgen("play", "./mist").out == "roll  try something\n"
    explained = sheetgen("play", "./mist", "roll", "--help").out
    assert "  target           a whole number from -99 to 99\n" in explained
    assert "(default 0)" in explained
    played = sheetgen("play", "./mist", "roll", "target=8", "bonus=2", "--dice", "4,3")
    assert "2d6: 7 + 2 = 9, against 8: success by 1" in played.out
    told = json.loads(sheetgen("play", "./mist", "roll", "target=8", "--dice", "4 3", "--json").out)
    assert told["outcome"] == {"total": 7, "success": False, "margin": -1}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["rol", "target=8"], 'unknown procedure "rol" (did you mean "roll"?)'),
        (["roll", "target=two"], 'roll: target: takes a whole number from -99 to 99, not "two"'),
        (["roll", "tarket=8"], 'roll: tarket: is not a parameter (did you mean "target"?)'),
        (["roll"], "roll: target: is missing"),
        (["roll", "target"], '"target" is not NAME=VALUE'),
        (["roll", "target=8", "target=9"], "target is given twice"),
        (["roll", "target=8", "--dice", "4"], "not enough dice: roll takes 2, 1 left"),
        (["roll", "target=8", "--dice", "4,3,2"], "dice left over: 2"),
        (["roll", "target=8", "--dice", "4,x"], '--dice takes faces such as 4,3, or ask; not "x"'),
        (["roll", "target=[8"], "target: "),
        (["roll", "target=@people.yaml:Ada"], "target: Mist does not say what a character fills in here"),
    ],
)
def test_a_wrong_word_gets_one_line(
    mist: Callable[[str], None], sheetgen: Callable[..., Any], words: list[str], line: str
) -> None:
    mist("family: sum against a target, dice: 2d6")
    ran = sheetgen("play", "./mist", *words)
    assert ran.code == 2
    assert ran.err.startswith(line)
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "play",
    [
        "family: critical number, sides: 0",
        "family: die codes, sides: 1",
        "family: count successes, sides: 101, from: 5",
    ],
)
def test_dice_that_cannot_be_are_told_by_check(
    mist: Callable[[str], None], sheetgen: Callable[..., Any], play: str
) -> None:
    mist(play)
    ran = sheetgen("check", "./mist")
    assert ran.code == 1
    assert "play roll: a die has 2 to 100 sides" in ran.err


def test_too_many_paths_are_refused_with_a_way_out(mist: Callable[[str], None], sheetgen: Callable[..., Any]) -> None:
    mist("family: sum against a target, dice: 9d20kh3")
    ran = sheetgen("odds", "./mist", "roll", "target=50", "--of", "success")
    assert ran.code == 3
    assert "roll: success can come about in too many ways" in ran.err
    assert "--samples" in ran.err
    sampled = sheetgen("odds", "./mist", "roll", "target=50", "--of", "success", "--samples", "500")
    assert "standard error at most" in sampled.out


def test_odds_make_a_chart(mist: Callable[[str], None], sheetgen: Callable[..., Any], tmp_path: Path) -> None:
    mist("family: sum against a target, dice: 2d6")
    assert sheetgen("odds", "./mist", "roll", "target=8", "--of", "total", "-o", "odds.svg").code == 0
    chart = (tmp_path / "odds.svg").read_text()
    assert chart.count("<rect") == 11
    assert ">16.7%<" in chart
