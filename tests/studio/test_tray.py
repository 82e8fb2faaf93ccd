"""The file of a tray: nobody is lost between two windows, and what is not of ours reads as nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sheetgen.errors import UsageError
from sheetgen.studio.people.trays import Tray, print_tray, turn_in_print_tray
from tests.studio.conftest import Opened

FILE = Path(".sheetgen") / "tray.json"


def test_windows_that_tick_at_once_lose_nobody(tmp_path: Path) -> None:
    tray = Tray(tmp_path, FILE, 400)
    with ThreadPoolExecutor(8) as windows:
        list(windows.map(lambda number: tray.change(lambda there: [*there, f"{number}"]), range(40)))
    assert sorted(map(int, tray.names())) == list(range(40))


def test_a_full_tray_takes_no_more_and_loses_nothing(tmp_path: Path) -> None:
    tray = Tray(tmp_path, FILE, 2)
    tray.change(lambda there: ["a", "b"])
    with pytest.raises(UsageError, match="the tray is full: it takes 2"):
        tray.change(lambda there: [*there, "c"])
    assert tray.names() == ["a", "b"]
    tray.change(lambda there: ["b"])
    assert tray.names() == ["b"]


def test_the_page_tells_that_the_tray_is_full(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheetgen.studio.people.trays.MOST_ADDRESSES", 1)
    turn_in_print_tray(opened.studio, "/print/gamers/screen")
    answer = opened.browser.post("/print/tray", data={"item": "/print/gamers/book"})
    assert answer.status_code == 422
    assert "the tray is full" in answer.text
    assert print_tray(opened.studio) == ["/print/gamers/screen"]


@pytest.mark.parametrize("text", ["", "{", "{}", "7", "[1, null]", '"abc"'])
def test_what_is_not_of_ours_reads_as_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    assert Tray(tmp_path, FILE, 9).names() == []
