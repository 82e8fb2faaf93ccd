"""Strangers' forms read: every way in which a PDF may say what its fields are, and the forms that are refused."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from sheetgen.errors import InputError
from sheetgen.geometry import Box
from sheetgen.model.acroform import Acroform
from sheetgen.pdf.acroform.reader import MOST_FIELDS, read
from sheetgen.press.pages import DAMAGED, opened

Strange = Callable[..., bytes]


def reading(data: bytes) -> Acroform:
    with NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        with opened(Path(file.name), "form.pdf") as pdf:
            return read(pdf, "form.pdf")


def changed(data: bytes, change: Callable[[pikepdf.Pdf], object], **saving: object) -> bytes:
    """The form with something done to it that no form needs."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        change(pdf)
        out = io.BytesIO()
        pdf.save(out, **saving)
        return out.getvalue()


def test_every_kind_of_field_is_known(strange_form: Strange) -> None:
    states = Dictionary(N=Dictionary({"/Trained": Dictionary(), "/Off": Dictionary()}))
    form = reading(
        strange_form(
            {"T": "line", "FT": Name.Tx, "TU": "A line", "MaxLen": 12, "V": "said", "Q": 2},
            {"T": "area", "FT": Name.Tx, "Ff": 1 << 12},
            {"T": "cells", "FT": Name.Tx, "Ff": 1 << 24, "MaxLen": 8},
            {"T": "tick", "FT": Name.Btn, "AP": states},
            {"T": "choice", "FT": Name.Ch, "Ff": 1 << 17, "Opt": [["dw", "Dwarf"], "Elf"]},
            {"T": "button", "FT": Name.Btn, "Ff": 1 << 16},
            {"T": "secret", "FT": Name.Tx, "Ff": 1 << 13},
            {"T": "signed", "FT": Name.Sig},
        )
    )
    by_name = {blank.name: blank for blank in form.blanks}
    assert {name: blank.kind for name, blank in by_name.items()} == {
        "line": "line",
        "area": "area",
        "cells": "line",
        "tick": "tick",
        "choice": "choice",
    }
    line = by_name["line"]
    assert (line.title, line.longest, line.value, line.align) == ("A line", 12, "said", "right")
    assert line.spots[0].box == Box(20, 320, 200, 20)
    assert by_name["cells"].comb
    assert by_name["tick"].spots[0].state == "Trained"
    assert by_name["choice"].options == (("dw", "Dwarf"), ("Elf", "Elf"))
    assert not by_name["choice"].listed


def test_what_a_field_does_not_say_stands_above_it(strange_form: Strange) -> None:
    def nest(pdf: pikepdf.Pdf) -> None:
        form = pdf.Root.AcroForm
        grit, mind = form.Fields
        group = pdf.make_indirect(Dictionary(T="skills", FT=Name.Tx, Q=1, DA="/TiBo 11 Tf 1 0 0 rg", Kids=[grit, mind]))
        top = pdf.make_indirect(Dictionary(T="sheet[0]", Kids=[group]))
        grit.Parent = mind.Parent = group
        group.Parent = top
        form.Fields = Array([top])

    form = reading(changed(strange_form({"T": "Grit"}, {"T": "Mind", "DA": "/Helv 0 Tf 0.5 g"}), nest))
    grit, mind = form.blanks
    assert (grit.name, mind.name) == ("sheet[0].skills.Grit", "sheet[0].skills.Mind")
    assert (grit.align, grit.size, grit.colour, grit.bold) == ("center", 11.0, (1.0, 0.0, 0.0), True)
    assert (mind.align, mind.size, mind.colour, mind.bold) == ("center", 0.0, (0.5, 0.5, 0.5), False)


def test_fields_come_as_one_reads(strange_form: Strange) -> None:
    last, first = {"T": "last", "FT": Name.Tx, "Rect": [250, 40, 300, 60]}, {"T": "first", "FT": Name.Tx}
    assert [blank.name for blank in reading(strange_form(last, {**first, "Rect": [20, 40, 90, 60]})).blanks] == [
        "first",
        "last",
    ]


def test_widgets_of_one_name_are_one_field(strange_form: Strange) -> None:
    def pair(pdf: pikepdf.Pdf) -> None:
        form = pdf.Root.AcroForm
        both = pdf.make_indirect(Dictionary(T="name", FT=Name.Tx, Kids=[form.Fields[0], form.Fields[1]]))
        for widget in both.Kids:
            widget.Parent = both
        form.Fields = Array([both])

    (blank,) = reading(changed(strange_form({}, {}), pair)).blanks
    assert len(blank.spots) == 2
    (twice,) = reading(strange_form({"T": "name", "FT": Name.Tx}, {"T": "name", "FT": Name.Tx})).blanks
    assert len(twice.spots) == 2


def test_boxes_of_one_name_of_which_one_is_ticked_are_a_choice(strange_form: Strange) -> None:
    def box(state: str) -> dict[str, object]:
        drawn = Dictionary(N=Dictionary({f"/{state}": Dictionary(), "/Off": Dictionary()}))
        return {"T": "side", "FT": Name.Btn, "AP": drawn}

    (blank,) = reading(strange_form(box("Law"), box("Chaos"))).blanks
    assert (blank.kind, blank.options) == ("radio", (("Law", "Law"), ("Chaos", "Chaos")))


@pytest.mark.filterwarnings("ignore::pikepdf.exceptions.PageCopyWarning")  # which is just what is tried here
def test_a_widget_that_only_the_page_knows_is_a_field(strange_form: Strange) -> None:
    def forget(pdf: pikepdf.Pdf) -> None:
        del pdf.Root.AcroForm

    assert [blank.name for blank in reading(changed(strange_form({"T": "name", "FT": Name.Tx}), forget)).blanks] == [
        "name"
    ]


def test_what_nobody_sees_is_no_field(strange_form: Strange) -> None:
    fields = (
        {"T": "hidden", "FT": Name.Tx, "F": 2},
        {"T": "flat", "FT": Name.Tx, "Rect": [0, 0, 0, 0]},
        {"T": "far", "FT": Name.Tx, "Rect": [0, 0, 10**8, 10]},
        {"T": "seen", "FT": Name.Tx},
    )
    assert [blank.name for blank in reading(strange_form(*fields)).blanks] == ["seen"]


def test_scripts_and_xfa_beside_ordinary_fields_are_told(strange_form: Strange) -> None:
    form = reading(strange_form({"T": "name", "FT": Name.Tx}, XFA=String("<xdp/>"), CO=Array([1, 2]), SigFlags=3))
    assert len(form.notes) == 3
    assert "scripts work out 2 of its fields" in form.notes[1]


def test_entries_of_the_wrong_type_are_as_if_absent(strange_form: Strange) -> None:
    odd = {"FT": Name.Tx, "T": "name", "Q": 77, "MK": Array([]), "BS": 4, "AP": 5, "MaxLen": -3, "DA": Array([1])}
    numbers = {"T": "size", "FT": Name.Tx, "DA": f"/F {'9' * 30} Tf 1 2 rg"}
    one, two = reading(strange_form(odd, numbers, {"T": 7, "FT": Name.Tx}, {"Kids": 3, "T": "x"})).blanks
    assert (one.align, one.longest, one.size, one.unseen) == ("left", 0, 0.0, True)
    assert two.size == 0.0


def circle(pdf: pikepdf.Pdf) -> None:
    one, two = (pdf.make_indirect(Dictionary(T=name)) for name in "ab")
    one.Kids, two.Kids = Array([two]), Array([one])
    pdf.Root.AcroForm.Fields.append(one)


def its_own_parent(pdf: pikepdf.Pdf) -> None:
    field = pdf.Root.AcroForm.Fields[0]
    field.Parent = field


def deep(pdf: pikepdf.Pdf) -> None:
    field = pdf.Root.AcroForm.Fields[0]
    for _ in range(100):
        field = pdf.make_indirect(Dictionary(T="n", Kids=[field]))
    pdf.Root.AcroForm.Fields = Array([field])


def nothing(pdf: pikepdf.Pdf) -> None:
    pdf.Root.AcroForm = Array([1])
    del pdf.pages[0].obj.Annots


def dynamic(pdf: pikepdf.Pdf) -> None:
    nothing(pdf)
    pdf.Root.AcroForm = Dictionary(Fields=Array([]), XFA=pdf.make_stream(b"<xdp/>"))


def crowd(pdf: pikepdf.Pdf) -> None:
    page = pdf.pages[0].obj
    about = {"Subtype": Name.Widget, "FT": Name.Tx, "Rect": [0, 0, 9, 9]}
    for number in range(MOST_FIELDS + 1):
        page.Annots.append(pdf.make_indirect(Dictionary(T=f"f{number}", **about)))
    pdf.Root.AcroForm.Fields = Array(list(page.Annots))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (circle, f"form.pdf: {DAMAGED.format('loop detected while traversing /AcroForm')}"),
        (nothing, "form.pdf: has no fields to fill in"),
        (dynamic, "form.pdf: is an XFA form, which only Adobe’s own reader shows: ask its maker for an ordinary one"),
        (crowd, "form.pdf: has 5,002 fields; up to 5,000 are taken"),
    ],
)
def test_a_hopeless_form_is_refused_in_one_line(
    strange_form: Strange, change: Callable[[pikepdf.Pdf], None], line: str
) -> None:
    data = changed(strange_form({"T": "name", "FT": Name.Tx}), change)
    with pytest.raises(InputError) as caught:
        reading(data)
    assert str(caught.value) == line


@pytest.mark.filterwarnings("ignore::pikepdf.exceptions.PageCopyWarning")
@pytest.mark.parametrize("change", [deep, its_own_parent])
def test_a_tree_without_end_is_cut(strange_form: Strange, change: Callable[[pikepdf.Pdf], None]) -> None:
    (blank,) = reading(changed(strange_form({"T": "name", "FT": Name.Tx}), change)).blanks
    assert "name" in blank.name


def test_the_labels_of_a_radio_are_in_the_order_of_its_list(strange_form: Strange) -> None:
    def group(pdf: pikepdf.Pdf) -> None:
        first, second = pdf.Root.AcroForm.Fields
        labels = Array([String("Elf"), String("Dwarf")])
        radio = pdf.make_indirect(Dictionary(T="folk", FT=Name.Btn, Ff=1 << 15, Opt=labels, Kids=[second, first]))
        first.Parent = second.Parent = radio
        pdf.Root.AcroForm.Fields = Array([radio])

    def box(state: str) -> dict[str, object]:
        return {"AP": Dictionary(N=Dictionary({f"/{state}": Dictionary(), "/Off": Dictionary()}))}

    (blank,) = reading(changed(strange_form(box("D"), box("E")), group)).blanks
    assert blank.options == (("E", "Elf"), ("D", "Dwarf"))


def test_a_form_that_its_maker_locked_stays_locked(strange_form: Strange) -> None:
    nobody = pikepdf.Permissions(modify_form=False, modify_annotation=False)
    encryption = pikepdf.Encryption(owner="maker", user="", allow=nobody)
    data = changed(strange_form({"T": "name", "FT": Name.Tx}), lambda pdf: None, encryption=encryption)
    with pytest.raises(InputError, match=r"form\.pdf: is locked by its maker against filling in"):
        reading(data)
