"""Rules of a stranger's pack are played within limits: what takes too long is stopped and told."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.batch import sandbox
from sheetgen.batch.sandbox import Limits
from sheetgen.workspace import packs

Sheetgen = Callable[..., Any]
GAMERS = Path(__file__).resolve().parents[2] / "content" / "gamers"


@pytest.fixture
def confinements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done in a confined process since the test began, each by the name of its pack."""
    seen: list[str] = []

    def confined(work: Callable[[], object], *, what: str, **more: Any) -> object:
        seen.append(what)
        return sandbox.confined(work, what=what, **more)

    monkeypatch.setattr(packs, "confined", confined)
    return seen


@pytest.fixture
def mist(sheetgen: Sheetgen, tmp_path: Path) -> Path:
    assert sheetgen("new", "mist").code == 0
    return tmp_path / "content" / "mist"


PLAYED = [
    "play mist attempt target=10 --seed 7",
    "odds mist attempt target=10",
    "odds mist attempt target=10 --samples 500",
]


@pytest.mark.parametrize("words", PLAYED)
def test_a_strangers_rules_are_played_in_a_confined_process(
    sheetgen: Sheetgen, mist: Path, confinements: list[str], words: str
) -> None:
    ran = sheetgen(*words.split())
    assert (ran.code, ran.err) == (0, "")
    assert ran.out
    assert confinements == ["content/mist", "content/mist/system.yaml:1:1"]


@pytest.mark.parametrize("named", ["sheetgen.toml", "--packs"])
def test_a_pack_that_a_file_or_an_option_brings_in_sight_is_confined_too(
    sheetgen: Sheetgen, mist: Path, tmp_path: Path, confinements: list[str], named: str
) -> None:
    mist.parent.rename(tmp_path / "games")
    words = ["--packs", "games"] if named == "--packs" else []
    if not words:
        (tmp_path / named).write_text('packs = ["games"]\n')
    assert sheetgen("play", "mist", "attempt", "target=10", "--seed", "7", *words).err == ""
    assert sheetgen("npc", "mist", "-o", "x.yaml", *words).code == 0
    assert confinements[:3] == ["games/mist", "games/mist/system.yaml:1:1", "games/mist"]


def test_a_duel_of_a_strangers_pack_is_confined_and_comes_out_the_same(
    sheetgen: Sheetgen, tmp_path: Path, confinements: list[str]
) -> None:
    shutil.copytree(GAMERS, tmp_path / "copy" / "gamers")
    words = ["guard", "thief", "-n", "120", "--quiet", "--json"]
    ours = sheetgen("duel", "gamers", *words)
    assert not confinements
    strangers = sheetgen("duel", "./copy/gamers", *words)
    assert strangers.out == ours.out
    assert len(confinements) >= 3  # opened, and fought a hundred conflicts at a time


def test_rules_that_take_too_long_are_stopped(sheetgen: Sheetgen, mist: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = mist / "system.yaml"
    lines = manifest.read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  attempt:"))
    lines[at] = "  attempt: {family: sum against a target, dice: 100d1000}"
    manifest.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr("sheetgen.table.play.PUBLICATION", Limits(cpu_s=1))
    ran = sheetgen("odds", "mist", "attempt", "target=10", "--samples", "400000")
    assert ran.code == 3
    assert ran.err.startswith("content/mist/system.yaml:1:1: stopped, since it takes more than ")
