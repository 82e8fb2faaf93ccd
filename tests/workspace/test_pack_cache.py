"""Packs that come with sheetgen are checked once and kept; nothing is read that somebody else could have written."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sheetgen.content.packs.folders import Library, find_packs
from sheetgen.workspace import packs
from sheetgen.workspace.pack_cache import FOLDER
from sheetgen.workspace.packs import LASTING, open_pack
from sheetgen.workspace.project import Project

Sheetgen = Callable[..., Any]


@pytest.fixture
def project(project: Project, tmp_path: Path) -> Project:
    """A project with a cache of its own, and a copy of one of our packs as all that ships with sheetgen."""
    content = tmp_path / "shipped" / "content"
    shutil.copytree(project.content / "genesix", content / "genesix", ignore=shutil.ignore_patterns("rules"))
    library = Library(find_packs([content]), project.shown)
    return replace(project, content=content, library=library, cache=tmp_path / "own-cache")


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders of the packs that were read and checked since the test began."""
    seen: list[Path] = []
    real = packs._examined

    def examined(folder: Path, library: Library) -> Any:
        seen.append(folder)
        return real(folder, library)

    monkeypatch.setattr(packs, "_examined", examined)
    return seen


def test_a_pack_is_read_once_and_the_same_ever_after(project: Project, readings: list[Path]) -> None:
    first, second = open_pack(project, "genesix"), open_pack(project, "genesix")
    assert len(readings) == 1
    assert first.system == second.system
    assert first.system.place == second.system.place


def test_a_pack_that_changed_is_read_again(project: Project, readings: list[Path]) -> None:
    open_pack(project, "genesix")
    manifest = project.content / "genesix" / "system.yaml"
    manifest.write_text(manifest.read_text().replace("title: ", "title: My ", 1))
    assert open_pack(project, "genesix").system.title.startswith("My ")
    assert len(readings) == 2


def test_what_was_worked_out_of_a_game_is_known_when_it_is_opened_again(project: Project) -> None:
    """As the odds of its charts; only what hangs on nothing but its files, and as long as these are what they were."""
    first = open_pack(project, "genesix")
    assert [first.cached(key, lambda: "first") for key in ((LASTING, "odds"), "pages")] == ["first", "first"]
    again = open_pack(project, "genesix")
    assert [again.cached(key, lambda: "again") for key in ((LASTING, "odds"), "pages")] == ["first", "again"]
    tables = project.content / "genesix" / "tables.yaml"
    tables.write_text(tables.read_text() + "# a remark\n")
    assert open_pack(project, "genesix").cached((LASTING, "odds"), lambda: "changed") == "changed"


def test_a_damaged_entry_is_no_entry(project: Project, readings: list[Path]) -> None:
    open_pack(project, "genesix")
    (entry,) = (project.cache / FOLDER).iterdir()
    for data in (b"", b"half", entry.read_bytes()[:-1]):
        entry.write_bytes(data)
        assert open_pack(project, "genesix").system.id == "genesix"
    assert len(readings) == 4


def test_an_entry_cannot_make_anything_run(project: Project, tmp_path: Path) -> None:
    open_pack(project, "genesix")
    (entry,) = (project.cache / FOLDER).iterdir()
    entry.write_bytes(b"cposix\nsystem\n(Vtouch " + str(tmp_path / "ran").encode() + b"\ntR.")
    assert open_pack(project, "genesix").system.id == "genesix"
    assert not (tmp_path / "ran").exists()


def test_a_folder_that_others_can_enter_is_neither_read_nor_written(project: Project, readings: list[Path]) -> None:
    open_pack(project, "genesix")
    folder = project.cache / FOLDER
    folder.chmod(0o755)
    open_pack(project, "genesix")
    assert len(readings) == 2
    folder.chmod(0o700)
    (entry,) = folder.iterdir()
    entry.unlink()
    folder.chmod(0o755)
    open_pack(project, "genesix")
    assert list(folder.iterdir()) == []


def test_a_strangers_pack_is_never_kept(sheetgen: Sheetgen, project: Project, tmp_path: Path) -> None:
    shutil.copytree(project.content / "genesix", tmp_path / "mine")
    assert not open_pack(project, "./mine").ours
    assert not (project.cache / FOLDER).exists()


def test_none_of_ours_is_kept_beside_a_strangers_pack_of_its_name(project: Project, tmp_path: Path) -> None:
    shutil.copytree(project.content / "genesix", tmp_path / "content" / "genesix")
    shadowed = replace(project, library=Library(find_packs([tmp_path / "content", project.content]), project.shown))
    assert open_pack(shadowed, str(project.content / "genesix")).system.id == "genesix"
    assert not (project.cache / FOLDER).exists()
