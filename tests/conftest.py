"""What many tests need: the packs that come with sheetgen, a project in an empty folder, and the command line."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from sheetgen.cli import main
from sheetgen.content.folders import Library, find_packs
from sheetgen.content.library import read_pack
from sheetgen.model.system import System
from sheetgen.recipes.project import Project, project_at

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def library() -> Library:
    """The packs of the checkout, shown by paths relative to it."""
    content = ROOT / "content"
    return Library(find_packs([content]), lambda path: path.relative_to(ROOT).as_posix())


@pytest.fixture(scope="session")
def gamers(library: Library) -> System:
    """GAMERS, read and checked."""
    return read_pack(ROOT / "content" / "gamers", library)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests, so that each form is compiled once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def own_world(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the cache or the fonts of the machine it runs on."""
    monkeypatch.setenv("SHEETGEN_CACHE", str(cache))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The project as seen from an empty folder."""
    return project_at(tmp_path, os.environ)


@dataclass(frozen=True)
class Ran:
    """How a run of the command line ended, and what it said."""

    code: int
    out: str
    err: str


@pytest.fixture
def sheetgen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """The command line, run in an empty folder: `sheetgen("npc", "gamers").code`."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Ran:
        code = main(words)
        said = capfd.readouterr()
        return Ran(code, said.out, said.err)

    return run
