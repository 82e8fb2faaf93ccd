"""The tutorials of the manual, followed to the letter: each file is written, each command run, each output compared."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(yaml|markdown|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?:# |<!-- )([a-z]+/\S+)(?: -->)?\n")


@pytest.mark.parametrize(
    ("tutorial", "made"),
    [
        ("tutorial-dungeon.md", {"empty.pdf", "people.pdf", "cellar.pdf"}),
        ("tutorial-playbooks.md", {"empty.pdf", "regular.pdf", "people.pdf", "lastbus.pdf"}),
    ],
)
def test_a_tutorial_leads_from_nothing_to_a_booklet(
    sheetgen: Callable[..., Any], tmp_path: Path, tutorial: str, made: set[str]
) -> None:
    for kind, text in BLOCK.findall((DOCS / tutorial).read_text(encoding="utf-8")):
        if kind != "console":
            named = FILE.match(text)
            assert named is not None, text
            file = tmp_path / "content" / named[1]
            file.parent.mkdir(exist_ok=True)
            file.write_text(text[named.end() :] if kind == "markdown" else text, encoding="utf-8")
            continue
        for step in text.split("$ sheetgen ")[1:]:
            command, _, shown = step.partition("\n")
            ran = sheetgen(*shlex.split(command))
            assert (ran.code, ran.err) == (0, ""), command
            assert not shown or [line.split() for line in ran.out.splitlines()] == [
                line.split() for line in shown.splitlines()
            ], command
    pages = {path.name for path in tmp_path.glob("*.pdf")}
    assert pages == made | {"cards.pdf", "screen.pdf", "handouts.pdf"}
