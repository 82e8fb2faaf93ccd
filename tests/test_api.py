"""The library as a program meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

import sheetgen


def test_every_public_name_is_there_and_says_what_it_gives() -> None:
    for name in sheetgen.__all__:
        assert getattr(sheetgen, name).__doc__


def test_roll_write_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    gamers = sheetgen.load("gamers")
    guards = sheetgen.roll(gamers, 3, seed=7, archetype="guard")
    assert sheetgen.write(gamers, guards, "guards.yaml").printed == 3
    assert sheetgen.write(gamers, guards, "guards.pdf").printed == 3
    assert sheetgen.write(gamers, guards, "cards.pdf", shape="card").printed == 3
    with pytest.raises(sheetgen.SheetgenError, match='unknown shape "crad"'):
        sheetgen.write(gamers, guards, "cards.pdf", shape="crad")
    assert list(sheetgen.read("guards.yaml").characters) == guards
    assert sheetgen.roll(gamers, 1, seed=7, first=2, archetype="guard") == guards[1:2]


def test_a_mistake_is_a_sheetgen_error() -> None:
    with pytest.raises(sheetgen.SheetgenError, match='unknown system "gamer"'):
        sheetgen.load("gamer")
