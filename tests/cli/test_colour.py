"""Colour: on a terminal that wants it, and nowhere else."""

from __future__ import annotations

import io

import pytest

from sheetgen.cli.terminal import problem_line

LINE = "heroes.yaml:12:24: Strength is 19 [GAM-016]"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("line", "painted"),
    [
        (LINE, "\x1b[1mheroes.yaml:12:24:\x1b[0m Strength is 19\x1b[2m [GAM-016]\x1b[0m"),
        ("a.xlsx:Sheet1!C7: is empty", "\x1b[1ma.xlsx:Sheet1!C7:\x1b[0m is empty"),
        ("--only: nobody is called so", "--only: nobody is called so"),
    ],
)
def test_the_place_of_a_problem_stands_out(monkeypatch: pytest.MonkeyPatch, line: str, painted: str) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert problem_line(line, Terminal()) == painted


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_who_does_not_want_it_gets_none(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(name, value)
    assert problem_line(LINE, Terminal()) == LINE
    assert problem_line(LINE, io.StringIO()) == LINE
