"""`sheetgen completion`: what Tab offers in a shell."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
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


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("sheetgen du", ["duel\ttwo characters fight again and again: who wins, at what cost"]),
        ("sheetgen npc gam", ["gamers"]),
        ("sheetgen roll gamers --arch", ["--archetype"]),
        ("sheetgen book gamers --arch", []),
    ],
)
@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not here")
def test_fish_completes_verbs_systems_and_options(sheetgen: Sheetgen, words: str, offered: list[str]) -> None:
    script = sheetgen("completion", "fish").out
    ran = subprocess.run(["fish", "-c", f"{script}\ncomplete -C '{words}'"], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == offered


@pytest.mark.parametrize("autoloaded", [True, False])
@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not here")
def test_zsh_completes_verbs_systems_and_options_at_the_first_tab(
    sheetgen: Sheetgen, tmp_path: Path, autoloaded: bool
) -> None:
    (tmp_path / "_sheetgen").write_text(sheetgen("completion", "zsh").out)
    found = f"fpath=({tmp_path} $fpath); " if autoloaded else ""
    read_in = "" if autoloaded else f"; source {tmp_path}/_sheetgen"
    setup = f"{found}autoload -U compinit; compinit -D -u{read_in}; sheetgen() {{ print -r -- GOT: $* }}\n"
    typed = ["sheetgen du\t\n", "sheetgen npc gam\t\n", "sheetgen roll gamers --arch\t\n"]
    environ = {**os.environ, "TERM": "dumb", "ZDOTDIR": str(tmp_path)}
    pid, terminal = pty.fork()
    if not pid:
        os.execvpe("zsh", ["zsh", "-f", "-i"], environ)
    said = ""
    with os.fdopen(terminal, "r+b", buffering=0) as zsh:
        for words, expected in zip((setup, *typed), ("", "duel", "npc gamers", "roll gamers --archetype"), strict=True):
            zsh.write(words.encode())
            while expected and not re.search(rf"^GOT: {expected} *\r$", said, re.MULTILINE):
                assert select.select([zsh], [], [], 20)[0], said
                said += zsh.read(65536).decode()
        zsh.write(b"exit\n")
    os.waitpid(pid, 0)


def test_an_unknown_shell_is_refused(sheetgen: Sheetgen) -> None:
    assert sheetgen("completion", "tcsh").code == 2
