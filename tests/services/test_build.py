"""`build` makes everything it can, loses nothing of anybody's, and says what it could not make."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.errors import LimitError

Sheetgen = Callable[..., Any]


@pytest.fixture
def mist(sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small pack of the user's own without its rule text, so that it is built soon; its people in one shape."""
    monkeypatch.setattr("sheetgen.products.people.npc.SHAPES", ("npc",))
    assert sheetgen("new", "mist").code == 0
    folder = tmp_path / "content" / "mist"
    shutil.rmtree(folder / "rules")
    (folder / "screen.yaml").unlink()
    (folder / "examples.yaml").unlink()
    return folder


def replace_names(folder: Path, given: str) -> None:
    """Gives everybody whom the pack can roll the same given name."""
    npcs = folder / "npcs.yaml"
    lines = npcs.read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  given:"))
    lines[at] = f"  given: [{given}]"
    npcs.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_product_that_fails_is_told_and_the_others_are_made(
    sheetgen: Sheetgen, mist: Path, tmp_path: Path, workers: str
) -> None:
    replace_names(mist, "春香")  # which no bundled font has
    ran = sheetgen("build", "mist", "--workers", workers)
    assert ran.code == 1
    assert "output/mist-sample.pdf: not made: nobody could be printed, so nothing was written" in ran.err
    assert "output/mist-blank.pdf: made" in ran.out
    assert "output/mist-sample.yaml: made" in ran.out  # which comes after it
    assert not (tmp_path / "output" / "mist-sample.pdf").exists()


def test_people_who_cannot_be_rolled_do_not_keep_the_rest_from_being_made(
    sheetgen: Sheetgen, mist: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*run: object) -> None:
        raise LimitError("stopped, since it takes more than 5 s of computing")

    monkeypatch.setattr("sheetgen.products.people.npc.check_run", stopped)
    ran = sheetgen("build", "mist")
    assert ran.code == 1
    assert "output/mist-npc.pdf: not made: stopped, since it takes more than 5 s of computing" in ran.err
    assert "output/mist-blank.pdf: made" in ran.out


def test_a_pack_that_cannot_be_read_is_told_and_the_others_are_built(
    sheetgen: Sheetgen, mist: Path, tmp_path: Path
) -> None:
    shutil.copytree(mist, tmp_path / "content" / "broken")
    (tmp_path / "content" / "broken" / "sheet.yaml").write_text("character: 1\n")
    ran = sheetgen("build", "broken", "mist")
    assert ran.code == 1
    assert 'content/broken/sheet.yaml:1:12: character is "1", not a mapping' in ran.err
    assert "output/mist-blank.pdf: made" in ran.out


def test_what_a_person_edited_or_put_there_stays(sheetgen: Sheetgen, mist: Path, tmp_path: Path) -> None:
    output = tmp_path / "output"
    output.mkdir()
    (output / "mist-blank.pdf").write_bytes(b"my own")
    first = sheetgen("build", "mist")
    assert first.code == 0
    assert "output/mist-blank.pdf was changed since, or is not from here: it stays" in first.err
    assert "output/mist-blank-2.pdf: made" in first.out
    with (output / "mist-sample.yaml").open("a") as file:
        file.write("# mine\n")
    edited = (output / "mist-sample.yaml").read_bytes()
    second = sheetgen("build", "mist")
    assert second.out.startswith("output/mist-sample-2.yaml: made\n")
    assert (output / "mist-sample.yaml").read_bytes() == edited
    assert (output / "mist-blank.pdf").read_bytes() == b"my own"
    third = sheetgen("build", "mist", "--json")
    assert "written" not in json.loads(third.out)


def test_two_packs_with_one_id_never_write_over_each_other(sheetgen: Sheetgen, mist: Path, tmp_path: Path) -> None:
    shutil.copytree(mist, tmp_path / "content" / "twin")
    told = "content/twin/system.yaml: the id mist is also that of content/mist (change one of them)\n"
    checked = sheetgen("check", "mist", "twin")
    assert (checked.code, checked.err) == (1, told)
    built = sheetgen("build", "mist", "twin")
    assert built.code == 1
    assert told in built.err
    assert sheetgen("npc", "mist", "--seed", "1").code == 0
    assert "the new name is mist-npcs-2" in sheetgen("npc", "twin", "--seed", "2").out
    assert sheetgen("npc", "mist", "--seed", "3").out.startswith("output/mist-npcs.pdf: 1 person of Mist")


def test_a_folder_that_cannot_be_written_is_told_before_any_work(
    sheetgen: Sheetgen, mist: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "output").write_text("a file")
    monkeypatch.setattr("sheetgen.services.build.open_pack", None)
    ran = sheetgen("build", "mist")
    assert (ran.code, ran.out) == (4, "")
    assert ran.err == 'cannot write "output": a file stands where its folder would have to be\n'


def processes_in(folder: Path) -> list[int]:
    """The other processes that work in a folder."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        if int(each.name) == os.getpid():
            continue
        try:
            if (each / "cwd").resolve() == folder and "Z" not in (each / "stat").read_text().rpartition(")")[2][:3]:
                found.append(int(each.name))
        except OSError:
            continue
    return found


def wait_until(what: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="processes are counted in /proc")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_a_build_that_is_stopped_stops_all_that_it_started_and_sweeps_up(mist: Path, tmp_path: Path, name: str) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environ = {**os.environ, "TMPDIR": str(temporary), "SHEETGEN_CACHE": str(tmp_path / "cold")}
    command = [sys.executable, "-m", "sheetgen", "build", "mist", "--workers", "2"]
    with subprocess.Popen(command, cwd=tmp_path, env=environ, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: len(processes_in(tmp_path)) >= 4)  # two workers, and a confined child of one of them
        process.send_signal(signal.Signals[name])
        said = process.communicate(timeout=60)[1]
    wait_until(lambda: not processes_in(tmp_path))
    if name == "SIGKILL":  # nothing can be done any more but what the next run does
        assert subprocess.run([*command[:3], "check", "mist"], cwd=tmp_path, env=environ, check=False).returncode == 0
    else:
        assert (process.returncode, said.splitlines()[-1][:8]) == (130, "stopped;")
    assert list(temporary.glob("sheetgen-*")) == []
