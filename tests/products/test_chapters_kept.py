"""Chapters of a pack that stays open: after an edit nothing else is read or drawn again, and every mistake is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from sheetgen.content.book import chapters as reader
from sheetgen.errors import InputError
from sheetgen.products import chapters
from sheetgen.products.chapter_files import has_rule_with
from sheetgen.products.chapters import open_book
from sheetgen.workspace.packs import OpenedPacks
from sheetgen.workspace.project import Project

GAMERS = Path(__file__).resolve().parents[2] / "content" / "gamers"


@pytest.fixture(name="rules")
def of_a_copy(project: Project) -> Path:
    return Path(copytree(GAMERS, project.where / "content" / "edited")) / "rules"


@pytest.fixture(name="counted")
def of_calls(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[object]]:
    def counted(module: Any, name: str, says: Callable[..., object]) -> list[object]:
        found, made = list[object](), getattr(module, name)

        def call(*given: Any, **more: Any) -> Any:
            found.append(says(*given))
            return made(*given, **more)

        monkeypatch.setattr(module, name, call)
        return found

    return counted


def test_after_an_edit_only_that_chapter_is_read_again_and_no_figure_of_before_is_drawn(
    project: Project, rules: Path, counted: Callable[..., list[object]]
) -> None:
    opened = OpenedPacks()
    first = open_book(project, opened.pack(project, "content/edited")).book
    read = counted(reader, "parse", lambda data, shown: Path(shown).name)
    drawn = [*map(counted, (chapters, chapters), ("draw_figure", "random_table"), (lambda *all: all,) * 2)]
    edited = rules / "03-the-roll.yaml"
    edited.write_text(f"# a remark above all\n{edited.read_text()}")
    second = open_book(project, opened.pack(project, "content/edited")).book
    assert (read, drawn) == ([edited.name], [[], []])
    assert second.rules.keys() == first.rules.keys()
    at = {name: rule.place.line for name, rule in first.rules.items()}
    moved = {name for name, rule in second.rules.items() if rule.place.line == at[name] + 1}
    assert moved == {name for name, rule in first.rules.items() if Path(rule.place.file).name == edited.name} != set()


def test_a_mistake_is_told_again_and_again_until_it_is_mended(project: Project, rules: Path) -> None:
    opened, edited = OpenedPacks(), rules / "03-the-roll.yaml"
    open_book(project, opened.pack(project, "content/edited"))
    words = edited.read_text()
    for wrong in ("naem: x\n", "glossary: {a: '{no.such}'}\n"):
        edited.write_text(f"{words}{wrong}")
        for _ in range(2):
            with pytest.raises(InputError, match=edited.name):
                open_book(project, opened.pack(project, "content/edited"))
    edited.write_text(f"{words}# mended\n")
    open_book(project, opened.pack(project, "content/edited"))


def test_what_rules_have_is_looked_up_in_the_changed_chapter_alone(project: Project, rules: Path) -> None:
    opened, edited, kept = OpenedPacks(), rules / "03-the-roll.yaml", project.cache / "rules"
    assert has_rule_with(project, opened.pack(project, "content/edited"), "card")
    before = set(kept.iterdir())
    edited.write_text(edited.read_text().replace("card:", "screen:"))
    assert has_rule_with(project, opened.pack(project, "content/edited"), "card"), "of other chapters"
    (new,) = set(kept.iterdir()) - before
    assert "screen" in new.read_text().split()
    assert "card" not in new.read_text().split()
