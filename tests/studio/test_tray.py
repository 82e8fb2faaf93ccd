"""The file of a tray: nobody is lost between two windows, and what is not of ours reads as nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sheetgen.studio.tray import Tray

FILE = Path(".sheetgen") / "tray.json"


def test_windows_that_tick_at_once_lose_nobody(tmp_path: Path) -> None:
    tray = Tray(tmp_path, FILE, 400)
    with ThreadPoolExecutor(8) as windows:
        list(windows.map(lambda number: tray.change(lambda there: [*there, f"{number}"]), range(40)))
    assert sorted(map(int, tray.names())) == list(range(40))


def test_the_first_are_let_go_when_it_is_full(tmp_path: Path) -> None:
    tray = Tray(tmp_path, FILE, 2)
    for name in "abc":
        tray.change(lambda there, name=name: [*there, name])
    assert tray.names() == ["b", "c"]


@pytest.mark.parametrize("text", ["", "{", "{}", "7", "[1, null]", '"abc"'])
def test_what_is_not_of_ours_reads_as_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    assert Tray(tmp_path, FILE, 9).names() == []
