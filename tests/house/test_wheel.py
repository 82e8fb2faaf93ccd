"""A wheel carries everything: code, packs and templates work in an empty folder, far from any checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def call(*words: str | Path, folder: Path) -> str:
    """What a command prints; it sees neither the checkout on its path nor the user's cache."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["XDG_CACHE_HOME"] = str(folder.parent / "cache")
    result = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    call(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, folder=ROOT)
    [path] = folder.glob("sheetgen-*.whl")
    return path


@pytest.fixture(scope="module")
def venv(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel in it, and a view of the libraries that are installed here."""
    venv = tmp_path_factory.mktemp("away") / "venv"
    call(sys.executable, "-m", "venv", "--without-pip", venv, folder=venv.parent)
    python = venv / "bin" / "python"
    call(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, folder=venv)
    [packages] = venv.glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return venv


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def test_it_holds_every_pack_and_template(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    for folder in ["content", "templates"]:
        files = [path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.is_file()]
        assert files, f"{folder}/ is empty"
        assert [str(path) for path in files if f"sheetgen/_data/{path.as_posix()}" not in inside] == []


def test_it_holds_nothing_else(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert tops == {"sheetgen", wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info"}


def test_the_code_comes_from_the_wheel(venv: Path, empty: Path) -> None:
    where = call(venv / "bin" / "python", "-c", "import sheetgen.cli; print(sheetgen.cli.__file__)", folder=empty)
    assert Path(where.strip()).is_relative_to(venv)


def test_it_rolls_and_prints_a_character(venv: Path, empty: Path) -> None:
    call(venv / "bin" / "sheetgen", "npc", "gamers", "--seed", "7", "-o", "X.pdf", folder=empty)
    assert (empty / "X.pdf").read_bytes().startswith(b"%PDF")
    assert [path.name for path in empty.iterdir()] == ["X.pdf"]


def test_its_packs_pass_their_own_check(venv: Path, empty: Path) -> None:
    call(venv / "bin" / "sheetgen", "check", folder=empty)
