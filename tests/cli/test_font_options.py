"""`--font FILE` as a person uses it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest

Sheetgen = Callable[..., Any]
HERO = "system: gamers\nformat: 1\ncharacters:\n- name: 山田太郎\n- name: الباب\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, small_font: Callable[..., bytes]) -> None:
    (tmp_path / "small.ttf").write_bytes(small_font())
    (tmp_path / "shut.ttf").write_bytes(small_font("A", allowed=2))
    (tmp_path / "heroes.yaml").write_text(HERO, encoding="utf-8")


def text_of(path: Path) -> str:
    with pymupdf.open(path) as document:
        return "\n".join(page.get_text() for page in document)


@pytest.mark.parametrize("shape", ["sheet", "npc", "card", "index", "roster"])
def test_a_font_prints_what_ours_cannot(sheetgen: Sheetgen, tmp_path: Path, shape: str) -> None:
    ran = sheetgen("sheet", "heroes.yaml", "--as", shape, "--font", "small.ttf", "-o", "heroes.pdf")
    assert (ran.code, ran.err) == (0, "")
    text = text_of(tmp_path / "heroes.pdf")
    assert "山田太郎" in text
    assert "الباب" in text


def test_an_index_in_front_has_the_names_too(sheetgen: Sheetgen, tmp_path: Path) -> None:
    ran = sheetgen("sheet", "heroes.yaml", "--contents", "--font", "small.ttf", "-o", "heroes.pdf")
    assert ran.code == 0
    assert text_of(tmp_path / "heroes.pdf").count("山田太郎") == 2


def test_without_a_font_it_is_said_how_to_add_one(sheetgen: Sheetgen) -> None:
    ran = sheetgen("sheet", "heroes.yaml", "-o", "heroes.pdf")
    assert ran.code == 1
    assert "no bundled font can print" in ran.err
    assert "--font FILE adds a font" in ran.out


def test_rolled_people_can_have_fonts_too(sheetgen: Sheetgen, tmp_path: Path) -> None:
    ran = sheetgen("npc", "gamers", "--seed", "7", "--font", "small.ttf", "-o", "one.pdf")
    assert (ran.code, ran.err) == (0, "")
    plain = sheetgen("npc", "gamers", "--seed", "7", "-o", "two.pdf")
    assert plain.code == 0
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--font", "shut.ttf"], "shut.ttf: may not be embedded: its maker forbids it"),
        (["--font", "heroes.yaml"], "heroes.yaml: is not a TrueType font"),
        (["--font", "smal.ttf"], 'smal.ttf: no such file (did you mean "small.ttf"?)'),
        (["--font", "small.ttf", "--as", "form"], "a form has its own: not with --as form"),
        (["--font", "small.ttf", "-o", "heroes.html"], "--font sets text in PDFs, and none is made"),
    ],
)
def test_what_cannot_be_used_gets_one_line(sheetgen: Sheetgen, tmp_path: Path, words: list[str], line: str) -> None:
    before = sorted(tmp_path.iterdir())
    ran = sheetgen("sheet", "heroes.yaml", *words)
    assert ran.code == 2
    assert line in ran.err
    assert ran.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_a_result_never_replaces_a_font(sheetgen: Sheetgen, tmp_path: Path, small_font: Callable[..., bytes]) -> None:
    (tmp_path / "font.pdf").write_bytes(small_font())
    ran = sheetgen("sheet", "heroes.yaml", "--font", "font.pdf", "-o", "font.pdf")
    assert ran.code == 2
    assert (tmp_path / "font.pdf").read_bytes() == small_font()


def test_shards_are_merged_with_the_same_font(sheetgen: Sheetgen, tmp_path: Path) -> None:
    for number in (1, 2):
        name = f"part{number}.pdf"
        words = ["--shard", f"{number}/2", "--font", "small.ttf", "-o", name]
        assert sheetgen("sheet", "heroes.yaml", *words).code == 0
    parts = ["part1.pdf", "part2.pdf"]
    assert "give the same --font FILE" in sheetgen("merge", *parts, "-o", "all.pdf").err
    assert sheetgen("merge", *parts, "--font", "small.ttf", "-o", "all.pdf").code == 0
    assert sheetgen("sheet", "heroes.yaml", "--font", "small.ttf", "-o", "whole.pdf").code == 0
    assert (tmp_path / "all.pdf").read_bytes() == (tmp_path / "whole.pdf").read_bytes()
