"""What a verb loads before it does anything: a warm cache makes the slow libraries unneeded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SLOW = {"weasyprint", "pikepdf", "jinja2", "fontTools", "importlib.metadata", "urllib.request", "pypdfium2", "PIL"}


def loaded(words: str, where: Path, cache: Path) -> set[str]:
    """The modules that a run loads."""
    program = f"""
import contextlib, io, sys
from sheetgen.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    code = main({words.split()!r})
print(code, *sys.modules)
"""
    environ = {**os.environ, "SHEETGEN_CACHE": str(cache)}
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, cwd=where, env=environ, capture_output=True, text=True, check=True)
    code, *modules = ended.stdout.split()
    assert code == "0"
    return set(modules)


@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "systems",
        "systems gamers --json",
        "npc gamers --seed 7 -o x.yaml",
        "npc gamers --seed 7 -o x.pdf",
        "play gamers check skill=2 difficulty=8 --seed 7",
    ],
)
def test_a_warm_cache_makes_slow_libraries_unneeded(tmp_path: Path, cache: Path, words: str) -> None:
    loaded(words, tmp_path, cache)
    assert SLOW & loaded(words, tmp_path, cache) == set()


@pytest.mark.parametrize(
    ("game", "procedures"), [("gamers", "conflict"), ("sixshooter", "showdown"), ("genesix", "combat")]
)
def test_rolling_people_loads_no_rules_of_play(tmp_path: Path, cache: Path, game: str, procedures: str) -> None:
    played = f"sheetgen.systems.{game}.{procedures}"
    assert played not in loaded(f"npc {game} --seed 7 -o x.yaml", tmp_path, cache)
    assert played in loaded(f"systems {game} --json", tmp_path, tmp_path / "cold")
