"""`check` tells what may not be meant as it is written, and does not take long over files that are all wrong."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Sheetgen = Callable[..., Any]

LOST = '"#7" and what follows is a comment, and the text ends before it (put all of it in quotes)'


def test_a_name_that_a_comment_cuts_off_is_noted(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("system: gamers\nname: Agent #7\n")
    checked = sheetgen("check", "a.yaml")
    assert (checked.code, checked.err) == (0, f"warning: a.yaml:2:13: {LOST}\n")
    printed = sheetgen("sheet", "a.yaml", "-o", "a.json")
    assert (printed.code, printed.err) == (0, f"a.yaml:2:13: {LOST}\n")


def test_a_pack_with_such_a_text_is_checked_with_a_warning(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("new", "mist").code == 0
    npcs = tmp_path / "content" / "mist" / "npcs.yaml"
    npcs.write_text(npcs.read_text().replace("  - speaks to dogs first", "  - speaks to dog #7 first"))
    checked = sheetgen("check", "mist")
    assert checked.code == 0
    assert LOST in checked.err


def test_our_own_packs_have_none(sheetgen: Sheetgen) -> None:
    assert "#" not in sheetgen("check", "gamers").err


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("- name: A\n" * 1_000_000, "more than 1,250,000 values in one file"),
        ("".join(f"- nmae: {number}\n" for number in range(100_000)), 'unknown key "nmae"'),
    ],
    ids=["many people", "many mistakes"],
)
def test_a_huge_file_is_refused_in_little_memory_and_time(tmp_path: Path, lines: str, told: str) -> None:
    (tmp_path / "huge.yaml").write_text(f"system: gamers\ncharacters:\n{lines}")
    program = """
import re, resource, sys
from sheetgen.cli import main
code = main(["check", "./huge.yaml"])
used = resource.getrusage(resource.RUSAGE_SELF)
# What getrusage tells of memory begins with the peak of whoever started the process.
peak = int(re.search("VmHWM:[^0-9]+([0-9]+)", open("/proc/self/status").read())[1])
print(code, peak < 500_000, used.ru_utime + used.ru_stime < 12)
"""
    words = [sys.executable, "-c", program]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert told in ended.stderr
    assert ended.stdout.split() == ["1", "True", "True"]
