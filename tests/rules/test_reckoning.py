"""Procedures that roll nothing, said in YAML: what each operation comes to, and what is told of a wrong one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PACK = """\
id: mist
title: Mist
credit: Mist, by somebody
licence: CC0
traits:
  virtues: {{title: Virtues, range: 0-F, notation: hex, members: {{Hope: {{hint: in the dark}}, Wit: {{}}}}}}
values:
  price: {{boat: 30, horse: 12.5, song: 0}}
  kinds: {{boat: water, horse: land}}
  limits: [2, 4, 8]
play:
  value:
    family: reckoning
    say: what it comes to
    takes:
      n: {{is: 0 to 99, default: 7}}
      d: {{is: decimal, default: 2.5}}
      maybe: {{is: 0 to 9, default: null}}
      open: {{is: yes or no, default: yes}}
      thing: {{named in: price, default: boat}}
      way: {{one of: [by land, by sea], default: by sea}}
      virtue: {{member of: virtues, default: Hope}}
      levels: {{levels of: virtues, default: {{Hope: 12, Wit: 3}}}}
      numbers: {{list of: 0 to 99, default: [5, 1, 5]}}
    results:
      got: {formula}
    tells: ['{{got}} of {{n}}']
"""
TABLES = """\
tables:
  moods: {title: Moods, over: 0-9, rows: {0-4: {word: low, more: 1}, 5-9: {word: high, more: 2}}}
"""


@pytest.fixture
def mist(tmp_path: Path) -> Callable[..., None]:
    """A pack in the folder mist/ whose procedure `value` works out one formula."""

    def write(formula: str, *changes: tuple[str, str]) -> None:
        pack = PACK.format(formula=formula)
        for old, new in changes:
            assert old in pack
            pack = pack.replace(old, new)
        (tmp_path / "mist").mkdir(exist_ok=True)
        (tmp_path / "mist" / "system.yaml").write_text(pack)
        (tmp_path / "mist" / "tables.yaml").write_text(TABLES)

    return write


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("n", 7),
        ("price.boat", 30),
        ("'price.{thing}'", 30),
        ("{look up: 'kinds.{thing}', else: {say: air}}", "water"),
        ("{row: moods, at: n, column: word}", "high"),
        ("{sum: [{row: moods, at: n, column: more}, {row: moods, at: 0, column: more}]}", 3),
        ("{trait: virtue, its: hint}", "in the dark"),
        ("{written: 12, as: virtues}", "C"),
        ("{sum: [n, numbers, levels]}", 33),
        ("{sum: [n, d]}", 9.5),
        ("{difference: [n, 1, 10]}", -4),
        ("{times: [n, n]}", 49),
        ("{divide: n, by: 2}", 3.5),
        ("{divide: n, by: 2, round: half up}", 4),
        ("{divide: n, by: 2, round: half down}", 3),
        ("{divide: n, by: 3, round: up}", 3),
        ("{divide: n, by: 3, round: down}", 2),
        ("{divide: -7, by: 2, round: half up}", -3),
        ("{least: [n, numbers]}", 1),
        ("{most: [n, numbers, limits]}", 8),
        ("{count: numbers}", 3),
        ("{at least: [n, 7, 3]}", True),
        ("{more than: [n, 7]}", False),
        ("{more than: [maybe, 0]}", False),
        ("{is: [way, by sea]}", True),
        ("{among: 5, in: numbers}", True),
        ("{same: [numbers, {list: [1, 5, 5]}]}", True),
        ("{all: [open, {is: [n, 7]}]}", True),
        ("{any: [{each: numbers, give: {is: [each, 1]}}]}", True),
        ("{not: open}", False),
        ("{given: maybe}", False),
        ("{given: maybe, else: 4}", 4),
        ("{if: open, then: n, else: 0}", 7),
        ("{if: open, say: 'all {n:+}', otherwise: none}", "all +7"),
        ("{case: way, of: {by land: 1, by sea: 2}}", 2),
        ("{list: [n, numbers]}", [7, 5, 1, 5]),
        ("{each: levels, where: {at least: [each, 4]}, give: name}", ["Hope"]),
        ("{each: levels, give: {sum: [each, 1]}, by name: yes}", {"Hope": 13, "Wit": 4}),
        ("{join: numbers, with: ' + ', empty: nothing}", "5 + 1 + 5"),
        ("{sorted: numbers}", [1, 5, 5]),
        ("{set: numbers}", [1, 5]),
    ],
)
def test_an_operation_comes_to(
    mist: Callable[..., None], sheetgen: Callable[..., Any], formula: str, value: object
) -> None:
    mist(formula)
    ran = sheetgen("play", "./mist", "value", "--json")
    assert ran.err == ""
    assert json.loads(ran.out)["outcome"] == {"got": value}


def test_what_comes_of_something_absent_is_absent(mist: Callable[..., None], sheetgen: Callable[..., Any]) -> None:
    mist("{sum: [n, maybe]}")
    assert json.loads(sheetgen("play", "./mist", "value", "--json").out)["outcome"] == {}
    assert json.loads(sheetgen("play", "./mist", "value", "maybe=2", "--json").out)["outcome"] == {"got": 9}


@pytest.mark.parametrize(
    ("formula", "line"),
    [
        ("{summ: [n, 1]}", 'mist/system.yaml:26:13: unknown key "summ" in formula (did you mean "sum"?)'),
        ("Foggy", "; a word of its own is {say: …})"),
        ("{sum: [m, 1]}", 'mist/system.yaml:26:19: play value: unknown name "m" (there are n, d, maybe,'),
        ("{sum: [n, way]}", "mist/system.yaml:26:22: play value: takes numbers, not text"),
        ("{divide: n}", 'mist/system.yaml:26:21: "divide" needs "by"'),
        ("{count: n, by: 2}", 'mist/system.yaml:26:27: "by" does not go with "count"'),
        ("{by: 2}", "mist/system.yaml:26:12: a formula needs an operation (one of: if, say, look up,"),
        ("{divide: n, by: 2, round: halfup}", 'unknown round "halfup" (did you mean "half up"?)'),
        ("price.bote", 'play value: values: price.bote is missing (did you mean "boat"?)'),
        ("'price.{way}'", "play value: values: price.by land is missing"),
        ("'price.{n}'", 'play value: "n" in "price.{n}" must be a word from a list that is known'),
        ("{row: mood, at: n}", 'mist/system.yaml:26:18: play value: unknown table "mood" (did you mean "moods"?)'),
        ("{row: moods, at: n, column: wort}", 'table moods has no column "wort" (did you mean "word"?)'),
        ("{is: [way, by see]}", 'unknown word "by see" (did you mean "by sea"?)'),
        ("{case: way, of: {by air: 1}}", 'unknown word "by air"'),
        ("{if: n, then: 1}", "play value: takes yes or no, not number"),
        ("{if: open, then: 1, else: way}", "play value: is now a number, now a text"),
        ("{say: 'for {m}'}", 'play value: unknown name "m"'),
        (
            "{each: numbers, give: {sum: {each: numbers, give: {sum: {each: numbers}}}}}",
            'play value: "each" stands within "each" no more than once',
        ),
    ],
)
def test_a_wrong_formula_is_told_at_its_place(
    mist: Callable[..., None], sheetgen: Callable[..., Any], formula: str, line: str
) -> None:
    mist(formula)
    ran = sheetgen("check", "./mist")
    assert ran.code == 1
    assert line in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("is: 0 to 99", "is: 0 upto 99", 'unknown kind of parameter "0 upto 99"'),
        ("default: 7", "default: seven", 'play value: default: n: takes a whole number from 0 to 99, not "seven"'),
        ("named in: price", "named in: prices", "play value: values: prices is missing"),
        ("member of: virtues", "member of: virtue", 'unknown trait group "virtue" (did you mean "virtues"?)'),
        ("      got:", "      way:", None),
        ("    results:", "    first: {n: 1}\n    results:", 'play value: the name "n" stands twice'),
    ],
)
def test_a_wrong_parameter_is_told(
    mist: Callable[..., None], sheetgen: Callable[..., Any], old: str, new: str, line: str | None
) -> None:
    mist("n", (old, new), *([("{got}", "{way}")] if line is None else []))
    ran = sheetgen("check", "./mist")
    assert ran.err.count("\n") == (line is not None)
    assert line is None or line in ran.err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["n=100"], "value: n: takes a whole number from 0 to 99, not 100"),
        (["virtue=Hop"], 'virtue: unknown name "Hop" (did you mean "Hope"?)'),
        (["levels={Wif: 1}"], 'levels: unknown name "Wif" (did you mean "Wit"?)'),
        (["n=0"], "nothing can be divided by 0"),
    ],
)
def test_a_wrong_value_gets_one_line(
    mist: Callable[..., None], sheetgen: Callable[..., Any], words: list[str], line: str
) -> None:
    mist("{divide: 1, by: n}")
    ran = sheetgen("play", "./mist", "value", *words)
    assert ran.code != 0
    assert ran.err.startswith(line)
    assert ran.err.count("\n") == 1


def test_numbers_do_not_grow_without_end(mist: Callable[..., None], sheetgen: Callable[..., Any]) -> None:
    mist("{times: [999999, 999999, 999999, 999999, 999999]}")
    assert sheetgen("play", "./mist", "value").err.startswith("the numbers grow past 1,000,000,000,000,000")
