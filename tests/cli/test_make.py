"""`sheetgen make`: answers on a terminal or from a pipe, a character and a sheet at the end, and nothing before it."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.workspace.manifest import Manifest

Sheetgen = Callable[..., Any]
Answer = Callable[..., None]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answer:
    """Puts lines on standard input, as a pipe or as a person at a terminal would."""

    def put(*lines: str, terminal: bool = False) -> None:
        stream = io.StringIO("".join(f"{line}\n" for line in lines))
        if terminal:
            stream.isatty = lambda: True  # type: ignore[method-assign]
        monkeypatch.setattr(sys, "stdin", stream)

    return put


ENTER = [""] * 40


def test_enter_all_the_way_makes_the_person_that_the_seed_rolls(
    sheetgen: Sheetgen, answers: Answer, tmp_path: Path
) -> None:
    answers(*ENTER)
    ran = sheetgen("make", "gamers", "--seed", "7")
    assert ran.code == 0
    assert ran.out == "output/gamers-Cansu-Ozkan.pdf: Cansu Özkan\noutput/gamers-Cansu-Ozkan.yaml: Cansu Özkan\n"
    assert sheetgen("npc", "gamers", "--seed", "7", "-o", "rolled.yaml").code == 0
    assert (tmp_path / "output" / "gamers-Cansu-Ozkan.yaml").read_bytes() == (tmp_path / "rolled.yaml").read_bytes()


def test_default_names_know_the_pack_that_they_are_made_from(
    sheetgen: Sheetgen, answers: Answer, tmp_path: Path
) -> None:
    """A pack of the same name somewhere else finds its names taken."""
    answers(*ENTER)
    sheetgen("make", "gamers", "--seed", "7")
    sheetgen("npc", "output/gamers-Cansu-Ozkan.yaml", "--reroll", "hook", "--seed", "1")
    sheetgen("sheet", "output/gamers-Cansu-Ozkan.yaml", "--as", "form")
    kept = Manifest(tmp_path / "output").entries()
    assert {entry.owner for entry in kept.values()} == {"gamers of sheetgen"}
    assert len(kept) == 5


@pytest.mark.parametrize("method", ["random", "arrange", "points"])
def test_what_is_made_by_choice_is_a_character_file_like_any_other(
    sheetgen: Sheetgen, answers: Answer, tmp_path: Path, method: str
) -> None:
    settled = ["scholar", "usual", "all", "6", "bought", "no", "", ""]
    attributes, features = "", ""
    answers(*settled, attributes, features, "none", "Fire 2, Sciences 4", "", "star counter", "Ada", *ENTER)
    assert sheetgen("make", "gamers", "--method", method, "-o", "ada.yaml", "-o", "ada.pdf").code == 0
    text = (tmp_path / "ada.yaml").read_text()
    assert "- name: Ada\n  occupation: star counter\n" in text
    assert "skills: {Fire: 2, Sciences: 4}" in text
    assert (tmp_path / "ada.pdf").read_bytes().startswith(b"%PDF")
    assert sheetgen("check", "ada.yaml").code == 0
    again = sheetgen("npc", "ada.yaml", "--reroll", "hook", "-o", "again.yaml")
    assert again.code == 0
    assert "- name: Ada\n  occupation: star counter\n" in (tmp_path / "again.yaml").read_text()


def test_a_person_who_quits_leaves_nothing_behind(sheetgen: Sheetgen, answers: Answer, tmp_path: Path) -> None:
    answers("", "quit", terminal=True)
    ran = sheetgen("make", "gamers")
    assert ran.code == 130
    assert ran.err.endswith("nothing was written\n")
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_that_ends_is_a_person_who_quits(sheetgen: Sheetgen, answers: Answer, tmp_path: Path) -> None:
    answers("", terminal=True)
    assert sheetgen("make", "gamers").code == 130
    assert list(tmp_path.iterdir()) == []


def test_answers_from_a_pipe_that_end_too_early_are_bad_input(
    sheetgen: Sheetgen, answers: Answer, tmp_path: Path
) -> None:
    answers("points")
    ran = sheetgen("make", "gamers")
    assert ran.code == 2
    assert ran.err.endswith("the answers end before “Archetype” is answered: nothing was written\n")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_leaves_nothing_behind(sheetgen: Sheetgen, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Hand:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Hand())
    assert sheetgen("make", "gamers").code == 130
    assert list(tmp_path.iterdir()) == []


def test_back_and_more_are_understood_everywhere(sheetgen: Sheetgen, answers: Answer, tmp_path: Path) -> None:
    answers("points", "guard", "?", "back", "scholar", "", "", "back method", "random", *ENTER)
    ran = sheetgen("make", "gamers", "--seed", "7", "-o", "a.yaml")
    assert ran.code == 0
    assert "method: random" in (tmp_path / "a.yaml").read_text()
    assert "archetype" not in (tmp_path / "a.yaml").read_text()


def test_the_rules_stand_beside_the_questions(sheetgen: Sheetgen, answers: Answer) -> None:
    answers("points", *[""] * 8, "Grit 13", "?")
    ran = sheetgen("make", "gamers", "--seed", "7")
    assert "Attributes bought [GAM-032]\n  Share the points among the six attributes" in ran.err
    assert "! Grit is D, but runs from 2 to C at the start [GAM-032]\n" in ran.err
    assert "45 points in all, one a level" in ran.err


def test_what_is_said_wrongly_on_the_command_line_is_told_before_any_question(
    sheetgen: Sheetgen, answers: Answer
) -> None:
    answers()
    ran = sheetgen("make", "gamers", "--method", "pionts")
    assert (ran.code, ran.err) == (2, 'unknown method "pionts" (did you mean "points"?)\n')


def test_a_result_goes_to_standard_output_and_the_talk_does_not(sheetgen: Sheetgen, answers: Answer) -> None:
    answers(*ENTER)
    ran = sheetgen("make", "gamers", "--seed", "7", "-o", "-", "--to", "json", "--quiet")
    assert ran.code == 0
    assert ran.err == ""
    assert ran.out.startswith('{"system": "gamers"')
