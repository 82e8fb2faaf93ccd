"""Stacks of a form: blocks one below the other, as many as there are values for, and lines in the room that is left."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pymupdf
import pytest

from sheetgen.errors import SheetgenError
from sheetgen.pdf.form.compile import compile_form
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import Placed, Row, Stamp

STYLE = """
* { margin: 0; padding: 0; box-sizing: border-box }
@page { size: 100mm 60mm; margin: 0 }
@page part { size: 40mm 20mm; margin: 0 }
@page low { size: 40mm 6mm; margin: 0 }
@page line { size: 40mm 8mm; margin: 0 }
.half { position: relative; width: 100mm; height: 59mm }
section { position: relative; font: 9pt/3.5mm 'Source Sans Pro' }
.field { border: none; background: none; padding: 0; display: block; width: 40mm; font: 9pt/4mm 'Source Serif Pro' }
.name { position: absolute; left: 5mm; top: 1mm; height: 6mm; width: 40mm }
.trade { position: absolute; left: 5mm; top: 1mm; height: 6mm; width: 90mm }
.left { position: absolute; left: 5mm; top: 10mm; height: 20mm }
.right { position: absolute; left: 55mm; top: 10mm; height: 20mm }
.notes { position: absolute; left: 5mm; top: 10mm; height: 45mm }
"""
BLOCKS = """
<section style="page: part; height: 20mm"><textarea class=field name=part.text data-block=told
  style="height: 20mm"></textarea></section>
<section style="page: low; height: 6mm"><input class=field name=part.text data-block=row style="height: 6mm">
<input class=field name=part.bar data-bar=yes data-block=row
style="position: absolute; top: 5mm; height: 1mm"></section>
<section style="page: part; height: 20mm"><input class=field name=part.title data-block=spill.right
style="height: 5mm"><textarea class=field name=part.text data-block=spill.right style="height: 14mm"></textarea>
</section>
<section style="page: line"><input class=field name=part.none data-block=line style="height: 4mm">_________</section>
"""
PAGE = f"""<html lang=en><head><title>stacks</title><style>{STYLE}</style></head><body><section class=half>
<input class="field name" name=name><input class="field trade" name=trade data-after=name>
<textarea class="field left" name=left title=Left data-stack=yes></textarea>
<textarea class="field right" name=right title=Right data-stack=yes></textarea>
<textarea class="field notes" name=notes data-fill=line data-below=left></textarea></section>{BLOCKS}</body></html>"""

LONG = " ".join(["Wilhelmina"] * 6)

Words = Mapping[str, tuple[float, float]]


@pytest.fixture(scope="module")
def form(empty: Path) -> Form:
    return compile_form(PAGE, root=empty, name="stacks")


@pytest.fixture
def set_(form: Form) -> Callable[..., tuple[list[tuple[str, float, float]], Placed]]:
    """The words of a page with their left and top in mm, and what was continued."""

    def stamp(**values: str) -> tuple[list[tuple[str, float, float]], Placed]:
        parts: list[bytes] = []
        stamp = Stamp(form, parts.append, title="Stacks", author="The tests")
        placed = stamp.add(Row("Ada", {name.replace("_", "."): text for name, text in values.items()}))
        stamp.close()
        with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as document:
            assert len(document) == 1
            words = document[0].get_text("words")
        return [(word[4], round(word[0] * 25.4 / 72), round(word[1] * 25.4 / 72)) for word in words], placed

    return stamp


Set = Callable[..., tuple[list[tuple[str, float, float]], Placed]]


def test_blocks_are_no_pages(form: Form) -> None:
    assert (form.fronts, len(form.pages)) == (1, 5)
    assert list(form.blocks) == ["told", "row", "spill.right", "line"]
    assert Form.from_bytes(form.to_bytes()).fields == form.fields


def test_a_block_is_as_high_as_its_text_and_the_next_follows(set_: Set) -> None:
    told = {"left.1": "told", "left.1.text": "One line.", "left.2": "row", "left.2.text": "below"}
    words, placed = set_(**told)
    (one,) = [word for word in words if word[0] == "One"]
    (below,) = [word for word in words if word[0] == "below"]
    assert below[2] - one[2] == pytest.approx(5, abs=1)
    assert placed.continued == ()


def test_lines_fill_what_the_stack_leaves(set_: Set) -> None:
    def lines(**values: str) -> int:
        return sum(word[0] == "_________" for word in set_(**values)[0])

    assert lines() == 5
    assert lines(**{"left.1": "row", "left.1.text": "a"}) == 4
    assert lines(**{f"left.{at}{end}": text for at in (1, 2, 3) for end, text in (("", "row"), (".text", "b"))}) == 3


def test_a_line_begins_where_another_ends(set_: Set) -> None:
    def left(name: str) -> float:
        (trade,) = [word for word in set_(name=name, trade="smith")[0] if word[0] == "smith"]
        return trade[1]

    assert left("Ada") < left("Wilhelmina") < 40


def test_what_finds_no_room_goes_to_another_stack_under_its_title_or_is_told(set_: Set) -> None:
    rows = {f"left.{at}{end}": text for at in (1, 2, 3, 4) for end, text in (("", "row"), (".text", f"row{at}"))}
    words, placed = set_(**rows)
    where = {word: left for word, left, _ in words}
    assert (where["row1"], where["row3"], where["row4"], where["Left"]) == (5, 5, 55, 55)
    assert placed.continued == ()
    full = {f"right.{at}{end}": text for at in (1, 2, 3) for end, text in (("", "row"), (".text", "full"))}
    assert set_(**rows, **full)[1].continued == ("Left",)


def test_a_list_breaks_between_two_things_and_a_sentence_nowhere(set_: Set) -> None:
    things = " · ".join(f"thing number {at}" for at in range(30))
    full = {f"right.{at}{end}": text for at in (1, 2, 3) for end, text in (("", "row"), (".text", "full"))}
    words, placed = set_(**{"left.1": "told", "left.1.text": things}, **full)
    said = " ".join(word for word, left, _ in words if left < 50)
    assert placed.continued == ("Left",)
    assert "…" not in said
    assert said.split("» continued")[0].rstrip()[-1].isdigit()
    words, placed = set_(**{"left.1": "told", "left.1.text": "long words " * 60}, **full)
    assert placed.continued == ("Left",)
    assert not [word for word, left, _ in words if word == "long" and left < 50]


def test_both_parts_of_a_list_say_that_there_is_another(set_: Set) -> None:
    """The mark is never cut: fewer things stand before it."""
    for count in range(13, 17):
        words, placed = set_(
            **{"left.1": "told", "left.1.text": " · ".join(f"thing number {at}" for at in range(count))}
        )
        said, rest = (" ".join(word for word, left, _ in words if (left < 50) == first) for first in (True, False))
        assert placed.continued == ()
        assert "» continued" in said
        assert rest.startswith("Left, continued thing")
        assert re.findall(r"number (\d+)", f"{said} {rest}") == [str(at) for at in range(count)]


@pytest.mark.parametrize("values", [{"name": LONG}, {"left.1": "row", "left.1.text": LONG}], ids=["field", "row"])
def test_a_line_that_is_too_long_stands_whole_in_a_stack(set_: Set, values: dict[str, str]) -> None:
    """A name or a row longer than its line has the room of whoever says nothing, and no page of its own."""
    words, placed = set_(**values)
    in_stack = [word for word, x, y in words if x >= 55 and y >= 10]
    assert (" ".join(word for word in in_stack if word == "Wilhelmina"), placed.continued) == (LONG, ())


def test_a_block_that_an_older_form_does_not_have_is_the_plainer_one_of_its_name(set_: Set) -> None:
    """A template of somebody's own no longer printed when a page had a block of a further kind."""
    newer, usual = (set_(**{"left.1": name, "left.1.text": "Ada"}) for name in ("row.wide.worded", "row"))
    assert newer == usual


def test_a_block_that_the_form_does_not_have_is_told(set_: Set) -> None:
    with pytest.raises(
        SheetgenError, match=r'"left.1" is "nothing", but no data-block is called so .there are told, row,'
    ):
        set_(left_1="nothing")
