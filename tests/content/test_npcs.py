"""Items of npcs.yaml: weapons and other kinds whose facts the pack itself declares, or leaves open."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest

from sheetgen.errors import InputError
from sheetgen.model.system import System
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

SYSTEM = """
    id: moor
    title: Moor
    credit: Moor, by somebody
    licence: as you like it
    traits:
      skills: {title: Skills, range: 0-5, default: 0, members: {Blades: {}, Boats: {}}}
    values:
      reach: {short: 1, long: 2}
"""
ITEMS = """
    items:
      weapons:
        facts:
          skill: {is: trait}
          reach: {is: choice, among: reach}
          harm: {is: whole, range: 1-6, optional: yes}
          weight: {is: number, range: 0-9, optional: yes}
          loud: {is: switch, optional: yes}
          tags: {is: words, optional: yes}
        only_one: [harm, loud]
      vessels:
        facts: {crew: {is: whole, range: 1-99}}
"""


def moor(folder: Path, npcs: str, items: str = ITEMS) -> System:
    pack = folder / "moor"
    pack.mkdir()
    (pack / "system.yaml").write_text(dedent(SYSTEM).lstrip() + dedent(items))
    (pack / "npcs.yaml").write_text(npcs)
    return open_pack(project_at(folder, os.environ), "./moor").system


def test_a_pack_declares_what_is_said_of_each_kind_of_item(tmp_path: Path) -> None:
    declared = "oar: {skill: Boats, reach: long, weight: 2.5, loud: no, tags: [wood]}"
    cast = moor(tmp_path, f"weapons: {{{declared}}}\nvessels: {{punt: {{crew: 2}}}}\n").cast
    oar = cast.items["weapons"]["oar"]
    assert (oar.text("skill"), oar.text("reach"), str(oar.number("weight")), oar.has("loud"), oar.tags) == (
        *("Boats", "long", "2.5", False),
        ("wood",),
    )
    assert cast.items["vessels"]["punt"].whole("crew") == 2
    assert cast.kinds == {"oar", "punt"}


@pytest.mark.parametrize(
    ("npcs", "message"),
    [
        ("weapons: {oar: {skill: Boat, reach: long}}", '1:24: unknown skill "Boat" (did you mean "Boats"?)'),
        ("weapons: {oar: {skill: Boats}}", '1:16: weapon oar lacks "reach" (add a line "reach: ...")'),
        ("weapons: {oar: {skill: Boats, reach: lon}}", '1:38: unknown reach "lon" (did you mean "long"?)'),
        ("weapons: {oar: {skill: Boats, reach: long, harm: 7}}", "1:50: harm is 7 (write a whole number from 1 to 6)"),
        (
            "weapons: {oar: {skill: Boats, reach: long, harm: 1, loud: yes}}",
            "1:16: weapon oar: only one of harm and loud",
        ),
        ("vessels: {punt: {crews: 2}}", '1:18: unknown key "crews" in vessel punt (did you mean "crew"?)'),
        ("vesels: {punt: {crew: 2}}", '1:1: unknown key "vesels" in npcs (did you mean "vessels"?)'),
    ],
)
def test_a_mistake_in_an_item_is_told_with_its_place(tmp_path: Path, npcs: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        moor(tmp_path, npcs)
    assert f"moor/npcs.yaml:{message}" in str(caught.value).splitlines()


def test_weapons_and_armours_need_no_declaration(tmp_path: Path) -> None:
    """A pack that declares no kinds may still have weapons, with any facts."""
    cast = moor(tmp_path, "weapons: {oar: {skill: Boats, heft: 3, fits: {Boats: 1-5}}}", items="").cast
    oar = cast.items["weapons"]["oar"]
    assert (oar.text("heft"), oar.fits) == ("3", (("Boats", frozenset(range(1, 6))),))
