"""What a product is made from, and so whether anything changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sheetgen.services.build import RULE_TEXT
from sheetgen.workspace import build_key as ingredients
from sheetgen.workspace.project import Project


def key(project: Project, folder: Path, told: list[str]) -> str:
    return ingredients.source_key(project, (folder,), "a4", told.append)


@pytest.fixture(autouse=True)
def no_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ingredients, "PACKAGE", tmp_path / "nothing")


def test_what_a_file_says_and_what_it_is_called_count(project: Project, tmp_path: Path) -> None:
    told: list[str] = []
    keys = {key(project, tmp_path, told)}
    for name, text in (("a.yaml", "1"), ("a.yaml", "2"), ("b.css", "2")):
        (tmp_path / name).write_text(text)
        keys.add(key(project, tmp_path, told))
    assert (len(keys), told) == (4, [])
    (tmp_path / "picture.xcf").write_text("not looked at")
    assert key(project, tmp_path, told) in keys


def test_rule_text_shapes_no_sheet(project: Project, tmp_path: Path) -> None:
    def keys() -> tuple[str, str]:
        everything = ingredients.source_key(project, (tmp_path,), "a4", lambda line: None)
        return everything, ingredients.source_key(project, (tmp_path,), "a4", lambda line: None, without=RULE_TEXT)

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
        file.truncate(ingredients.LARGEST_SOURCE + 1)
    first = key(project, tmp_path, told)
    assert told == ["large.yaml: has 20,971,521 bytes; the most is 20,971,520: not looked at"]
    os.truncate(tmp_path / "large.yaml", ingredients.LARGEST_SOURCE + 2)
    assert key(project, tmp_path, told) != first
