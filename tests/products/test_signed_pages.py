"""How pages are signed: game, name and number of the page stand on one line, on fronts, backs and pages behind."""

from __future__ import annotations

import io

import pymupdf
import pytest

from sheetgen.geometry import millimetres
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.people_print import write_people
from sheetgen.products.shapes import PrintOptions
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

GAMES = ("gamers", "heroic", "tsgs", "sixshooter", "diecodes", "genesix", "chalkdown")
A_HAIR = 0.1  # mm


@pytest.mark.parametrize("game", GAMES)
def test_what_signs_a_page_stands_on_one_line(project: Project, game: str) -> None:
    pack, parts = open_pack(project, game), list[bytes]()
    person = next(iter(roll(pack, RollOptions(seed=11, count=1))))
    write_people(project, pack, [person], parts.append, PrintOptions("a4", "sheet", back=True), form=".pdf")
    with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as pdf:
        for number, page in enumerate(pdf, 1):
            spans = [
                span
                for block in page.get_text("dict")["blocks"]
                for line in block.get("lines", [])
                for span in line["spans"]
            ]
            signs = {f"page {number} of {len(pdf)}", pack.system.title, *([person.text("name")] if number > 1 else [])}
            found = {span["text"]: span["origin"][1] for span in reversed(spans) if span["text"] in signs}
            assert found.keys() == signs
            assert millimetres(max(found.values()) - min(found.values())) < A_HAIR, (number, found)
