"""Portraits: a picture beside the file of characters, on sheets, NPC pages and cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pikepdf
import pymupdf
import pytest
from PIL import Image

Run = Callable[..., Any]
HEAD = "system: gamers\nformat: 1\ncharacters:\n"
TWO = f"{HEAD}- name: Ada\n  picture: faces/ada.png at 50 20\n- name: Bo\n  picture: faces/ada.png\n- name: Cy\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "faces").mkdir()
    Image.new("RGBA", (900, 1200), (90, 20, 20, 128)).save(tmp_path / "faces/ada.png")
    Image.new("L", (60, 80), 90).save(tmp_path / "faces/small.jpg")
    (tmp_path / "two.yaml").write_text(TWO)
    return tmp_path


def embedded(path: Path) -> int:
    with pikepdf.open(path) as made:
        return sum(1 for each in made.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image")


@pytest.mark.parametrize("system", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix"])
@pytest.mark.parametrize("shape", ["sheet", "npc", "card"])
def test_a_picture_is_printed_and_embedded_once(sheetgen: Run, folder: Path, system: str, shape: str) -> None:
    people = "".join(f"- name: {name}\n  picture: faces/ada.png{at}\n" for name, at in [("Ada", ""), ("Bo", " at 9 9")])
    (folder / "people.yaml").write_text(f"system: {system}\nformat: 1\ncharacters:\n{people}- name: Cy\n")
    ran = sheetgen("sheet", "people.yaml", "--as", shape, "-o", "made.pdf")
    assert (ran.code, ran.err) == (0, "")
    assert embedded(folder / "made.pdf") == 1


def test_who_has_no_picture_is_printed_as_ever(sheetgen: Run, folder: Path) -> None:
    (folder / "one.yaml").write_text(f"{HEAD}- name: Cy\n")
    sheetgen("sheet", "two.yaml", "--only", "Cy", "-o", "chosen.pdf")
    sheetgen("sheet", "one.yaml", "-o", "alone.pdf")
    assert (folder / "chosen.pdf").read_bytes() == (folder / "alone.pdf").read_bytes()


@pytest.mark.parametrize("form", ["yaml", "json", "csv"])
def test_a_picture_survives_every_format(sheetgen: Run, folder: Path, form: str) -> None:
    assert sheetgen("sheet", "two.yaml", "-o", f"again.{form}").code == 0
    assert sheetgen("sheet", f"again.{form}", "-o", "back.yaml").code == 0
    said = (folder / "back.yaml").read_text()
    assert [line.strip() for line in said.splitlines() if "picture" in line and not line.startswith("#")] == [
        'picture: "faces/ada.png at 50 20"' if '"faces' in said else "picture: faces/ada.png at 50 20",
        'picture: "faces/ada.png"' if '"faces' in said else "picture: faces/ada.png",
    ]


def test_a_web_page_carries_the_picture(sheetgen: Run, folder: Path) -> None:
    assert sheetgen("sheet", "two.yaml", "-o", "two.html").code == 0
    page = (folder / "two.html").read_text()
    assert page.count('src="data:image/jpeg;') == 2
    assert 'alt="Portrait of Ada"' in page
    assert "object-position: 50% 20%" in page


def test_a_form_that_stays_open_shows_the_picture(sheetgen: Run, folder: Path) -> None:
    assert sheetgen("sheet", "two.yaml", "--only", "Ada", "--as", "form", "-o", "ada.pdf").code == 0
    assert embedded(folder / "ada.pdf") >= 1


def test_a_coarse_picture_is_told_in_a_line(sheetgen: Run, folder: Path) -> None:
    (folder / "two.yaml").write_text(f"{HEAD}- name: Ada\n  picture: faces/small.jpg\n")
    ran = sheetgen("sheet", "two.yaml", "-o", "two.pdf")
    assert (ran.code, ran.err.count("\n")) == (0, 1)
    assert ran.err.startswith("Ada: the portrait has 84 dots an inch where it is printed largest; 300 are wanted")


WRONG: Mapping[str, str] = {
    "faces/adda.png": 'no such file (did you mean "ada.png"?)',
    "../two.png": "is not in the folder of this file (copy it there)",
    "/etc/passwd.png": "is not in the folder of this file (copy it there)",
    "faces/ada.svg": "a picture is a file .png, .jpg, .jpeg",
    "faces/words.png": "the picture is damaged, or neither PNG nor JPEG (save it anew)",
    "faces/half.png": "the picture is damaged, or neither PNG nor JPEG (save it anew)",
    "faces/huge.png": "40,000,000 is the most",
    "faces/out.png": "is not in the folder of this file (copy it there)",
    "faces/ada.png at 101 5": "per cent from the left and the top",
}


@pytest.mark.parametrize(("written", "told"), WRONG.items())
def test_a_wrong_picture_is_told_at_its_place(sheetgen: Run, folder: Path, written: str, told: str) -> None:
    faces = folder / "faces"
    (faces / "words.png").write_text("<svg/>")
    (faces / "half.png").write_bytes((faces / "ada.png").read_bytes()[:-400])
    Image.new("1", (8_000, 8_000)).save(faces / "huge.png")
    (faces / "out.png").symlink_to("/etc/hostname")
    (folder / "two.yaml").write_text(f"{HEAD}- name: Ada\n  picture: {written}\n")
    ran = sheetgen("sheet", "two.yaml", "-o", "two.pdf")
    assert ran.code == 2
    assert ran.err.startswith("two.yaml:5:12: "), ran.err
    assert told in ran.err
    assert not (folder / "two.pdf").exists()


def test_people_with_pictures_are_no_shards(sheetgen: Run, folder: Path) -> None:
    ran = sheetgen("sheet", "two.yaml", "--shard", "1/2", "-o", "part.pdf")
    wanted = "--shard makes parts of one PDF of people without pictures: make one with them in a single run\n"
    assert (ran.code, ran.err) == (2, wanted)
    assert not (folder / "part.pdf").exists()
    assert sheetgen("sheet", "two.yaml", "--only", "Cy", "--shard", "1/1", "-o", "part.pdf").code == 0


def test_a_picture_far_too_large_is_told_by_its_size(sheetgen: Run, folder: Path) -> None:
    """Past 179 million dots Pillow refuses by itself, and knows nothing better to say."""
    Image.new("1", (20_000, 10_000)).save(folder / "faces/vast.png")
    (folder / "two.yaml").write_text(f"{HEAD}- name: Ada\n  picture: faces/vast.png\n")
    ran = sheetgen("sheet", "two.yaml", "-o", "two.pdf")
    assert "the picture has 20,000 × 10,000 dots; 40,000,000 is the most (make it smaller)" in ran.err


def test_rolling_something_again_keeps_the_picture(sheetgen: Run, folder: Path) -> None:
    sheetgen("npc", "gamers", "--seed", "7", "-o", "one.yaml")
    said = (folder / "one.yaml").read_text().replace("\n- ", "\n- picture: faces/ada.png\n  ")
    (folder / "one.yaml").write_text(said)
    assert sheetgen("npc", "one.yaml", "--reroll", "hook", "--seed", "8", "-o", "other.json").code == 0
    assert '"picture": "faces/ada.png"' in (folder / "other.json").read_text()


def test_a_portrait_is_grey_where_everything_is(sheetgen: Run, folder: Path) -> None:
    for shape in ("npc", "card", "form"):
        ran = sheetgen("sheet", "two.yaml", "--only", "Ada", "--as", shape, "--greyscale", "-o", "grey.pdf")
        assert (ran.code, ran.err) == (0, "")
        with pymupdf.open(folder / "grey.pdf") as made:
            shown = made[0].get_pixmap(dpi=40)
        assert all(
            max(dot) - min(dot) <= 2
            for dot in (shown.pixel(x, y) for x in range(0, shown.width, 3) for y in range(0, shown.height, 3))
        )
