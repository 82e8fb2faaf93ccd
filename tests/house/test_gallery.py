"""The gallery: as its script makes it, with a light picture of every shape of people and every kind of block."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from sheetgen.products.shapes import SHAPES

DOCS = Path(__file__).parents[2] / "docs"
MOST_BYTES = 40_000


def test_the_page_is_what_its_script_makes() -> None:
    made = runpy.run_path(str(DOCS / "gallery.py"))
    assert (DOCS / "gallery.md").read_text(encoding="utf-8") == made["page"]()


def test_every_picture_is_there_and_light() -> None:
    names = re.findall(r"\]\(((?:gallery|layouts)/[^)]*)\)", (DOCS / "gallery.md").read_text(encoding="utf-8"))
    assert len(names) > 30
    assert [name for name in names if not 0 < (DOCS / name).stat().st_size < MOST_BYTES] == []
    assert {path.name for path in (DOCS / "gallery").iterdir()} == {Path(n).name for n in names if n[:7] == "gallery"}


def test_every_shape_of_people_has_a_picture() -> None:
    shown = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert [shape for shape in SHAPES if shape not in ("npc", "form") and f"--as {shape}" not in shown] == []


def test_the_readme_names_the_line_that_makes_its_first_picture() -> None:
    first = runpy.run_path(str(DOCS / "gallery.py"))["FIRST"]
    assert f"it is `sheetgen {first}`" in (DOCS.parent / "README.md").read_text(encoding="utf-8")
