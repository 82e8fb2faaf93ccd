"""A list that is too long for its row of a table goes on in the next row, and no thing of it is parted."""

from __future__ import annotations

import io
from pathlib import Path

import pymupdf
import pytest

from sheetgen.pdf.form.compile import compile_form
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import Row, Stamp

CELL = "display: block; border: none; background: none; padding: 0; font: 9pt/10pt 'Source Serif Pro'; height: 8mm"
FORM = f"""<html lang=en><head><title>known</title><style>* {{ margin: 0; padding: 0; box-sizing: border-box }}
@page {{ size: 100mm 80mm; margin: 3mm }} .field {{ {CELL}; width: 40mm }} .row {{ display: flex }}</style></head><body>
{
    "".join(
        f'<div class=row><input class=field name=known.{at}.trait title="Skill {at}">'
        f'<textarea class=field name=known.{at}.list title="Things {at}" data-floor=9></textarea></div>'
        for at in range(1, 6)
    )
}
<textarea class=field name=notes title=Notes data-floor=9 style="height: 20mm"></textarea></body></html>"""
BOATS = "coastal shoals, river rapids, frigate, junk, skiff, hide boat, square-sailed trader, raft, outrigger"
OTHERS = {"known.1.trait": "Climbing", "known.1.list": "walls", "known.3.trait": "Speech", "known.3.list": "kings"}


@pytest.fixture(scope="module")
def table(empty: Path) -> Form:
    return compile_form(FORM, root=empty, name="known")


def rows(form: Form, values: dict[str, str]) -> list[tuple[str, str]]:
    """What stands in the two columns, row by row."""
    out = io.BytesIO()
    stamp = Stamp(form, out.write, title="Known", author="sheetgen")
    found = stamp.add(Row("Ada", values))
    stamp.close()
    assert found.continued == ()
    with pymupdf.open(stream=out.getvalue(), filetype="pdf") as document:
        boxes = {field.name: field.border for field in form.fields}
        high = document[0].rect.height
        said = {
            name: " ".join(
                document[0].get_text(clip=pymupdf.Rect(box.x, high - box.top, box.x + box.width, high - box.y)).split()
            )
            for name, box in boxes.items()
        }
    assert said["notes"] == values.get("notes", "")
    return [(said[f"known.{at}.trait"], said[f"known.{at}.list"]) for at in range(1, 6)]


def test_a_long_list_goes_on_in_the_next_row_and_breaks_between_two_things(table: Form) -> None:
    found = rows(table, {**OTHERS, "known.2.trait": "Seacraft", "known.2.list": BOATS, "notes": "Limps."})
    assert [trait for trait, _ in found] == ["Climbing", "Seacraft", "", "Speech", ""]
    assert " ".join(things for _, things in found[1:3]) == BOATS
    assert found[1][1].endswith(",")
    assert found[3][1] == "kings"


def test_a_thing_with_commas_in_brackets_stands_in_one_row(table: Form) -> None:
    inns = "hill roads (fords, inns, tolls, passes)"
    found = rows(table, {"known.1.trait": "Navigation", "known.1.list": f"open sea, coastal shoals, {inns}"})
    assert [things for _, things in found[:2]] == ["open sea, coastal shoals,", inns]


def test_rows_that_hold_all_of_it_are_left_alone(table: Form) -> None:
    assert rows(table, OTHERS) == [("Climbing", "walls"), ("", ""), ("Speech", "kings"), ("", ""), ("", "")]


def test_a_table_with_too_few_rows_goes_on_in_the_notes(table: Form) -> None:
    full = {f"known.{at}.trait": f"Skill {at}" for at in range(1, 6)}
    lists = {f"known.{at}.list": "walls" for at in range(1, 5)}
    out = io.BytesIO()
    stamp = Stamp(table, out.write, title="Known", author="sheetgen")
    assert stamp.add(Row("Ada", {**full, **lists, "known.5.list": BOATS})).continued == ()
    stamp.close()
    with pymupdf.open(stream=out.getvalue(), filetype="pdf") as document:
        text = " ".join(document[0].get_text().split())
    assert "» notes" in text
    assert "outrigger" in text
