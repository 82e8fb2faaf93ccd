"""What is told of long work while it goes on: to a person, to a program, to nobody."""

from __future__ import annotations

import json
import os
import pty
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import pytest

from sheetgen.cli.outputs import Progress
from sheetgen.cli.terminal import Heed, waiting


@pytest.fixture(autouse=True)
def a_tenth_of_a_second_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock goes on by a tenth of a second whenever somebody looks at it."""

    def ticks() -> Iterator[float]:
        tenths = 0
        while True:
            yield tenths / 10
            tenths += 1

    clock = ticks()
    monkeypatch.setattr("sheetgen.cli.outputs.time.monotonic", lambda: next(clock))


def test_nobody_is_told_who_has_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    shown = Progress(100, "sheets")
    for done in range(101):
        shown(done)
    assert capsys.readouterr() == ("", "")


def test_a_program_reads_two_lines_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    shown = Progress(100, "sheets", quiet=True, as_json=True)
    shown.output = "a-001.pdf"
    for done in range(1, 13):
        shown(done)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert lines == [
        {"done": 5, "of": 100, "rate": 10.0, "left_s": 9.5, "output": "a-001.pdf"},
        {"done": 10, "of": 100, "rate": 10.0, "left_s": 9.0, "output": "a-001.pdf"},
    ]


def test_a_person_sees_count_rate_time_left_and_output(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    shown = Progress(100, "sheets")
    shown.output = "a-001.pdf"
    count = shown.counting()
    count(50)
    shown.output = "a-002.pdf"
    count = shown.counting()
    count(10)
    count(50)
    first, second, last = capsys.readouterr().err.split("\r")[1:]
    assert first.startswith("█" * 12 + "░" * 12 + " 50/100 sheets, 500 a second, 0 s left, a-001.pdf")
    assert second.startswith("█" * 14 + "░" * 10 + " 60/100 sheets, 300 a second, 0 s left, a-002.pdf")
    assert len(last) == len(second) + 1
    assert last.rstrip() == "█" * 24 + " 100/100 sheets, 333 a second"


def test_a_bar_makes_room_for_what_is_said_and_leaves_no_half_behind(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Progress(100, "sheets") as shown:
        shown(50)
        drawn = len(capsys.readouterr().err) - 1
        shown.clear()
        assert capsys.readouterr().err == "\r" + " " * drawn + "\r"
        shown(51)
        assert " 51/100 sheets" in capsys.readouterr().err
    assert capsys.readouterr().err.endswith(" \r")


def test_a_bar_stays_on_its_line_and_short_work_has_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    shown = Progress(5000, "sheets")
    shown.output = "a-very-long-name-of-a-file-that-does-not-fit.pdf"
    shown(2500)
    assert len(capsys.readouterr().err) == 60  # the return to the beginning of the line, and 59 signs
    Progress(49, "sheets")(49)
    assert capsys.readouterr().err == ""


def test_a_person_sees_what_a_book_is_waiting_for(
    sheetgen: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sheetgen("new", "mist")
    assert "reading" not in sheetgen("book", "mist", "-o", "a.html").err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    told = sheetgen("book", "mist", "-o", "b.html").err
    assert told.split("\r")[1].startswith("making the rules of Mist …")
    assert told.endswith("\r")
    assert sheetgen("book", "mist", "-o", "c.html", "--json").err == ""
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_a_person_sees_what_is_being_made_and_a_refusal_on_a_line_of_its_own(
    sheetgen: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    told = sheetgen("blank", "gamers", "-o", "a.html").err
    assert told.split("\r")[1].startswith("making an empty sheet")
    assert told.endswith("\r")
    said = sheetgen("cards", "gamers", "--deck", "none", "-o", "a.pdf").err
    assert said.split("\r")[1].startswith("making reference cards and other decks …")
    assert said.split("\r")[-1].startswith("GAMERS has no deck")


def test_programs_are_told_how_to_print(sheetgen: Callable[..., Any]) -> None:
    sheetgen("new", "mist")
    how = "printed on both sides, turned over the long edge, at actual size (100 %)"
    for verb, sheets in (("book", "5 sheets"), ("blank", "1 sheet")):
        told = json.loads(sheetgen(verb, "mist", "-o", "x.pdf", "--json").out)["print"]
        assert told == [f"{sheets} of A4, {how}"]


@dataclass
class Terminal:
    """A stream that is a terminal, what it shows, and a clock that is put on by hand."""

    stream: TextIO
    leader: int
    clock: float = 0.0

    def after(self, seconds: float) -> str:
        """What is shown by the next look of the timer, so much later."""
        self.clock += seconds
        signal.raise_signal(signal.SIGALRM)
        return self.shown()

    def shown(self) -> str:
        with suppress(BlockingIOError):
            return os.read(self.leader, 10_000).decode()
        return ""


@pytest.fixture(name="terminal")
def a_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    monkeypatch.setattr("sheetgen.cli.terminal.SECOND", 3600.0)
    leader, follower = pty.openpty()
    os.set_blocking(leader, False)
    with os.fdopen(follower, "w", encoding="utf-8") as stream:
        terminal = Terminal(stream, leader)
        monkeypatch.setattr("sheetgen.cli.terminal.time.monotonic", lambda: terminal.clock)
        yield terminal
    os.close(leader)


def test_whoever_waits_at_a_terminal_sees_what_goes_on_and_other_output_takes_its_place(terminal: Terminal) -> None:
    heeds: list[Heed] = []
    with waiting(["check", "gamers"], terminal.stream, heeds.append):
        (heed,) = heeds
        assert terminal.after(3600) == "\rcheck … 3600 s"
        heed("gamers: ok\n")
        assert terminal.shown() == f"\r{'':<14}\r"
        assert terminal.after(1) == ""  # something was said just now
        assert terminal.after(3600) == "\rcheck … 7201 s"
        heed("███ 3/9")  # a bar, or a question
        assert terminal.shown() == f"\r{'':<14}\r"
        assert terminal.after(3600) == ""
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.parametrize("words", [["npc", "gamers", "--quiet"], ["npc", "gamers", "--json"], ["studio"], []])
def test_nobody_sees_it_who_asked_for_silence_or_is_waited_for(words: list[str], terminal: Terminal) -> None:
    before = signal.getsignal(signal.SIGALRM)
    with waiting(words, terminal.stream, lambda heed: None):
        assert signal.getsignal(signal.SIGALRM) is before
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
