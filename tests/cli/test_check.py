"""`check` shows every problem, however many; the same one in several places of a file is one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.cli.verbs.check import grouped
from sheetgen.content.yaml.decoder import Problems
from sheetgen.errors import InputError, Place, Problem

Sheetgen = Callable[..., Any]


def test_the_same_problem_in_one_file_is_one_line_with_its_places() -> None:
    wrong = [Problem(Place("npcs.yaml", line, 3), 'unknown skill "Sord"') for line in (9, 4, 7)]
    other = Problem(Place("npcs.yaml", 5, 1), "no row for 8")
    assert grouped([*wrong, other]) == [
        'npcs.yaml:4:3: unknown skill "Sord" (also in lines 7, 9)',
        "npcs.yaml:5:1: no row for 8",
    ]


def test_what_stands_in_dozens_of_places_names_the_first_of_them() -> None:
    wrong = [Problem(Place("npcs.yaml", line, 3), "empty") for line in range(1, 40)]
    assert grouped(wrong) == ["npcs.yaml:1:3: empty (also in lines 2, 3, 4, 5, 6, 7, 8, 9 and 30 more)"]


def test_a_hundred_problems_are_a_hundred_lines() -> None:
    lines = grouped(Problem(Place("npcs.yaml", line, 1), f"wrong {line}") for line in range(1, 101))
    assert lines[-1] == "npcs.yaml:100:1: wrong 100"
    assert len(lines) == 100


def test_problems_after_which_reading_stopped_are_no_count_of_all() -> None:
    def read() -> None:
        problems = Problems()
        for line in range(1, 10_000):
            problems.add(Place("people.yaml", line, 1), f"wrong {line}")

    with pytest.raises(InputError) as caught:
        read()
    assert str(caught.value).endswith("\nand at least 480 more")
    assert grouped(caught.value.problems, stopped=caught.value.stopped)[-2:] == [
        "people.yaml:500:1: wrong 500",
        "and maybe more: after so many problems, nothing is read further",
    ]
    assert str(InputError(caught.value.problems)).endswith("\nand 480 more")


def test_warnings_are_told_to_programs_too(sheetgen: Sheetgen, tmp_path: Path) -> None:
    sheetgen("new", "mist")
    chapter = tmp_path / "content" / "mist" / "rules" / "01-the-roll.yaml"
    chapter.write_text(chapter.read_text("utf-8").replace("opening: >-\n", "opening: >-\n  Run.[^a]\n", 1), "utf-8")
    ran = sheetgen("check", "mist", "--json")
    assert (ran.code, json.loads(ran.out)) == (0, [])
    (warning,) = json.loads(ran.err)["warnings"]
    assert warning["message"].startswith('"[^a]" prints as typed')
    assert warning["file"] == "content/mist/rules/01-the-roll.yaml"


def test_a_refusal_is_one_line_of_json_on_standard_error_for_programs(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text("system: gamers\nwings: 2\nfins: 2\n", encoding="utf-8")
    for words, code, message in (
        (("sheet", "two.yaml"), 2, 'two.yaml:2:1: unknown key "wings"'),
        (("npc", "gamers", "--archetype", "bandti"), 2, 'unknown archetype "bandti" (did you mean "bandit"?)'),
        (("npc", "gamers", "-n", "0"), 2, "sheetgen npc: -n/--count: takes a whole number"),
        (("npc", "gamers", "-o", "/proc/no/x.pdf"), 4, 'cannot write "/proc/no/x.pdf": '),
    ):
        ran = sheetgen(*words, "--json")
        assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1)
        told = json.loads(ran.err)
        assert told["error"].startswith(message)
        assert told["exit"] == code
        assert [problem["line"] for problem in told.get("problems", ())] == ([2, 3] if words[0] == "sheet" else [])
