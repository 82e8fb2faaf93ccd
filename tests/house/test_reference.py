"""docs/reference.md says what files may hold, as the program itself reads them."""

from __future__ import annotations

from pathlib import Path

from sheetgen.content.handout_files import FILE, read_catalogue
from sheetgen.content.schema import FILES
from sheetgen.services.reference import reference

ROOT = Path(__file__).resolve().parents[2]


def made() -> str:
    styles = ROOT / "templates" / FILE
    return reference(read_catalogue([(styles.read_bytes(), FILE)]))


def test_the_reference_is_up_to_date() -> None:
    assert (ROOT / "docs" / "reference.md").read_text(encoding="utf-8") == made(), (
        "make it again: python -m sheetgen.services.reference > docs/reference.md"
    )


def test_every_kind_of_file_and_every_step_and_family_stands_in_it() -> None:
    lines = made().splitlines()
    assert all(f"## {kind.file}" in lines for kind in FILES.values())
    assert any(line.startswith("| `share points` | `group`, `points`") for line in lines)
    assert any(line.startswith("| `count successes` |") for line in lines)


def test_every_link_leads_to_a_heading() -> None:
    text = made()
    headings = {line.lstrip("# ").lower().replace(" ", "-") for line in text.splitlines() if line.startswith("#")}
    links = {part.partition(")")[0] for part in text.split("](#")[1:]}
    assert links
    assert links - headings == set()
