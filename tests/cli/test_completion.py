"""`sheetgen completion`: what Tab offers in a shell."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

Sheetgen = Callable[..., Any]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("sheetgen du", ["duel"]),
        ("sheetgen npc gam", ["gamers"]),
        ("sheetgen npc gamers --arch", ["--archetype"]),
        ("sheetgen odds gamers check --sam", ["--samples"]),
        ("sheetgen book gamers --arch", []),
    ],
)
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_bash_completes_verbs_systems_and_options(sheetgen: Sheetgen, words: str, offered: list[str]) -> None:
    script = sheetgen("completion", "bash").out
    ask = f'COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _sheetgen; echo "${{COMPREPLY[@]}}"'
    ran = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == offered


def test_other_shells_get_the_same_in_their_own_words(sheetgen: Sheetgen) -> None:
    assert sheetgen("completion", "zsh").out.startswith("#compdef sheetgen\n")
    fish = sheetgen("completion", "fish").out.splitlines()
    assert "complete -c sheetgen -n '__fish_seen_subcommand_from npc' -l archetype" in fish
    assert any(
        line.endswith("-a duel -d 'two characters fight again and again: who wins, at what cost'") for line in fish
    )
    assert sheetgen("completion", "tcsh").code == 2
