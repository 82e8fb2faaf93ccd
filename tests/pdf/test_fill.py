"""Strangers' forms filled in: what fields hold, what they show in two renderers, what goes, and what had no room."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pikepdf
import pymupdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image

from sheetgen.pdf.acroform.field_values import Shortfall, faces_for
from sheetgen.pdf.acroform.fill import fill_form, flatten_form
from sheetgen.pdf.acroform.reader import read
from sheetgen.pdf.fonts.bundled import load_face
from sheetgen.pdf.fonts.face import AddedFont
from sheetgen.pdf.fonts.shaping import read_font

Strange = Callable[..., bytes]
LETTERS = "".join(map(chr, range(0x20, 0x17F))) + "…"
BOXED = Dictionary(BC=Array([0, 0, 1]), BG=Array([0.9, 0.9, 0.9]))


def fill(
    data: bytes, answers: Mapping[str, str], *, added: tuple[AddedFont, ...] = ()
) -> tuple[bytes, tuple[Shortfall, ...]]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        faces = {name: load_face(name, LETTERS) for name in faces_for(read(pdf, "form.pdf"))}
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return fill_form(pdf, "form.pdf", answers, faces, added=added)


def flat(data: bytes, *people: tuple[str, dict[str, str]]) -> bytes:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        faces = {name: load_face(name, LETTERS) for name in faces_for(read(pdf, "form.pdf"))}
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return flatten_form(pdf, "form.pdf", people, faces)[0]


def words(data: bytes, page: int = 0) -> str:
    """The words that a page shows, fields and all."""
    return " ".join(pymupdf.open(stream=data)[page].get_text().split())


def held(data: bytes) -> dict[str, str]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return {str(field.T): str(field.get("/V", "")) for field in pdf.Root.AcroForm.Fields}


def test_a_field_holds_and_shows_its_answer(strange_form: Strange) -> None:
    data, short = fill(
        strange_form({"T": "Name", "FT": Name.Tx}, {"T": "Rest", "FT": Name.Tx, "V": "stays"}, NeedAppearances=True),
        {"Name": "Łucja Ortíz"},
    )
    assert short == ()
    assert held(data) == {"Name": "Łucja Ortíz", "Rest": "stays"}
    assert words(data) == "Łucja Ortíz stays"
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert pdf.Root.AcroForm.NeedAppearances is False


def test_the_same_answers_make_the_same_bytes(strange_form: Strange) -> None:
    form = strange_form({"T": "Name", "FT": Name.Tx}, {"T": "Box", "FT": Name.Btn})
    assert fill(form, {"Name": "Ann", "Box": "yes"}) == fill(form, {"Name": "Ann", "Box": "yes"})


def test_type_shrinks_to_a_floor_and_the_rest_is_told(strange_form: Strange) -> None:
    form = strange_form({"T": "Name", "FT": Name.Tx, "DA": "/Helv 12 Tf 0 g", "Rect": [20, 40, 80, 52]})
    data, short = fill(form, {"Name": "Bartholomew Featherstone"})
    assert [each.name for each in short] == ["Name"]
    assert short[0].message.startswith("has no room for the last 12 of 24 characters")
    assert held(data)["Name"] == "Bartholomew Featherstone"
    (span,) = pymupdf.open(stream=data)[0].get_text("dict")["blocks"][0]["lines"][0]["spans"]
    assert span["size"] == pytest.approx(6.0)
    assert fill(form, {"Name": "Ann Featherstone"})[1] == ()


def test_no_more_characters_than_a_field_takes(strange_form: Strange) -> None:
    data, short = fill(
        strange_form({"T": "Short", "FT": Name.Tx, "MaxLen": 5}, {"T": "Long", "FT": Name.Tx, "MaxLen": 14}),
        {"Short": "Bartholomew", "Long": "rope, hook and lantern"},
    )
    assert held(data) == {"Short": "Barth", "Long": "rope, hook…"}
    assert (
        short
        == (
            Shortfall("Long", 'takes 14 characters, and "rope, hook and lantern" has 22'),
            Shortfall("Short", 'takes 5 characters, and "Bartholomew" has 11'),
        )[::-1]
    )


def test_each_character_of_a_comb_is_in_the_middle_of_its_cell(strange_form: Strange) -> None:
    form = strange_form(
        {"T": "Cells", "FT": Name.Tx, "Ff": 1 << 24, "MaxLen": 10, "MK": BOXED, "Rect": [20, 40, 220, 60]}
    )
    data, short = fill(form, {"Cells": "Wim"})
    assert short == ()
    letters = [
        char
        for block in pymupdf.open(stream=data)[0].get_text("rawdict")["blocks"]
        for line in block["lines"]
        for span in line["spans"]
        for char in span["chars"]
        if char["c"].strip()
    ]
    middles = [(char["bbox"][0] + char["bbox"][2]) / 2 for char in letters]
    assert "".join(char["c"] for char in letters) == "Wim"
    assert middles == pytest.approx([30, 50, 70], abs=0.2)


def test_a_tick_goes_by_the_name_of_its_own_on(strange_form: Strange) -> None:
    def drawn(pdf: pikepdf.Pdf) -> None:
        mark = pdf.make_stream(b"0 0 20 20 re f", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 20, 20]))
        pdf.Root.AcroForm.Fields[0].AP = Dictionary(N=Dictionary({"/Trained": mark}))

    with pikepdf.open(io.BytesIO(strange_form({"T": "Theirs", "FT": Name.Btn}, {"T": "Bare", "FT": Name.Btn}))) as pdf:
        drawn(pdf)
        out = io.BytesIO()
        pdf.save(out)
    data, _ = fill(out.getvalue(), {"Theirs": "4", "Bare": "yes"})
    with pikepdf.open(io.BytesIO(data)) as pdf:
        theirs, bare = pdf.Root.AcroForm.Fields
        assert (Name.Trained, Name.Trained) == (theirs.V, theirs.AS)
        assert theirs.AP.N.Trained.read_bytes() == b"0 0 20 20 re f"
        assert (bare.V, bare.AS, set(bare.AP.N.keys())) == (Name.On, Name.On, {"/On", "/Off"})
    data, _ = fill(data, {"Theirs": "no", "Bare": "0"})
    assert held(data) == {"Theirs": "/Off", "Bare": "/Off"}


def test_a_radio_and_a_choice_take_what_they_store_or_show(strange_form: Strange) -> None:
    def side(name: str) -> dict[str, object]:
        return {"T": "Side", "FT": Name.Btn, "Ff": 1 << 15, "AP": Dictionary(N=Dictionary({f"/{name}": Dictionary()}))}

    form = strange_form(
        side("Law"),
        side("Chaos"),
        {"T": "Folk", "FT": Name.Ch, "Ff": 1 << 17, "Opt": [["dw", "Dwarf"], ["el", "Elf"]]},
        {"T": "Where", "FT": Name.Ch, "Opt": ["Hill", "Dale", "Fen"], "Rect": [20, 40, 120, 60]},
    )
    data, short = fill(form, {"Side": "chaos", "Folk": "ELF", "Where": "Fen"})
    assert short == ()
    assert words(data) == "Elf Fen"
    with pikepdf.open(io.BytesIO(data)) as pdf:
        law, chaos, folk, where = pdf.Root.AcroForm.Fields
        assert (Name.Off, Name.Chaos, Name.Chaos, "el", "Fen") == (law.AS, chaos.AS, chaos.V, folk.V, where.V)
        assert (list(where.I), where.TI) == ([2], 2)
    _, short = fill(form, {"Side": "Lore", "Folk": "Goblin"})
    assert [str(each.message) for each in short] == [
        'has no choice "Lore"; there are Law, Chaos',
        'has no choice "Goblin"; there are Dwarf, Elf',
    ]


def test_what_no_font_can_show_stays_out_and_is_told(strange_form: Strange, small_font: Callable[..., bytes]) -> None:
    form = strange_form({"T": "Name", "FT": Name.Tx, "V": "before"})
    data, short = fill(form, {"Name": "山田"})
    assert held(data) == {"Name": "before"}
    assert short[0].message.startswith('no bundled font can print "山" (U+5C71')
    data, short = fill(form, {"Name": "山田"}, added=(read_font(small_font(), "small.ttf"),))
    assert (held(data), words(data), short) == ({"Name": "山田"}, "山田", ())


def test_what_acts_on_its_own_goes(strange_form: Strange) -> None:
    script = Dictionary(S=Name.JavaScript, JS="app.alert(1)")
    send = Dictionary(S=Name.SubmitForm, F="http://example.org")
    field = {"T": "Name", "FT": Name.Tx, "AA": Dictionary(C=script), "A": send}
    with pikepdf.open(io.BytesIO(strange_form(field, XFA="<xdp/>", CO=Array([1])))) as pdf:
        pdf.Root.OpenAction = script
        pdf.Root.Perms = Dictionary()
        out = io.BytesIO()
        pdf.save(out)
    data, _ = fill(out.getvalue(), {"Name": "Ann"})
    with pikepdf.open(io.BytesIO(data)) as pdf:
        everything = b"".join(each.unparse(resolved=True) for each in pdf.objects if each is not None)
        assert not {"/XFA", "/CO"} & set(pdf.Root.AcroForm.keys())
        assert not {"/OpenAction", "/Perms"} & set(pdf.Root.keys())
    assert b"/JavaScript" not in everything
    assert b"/SubmitForm" not in everything


def test_a_turned_widget_is_read_from_its_side(strange_form: Strange) -> None:
    data, _ = fill(
        strange_form({"T": "Up", "FT": Name.Tx, "MK": Dictionary(R=90), "Rect": [20, 10, 40, 70]}), {"Up": "Wealth"}
    )
    line = pymupdf.open(stream=data)[0].get_text("dict")["blocks"][0]["lines"][0]
    assert line["dir"] == (0.0, -1.0)


def test_flat_pages_have_the_words_and_no_fields(strange_form: Strange) -> None:
    form = strange_form({"T": "Name", "FT": Name.Tx}, {"T": "Box", "FT": Name.Btn, "MK": BOXED}, NeedAppearances=True)
    data = flat(form, ("Ann", {"Name": "Ann", "Box": "yes"}), ("Bert", {}), ("Cy", {"Name": "Cy"}))
    assert [words(data, page) for page in range(3)] == ["Ann", "", "Cy"]
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert "/AcroForm" not in pdf.Root
        assert all("/Annots" not in page.obj for page in pdf.pages)
        with pdf.open_outline() as outline:
            assert [item.title for item in outline.root] == ["Ann", "Bert", "Cy"]
    first, second = (pymupdf.open(stream=data)[page].get_drawings() for page in (0, 1))
    assert len(first) == len(second) + 1  # the tick of the first


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs poppler")
def test_two_renderers_show_the_same_form_and_its_flat_pages(strange_form: Strange, tmp_path: Path) -> None:
    form = strange_form(
        {"T": "Name", "FT": Name.Tx, "MK": BOXED, "DA": "/TiBo 14 Tf 1 0 0 rg"},
        {"T": "Cells", "FT": Name.Tx, "Ff": 1 << 24, "MaxLen": 10, "MK": BOXED},
        {"T": "Box", "FT": Name.Btn, "MK": BOXED, "Rect": [20, 10, 40, 30]},
        {"T": "Story", "FT": Name.Tx, "Ff": 1 << 12, "V": "was here", "Rect": [230, 40, 390, 160]},
        NeedAppearances=True,
    )
    answers = {"Name": "Malik Odell", "Cells": "GRIT 8", "Box": "yes"}
    pictures = []
    for name, data in (("open", fill(form, answers)[0]), ("flat", flat(form, ("", answers)))):
        path = tmp_path / f"{name}.pdf"
        path.write_bytes(data)
        subprocess.run(["pdftoppm", "-r", "36", "-png", "-singlefile", path, tmp_path / name], check=True)
        pictures.append(Image.open(tmp_path / f"{name}.png"))
        seen = pymupdf.open(stream=data)[0].get_pixmap(dpi=36)
        pictures.append(Image.frombytes("RGB", (seen.width, seen.height), seen.samples))
    greys = [picture.convert("L").resize((50, 25)).tobytes() for picture in pictures]
    for other in greys[1:]:
        assert max(abs(a - b) for a, b in zip(greys[0], other, strict=True)) < 70
    assert min(greys[0]) < 200
