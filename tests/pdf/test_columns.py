"""Texts that share a column: who gives way first when there is too little room, and what is told of that."""

from __future__ import annotations

import io
from pathlib import Path

import pymupdf
import pytest

from sheetgen.errors import SheetgenError
from sheetgen.pdf.form.compile import compile_form
from sheetgen.pdf.form.form import Form
from sheetgen.pdf.form.stamp import Placed, Row, Stamp, Unprintable

AREA = "display: block; border: none; background: none; padding: 0; width: 57mm; font: 9pt/10pt 'Source Serif Pro'"
CARD = f"""<html lang=en><head><title>card</title><style>* {{ margin: 0; padding: 0; box-sizing: border-box }}
@page {{ size: 63mm 60mm; margin: 3mm }} .field {{ {AREA} }} .about {{ margin-top: -5mm }}</style></head><body>
<input class=field name=trade title=Trade style="height: 5mm"><input class="field about" name=about title=Age
data-after=trade data-spare=yes data-floor=8 style="height: 5mm">
<textarea class=field name=can title=Skills data-column=all data-floor=7.6 data-notes=Specialties style="height: 10mm">
</textarea><textarea class=field name=gear title=Belongings data-column=all data-floor=7.6 data-counted=yes
style="height: 10mm"></textarea><textarea class=field name=story title=Story data-column=all data-floor=7.6
style="height: 10mm"></textarea><textarea class=field name=voice title=Says data-column=all data-floor=7.6
data-spare=yes style="height: 4mm"></textarea><textarea class=field name=want title=Wants data-column=all
data-floor=7.6 data-kept=yes style="height: 4mm"></textarea></body></html>"""
THINGS = "\u00a0· ".join(f"thing number {at} of a heap" for at in range(1, 9))
SKILLS = ", ".join(f"Skill{at} (note {at})" for at in range(1, 7)) + "\u00a0· Attributes: Grit 9 (last note)"
TEXTS = {
    "can": SKILLS,
    "gear": THINGS,
    "voice": "“" + "So they say. " * 5 + "”",
    "want": "Wants: " + "Bring it home. " * 5,
}


@pytest.fixture(scope="module")
def card(empty: Path) -> Form:
    return compile_form(CARD, root=empty, name="card")


def placed(form: Form, values: dict[str, str]) -> tuple[str, Placed]:
    """The words of the card, and what became of them."""
    out = io.BytesIO()
    stamp = Stamp(form, out.write, title="Cards", author="sheetgen")
    found = stamp.add(Row("Ada", values))
    stamp.close()
    with pymupdf.open(stream=out.getvalue(), filetype="pdf") as document:
        return " ".join(document[0].get_text().replace("\u00a0", " ").split()), found


def test_things_give_way_first_then_notes_then_what_is_said_and_never_what_is_wanted(card: Form) -> None:
    left_out = []
    for length in range(0, 700, 50):
        said, found = placed(card, {**TEXTS, "story": ("word " * 140)[:length]})
        assert "Bring it home. Bring it home. Bring it home. Bring it home. Bring it home." in said
        assert all(told.endswith("(no room on the card)") for told in found.continued) or "Story" in found.continued
        left_out.append([told.partition(":")[0] for told in found.continued])
    assert left_out[0] == []
    orders = [list(dict.fromkeys(titles)) for titles in left_out if "Story" not in titles]
    assert [part for part in ("Belongings", "Specialties", "Says") if any(part in each for each in orders)] == [
        "Belongings", "Specialties", "Says",
    ]  # fmt: skip
    assert all("Belongings" in each for each in orders if len(each) > 1)
    assert all("Specialties" in each for each in orders if "Says" in each)


def test_a_trait_told_for_its_note_alone_goes_with_it(card: Form) -> None:
    for length in range(0, 700, 50):
        said, found = placed(card, {**TEXTS, "story": ("word " * 140)[:length]})
        notes = [told for told in found.continued if told.startswith("Specialties")]
        assert ("Grit 9 (last note)" in said) == (not notes)
        assert ("Grit 9" in said) == (not notes)
        assert "Skill1" in said


@pytest.mark.parametrize("skills", ["Skill1 (note 1)\u00a0· ", ""])
def test_of_several_traits_told_for_their_notes_each_goes_with_its_own(card: Form, skills: str) -> None:
    can = f"{skills}Attributes: Mind 6 (maps, old ones), Body 5 (oaths)"
    told_of = set()
    for length in range(0, 900, 25):
        said, found = placed(card, {**TEXTS, "can": can, "story": ("word " * 180)[:length]})
        told = " ".join(found.continued)
        assert ("Body 5" in said) == ("Body 5 (oaths)" in said)
        assert ("Mind 6" in said) == ("Mind 6 (maps, old ones)" in said) == ("Attributes" in said)
        if "Story" not in told:
            assert ("Body 5" in said, "Mind 6" in said) == ("oaths" not in told, "maps" not in told)
            told_of |= {note for note in ("oaths", "maps") if note in told}
    assert told_of == {"oaths", "maps"}


def test_a_line_that_finds_no_room_behind_another_is_left_out_and_told(card: Form) -> None:
    said, found = placed(card, {"trade": "Locksmith", "about": "she, past fifty"})
    assert (said, found.continued) == ("Locksmith she, past fifty", ())
    said, found = placed(card, {"trade": "Keeper of the lower lock and weir", "about": "she, older than anybody says"})
    assert said == "Keeper of the lower lock and weir she"
    assert found.continued == ("Age: older than anybody says (no room on the card)",)
    said, found = placed(card, {"trade": "Keeper of the lower lock and weirs I to IV", "about": "she, past fifty"})
    assert said == "Keeper of the lower lock and weirs I to IV"
    assert found.continued == ("Age: she, past fifty (no room on the card)",)


def test_a_list_goes_whole_before_what_somebody_says_and_stays_if_that_goes(card: Form) -> None:
    found_so = []
    for length in range(0, 700, 10):
        said, found = placed(card, {**TEXTS, "can": "Skill 7", "story": ("word " * 140)[:length]})
        lost = [told.partition(":")[0] for told in found.continued]
        if "Story" not in lost:
            found_so.append(("thing number 1" in said, "So they say" in said))
    assert list(dict.fromkeys(found_so)) == [(True, True), (False, True), (True, False), (False, False)]


PLACED = f"""<html lang=en><head><title>card</title><style>* {{ margin: 0; padding: 0; box-sizing: border-box }}
@page {{ size: 63mm 60mm; margin: 3mm }} @page one {{ size: 57mm 14mm; margin: 0 }} .field {{ {AREA} }}
.one {{ page: one }}</style></head><body>
<textarea class=field name=want title=Wants data-column=all data-plain=yes style="height: 20mm"></textarea>
<textarea class=field name=can title=Skills data-column=all data-low=yes style="height: 20mm"></textarea>
<textarea class=field name=card.place.one title=Rolled data-column=all data-place=one data-low=yes style="height: 4mm">
</textarea><section class=one><p>Weapon</p><input class=field name=weapon title=Weapon data-block=one
style="height: 5mm"></section></body></html>"""


def heights(form: Form, values: dict[str, str]) -> dict[str, float]:
    """How far below the head of the card the first word of each line stands, in points."""
    out = io.BytesIO()
    stamp = Stamp(form, out.write, title="Cards", author="sheetgen")
    assert stamp.add(Row("Ada", values)).continued == ()
    stamp.close()
    with pymupdf.open(stream=out.getvalue(), filetype="pdf") as document:
        assert document.page_count == 1
        return {word[4]: word[1] for word in document[0].get_text("words")}


def test_what_is_low_stands_at_the_foot_and_a_place_holds_a_block_that_says_something(empty: Path) -> None:
    form = compile_form(PLACED, root=empty, name="card")
    armed = heights(form, {"want": "Peace", "can": "Melee", "weapon": "Sabre"})
    assert armed["Peace"] < armed["Melee"] < armed["Weapon"] < armed["Sabre"]
    assert armed["Melee"] - armed["Peace"] > 60
    bare = heights(form, {"want": "Peace", "can": "Melee"})
    assert "Weapon" not in bare
    assert bare["Melee"] > armed["Melee"] + 30
    assert bare["Peace"] == pytest.approx(armed["Peace"], abs=1)


def marked(wide: float) -> str:
    """A card with rows of boxes to mark, a line of squares and a bar."""
    boxes = f"<textarea class=field name=harm data-column=all data-boxes=hits style='height: 30mm; width: {wide}mm'>"
    lines = "".join(
        f"<input class=field name={name} data-{name}=yes style='height: 5mm'>" for name in ("squares", "bar")
    )
    return CARD[: CARD.index("<body>")] + f"<body>{boxes}</textarea>{lines}</body></html>"


@pytest.mark.parametrize("said", ["many", "-1", "²", "9" * 9])
@pytest.mark.parametrize("name", ["hits", "squares", "bar"])
def test_what_is_no_count_is_told_with_its_field(empty: Path, name: str, said: str) -> None:
    form = compile_form(marked(57), root=empty, name="card")
    with pytest.raises(SheetgenError, match=f'"{name}" is "{said}", which is no number'):
        placed(form, {"harm": "HARM", name: said})


def test_boxes_to_mark_fit_a_column_narrower_than_one_and_titles_that_no_font_has_are_told(empty: Path) -> None:
    form = compile_form(marked(3), root=empty, name="card")
    assert placed(form, {"hits": "7"})[1].pages == 1
    with pytest.raises(Unprintable, match="U\\+8A9E"):
        placed(form, {"harm": "語", "hits": "7"})


def test_squares_without_height_are_not_drawn(empty: Path) -> None:
    form = compile_form(marked(57).replace("height: 5mm", "height: 0"), root=empty, name="card")
    assert placed(form, {"squares": "3"})[1].pages == 1
