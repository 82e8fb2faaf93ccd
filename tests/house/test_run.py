"""`./run` makes its .venv once, believes in no half-made one and passes words on as they are."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ["run", "pyproject.toml", "requirements.lock", "requirements-dev.lock"]
STRAW_PYTHON = """#!/bin/sh
case "$1 $2" in
"-m venv")
    mkdir -p "$3/bin"
    cp "$0" "$3/bin/python"
    printf '#!/bin/sh\\nprintf "%%s\\\\n" "$PWD" "$@"\\n' >"$3/bin/sheetgen"
    chmod +x "$3/bin/sheetgen"
    ;;
"-m pip")
    echo "$*" >>"$STRAW_LOG"
    [ ! -e "$STRAW_LOG.fail" ]
    ;;
esac
"""


class House:
    """A copy of the files that `./run` reads, beside a Python that only notes what it is asked to install."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "a house"
        self.root.mkdir()
        for name in FILES:
            shutil.copy(ROOT / name, self.root)
        self.log = folder / "log"
        python = folder / "python"
        python.write_text(STRAW_PYTHON)
        python.chmod(0o755)
        self.environment = {**os.environ, "SHEETGEN_PYTHON": str(python), "STRAW_LOG": str(self.log)}

    def run(self, *words: str, folder: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        """What `./run WORDS` prints, called from a folder."""
        return subprocess.run(
            [self.root / "run", *words],
            cwd=folder or self.root,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def installs(self) -> int:
        """How often a lock or the project was installed so far."""
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_words_and_folder_reach_sheetgen_as_they_were_given(house: House, tmp_path: Path) -> None:
    words = ["npc", "a b", "", "*", "--", "$HOME", "it's"]
    result = house.run(*words, folder=tmp_path)
    assert result.stdout.splitlines() == [str(tmp_path), *words]
    assert result.returncode == 0


def test_the_second_run_installs_nothing_and_says_nothing(house: House) -> None:
    house.run("systems")
    installs = house.installs()
    again = house.run("systems")
    assert installs == 2, "the lock, and the project itself"
    assert (house.installs(), again.stderr) == (installs, "")


@pytest.mark.parametrize("name", FILES[1:])
def test_a_changed_lock_or_project_is_installed_anew(house: House, name: str) -> None:
    house.run("systems")
    installs = house.installs()
    with (house.root / name).open("a") as file:
        file.write("# changed\n")
    house.run("systems")
    assert house.installs() > installs


def test_a_house_that_moved_makes_a_new_venv(house: House, tmp_path: Path) -> None:
    house.run("systems")
    installs = house.installs()
    house.root = house.root.rename(tmp_path / "elsewhere")
    house.run("systems")
    assert house.installs() > installs


def test_an_install_that_failed_is_tried_again(house: House) -> None:
    failing = house.log.with_name("log.fail")
    failing.touch()
    failed = house.run("systems")
    assert (failed.returncode, failed.stdout) == (1, "")
    failing.unlink()
    assert house.run("systems").stdout.splitlines()[1:] == ["systems"]


def test_packages_are_installed_by_hash(house: House) -> None:
    house.run("systems")
    lock, project = house.log.read_text().splitlines()
    assert "--require-hashes" in lock
    assert "--no-deps" in project


def test_a_python_that_will_not_do_is_named_in_one_line(house: House) -> None:
    result = house.run("systems", SHEETGEN_PYTHON="false")
    assert result.returncode == 1
    assert result.stderr == "run: $SHEETGEN_PYTHON is false: not a Python 3.11 or later\n"


def test_it_is_plain_shell() -> None:
    for shell in ["sh", *(["dash"] if shutil.which("dash") else [])]:
        subprocess.run([shell, "-n", ROOT / "run"], check=True)
    assert os.access(ROOT / "run", os.X_OK)
