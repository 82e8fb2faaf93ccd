"""What is made is made again when a file of it changes; a result is shown in the viewer of the system."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer
from time import monotonic, sleep
from typing import Any

import pytest

from sheetgen.cli import options
from sheetgen.cli.verbs import results
from sheetgen.workspace.watching import after_change, states

Sheetgen = Callable[..., Any]
LETTER = "---\nstyle: letter\nfrom: Ada\n---\n{words}\n"
PATIENCE_S = 60
HOUSE = "[house.gamers]\nquickie.difficulty.trained = {}\n"


def changing(monkeypatch: pytest.MonkeyPatch, edits: Iterator[object]) -> None:
    """Have `--watch` wait for the next of these edits, and end with Ctrl-C behind the last."""

    def wait(files: object, before: object) -> object:
        if next(edits, "over") == "over":
            raise KeyboardInterrupt
        return before

    monkeypatch.setattr(options, "after_change", wait)


def test_a_handout_is_made_again_at_every_change_and_problems_are_told_and_cleared(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    letter, made, seen = tmp_path / "letter.md", tmp_path / "letter.pdf", list[bytes]()
    letter.write_text(LETTER.format(words="Come at nine."))
    words = (
        LETTER.format(words="Come at ten."),
        LETTER.replace("style: letter", "style: lettre"),
        LETTER.format(words="Stay."),
    )

    def edits() -> Iterator[None]:
        for text in words:
            seen.append(made.read_bytes())
            letter.write_text(text)
            yield None
        seen.append(made.read_bytes())

    changing(monkeypatch, edits())
    ran = sheetgen("handouts", "letter.md", "-o", "letter.pdf", "--watch")
    assert ran.code == 130
    assert len(set(seen)) == 3  # the mistake left the second one as it was
    assert seen[1] == seen[2]
    told = ran.err.splitlines()
    assert told.count("watching: change a file, or end with Ctrl-C") == 4
    assert [line for line in told if not line.startswith("watching")][-2] == "mended"
    assert 'unknown style "lettre"' in ran.err


def test_house_rules_that_change_are_followed(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def edits() -> Iterator[None]:
        first = (tmp_path / "help.html").read_text()
        assert "9‡" not in first
        (tmp_path / "sheetgen.toml").write_text(HOUSE.format(9))
        yield None
        assert "9‡" in (tmp_path / "help.html").read_text()

    changing(monkeypatch, edits())
    assert sheetgen("reference", "gamers", "-o", "help.html", "--watch").code == 130


def test_characters_are_exported_again(sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people, table = tmp_path / "people.yaml", tmp_path / "people.csv"
    people.write_text("system: gamers\ncharacters:\n- name: Ada Marsh\n")

    def edits() -> Iterator[None]:
        people.write_text("system: gamers\ncharacters:\n- name: Bo Lund\n")
        yield None
        assert "Bo Lund" in table.read_text()

    changing(monkeypatch, edits())
    assert sheetgen("export", "people.yaml", "-o", "people.csv", "--watch").code == 130


def test_a_change_is_waited_for_however_a_file_is_written(tmp_path: Path) -> None:
    file, folder = tmp_path / "a.yaml", tmp_path / "pack"
    folder.mkdir()
    file.write_text("one")

    def replaced() -> None:
        (tmp_path / "new").write_text("two")
        os.replace(tmp_path / "new", file)

    def deeper() -> None:
        (folder / "rules").mkdir()
        (folder / "rules" / "01.yaml").write_text("three")

    for change in (replaced, deeper, file.unlink):
        before = states([file, folder])
        timer = Timer(0.3, change)
        timer.start()
        now = after_change([file, folder], before)
        timer.join()
        assert now == states([file, folder]) != before


def test_the_real_program_watches_real_files_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    letter, made = tmp_path / "letter.md", tmp_path / "letter.pdf"
    letter.write_text(LETTER.format(words="Come at nine."))
    words = [sys.executable, "-m", "sheetgen", "handouts", "letter.md", "-o", "letter.pdf", "--watch"]
    running = subprocess.Popen(words, cwd=tmp_path, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        until(made.exists)
        first = made.read_bytes()
        letter.write_text(LETTER.format(words="Come at ten."))
        until(lambda: made.read_bytes() != first)
    finally:
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130
    assert "letter.pdf: letter" in out.decode()
    assert b"Traceback" not in err


def until(true: Callable[[], bool]) -> None:
    end = monotonic() + PATIENCE_S
    while not true():
        assert monotonic() < end, "nothing happened"
        sleep(0.05)


def test_the_newest_result_or_the_one_that_is_named_is_shown(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = list[str]()
    monkeypatch.setattr(results, "show", lambda path: shown.append(path.name))
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
