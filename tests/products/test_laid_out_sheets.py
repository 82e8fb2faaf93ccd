"""Sheets that a pack lays out in YAML alone: on every paper, empty, to fill in, and filled."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pymupdf
import pypdf
import pytest

from sheetgen.geometry import PAPERS
from sheetgen.products.form_cache import AGAIN, EDGE, FOOT, SIGNED, SMALL_EDGE, laid_out_pages
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

LAYOUTS = Path(__file__).parent.parent / "layouts"
PACKS = sorted(path.name for path in LAYOUTS.iterdir())


class Ran(Protocol):
    """How a run of the command line ended."""

    code: int
    out: str
    err: str


Sheetgen = Callable[..., Ran]


@pytest.fixture(name="packs")
def copies_of_the_packs(tmp_path: Path) -> Path:
    """The packs with layouts, in the folder where the command line runs."""
    shutil.copytree(LAYOUTS, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
@pytest.mark.parametrize("name", PACKS)
def test_rows_fill_their_pages_and_no_more(project: Project, name: str, paper: str) -> None:
    """A large sheet has one page in front and one behind; on every page the rows end where the foot begins."""
    small = paper == "a5"
    size = PAPERS[paper]
    inside = (size.width - 2 * SMALL_EDGE if small else size.height - 2 * EDGE) - FOOT
    pages = laid_out_pages(open_pack(project, str(LAYOUTS / name)).system, size, small=small)["layout"]
    for side, found in pages.items():
        assert small or len(found) == 1, side
        for number, page in enumerate(found):
            room = inside - (SIGNED if side == "front" and not number else AGAIN)
            used = sum(row["h"] + row["gap"] for row in page) - page[-1]["gap"]
            assert room * 0.85 < used < room + 0.1, (side, number)


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_with_a_layout_is_in_order(sheetgen: Sheetgen, packs: Path, name: str) -> None:
    ran = sheetgen("check", f"./{name}")
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
def test_words_stay_apart_from_each_other_and_from_the_edge(
    sheetgen: Sheetgen, packs: Path, tmp_path: Path, paper: str
) -> None:
    for name in PACKS:
        assert sheetgen("blank", f"./{name}", "--paper", paper, "-o", "x.pdf").code == 0
        for page in pymupdf.open(tmp_path / "x.pdf"):
            words = [pymupdf.Rect(word[:4]) for word in page.get_text("words")]
            whole = page.rect + (18, 18, -18, -18)
            assert all(word in whole for word in words)
            inner = [word + (0.4, 2.4, -0.4, -2.4) for word in words]
            assert not any(one.intersects(two) for at, one in enumerate(inner) for two in inner[at + 1 :]), name


def test_what_somebody_has_stands_in_its_place(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    """Levels in boxes, things in slots, and a mark for each level of a track."""
    (tmp_path / "ada.yaml").write_text(
        "system: ./delve\nname: Ada\nabilities: {Might: 11}\ndark: {Light: 4}\ndoom: {Cold: 1, Afraid: 0}\n"
        "gear: [rope, bell]\n"
    )
    ran = sheetgen("sheet", "ada.yaml", "--as", "form", "-o", "ada.pdf")
    assert (ran.code, ran.err) == (0, "")
    fields = pypdf.PdfReader(tmp_path / "ada.pdf").get_fields()
    said = {name: str(field.get("/V", "")) for name, field in fields.items()}
    assert (said["abilities.Might"], said["gear.1"], said["gear.2"]) == ("11", "Rope", "Bell")
    marks = [name for name, value in said.items() if name.startswith("mark.") and value not in ("", "/Off")]
    assert sorted(marks) == ["mark.Cold.1", *(f"mark.Light.{at}" for at in range(1, 5))]


def test_what_a_layout_has_no_room_for_goes_on(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    sheet = (tmp_path / "delve" / "sheet.yaml").read_text()
    (tmp_path / "delve" / "sheet.yaml").write_text(sheet.replace("most: 10", "most: 20"))
    (tmp_path / "ada.yaml").write_text(
        f"system: ./delve\nname: Ada\ngear: [{', '.join(f't{n}' for n in range(1, 13))}]\n"
    )
    ran = sheetgen("sheet", "ada.yaml", "-o", "ada.pdf")
    text = "".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "ada.pdf").pages)
    assert ran.code == 0
    assert "T10" in text
    assert "T11" in text.partition("CONTINUED")[2].upper() or "T11" in text
    assert "T12" in text


def test_a_field_without_a_place_is_told(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    sheet = (tmp_path / "delve" / "sheet.yaml").read_text()
    (tmp_path / "delve" / "sheet.yaml").write_text(sheet.replace("    - {show: manner}\n", ""))
    ran = sheetgen("check", "./delve")
    assert ran.code == 0
    assert "the sheet has no place: what stands under manner goes into the notes" in ran.err + ran.out


def test_a_block_higher_than_a_page_is_told_in_mm(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    sheet = (tmp_path / "delve" / "sheet.yaml").read_text()
    (tmp_path / "delve" / "sheet.yaml").write_text(sheet.replace("lines: 4}", "lines: 40}"))
    ran = sheetgen("check", "./delve")
    assert ran.code == 1
    assert 'the block "Notes" is 22.8 mm higher than the page' in ran.err


def test_a_sheet_on_the_web_has_the_same_parts(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    assert sheetgen("blank", "./delve", "-o", "x.html").code == 0
    page = (tmp_path / "x.html").read_text()
    assert "What you carry" in page
    assert "d12" in page
