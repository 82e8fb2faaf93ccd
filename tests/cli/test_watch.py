"""`check --watch`: a pack is checked again whenever one of its files changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from sheetgen.workspace.watching import states


class Ran(Protocol):
    """How a run of the command line ended."""

    code: int
    out: str
    err: str


def test_a_changed_file_is_checked_again_until_ctrl_c(
    sheetgen: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sheetgen("new", "mist", "-o", "mist").code == 0
    sheet = tmp_path / "mist" / "sheet.yaml"
    right = sheet.read_text()

    def edits() -> Iterator[None]:
        sheet.write_text(right.replace("show: abilities", "show: abilites"))
        yield None
        sheet.write_text(right)
        yield None
        raise KeyboardInterrupt

    at = edits()
    monkeypatch.setattr("sheetgen.cli.options.after_change", lambda files, before: next(at))
    ran = sheetgen("check", "./mist", "--watch")
    assert ran.code == 130
    assert ran.out.count("mist: ok") == 2
    assert ran.err.count('unknown field "abilites" (did you mean "abilities"?)') == 1
    assert ran.err.count("watching: change a file, or end with Ctrl-C") == 3


def test_hidden_files_and_results_are_not_watched(tmp_path: Path) -> None:
    for name in ("a.yaml", "sub/b.yaml", ".git/c", "output/d.pdf", ".hidden"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert {Path(path).name for path, _, _ in states([tmp_path])} == {"a.yaml", "b.yaml"}
    assert states([tmp_path / "gone"]) == frozenset()
