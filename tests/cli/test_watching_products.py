"""What is made is made again when a file of it changes; a result is shown in the viewer of the system."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.cli import product_verbs
from sheetgen.cli.verbs import open as opening

Sheetgen = Callable[..., Any]
LETTER = "---\nstyle: letter\nfrom: Ada\n---\n{words}\n"


def test_a_handout_is_made_again_at_every_change_and_problems_are_told_and_cleared(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    letter, made, seen = tmp_path / "letter.md", tmp_path / "letter.pdf", list[bytes]()
    letter.write_text(LETTER.format(words="Come at nine."))
    edits = iter(
        (
            LETTER.format(words="Come at ten."),
            LETTER.replace("style: letter", "style: lettre"),
            LETTER.format(words="Stay."),
        )
    )

    def change(files: object, before: object) -> object:
        seen.append(made.read_bytes())
        text = next(edits, None)
        if text is None:
            raise KeyboardInterrupt
        letter.write_text(text)
        return before

    monkeypatch.setattr(product_verbs, "after_change", change)
    ran = sheetgen("handouts", "letter.md", "-o", "letter.pdf", "--watch")
    assert ran.code == 130
    assert len(set(seen)) == 3  # the mistake left the second one as it was
    assert seen[1] == seen[2]
    assert 'unknown style "lettre"' in ran.err
    assert ran.err.count("watching:") == 4


def test_the_newest_result_or_the_one_that_is_named_is_shown(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = list[str]()
    monkeypatch.setattr(opening, "show", lambda path: shown.append(path.name))
    assert "no result" in sheetgen("open").err
    (tmp_path / "output").mkdir()
    for at, name in enumerate(("new.pdf", "old.pdf", "newest.yaml")):
        (tmp_path / "output" / name).write_bytes(b"")
        os.utime(tmp_path / "output" / name, (100, (200, 100, 300)[at]))
    assert sheetgen("open").code == 0
    assert sheetgen("open", "output/old.pdf").code == 0
    assert shown == ["new.pdf", "old.pdf"]
    assert sheetgen("open", "output/newest.yaml").code == 2
    assert "no such file" in sheetgen("open", "none.pdf").err
