"""`sheetgen booklet` as a person uses it: any PDF in, sheets out, and what to do with them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest

Sheetgen = Callable[..., Any]


@pytest.fixture(name="zine")
def zine_pdf(tmp_path: Path) -> Path:
    path = tmp_path / "zine.pdf"
    with pikepdf.new() as made:
        for _ in range(6):
            made.add_blank_page(page_size=(419.53, 595.28))
        made.save(path)
    return path


@pytest.mark.usefixtures("zine")
def test_a_booklet_comes_with_what_to_do(sheetgen: Sheetgen, tmp_path: Path) -> None:
    ran = sheetgen("booklet", "zine.pdf")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "output/zine-saddle.pdf: 6 pages: a booklet, folded once and stapled through the fold",
        "  2 sheets of A4, printed on both sides, turned over the short edge, at actual size (100 %)",
        "  2 empty pages are added before the last one, which stays outside",
        "  nest the sheets, fold once along the middle, staple through the fold",
    ]
    with pikepdf.open(tmp_path / "output" / "zine-saddle.pdf") as made:
        assert len(made.pages) == 4
        assert [round(float(each)) for each in made.pages[0].mediabox] == [0, 0, 842, 595]
    told = json.loads(sheetgen("booklet", "zine.pdf", "--fold", "eight", "--paper", "letter", "--json").out)
    assert told["written"] == ["output/zine-eight.pdf"]
    assert told["print"][0].startswith("1 sheet of Letter, printed on one side")


@pytest.mark.usefixtures("zine")
@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["zine.pdf", "--fold", "sadle"], 2, "--fold takes saddle, 2up, 4up, eight, cut, gutter"),
        (["zine.pdf", "--paper", "a44"], 2, 'unknown paper "a44" (did you mean "a4"?)'),
        (["zine.pdf", "--creep", "-1"], 2, '--creep: takes millimetres from 0 to 50, not "-1"'),
        (["nowhere.pdf"], 2, "nowhere.pdf: no such file or directory"),
        (["junk.pdf"], 2, "junk.pdf: is not a PDF that can be read"),
        (["zine.pdf", "-o", "zine.pdf"], 2, "zine.pdf is also an input"),
    ],
)
def test_what_cannot_be_imposed_is_told_in_one_line(
    sheetgen: Sheetgen, tmp_path: Path, words: list[str], code: int, line: str
) -> None:
    (tmp_path / "junk.pdf").write_bytes(b"not a PDF")
    ran = sheetgen("booklet", *words)
    assert ran.code == code
    assert line in ran.err
    assert not (tmp_path / "output").exists()
