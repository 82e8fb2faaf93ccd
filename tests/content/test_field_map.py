"""Maps of forms: what goes where, and mistakes with their places."""

from __future__ import annotations

import pytest

from sheetgen.content.yaml.field_map import read_map
from sheetgen.errors import InputError
from sheetgen.geometry import Box
from sheetgen.model.acroform import Blank, FieldRule, Kind, Spot

KINDS: dict[str, Kind] = {"Name": "line", "Story": "area", "Sneaky": "tick", "Campaign": "line"}
BLANKS = [Blank(name, "", kind, (Spot(0, Box(0, 0, 9, 9)),)) for name, kind in KINDS.items()]
KNOWN = ("name", "occupation", "skills.Stealth")


def reading(text: str) -> dict[str, FieldRule | None]:
    return read_map(text.encode(), "map.yaml", BLANKS, KNOWN, KNOWN.__contains__)


def test_a_map_has_values_texts_ticks_and_fields_to_leave_alone() -> None:
    text = """
Name: name
Story: "{name}, {occupation}"
Sneaky: {on: skills.Stealth, from: 3}
Campaign:
"""
    assert reading(text) == {
        "Name": FieldRule("{name}"),
        "Story": FieldRule("{name}, {occupation}"),
        "Sneaky": FieldRule("{skills.Stealth}", tick=True, least=3),
        "Campaign": None,
    }
    assert reading("Campaign: {say: Winter}\nSneaky: skills.Stealth") == {
        "Campaign": FieldRule("Winter"),
        "Sneaky": FieldRule("{skills.Stealth}", tick=True),
    }
    assert reading("Sneaky: {on: occupation, is: Scout}") == {
        "Sneaky": FieldRule("{occupation}", tick=True, equals="Scout"),
    }


def test_spaces_at_the_ends_of_a_name_are_forgiven() -> None:
    blank = Blank("Race ", "", "line", (Spot(0, Box(0, 0, 9, 9)),))
    assert read_map(b"Race: name", "map.yaml", [blank], KNOWN, KNOWN.__contains__) == {"Race ": FieldRule("{name}")}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Nmae: name", 'map.yaml:1:1: the form has no field "Nmae" (did you mean "Name"?)'),
        ("Name: nmae", 'map.yaml:1:7: there is no value "nmae" (did you mean "name"?)'),
        ('Name: "{name"', 'map.yaml:1:7: "{name": braces hold the name of a value, as in {name}'),
        ('Name: "{name.__class__}"', 'map.yaml:1:7: there is no value "name.__class__"'),
        ("Name: {on: name}", 'map.yaml:1:7: "Name" takes text: on is for boxes to tick (write the name alone)'),
        ("Sneaky: {from: 3}", 'map.yaml:1:9: "Sneaky" lacks "on" (write {on: NAME OF A VALUE})'),
        ("Sneaky: {on: name, frm: 3}", 'map.yaml:1:20: unknown key "frm" in "Sneaky" (did you mean "from"?)'),
        ("Name: {say: x, is: y}", 'map.yaml:1:7: "Name": say goes alone, without is'),
        ("- Name", "map.yaml:1:1: the map is a list, not a mapping"),
    ],
)
def test_a_mistake_has_its_place_and_its_mend(text: str, line: str) -> None:
    with pytest.raises(InputError) as caught:
        reading(text)
    assert str(caught.value).startswith(line)
