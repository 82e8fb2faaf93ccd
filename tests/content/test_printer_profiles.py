"""The file of printer profiles: what is written can be read, and what somebody wrote wrong is told with its place."""

from __future__ import annotations

import pytest

from sheetgen.content.printing import read_printers, written_printers
from sheetgen.errors import InputError
from sheetgen.model.printing import Printer


def test_profiles_stay_what_they_are() -> None:
    known = {
        "office": Printer("office", (0.8, -1.2), 4.5),
        "home-2": Printer("home-2", (0.0, 0.05)),
        "null": Printer("null", margin=0.0),
    }
    assert read_printers(written_printers(known).encode(), "printers.yaml") == known


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("printers:\n  a:\n    shift: [1]", "printers.yaml:3:12: shift takes two lengths in mm: [to the right, up]"),
        ("printers:\n  a:\n    shift: [1, 12]", "printers.yaml:3:16: shift "),
        ("printers:\n  a:\n    shfit: [1, 2]", 'printers.yaml:3:5: unknown key "shfit" in printer a'),
        ("printers:\n  a:\n    margin: wide", 'printers.yaml:3:13: margin is "wide", not a plain number'),
        ("printer:\n  a: {}", 'printers.yaml:1:1: unknown key "printer" in the printers file'),
        ("[1, 2]", "printers.yaml:1:1: the printers file is a list, not a mapping"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as told:
        read_printers(text.encode(), "printers.yaml")
    assert str(told.value).startswith(message)


def test_over_the_other_edge_backs_move_the_other_way() -> None:
    office = Printer("office", (0.8, -1.2))
    assert office.moves("long") == (0.8, -1.2)
    assert office.moves("short") == (-0.8, 1.2)
    assert str(Printer("home").moves("short")) == "(0.0, 0.0)"
