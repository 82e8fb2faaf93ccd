"""What a product is made from, and so whether anything changed."""

from __future__ import annotations

import importlib.metadata
import os
from dataclasses import replace
from pathlib import Path

import pytest

from sheetgen.services.build import RULE_TEXT
from sheetgen.workspace import manifest
from sheetgen.workspace.packs import open_pack, sources
from sheetgen.workspace.project import Project


def key(project: Project, folder: Path, told: list[str]) -> str:
    return manifest.source_key(project, (folder,), "a4", told.append)


@pytest.fixture(autouse=True)
def no_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(manifest, "PACKAGE", tmp_path / "nothing")


def test_what_a_file_says_and_what_it_is_called_count(project: Project, tmp_path: Path) -> None:
    told: list[str] = []
    keys = {key(project, tmp_path, told)}
    for name, text in (("a.yaml", "1"), ("a.yaml", "2"), ("b.css", "2")):
        (tmp_path / name).write_text(text)
        keys.add(key(project, tmp_path, told))
    assert (len(keys), told) == (4, [])


@pytest.mark.parametrize(
    "name", ["a.gif", "a.webp", "a.ttf", "a.otf", "a.woff", "a.woff2", "templates/plain", "notes.txt", "mod/x.toml"]
)
def test_every_file_counts(project: Project, tmp_path: Path, name: str) -> None:
    before = key(project, tmp_path, [])
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("1")
    assert key(project, tmp_path, []) != before


@pytest.mark.parametrize("name", [".hidden", ".git/x.yaml", "output/x.pdf", "__pycache__/x.pyc"])
def test_what_is_hidden_and_what_was_made_do_not_count(project: Project, tmp_path: Path, name: str) -> None:
    before = key(project, tmp_path, [])
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("1")
    assert key(project, tmp_path, []) == before


@pytest.mark.parametrize("library", ["jinja2", "markdown-it-py", "uharfbuzz", "pypdfium2", "weasyprint", "pillow"])
def test_another_version_of_a_library_is_another_key(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    before, real = key(project, tmp_path, []), importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "99" if name == library else real(name))
    manifest.versions.cache_clear()
    try:
        assert key(project, tmp_path, []) != before
    finally:
        manifest.versions.cache_clear()


@pytest.mark.parametrize("module", ["fen_engine.py", "fen_engine/__init__.py"])
def test_the_code_of_an_added_engine_counts(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    code, about = tmp_path / "site" / module, tmp_path / "site" / "fen-1.dist-info"
    for folder in (code.parent, about):
        folder.mkdir(parents=True, exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: fen\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[sheetgen.systems]\nfen = fen_engine\n")
    code.write_text("def register(engine): pass\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    pack = open_pack(project, "gamers")
    pack = replace(pack, system=replace(pack.system, engine="fen"))

    def made_of() -> str:
        return manifest.source_key(project, sources(project, pack), "a4", lambda line: None)

    before = made_of()
    assert made_of() == before
    code.write_text("def register(engine): engine.steps.clear()\n")
    assert made_of() != before


def test_rule_text_shapes_no_sheet(project: Project, tmp_path: Path) -> None:
    def keys() -> list[str]:
        return manifest.source_keys(project, (tmp_path,), "a4", lambda line: None, [(), RULE_TEXT])

    (tmp_path / "rules").mkdir()
    before = keys()
    (tmp_path / "rules" / "01-a.yaml").write_text("title: A")
    after = keys()
    assert (before[0] != after[0], before[1] == after[1]) == (True, True)
    (tmp_path / "system.yaml").write_text("id: a")
    assert all(new != old for new, old in zip(keys(), after, strict=True))


def test_pipes_devices_and_circles_are_passed_by(project: Project, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "endless.yaml").symlink_to("/dev/zero")
    (tmp_path / "circle").symlink_to(tmp_path)
    assert key(project, tmp_path, []) == key(project, tmp_path, [])


def test_a_file_that_is_too_large_is_told_and_not_read(project: Project, tmp_path: Path) -> None:
    told: list[str] = []
    with (tmp_path / "large.yaml").open("wb") as file:
        file.truncate(manifest.LARGEST_SOURCE + 1)
    first = key(project, tmp_path, told)
    assert told == ["large.yaml: has 20,971,521 bytes; the most is 20,971,520: not looked at"]
    os.truncate(tmp_path / "large.yaml", manifest.LARGEST_SOURCE + 2)
    assert key(project, tmp_path, told) != first


def test_a_cached_page_is_made_again_after_any_module_of_ours_changed(tmp_path: Path) -> None:
    stamps = []
    for name, text in (("flow.py", "x = 1"), ("flow.py", "x = 10"), ("more.py", "")):
        (tmp_path / name).write_text(text)
        manifest.code_stamp.cache_clear()
        stamps.append(manifest.code_stamp(tmp_path))
    assert len(set(stamps)) == 3
    assert manifest.code_stamp(tmp_path) == stamps[-1]
